package lexicon

// Italian is the lexicon of Italian.
func Italian() Language {
	const call = `(?:chiami|chiamate|chiamino|chiamare|chiamarmi|chiamarci|chiamatemi|chiamateci|richiami|richiamate|richiamatemi|richiamare|telefoni|telefonate|telefonatemi|contatti|contattate|contattatemi|disturbi|disturbate|disturbatemi)`
	return Language{
		Lines: Lines{
			Disclosure: "Questa è una chiamata automatica. Prema 9 o dica stop in qualsiasi momento e non la " +
				"chiameremo più.",
			NotUnderstood: "Mi scusi, non ho capito.",
			Goodbye:       "Grazie per il suo tempo. Arrivederci.",
			StillThere:    "È ancora in linea?",
			NoAnswer:      "Non la sento, quindi riattacco. Arrivederci.",
			OptedOut:      "Ho capito. Non chiameremo più questo numero. Arrivederci.",
			Back:          "Mi scusi, la linea è caduta per un momento.",
			MoveOn:        "Non fa niente, andiamo avanti.",
			Moment:        "Un attimo, per favore.",
			Trouble:       "Mi scusi, abbiamo un problema tecnico e devo riattaccare. Arrivederci.",
			Acks:          []string{"Grazie.", "Va bene."},
		},
		Filler: []string{
			"eh", "ehm", "mah", "beh", "allora", "dunque", "ecco", "diciamo", "credo", "io credo", "penso", "direi",
			"vediamo", "per favore", "per piacere", "prego", "grazie", "grazie mille", "scusi", "mi scusi", "guardi",
			"senta", "cioè", "tipo", "signore", "signora", "e", "ma", "quindi", "circa", "più o meno", "forse circa",
		},
		Hello: []string{
			"pronto", "ciao", "salve", "buongiorno", "buonasera", "buon giorno", "buona sera", "sì pronto",
		},
		Bye: []string{
			"arrivederci", "ciao ciao", "a presto", "buona giornata", "buona serata", "addio", "devo andare",
			"devo riattaccare", "devo chiudere", "la saluto",
		},
		Who: []string{
			"chi è", "chi parla", "con chi parlo", "chi è che parla", "chi sta chiamando", "chi chiama",
			"di che si tratta", "da dove chiama", "lei chi è", "è un robot", "chi siete",
		},
		Repeat: []string{
			"cosa", "come", "come scusi", "come dice", "che cosa", "prego", "scusi", "può ripetere", "ripeta",
			"ripeta per favore", "potrebbe ripetere", "mi può ripetere", "può ripetere la domanda", "di nuovo",
			"ancora una volta", "un'altra volta", "non ho capito", "non capisco", "non ho sentito", "non la sento",
			"non sento", "che ha detto", "cosa ha detto", "qual era la domanda",
		},
		Record: []string{
			"lasciate un messaggio", "lascia un messaggio", "lasci un messaggio", "dopo il segnale acustico",
			"dopo il bip", "dopo il segnale",
		},
		Skip: []string{
			"non so", "non lo so", "non saprei", "boh", "nessuna idea", "non ne ho idea", "preferisco non dirlo",
			"preferisco non rispondere", "non voglio rispondere", "prossima domanda", "passo", "la prossima",
			"non ricordo", "non mi ricordo", "nessuno", "nessuna", "nessuno dei due",
		},

		Yes: []string{
			"sì", "certo", "certo che sì", "certamente", "sicuro", "sicuramente", "esatto", "esattamente", "giusto",
			"corretto", "proprio così", "è così", "va bene", "d'accordo", "ok", "okay", "volentieri", "con piacere",
			"senz'altro", "assolutamente sì", "assolutamente", "nessun problema", "non c'è problema", "perché no",
			"credo di sì", "penso di sì", "direi di sì", "come no", "affermativo", "naturalmente",
		},
		No: []string{
			"no", "niente affatto", "per niente", "per nulla", "assolutamente no", "certo che no", "non ancora",
			"non adesso", "non ora", "credo di no", "penso di no", "direi di no", "non credo", "non penso",
			"no grazie", "mai", "neanche", "nemmeno", "negativo", "non mi interessa", "sbagliato", "non è così",
			"ha sbagliato numero", "non proprio",
		},
		Unsure: []string{
			"forse", "può darsi", "magari", "non so", "non lo so", "non sono sicuro", "non sono sicura", "non saprei",
			"dipende", "a volte", "più o meno", "boh", "sì e no", "non ricordo", "non mi ricordo",
		},
		Hint: []string{"non"},
		Mistaken: []string{
			"voglio dire", "volevo dire", "anzi", "o meglio", "meglio", "aspetti", "no aspetti", "mi sono sbagliato",
			"mi sono sbagliata",
		},
		YesAlone: []string{
			"sono io", "in persona", "lo sono", "bene", "molto bene", "perfetto", "ottimo", "vero", "è vero",
			"ce l'ho", "posso", "voglio", "l'ho fatto", "benissimo",
		},
		NoAlone:     []string{"falso", "nessuno", "nessuna", "niente"},
		Not:         []string{"non", "senza", "ne"},
		Connectives: []string{"della", "alla", "dopo"},

		Ordinals: [MaxOrdinals][]string{
			{"primo", "prima", "la prima", "numero uno", "opzione uno"},
			{"secondo", "seconda", "numero due", "opzione due"}, {"terzo", "terza", "numero tre", "opzione tre"},
			{"quarto", "quarta", "numero quattro"}, {"quinto", "quinta", "numero cinque"},
			{"sesto", "sesta", "numero sei"}, {"settimo", "settima", "numero sette"},
			{"ottavo", "ottava", "numero otto"},
		},
		Last: []string{"ultimo", "ultima"},

		Spell:    spellItalian,
		Thousand: []string{"mille", "mila"},
		Half:     []string{"e mezzo", "e mezza"},
		And:      []string{"e"},
		OutOf:    []string{"su", "di"},
		Minus:    []string{"meno"},
		Article:  []string{"un", "una", "uno"},
		Vague: []string{
			"un po", "un poco", "un momento", "un attimo", "un secondo", "un minuto", "una domanda", "un'altra",
		},
		Counts: map[string]float64{
			"nessuno": 0, "nessuna": 0, "niente": 0, "nulla": 0, "mai": 0, "mezzo": 0.5, "un paio": 2,
			"una dozzina": 12, "una decina": 10, "una ventina": 20,
		},
		DecimalComma: true,

		Glad: []string{
			"bene", "molto bene", "benissimo", "ottimo", "ottima", "eccellente", "perfetto", "meraviglioso",
			"contento", "contenta", "felice", "soddisfatto", "soddisfatta", "meglio", "gentile", "fantastico",
			"splendido",
		},
		Sad: []string{
			"male", "malissimo", "pessimo", "pessima", "terribile", "orribile", "arrabbiato", "arrabbiata", "seccato",
			"seccata", "deluso", "delusa", "peggio", "dolore", "dolori", "problema", "problemi", "lamentela",
			"reclamo", "stufo", "stufa", "triste", "malato", "malata", "truffa", "vergogna",
		},

		Urge: []string{
			"sì", "adesso", "ora", "subito", "le dico", "ho detto", "voglio che", "dovete", "deve", "potete", "può",
			"immediatamente", "già", "una buona volta", "con questo",
		},
		StopAlone: []string{
			"stop", "basta", "ora basta", "smettetela", "smettila", "la smetta", "smetta", "smettete", "si fermi",
			"fermatevi", "fermati", "basta chiamate", "basta telefonate", "disiscrivetemi", "non chiamate più",
			"non mi chiami più", "non mi chiamate più",
		},
		Stop: []string{
			`\bnon (?:mi |ci )?` + call + `(?: mi| a casa| a questo numero| qui)* (?:piu|mai piu|mai|di nuovo|un ` +
				`altra volta)\b`,
			`\bnon (?:mi |ci )(?:chiami|chiamate|chiamare|richiami|richiamate|telefoni|telefonate|disturbi|disturbate|contattate)$`,
			`\bnon (?:chiamatemi|chiamarmi|disturbatemi|contattatemi|telefonatemi)$`,
			`\bmai piu (?:mi )?` + call + `\b`,
			`\b(?:smetta|smettete|smettila|smettetela|smetti|finitela|basta|cessate|finisca|finiscila)(?: subito| ` +
				`ora)* di (?:continuare a )?(?:chiamar(?:mi|ci|e)?|telefonar(?:mi|ci|e)?|disturbar(?:mi|ci|e)?|contattar(?:mi|ci)?|rompere)\b`,
			`\b(?:smetta|smettete|smettila|smettetela|smetti|finitela|basta)(?: subito| ora)* (?:con )?(?:queste ` +
				`|le |ste |tutte queste )?(?:chiamate|telefonate)\b`,
			`\b(?:toglietemi|tolgami|toglimi|mi tolga|cancellatemi|mi cancelli|mi ` +
				`cancellate|cancellami|rimuovetemi|mi rimuova|rimuovimi|eliminatemi|mi ` +
				`elimini|depennatemi|levatemi|mi levi) (?:per favore |subito )?(?:da|dal|dalla|dalle|dall|dai)\b`,
			`\b(?:cancelli|cancellate|cancella|elimini|eliminate|rimuova|rimuovete|tolga|togliete) (?:per favore ` +
				`|subito )?(?:il mio (?:numero|nome)|questo numero|i miei dati)\b`,
			`\bnon voglio (?:piu |mai piu )?(?:essere (?:piu ` +
				`)?(?:chiamat[oa]|richiamat[oa]|contattat[oa]|disturbat[oa])|ricevere (?:piu )?(?:queste |vostre ` +
				`|altre |le vostre )?(?:chiamate|telefonate)|(?:queste |altre |piu )*(?:chiamate|telefonate)|che ` +
				`(?:mi|ci) (?:chiamiate|chiami|chiamino|telefoniate|richiamiate))(?:$| (?:piu|mai|mai piu|di ` +
				`nuovo|da voi|da nessuno|per favore)\b)`,
			`\b(?:disiscriv[a-z]+|annullare l iscrizione)\b`,
			`\b(?:lasciatemi|lasciami|lasciateci|mi lasci|mi lasciate) (?:in pace|stare|tranquill[oa])\b`,
		},
		Cues: []string{
			"chiam", "richiam", "telefon", "contatt", "disturb", "rompere", "togli", "tolg", "cancell", "rimuov",
			"elimin", "depenn", "lev", "lasci", "disiscriv", "annullare", "numero", "dati",
		},
		NotStop: []string{
			`\bpiu (?:tardi|presto|avanti|spesso)\b`,
			`\bnon (?:la |lo )?(?:smetta|smettete|smetti|smettere|smettetela|smettila)(?: mai)? (?:di [a-z]+)?`,
			`\bnon (?:mi |ci |voglio )*(?:toglietemi|tolga|togliete|cancelli|cancellate|cancellatemi|rimuova|elimini|eliminate|disiscriv[a-z]+) [a-z]*`,
			`\b(?:ho|abbiamo) smesso di [a-z]+`, `\b(?:nessuno|lui|lei|loro|figlio|figlia) (?:non )?mi chiama piu\b`,
			`\blista d attesa\b`,
		},
	}
}

func spellItalian(n int) []string {
	small := []string{
		"zero", "", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci", "undici", "dodici",
		"tredici", "quattordici", "quindici", "sedici", "diciassette", "diciotto", "diciannove",
	}
	tens := []string{"", "", "venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta"}
	switch {
	case n == 1:
		return nil // "uno" is also an article
	case n < 20:
		return []string{small[n]}
	case n < 100:
		ten := tens[n/10]
		switch n % 10 {
		case 0:
			return []string{ten}
		case 1:
			return []string{ten[:len(ten)-1] + "uno", ten[:len(ten)-1] + "un"} // the vowel is dropped: ventuno
		case 8:
			return []string{ten[:len(ten)-1] + "otto"}
		}
		return []string{ten + small[n%10], ten + " " + small[n%10]}
	}
	head := "cento"
	if n/100 > 1 {
		head = small[n/100] + "cento"
	}
	rests := []string{""}
	if n%100 == 1 {
		rests = []string{"uno"}
	} else if n%100 > 1 {
		rests = spellItalian(n % 100)
	}
	var all []string
	for _, rest := range rests {
		all = append(all, head+rest)
		if rest != "" {
			all = append(all, head+" "+rest)
		}
		if len(rest) > 0 && rest[0] == 'o' {
			all = append(all, head[:len(head)-1]+rest) // centotto
		}
	}
	return all
}
