package conversation

import "testing"

func TestWhoAnsweredInFrench(t *testing.T) {
	t.Parallel()
	utterances{
		machine: []string{
			"Bonjour, vous êtes bien sur la messagerie d'Anna. / Merci de laisser un message après le bip.",
			"Vous êtes bien chez les Dubois. / Nous ne sommes pas disponibles pour le moment.",
			"Votre correspondant n'est pas disponible. Veuillez rappeler ultérieurement.",
			"Je ne peux pas vous répondre pour l'instant.",
			"Laissez-moi un message et je vous rappelle dès que possible.", "Bonjour, ici le répondeur de Paul.",
			"Vous allez être redirigé vers la messagerie vocale.",
			"Laissez votre nom et votre numéro après le signal sonore.",
			"La personne que vous essayez de joindre n'est pas disponible.",
			"Salut, c'est Tom. / Je ne suis pas joignable pour le moment. Je vous rappellerai.", "Parlez après le bip.",
			"Le numéro que vous avez demandé n'est pas joignable actuellement.",
		},
		perhaps: []string{"Je ne suis pas disponible pour le moment.", "Vous êtes bien chez les Dubois."},
		full: []string{
			"La messagerie de votre correspondant est pleine.", "La boîte vocale est saturée.",
			"Votre correspondant n'a pas configuré sa messagerie vocale.",
			"Cette messagerie ne peut plus recevoir de nouveaux messages.",
			"Le numéro que vous avez composé n'est pas attribué.",
		},
		screening: []string{
			"Bonjour. Si vous indiquez votre nom et le motif de votre appel, je vérifierai si cette personne " +
				"est disponible.",
			"La personne que vous appelez utilise un service de filtrage d'appels de Google et recevra une " +
				"copie de cette conversation.",
			"Dites votre nom et pourquoi vous appelez.",
			"Ici l'assistant virtuel d'Anna. Quel est le motif de votre appel ?",
		},
		menu: []string{
			"Pour les ventes, tapez 1. Pour le support, tapez 2.", "Tous nos conseillers sont occupés.",
			"Votre appel est important pour nous.", "Cet appel est susceptible d'être enregistré.",
		},
		hold: []string{
			"Un instant, s'il vous plaît.", "Ne quittez pas, je vous la passe.", "Attendez une seconde.",
			"Ne quittez pas.", "Je vais voir s'il est là.",
		},
		robot: []string{
			"Vous êtes un robot ?", "C'est un enregistrement ?", "Est-ce que je parle à un robot ?",
			"Êtes-vous une vraie personne ?", "Est-ce un robot ?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"Vous avez fait un faux numéro.", "C'est une erreur de numéro.", "Vous vous êtes trompé de numéro.",
				"Il n'y a personne de ce nom ici.", "Il n'habite plus ici.", "Je ne connais pas cette personne.",
				"Ce n'est plus son numéro.", "Elle a déménagé.", "Je ne suis pas la personne que vous cherchez.",
			},
			Deceased: []string{
				"Il est décédé le mois dernier.", "Mon mari est mort.", "Elle est morte en mars.",
				"Ma mère est décédée il y a deux ans.", "Monsieur Dubois est décédé.", "Elle n'est plus de ce monde.",
				"Il nous a quittés.", "Nous l'avons enterré hier.",
			},
			Minor: []string{
				"Maman n'est pas là.", "Mon papa dort.", "Mes parents ne sont pas à la maison.", "J'ai sept ans.",
				"J'ai seulement six ans.", "Je suis un enfant.", "Je n'ai pas le droit de parler aux inconnus.",
				"Tu veux parler à maman ?",
			},
			Busy: []string{
				"Je suis en train de conduire.", "Je suis au volant.", "Je suis en réunion.", "Je ne peux pas parler.",
				"Ce n'est pas le bon moment.", "Je n'ai pas le temps.", "Je suis très occupé.", "Vous tombez mal.",
				"Non, c'est pas le bon moment.",
			},
			CallBack: []string{
				"Rappelez-moi dans une heure.", "Pouvez-vous rappeler plus tard ?",
				"Je conduis, rappelez-moi dans une heure.", "Rappelez demain.", "Appelez-moi ce soir.",
				"Rappelle-moi lundi.", "Ne m'appelez pas avant midi.", "On peut se parler demain ?",
				"Il sera là vers six heures.", "Donnez-moi une demi-heure.",
			},
			WantsHuman: []string{
				"Je peux parler à un humain ?", "Je voudrais parler à un conseiller.", "Passez-moi un opérateur.",
				"Je ne parle pas aux robots.", "Un conseiller, s'il vous plaît.", "Je veux une vraie personne.",
				"Je veux parler à quelqu'un.", "Je ne veux pas parler à une machine.",
			},
		},
		callBack: map[string]string{
			"Rappelez-moi dans une heure.":                    "2026-11-25 11:07",
			"Rappelez-moi dans vingt minutes.":                "2026-11-25 10:27",
			"Rappelez-moi dans une demi-heure.":               "2026-11-25 10:37",
			"Rappelez-moi dans deux heures.":                  "2026-11-25 12:07",
			"Rappelez-moi demain matin.":                      "2026-11-26 09:00",
			"Rappelez-moi demain.":                            "2026-11-26 10:07",
			"Rappelez-moi ce soir.":                           "2026-11-25 18:00",
			"Rappelez-moi à quatre heures.":                   "2026-11-25 16:00",
			"Rappelez-moi à quatre heures et demie.":          "2026-11-25 16:30",
			"Rappelez-moi à 16h30.":                           "2026-11-25 16:30",
			"Rappelez-moi à seize heures trente.":             "2026-11-25 16:30",
			"Rappelez-moi vers cinq heures moins le quart.":   "2026-11-25 16:45",
			"Rappelez-moi lundi.":                             "2026-11-30 10:07",
			"Rappelez-moi vendredi après-midi à deux heures.": "2026-11-27 14:00",
			"Rappelez après cinq heures.":                     "2026-11-25 17:00",
			"Ne m'appelez pas avant midi.":                    "2026-11-25 12:00",
			"Rappelez plus tard.":                             "",
		},
		person: []string{
			"C'est le bon moment.", "Oui, c'est un bon moment.", "Je vous rappelle demain.", "Ma maman est malade.",
			"Il n'y a personne ici.", "Il n'y a pas de problème ici.", "Je n'ai pas eu le temps.", "Oui.", "Non.",
			"Allô ?", "Oui, allô ?", "C'est moi.", "Qui est à l'appareil ?", "Oui, lundi.", "Demain matin.",
			"À quatre heures.", "Dans une heure.", "J'ai laissé un message à l'infirmière.",
			"Non, personne n'est venu.", "Il m'a rappelé lundi.", "J'étais occupé la semaine dernière.",
			"Je suis occupé lundi.", "Mon téléphone est mort.", "J'ai soixante-dix ans.", "Oui, j'habite ici.",
			"Non, je ne vis pas seul.", "Ma mère m'a emmené.", "J'ai parlé à un médecin.",
			"Ce n'était pas le bon médicament.", "Je n'ai pas mal.", "Mon rendez-vous est demain.", "Pas encore.",
			"Peut-être plus tard.", "Mon mari est ici.", "J'ai une question.", "Non, le médecin n'était pas là.",
			"Je ne sais pas.", "J'ai appelé le médecin.",
		},
	}.checkWho(t, "fr-FR")
}
