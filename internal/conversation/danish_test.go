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
		noNumbers: []string{"to eller tre", "lidt", "et øjeblik", "ja"},
		choices: map[string]string{
			"Mandag|Tirsdag: på tirsdag, tak": "Tirsdag", "Mandag|Tirsdag: den første": "Mandag",
			"Mandag|Tirsdag: ikke mandag, tirsdag": "Tirsdag", "Mandag|Tirsdag: den sidste": "Tirsdag",
			"Mandag|Tirsdag: mandag eller tirsdag": "", "Hjemmebesøg|Opkald fra en læge: lægen": "Opkald fra en læge",
		},
		repeat: []string{
			"Hvad?", "Hvad siger du?", "Kan du gentage det?", "En gang til, tak", "Det forstod jeg ikke",
			"Jeg kan ikke høre dig",
		},
		who:  []string{"Hvem er det?", "Hvem taler jeg med?", "Hvad drejer det sig om?", "Er du en robot?"},
		bye:  []string{"Farvel", "Hej hej", "Jeg må løbe, farvel", "Hav en god dag"},
		skip: []string{"Det ved jeg ikke", "Næste spørgsmål", "Det vil jeg helst ikke sige", "Ingen anelse"},
		machine: []string{
			"Hej, du har ringet til Mette. Læg en besked efter klartonen.",
			"Jeg kan ikke tage telefonen. Indtal en besked efter bippet.",
		},
	}.check(t, "da-DK")
}
