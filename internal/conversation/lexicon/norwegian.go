package lexicon

// Norwegian is the lexicon of Bokmål, with common words of Nynorsk ("ikkje", "nei").
func Norwegian() Language {
	const (
		ring = `(?:ring|ringe|ringer|ringt|kontakt|kontakte|kontakter|forstyrr|forstyrre|plag|plage|mas|mase)`
		me   = `(?:meg|oss|hit|til meg|til oss|på meg|opp|dette nummeret|det nummeret|på dette nummeret|til dette ` +
			`nummeret|nummeret mitt|mitt nummer)`
		never = `(?:ikke mer|ikke meir|ikkje meir|ikke lenger|ikke noe mer|aldri mer|aldri meir|aldri igjen|ikke ` +
			`igjen|ikkje igjen|aldri noen gang)`
		calls = `(?:samtaler|anrop|oppringninger|oppringinger|salgssamtaler|telefonsalg|telefoner|reklamesamtaler|telefonsamtaler)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "Dette er en automatisk samtale. Trykk 9 eller si stopp når som helst, så ringer vi deg " +
				"ikke igjen.",
			NotUnderstood: "Beklager, det forsto jeg ikke.",
			Goodbye:       "Takk for tiden din. Ha det bra.",
			StillThere:    "Er du der fortsatt?",
			NoAnswer:      "Jeg kan ikke høre deg, så jeg legger på nå. Ha det bra.",
			OptedOut:      "Det er forstått. Vi ringer ikke dette nummeret igjen. Ha det bra.",
			Back:          "Beklager, linjen falt ut et øyeblikk.",
			MoveOn:        "Det er helt i orden, vi går videre.",
			Moment:        "Et øyeblikk.",
			Trouble:       "Beklager, vi har et teknisk problem, så jeg må legge på nå. Ha det bra.",
			Acks:          []string{"Takk.", "Fint."},
		},
		Filler: []string{"øh", "øhm", "eh", "ehm", "æh", "hm", "hmm", "mm", "altså", "ja altså", "nja", "tja", "tjo",
			"jaha", "la meg se", "la meg tenke", "jeg tror", "jeg synes", "vil jeg si", "jeg vil si", "vel", "nok",
			"liksom", "på en måte",
			"cirka", "omtrent", "rundt", "kanskje rundt", "takk", "tusen takk", "mange takk", "unnskyld", "beklager",
			"hør", "hør her", "vennligst", "er du snill", "så", "og", "men", "jo", "faktisk", "egentlig", "bare"},
		Hello: []string{
			"hallo", "hei", "heisann", "god dag", "goddag", "god morgen", "god kveld", "morn", "ja hallo", "ja hei",
		},
		Bye: []string{
			"ha det", "ha det bra", "hade", "hade bra", "adjø", "farvel", "vi snakkes", "vi høres", "ha en fin dag",
			"ha en god dag", "jeg må gå", "jeg må gå nå", "jeg må løpe", "jeg må legge på", "jeg legger på nå",
			"jeg legger på",
		},
		Who: []string{
			"hvem er det", "hvem er dette", "hvem er du", "hvem snakker jeg med", "hvem er det jeg snakker med",
			"hvem ringer", "hvem er det som ringer", "hva gjelder det", "hva dreier det seg om", "hva handler det om",
			"hva er dette", "hvor ringer du fra", "hvorfor ringer du", "kven er det", "er du en robot",
			"er dette en robot", "er det en maskin",
		},
		Repeat: []string{"hva", "hæ", "hva sa du", "hva sier du", "ka sa du", "unnskyld", "beklager", "unnskyld meg",
			"en gang til", "igjen", "om igjen", "gjenta", "gjenta spørsmålet", "kan du gjenta", "kan du gjenta det",
			"kan du gjenta spørsmålet", "kan du ta det igjen", "kan du si det igjen", "si det igjen", "ta det igjen",
			"jeg forstår ikke", "jeg forsto ikke", "jeg forstod ikke", "det forsto jeg ikke", "jeg skjønte ikke",
			"jeg skjønner ikke", "jeg hørte ikke", "det hørte jeg ikke", "jeg kan ikke høre deg", "jeg hører deg ikke",
			"jeg hørte ikke hva du sa", "jeg fikk det ikke med meg", "hva mener du", "hva var spørsmålet"},
		Record: []string{
			"legg igjen en beskjed", "legg igjen beskjed", "legg igjen din beskjed", "les inn en beskjed",
			"etter pipetonen", "etter tonen", "etter signalet", "etter pipet", "kan ikke ta telefonen akkurat nå",
		},
		Skip: []string{"vet ikke", "jeg vet ikke", "det vet jeg ikke", "veit ikke", "jeg veit ikke", "veit ikkje",
			"aner ikke", "jeg aner ikke", "ingen anelse", "jeg har ingen anelse", "vanskelig å si",
			"det kan jeg ikke si", "det vil jeg ikke svare på", "jeg vil ikke svare", "jeg vil helst ikke svare",
			"det vil jeg ikke si", "det vil jeg helst ikke si", "ingen kommentar",
			"hopp over", "neste spørsmål", "neste", "pass", "det har du ikke noe med", "det raker deg ikke",
			"jeg husker ikke", "det husker jeg ikke", "ingen av dem", "ingen av delene", "verken eller"},

		Yes: []string{"ja", "jo", "jepp", "japp", "jada", "joda", "ja da", "jo da", "ja takk", "jo takk", "ja gjerne",
			"gjerne", "veldig gjerne", "selvfølgelig", "selvsagt", "naturligvis", "klart", "klart det", "så klart",
			"absolutt", "definitivt", "sikkert", "helt sikkert", "okei", "okay", "ok", "greit", "det er greit",
			"det går fint", "i orden", "det er i orden",
			"riktig", "det er riktig", "det stemmer", "stemmer", "stemmer det", "korrekt", "det er korrekt", "rett",
			"nettopp", "akkurat", "nemlig", "presis", "ikke noe problem", "ingen problem", "det er ikke noe problem",
			"null problem", "hvorfor ikke", "det tror jeg", "jeg tror det", "uten tvil", "vær så god", "enig",
			"med glede", "mhm", "mm hm"},
		No: []string{"nei", "nix", "niks", "nei takk", "nei da", "neida", "nei nei", "slett ikke", "overhodet ikke",
			"absolutt ikke", "selvfølgelig ikke", "selvsagt ikke", "ikke i det hele tatt", "ikke egentlig", "ikke helt",
			"ikke ennå", "ikke enda", "ikke nå", "ikke i dag", "aldri i livet", "på ingen måte", "det tror jeg ikke",
			"jeg tror ikke det", "jeg tror ikke", "dessverre ikke", "ikke interessert", "jeg er ikke interessert",
			"det er feil", "feil", "det er ikke riktig", "ikke riktig", "det stemmer ikke", "stemmer ikke",
			"ikke korrekt", "feil nummer", "helst ikke", "negativt"},
		Unsure: []string{
			"kanskje", "muligens", "eventuelt", "kan være", "det kan være", "kanskje ikke", "vet ikke",
			"jeg vet ikke", "det vet jeg ikke", "ikke sikker", "jeg er ikke sikker", "jeg er usikker", "usikker",
			"det kommer an på", "kommer an på", "det spørs", "det varierer", "av og til", "noen ganger", "både og",
			"ja og nej", "ja og nei", "mer eller mindre", "sånn passe", "vanskelig å si", "jeg husker ikke",
			"ingen anelse",
		},
		Hint: []string{"ikke", "ikkje", "ingen", "aldri", "ingenting"},
		Mistaken: []string{
			"jeg mener", "jeg mente", "eller rettere sagt", "rettere sagt", "eller heller", "vent", "vent litt",
			"nei vent", "det vil si", "jeg sa feil", "unnskyld nei", "eller nei", "feil av meg",
		},
		YesAlone: []string{
			"det gjør jeg", "det har jeg", "det er jeg", "det kan jeg", "det vil jeg", "det vil jeg gjerne",
			"det gjorde jeg", "det er det", "det er meg", "ja det er meg", "det er henne", "det er ham", "sant",
			"bra", "veldig bra", "kjempebra", "supert", "perfekt", "flott", "fint", "det passer", "det passer bra",
			"det passer fint", "det høres bra ut", "har jeg", "kan jeg",
		},
		NoAlone: []string{
			"usant", "det gjør jeg ikke", "det har jeg ikke", "det er jeg ikke", "det kan jeg ikke",
			"det vil jeg ikke", "det gjorde jeg ikke", "det er det ikke", "aldri", "ingen", "ingenting", "ikke",
			"det passer ikke",
		},
		Not: []string{"ikke", "ikkje", "uten", "ingen", "verken"},

		Connectives: []string{"eller", "etter", "innen", "under", "over", "med", "fra", "til"},

		Ordinals: [MaxOrdinals][]string{
			{"første", "den første", "det første", "nummer en", "alternativ en"},
			{"andre", "den andre", "det andre", "nummer to", "alternativ to"},
			{"tredje", "den tredje", "nummer tre", "alternativ tre"}, {"fjerde", "nummer fire"},
			{"femte", "nummer fem"}, {"sjette", "nummer seks"}, {"sjuende", "syvende", "nummer sju", "nummer syv"},
			{"åttende", "nummer åtte"},
		},
		Last: []string{"siste", "den siste", "det siste", "sistnevnte"},

		Spell:    spellNorwegian,
		Thousand: []string{"tusen", "ett tusen", "et tusen", "ettusen"},
		Half:     []string{"og en halv", "og et halvt", "en halv"},
		And:      []string{"og"},
		OutOf:    []string{"av", "ut av"},
		Minus:    []string{"minus"},
		Article:  []string{"en", "et", "ett", "ei", "én"},
		Vague: []string{
			"et øyeblikk", "en stund", "litt", "bittelitt", "et par stykker", "en annen gang", "den ene", "et sekund",
			"et minutt", "en del", "en gang til", "en masse", "noen",
		},
		Counts: map[string]float64{
			"ingen": 0, "ingenting": 0, "aldri": 0, "ikke i det hele tatt": 0, "en gang": 1, "to ganger": 2,
			"tre ganger": 3, "et par": 2, "et par ganger": 2, "en halv": 0.5, "et halvt": 0.5, "en og en halv": 1.5,
			"halvannen": 1.5, "et dusin": 12,
		},
		DecimalComma: true,

		Glad: []string{
			"bra", "kjempebra", "veldig bra", "fint", "supert", "perfekt", "flott", "herlig", "nydelig", "fantastisk",
			"utmerket", "glad", "fornøyd", "bedre", "vennlig", "vennlige", "hyggelig", "hyggelige", "koselig",
			"hjelpsom", "hjelpsomme", "snill", "snille",
		},
		Sad: []string{
			"dårlig", "ille", "forferdelig", "fryktelig", "grusomt", "elendig", "sur", "sint", "irritert",
			"irriterende", "misfornøyd", "skuffet", "skuffende", "lei", "lei meg", "opprørt", "verre", "verst",
			"smerte", "smerter", "vondt", "gjør vondt", "problem", "problemer", "klage", "svimmel", "syk", "frekt",
			"svindel", "bortkastet tid", "bekymret",
		},

		Urge: []string{
			"nei", "ja", "nå", "nå holder det", "straks", "med en gang", "umiddelbart", "bare", "kan du", "kan dere",
			"vil du", "du må", "dere må", "du skal", "jeg sa", "jeg sier", "jeg sa jo", "jeg vil at du skal",
			"jeg vil at dere skal", "okei", "ok", "for guds skyld", "hei", "med dette", "med det", "det der", "dette",
		},
		StopAlone: []string{
			"stopp", "stop", "stopp det", "stopp dette", "stopp nå", "stoppe", "slutt", "slutt nå", "slutt med det",
			"slutt med dette", "slutte", "hold opp", "gi deg", "kutt ut", "meld meg av", "avmeld", "avmeld meg",
			"fjern meg", "slett meg", "la meg være", "la meg være i fred", "ikke ring", "ikke ring mer",
			"ikke ring igjen", "ring ikke", "ikke flere samtaler", "ingen flere samtaler", "ingen flere anrop",
		},
		Stop: []string{
			`\b` + ring + ` (?:vennligst |bare |nå )*(?:` + me + ` )*` + never + `\b`,
			`\b` + ring + ` (?:vennligst |bare |nå )*` + never + `\b`,
			`\b` + ring + ` (?:vennligst )?(?:ikke|ikkje|aldri) (?:` + me +
				` ?)+(?:$|mer\b|meir\b|igjen\b|lenger\b|noen gang\b|takk\b)`,
			`\b(?:ikke|ikkje|aldri) (?:noen gang |mer )?` + ring + ` (?:` + me +
				` ?)*(?:mer\b|meir\b|igjen\b|lenger\b|noen gang\b|takk\b)`,
			`^(?:[a-z]+ )?(?:ikke|ikkje|aldri) ` + ring + ` (?:` + me + ` ?)+$`,
			`^(?:[a-z]+ )?ring (?:` + me + ` )+(?:ikke|ikkje|aldri)$`,
			`\b(?:må|skal|får|bør) (?:du |dere )?(?:aldri|ikke|ikkje) ` + ring + ` (?:` + me +
				` ?)+(?:$|mer\b|meir\b|igjen\b|noen gang\b|lenger\b)`,
			`\b(?:slutt|slutte|stopp|hold opp|kutt ut) (?:nå |straks |vennligst )*(?:med )?(?:å )?(?:` + ring +
				`|de |disse |alle |den |denne )+(?:` + calls +
				`|samtalene|anropene|oppringningene|ringingen|masingen|` + me + `)?`,
			`\b(?:vil|ønsker|orker|gidder) (?:jeg )?(?:ikke|ikkje|aldri) (?:lenger )?(?:bli |ha |få |motta )?(?:at ` +
				`(?:du|dere) (?:skal )?` + ring + `|oppringt|kontaktet|forstyrret|ringt|flere ` + calls + `|slike ` +
				calls + `|sånne ` + calls + `|disse ` + calls + `)`,
			`\b(?:aldri|ikke) (?:mer |lenger )?(?:bli |vil bli )(?:oppringt|kontaktet|ringt|forstyrret)\b`,
			`\bvil ikke ha (?:flere |noen flere |slike |sånne |disse )?` + calls + `\b`,
			`\b(?:ingen|ikke) flere ` + calls + `\b`,
			`\b(?:fjern|slett|stryk|ta bort|fjerne|slette|stryke) (?:meg|oss|nummeret mitt|mitt nummer|navnet ` +
				`mitt|mitt navn|telefonnummeret mitt|dette nummeret|opplysningene mine|mine opplysninger)\b`,
			`\bta (?:meg|oss|nummeret mitt) (?:av|bort fra|ut av|vekk fra) (?:[a-z]+ ` +
				`){0,2}(?:liste|lista|listen|listene|systemet|registeret)\b`,
			`\b(?:meld|melde) (?:meg|oss) av\b`, `\bavmeld(?:e)? (?:meg|oss|nummeret mitt)\b`,
			`\bla (?:meg|oss) (?:nå )?(?:være i fred\b|være$|i fred\b)`,
		},
		Cues: []string{
			"ring", "kontakt", "forstyrr", "plag", "mas", "samtal", "anrop", "oppring", "salgs", "telefon", "reklame",
			"slutt", "stopp", "hold", "kutt", "fjern", "slett", "stryk", "ta", "meld", "avmeld", "la",
		},
		NotStop: []string{
			`\b(?:ring|ringe|ringer|kontakt|kontakte) (?:[a-z]+ ){0,3}(?:før|etter|i dag|i kveld|i morgen|på ` +
				`morgenen|på kvelden|på formiddagen|så sent|så tidlig|akkurat nå|nå)\b`,
			`\bring (?:[a-z]+ ){0,3}(?:ikke|aldri) (?:[a-z]+ ){0,3}(?:før|etter|i dag|i kveld|i morgen|så sent|så ` +
				`tidlig|akkurat nå)\b`,
			`\b(?:jeg|vi|han|hun|de|noen|ingen|man|min [a-z]+|mine [a-z]+|legen|sønnen min|datteren min) (?:har ` +
				`|kan |kunne |vil |må |skal )?(?:aldri |ikke )?(?:ringer|ringte|ringt|kontakter|kontaktet|ringe) ` +
				`(?:[a-z]+ ){0,3}(?:ikke|aldri)? ?(?:mer|igjen|lenger)?`,
			`\b(?:ikke|ikkje|aldri|uten å|la være å) (?:slutt|slutte|stopp|stoppe|avmeld|avmelde|meld meg av|melde ` +
				`meg av|fjern|fjerne|slett|slette|stryk|stryke|ta|hold opp|holde opp|la|gi deg)(?: [a-z]+)*`,
			`\b(?:slutt|stopp|hold|fjern|slett) (?:ikke|aldri)\b[a-z ]*`,
			`\b(?:fjern|slett|meld) (?:meg|oss|nummeret mitt) ikke\b[a-z ]*`,
			`\b(?:venteliste|ventelista|holdeplass|bussholdeplass|stoppested)[a-z]*\b`,
		},
	}
}

func spellNorwegian(n int) []string {
	small := [][]string{{"null"}, nil, {"to"}, {"tre"}, {"fire"}, {"fem"}, {"seks"}, {"sju", "syv"}, {"åtte"}, {"ni"},
		{"ti"}, {"elleve"}, {"tolv"}, {"tretten"},
		{"fjorten"}, {"femten"}, {"seksten"}, {"sytten"}, {"atten"}, {"nitten"}}
	tens := [][]string{
		nil, nil, {"tjue", "tyve"}, {"tretti", "tredve"}, {"førti"}, {"femti"}, {"seksti"}, {"sytti"}, {"åtti"},
		{"nitti"},
	}
	switch {
	case n == 1:
		return nil // "en" and "et" are also articles
	case n < 20:
		return small[n]
	case n < 100:
		units := small[n%10]
		if n%10 == 1 {
			units = []string{"en", "ett"}
		}
		var all []string
		for _, ten := range tens[n/10] {
			if n%10 == 0 {
				all = append(all, ten)
				continue
			}
			for _, unit := range units { // "femtito", or "to og femti" as older speakers count
				all = append(all, ten+unit, ten+" "+unit, unit+"og"+ten, unit+" og "+ten)
			}
		}
		return all
	}
	heads := []string{"hundre", "ett hundre", "et hundre", "etthundre"}
	if n/100 > 1 {
		heads = nil
		for _, unit := range small[n/100] {
			heads = append(heads, unit+" hundre", unit+"hundre")
		}
	}
	rests := spellNorwegian(n % 100)
	if n%100 == 1 {
		rests = []string{"en", "ett"}
	}
	if n%100 == 0 {
		return heads
	}
	return combine(heads, []string{" ", " og ", "og"}, rests)
}
