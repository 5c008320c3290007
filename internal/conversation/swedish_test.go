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
		noNumbers: []string{"två eller tre", "lite", "ja"},
		choices: map[string]string{
			"Måndag|Tisdag: på tisdag, tack": "Tisdag", "Måndag|Tisdag: den första": "Måndag",
			"Måndag|Tisdag: inte måndag, tisdag": "Tisdag", "Måndag|Tisdag: den sista": "Tisdag",
			"Måndag|Tisdag: måndag eller tisdag": "", "Hembesök|Samtal från läkare: läkaren": "Samtal från läkare",
		},
		repeat: []string{
			"Va?", "Vad sa du?", "Kan du upprepa det?", "En gång till, tack", "Jag förstod inte", "Jag hör dig inte",
		},
		who:  []string{"Vem är det?", "Vem pratar jag med?", "Vad gäller det?"},
		bye:  []string{"Hej då", "Adjö", "Jag måste gå, hej då", "Ha en bra dag"},
		skip: []string{"Jag vet inte", "Nästa fråga", "Det vill jag helst inte säga", "Ingen aning"},
		machine: []string{
			"Hej, du har kommit till Annas telefonsvarare. / Lämna ett meddelande efter tonen.",
			"Du har kommit till Lars. Jag kan inte svara just nu. / Jag ringer upp dig.",
			"Abonnenten du söker kan inte nås för tillfället.", "Personen du ringer är inte tillgänglig.",
			"Du har kommit till röstbrevlådan för Eva.", "Lämna gärna ett meddelande.",
			"Tala in ditt meddelande efter signalen.", "Hej, det är Tom. / Du vet vad du ska göra.",
			"Samtalet kopplas till röstbrevlådan.", "Jag återkommer så snart jag kan.",
			"Vi kan inte ta emot ditt samtal just nu.", "Lämna namn och nummer efter pipet.",
		},
		perhaps: []string{"Du har kommit till familjen Svensson.", "Jag kan inte svara just nu."},
		full: []string{
			"Röstbrevlådan är full.", "Det går inte att lämna fler meddelanden.", "Abonnenten har ingen röstbrevlåda.",
			"Röstbrevlådan är inte aktiverad.",
		},
		screening: []string{
			"Hej. Om du uppger ditt namn och anledningen till samtalet kollar jag om personen är tillgänglig.",
			"Personen du ringer använder samtalsfilter från Google och får en kopia av samtalet.",
			"Säg ditt namn och varför du ringer.", "Jag är Annas digitala assistent. Vad gäller samtalet?",
		},
		menu: []string{
			"För försäljning, tryck 1. För support, tryck 2.", "Alla våra handläggare är upptagna.",
			"Ditt samtal är viktigt för oss.", "Samtalet kan komma att spelas in.",
		},
		hold: []string{
			"Ett ögonblick.", "Vänta lite, jag hämtar henne.", "Var god dröj.", "Ja, ett ögonblick bara.",
			"Jag kopplar dig vidare.",
		},
		robot: []string{
			"Är du en robot?", "Är det en inspelning?", "Pratar jag med en riktig människa?", "Är det en maskin?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"Du har ringt fel.", "Du har fel nummer.", "Fel nummer.", "Det finns ingen här med det namnet.",
				"Hon bor inte här längre.", "Jag känner ingen som heter Lars.", "Det är inte hans nummer längre.",
				"Han har flyttat.", "Här bor ingen Eva.",
			},
			Deceased: []string{
				"Han dog förra månaden.", "Min man har gått bort.", "Hon är död.",
				"Min mamma gick bort för två år sedan.", "Han är tyvärr avliden.", "Hon lever inte längre.",
				"Vi har begravt honom.", "Nej, hon avled i mars.",
			},
			Minor: []string{
				"Mamma är inte hemma.", "Min pappa sover.", "Mina föräldrar är inte hemma.", "Jag är sju år.",
				"Jag är bara sex.", "Jag är bara ett barn.", "Jag får inte prata med främlingar.",
				"Vill du prata med mamma?",
			},
			Busy: []string{
				"Jag sitter i bilen.", "Jag kör bil.", "Jag sitter i möte.", "Jag kan inte prata nu.",
				"Det passar inte så bra nu.", "Jag har inte tid.", "Jag är upptagen just nu.",
				"Det är ett dåligt tillfälle.", "Jag är på jobbet.",
			},
			CallBack: []string{
				"Ring mig om en timme.", "Kan du ringa tillbaka senare?", "Jag kör, ring om en timme.",
				"Ring i morgon.", "Ring mig i kväll.", "Ring mig på måndag.", "Ring mig inte före tolv.",
				"Kan vi prata i morgon?", "Han kommer hem klockan sex.", "Ge mig en halvtimme.",
			},
			WantsHuman: []string{
				"Kan jag få prata med en människa?", "Jag vill tala med en handläggare.",
				"Koppla mig till en riktig person.", "Jag pratar inte med robotar.", "Kundtjänst, tack.",
				"Jag vill ha en riktig människa.", "Jag vill inte prata med en maskin.", "Finns det någon människa?",
			},
		},
		callBack: map[string]string{
			"Ring mig om en timme.":           "2026-11-25 11:07",
			"Ring mig om tjugo minuter.":      "2026-11-25 10:27",
			"Ring mig om en halvtimme.":       "2026-11-25 10:37",
			"Ring mig om två timmar.":         "2026-11-25 12:07",
			"Ring mig i morgon bitti.":        "2026-11-26 09:00",
			"Ring mig imorgon.":               "2026-11-26 10:07",
			"Ring mig i kväll.":               "2026-11-25 18:00",
			"Ring mig klockan fyra.":          "2026-11-25 16:00",
			"Ring mig halv fem.":              "2026-11-25 16:30",
			"Ring mig klockan 16.30.":         "2026-11-25 16:30",
			"Ring mig kvart i fem.":           "2026-11-25 16:45",
			"Ring mig på måndag.":             "2026-11-30 10:07",
			"Ring mig på fredag klockan två.": "2026-11-27 14:00",
			"Ring efter fem.":                 "2026-11-25 17:00",
			"Ring mig inte före tolv.":        "2026-11-25 12:00",
			"Kan du ringa tillbaka senare?":   "",
		},
		person: []string{
			"Min mamma är sjuk.", "Det är inte så bra.", "Det finns ingen hjälp här.", "Det finns ingen här.",
			"Det passar mig inte.", "Ja, jag ska gå.", "Ja.", "Nej.", "Hallå?", "Ja, hallå?", "Det är jag.",
			"Vem är det?", "Ja, på måndag.", "I morgon bitti.", "Klockan fyra.", "Om en timme.",
			"Jag lämnade ett meddelande till sköterskan.", "Nej, ingen har kommit.", "Han ringde mig i måndags.",
			"Jag var upptagen förra veckan.", "På måndag är jag upptagen.", "Min telefon är död.", "Jag är sjuttio år.",
			"Ja, jag bor här.", "Nej, jag bor inte ensam.", "Min mamma körde mig.", "Jag har pratat med en läkare.",
			"Det var fel medicin.", "Jag har inte ont.", "Mitt besök är i morgon.", "Inte än.", "Kanske senare.",
			"Min man är här.", "Jag har en fråga.", "Nej, läkaren var inte där.", "Jag vet inte.",
			"Jag ringde läkaren.",
		},
	}.check(t, "sv-SE")
}
