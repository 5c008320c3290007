package conversation

import "testing"

func TestDutch(t *testing.T) {
	t.Parallel()
	utterances{
		optOut: []string{
			"Stop", "Stop!", "Stop, alstublieft.", "Nee, stop!", "Stop ermee", "Ik zei stop", "Hou op!",
			"Kunt u ophouden?", "Bel me nooit meer", "Bel mij niet meer", "Bel niet meer",
			"Belt u mij alstublieft niet meer", "Bel hier nooit meer", "U mag mij niet meer bellen",
			"Niet meer bellen, alstublieft",
			"Stop met bellen", "Stop met mij te bellen", "Hou op met bellen", "Ik wil niet meer gebeld worden",
			"Ik wil niet gebeld worden", "Ik wil niet dat u mij belt", "Ik wil geen telefoontjes meer",
			"Geen telefoontjes meer", "Haal mij van de lijst", "Haal me van jullie lijst", "Verwijder mijn nummer",
			"Kunt u mijn nummer verwijderen?", "Schrijf mij uit", "Ik wil me afmelden", "Laat me met rust",
			"stop calling me", "Wilt u mij van de lijst halen?",
			"U moet stoppen met bellen", "Kunt u stoppen met bellen", "U mag mij niet bellen", "Bel mij niet",
			"Wilt u mij niet meer bellen", "Bel dit nummer niet meer", "Ik wil niet benaderd worden",
			"Stop met me lastigvallen", "Schrap mij van de lijst", "Neem geen contact meer met mij op",
			"Wil je me nooit meer bellen", "Niet meer bellen", "Bel me niet meer op", "Bel niet meer naar dit nummer",
			"Ik wil dat jullie stoppen met bellen", "Jullie moeten mij niet meer bellen", "Ik wil van de lijst af",
			"Haal mijn nummer uit het systeem", "Ik wens niet meer gebeld te worden",
		},
		noOptOut: []string{
			"Stop niet", "Hou niet op", "Ik sta bij de bushalte", "Bel me niet voor tien uur", "Bel mij vandaag niet",
			"Bel me morgen", "Bel morgen nog een keer", "Hij belt nooit meer", "Mijn zoon belt niet meer",
			"Helemaal niet", "Verwijder mijn nummer niet", "Haal mij niet van de lijst",
			"Ik sta op de wachtlijst", "Nee bedankt", "Ik kan niet stoppen met hoesten",
			"Het deed gisteren geen pijn meer", "Ik heb de dokter gebeld", "Ik ben gestopt met roken",
			"Laat me niet alleen", "Ik kon niet meer bellen", "Ik heb geen gebeld",
			"Ik bel u morgen terug", "Ik wil geen huisbezoek", "Laat me nadenken", "Laat mij maar even",
			"U mag mij altijd bellen", "Genoeg geslapen", "Het stopt met bloeden", "Ik heb genoeg",
			"De hechtingen zijn verwijderd", "Ik wil stoppen met roken", "Haal me morgen op", "Haal mij om tien uur op",
			"Het stoort me niet meer", "Dat hoeft u mij niet te vertellen", "Ik ben nooit gebeld",
			"Ik werd nooit gebeld", "Ik werd niet meer gebeld door de dokter", "ik schrijf me in", "Schrijf mij in",
			"Dokter, schrijf mij iets uit",
		},
		yes: []string{
			"Ja.", "Ja hoor", "Ja, ik denk het wel", "Eh, ja, natuurlijk", "Zeker weten!", "Dat doe ik",
			"Ja, maar niet op maandag", "Nee, ik bedoel ja", "Geen probleem", "Daar spreekt u mee", "Nee wacht, ja",
			"Waarom niet?", "Klopt",
		},
		no: []string{
			"Nee.", "Nee, dank u", "Neen", "Helemaal niet", "Ik denk het niet", "Nog niet", "Ja, nee wacht, nee",
			"Ik heb hem niet gezien", "Dat heb ik niet", "Dat klopt niet", "Eh, nee, helaas niet",
		},
		unsure: []string{
			"Misschien", "Dat weet ik niet", "Dat hangt ervan af", "Ja en nee", "Dinsdag", "Ik weet het niet zeker",
			"Soms",
		},
		numbers: map[string]float64{
			"3": 3, "drie": 3, "Ongeveer drie, denk ik": 3, "vijfentwintig": 25, "tweeëntwintig": 22,
			"eenentwintig": 21, "vijftig": 50, "vijfenzeventig": 75, "tweehonderdvijftig": 250,
			"twee honderd vijftig": 250, "duizend": 1000, "twee duizend": 2000, "twee duizend vijfhonderd": 2500,
			"1.200": 1200, "3,5": 3.5, "twee en een half": 2.5, "anderhalf": 1.5, "een": 1, "Eén.": 1, "geen": 0,
			"acht van de tien": 8, "8 op 10": 8, "min vijf": -5, "vijf, nee, zes": 6, "vijf, ik bedoel zes": 6,
			"twee keer": 2,
		},
		noNumbers: []string{"twee of drie", "een beetje", "een ogenblik", "ja"},
		choices: map[string]string{
			"Maandag|Dinsdag: op dinsdag graag": "Dinsdag", "Maandag|Dinsdag: de eerste": "Maandag",
			"Maandag|Dinsdag: niet maandag, dinsdag": "Dinsdag", "Maandag|Dinsdag: de laatste": "Dinsdag",
			"Maandag|Dinsdag: maandag of dinsdag":      "",
			"Huisbezoek|Gesprek met een arts: de arts": "Gesprek met een arts",
		},
		repeat: []string{
			"Wat zegt u?", "Wat?", "Kunt u dat herhalen?", "Nog een keer, alstublieft", "Dat begreep ik niet",
			"Ik kan u niet horen",
		},
		who:  []string{"Wie is dit?", "Met wie spreek ik?", "Waar gaat het over?", "Bent u een robot?"},
		bye:  []string{"Tot ziens", "Doei", "Ik moet ophangen, tot ziens", "Fijne dag nog"},
		skip: []string{"Dat weet ik niet", "Volgende vraag", "Dat zeg ik liever niet", "Geen idee"},
		machine: []string{
			"Hallo, dit is het antwoordapparaat van Jan. Spreek een bericht in na de piep.",
			"Ik kan nu niet opnemen, laat een bericht achter na de toon.",
		},
	}.check(t, "nl-NL")
}
