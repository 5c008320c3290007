package conversation

import "testing"

func TestDanish(t *testing.T) {
	t.Parallel()
	utterances{
		optOut: []string{
			"Stop", "Stop, tak.", "Nej, stop!", "Stop nu", "Jeg sagde stop", "Hold nu op!", "Ring ikke til mig igen",
			"Ring aldrig til mig igen", "ring ikke mere", "I må ikke ringe til mig mere",
			"Du må aldrig ringe til mig igen.", "Hold op med at ringe til mig", "Stop med at ringe",
			"Stop med de opkald", "Jeg vil ikke have flere opkald", "Jeg ønsker ikke at I ringer mere",
			"Ikke flere opkald, tak", "Fjern mig fra listen", "Slet mit nummer", "Tag mig af jeres liste",
			"Kan du slette mit nummer?", "Afmeld mig", "Jeg vil gerne framelde mig", "Lad mig være i fred",
			"Lad mig være",
			"Jeg vil ikke kontaktes mere", "jeg vil ikke ringes op igen", "stop calling me",
			"I skal stoppe med at ringe til mig", "Kan I ikke lade være med at ringe", "Lad være med at ringe til mig",
			"jeg vil ikke have at I ringer til mig", "Jeg gider ikke flere opkald",
			"Jeg vil ikke snakke med jer, ring ikke igen", "I må ikke ringe til mig", "Du skal ikke ringe mere",
			"Jeg vil slettes fra jeres liste", "I skal ikke kontakte mig", "stop så", "Hold så op", "Vil I slette mig",
			"Ring ikke til dette nummer igen",
		},
		noOptOut: []string{
			"Stop ikke", "Hold ikke op", "Lad være med at stoppe", "Ved busstoppestedet", "Det er ved stoppestedet",
			"Ring ikke før klokken ti", "Ring ikke til mig i dag", "Ring til mig i morgen", "Ring igen i morgen",
			"De ringer aldrig til mig", "Han ringer ikke mere", "Slet ikke", "Nej, slet ikke", "Fjern ikke mit nummer",
			"Du skal ikke slette mit nummer", "Jeg står på venteliste", "Nej tak", "Jeg kan ikke holde op med at hoste",
			"Det holdt op i går", "Jeg har ringet til lægen",
			"Jeg ringer til dig i morgen", "Tag medicinen", "Ja, det er slut nu", "Jeg har taget mine piller",
			"Du kan ringe til mig igen", "Ring gerne til mig igen", "Jeg vil ikke have et opkald i dag",
			"Jeg vil ikke have hjemmehjælp", "Lad mig være ærlig", "Lad mig være med", "Hold da op",
			"hold da op hvor er det godt", "Jeg vil helst ikke ringe til lægen", "Jeg kan ikke ringe til lægen mere",
			"Stop en halv", "Smerterne stoppede", "jeg gider ikke tage medicin mere",
		},
		yes: []string{
			"Ja.", "Ja tak", "Jo, det tror jeg nok", "Øh, ja, selvfølgelig", "Helt klart!", "Det gør jeg",
			"Ja, men ikke om mandagen", "Nej, jeg mener ja", "Ingen problem", "Det er mig", "Nej vent, ja",
			"Hvorfor ikke?",
		},
		no: []string{
			"Nej.", "Nej tak", "Næ", "Slet ikke", "Det tror jeg ikke", "Ikke endnu", "Ja, nej vent, nej",
			"Jeg har ikke set ham", "Det har jeg ikke", "Det stemmer ikke", "Øh, nej, desværre ikke",
		},
		unsure: []string{
			"Måske", "Det ved jeg ikke", "Det kommer an på", "Både og", "Ja og nej", "Tirsdag", "Jeg er ikke sikker",
		},
		numbers: map[string]float64{
			"3": 3, "tre": 3, "Omkring tre, tror jeg": 3, "femogtyve": 25, "en og tyve": 21, "halvtreds": 50,
			"femoghalvfjerds": 75, "to hundrede og halvtreds": 250, "tusind": 1000, "to tusind": 2000,
			"to tusind fem hundrede": 2500,
			"1.200":                  1200, "3,5": 3.5, "to og en halv": 2.5, "halvanden": 1.5, "en": 1, "Et.": 1,
			"ingen": 0, "otte ud af ti": 8, "8 af 10": 8, "minus fem": -5, "fem, nej, seks": 6,
			"fem, jeg mener seks": 6, "to gange": 2,
		},
		noNumbers: []string{"to eller tre", "lidt", "ja"},
		choices: map[string]string{
			"Mandag|Tirsdag: på tirsdag, tak": "Tirsdag", "Mandag|Tirsdag: den første": "Mandag",
			"Mandag|Tirsdag: ikke mandag, tirsdag": "Tirsdag", "Mandag|Tirsdag: den sidste": "Tirsdag",
			"Mandag|Tirsdag: mandag eller tirsdag": "", "Hjemmebesøg|Opkald fra en læge: lægen": "Opkald fra en læge",
		},
		repeat: []string{
			"Hvad?", "Hvad siger du?", "Kan du gentage det?", "En gang til, tak", "Det forstod jeg ikke",
			"Jeg kan ikke høre dig",
		},
		who:  []string{"Hvem er det?", "Hvem taler jeg med?", "Hvad drejer det sig om?"},
		bye:  []string{"Farvel", "Hej hej", "Jeg må løbe, farvel", "Hav en god dag"},
		skip: []string{"Det ved jeg ikke", "Næste spørgsmål", "Det vil jeg helst ikke sige", "Ingen anelse"},
		machine: []string{
			"Hej, du har ringet til Annes telefonsvarer. / Læg en besked efter tonen.",
			"Du har ringet til Lars. Jeg kan ikke tage telefonen lige nu. / Jeg ringer tilbage.",
			"Den person, du ringer til, er ikke tilgængelig.", "Abonnenten kan ikke træffes i øjeblikket.",
			"Læg venligst en besked efter klartonen.", "Du er blevet viderestillet til telefonsvareren.",
			"Indtal din besked efter bippet.", "Jeg kan ikke besvare dit opkald.", "Hej, det er Tom. / Læg en besked.",
			"Jeg ringer tilbage så hurtigt som muligt. Jeg vender tilbage hurtigst muligt.",
			"Læg navn og nummer efter biplyden.",
		},
		perhaps: []string{"Du har ringet til familien Jensen.", "Jeg kan ikke tage telefonen lige nu."},
		full: []string{
			"Telefonsvareren er fuld.", "Det er ikke muligt at indtale flere beskeder.",
			"Kunden har ikke oprettet telefonsvarer.", "Telefonsvareren er endnu ikke aktiveret.",
		},
		screening: []string{
			"Hej. Hvis du siger dit navn og årsagen til opkaldet, ser jeg, om personen er tilgængelig.",
			"Den person, du ringer til, bruger opkaldsfilter fra Google og får en kopi af samtalen.",
			"Sig dit navn og hvorfor du ringer.", "Jeg er Annes digitale assistent. Hvad drejer opkaldet sig om?",
		},
		menu: []string{
			"For salg, tast 1. For support, tast 2.", "Alle vores medarbejdere er optaget.", "Du er nummer tre i køen.",
			"Samtalen kan blive optaget.",
		},
		hold: []string{
			"Et øjeblik.", "Vent lige, jeg henter hende.", "Lige et øjeblik, tak.", "Bliv hængende.",
			"Jeg stiller dig om.",
		},
		robot: []string{
			"Er du en robot?", "Er det en optagelse?", "Taler jeg med et rigtigt menneske?", "Er du et menneske?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"Du har ringet forkert.", "Du har fået forkert nummer.", "Forkert nummer.",
				"Der er ingen her, der hedder det.", "Hun bor her ikke mere.", "Jeg kender ikke ham.",
				"Det er ikke hans nummer længere.", "Han er flyttet.", "Der bor ingen Anne her.",
			},
			Deceased: []string{
				"Han døde sidste måned.", "Min mand er død.", "Hun er gået bort.", "Min mor døde for to år siden.",
				"Han er desværre død.", "Hun lever ikke længere.", "Vi har begravet ham.", "Nej, hun døde i marts.",
			},
			Minor: []string{
				"Min mor er ikke hjemme.", "Mor er i bad.", "Mine forældre er ikke hjemme.", "Jeg er syv år.",
				"Jeg er kun seks.", "Jeg er kun et barn.", "Jeg må ikke tale med fremmede.", "Vil du tale med min mor?",
			},
			Busy: []string{
				"Jeg sidder i bilen.", "Jeg kører bil.", "Jeg er til møde.", "Jeg kan ikke tale lige nu.",
				"Det passer ikke så godt lige nu.", "Jeg har ikke tid.", "Jeg har travlt lige nu.",
				"Det er et dårligt tidspunkt.", "Jeg er på arbejde.",
			},
			CallBack: []string{
				"Ring til mig om en time.", "Kan du ringe tilbage senere?", "Jeg kører, ring om en time.",
				"Ring i morgen.", "Ring til mig i aften.", "Ring til mig på mandag.",
				"Ring ikke til mig før klokken tolv.", "Kan vi tale sammen i morgen?", "Han kommer hjem klokken seks.",
				"Giv mig en halv time.",
			},
			WantsHuman: []string{
				"Må jeg tale med et menneske?", "Jeg vil gerne tale med en medarbejder.",
				"Stil mig om til en rigtig person.", "Jeg taler ikke med robotter.", "Kundeservice, tak.",
				"Jeg vil have et rigtigt menneske.", "Jeg vil ikke tale med en maskine.", "Er der ikke et menneske?",
			},
		},
		callBack: map[string]string{
			"Ring til mig om en time.":            "2026-11-25 11:07",
			"Ring om tyve minutter.":              "2026-11-25 10:27",
			"Ring om en halv time.":               "2026-11-25 10:37",
			"Ring om to timer.":                   "2026-11-25 12:07",
			"Ring i morgen tidlig.":               "2026-11-26 09:00",
			"Ring til mig i morgen.":              "2026-11-26 10:07",
			"Ring til mig i aften.":               "2026-11-25 18:00",
			"Ring til mig klokken fire.":          "2026-11-25 16:00",
			"Ring til mig halv fem.":              "2026-11-25 16:30",
			"Ring til mig klokken 16.30.":         "2026-11-25 16:30",
			"Ring til mig kvart i fem.":           "2026-11-25 16:45",
			"Ring til mig på mandag.":             "2026-11-30 10:07",
			"Ring til mig på fredag klokken to.":  "2026-11-27 14:00",
			"Ring efter fem.":                     "2026-11-25 17:00",
			"Ring ikke til mig før klokken tolv.": "2026-11-25 12:00",
			"Kan du ringe tilbage senere?":        "",
		},
		person: []string{
			"Min mor er syg.", "Det er ikke så godt.", "Der er ingen problemer her.", "Der er ingen her.",
			"Det passer mig ikke.", "Ja, jeg skal gå.", "Ja.", "Nej.", "Hallo?", "Ja, hallo?", "Det er mig.",
			"Hvem er det?", "Ja, på mandag.", "I morgen tidlig.", "Klokken fire.", "Om en time.",
			"Jeg lagde en besked til sygeplejersken.", "Nej, der er ikke kommet nogen.",
			"Han ringede tilbage i mandags.", "Jeg havde travlt i sidste uge.", "På mandag har jeg travlt.",
			"Min telefon er død.", "Jeg er halvfjerds år.", "Ja, jeg bor her.", "Nej, jeg bor ikke alene.",
			"Min mor kørte mig.", "Jeg har talt med en læge.", "Det var den forkerte medicin.", "Jeg har ikke ondt.",
			"Min tid er i morgen.", "Ikke endnu.", "Måske senere.", "Min mand er her.", "Jeg har et spørgsmål.",
			"Nej, lægen var der ikke.", "Det ved jeg ikke.", "Jeg ringede til lægen.",
		},
	}.check(t, "da-DK")
}
