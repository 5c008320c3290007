package lexicon

// French is the lexicon of French.
func French() Language {
	const call = `(?:appelez|rappelez|telephonez|contactez|derangez|harcelez|embetez)`
	return Language{
		Lines: Lines{
			Disclosure: "Ceci est un appel automatique. Appuyez sur 9 ou dites stop à tout moment, et nous ne " +
				"vous appellerons plus.",
			NotUnderstood: "Excusez-moi, je n'ai pas compris.",
			Goodbye:       "Merci pour votre temps. Au revoir.",
			StillThere:    "Êtes-vous toujours là ?",
			NoAnswer:      "Je ne vous entends pas, je vais donc raccrocher. Au revoir.",
			OptedOut:      "C'est compris. Nous n'appellerons plus ce numéro. Au revoir.",
			Back:          "Excusez-moi, la ligne a été coupée un instant.",
			MoveOn:        "Ce n'est pas grave, continuons.",
			Moment:        "Un instant, s'il vous plaît.",
			Trouble:       "Excusez-moi, nous avons un problème technique et je dois raccrocher. Au revoir.",
			Acks:          []string{"Merci.", "Très bien."},
		},
		Filler: []string{
			"euh", "heu", "ben", "bah", "hein", "hum", "hmm", "alors", "bon", "enfin", "voyons", "disons",
			"je dirais", "je crois", "je pense", "s'il vous plaît", "s'il te plaît", "merci", "merci beaucoup",
			"excusez moi", "pardon", "écoutez", "tenez", "monsieur", "madame", "et", "mais", "donc",
			"peut être environ", "environ", "à peu près",
		},
		Hello: []string{"allô", "allo", "bonjour", "bonsoir", "salut", "oui bonjour", "oui allô"},
		Bye: []string{
			"au revoir", "à bientôt", "bonne journée", "bonne soirée", "ciao", "je dois y aller",
			"je dois raccrocher", "il faut que je raccroche", "adieu",
		},
		Who: []string{
			"qui est ce", "qui est à l'appareil", "c'est qui", "qui êtes vous", "qui parle", "c'est pour quoi",
			"c'est à quel sujet", "de la part de qui", "qui appelle", "vous êtes un robot", "c'est un robot",
			"vous êtes qui",
		},
		Repeat: []string{
			"quoi", "comment", "pardon", "excusez moi", "hein", "répétez", "répétez s'il vous plaît",
			"vous pouvez répéter", "pouvez vous répéter", "pourriez vous répéter", "pouvez vous répéter la question",
			"encore une fois", "je n'ai pas compris", "j'ai pas compris", "je ne comprends pas", "je comprends pas",
			"je n'ai pas entendu", "j'ai pas entendu", "je ne vous entends pas", "je vous entends pas",
			"qu'est ce que vous avez dit", "vous dites", "plaît il", "c'est quoi la question",
		},
		Record: []string{
			"laissez un message", "laissez moi un message", "laissez votre message", "après le bip",
			"après le signal sonore",
		},
		Skip: []string{
			"je ne sais pas", "je sais pas", "sais pas", "aucune idée", "je n'ai aucune idée",
			"je préfère ne pas répondre", "je ne veux pas répondre", "je préfère ne pas le dire", "question suivante",
			"suivante", "je passe", "passez", "je ne me souviens pas", "ça ne vous regarde pas", "ni l'un ni l'autre",
			"aucun", "aucune", "aucun des deux",
		},

		Yes: []string{
			"oui", "ouais", "ouaip", "si", "mais oui", "bien sûr", "bien entendu", "évidemment", "tout à fait",
			"absolument", "exactement", "exact", "c'est ça", "c'est exact", "c'est bien ça", "certainement",
			"d'accord", "ok", "okay", "volontiers", "avec plaisir", "sans problème", "pas de problème",
			"pas de souci", "pourquoi pas", "je crois que oui", "je pense que oui", "effectivement", "en effet",
			"entendu", "ça marche", "je veux bien", "affirmatif",
		},
		No: []string{
			"non", "nan", "mais non", "pas du tout", "pas vraiment", "pas encore", "pas maintenant",
			"bien sûr que non", "certainement pas", "absolument pas", "jamais", "je ne crois pas", "je crois pas",
			"je ne pense pas", "je pense pas", "je crois que non", "non merci", "surtout pas", "négatif",
			"en aucun cas", "ça ne m'intéresse pas", "pas intéressé", "pas intéressée", "c'est faux", "incorrect",
			"ce n'est pas ça", "non plus",
		},
		Unsure: []string{
			"peut être", "éventuellement", "possible", "c'est possible", "je ne sais pas", "je sais pas", "sais pas",
			"ça dépend", "parfois", "plus ou moins", "pas sûr", "pas sûre", "je ne suis pas sûr",
			"je ne suis pas sûre", "aucune idée", "oui et non",
		},
		Hint: []string{"pas", "aucun", "aucune"},
		Mistaken: []string{
			"je veux dire", "je voulais dire", "enfin non", "enfin plutôt", "ou plutôt", "plutôt", "attendez",
			"non attendez", "je me trompe", "pardon non",
		},
		YesAlone: []string{
			"c'est moi", "lui même", "elle même", "c'est elle même", "c'est lui même", "moi même", "bien",
			"très bien", "parfait", "vrai", "c'est vrai", "bon", "juste", "voilà", "super", "ça va",
		},
		NoAlone:     []string{"faux", "rien"},
		Not:         []string{"pas", "sans", "sauf", "ni"},
		Connectives: []string{"avec", "dans", "pour", "avant", "après"},

		Ordinals: [MaxOrdinals][]string{
			{"premier", "première", "numéro un", "option un"},
			{"deuxième", "second", "seconde", "numéro deux", "option deux"},
			{"troisième", "numéro trois", "option trois"},
			{"quatrième", "numéro quatre"}, {"cinquième", "numéro cinq"}, {"sixième", "numéro six"},
			{"septième", "numéro sept"}, {"huitième", "numéro huit"},
		},
		Last: []string{"dernier", "dernière"},

		Spell:    spellFrench,
		Thousand: []string{"mille"},
		Half:     []string{"et demi", "et demie"},
		And:      []string{"et"},
		OutOf:    []string{"sur", "de"},
		Minus:    []string{"moins"},
		Article:  []string{"un", "une"},
		Vague: []string{
			"un peu", "un instant", "un moment", "une seconde", "une minute", "un petit peu", "une question", "l'un",
			"une autre",
		},
		Counts: map[string]float64{
			"aucun": 0, "aucune": 0, "rien": 0, "jamais": 0, "une fois": 1, "demi": 0.5, "une douzaine": 12,
			"une dizaine": 10, "une vingtaine": 20,
		},
		DecimalComma: true,

		Glad: []string{
			"bien", "très bien", "super", "parfait", "excellent", "génial", "merveilleux", "content", "contente",
			"heureux", "heureuse", "ravi", "ravie", "satisfait", "satisfaite", "mieux", "gentil", "agréable",
			"formidable",
		},
		Sad: []string{
			"mal", "très mal", "terrible", "horrible", "affreux", "fâché", "fâchée", "énervé", "énervée", "déçu",
			"déçue", "mécontent", "mécontente", "pire", "douleur", "douleurs", "problème", "problèmes", "plainte",
			"marre", "vertiges", "malade", "triste", "arnaque", "inadmissible", "scandaleux",
		},

		Urge: []string{
			"non", "oui", "maintenant", "tout de suite", "je vous dis", "je dis", "j'ai dit", "je veux que vous",
			"ça suffit", "immédiatement", "hey", "là", "vous pouvez", "pouvez vous", "je vous demande d'", "ça",
			"avec ça",
		},
		StopAlone: []string{
			"stop", "stoppez", "arrêtez", "arrête", "arrêter", "ça suffit", "arrêtez ça", "désinscription",
			"désabonnement", "plus d'appels", "n'appelez plus", "ne m'appelez plus", "laissez moi",
		},
		Stop: []string{
			`\b(?:ne |n )?(?:m |me |nous )?` + call + ` (?:donc |surtout )?(?:plus|jamais)\b`,
			`^(?:[a-z]+ )?(?:ne )?(?:m |me )(?:r ?)?(?:appelle|rappelle|telephone|derange) (?:plus|jamais)\b`,
			`\bne (?:m |me |nous )` + call + ` (?:plus|pas|jamais)$`,
			`\bne (?:plus|jamais|pas) (?:m |me |nous )(?:re ` +
				`?)?(?:appeler|rappeler|telephoner|contacter|deranger)(?:$| (?:svp|s il vous plait|a ce numero|du ` +
				`tout|jamais)\b)`,
			`\b(?:arretez|arrete|cessez|cesse|arreter|cesser) (?:donc |tout de suite |maintenant |immediatement ` +
				`)*(?:de |d )(?:m |me |nous )?(?:appeler|telephoner|harceler|deranger|contacter|embeter|rappeler)\b`,
			`\b(?:arretez|arrete|cessez|cesse|stoppez) (?:tous )?(?:ces|les|vos) appels\b`,
			`\b(?:retirez|supprimez|enlevez|effacez|rayez|otez|radiez|desinscrivez|retire|enleve|supprime) ` +
				`(?:moi|nous|mon (?:numero|nom)|ce numero|mes (?:donnees|coordonnees))\b`,
			`\b(?:me |nous |m )?(?:retirer|supprimer|enlever|rayer) (?:mon numero )?de (?:[a-z]+ ` +
				`)?(?:listes?|fichiers?|base)\b`,
			`\b(?:me |nous |m )(?:desinscrire|desabonner|desinscrivez|desabonnez)\b`,
			`\bje (?:ne )?(?:veux|souhaite|desire|voudrais) (?:plus|pas) (?:jamais )?(?:etre |que vous |qu on ` +
				`|recevoir )?(?:me |m |nous ` +
				`)?(?:appelee?s?|rappelee?s?|appeliez|rappeliez|contactee?s?|derangee?s?|appelle|rappelle|(?:d |de ` +
				`vos |vos |ces |de ces |aucun )appels?)\b`,
			`^(?:[a-z]+ )?plus (?:jamais )?d appels\b`,
			`\b(?:laissez|laisse|fichez|foutez) (?:moi|nous) (?:donc )?(?:tranquilles?|la paix|en paix)\b`,
		},
		Cues: []string{
			"appel", "rappel", "telephon", "contact", "derang", "harcel", "embet", "list", "fichier", "base",
			"retire", "supprime", "enleve", "efface", "raye", "ote", "radie", "desinscri", "desabonn", "laiss",
			"fich", "fout",
		},
		NotStop: []string{
			`\bplus (?:tard|tot|souvent|vite)\b`,
			`\bn (?:arretez|arrete|arreter) (?:pas|jamais|surtout pas) (?:de |d )?(?:m |me |nous )?[a-z]*`,
			`\bne (?:cessez|cesse|supprimez|retirez|enlevez|effacez|desinscrivez) pas [a-z ]*`,
			`\bne (?:me |m )(?:supprimez|retirez|enlevez|desinscrivez|desabonnez) pas\b`,
			`\bj (?:ai |avais )?arretee? (?:de |d )[a-z]+`,
			`\b(?:il|elle|on|ils|elles) (?:n |ne )?(?:arrete|cesse)(?:nt)? [a-z ]*`,
			`\b(?:il|elle|on|ils|elles|personne|qui) (?:ne )?(?:m |me )[a-z]+ plus\b`,
			`\bje (?:ne )?(?:veux|souhaite|voudrais) pas [a-z ]*(?:avant|apres|le matin|le soir|demain|aujourd ` +
				`hui|au travail)\b`,
			`\bliste d attente\b`,
		},
	}
}

func spellFrench(n int) []string {
	small := []string{
		"zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
		"treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
	}
	tens := []string{"", "", "vingt", "trente", "quarante", "cinquante", "soixante"}
	switch {
	case n == 1:
		return nil // "un" is also an article
	case n < 20:
		return []string{small[n]}
	case n < 70:
		return frenchTens(tens[n/10], n%10)
	case n < 80:
		all := frenchTens("septante", n%10)
		if n == 71 {
			return append(all, "soixante et onze")
		}
		return append(all, "soixante "+small[n-60])
	case n < 100:
		all := frenchTens("nonante", n%10)
		if n < 90 {
			all = append(frenchTens("huitante", n%10), frenchTens("octante", n%10)...)
		}
		if n == 80 {
			return append(all, "quatre-vingts", "quatre-vingt")
		}
		return append(all, "quatre-vingt "+small[n-80])
	}
	heads := []string{"cent"}
	if n/100 > 1 {
		heads = []string{small[n/100] + " cent", small[n/100] + " cents"}
	}
	var all []string
	for _, head := range heads {
		if n%100 == 0 {
			all = append(all, head)
			continue
		}
		if n%100 == 1 {
			all = append(all, head+" un", head+" une")
		}
		for _, rest := range spellFrench(n % 100) {
			all = append(all, head+" "+rest)
		}
	}
	return all
}

func frenchTens(ten string, unit int) []string {
	small := []string{"", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"}
	switch unit {
	case 0:
		return []string{ten}
	case 1:
		return []string{ten + " et un", ten + " et une", ten + " un"}
	}
	return []string{ten + " " + small[unit]}
}
