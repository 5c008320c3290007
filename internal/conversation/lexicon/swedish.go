package lexicon

// Swedish is the lexicon of Swedish.
func Swedish() Language {
	const (
		ring = `(?:ring|ringa|ringer|ringt|kontakta|kontaktar|höra av er|störa|trakassera)`
		me   = `(?:mig|oss|hit|till mig|till oss|upp mig|upp|det här numret|detta nummer|på det här numret|på ` +
			`detta nummer|till det här numret|mitt nummer)`
		never = `(?:inte mer|inte mera|inte längre|aldrig mer|aldrig mera|aldrig igen|inte igen|aldrig ` +
			`någonsin|någonsin igen)`
		calls = `(?:samtal|säljsamtal|telefonsamtal|reklamsamtal|påringningar|telefonförsäljning|uppringningar)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "Det här är ett automatiskt samtal. Tryck 9 eller säg stopp när som helst, så ringer vi " +
				"inte dig igen.",
			NotUnderstood: "Ursäkta, det uppfattade jag inte.",
			Goodbye:       "Tack för din tid. Hej då.",
			StillThere:    "Är du kvar?",
			NoAnswer:      "Jag hör dig inte, så jag lägger på nu. Hej då.",
			OptedOut:      "Jag förstår. Vi ringer inte det här numret igen. Hej då.",
			Back:          "Ursäkta, linjen bröts ett ögonblick.",
			MoveOn:        "Det gör inget, vi går vidare.",
			Moment:        "Ett ögonblick, tack.",
			Trouble:       "Ursäkta, vi har ett tekniskt problem, så jag måste lägga på nu. Hej då.",
			Acks:          []string{"Tack.", "Bra."},
		},
		Filler: []string{"öh", "öhm", "äh", "ähm", "eh", "ehm", "hm", "hmm", "mm", "alltså", "ja alltså", "nja", "tja",
			"jaha", "jo alltså", "låt mig se", "låt mig tänka", "få se", "jag tror", "jag tycker", "skulle jag säga",
			"jag skulle säga", "väl", "nog", "typ", "liksom",
			"cirka", "ungefär", "runt", "kanske runt", "kanske ungefär", "tack", "tack så mycket", "tusen tack",
			"ursäkta", "förlåt", "hör du", "snälla", "vänligen", "så", "och", "men", "ju", "faktiskt", "egentligen",
			"just"},
		Hello: []string{
			"hallå", "hej", "hejsan", "tjena", "god dag", "goddag", "god morgon", "godmorgon", "god kväll",
			"ja hallå", "ja hej",
		},
		Bye: []string{
			"hej då", "hejdå", "adjö", "vi hörs", "vi ses", "ha det bra", "ha det så bra", "ha en bra dag",
			"ha en fin dag", "jag måste gå", "jag måste gå nu", "jag måste sluta", "jag måste lägga på",
			"jag lägger på nu", "jag lägger på",
		},
		Who: []string{
			"vem är det", "vem är det här", "vem är du", "vem talar jag med", "vem pratar jag med",
			"vem är det jag pratar med", "vem ringer", "vem är det som ringer", "vad gäller det",
			"vad handlar det om", "vad är det här", "varifrån ringer du", "var ringer du ifrån", "varför ringer du",
			"är du en robot", "är det en robot", "är det en maskin",
		},
		Repeat: []string{"va", "vad", "va sa du", "vad sa du", "vad sade du", "hur sa", "ursäkta", "förlåt",
			"ursäkta mig", "en gång till", "igen", "om igen", "upprepa", "upprepa frågan", "kan du upprepa",
			"kan du upprepa det", "kan du upprepa frågan", "kan du ta det igen", "kan du säga det igen", "säg det igen",
			"ta det igen",
			"jag förstår inte", "jag förstod inte", "det förstod jag inte", "jag hörde inte", "det hörde jag inte",
			"jag hör dig inte", "jag hör inte", "jag hörde inte vad du sa", "jag uppfattade inte",
			"det uppfattade jag inte", "vad menar du", "vad var frågan", "hur var frågan"},
		Record: []string{
			"lämna ett meddelande", "lämna meddelande", "tala in ett meddelande", "tala in ditt meddelande",
			"efter tonen", "efter pipet", "efter signalen", "kan inte svara just nu", "kan inte ta emot ditt samtal",
		},
		Skip: []string{"vet inte", "jag vet inte", "det vet jag inte", "vet ej", "ingen aning", "jag har ingen aning",
			"har ingen aning", "svårt att säga", "det kan jag inte säga", "det vill jag inte svara på",
			"jag vill inte svara", "jag vill helst inte svara", "det vill jag inte säga",
			"det vill jag helst inte säga", "jag avstår", "inga kommentarer",
			"hoppa över", "nästa fråga", "nästa", "pass", "det har du inte med att göra", "det angår inte dig",
			"jag minns inte", "det minns jag inte", "kommer inte ihåg", "jag kommer inte ihåg", "ingen av dem",
			"inget av dem", "ingetdera", "varken eller"},

		Yes: []string{"ja", "jo", "japp", "jajamän", "jajamensan", "jadå", "jodå", "ja då", "jo då", "ja tack",
			"jo tack", "ja gärna", "gärna", "mycket gärna", "självklart", "naturligtvis", "klart", "såklart",
			"ja visst", "javisst", "visst", "absolut", "definitivt", "säkert", "helt säkert", "okej", "okay", "ok",
			"det går bra", "går bra", "det är okej",
			"rätt", "det är rätt", "det stämmer", "stämmer", "stämmer bra", "det är korrekt", "korrekt", "precis",
			"just det", "exakt", "inga problem", "inget problem", "det är inga problem", "varför inte", "det tror jag",
			"jag tror det", "utan tvekan", "varsågod", "överens", "med nöje", "mhm", "mm hm"},
		No: []string{"nej", "nä", "nää", "nej tack", "nej då", "nejdå", "nej nej", "inte alls", "absolut inte",
			"verkligen inte", "självklart inte", "naturligtvis inte", "inte direkt", "inte riktigt", "inte än",
			"inte ännu", "inte nu", "inte idag", "aldrig i livet", "på inga villkor", "under inga omständigheter",
			"det tror jag inte", "jag tror inte det", "jag tror inte", "tyvärr inte", "inte intresserad",
			"jag är inte intresserad",
			"det är fel", "fel", "det är inte rätt", "det stämmer inte", "stämmer inte", "inte korrekt", "fel nummer",
			"helst inte", "negativt", "icke"},
		Unsure: []string{
			"kanske", "möjligen", "möjligtvis", "eventuellt", "kan vara", "det kan vara", "kanske inte", "vet inte",
			"jag vet inte", "det vet jag inte", "inte säker", "jag är inte säker", "jag är osäker", "osäker",
			"det beror på", "beror på", "det är olika", "ibland", "både och", "ja och nej", "mer eller mindre",
			"så där", "sådär", "svårt att säga", "jag minns inte", "ingen aning",
		},
		Hint: []string{"inte", "ingen", "inget", "inga", "aldrig"},
		Mistaken: []string{
			"jag menar", "jag menade", "eller rättare sagt", "rättare sagt", "eller snarare", "snarare", "vänta",
			"nej vänta", "det vill säga", "jag sa fel", "förlåt nej", "eller nej", "fel av mig",
		},
		YesAlone: []string{
			"det gör jag", "det har jag", "det är jag", "det kan jag", "det vill jag", "det vill jag gärna",
			"det gjorde jag", "det är det", "ja det är jag", "det är hon", "det är han", "det är jag själv", "sant",
			"bra", "mycket bra", "jättebra", "toppen", "perfekt", "det passar", "det passar bra", "det låter bra",
			"har jag", "kan jag", "jag håller med",
		},
		NoAlone: []string{
			"falskt", "det gör jag inte", "det har jag inte", "det är jag inte", "det kan jag inte",
			"det vill jag inte", "det gjorde jag inte", "det är det inte", "aldrig", "ingen", "inget", "inga",
			"ingenting", "inte", "det passar inte",
		},
		Not: []string{"inte", "utan", "ingen", "inget", "inga", "varken", "ej"},

		Connectives: []string{"eller", "efter", "innan", "före", "under", "från", "med", "till"},

		Ordinals: [MaxOrdinals][]string{
			{"första", "den första", "det första", "nummer ett", "alternativ ett"},
			{"andra", "den andra", "det andra", "nummer två", "alternativ två"},
			{"tredje", "den tredje", "nummer tre", "alternativ tre"}, {"fjärde", "nummer fyra"},
			{"femte", "nummer fem"}, {"sjätte", "nummer sex"}, {"sjunde", "nummer sju"}, {"åttonde", "nummer åtta"},
		},
		Last: []string{"sista", "den sista", "det sista", "den sistnämnda"},

		Spell:    spellSwedish,
		Thousand: []string{"tusen", "ett tusen", "ettusen", "etttusen"},
		Half:     []string{"och en halv", "och ett halvt", "en halv"},
		And:      []string{"och"},
		OutOf:    []string{"av"},
		Minus:    []string{"minus"},
		Article:  []string{"en", "ett"},
		Vague: []string{
			"ett ögonblick", "en stund", "lite", "litet", "lite grann", "ett par stycken", "en annan gång", "den ena",
			"en sekund", "en minut", "en del", "en gång till", "en massa", "någon",
		},
		Counts: map[string]float64{
			"ingen": 0, "inget": 0, "inga": 0, "ingenting": 0, "aldrig": 0, "inte alls": 0, "en gång": 1,
			"två gånger": 2, "tre gånger": 3, "ett par": 2, "ett par gånger": 2, "en halv": 0.5, "ett halvt": 0.5,
			"en och en halv": 1.5, "ett och ett halvt": 1.5, "ett dussin": 12,
		},
		DecimalComma: true,

		Glad: []string{
			"bra", "jättebra", "mycket bra", "fint", "toppen", "perfekt", "skönt", "underbart", "fantastiskt",
			"utmärkt", "glad", "nöjd", "bättre", "vänlig", "vänliga", "trevlig", "trevliga", "trevligt", "hjälpsam",
			"hjälpsamma", "snäll", "snälla människor", "tack så hemskt mycket", "kanon",
		},
		Sad: []string{
			"dåligt", "dålig", "illa", "hemskt", "förfärligt", "fruktansvärt", "uselt", "arg", "irriterad",
			"irriterande", "missnöjd", "besviken", "ledsen", "upprörd", "värre", "värst", "smärta", "smärtor", "ont",
			"gör ont", "problem", "klaga", "klagomål", "yr", "sjuk", "jobbigt", "oförskämt", "bedrägeri",
			"slöseri med tid", "orolig",
		},

		Urge: []string{
			"nej", "ja", "nu", "nu räcker det", "genast", "omedelbart", "med en gång", "bara", "kan du", "kan ni",
			"vill du", "skulle du kunna", "du ska", "ni ska", "ni måste", "jag sa", "jag säger", "jag sa ju",
			"jag vill att du", "jag vill att ni", "okej", "ok", "för guds skull", "hej", "det här", "med det här",
			"med det",
		},
		StopAlone: []string{
			"stopp", "stop", "stoppa", "sluta", "sluta nu", "sluta med det", "sluta med det här", "stoppa det här",
			"lägg av", "avregistrera", "avregistrera mig", "avanmäl", "avanmäl mig", "avsluta prenumerationen",
			"ta bort mig", "lämna mig ifred", "lämna mig i fred", "ring inte", "ring inte mer", "inga fler samtal",
			"inga mer samtal",
		},
		Stop: []string{
			`\b` + ring + ` (?:snälla |bara |nu )*(?:` + me + ` )*` + never + `\b`,
			`\b` + ring + ` (?:snälla |bara |nu )*` + never + `\b`,
			`\b` + ring + ` (?:snälla )?(?:inte|aldrig) (?:` + me +
				` ?)+(?:$|mer\b|mera\b|igen\b|någonsin\b|längre\b|tack\b)`,
			`\b` + ring + ` (?:` + me + ` )+(?:inte|aldrig)$`,
			`\b(?:får|ska|skall|behöver) (?:ni |du )?(?:aldrig|inte) ` + ring + ` (?:` + me +
				` ?)+(?:$|mer\b|mera\b|igen\b|någonsin\b|längre\b)`,
			`\b(?:sluta|slutar|upphör|lägg av) (?:nu |genast |snälla )*(?:med )?(?:att )?(?:` + ring +
				`|de här |dessa |era |alla |det här )+(?:` + calls + `|samtalen|` + me + `)?`,
			`\bstoppa (?:alla |de här |dessa |era )*(?:` + calls + `|samtalen|påringningarna)\b`,
			`\b(?:vill|önskar|orkar) (?:jag )?(?:inte|aldrig) (?:längre )?(?:bli |ha |få )?(?:att (?:du|ni) ` + ring +
				`|uppringd|kontaktad|störd|ringd|fler ` + calls + `|mer ` + calls + `|era ` + calls + `|sådana ` +
				calls + `|såna ` + calls + `|dessa ` + calls + `)`,
			`\b(?:aldrig|inte) (?:mer |längre )?(?:bli |vill bli )(?:uppringd|kontaktad|ringd|störd)\b`,
			`\bvill inte ha (?:fler |mer |några fler |era |dessa |sådana |såna )?` + calls + `\b`,
			`^(?:nej |snälla |och |men )?stör (?:mig|oss|inte|aldrig)(?: (?:mig|oss|inte|aldrig|mer|igen|längre))*$`,
			`\bhör (?:inte|aldrig) av (?:er|dig)(?:$| (?:till (?:mig|oss)|mer|mera|igen|någonsin|längre)\b)`,
			`\binga (?:fler|mer|flera) ` + calls + `\b`,
			`\b(?:ta bort|radera|stryk|plocka bort) (?:mig|oss|mitt nummer|mitt namn|mitt telefonnummer|det här ` +
				`numret|detta nummer|mina uppgifter)\b`,
			`\b(?:avregistrera|avanmäla|avanmäl) (?:mig|oss|mitt nummer)\b`,
			`\b(?:lämna|låt) (?:mig|oss) (?:vara )?(?:nu )?(?:i fred\b|ifred\b|vara$)`,
		},
		Cues: []string{
			"ring", "kontakt", "hör", "stör", "trakass", "samtal", "säljsamtal", "telefon", "reklam", "påring",
			"uppring", "sluta", "upphör", "lägg", "stoppa", "bort", "radera", "stryk", "avreg", "avanm", "lämna",
			"låt",
		},
		NotStop: []string{
			`\b(?:ring|ringa|ringer|kontakta) (?:[a-z]+ ){0,3}(?:inte|aldrig) (?:mer |igen )?(?:[a-z]+ ` +
				`){0,3}(?:före|innan|efter|idag|i dag|ikväll|i kväll|imorgon|i morgon|på morgonen|på kvällen|på ` +
				`förmiddagen|så sent|så tidigt|just nu|nu)\b`,
			`\b(?:jag|vi|han|hon|de|dom|någon|ingen|man|min [a-z]+|mina [a-z]+) (?:har |kan |kunde |vill |får |ska ` +
				`)?(?:aldrig |inte )?(?:ringer|ringde|ringt|kontaktar|kontaktade|ringa) (?:[a-z]+ ` +
				`){0,3}(?:inte|aldrig)? ?(?:mer|igen|längre)?`,
			`\b(?:inte|aldrig|utan att|låt bli att|du ska inte|ni ska inte) ` +
				`(?:sluta|stoppa|avregistrera|avanmäla|ta bort|radera|stryka|lämna|lägga av)(?: [a-z]+)*`,
			`\b(?:sluta|stoppa) (?:inte|aldrig)\b[a-z ]*`, `\b(?:ta|plocka) inte bort\b[a-z ]*`,
			`\bradera inte\b[a-z ]*`, `\b(?:avregistrera|avanmäl|lämna) (?:inte|mig inte|oss inte)\b[a-z ]*`,
			`\b(?:väntelista|kölista|hållplats|busshållplats)[a-z]*\b`,
		},
	}
}

func spellSwedish(n int) []string {
	small := []string{"noll", "", "två", "tre", "fyra", "fem", "sex", "sju", "åtta", "nio", "tio", "elva", "tolv",
		"tretton",
		"fjorton", "femton", "sexton", "sjutton", "arton", "nitton"}
	tens := []string{"", "", "tjugo", "trettio", "fyrtio", "femtio", "sextio", "sjuttio", "åttio", "nittio"}
	spoken := []string{"", "", "tjugo", "tretti", "fyrti", "femti", "sexti", "sjutti", "åtti", "nitti"}
	switch {
	case n == 1:
		return nil // "en" and "ett" are also articles
	case n < 20:
		return []string{small[n]}
	case n < 100:
		units := []string{small[n%10]}
		switch n % 10 {
		case 0:
			units = []string{""}
		case 1:
			units = []string{"ett", "en"}
		}
		var all []string
		for _, unit := range units {
			all = append(all, tens[n/10]+unit, tens[n/10]+" "+unit, spoken[n/10]+unit)
		}
		return all
	}
	heads := []string{small[n/100] + " hundra", small[n/100] + "hundra"}
	if n/100 == 1 {
		heads = []string{"hundra", "ett hundra", "etthundra"}
	}
	rests := spellSwedish(n % 100)
	if n%100 == 1 {
		rests = []string{"ett", "en"}
	}
	if n%100 == 0 {
		return heads
	}
	return combine(heads, []string{"", " ", " och "}, rests)
}
