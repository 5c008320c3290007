package conversation

import "testing"

func TestSwedish(t *testing.T) {
	t.Parallel()
	utterances{
		optOut: []string{
			"Stopp", "Stop!", "Stopp, tack.", "Nej, sluta!", "Sluta nu", "Jag sa stopp", "Lägg av!", "Kan ni sluta?",
			"Ring inte mig igen", "Ring aldrig mer", "Ring mig aldrig igen", "Ring inte hit mer",
			"Ni får inte ringa mig igen",
			"Sluta ringa mig", "Sluta ringa hit", "Sluta att ringa", "Stoppa de här samtalen",
			"Jag vill inte bli uppringd", "Jag vill inte ha fler samtal", "Jag vill inte att ni ringer mer",
			"Inga fler samtal, tack", "Ta bort mig från listan", "Ta bort mitt nummer",
			"Kan ni ta bort mig från er lista?", "Avregistrera mig", "Jag vill avanmäla mig", "Lämna mig i fred",
			"Låt mig vara", "Hör inte av er igen", "stop calling me",
			"Ni ska sluta ringa mig", "Ring aldrig hit igen", "Kan ni sluta ringa", "Jag vill inte att ni ringer mig",
			"Ni får inte ringa mig", "Ring mig inte", "Jag vill inte bli kontaktad", "Ta bort mig från er lista tack",
			"Sluta störa mig", "Jag vill inte ha era samtal", "Ni behöver inte ringa mig igen", "Stryk mig från listan",
			"Kontakta mig inte igen", "Ring inte till mig igen",
		},
		noOptOut: []string{
			"Sluta inte", "Stoppa inte", "Jag står vid busshållplatsen", "Ring inte före klockan tio",
			"Ring inte mig idag", "Ring mig imorgon", "Ring igen imorgon", "De ringer mig aldrig",
			"Han ringer inte mer", "Inte alls", "Ta inte bort mitt nummer",
			"Du ska inte ta bort mig", "Jag står på väntelista", "Nej tack", "Jag kan inte sluta hosta",
			"Det slutade göra ont igår", "Jag har ringt läkaren", "Jag slutade röka", "Lämna inte mig ifred",
			"Jag ringer dig igen i morgon", "Ta bort stygnen", "De tog bort mig från operationslistan",
			"Låt mig vara ärlig", "Låt mig tänka", "Låt mig vara med", "Jag vill inte ha hemhjälp",
			"Du får gärna ringa mig igen", "Jag vill inte ha ett samtal idag", "Det slutade blöda",
			"jag vill sluta röka", "Det stör mig inte längre", "Smärtan stör mig inte mer",
		},
		yes: []string{
			"Ja.", "Ja tack", "Jo, det tror jag", "Öh, ja, självklart", "Absolut!", "Det gör jag",
			"Ja, men inte på måndagar", "Nej, jag menar ja", "Inga problem", "Det är jag", "Nej vänta, ja",
			"Varför inte?", "Javisst",
		},
		no: []string{
			"Nej.", "Nej tack", "Nä", "Inte alls", "Det tror jag inte", "Inte än", "Ja, nej vänta, nej",
			"Jag har inte träffat honom", "Det har jag inte", "Det stämmer inte", "Öh, nej, tyvärr inte",
		},
		unsure: []string{
			"Kanske", "Jag vet inte", "Det beror på", "Både och", "Ja och nej", "Tisdag", "Jag är inte säker",
		},
		numbers: map[string]float64{
			"3": 3, "tre": 3, "Ungefär tre, tror jag": 3, "tjugofem": 25, "tjugo ett": 21, "femtio": 50,
			"sjuttiofem": 75, "två hundra femtio": 250, "tvåhundrafemtio": 250, "tusen": 1000, "två tusen": 2000,
			"två tusen fem hundra": 2500,
			"1.200":                1200, "3,5": 3.5, "två och en halv": 2.5, "en och en halv": 1.5, "en": 1, "Ett.": 1,
			"ingen": 0, "åtta av tio": 8, "8 av 10": 8, "minus fem": -5, "fem, nej, sex": 6, "fem, jag menar sex": 6,
			"två gånger": 2, "femti": 50,
		},
		noNumbers: []string{"två eller tre", "lite", "ett ögonblick", "ja"},
		choices: map[string]string{
			"Måndag|Tisdag: på tisdag, tack": "Tisdag", "Måndag|Tisdag: den första": "Måndag",
			"Måndag|Tisdag: inte måndag, tisdag": "Tisdag", "Måndag|Tisdag: den sista": "Tisdag",
			"Måndag|Tisdag: måndag eller tisdag": "", "Hembesök|Samtal från läkare: läkaren": "Samtal från läkare",
		},
		repeat: []string{
			"Va?", "Vad sa du?", "Kan du upprepa det?", "En gång till, tack", "Jag förstod inte", "Jag hör dig inte",
		},
		who:  []string{"Vem är det?", "Vem pratar jag med?", "Vad gäller det?", "Är du en robot?"},
		bye:  []string{"Hej då", "Adjö", "Jag måste gå, hej då", "Ha en bra dag"},
		skip: []string{"Jag vet inte", "Nästa fråga", "Det vill jag helst inte säga", "Ingen aning"},
		machine: []string{
			"Hej, du har kommit till Anna. Lämna ett meddelande efter tonen.",
			"Jag kan inte svara just nu, tala in ett meddelande efter pipet.",
		},
	}.check(t, "sv-SE")
}
