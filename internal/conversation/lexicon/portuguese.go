package lexicon

import "time"

// Portuguese is the lexicon of Portuguese.
func Portuguese() Language {
	const (
		// who answered
		box = `(?:caixa postal|caixa de mensagens|caixa de correio|correio de voz|secretária eletrônica|` +
			`secretária eletrónica|atendedor de chamadas|voice mail|voicemail|atendedor)`
		agora = `(?:(?:agora|no momento|de momento|neste momento|nesse momento|atualmente|infelizmente|` +
			`temporariamente|já|hoje) )*`
		quando = `(?:mais tarde|depois|amanhã|depois de amanhã|outro dia|outra hora|em outro momento|noutro ` +
			`momento|noutra altura|hoje à (?:tarde|noite)|à (?:tarde|noite)|de (?:manhã|tarde|noite)|` +
			`(?:na |no |nesta )?(?:segunda|terça|quarta|quinta|sexta|sábado|domingo)(?: feira)?|(?:na ` +
			`)?(?:semana que vem|próxima semana)|(?:em|daqui a|daqui|dentro de) (?:uma?|meia|duas|dois|` +
			`três|quatro|cinco|dez|quinze|vinte|trinta|[0-9]+|alguns)|(?:às|as|depois das|antes das|antes ` +
			`do|lá pelas|por volta das|a partir das|ao|depois do) (?:uma|duas|três|quatro|cinco|seis|sete|` +
			`oito|nove|dez|onze|doze|dezesseis|meio dia|almoço|trabalho|[0-9:h]+)|daqui a pouco)`
		ela = `(?:ele|ela|o senhor [a-z]+|a senhora [a-z]+|a dona [a-z]+|o seu [a-z]+|(?:o )?meu (?:marido|pai|` +
			`filho|irmão|avô)|(?:a )?minha (?:esposa|mulher|mãe|filha|irmã|avó)|essa pessoa)`
		pessoa = `(?:(?:um|uma|outra|outro|alguém) )*(?:ser humano|humano|humana|atendente|operador|operadora|` +
			`pessoa de verdade|pessoa real|alguém de verdade|de verdade|assistente humano|funcionário|de ` +
			`carne e osso)`
	)
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
			Screening:     "Esta é uma chamada automática de {{organization}} para {{name|o titular deste número}}.",
			ScreeningAbout: "Esta é uma chamada automática de {{organization}} para {{name|o titular deste " +
				"número}} sobre {{reason}}.",
			Automated: "Sou uma voz automática, não uma pessoa. Esta é uma chamada automática de " +
				"{{organization}}.",
			Declined:    "Lamento, mas não posso falar sobre isso.",
			Voicemail:   "Aqui fala {{agent}} de {{organization}}. Tentaremos novamente noutra ocasião. Até logo.",
			WrongPerson: "Desculpe o incômodo. Até logo.",
			Deceased:    "Sinto muito. Por favor, desculpe a chamada. Até logo.",
			Minor:       "Obrigado. Vou desligar agora. Tchau.",
			Busy:        "Entendo. Desculpe o incômodo. Até logo.",
			CallBack:    "Entendo, e já anotei. Até logo.",
			WantsHuman: "Sou uma voz automática e não posso transferir a chamada. Anotei que deseja falar com uma " +
				"pessoa. Até logo.",
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
			"de onde fala", "de onde você fala", "do que se trata",
		},
		Repeat: []string{
			"quê", "o quê", "como", "como assim", "desculpe", "perdão", "hein", "repita", "repete", "pode repetir",
			"poderia repetir", "pode repetir a pergunta", "de novo", "outra vez", "mais uma vez", "não entendi",
			"não entendo", "não percebi", "não ouvi", "não escutei", "não estou ouvindo", "não estou te ouvindo",
			"o que você disse", "o que disse", "qual era a pergunta",
			"não ouço", "não o ouço", "não te ouço", "não escuto", "não consigo ouvir", "não ouço nada",
		},
		Skip: []string{
			"não sei", "eu não sei", "não faço ideia", "sei lá", "prefiro não dizer", "prefiro não responder",
			"não quero responder", "próxima", "próxima pergunta", "passo", "não me lembro", "não lembro", "nenhum",
			"nenhuma", "nenhum dos dois",
		},

		Record: []string{
			`(?:deixe|deixa|deixem|deixar|grave|grava) (?:aqui |por favor |me |nos )*(?:um|uma|o|a|seu|sua|teu|` +
				`tua|o seu|a sua) (?:breve )?(?:recado|mensagem|nome|número|telefone|contato|contacto)`,
			`deixe (?:mensagem|recado)`,
			`(?:após|depois d[oe]|a seguir ao) (?:o |ouvir o )?(?:sinal|bip|bipe|tom|apito|sinal sonoro)`,
			`(?:encaminhada|transferida|desviada|reencaminhada|direcionada) (?:para|à) (?:a |o |uma )?` + box,
			`(?:esta é|este é|ligou para|chegou a|é) (?:a |o )(?:minha |meu )?` + box, box + ` (?:de|da|do) [a-z0-9]+`,
			`(?:o número|o telefone|o celular|o telemóvel|o cliente|o assinante|a pessoa) (?:que |para o qual |` +
				`para quem |chamado |discado )*(?:você |está |tentou |acabou de )*(?:ligou|discou|marcou|chamou|` +
				`ligando|chamado|discado|chamar|a ligar|tentou contactar)`,
			`(?:está )?(?:desligado|fora da área) (?:ou|de) (?:fora|cobertura|desligado)`,
			`não (?:posso|podemos|pode) ` + agora + `(?:atender|responder)(?: (?:a |à )?(?:sua|tua|o|ao) ` +
				`(?:chamada|ligação|telefone))`,
			`(?:retorno|retornarei|retornaremos|ligo|ligarei|entraremos em contato|entro em contato)(?: (?:a|sua|` +
				`tua|de volta|ligação|chamada))* (?:assim que|o mais|logo que)`,
			`você sabe o que fazer`, `não é possível (?:completar|estabelecer|atender)`, `sujeita a cobrança`,
		},
		Reached: []string{
			`(?:você )?ligou para (?:a |o )?[a-z]+`,
			`não (?:estou|estamos) ` + agora + `(?:disponível|disponíveis|contactável)`,
			`não (?:está|se encontra) ` + agora + `disponível`,
			`não (?:estou|estamos) em casa (?:no momento|agora|de momento)`,
			`não posso atender(?: ` + agora + `| no momento| agora| de momento)?$`,
			`(?:não há|ninguém|não tem) (?:ninguém )?(?:em casa|disponível)$`,
			`(?:retorno|ligo|retornarei|ligarei) (?:a ligação |de volta |para você |mais tarde |depois )+$`,
			`(?:tente|ligue|volte a ligar|tente ligar) (?:novamente |outra vez |de novo )?mais tarde`,
		},
		Full: []string{
			`(?:` + box + `|memória)(?: (?:de|do|da) [a-z]+)? está (?:cheia|cheio|lotada|lotado)`,
			`não (?:pode|aceita|é possível) (?:receber |gravar |deixar )?(?:mais |novas |novos )?(?:mensagens|` +
				`recados)`,
			box + ` (?:[a-z]+ ){0,4}não (?:foi|está) (?:ainda )?(?:configurada|configurado|ativada|ativado|ativa)`,
			`não (?:configurou|ativou|tem|possui) (?:a |o |uma |a sua )?` + box,
			`não (?:recebe|aceita) (?:chamadas|ligações)`,
			`(?:número|telefone) (?:discado|marcado|chamado|que marcou) não (?:existe|está atribuído)`,
		},
		Screen: []string{
			`(?:nome|quem é|quem fala|quem está ligando) (?:, )?e (?:[a-z]+ ){0,2}(?:motivo|razão|assunto|porque|` +
				`por que|porquê)`,
			`(?:diga|informe|grave|indique) (?:o |a |qual o |qual é o )(?:motivo|razão|assunto) (?:da|do)`,
			`(?:diga|informe|grave) o seu nome$`,
			`qual (?:é )?(?:o |a )(?:motivo|assunto|razão) (?:da|do) (?:sua |seu |tua )?(?:chamada|ligação|` +
				`contato|contacto)`,
			`(?:pode me dizer|pode dizer|me diga|diga) por que (?:está ligando|ligou|liga)`,
		},
		Screener: []string{
			`filtr(?:o|agem|a|ar|ando) de (?:chamadas|ligações)`,
			`assistente (?:virtual|digital|pessoal|do google|google|do truecaller)`,
			`(?:vou ver|verifico|vou verificar|verificarei|vejo) se (?:[a-z]+ ){0,4}(?:disponível|pode atender)`,
			`(?:receberá|vai receber|terá) uma (?:cópia|transcrição) (?:desta|dessa) conversa`,
			`(?:permaneça|aguarde|fique|continue) (?:na linha|em linha) (?:, )?(?:enquanto|até)`,
			`obrigad[oa] (?:, )?(?:permaneça|aguarde|fique) (?:na|em) linha`,
		},
		Menu: []string{
			`(?:digite|tecle|pressione|disque|aperte|marque|prima|carregue em) (?:o |a |a tecla |o número ` +
				`)?(?:[0-9]|zero|um|dois|três|quatro|cinco|seis|sete|oito|nove|asterisco|cardinal|jogo da velha)`,
			`todos (?:os )?(?:nossos )?(?:atendentes|operadores|assistentes|ramais)`,
			`(?:próximo|primeiro) (?:atendente|operador|assistente) disponível`,
			`(?:a )?sua (?:ligação|chamada) é (?:muito )?importante`,
			`(?:esta|sua|a) (?:ligação|chamada) (?:poderá|pode|está sendo|será) (?:ser )?gravada`,
			`(?:menu principal|ouça atentamente|horário de (?:atendimento|funcionamento)|número do ramal|fila de ` +
				`espera)`,
			`para (?:vendas|suporte|português|falar com) (?:[a-z]+ ){0,3}(?:, )?(?:digite|tecle|pressione|disque|` +
				`prima)`,
		},
		Hold: []string{
			`^(?:(?:sim|tá|claro|ok|alô|está bem|tá bom) (?:, )?)*(?:só )?(?:um|espere um|espera um|aguarde um|me ` +
				`dá um|me dê um|dê me um|é só um) (?:momento|momentinho|minuto|minutinho|segundo|segundinho|` +
				`instante|bocadinho|pouquinho)(?: (?:, )?(?:por favor|só|se faz favor))*$`,
			`^(?:(?:sim|tá|claro|ok|alô|está bem) (?:, )?)*(?:espere|espera|aguarde|aguarda|não desligue|não ` +
				`desliga|espera aí|espere aí|aguarde na linha|peraí)(?: (?:, )?(?:por favor|um momento|um pouco|` +
				`aí|só um pouco))*$`,
			`(?:vou )?(?:chamá la|chamá lo|chamar (?:ela|ele)|passar (?:para ela|para ele)|passo|buscar (?:ela|` +
				`ele))(?: agora| já)?$`,
			`(?:vou|deixa eu|deixe me|deixa) (?:chamar|passar|buscar|ver se) (?:ela|ele|meu|minha|a minha|o meu|` +
				`está)(?: [a-z]+)*$`,
			`(?:vou transferir|vou passar|vou ligar|transfiro)(?: a ligação| a chamada)?$`,
			`(?:não desligue|um momento|espera|aguarde|um minuto)(?: ,)? que (?:vou|eu|já|ela|ele)`,
			`(?:já )?vem (?:já|aí)$`,
			`^(?:por favor )?não (?:desligue|desliga|desliguem|desligues)(?: o telefone)?$`,
		},

		WrongPerson: []string{
			`(?:número|pessoa|telefone) (?:errado|errada|incorreto|enganado)`, `(?:foi|é) engano$`,
			`^(?:(?:não|desculpe|ah) (?:, )?)*(?:engano|ligou errado|discou errado)$`,
			`(?:ligou|discou|marcou) (?:para o |no |o )?(?:número |lugar )?errado`,
			`(?:enganou se|se enganou|está enganado|está enganada)(?: no número| de número)?$`,
			`não (?:tem|há|existe|mora) (?:ninguém|nenhum|nenhuma) (?:aqui )?(?:[a-z]+ )?(?:aqui )?(?:com esse ` +
				`nome|chamad[oa])`,
			`aqui não (?:mora|vive|trabalha) (?:ninguém|nenhum|nenhuma|essa)`,
			`(?:ninguém|nenhuma pessoa) (?:aqui )?(?:com esse nome|chama)`,
			`não (?:mora|vive|trabalha) (?:mais |já )?aqui`, `já não (?:mora|vive|trabalha) aqui`,
			`não (?:conheço|conhecemos) (?:essa pessoa|ninguém com esse nome|esse senhor|essa senhora)`,
			`(?:esse|este|isso) (?:já )?não é (?:mais )?(?:o )?(?:número|telefone) (?:dele|dela)`,
			`não sou (?:eu )?(?:essa pessoa|a pessoa|quem|ele|ela)`, ela + ` se mudou`, ela + ` mudou se`,
			`(?:peguei|comprei|recebi|tenho) esse número (?:há|agora|só|faz)`,
		},
		Deceased: []string{
			ela + ` (?:já )?(?:[a-z]+ ){0,2}(?:faleceu|morreu|partiu|está mort[oa]|é falecid[oa]|não está mais ` +
				`entre nós|nos deixou|já não está entre nós)`,
			`^(?:(?:não|sinto muito|desculpe|infelizmente|já|olha) (?:, )?)*(?:faleceu|morreu)(?: [a-z]+)*$`,
			`(?:nós |a gente )?(?:enterramos|enterrou|perdemos) (?:ele|ela)`,
			`(?:o )?(?:enterro|velório|funeral) (?:dele|dela)`,
		},
		Minor: []string{
			`(?:a )?(?:minha )?(?:mamãe|mãe) (?:não está|não tá|não está em casa|saiu|está no banho|está dormindo|` +
				`está trabalhando|tá no banho|tá dormindo|está a dormir)`,
			`(?:o )?(?:meu )?(?:papai|pai) (?:não está|não tá|saiu|está no banho|está dormindo|está trabalhando|` +
				`tá dormindo|está a dormir)`,
			`(?:mamãe|papai) (?:não|está|tá|disse|saiu)`, `(?:os )?meus pais (?:não estão|estão|saíram)`,
			`(?:eu )?(?:só )?tenho (?:só )?(?:[3-9]|1[0-5]|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|` +
				`treze|catorze|quatorze|quinze) (?:anos|aninhos)`,
			`sou (?:só |apenas )?(?:uma? )?(?:criança|menino pequeno|menor)`,
			`não posso (?:falar|conversar) com (?:estranhos|desconhecidos)`,
			`(?:quer|queres) (?:falar com |que chame )?(?:a |o )?(?:minha |meu )?(?:mamãe|papai|mãe|pai)`,
		},
		Busy: []string{
			`(?:estou|tô) ` + agora + `(?:dirigindo|conduzindo|a conduzir|no (?:carro|trânsito|trabalho|médico|` +
				`volante|hospital|banco|ônibus)|em (?:reunião|aula|uma reunião|uma consulta|outra ligação|uma ` +
				`ligação|consulta)|numa (?:reunião|consulta|ligação)|na (?:aula|rua|estrada)|ao volante|` +
				`trabalhando|a trabalhar|almoçando|jantando|comendo|a almoçar|a jantar|cozinhando|saindo|de saída|` +
				`no meio|atendendo)`,
			`(?:agora )?não (?:posso|dá|consigo) (?:pra |para )?(?:falar|conversar)(?: (?:agora|no momento|neste ` +
				`momento|de momento))*$`,
			`(?:agora não (?:posso|dá))$`, `não (?:é|está) (?:um |uma )?(?:bom|boa) (?:momento|hora|altura)`,
			`(?:é |em )?(?:um |uma )?(?:mau momento|má hora|péssima hora|hora ruim|momento ruim|má altura)`,
			`não tenho tempo(?: (?:agora|no momento|para isso))*$`,
			`^(?:(?:não|sim|desculpe|olha|alô|oi) (?:, )?)*(?:eu )?(?:estou|tô) ` + agora + `(?:muito |meio |um ` +
				`pouco |bem )?(?:ocupad[oa]|atarefad[oa]|com pressa|correndo|enrolad[oa])(?: (?:agora|no ` +
				`momento))?$`,
		},
		GoAhead: []string{
			`(?:mas )?(?:pode falar|se for rápido|diga rápido|fale rápido|seja breve)`,
			`tenho (?:um minuto|dois minutos|uns minutos|alguns minutos|cinco minutos)`,
		},
		CallBack: []string{
			`(?:me )?(?:ligue|liga|telefone|ligue me|retorne|volte a ligar|tente|chame)(?: (?:me|de novo|` +
				`novamente|pra mim|para mim|por favor|outra vez|ligar))* ` + quando,
			`(?:me )?(?:ligue|liga) (?:de novo|novamente|outra vez|de volta)$`,
			`(?:volte a ligar|retorne a ligação)(?: por favor)?$`,
			`(?:pode|poderia|podia|você pode|podes|tem como|dá para|consegue) (?:me |voltar a )?(?:ligar|` +
				`telefonar|retornar|ligar me)(?: (?:me|de novo|novamente|pra mim|para mim|de volta))*(?: ` + quando +
				`|$)`,
			`(?:podemos|a gente pode|vamos) (?:falar|conversar|nos falar) ` + quando,
			`(?:melhor|falamos|a gente se fala) ` + quando + `$`,
			`não (?:me )?(?:ligue|liga|ligues|telefone)(?: me)? (?:antes|tão cedo|tão tarde|agora|a essa hora)`,
			`(?:^|, )(?:ele |ela |só )*(?:chega|volta|estará|vai estar|está) (?:em casa )?` + quando + `$`,
			`(?:chego|volto|estarei|vou estar|estou) (?:em casa |livre |disponível )?` + quando + `$`,
			`me (?:dá|dê) (?:uma|meia|dez|vinte|[0-9]+|uns) (?:hora|minutos|horinha)`,
			`(?:ligue|liga|ligar|telefone|chame|retorne)(?: [a-z]+){0,3} entre`,
		},
		WantsHuman: []string{
			`(?:falar|conversar|me passa|passe me|passar|transfira me|me transfere|me transfira|ligue me) (?:com |` +
				`para )(?:` + pessoa + `|uma pessoa$|alguém$)`,
			`(?:quero|queria|prefiro|gostaria de|preciso de|tem|há) (?:falar com )?` + pessoa,
			`(?:eu )?não (?:falo|quero falar|gosto de falar|vou falar|converso) com (?:um |uma )?(?:robôs?|robô|` +
				`máquinas?|computador|computadores|gravação|gravações)`,
			`^(?:(?:não|um|uma) (?:, )?)*(?:atendente|operador|operadora|humano|pessoa de verdade|ser humano|` +
				`atendimento ao cliente)(?: (?:, )?por favor)?$`,
			`pessoa (?:de verdade|real)`,
		},
		Robot: []string{
			`(?:é|estou falando com|estou a falar com|tô falando com|falo com) (?:um |uma )*(?:robô|` +
				`bot|máquina|computador|gravação|ia|inteligência artificial|voz automática|` +
				`mensagem gravada|ligação automática|chamada automática|pessoa real|pessoa de verdade|` +
				`pessoa de carne e osso|ser humano|humano|humana)`,
			`você é uma pessoa`,
		},
		Speak: []string{
			`(?:fala|falam|falas)(?: o senhor| a senhora| você| alguém)? {l}`,
			`(?:pode|podemos|podia|poderia|podíamos|poderíamos)(?: por favor)? (?:falar|continuar|ser|` +
				`fazer isso)(?: em)? {l}`,
			`alguém que (?:fale|fala) {l}`,
			`(?:só|somente|apenas) falo {l}`,
			`falo (?:só|somente|apenas) {l}`,
			`prefiro(?: falar)?(?: em| o)? {l}`,
			`^em {l}$`,
			`^(?:em )?{l} (?:por favor|se faz favor)$`,
		},
		NotSpoken: []string{
			`não (?:falo|entendo|compreendo|percebo)(?: bem| muito| muito bem)* {l}`,
		},
		Names: map[string][]string{
			"en": {"inglês"}, "cs": {"tcheco", "checo"}, "da": {"dinamarquês"}, "de": {"alemão"}, "el": {"grego"},
			"es": {"espanhol"}, "fr": {"francês"}, "it": {"italiano"}, "nb": {"norueguês"},
			"nl": {"holandês", "neerlandês"}, "pl": {"polonês", "polaco"}, "pt": {"português"}, "ro": {"romeno"},
			"sv": {"sueco"}, "tr": {"turco"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"uma hora": time.Hour, "uma horinha": time.Hour, "meia hora": 30 * time.Minute,
				"meia horinha": 30 * time.Minute, "hora e meia": 90 * time.Minute, "uma hora e meia": 90 * time.Minute,
				"quinze minutinhos": 15 * time.Minute, "um quarto de hora": 15 * time.Minute,
				"alguns minutos": 10 * time.Minute, "uns minutos": 10 * time.Minute, "um par de horas": 2 * time.Hour,
				"algumas horas": 3 * time.Hour, "um dia": 24 * time.Hour, "alguns dias": 3 * 24 * time.Hour,
				"uma semana": 7 * 24 * time.Hour, "pouco": 30 * time.Minute,
			},
			Units: map[string]time.Duration{
				"minuto": time.Minute, "minutos": time.Minute, "minutinhos": time.Minute, "hora": time.Hour,
				"horas": time.Hour, "dia": 24 * time.Hour, "dias": 24 * time.Hour, "semana": 7 * 24 * time.Hour,
				"semanas": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"hoje": 0, "amanhã": 1, "depois de amanhã": 2, "semana que vem": 7, "próxima semana": 7,
				"mês que vem": 30,
			},
			Weekdays: [7][]string{
				{"domingo"}, {"segunda", "segunda feira"}, {"terça", "terça feira"}, {"quarta", "quarta feira"},
				{"quinta", "quinta feira"}, {"sexta", "sexta feira"}, {"sábado"},
			},
			Parts: map[string]int{
				"de manhã": 9, "pela manhã": 9, "da manhã": 9, "meio dia": 12, "hora do almoço": 12,
				"depois do almoço": 14, "à tarde": 14, "de tarde": 14, "à tardinha": 17, "à noite": 19, "de noite": 19,
				"fim do dia": 17, "depois do trabalho": 18,
			},
			Between: []string{"entre as", "entre a", "entre"},
			At: []string{
				"às", "depois das", "antes das", "lá pelas", "por volta das", "a partir das", "até as", "até às",
				"umas", "pelas", "depois da",
			},
			OClock: []string{"horas", "hora", "h", "em ponto"},
			AM:     []string{"da manhã"},
			PM:     []string{"da tarde", "da noite"},
			Before: map[string]int{
				"quinze para as": -15, "um quarto para as": -15, "dez para as": -10, "vinte para as": -20,
				"cinco para as": -5,
			},
			After: map[string]int{
				"e meia": 30, "e quinze": 15, "e um quarto": 15, "e dez": 10, "e vinte": 20, "e cinco": 5,
				"e trinta": 30, "e quarenta e cinco": 45, "menos um quarto": -15,
			},
			Months: [12][]string{
				{"janeiro"}, {"fevereiro"}, {"março"}, {"abril"}, {"maio"}, {"junho"}, {"julho"}, {"agosto"},
				{"setembro"}, {"outubro"}, {"novembro"}, {"dezembro"},
			},
			MonthDays: [31][]string{{"primeiro", "um"}},
			OfMonth:   []string{"de", "do"},
			Past:      map[string]int{"ontem": 1, "anteontem": 2},
			Ago:       []string{"há", "faz", "atrás"},
			Previous:  []string{"passada", "passado", "última", "último"},
		},
		Spelling: Spelling{
			At:         []string{"arroba", "at"},
			Dot:        []string{"ponto"},
			Dash:       []string{"hífen", "traço", "menos", "tracinho"},
			Underscore: []string{"underline", "underscore", "sublinhado", "traço inferior"},
			Before:     []string{"é", "seria", "email", "e mail", "endereço", "correio eletrónico"},
			Plus:       []string{"mais"},
			Times:      map[string]int{"duplo": 2},
		},

		Harmless: []string{
			`(?:mort[oa]|morreu) de (?:cansaço|fome|sono|frio|sede|medo|rir|vergonha|calor|tédio|saudades?)`,
			`partiu (?:para|cedo|de (?:férias|viagem)|a perna)`,
			`(?:qual|que) (?:é )?(?:o )?número errado`,
		},
		Ages: []string{"idade", "anos", "ano"},
		Aside: []string{
			"ele não está", "ela não está", "não está aqui", "não está em casa", "não é ela", "não é ele",
			"não ouço", "não o ouço", "não te ouço", "não estou ouvindo", "não escuto", "não consigo ouvir",
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
		NoAlone: []string{"falso", "mentira", "nenhum", "nenhuma", "nada"},
		Not:     []string{"nao", "sem", "nem"},
		Connectives: []string{
			"para", "desde", "depois", "antes",
			"você", "vocês", "esta", "este",
		},

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
