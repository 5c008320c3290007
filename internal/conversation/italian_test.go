package conversation

import "testing"

func TestWhoAnsweredInItalian(t *testing.T) {
	t.Parallel()
	utterances{
		machine: []string{
			"Risponde la segreteria telefonica di Anna. / Lasciate un messaggio dopo il segnale acustico.",
			"La persona chiamata non è al momento disponibile.",
			"Il cliente da lei chiamato non è al momento raggiungibile. / La preghiamo di richiamare più tardi.",
			"Ciao, sono Marco. / In questo momento non posso rispondere.",
			"Avete chiamato la famiglia Rossi. / Non siamo disponibili al momento.",
			"Lascia un messaggio e ti richiamerò appena possibile.", "Lasciate il vostro nome e numero dopo il bip.",
			"La sua chiamata verrà trasferita alla segreteria telefonica.",
			"Il numero selezionato non è raggiungibile.", "Vi richiameremo al più presto.",
			"Questa è la segreteria di Paolo.",
		},
		perhaps: []string{"Non siamo disponibili al momento.", "Non è disponibile."},
		full: []string{
			"La segreteria telefonica è piena.", "La casella vocale è piena e non può ricevere altri messaggi.",
			"Il cliente non ha attivato la segreteria telefonica.", "Il numero selezionato è inesistente.",
		},
		screening: []string{
			"Ciao, se registri il tuo nome e il motivo della chiamata, vedrò se questa persona è disponibile.",
			"La persona che stai chiamando usa il filtro chiamate di Google e riceverà una copia di questa " +
				"conversazione.",
			"Dica il suo nome e perché chiama.", "Sono l'assistente virtuale di Anna. Qual è il motivo della chiamata?",
		},
		menu: []string{
			"Per le vendite, prema 1. Per l'assistenza, prema 2.", "Tutti i nostri operatori sono occupati.",
			"La sua chiamata è importante per noi.", "La telefonata potrebbe essere registrata.",
		},
		hold: []string{
			"Un attimo, per favore.", "Un momento, gliela passo.", "Aspetti.", "Resti in linea.", "Vedo se c'è.",
		},
		robot: []string{
			"È un robot?", "Lei è una persona vera?", "Sto parlando con una macchina?", "È una registrazione?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"Ha sbagliato numero.", "Numero sbagliato.", "Qui non c'è nessuno con questo nome.",
				"Non abita più qui.", "Non conosco questa persona.", "Non è più il suo numero.",
				"Si è trasferita l'anno scorso.", "Qui non abita nessuna Maria.", "Guardi che ha sbagliato persona.",
			},
			Deceased: []string{
				"È morto il mese scorso.", "Mio marito è deceduto.", "Mia madre è venuta a mancare.",
				"Lei è morta a marzo.", "Il signor Rossi è morto.", "Purtroppo è mancato.",
				"Mio padre non è più tra noi.", "Mi dispiace, è deceduta.",
			},
			Minor: []string{
				"La mamma non c'è.", "Mio papà dorme.", "I miei genitori non sono in casa.", "Ho sette anni.",
				"Ho solo sei anni.", "Sono un bambino.", "Non posso parlare con gli sconosciuti.",
				"Vuole parlare con la mamma?",
			},
			Busy: []string{
				"Sto guidando.", "Sono in riunione.", "Adesso non posso parlare.", "Non è un buon momento.",
				"Non ho tempo.", "Sono molto occupato.", "Sono al lavoro.", "È un brutto momento.",
				"No, sono alla guida.",
			},
			CallBack: []string{
				"Mi richiami tra un'ora.", "Può richiamare più tardi?", "Sto guidando, mi richiami tra un'ora.",
				"Richiami domani.", "Chiamami stasera.", "Mi chiami lunedì.", "Non mi chiami prima di mezzogiorno.",
				"Possiamo sentirci domani?", "Torna alle sei.", "Mi dia mezz'ora.",
			},
			WantsHuman: []string{
				"Posso parlare con un essere umano?", "Vorrei parlare con un operatore.", "Mi passi un operatore.",
				"Non parlo con le macchine.", "Operatore, per favore.", "Voglio parlare con una persona vera.",
				"Non voglio parlare con un robot.", "C'è una vera persona?",
			},
		},
		callBack: map[string]string{
			"Mi richiami tra un'ora.":                    "2026-11-25 11:07",
			"Mi richiami tra venti minuti.":              "2026-11-25 10:27",
			"Mi richiami tra mezz'ora.":                  "2026-11-25 10:37",
			"Mi richiami tra due ore.":                   "2026-11-25 12:07",
			"Mi richiami domattina.":                     "2026-11-26 09:00",
			"Mi richiami domani.":                        "2026-11-26 10:07",
			"Mi chiami questa sera.":                     "2026-11-25 19:00",
			"Mi chiami alle quattro.":                    "2026-11-25 16:00",
			"Mi chiami alle quattro e mezza.":            "2026-11-25 16:30",
			"Mi chiami alle cinque meno un quarto.":      "2026-11-25 16:45",
			"Mi chiami lunedì.":                          "2026-11-30 10:07",
			"Mi chiami venerdì alle due del pomeriggio.": "2026-11-27 14:00",
			"Mi chiami dopo le cinque.":                  "2026-11-25 17:00",
			"Non mi chiami prima di mezzogiorno.":        "2026-11-25 12:00",
			"Può richiamare più tardi?":                  "",
		},
		person: []string{
			"Non è giusto.", "È un buon momento.", "La mia mamma è malata.", "Qui non c'è nessuno.",
			"Non c'è nessun problema.", "Non conosco nessun medico.", "Sì.", "No.", "Pronto?", "Sì, pronto?",
			"Sono io.", "Chi parla?", "Sì, lunedì.", "Domani mattina.", "Alle quattro.", "Tra un'ora.",
			"Ho lasciato un messaggio all'infermiera.", "No, non è venuto nessuno.", "Mi ha richiamato lunedì.",
			"La settimana scorsa ero occupato.", "Lunedì sono occupato.", "Il mio telefono è morto.",
			"Ho settanta anni.", "Sì, abito qui.", "No, non vivo da solo.", "Mia madre mi ha accompagnato.",
			"Ho parlato con un medico.", "Era la medicina sbagliata.", "Non ho dolori.", "L'appuntamento è domani.",
			"Non ancora.", "Forse più tardi.", "Mio marito è qui.", "Ho una domanda.", "No, il medico non c'era.",
			"Non lo so.", "Ho chiamato il medico.",
		},
	}.checkWho(t, "it-IT")
}
