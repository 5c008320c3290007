package conversation

import "testing"

func TestNorwegian(t *testing.T) {
	t.Parallel()
	utterances{
		optOut: []string{
			"Stopp", "Stop!", "Stopp, takk.", "Nei, slutt!", "Slutt nå", "Jeg sa stopp", "Kan dere slutte?",
			"Ikke ring meg igjen", "Ikke ring mer", "Ring aldri mer", "Ring meg aldri igjen", "Ikke ring hit mer",
			"Dere må ikke ringe meg igjen", "Ikkje ring meg meir",
			"Slutt å ringe meg", "Slutt å ringe hit", "Slutt med å ringe", "Slutt å mase", "Jeg vil ikke bli oppringt",
			"Jeg vil ikke ha flere samtaler", "Jeg vil ikke at dere skal ringe mer", "Ingen flere anrop, takk",
			"Fjern meg fra listen", "Slett nummeret mitt",
			"Kan dere ta meg av listen?", "Meld meg av", "Jeg vil melde meg av", "La meg være i fred", "La meg være",
			"Aldri ring meg", "stop calling me",
			"Dere må slutte å ringe meg", "Kan dere slutte å ringe", "Jeg vil ikke at dere ringer meg",
			"Dere får ikke ringe meg", "Ring meg ikke", "Jeg vil ikke bli kontaktet", "Ta meg av listen deres",
			"Ta meg bort fra listen", "Slutt å plage meg", "Stryk meg fra listen", "Ikke kontakt meg igjen",
			"Ikke ring til meg igjen", "Stopp å ringe meg", "Ikke ring meg",
		},
		noOptOut: []string{
			"Ikke stopp", "Ikke slutt", "Jeg står på bussholdeplassen", "Ikke ring før klokka ti",
			"Ikke ring meg i dag", "Ring meg i morgen", "Ring igjen i morgen", "De ringer meg aldri",
			"Han ringer ikke mer", "Slett ikke", "Nei, slett ikke", "Ikke fjern nummeret mitt",
			"Du må ikke slette meg", "Jeg står på venteliste", "Nei takk", "Jeg kan ikke slutte å hoste",
			"Det sluttet å gjøre vondt i går", "Jeg har ringt legen", "Jeg sluttet å røyke", "Ikke la meg være alene",
			"Jeg ringer deg igjen i morgen", "La meg være ærlig", "La meg tenke", "Jeg vil ikke ha hjemmehjelp",
			"Du kan gjerne ringe meg igjen", "Ring meg gjerne igjen", "Det plager meg ikke mer",
			"Smertene plager meg ikke lenger", "Stingene ble fjernet", "Jeg vil slutte å røyke", "Jeg tok meg av barna",
			"De maser ikke mer",
		},
		yes: []string{
			"Ja.", "Ja takk", "Jo, det tror jeg", "Eh, ja, selvfølgelig", "Absolutt!", "Det gjør jeg",
			"Ja, men ikke på mandager", "Nei, jeg mener ja", "Ikke noe problem", "Det er meg", "Nei vent, ja",
			"Hvorfor ikke?", "Klart det",
		},
		no: []string{
			"Nei.", "Nei takk", "Niks", "Slett ikke", "Det tror jeg ikke", "Ikke ennå", "Ja, nei vent, nei",
			"Jeg har ikke sett ham", "Det har jeg ikke", "Det stemmer ikke", "Eh, nei, dessverre ikke",
		},
		unsure: []string{
			"Kanskje", "Det vet jeg ikke", "Det kommer an på", "Både og", "Ja og nei", "Tirsdag",
			"Jeg er ikke sikker",
		},
		numbers: map[string]float64{
			"3": 3, "tre": 3, "Omtrent tre, tror jeg": 3, "tjuefem": 25, "en og tjue": 21, "femti": 50, "syttifem": 75,
			"syv": 7, "to hundre og femti": 250, "tusen": 1000, "to tusen": 2000, "to tusen fem hundre": 2500,
			"1.200": 1200, "3,5": 3.5, "to og en halv": 2.5, "halvannen": 1.5, "en": 1, "Ett.": 1, "ingen": 0,
			"åtte av ti": 8, "8 av 10": 8, "minus fem": -5, "fem, nei, seks": 6, "fem, jeg mener seks": 6,
			"to ganger": 2,
		},
		noNumbers: []string{"to eller tre", "litt", "ja"},
		choices: map[string]string{
			"Mandag|Tirsdag: på tirsdag, takk": "Tirsdag", "Mandag|Tirsdag: den første": "Mandag",
			"Mandag|Tirsdag: ikke mandag, tirsdag": "Tirsdag", "Mandag|Tirsdag: den siste": "Tirsdag",
			"Mandag|Tirsdag: mandag eller tirsdag": "", "Hjemmebesøk|Samtale med lege: legen": "Samtale med lege",
		},
		repeat: []string{
			"Hva?", "Hva sa du?", "Kan du gjenta det?", "En gang til, takk", "Det forsto jeg ikke",
			"Jeg kan ikke høre deg",
		},
		who:  []string{"Hvem er det?", "Hvem snakker jeg med?", "Hva gjelder det?"},
		bye:  []string{"Ha det", "Ha det bra", "Jeg må gå, ha det", "Ha en fin dag"},
		skip: []string{"Det vet jeg ikke", "Neste spørsmål", "Det vil jeg helst ikke si", "Ingen anelse"},
		machine: []string{
			"Hei, du har kommet til telefonsvareren til Anne. / Legg igjen en beskjed etter tonen.",
			"Du har kommet til Lars. Jeg kan ikke ta telefonen akkurat nå. / Jeg ringer deg tilbake.",
			"Personen du ringer til er ikke tilgjengelig.",
			"Abonnenten har slått av telefonen eller er utenfor dekningsområde.",
			"Legg igjen en beskjed etter pipetonen.", "Du blir nå satt over til telefonsvareren.",
			"Les inn en melding etter signalet.", "Hei, dette er mobilsvar til Eva.",
			"Hei, det er Tom. / Legg igjen beskjed.", "Jeg ringer tilbake så snart jeg kan.",
			"Legg igjen navn og nummer etter pipet.",
		},
		perhaps: []string{"Du har kommet til familien Hansen.", "Jeg kan ikke ta telefonen akkurat nå."},
		full: []string{
			"Telefonsvareren er full.", "Det er ikke mulig å legge igjen flere meldinger.",
			"Kunden har ikke satt opp telefonsvarer.", "Telefonsvareren er ikke aktivert.",
		},
		screening: []string{
			"Hei. Hvis du sier navnet ditt og årsaken til anropet, sjekker jeg om personen er tilgjengelig.",
			"Personen du ringer bruker anropsfilter fra Google og får en kopi av samtalen.",
			"Si navnet ditt og hvorfor du ringer.", "Jeg er den digitale assistenten til Anne. Hva gjelder samtalen?",
		},
		menu: []string{
			"For salg, tast 1. For support, tast 2.", "Alle våre medarbeidere er opptatt.", "Du er nummer tre i køen.",
			"Samtalen kan bli tatt opp.",
		},
		hold: []string{
			"Et øyeblikk.", "Vent litt, jeg henter henne.", "Et øyeblikk, takk.", "Vennligst vent.",
			"Jeg setter deg over.",
		},
		robot: []string{
			"Er du en robot?", "Er dette et opptak?", "Snakker jeg med et ekte menneske?", "Er du en person?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"Du har ringt feil.", "Du har feil nummer.", "Feil nummer.", "Det er ingen her som heter det.",
				"Hun bor ikke her lenger.", "Jeg kjenner ikke henne.", "Det er ikke nummeret hans lenger.",
				"Han har flyttet.", "Her bor det ingen Anne.",
			},
			Deceased: []string{
				"Han døde forrige måned.", "Mannen min er død.", "Hun har gått bort.",
				"Moren min døde for to år siden.", "Han er dessverre død.", "Hun lever ikke lenger.",
				"Vi har begravet ham.", "Nei, hun døde i mars.",
			},
			Minor: []string{
				"Mamma er ikke hjemme.", "Pappa sover.", "Foreldrene mine er ikke hjemme.", "Jeg er sju år.",
				"Jeg er bare seks.", "Jeg er bare et barn.", "Jeg får ikke lov til å snakke med fremmede.",
				"Vil du snakke med mamma?",
			},
			Busy: []string{
				"Jeg sitter i bilen.", "Jeg kjører bil.", "Jeg er i et møte.", "Jeg kan ikke snakke nå.",
				"Det passer ikke så bra nå.", "Jeg har ikke tid.", "Jeg er opptatt nå.", "Det er et dårlig tidspunkt.",
				"Jeg er på jobb.",
			},
			CallBack: []string{
				"Ring meg om en time.", "Kan du ringe tilbake senere?", "Jeg kjører, ring om en time.",
				"Ring i morgen.", "Ring meg i kveld.", "Ring meg på mandag.", "Ikke ring meg før klokka tolv.",
				"Kan vi snakke i morgen?", "Han kommer hjem klokka seks.", "Gi meg en halvtime.",
			},
			WantsHuman: []string{
				"Kan jeg få snakke med et menneske?", "Jeg vil snakke med en kundebehandler.",
				"Sett meg over til en ekte person.", "Jeg snakker ikke med roboter.", "Kundeservice, takk.",
				"Jeg vil ha et ekte menneske.", "Jeg vil ikke snakke med en maskin.", "Er det ikke et menneske?",
			},
		},
		callBack: map[string]string{
			"Ring meg om en time.":           "2026-11-25 11:07",
			"Ring om tjue minutter.":         "2026-11-25 10:27",
			"Ring om en halvtime.":           "2026-11-25 10:37",
			"Ring om to timer.":              "2026-11-25 12:07",
			"Ring i morgen tidlig.":          "2026-11-26 09:00",
			"Ring meg i morgen.":             "2026-11-26 10:07",
			"Ring meg i kveld.":              "2026-11-25 18:00",
			"Ring meg klokka fire.":          "2026-11-25 16:00",
			"Ring meg halv fem.":             "2026-11-25 16:30",
			"Ring meg klokken 16.30.":        "2026-11-25 16:30",
			"Ring meg kvart på fem.":         "2026-11-25 16:45",
			"Ring meg på mandag.":            "2026-11-30 10:07",
			"Ring meg på fredag klokka to.":  "2026-11-27 14:00",
			"Ring etter fem.":                "2026-11-25 17:00",
			"Ikke ring meg før klokka tolv.": "2026-11-25 12:00",
			"Kan du ringe tilbake senere?":   "",
		},
		person: []string{
			"Mamma er syk.", "Det er ikke så bra.", "Det er ingen problemer her.", "Det er ingen her.",
			"Det passer meg ikke.", "Ja.", "Nei.", "Hallo?", "Ja, hallo?", "Det er meg.", "Hvem er det?",
			"Ja, på mandag.", "I morgen tidlig.", "Klokka fire.", "Om en time.",
			"Jeg la igjen en beskjed til sykepleieren.", "Nei, ingen har kommet.", "Han ringte tilbake på mandag.",
			"Jeg var opptatt forrige uke.", "På mandag er jeg opptatt.", "Telefonen min er død.", "Jeg er sytti år.",
			"Ja, jeg bor her.", "Nei, jeg bor ikke alene.", "Mamma kjørte meg.", "Jeg har snakket med en lege.",
			"Det var feil medisin.", "Jeg har ikke vondt.", "Timen min er i morgen.", "Ikke ennå.", "Kanskje senere.",
			"Mannen min er her.", "Jeg har et spørsmål.", "Nei, legen var ikke der.", "Jeg vet ikke.",
			"Jeg ringte legen.",
		},
	}.check(t, "no-NO")
}
