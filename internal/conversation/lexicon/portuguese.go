package lexicon

// Portuguese is the lexicon of Portuguese.
func Portuguese() Language {
	return Language{
		Lines: Lines{
			Disclosure: "Esta é uma ligação automática. Pressione 9 ou diga pare a qualquer momento, e não " +
				"ligaremos mais.",
			NotUnderstood: "Desculpe, não entendi.",
			Goodbye:       "Muito obrigado pelo seu tempo. Até logo.",
			StillThere:    "Ainda está aí?",
			NoAnswer:      "Não consigo ouvir, então vou desligar. Até logo.",
			OptedOut:      "Entendido. Não ligaremos mais para este número. Até logo.",
			Back:          "Desculpe, a ligação caiu por um momento.",
			MoveOn:        "Não tem problema, vamos continuar.",
			Moment:        "Um momento, por favor.",
			Trouble:       "Desculpe, estamos com um problema técnico e preciso desligar. Até logo.",
			Acks:          []string{"Obrigado.", "Está bem."},
		},
		Filler: []string{
			"é", "eh", "ah", "hum", "hmm", "então", "bom", "bem", "olha", "olhe", "tipo", "né", "assim", "por favor",
			"obrigado", "obrigada", "acho", "eu acho", "acho que", "digamos", "deixa ver", "deixe ver", "desculpe",
			"senhor", "senhora", "moça", "moço", "e", "mas", "uns", "umas", "mais ou menos uns",
		},
		Hello: []string{
			"alô", "alo", "oi", "olá", "bom dia", "boa tarde", "boa noite", "pronto", "estou", "estou sim", "está lá",
		},
		Bye: []string{
			"tchau", "até logo", "até mais", "adeus", "tenho que ir", "preciso ir", "tenho que desligar",
			"preciso desligar", "bom dia para você", "até breve",
		},
		Who: []string{
			"quem é", "quem fala", "quem está falando", "com quem falo", "quem está ligando", "quem é você",
			"de onde fala", "de onde você fala", "do que se trata", "é um robô", "você é um robô",
		},
		Repeat: []string{
			"quê", "o quê", "como", "como assim", "desculpe", "perdão", "hein", "repita", "repete", "pode repetir",
			"poderia repetir", "pode repetir a pergunta", "de novo", "outra vez", "mais uma vez", "não entendi",
			"não entendo", "não percebi", "não ouvi", "não escutei", "não estou ouvindo", "não estou te ouvindo",
			"o que você disse", "o que disse", "qual era a pergunta",
		},
		Record: []string{
			"deixe uma mensagem", "deixe a sua mensagem", "deixe sua mensagem", "deixe o seu recado",
			"deixe seu recado", "após o sinal", "depois do sinal",
		},
		Skip: []string{
			"não sei", "eu não sei", "não faço ideia", "sei lá", "prefiro não dizer", "prefiro não responder",
			"não quero responder", "próxima", "próxima pergunta", "passo", "não me lembro", "não lembro", "nenhum",
			"nenhuma", "nenhum dos dois",
		},

		Yes: []string{
			"sim", "claro", "claro que sim", "com certeza", "certamente", "correto", "exato", "exatamente", "isso",
			"isso mesmo", "é isso", "tá", "tá bom", "está bem", "ok", "okay", "beleza", "pode ser sim", "sem dúvida",
			"sem problema", "não tem problema", "por que não", "acho que sim", "creio que sim", "de acordo",
			"com prazer", "positivo", "uhum", "aham", "pois não", "pois é",
		},
		No: []string{
			"não", "nada disso", "de jeito nenhum", "de forma alguma", "claro que não", "com certeza não",
			"ainda não", "agora não", "acho que não", "creio que não", "nem um pouco", "não obrigado", "não obrigada",
			"negativo", "nunca", "jamais", "não tenho interesse", "incorreto", "não é isso", "engano", "foi engano",
		},
		Unsure: []string{
			"talvez", "quem sabe", "pode ser", "não sei", "não tenho certeza", "depende", "às vezes", "mais ou menos",
			"sei lá", "não me lembro", "não lembro", "sim e não",
		},
		Mistaken: []string{
			"quero dizer", "quis dizer", "quer dizer", "ou melhor", "melhor dizendo", "espera", "espere",
			"não espera", "me enganei", "aliás",
		},
		YesAlone: []string{
			"sou eu", "é ela", "é ele", "eu mesmo", "eu mesma", "sou", "tenho", "quero", "posso", "estou", "é", "foi",
			"fui", "pode", "bem", "muito bem", "perfeito", "ótimo", "verdade", "é verdade", "bom", "certo",
		},
		NoAlone:     []string{"falso", "mentira", "nenhum", "nenhuma", "nada"},
		Not:         []string{"nao", "sem", "nem"},
		Connectives: []string{"para", "desde", "depois", "antes"},

		Ordinals: [MaxOrdinals][]string{
			{"primeiro", "primeira", "número um", "opção um"}, {"segundo", "segunda", "número dois", "opção dois"},
			{"terceiro", "terceira", "número três", "opção três"},
			{"quarto", "quarta", "número quatro"}, {"quinto", "quinta", "número cinco"},
			{"sexto", "sexta", "número seis"}, {"sétimo", "sétima", "número sete"}, {"oitavo", "oitava", "número oito"},
		},
		Last: []string{"último", "última"},

		Spell:    spellPortuguese,
		Thousand: []string{"mil"},
		Half:     []string{"e meio", "e meia"},
		And:      []string{"e"},
		OutOf:    []string{"de", "em"},
		Minus:    []string{"menos"},
		Article:  []string{"um", "uma"},
		Vague: []string{
			"um pouco", "um pouquinho", "um momento", "um minuto", "um instante", "uma pergunta", "um segundo",
		},
		Counts: map[string]float64{
			"nenhum": 0, "nenhuma": 0, "nada": 0, "nunca": 0, "meio": 0.5, "um par": 2, "uma dúzia": 12,
			"meia dúzia": 6,
		},
		DecimalComma: true,

		Glad: []string{
			"bem", "muito bem", "ótimo", "ótima", "excelente", "perfeito", "maravilhoso", "feliz", "contente",
			"melhor", "satisfeito", "satisfeita", "legal", "adorei", "gentil", "fantástico",
		},
		Sad: []string{
			"mal", "muito mal", "péssimo", "péssima", "terrível", "horrível", "chateado", "chateada", "irritado",
			"irritada", "bravo", "brava", "pior", "dor", "dores", "dói", "problema", "problemas", "reclamação",
			"reclamar", "decepcionado", "decepcionada", "tontura", "tonturas", "triste", "doente", "golpe", "absurdo",
		},

		Urge: []string{
			"já", "agora", "agora mesmo", "logo", "eu disse para", "eu quero que", "quero que vocês", "vocês podem",
			"você pode", "podem", "pode", "sim", "chega", "com isso", "imediatamente", "de uma vez",
		},
		StopAlone: []string{
			"stop", "pare", "parem", "parar", "chega", "basta", "pare com isso", "parem com isso", "para com isso",
			"descadastrar", "não ligue mais", "não liguem mais", "chega de ligações",
		},
		Stop: []string{
			`\bnao (?:me |nos )?(?:liguem?|ligues|telefonem?|telefones|contate[mn]?|contactem?|chamem?|incomodem?|perturbem?)(?: me| nos)?(?: para (?:mim|ca|aqui|este numero|esse numero|minha casa)| aqui)* (?:mais|nunca mais|de novo|outra vez|novamente|nunca)\b`,
			`\bnunca mais (?:me |nos )?(?:liguem?|ligues|telefonem?|contatem?|contactem?|chamem?|voltem? a ligar)`,
			`\bnao (?:me |nos )(?:liguem?|ligues|telefonem?|contatem?|contactem?|incomodem?|perturbem?)$`,
			`\bnao (?:voltem?|tornem?) a (?:me |nos )?(?:ligar|telefonar|contactar|contatar)(?: me)?\b`,
			`\b(?:parem|pare|para|deixem|deixe) (?:ja |agora |por favor |logo )*de (?:me |nos ` +
				`)(?:ligar|telefonar|chamar|incomodar|perturbar|contactar|contatar)\b`,
			`\b(?:parem|pare|para|deixem|deixe) (?:ja |agora |por favor |logo )*de (?:ligar|telefonar)(?:$| ` +
				`(?:me|nos|para (?:mim|ca|aqui|este|esse|minha)|aqui|por favor)\b)`,
			`\b(?:parem|pare|para|chega) (?:com|de) (?:essas |estas |as |tantas |tanta ` +
				`)?(?:ligacoes|chamadas|telefonemas|ligacao)\b`,
			`\b(?:tirem?|tira|removam?|remova|retirem?|retira|apaguem?|apaga|excluam?|exclui|eliminem?|cancelem?) ` +
				`(?:me |nos )?(?:o meu |meu |este |esse |os meus |meus ` +
				`)(?:numero|nome|telefone|contato|contacto|dados)\b`,
			`\b(?:tirem?|tira|removam?|retirem?|retira|excluam?|exclui|descadastrem?|eliminem?) (?:me|nos) d[aeo]s? `,
			`\b(?:me|nos) (?:tirem?|tira|removam?|retirem?|retira|descadastrem?|excluam?) d[aeo]s? (?:[a-z]+ ` +
				`){0,3}(?:listas?|cadastro|sistema|base)\b`,
			`\b(?:me|nos) (?:tirem?|tira|removam?|retirem?|retira|descadastrem?|excluam?) ` +
				`(?:dessa|desta|dessas|destas) (?:[a-z]+ ){0,2}(?:listas?|cadastro|base)\b`,
			`\bnao quero (?:mais )?que (?:me|nos|voces me) (?:liguem?|telefonem?|contatem?|incomodem?)(?:$| ` +
				`(?:mais|nunca|de novo|outra vez)\b)`,
			`\bnao quero (?:mais )?(?:receber )?(?:mais |as |essas |estas |suas |nenhuma ` +
				`)*(?:ligacoes|chamadas|telefonemas|ligacao)(?:$| (?:mais|nunca|de voces|suas|desse tipo|deste ` +
				`tipo|por favor)\b)`,
			`\b(?:descadastr[a-z]+|cancelar (?:a )?(?:minha )?(?:inscricao|subscricao))\b`,
			`\b(?:deixem?|deixa)(?: me)? em paz\b`, `\bme deix[ae]m? em paz\b`,
		},
		Cues: []string{
			"lig", "telefon", "contat", "contact", "cham", "incomod", "perturb", "numero", "nome", "dados", "tir",
			"remov", "retir", "exclu", "elimin", "apag", "cancel", "descadastr", "paz", "list", "cadastro",
		},
		NotStop: []string{
			`\bmais (?:tarde|cedo|logo|a tarde|a noite)\b`,
			`\bnao (?:me |nos )?(?:parem?|para|deixem?|deixa) (?:nunca )?de (?:me |nos )?[a-z]+`,
			`\bnao (?:me |nos |quero |e para ` +
				`)*(?:tirem?|tirar|removam?|remover|retirem?|retirar|apaguem?|excluam?|cancelem?|cancelar|descadastr[a-z]+)(?: me)? [a-z]*`,
			`\ba (?:me )?ligar (?:antes|hoje|amanha|ate|tao|depois)\b`,
			`\blista de espera\b`,
		},
	}
}

func spellPortuguese(n int) []string {
	switch n {
	case 1:
		return nil // "um" is also an article
	case 2:
		return []string{"dois", "duas"}
	case 14:
		return []string{"quatorze", "catorze"}
	case 16:
		return []string{"dezesseis", "dezasseis"}
	case 17:
		return []string{"dezessete", "dezassete"}
	case 19:
		return []string{"dezenove", "dezanove"}
	case 100:
		return []string{"cem", "cento"}
	}
	small := []string{
		"zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez", "onze", "doze",
		"treze", "", "quinze", "", "", "dezoito", "",
	}
	tens := []string{"", "", "vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta", "noventa"}
	hundreds := []string{
		"", "cento", "duzent", "trezent", "quatrocent", "quinhent", "seiscent", "setecent", "oitocent", "novecent",
	}
	if n < 20 {
		return []string{small[n]}
	}
	units := func(n int) []string {
		if n == 1 {
			return []string{"um", "uma"}
		}
		return spellPortuguese(n)
	}
	var heads, rests []string
	if n < 100 {
		heads = []string{tens[n/10]}
		if n%10 > 0 {
			rests = units(n % 10)
		}
	} else {
		heads = []string{hundreds[n/100]}
		if n/100 > 1 {
			heads = []string{hundreds[n/100] + "os", hundreds[n/100] + "as"}
		}
		if n%100 > 0 {
			rests = units(n % 100)
		}
	}
	if len(rests) == 0 {
		return heads
	}
	var all []string
	for _, head := range heads {
		for _, rest := range rests {
			all = append(all, head+" e "+rest)
		}
	}
	return all
}
