package lexicon

import "time"

// Italian is the lexicon of Italian.
func Italian() Language {
	const call = `(?:chiami|chiamate|chiamino|chiamare|chiamarmi|chiamarci|chiamatemi|chiamateci|richiami|richiamate|richiamatemi|richiamare|telefoni|telefonate|telefonatemi|contatti|contattate|contattatemi|disturbi|disturbate|disturbatemi)`
	const (
		// who answered
		box = `(?:segreteria(?: telefonica)?|casella(?: vocale| di posta)?|posta vocale|voicemail)`
		adv = `(?:(?:al momento|in questo momento|adesso|ora|temporaneamente|momentaneamente|attualmente|` +
			`purtroppo|proprio) )*`
		quando = `(?:più tardi|dopo|domani|dopodomani|domattina|stasera|stamattina|questa sera|questo pomeriggio|` +
			`un'altra volta|un altro (?:giorno|momento)|in un altro momento|in (?:serata|mattinata)|` +
			`(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)|la settimana prossima|la ` +
			`prossima settimana|(?:tra|fra) (?:un|una|un'|mezz|mezza|due|tre|quattro|cinque|dieci|` +
			`quindici|venti|trenta|[0-9]+|qualche)|(?:alle|dopo le|verso le|prima delle|prima di|dalle|` +
			`per le|dopo|a) (?:mezzogiorno|una|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|` +
			`dodici|pranzo|cena|[0-9:.]+|[a-z]+dici|venti)|nel pomeriggio|di nuovo|di sera)`
		lui = `(?:lui|lei|il signor [a-z]+|la signora [a-z]+|mio (?:marito|padre|figlio|fratello|nonno)|mia ` +
			`(?:moglie|madre|figlia|sorella|nonna)|quella persona|questa persona)`
		umano = `(?:(?:un|una|qualcuno|vera|vero|altro|un altro) )*(?:essere umano|umano|operatore|operatrice|` +
			`addetto|persona vera|persona reale|vera persona|persona in carne ed ossa|di reale|di umano|` +
			`consulente)`
	)
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
			Screening: "Questa è una chiamata automatica di {{organization}} per {{name|il titolare di questo " +
				"numero}}.",
			ScreeningAbout: "Questa è una chiamata automatica di {{organization}} per {{name|il titolare di " +
				"questo numero}} riguardo a {{reason}}.",
			Automated: "Sono una voce automatica, non una persona. Questa è una chiamata automatica di " +
				"{{organization}}.",
			Declined:    "Mi dispiace, non posso parlarne.",
			Voicemail:   "Sono {{agent}} di {{organization}}. Riproveremo in un altro momento. Arrivederci.",
			WrongPerson: "Mi scusi per il disturbo. Arrivederci.",
			Deceased:    "Mi dispiace molto. La prego di scusare la chiamata. Arrivederci.",
			Minor:       "Grazie. Adesso riattacco. Ciao.",
			Busy:        "Capisco. Mi scusi per il disturbo. Arrivederci.",
			CallBack:    "Capisco, ne ho preso nota. Arrivederci.",
			WantsHuman: "Sono una voce automatica e non posso passarle nessuno. Ho annotato che desidera parlare " +
				"con una persona. Arrivederci.",
		},
		Filler: []string{
			"eh", "ehm", "mah", "beh", "allora", "dunque", "ecco", "diciamo", "credo", "io credo", "penso", "direi",
			"vediamo", "per favore", "per piacere", "prego", "grazie", "grazie mille", "scusi", "mi scusi", "guardi",
			"senta", "cioè", "tipo", "signore", "signora", "e", "ma", "quindi", "circa", "più o meno", "forse circa",
		},
		Hello: []string{
			"pronto", "ciao", "salve", "buongiorno", "buonasera", "buon giorno", "buona sera", "sì pronto",
		},
		Parting: []string{"ciao"},
		Bye: []string{
			"arrivederci", "ciao ciao", "a presto", "buona giornata", "buona serata", "addio", "devo andare",
			"devo riattaccare", "devo chiudere", "la saluto",
		},
		Who: []string{
			"chi è", "chi parla", "con chi parlo", "chi è che parla", "chi sta chiamando", "chi chiama",
			"di che si tratta", "da dove chiama", "lei chi è", "chi siete",
		},
		Repeat: []string{
			"cosa", "come", "come scusi", "come dice", "che cosa", "prego", "scusi", "può ripetere", "ripeta",
			"ripeta per favore", "potrebbe ripetere", "mi può ripetere", "può ripetere la domanda", "di nuovo",
			"ancora una volta", "un'altra volta", "non ho capito", "non capisco", "non ho sentito", "non la sento",
			"non sento", "che ha detto", "cosa ha detto", "qual era la domanda",
			"non ti sento", "non sento niente", "non si sente", "non la sento bene",
		},
		Skip: []string{
			"non so", "non lo so", "non saprei", "boh", "nessuna idea", "non ne ho idea", "preferisco non dirlo",
			"preferisco non rispondere", "non voglio rispondere", "prossima domanda", "passo", "la prossima",
			"non ricordo", "non mi ricordo", "nessuno", "nessuna", "nessuno dei due",
		},

		Record: []string{
			`(?:lasci|lascia|lasciate|lasciare|lasciatemi|lasciami|lasciarmi|lasciateci|registrate|registri|` +
				`registra) (?:pure |per favore )*(?:un|il|la|tuo|suo|vostro|il tuo|il suo|il vostro) (?:breve ` +
				`)?(?:messaggio|nome|numero|recapito)`,
			`dopo (?:il|un|lo) (?:segnale(?: acustico)?|bip|beep|tono)`,
			`(?:risponde|questa è|è attiva|avete chiamato|ha chiamato) (?:la|alla) ` + box,
			box + ` (?:di|del|della) [a-z]+`,
			`(?:trasferita|inoltrata|deviata|collegato|trasferito) (?:alla|con la|a una) ` + box,
			`(?:il|la) (?:cliente|persona|numero|utente|telefono|abbonato) (?:da lei |che ha |da te |che sta |che ` +
				`avete |cui |desiderato |da voi )*(?:chiamat[oa]|chiamando|selezionat[oa]|desiderat[oa]|` +
				`compost[oa])`,
			`(?:non posso|non possiamo|non può|impossibilitato a) ` + adv + `(?:rispondere|rispondervi|` +
				`risponderti|risponderle)(?: alla (?:tua|sua|vostra) (?:chiamata|telefonata))?(?: ` + adv + `)?$`,
			`non è (?:al momento |attualmente |momentaneamente )?raggiungibile`,
			`(?:vi|ti|la|le) (?:richiamerò|richiameremo|ricontatterò|ricontatteremo) (?:al più|appena|il prima|` +
				`non appena|quanto)`,
			`sai cosa fare`,
		},
		Reached: []string{
			`(?:avete|hai|ha) (?:chiamato|raggiunto) (?:la|il|lo|casa|famiglia)`,
			`(?:non sono|non siamo) ` + adv + `(?:disponibil[ei]|raggiungibil[ei])`,
			`non (?:è|sono) ` + adv + `disponibil[ei]`,
			`(?:non sono|non siamo) in (?:casa|ufficio) (?:al momento|in questo momento|adesso)`,
			`(?:nessuno è|non c'è nessuno) (?:in casa|disponibile)`, `(?:vi|ti|la) (?:richiamerò|richiameremo)$`,
			`(?:si prega di|la preghiamo di|la invitiamo a|la preghiamo) (?:richiamare|riprovare)(?: più tardi)?`,
		},
		Full: []string{
			`(?:` + box + `|memoria)(?: (?:di|del|della) [a-z]+)? è (?:al momento |attualmente )?piena`,
			`non (?:può|è possibile|accetta) (?:ricevere|lasciare|registrare)? ?(?:altri|nuovi|ulteriori)? ?messaggi`,
			box + ` (?:[a-z]+ ){0,4}(?:non è|non è ancora|non ancora) (?:stata )?(?:ancora )?(?:configurata|` +
				`attivata|attiva|impostata)`,
			`non ha (?:ancora )?(?:configurato|attivato|impostato) (?:la |una )?` + box,
			`non (?:accetta|riceve) (?:chiamate|messaggi)`,
			`(?:il numero|l'utenza) (?:selezionato|da lei selezionato|chiamato|composto) (?:è inesistente|non è ` +
				`attivo|non esiste)`,
		},
		Screen: []string{
			`(?:nome|chi è|chi sei|chi chiama) (?:, )?e (?:[a-z]+ ){0,2}(?:motivo|ragione|perché|scopo)`,
			`(?:dica|dici|di'|indichi|indica|registri|registra|specifichi) (?:il |la )?(?:motivo|ragione|scopo) della`,
			`(?:dica|dici|registri|indichi) il suo nome$`,
			`(?:qual è|quale è|mi dica|mi può dire|può dirmi) (?:il motivo|la ragione|lo scopo|perché) (?:della ` +
				`(?:sua|tua|chiamata)|sta chiamando|chiama)`,
		},
		Screener: []string{
			`filtr(?:o|aggio|a|are|ando) (?:delle |le |di )?chiamate`,
			`assistente (?:virtuale|digitale|google|di google|truecaller|personale|vocale)`,
			`(?:verifico|controllo|vedo|verificherò|controllerò|vedrò) se (?:[a-z]+ ){0,4}(?:disponibile|può ` +
				`rispondere|raggiungibile)`,
			`(?:riceverà|avrà) una (?:copia|trascrizione) di questa conversazione`,
			`(?:rimanga|resti|rimani|attenda) in linea (?:mentre|finché|fino)`,
			`grazie (?:, )?(?:rimanga|resti|rimani|attenda) in linea`,
		},
		Menu: []string{
			`(?:prema|premi|premere|digiti|digitare|digita|premete) (?:il tasto |il |tasto |l' ?|lo |uno fra ` +
				`)?(?:[0-9]|zero|uno|due|tre|quattro|cinque|sei|sette|otto|nove|asterisco|cancelletto)`,
			`tutti i nostri (?:operatori|consulenti)`,
			`(?:il primo|primo|prossimo|un) operatore (?:disponibile|libero|risponderà|le)`,
			`la (?:sua|tua|vostra) (?:chiamata|telefonata) è (?:molto )?importante`,
			`(?:la|questa) (?:chiamata|telefonata|conversazione) (?:potrebbe|può|potrà|sarà|verrà) (?:essere ` +
				`)?registrata`,
			`(?:menù principale|menu principale|ascolti attentamente|orari di apertura|gli orari|numero interno|i ` +
				`nostri uffici sono)`,
			`(?:attendere|attenda) (?:in linea )?(?:per non perdere|la priorità)`,
		},
		Hold: []string{
			`^(?:(?:sì|va bene|certo|ok|pronto|eh) (?:, )?)*(?:un|solo un|mi dia un|dammi un|aspetti un|aspetta ` +
				`un|attenda un|attendi un) (?:attimo|momento|attimino|momentino|secondo|minuto|istante|` +
				`minutino)(?: (?:, )?(?:per favore|prego|solo))*$`,
			`^(?:(?:sì|va bene|certo|ok|pronto) (?:, )?)*(?:aspetti|aspetta|attenda|attendi|attenda in linea|` +
				`resti in linea|non riattacchi|non riagganci|rimanga in linea)(?: (?:, )?(?:per favore|un attimo|` +
				`un momento|un secondo))*$`,
			`(?:gliela|glielo|te la|te lo|le|ti) (?:passo|chiamo)`,
			`(?:vado a|la|lo) (?:chiamarla|chiamarlo|chiamo|prenderlo|vedere se c'è)`,
			`vedo se (?:c'è|è in casa|è qui)`,
			`(?:un attimo|un momento|aspetti|un secondo)(?: ,)? che (?:la|lo|gliela|glielo|le|chiamo|vado|arriva)`,
			`arriva subito$`,
			`^(?:per favore )?non (?:riattacchi|riattaccare|riattacca|riagganci|riaggancia|riagganciare|chiuda)$`,
		},

		WrongPerson: []string{
			`(?:numero sbagliato|ha sbagliato|hai sbagliato|avete sbagliato|persona sbagliata|sbagliato numero|` +
				`sta sbagliando|si sbaglia)(?: (?:numero|persona))?$`,
			`(?:sbagliato|errato) (?:numero|persona)`,
			`(?:qui )?non c'è (?:nessuno|nessun|nessuna|alcun) (?:qui )?(?:con questo nome|che si chiama|di nome|` +
				`con quel nome)`,
			`qui non (?:abita|vive|lavora) (?:nessuno|nessun|nessuna|più)`, `non (?:abita|vive|lavora) (?:più )?qui`,
			`non (?:abita|vive) più qui`,
			`non conosco (?:questa persona|nessuno con questo nome|questo signore|questa signora|quella persona)`,
			`(?:questo |questo qui )?non è (?:più )?il suo numero`,
			`non sono (?:la persona|io la persona|il signor|la signora|quello|quella)`,
			`(?:si è|lui si è|lei si è) trasferit[oa]`, `ho (?:questo numero|preso questo numero) (?:da|solo)`,
		},
		Deceased: []string{
			lui + ` (?:è|ci ha|non c'è|è venut[oa]) (?:[a-z]+ ){0,3}(?:mort[oa]|deceduto|deceduta|mancat[oa]|` +
				`mancare|lasciati|scomparso|scomparsa|più tra noi)`,
			lui + ` non è più (?:tra noi|con noi)`,
			`^(?:(?:no|mi dispiace|purtroppo|guardi) (?:, )?)*(?:è|ci ha) (?:purtroppo |appena )?(?:mort[oa]|` +
				`deceduto|deceduta|mancat[oa]|venut[oa] a mancare|lasciati|scomparso|scomparsa)(?: [a-z]+)*$`,
			`(?:l'abbiamo|abbiamo) (?:sepolto|sepolta|seppellito|seppellita|perso|persa)`,
		},
		Minor: []string{
			`(?:la |il )?(?:mia |mio )?(?:mamma|papà|papa|babbo) (?:non c'è|non è (?:in|a) casa|è (?:al lavoro|` +
				`uscit[oa]|sotto la doccia|in bagno)|sta dormendo|dorme|lavora)`,
			`i miei (?:genitori )?(?:non sono|non ci sono|sono) (?:in casa|a casa|fuori|al lavoro|via)`,
			`i miei genitori non ci sono`,
			`ho (?:solo |soltanto |appena )?(?:[3-9]|1[0-5]|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|` +
				`dodici|tredici|quattordici|quindici) anni`,
			`sono (?:solo |soltanto )?(?:un bambino|una bambina|un minorenne|piccolo|piccola)$`,
			`non (?:posso|devo) parlare con (?:gli |degli )?(?:estranei|sconosciuti)`,
			`(?:vuole|vuoi) (?:parlare con |che chiami )?(?:la |mia |il |mio )*(?:mamma|papà|babbo)`,
		},
		Busy: []string{
			`(?:sto|sono) ` + adv + `(?:guidando|mangiando|lavorando|cenando|pranzando|cucinando|uscendo|alla ` +
				`guida|in (?:riunione|macchina|auto|ufficio|classe|treno|ospedale|un'altra chiamata|un'altra ` +
				`linea)|al (?:lavoro|volante|ristorante|cinema)|dal (?:medico|dentista|dottore)|a (?:lezione|` +
				`tavola|pranzo|cena)|nel mezzo|di fretta|per uscire)`,
			adv + `non posso (?:parlare|parlarle|parlarti)(?: (?:adesso|ora|al momento|in questo momento))*$`,
			`(?:adesso|ora|in questo momento) non posso(?: parlare)?$`,
			`non è (?:proprio )?(?:un |il )(?:buon |bel )?momento(?: (?:giusto|adatto|buono|migliore))?$`,
			`(?:è |mi prende in )?un (?:brutto|cattivo|pessimo) momento`,
			`non ho tempo(?: (?:adesso|ora|al momento|per questo))*$`,
			`^(?:(?:no|sì|pronto|scusi|mi scusi|guardi|mi dispiace) (?:, )?)*sono ` + adv + `(?:molto |un po' ?|` +
				`troppo )?(?:occupat[oa]|impegnat[oa]|incasinat[oa])(?: (?:adesso|ora|al momento))?$`,
		},
		GoAhead: []string{
			`(?:ma )?(?:dica pure|se è veloce|faccia in fretta|se fa presto|mi dica veloce)`,
			`ho (?:un minuto|due minuti|cinque minuti|qualche minuto)`,
		},
		CallBack: []string{
			`(?:mi |ci |lo |la )?(?:richiami|richiama|richiamate|chiami|chiama|telefoni|telefona|riprovi|riprova|` +
				`provi|risentiamoci|sentiamoci)(?:mi|ci)?(?: (?:per favore|lei|pure|magari))* ` + quando,
			`(?:mi richiami|richiamami|richiami|mi richiama)(?: per favore)?$`,
			`(?:può|puoi|potrebbe|potresti|potete) (?:richiamare|richiamarmi|chiamare|chiamarmi|telefonarmi|` +
				`ritelefonare|riprovare|richiamarci)(?: ` + quando + `|$)`,
			`mi può (?:richiamare|chiamare)(?: ` + quando + `|$)`,
			`(?:possiamo|potremmo) (?:sentirci|parlare|parlarne|risentirci) ` + quando,
			`(?:meglio|magari|facciamo|ci sentiamo) ` + quando + `$`,
			`non mi (?:chiami|chiamare|chiamate) (?:prima|così presto|così tardi|adesso|a quest'ora)`,
			`(?:torna|rientra|sarà) (?:a casa |di ritorno )?` + quando + `$`,
			`(?:torno|rientro|sarò|sono libero|sono libera) (?:a casa |libero |libera )?` + quando + `$`,
			`(?:mi dia|dammi) (?:un'ora|mezz'ora|dieci minuti|venti minuti|[0-9]+ minuti)`,
			`(?:chiami|chiamami|richiami|richiamami|chiamatemi|richiamatemi|chiamare|chiamarmi|richiamarmi|telefoni)(?: [a-z]+){0,3} (?:tra|fra) le`,
		},
		WantsHuman: []string{
			`(?:parlare|parlo|passare|passi|mi passi|passami|metta in contatto|mettermi in contatto) (?:piuttosto ` +
				`)?(?:con )?(?:` + umano + `|una persona$|qualcuno$)`,
			`(?:voglio|vorrei|preferisco|preferirei|c'è) (?:parlare con )?` + umano,
			`non (?:parlo|voglio parlare|mi piace parlare|intendo parlare) con (?:un |una |le |i )?(?:robot|` +
				`macchin[ae]|computer|segreteri[ae]|registrazion[ei]|risponditor[ei])`,
			`^(?:(?:no|un|una) (?:, )?)*(?:operatore|operatrice|umano|essere umano|servizio clienti|centralino|` +
				`persona vera|addetto)(?: (?:, )?per favore)?$`,
		},
		Robot: []string{
			`(?:è|sei|sto parlando con|parlo con) (?:lei |forse |per caso |davvero |un |una )*(?:robot|bot|` +
				`macchina|computer|registrazione|ia|intelligenza artificiale|voce automatica|` +
				`voce registrata|messaggio registrato|chiamata automatica|umano|umana)`,
			`(?:lei è|è lei|sei|sto parlando con|parlo con) (?:forse |per caso |davvero |un |una )*` +
				`(?:persona|vera persona|persona vera|persona reale|persona in carne ed ossa|essere umano)`,
		},
		Speak: []string{
			`(?:parla|parli|parlate)(?: lei| qualcuno)? {l}`,
			`(?:può|puoi|potete|possiamo|potrebbe|potremmo|si può)(?: per favore)? (?:parlare|` +
				`continuare|farlo)(?: in)? {l}`,
			`qualcuno che (?:parla|parli) {l}`,
			`parlo (?:solo|soltanto|solamente) {l}`,
			`preferisco(?: parlare)?(?: in)?(?: l)? {l}`,
			`^in {l}$`,
			`^(?:in )?{l} (?:per favore|per piacere|per cortesia)$`,
		},
		NotSpoken: []string{
			`non (?:parlo|capisco)(?: bene| molto| l)* {l}`,
		},
		Names: map[string][]string{
			"en": {"inglese"}, "cs": {"ceco"}, "da": {"danese"}, "de": {"tedesco"}, "el": {"greco"},
			"es": {"spagnolo"}, "fr": {"francese"}, "it": {"italiano"}, "nb": {"norvegese"},
			"nl": {"olandese", "nederlandese"}, "pl": {"polacco"}, "pt": {"portoghese"},
			"ro": {"rumeno", "romeno"}, "sv": {"svedese"}, "tr": {"turco"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"un'ora": time.Hour, "mezz'ora": 30 * time.Minute, "mezza ora": 30 * time.Minute,
				"mezzora": 30 * time.Minute, "un'ora e mezza": 90 * time.Minute, "un'oretta": time.Hour,
				"un quarto d'ora": 15 * time.Minute, "tre quarti d'ora": 45 * time.Minute,
				"qualche minuto": 10 * time.Minute, "qualche ora": 3 * time.Hour, "un paio d'ore": 2 * time.Hour,
				"un paio di ore": 2 * time.Hour, "un giorno": 24 * time.Hour, "un paio di giorni": 2 * 24 * time.Hour,
				"qualche giorno": 3 * 24 * time.Hour, "una settimana": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"minuto": time.Minute, "minuti": time.Minute, "minutini": time.Minute, "ora": time.Hour,
				"ore": time.Hour, "giorno": 24 * time.Hour, "giorni": 24 * time.Hour, "settimana": 7 * 24 * time.Hour,
				"settimane": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"oggi": 0, "domani": 1, "domattina": 1, "dopodomani": 2, "la settimana prossima": 7,
				"settimana prossima": 7, "la prossima settimana": 7, "prossima settimana": 7, "il mese prossimo": 30,
			},
			Weekdays: [7][]string{
				{"domenica"}, {"lunedì"}, {"martedì"}, {"mercoledì"}, {"giovedì"}, {"venerdì"}, {"sabato"},
			},
			Parts: map[string]int{
				"stamattina": 9, "domattina": 9, "mattina": 9, "mattinata": 9, "mezzogiorno": 12, "dopo pranzo": 14,
				"pomeriggio": 15, "stasera": 19, "sera": 19, "serata": 19, "dopo cena": 20, "dopo il lavoro": 18,
			},
			Hours:   map[string]int{"all'una": 1, "l'una": 1},
			Between: []string{"tra le", "fra le"},
			At: []string{
				"alle", "alle ore", "dopo le", "verso le", "prima delle", "dalle", "per le", "le", "all'", "all'una",
				"intorno alle", "fino alle",
			},
			OClock: []string{"in punto"},
			AM:     []string{"di mattina", "del mattino", "della mattina"},
			PM:     []string{"di pomeriggio", "del pomeriggio", "di sera", "della sera"},
			After: map[string]int{
				"e mezza": 30, "e mezzo": 30, "e un quarto": 15, "e un quarto d'ora": 15, "meno un quarto": -15,
				"e dieci": 10, "e venti": 20, "e cinque": 5, "meno dieci": -10, "meno venti": -20, "meno cinque": -5,
				"e trenta": 30, "e quindici": 15, "e quarantacinque": 45,
			},
			Months: [12][]string{
				{"gennaio"}, {"febbraio"}, {"marzo"}, {"aprile"}, {"maggio"}, {"giugno"}, {"luglio"},
				{"agosto"}, {"settembre"}, {"ottobre"}, {"novembre"}, {"dicembre"},
			},
			MonthDays: [31][]string{{"primo", "uno"}},
			OfMonth:   []string{"di"},
			Past:      map[string]int{"ieri": 1, "l'altro ieri": 2, "altro ieri": 2},
			Ago:       []string{"fa"},
			Previous:  []string{"scorso", "scorsa", "passato"},
		},
		Spelling: Spelling{
			At:         []string{"chiocciola", "at"},
			Dot:        []string{"punto"},
			Dash:       []string{"trattino", "meno", "lineetta"},
			Underscore: []string{"trattino basso", "underscore"},
			Before:     []string{"è", "sarebbe", "mail", "email", "e mail", "indirizzo", "posta elettronica"},
			Plus:       []string{"più"},
			Times:      map[string]int{"doppio": 2},
		},

		Harmless: []string{
			`mort[oa] (?:di (?:stanchezza|fame|sonno|freddo|sete|paura|noia|invidia|caldo|vergogna)|dal (?:ridere|sonno|freddo|caldo))`,
			`stanc[oa] mort[oa]`,
			`mancat[oa] (?:all'|alla|al) ?(?:appuntamento|incontro|riunione|[a-z]+)`,
			`(?:qual è|quale|che) (?:il |questo )?numero sbagliato`,
		},
		Ages: []string{"età", "anni", "anno"},
		Aside: []string{
			"lei non c'è", "lui non c'è", "non è in casa", "non è a casa", "non è qui", "non è lei", "non è lui",
			"non sento", "non la sento", "non ti sento", "non sento niente", "non si sente", "non sento nulla",
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
		NoAlone: []string{"falso", "nessuno", "nessuna", "niente"},
		Not:     []string{"non", "senza", "ne"},
		Connectives: []string{
			"della", "alla", "dopo",
			"questo", "questa",
		},

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
