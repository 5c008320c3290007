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
		noNumbers: []string{"to eller tre", "litt", "et øyeblikk", "ja"},
		choices: map[string]string{
			"Mandag|Tirsdag: på tirsdag, takk": "Tirsdag", "Mandag|Tirsdag: den første": "Mandag",
			"Mandag|Tirsdag: ikke mandag, tirsdag": "Tirsdag", "Mandag|Tirsdag: den siste": "Tirsdag",
			"Mandag|Tirsdag: mandag eller tirsdag": "", "Hjemmebesøk|Samtale med lege: legen": "Samtale med lege",
		},
		repeat: []string{
			"Hva?", "Hva sa du?", "Kan du gjenta det?", "En gang til, takk", "Det forsto jeg ikke",
			"Jeg kan ikke høre deg",
		},
		who:  []string{"Hvem er det?", "Hvem snakker jeg med?", "Hva gjelder det?", "Er du en robot?"},
		bye:  []string{"Ha det", "Ha det bra", "Jeg må gå, ha det", "Ha en fin dag"},
		skip: []string{"Det vet jeg ikke", "Neste spørsmål", "Det vil jeg helst ikke si", "Ingen anelse"},
		machine: []string{
			"Hei, du har ringt Kari. Legg igjen en beskjed etter pipetonen.",
			"Jeg kan ikke ta telefonen akkurat nå, les inn en beskjed etter tonen.",
		},
	}.check(t, "no-NO")
}
