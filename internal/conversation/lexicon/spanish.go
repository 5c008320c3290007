package lexicon

// Spanish is the lexicon of Spanish.
func Spanish() Language {
	return Language{
		Lines: Lines{
			Disclosure: "Esta es una llamada automática. Pulse 9 o diga «stop» en cualquier momento y no " +
				"volveremos a llamarle.",
			NotUnderstood: "Perdone, no le he entendido.",
			Goodbye:       "Muchas gracias por su tiempo. Adiós.",
			StillThere:    "¿Sigue ahí?",
			NoAnswer:      "No le oigo, así que voy a colgar. Adiós.",
			OptedOut:      "Entendido. No volveremos a llamar a este número. Adiós.",
			Back:          "Perdone, se ha cortado un momento.",
			MoveOn:        "No pasa nada, sigamos.",
			Moment:        "Un momento, por favor.",
			Trouble:       "Perdone, tenemos un problema técnico y tengo que colgar. Adiós.",
			Acks:          []string{"Gracias.", "De acuerdo."},
		},
		Filler: []string{
			"eh", "em", "mm", "hmm", "este", "bueno", "pues", "a ver", "mire", "oiga", "por favor", "gracias",
			"muchas gracias", "creo", "yo creo", "creo que", "digamos", "o sea", "perdón", "perdone", "señorita",
			"señor", "y", "pero", "así que", "como", "unos", "unas", "más o menos", "quizás unos",
		},
		Hello: []string{
			"hola", "buenas", "buenos días", "buenas tardes", "buenas noches", "diga", "dígame", "aló", "alo",
			"sí dígame", "bueno",
		},
		Bye: []string{
			"adiós", "hasta luego", "chao", "chau", "me tengo que ir", "tengo que irme", "tengo que colgar",
			"que tenga buen día", "hasta pronto",
		},
		Who: []string{
			"quién es", "quién habla", "con quién hablo", "quién llama", "quién es usted", "de parte de quién",
			"de dónde llama", "de dónde llaman", "qué es esto", "es un robot",
		},
		Repeat: []string{
			"qué", "cómo", "cómo dice", "perdón", "perdone", "mande", "disculpe", "otra vez", "de nuevo", "repita",
			"repítalo", "me lo repite", "puede repetir", "puede repetirlo", "podría repetir", "podría repetirlo",
			"puede repetir la pregunta", "no le oigo", "no le escucho", "no he entendido", "no entiendo",
			"no entendí", "no le entiendo", "no le he entendido", "qué ha dicho", "qué dijo", "cuál era la pregunta",
		},
		Record: []string{
			"deje un mensaje", "deje su mensaje", "deja un mensaje", "deja tu mensaje", "después de la señal",
			"después del tono",
		},
		Skip: []string{
			"no sé", "no lo sé", "ni idea", "no tengo idea", "no sabría decirle", "prefiero no decirlo",
			"prefiero no contestar", "no quiero decirlo", "siguiente", "siguiente pregunta", "paso", "no me acuerdo",
			"no recuerdo", "ninguno", "ninguna", "ninguno de los dos",
		},

		Yes: []string{
			"sí", "claro", "claro que sí", "por supuesto", "desde luego", "correcto", "exacto", "exactamente",
			"eso es", "así es", "vale", "de acuerdo", "ok", "okay", "está bien", "sin duda", "seguro",
			"efectivamente", "afirmativo", "cómo no", "sin problema", "no hay problema", "por qué no", "creo que sí",
			"me parece bien", "encantado", "encantada", "con gusto", "dale", "órale",
		},
		No: []string{
			"no", "qué va", "para nada", "en absoluto", "claro que no", "por supuesto que no", "todavía no", "aún no",
			"ahora no", "creo que no", "me parece que no", "tampoco", "de ninguna manera", "no gracias", "negativo",
			"nunca", "jamás", "no me interesa", "incorrecto", "no es correcto", "no es así", "se equivoca", "no no",
		},
		Unsure: []string{
			"quizás", "quizá", "tal vez", "puede ser", "a lo mejor", "no sé", "no lo sé", "no estoy seguro",
			"no estoy segura", "depende", "a veces", "más o menos", "según", "ni idea", "no me acuerdo",
			"no recuerdo", "sí y no",
		},
		Mistaken: []string{
			"quiero decir", "quise decir", "mejor dicho", "perdón", "no espere", "espere", "digo", "me equivoqué",
			"me he equivocado",
		},
		YesAlone: []string{
			"soy yo", "yo misma", "yo mismo", "con él", "con ella", "al habla", "lo soy", "bien", "muy bien",
			"perfecto", "verdad", "cierto", "es cierto", "es verdad", "lo tengo", "puedo", "quiero", "bueno",
		},
		NoAlone:     []string{"falso", "mentira", "ninguno", "ninguna", "nada"},
		Not:         []string{"no", "sin", "ni"},
		Connectives: []string{"para", "desde", "después", "antes"},

		Ordinals: [MaxOrdinals][]string{
			{"primero", "primera", "primer", "número uno", "opción uno"},
			{"segundo", "segunda", "número dos", "opción dos"},
			{"tercero", "tercera", "tercer", "número tres", "opción tres"},
			{"cuarto", "cuarta", "número cuatro"}, {"quinto", "quinta", "número cinco"},
			{"sexto", "sexta", "número seis"}, {"séptimo", "séptima", "número siete"},
			{"octavo", "octava", "número ocho"},
		},
		Last: []string{"último", "última"},

		Spell:    spellSpanish,
		Thousand: []string{"mil"},
		Half:     []string{"y medio", "y media"},
		And:      []string{"y"},
		OutOf:    []string{"de", "sobre"},
		Minus:    []string{"menos"},
		Article:  []string{"un", "una"},
		Vague: []string{
			"un poco", "un momento", "una pregunta", "un segundo", "un rato", "unos pocos", "una cosa", "un minuto",
		},
		Counts: map[string]float64{
			"ninguno": 0, "ninguna": 0, "ningún": 0, "nada": 0, "nunca": 0, "medio": 0.5, "un par": 2,
			"una docena": 12, "media docena": 6,
		},
		DecimalComma: true,

		Glad: []string{
			"bien", "muy bien", "estupendo", "excelente", "perfecto", "maravilloso", "genial", "contento", "contenta",
			"feliz", "mejor", "encantado", "encantada", "satisfecho", "satisfecha", "amable", "fantástico",
		},
		Sad: []string{
			"mal", "muy mal", "fatal", "terrible", "horrible", "enfadado", "enfadada", "enojado", "enojada",
			"molesto", "molesta", "harto", "harta", "peor", "dolor", "duele", "problema", "problemas", "queja",
			"reclamo", "decepcionado", "decepcionada", "mareo", "mareos", "triste", "enfermo", "enferma", "estafa",
		},

		Urge: []string{
			"ya", "ahora", "ahora mismo", "le digo que", "he dicho que", "quiero que", "puede", "pueden", "que", "sí",
			"de una vez", "oye", "inmediatamente", "con esto",
		},
		StopAlone: []string{
			"stop", "pare", "paren", "basta", "ya basta", "para ya", "parad", "pare con esto", "darme de baja",
			"deme de baja", "no llame más", "no llamen más", "no más llamadas",
		},
		Stop: []string{
			`\bno (?:me |nos )?(?:vuelvan?|vuelvas) (?:nunca )?(?:mas )?a ` +
				`(?:llamar(?:me|nos)?|contactar(?:me|nos)?|molestar(?:me|nos)?|telefonear(?:me)?)\b`,
			`\bno (?:me |nos )(?:llamen?|llames|llameis|contacten?|molesten?|telefoneen?)(?: por favor)?(?:$| ` +
				`(?:mas|nunca|jamas|otra vez|de nuevo|ya|a este numero|a esta casa|aqui)\b)`,
			`\bno (?:llamen?|llames) (?:mas|nunca mas|otra vez|de nuevo|a este numero|aqui|a mi casa)\b`,
			`\bnunca mas (?:me |nos )?(?:llamen?|llames|vuelvan? a llamar)`,
			`\b(?:dejen|dejes|deje|deja|paren|pare|para|pares) (?:ya |por favor |de una vez )*de ` +
				`(?:llamar(?:me|nos)|molestar(?:me|nos)?|contactar(?:me|nos)|marcar(?:me)|telefonear(?:me|nos)?|llamar(?:$| (?:a este|aqui|a mi casa|por favor|ya|tanto)))`,
			`\b(?:quite|borre|elimine|saque|tache|remueva|retire|quita|borra|elimina|saca)n?(?:me|nos) (?:por favor ` +
				`)?(?:de|del) (?:[a-z]+ ){0,3}(?:listas?|base|sistema|registros?|directorio)\b`,
			`\b(?:borren?|eliminen?|quiten?|saquen?|retiren?|borra|elimina|quita|saca) (?:por favor )?(?:mi|este) ` +
				`(?:numero|telefono|nombre)\b`,
			`\b(?:d[ae]r?(?:me|nos|se)|dame|deme|denme|demen?) de baja\b`,
			`\bme (?:quiero |voy a )?(?:doy|dar) de baja\b`, `\b(?:den|de) de baja (?:mi|este)\b`,
			`\bno quiero que (?:me|nos) (?:llamen?|llames|contacten?|molesten?|vuelvan? a llamar|sigan? ` +
				`llamando)(?:$| (?:mas|nunca|otra vez|de nuevo|ya|por favor)\b)`,
			`\bno (?:quiero|deseo) (?:recibir )?(?:mas |estas |sus |este tipo de |ninguna )*llamadas(?:$| ` +
				`(?:mas|nunca|de ustedes|suyas|por favor|de este tipo|de nadie|comerciales)\b)`,
			`\bno mas llamadas\b`, `\b(?:dejen?|deja)(?:me|nos) (?:en paz|tranquil[oa]s?)\b`,
		},
		Cues: []string{
			"llam", "contact", "molest", "telefon", "marca", "list", "base", "sistema", "registr", "directorio",
			"numero", "nombre", "baja", "paz", "tranquil",
		},
		NotStop: []string{
			`\bmas (?:tarde|temprano|adelante)\b`,
			`\bno (?:me |nos )?(?:dejen?|dejes|paren?|pares) (?:nunca )?de [a-z]+`, `\bsin parar de [a-z]+`,
			`\bno (?:me |nos |quiero |quieren? )*(?:dar(?:me|se)?|deme?n?|den|borren?|eliminen?|quiten?|saquen?) ` +
				`(?:de baja|mi (?:numero|telefono|nombre)|este numero)\b`,
			`\ba llamar(?:me|nos)? (?:hasta|antes|tan|a las|por la|hoy|manana|de [a-z]+ a|despues)\b`,
			`\blista de espera\b`,
		},
	}
}

func spellSpanish(n int) []string {
	small := []string{"cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once",
		"doce", "trece", "catorce", "quince",
		"dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno", "veintidós", "veintitrés",
		"veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve"}
	tens := []string{"", "", "", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"}
	hundreds := []string{
		"", "ciento", "doscient", "trescient", "cuatrocient", "quinient", "seiscient", "setecient", "ochocient",
		"novecient",
	}
	switch {
	case n == 21:
		return []string{"veintiuno", "veintiún", "veintiuna"}
	case n < 30:
		return []string{small[n]}
	case n < 100:
		if n%10 == 0 {
			return []string{tens[n/10]}
		}
		all := []string{tens[n/10] + " y " + small[n%10]}
		if n%10 == 1 {
			all = append(all, tens[n/10]+" y un", tens[n/10]+" y una")
		}
		return all
	case n == 100:
		return []string{"cien", "ciento"}
	}
	heads := []string{hundreds[n/100]}
	if n/100 > 1 {
		heads = []string{hundreds[n/100] + "os", hundreds[n/100] + "as"}
	}
	var all []string
	for _, head := range heads {
		if n%100 == 0 {
			all = append(all, head)
			continue
		}
		for _, rest := range spellSpanish(n % 100) {
			all = append(all, head+" "+rest)
		}
	}
	return all
}
