package lexicon

// Dutch is the lexicon of Dutch.
func Dutch() Language {
	const (
		call  = `(?:bel|belt|bellen|gebeld|opbellen|opgebeld|telefoneer|telefoneren|contacteer|contacteren|benader|benaderen|benaderd|stoor|storen|lastigvallen|lastig vallen|lastiggevallen)`
		me    = `(?:mij|me|ons|hier|naar hier|naar mij|dit nummer|op dit nummer|naar dit nummer|mijn nummer|terug)`
		never = `(?:niet meer|nooit meer|nooit nog|nooit weer|niet nog een keer|niet nog eens|niet opnieuw|nimmer ` +
			`meer|niet langer)`
		calls = `(?:telefoontjes|telefoontje|telefoongesprekken|oproepen|belletjes|verkoopgesprekken|reclametelefoontjes|gebel)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "Dit is een automatisch gesprek. Druk op elk moment op 9 of zeg stop, dan bellen wij u " +
				"niet meer.",
			NotUnderstood: "Sorry, dat heb ik niet verstaan.",
			Goodbye:       "Bedankt voor uw tijd. Tot ziens.",
			StillThere:    "Bent u er nog?",
			NoAnswer:      "Ik kan u niet horen, dus ik hang nu op. Tot ziens.",
			OptedOut:      "Ik begrijp het. Wij bellen dit nummer niet meer. Tot ziens.",
			Back:          "Sorry, de verbinding was even weg.",
			MoveOn:        "Dat geeft niet, we gaan verder.",
			Moment:        "Een ogenblik, alstublieft.",
			Trouble:       "Sorry, we hebben een technisch probleem, dus ik moet nu ophangen. Tot ziens.",
			Acks:          []string{"Dank u.", "Goed."},
		},
		Filler: []string{"eh", "ehm", "uh", "uhm", "euh", "hm", "hmm", "mm", "nou", "nou ja", "nou eh", "tja", "ja nou",
			"ach", "dus", "zeg maar", "even denken", "even kijken", "laat me denken", "laat eens kijken", "ik denk",
			"ik geloof", "ik zou zeggen", "zou ik zeggen", "denk ik", "geloof ik",
			"ongeveer", "zo'n", "zowat", "misschien ongeveer", "alstublieft", "alsjeblieft", "dank u", "dank u wel",
			"dank je", "dank je wel", "dankjewel", "dankuwel", "bedankt", "sorry", "pardon", "luister", "hoor",
			"eigenlijk", "waarschijnlijk", "meneer", "mevrouw", "en", "maar", "wel", "toch", "gewoon", "eens"},
		Hello: []string{
			"hallo", "hoi", "goedendag", "goeiedag", "goedemorgen", "goeiemorgen", "goedemiddag", "goeiemiddag",
			"goedenavond", "goeieavond", "dag", "ja hallo", "met wie",
		},
		Bye: []string{
			"tot ziens", "doei", "doeg", "dag dag", "houdoe", "vaarwel", "tot horens", "tot later", "fijne dag",
			"fijne dag nog", "prettige dag", "nog een fijne dag", "ik moet gaan", "ik moet ophangen", "ik hang op",
			"ik ga ophangen", "ik moet weg",
		},
		Who: []string{
			"wie is dit", "wie is daar", "wie bent u", "wie ben je", "met wie spreek ik",
			"met wie heb ik het genoegen", "wie belt er", "wie belt daar", "wie belt", "waar gaat het over",
			"waar gaat dit over", "waarover gaat het", "waar belt u vandaan", "waar bel je vandaan", "waarom belt u",
			"wat is dit", "bent u een robot", "ben je een robot", "is dit een robot", "is dit een computer",
		},
		Repeat: []string{"wat", "wat zegt u", "wat zei u", "wat zeg je", "wat zei je", "hè", "huh", "sorry", "pardon",
			"wablief", "nog een keer", "nog eens", "opnieuw", "herhaal", "herhaal dat", "herhaal de vraag",
			"kunt u dat herhalen", "kan u dat herhalen", "kun je dat herhalen", "kan je dat herhalen",
			"kunt u de vraag herhalen", "kunt u herhalen", "wilt u dat herhalen",
			"kunt u dat nog een keer zeggen", "zeg dat nog eens", "ik begrijp het niet", "ik begrijp u niet",
			"ik begreep het niet", "dat begreep ik niet", "ik snap het niet", "ik versta u niet",
			"ik verstond het niet", "dat verstond ik niet", "ik heb het niet verstaan", "dat heb ik niet verstaan",
			"ik hoor u niet", "ik kan u niet horen", "wat bedoelt u", "wat was de vraag"},
		Record: []string{
			"spreek een bericht in", "laat een bericht achter", "laat uw bericht achter", "spreek uw bericht in",
			"spreek na de toon", "na de toon", "na de piep", "na de pieptoon", "kan de telefoon nu niet opnemen",
			"niet aanwezig om uw oproep",
		},
		Skip: []string{"weet ik niet", "dat weet ik niet", "ik weet het niet", "weet niet", "geen idee",
			"ik heb geen idee", "ik zou het niet weten", "zou ik niet weten", "moeilijk te zeggen",
			"dat kan ik niet zeggen", "dat zeg ik liever niet", "zeg ik liever niet", "dat wil ik niet zeggen",
			"daar wil ik geen antwoord op geven", "ik wil niet antwoorden", "liever geen antwoord", "geen commentaar",
			"overslaan", "sla over", "volgende vraag", "volgende", "pas", "dat gaat u niets aan", "gaat u niks aan",
			"dat weet ik niet meer", "ik weet het niet meer", "kan ik me niet herinneren", "geen van beide",
			"geen van allen", "geen van alle"},

		Yes: []string{"ja", "jawel", "jazeker", "ja hoor", "ja zeker", "zeker", "zeker weten", "ja graag", "graag",
			"heel graag", "natuurlijk", "uiteraard", "vanzelfsprekend", "tuurlijk", "absoluut", "beslist", "inderdaad",
			"klopt", "dat klopt", "ja dat klopt", "juist", "precies", "correct", "dat is juist", "dat is correct",
			"akkoord", "oké", "ok", "okay", "prima", "is goed", "dat is goed", "in orde", "komt in orde",
			"geen probleem", "dat is geen probleem", "waarom niet", "ik denk het wel", "ik denk van wel",
			"ik geloof het wel", "ik geloof van wel", "zonder twijfel", "ongetwijfeld", "met plezier", "mhm", "mm hm",
			"yes", "yep"},
		No: []string{"nee", "neen", "nee hoor", "nee nee", "nee bedankt", "nee dank u", "nee dank je", "nee dank u wel",
			"helemaal niet", "absoluut niet", "zeker niet", "natuurlijk niet", "uiteraard niet", "niet echt",
			"nog niet", "nu niet", "niet nu", "vandaag niet", "liever niet", "in geen geval", "geen sprake van",
			"ik denk het niet", "ik denk van niet", "ik geloof het niet", "ik geloof van niet", "helaas niet",
			"geen interesse", "geen belangstelling", "niet geïnteresseerd", "ik ben niet geïnteresseerd",
			"klopt niet", "dat klopt niet", "onjuist", "dat is niet juist", "dat is niet zo", "fout", "verkeerd",
			"verkeerd verbonden", "verkeerd nummer", "nooit van mijn leven", "dat is fout", "negatief", "integendeel"},
		Unsure: []string{
			"misschien", "mogelijk", "eventueel", "zou kunnen", "dat zou kunnen", "kan zijn", "misschien wel",
			"misschien niet", "weet ik niet", "dat weet ik niet", "ik weet het niet", "niet zeker",
			"ik ben niet zeker", "ik weet het niet zeker", "dat weet ik niet zeker", "dat ligt eraan", "ligt eraan",
			"dat hangt ervan af", "hangt ervan af", "soms", "af en toe", "ja en nee", "min of meer", "zo zo",
			"een beetje", "moeilijk te zeggen", "geen idee",
		},
		Hint: []string{"niet", "geen", "nooit", "niks", "niets"},
		Mistaken: []string{
			"ik bedoel", "ik bedoelde", "of liever", "of beter gezegd", "beter gezegd", "wacht", "wacht even",
			"nee wacht", "dat wil zeggen", "ik vergis me", "sorry nee", "of nee", "correctie", "ik zeg het verkeerd",
		},
		YesAlone: []string{
			"dat ben ik", "ben ik", "daar spreekt u mee", "spreekt u mee", "dat doe ik", "doe ik", "dat heb ik",
			"heb ik", "dat kan ik", "kan ik", "dat wil ik", "dat wil ik graag", "dat is zo", "zo is het", "goed",
			"heel goed", "perfect", "waar", "dat is waar", "mooi", "fijn", "super", "dat past", "dat schikt",
			"dat komt goed uit", "klinkt goed", "mee eens", "eens",
		},
		NoAlone: []string{
			"onwaar", "dat ben ik niet", "dat doe ik niet", "dat heb ik niet", "heb ik niet", "dat kan ik niet",
			"dat wil ik niet", "dat is niet waar", "nooit", "geen", "geen een", "niets", "niks", "niet",
			"dat past niet",
		},
		Not: []string{"niet", "geen", "zonder", "behalve", "noch"},

		Connectives: []string{"voor", "naar", "over", "tussen", "door", "later", "geen", "onze"},

		Ordinals: [MaxOrdinals][]string{
			{"eerste", "de eerste", "het eerste", "nummer één", "optie één"},
			{"tweede", "de tweede", "het tweede", "nummer twee", "optie twee"},
			{"derde", "de derde", "nummer drie", "optie drie"}, {"vierde", "nummer vier"}, {"vijfde", "nummer vijf"},
			{"zesde", "nummer zes"}, {"zevende", "nummer zeven"}, {"achtste", "nummer acht"},
		},
		Last: []string{"laatste", "de laatste", "het laatste", "laatstgenoemde"},

		Spell:    spellDutch,
		Thousand: []string{"duizend", "eenduizend"},
		Half:     []string{"en een half", "en een halve", "eneenhalf", "enhalf"},
		And:      []string{"en"},
		OutOf:    []string{"van de", "van", "op", "uit", "op de"},
		Minus:    []string{"min"},
		Article:  []string{"een", "één", "eentje", "ene"},
		Vague: []string{
			"een beetje", "een paar", "een ogenblik", "een moment", "een momentje", "een seconde", "een minuut",
			"een andere keer", "de ene", "een vraag", "een stuk", "een aantal", "nog een keer", "een tijdje",
			"een heleboel",
		},
		Counts: map[string]float64{
			"geen": 0, "geen enkele": 0, "geen een": 0, "niets": 0, "niks": 0, "nooit": 0, "helemaal niet": 0,
			"een keer": 1, "eenmaal": 1, "twee keer": 2, "tweemaal": 2, "drie keer": 3, "driemaal": 3,
			"een paar keer": 2, "half": 0.5, "een half": 0.5, "een halve": 0.5, "anderhalf": 1.5, "anderhalve": 1.5,
			"tweeënhalf": 2.5, "tweeënhalve": 2.5, "drieënhalf": 3.5, "vierenhalf": 4.5, "een dozijn": 12,
			"een tiental": 10,
		},
		DecimalComma: true,

		Glad: []string{
			"goed", "heel goed", "prima", "fijn", "mooi", "super", "perfect", "geweldig", "fantastisch", "uitstekend",
			"heerlijk", "blij", "tevreden", "gelukkig", "beter", "vriendelijk", "vriendelijke", "aardig", "aardige",
			"behulpzaam", "lief", "leuk", "hartelijk dank", "top",
		},
		Sad: []string{
			"slecht", "erg slecht", "vreselijk", "verschrikkelijk", "afschuwelijk", "belabberd", "boos", "kwaad",
			"geïrriteerd", "vervelend", "ontevreden", "teleurgesteld", "teleurstellend", "erger", "ergste",
			"slechter", "pijn", "zeer", "probleem", "problemen", "klacht", "klagen", "duizelig", "ziek", "misselijk",
			"schandalig", "brutaal", "oplichting", "oplichterij", "tijdverspilling", "bezorgd", "verdrietig",
		},

		Urge: []string{
			"nee", "ja", "nu", "nou", "meteen", "onmiddellijk", "direct", "eindelijk", "even", "kunt u", "kan u",
			"kun je", "wilt u", "wil je", "u moet", "je moet", "jullie moeten", "ik zei", "ik zeg", "ik zei toch",
			"ik heb gezegd", "ik wil dat u", "ik wil dat je", "ik wil dat jullie", "ok", "oké", "in godsnaam", "hé",
			"ermee", "daarmee", "hiermee", "nu eens",
		},
		StopAlone: []string{
			"stop", "stoppen", "stopt", "stop ermee", "stop daarmee", "stop hiermee", "stop dit", "hou op", "houd op",
			"hou ermee op", "houd ermee op", "ophouden", "schei uit", "genoeg", "afmelden", "meld mij af",
			"meld me af", "uitschrijven", "schrijf mij uit", "schrijf me uit", "laat me met rust",
			"laat mij met rust", "niet meer bellen", "nooit meer bellen", "bel niet", "bel niet meer",
			"geen telefoontjes meer", "verwijder mij", "verwijder me",
		},
		Stop: []string{
			`\b` + call + ` (?:u |je |jullie |alstublieft |alsjeblieft |toch |maar )*(?:` + me +
				` )*(?:alstublieft |alsjeblieft |a u b )*` + never + `\b`,
			`\b(?:mij|me|ons|dit nummer)? ?(?:alstublieft |alsjeblieft )?` + never + ` (?:op )?(?:te )?(?:` + me +
				` )?` + call + `(?:$| (?:alstublieft|alsjeblieft|worden|wordt|aub|dank|op|door|a)\b)`,
			`\b(?:wil|wens|wensen|willen|hoef|moet) (?:[a-z]+ ){0,3}` + never +
				` (?:[a-z]+ ){0,3}(?:worden )?(?:op)?(?:gebeld|bellen|belt|benaderd|gestoord|lastiggevallen|lastig ` +
				`gevallen|gecontacteerd)\b`,
			`\b(?:wil|wens|wensen|willen) (?:ik |wij |we )?niet (?:dat (?:u|je|jullie) (?:mij|me|ons) (?:nog ` +
				`)?(?:belt|bellen|bel|opbelt|benadert)|(?:meer |langer )?(?:op)?gebeld worden|(?:meer |langer ` +
				`)?worden (?:op)?gebeld|(?:meer |langer )?benaderd worden)`,
			`^(?:[a-z]+ )?(?:bel|belt) (?:mij|me|ons|hier|dit nummer) (?:alstublieft |alsjeblieft )?(?:niet|nooit)$`,
			`\b(?:u|je|jullie) (?:mag|mogen|moet|moeten|hoeft|hoeven) (?:mij|me|ons|hier|dit nummer) ` +
				`(?:niet|nooit)(?: meer)?(?: te)? (?:bellen|opbellen|storen|benaderen)$`,
			`\b(?:stop|stopt|stoppen|hou|houd|ophouden) (?:nu |nou |eens |meteen |alstublieft |alsjeblieft |direct ` +
				`|toch )*(?:op )?met (?:al )?(?:(?:mij|me|ons) )?(?:te ` +
				`)?(?:bellen|opbellen|storen|lastigvallen|die|deze|dat|uw|jullie|dit|telefoontjes|gebel)(?: ` +
				calls + `)?\b`,
			`\b(?:wil|wens|willen|hoef) (?:ik |wij |we )?(?:echt )?geen (?:[a-z]+ ){0,2}` + calls + `\b`,
			`\bneemt? (?:u )?(?:geen|nooit|niet) (?:meer |nog )?(?:contact )?(?:meer |nog )?(?:met (?:mij|me|ons) ` +
				`)?op\b`,
			`\b(?:wil|moet) (?:[a-z]+ ){0,2}(?:van|uit) (?:[a-z]+ ){1,2}(?:lijst|bestand|systeem) ` +
				`(?:af|gehaald|verwijderd|worden)\b`,
			`\bgeen ` + calls + ` meer\b`, `\bgeen (?:verdere|nieuwe) ` + calls + `\b`,
			`\b(?:haal|haalt|halen|gooi|gooit) (?:u )?(?:mij|me|ons|mijn (?:telefoon)?nummer|mijn naam|mijn ` +
				`gegevens|dit nummer) (?:[a-z]+ ){0,2}(?:van|uit|weg)\b`,
			`\b(?:verwijder|verwijdert|verwijderen|schrap|wis|wissen) (?:u )?(?:mij|me|ons|mijn ` +
				`(?:telefoon)?nummer|mijn naam|mijn gegevens|dit nummer)\b`,
			`\b(?:mij|me|ons|mijn (?:telefoon)?nummer|mijn naam|mijn gegevens|dit nummer) (?:alstublieft ` +
				`|alsjeblieft |graag )?(?:van|uit) (?:[a-z]+ ` +
				`){0,3}(?:lijst|lijsten|bestand|bestanden|systeem|database) (?:te ` +
				`)?(?:halen|verwijderen|schrappen|gooien|wissen)\b`,
			`\b(?:mijn (?:telefoon)?nummer|mijn gegevens|dit nummer) (?:alstublieft |graag ` +
				`)?(?:verwijderen|wissen|schrappen)\b`,
			`\b(?:schrijf|schrijft|meld|meldt) (?:u )?(?:mij|me|ons) (?:alstublieft |alsjeblieft |dan |nu ` +
				`)?(?:uit|af)\b`, `\b(?:mij|me|ons) (?:alstublieft |graag )?(?:uitschrijven|afmelden|uit te ` +
				`schrijven|af te melden)\b`,
			`\b(?:laat|laten) (?:u )?(?:mij|me|ons) (?:alstublieft |alsjeblieft |nou |nu |toch )*met rust\b`,
		},
		Cues: []string{
			"bel", "gebel", "opbel", "opgebeld", "telefon", "telefoon", "contact", "gecontact", "benad", "stoor",
			"storen", "gestoord", "lastig", "oproep", "verkoop", "reclame", "stop", "hou", "ophou", "haal", "halen",
			"verwijder", "schrap", "wis", "gooi", "schrijf", "uit", "meld", "afmeld", "rust", "neem", "lijst",
			"bestand", "systeem",
		},
		NotStop: []string{
			`\b(?:bel|belt|bellen) (?:[a-z]+ ){0,4}(?:niet|nooit) (?:meer )?(?:[a-z]+ ` +
				`){0,2}(?:voor|na|vandaag|vanavond|vanmiddag|morgen|ochtends|avonds|zo laat|zo vroeg|nu|tussen)\b`,
			`\b(?:niet|nooit) meer (?:vandaag|vanavond|voor|na|zo laat|zo vroeg|nu|morgen|tussen) [a-z0-9 ]*`,
			`\b(?:ik|wij|we|hij|zij|ze|niemand|iemand|men|mijn ` +
				`(?:zoon|dochter|man|vrouw|dokter|huisarts|moeder|vader|broer|zus)|de dokter|de huisarts) (?:heb ` +
				`|heeft |hebben |werd |werden |ben |bent |is |kan |kon |kunnen |mag |durf |zal )(?:[a-z]+ ` +
				`){0,3}(?:niet|nooit)(?: meer)?(?: [a-z]+){0,2} (?:bellen|gebeld|opgebeld|gecontacteerd)\b`,
			`\b(?:hij|zij|ze|niemand|mijn (?:zoon|dochter|man|vrouw|dokter|huisarts|moeder|vader|broer|zus)|de ` +
				`dokter) (?:belt|bellen|belde) (?:[a-z]+ ){0,2}(?:niet|nooit)(?: meer)?\b`,
			`\bik bel (?:[a-z]+ ){0,2}(?:niet|nooit)(?: meer)?\b`,
			`\b(?:stop|stopt|hou|houd|verwijder|haal|wis|schrap) (?:[a-z]+ ){0,4}(?:niet|nooit)\b[a-z ]*`,
			`\b(?:niet|nooit|zonder te|zonder) (?:te ` +
				`)?(?:stoppen|ophouden|verwijderen|uitschrijven|afmelden|schrappen|wissen)\b[a-z ]*`,
			`\b(?:laat|laten) (?:mij|me|ons) niet\b[a-z ]*`, `\b(?:schrijf|meld) (?:mij|me|ons) niet\b[a-z ]*`,
			`\bwachtlijst[a-z]*\b`, `\b(?:bushalte|halte)\b`, `\bmet bellen naar\b`,
		},
	}
}

func spellDutch(n int) []string {
	small := []string{"nul", "", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf",
		"twaalf", "dertien",
		"veertien", "vijftien", "zestien", "zeventien", "achttien", "negentien"}
	tens := []string{"", "", "twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig"}
	switch {
	case n == 1:
		return nil // "een" is also an article
	case n < 20:
		return []string{small[n]}
	case n < 100:
		unit := small[n%10]
		switch n % 10 {
		case 0:
			return []string{tens[n/10]}
		case 1:
			unit = "een"
		}
		all := []string{unit + "en" + tens[n/10], unit + " en " + tens[n/10]} // ë is folded to e
		return all
	}
	heads := []string{small[n/100] + "honderd", small[n/100] + " honderd"}
	if n/100 == 1 {
		heads = []string{"honderd", "eenhonderd"}
	}
	rests := spellDutch(n % 100)
	if n%100 == 1 {
		rests = []string{"een"}
	}
	if n%100 == 0 {
		return heads
	}
	return combine(heads, []string{"", " ", "en", " en "}, rests)
}
