package lexicon

// Romanian is the lexicon of Romanian.
func Romanian() Language {
	const (
		ring  = `(?:suna|sunați|sunati|sună|suni|telefona|telefonați|telefonezi|apela|apelați|apelezi|contacta|contactați|contactezi|deranja|deranjați|deranjezi|hărțui|hărțuiți|bâzâi|stresați|căutați|căuta)`
		me    = `(?:mă|ma|ne|îmi|m|pe mine|pe noi|aici|la acest număr|la numărul acesta|la numărul ăsta|vă rog)`
		rang  = `(?:sunat|sunată|sunați|sune|telefonat|apelat|apelată|apeleze|contactat|contactată|contacteze|deranjat|deranjată|deranjeze)`
		never = `(?:niciodată|vreodată|deloc|din nou|iar|iarăși)`
		end   = `(?:opriți vă|oprește te|încetați|încetează|încetați odată|terminați|termină|lăsați|lasă)`
		data  = `(?:numărul meu|numărul ăsta|numărul acesta|acest număr|numărul|datele mele|numele meu)`
		drop  = `(?:ștergeți|șterge|ștergeți mi|șterge mi|scoateți|scoate|scoateți ` +
			`mi|eliminați|elimină|radiați|anulați|tăiați)`
		calls = `(?:apeluri|apelurile|telefoane|telefoanele|apel|sunături)`
	)
	return Language{
		Lines: Lines{
			Disclosure:    "Acesta este un apel automat. Apăsați 9 sau spuneți stop oricând și nu vă vom mai suna.",
			NotUnderstood: "Îmi pare rău, nu am înțeles.",
			Goodbye:       "Vă mulțumesc pentru timpul acordat. La revedere.",
			StillThere:    "Mai sunteți acolo?",
			NoAnswer:      "Nu vă aud, așa că voi închide acum. La revedere.",
			OptedOut:      "Am înțeles. Nu vom mai suna la acest număr. La revedere.",
			Back:          "Îmi pare rău, legătura s-a întrerupt pentru o clipă.",
			MoveOn:        "Nu-i nimic, să mergem mai departe.",
			Moment:        "Un moment, vă rog.",
			Trouble:       "Îmi pare rău, avem o problemă tehnică și trebuie să închid acum. La revedere.",
			Acks:          []string{"Mulțumesc.", "Bine."},
		},
		Filler: []string{"ăă", "ă", "îî", "hm", "hmm", "mm", "păi", "deci", "ei bine", "știți", "știi", "uite",
			"uitați", "ascultați", "vă rog", "te rog", "mulțumesc", "mersi", "scuze", "scuzați", "stați să mă gândesc",
			"să mă gândesc", "să vedem", "cred", "cred că", "eu cred că", "bănuiesc că",
			"aș spune", "aș zice", "să zicem", "pare că", "cam", "aproximativ", "vreo", "în jur de", "probabil",
			"de fapt", "doamnă", "domnule", "dragă", "și", "dar", "a", "că", "eu", "măi"},
		Hello: []string{
			"alo", "bună", "bună ziua", "bună dimineața", "bună seara", "salut", "salutare", "da alo", "alo da",
		},
		Bye: []string{
			"la revedere", "pa", "pa pa", "cu bine", "pe curând", "o zi bună", "o seară bună", "să aveți o zi bună",
			"trebuie să plec", "trebuie să închid", "trebuie să fug", "noapte bună",
		},
		Who: []string{"cine este", "cine e", "cine e acolo", "cine sunteți", "cine ești", "cine sună", "cine mă sună",
			"cine vorbește", "cu cine vorbesc", "cu cine am plăcerea", "despre ce e vorba", "despre ce este vorba",
			"în legătură cu ce", "de unde sunați", "de unde mă sunați", "de ce sunați", "ce este asta",
			"ești robot", "sunteți robot", "sunteți un robot", "e un robot", "este un robot", "vorbesc cu un robot"},
		Repeat: []string{"ce", "poftim", "cum", "pardon", "scuze", "scuzați mă", "ce ați spus", "ce ai spus",
			"ce ați zis", "cum ați spus", "încă o dată", "din nou", "repetați", "repetă", "puteți repeta",
			"puteți să repetați", "poți repeta", "ați putea repeta", "repetați întrebarea", "puteți repeta întrebarea",
			"mai spuneți o dată", "mai ziceți o dată",
			"nu am înțeles", "n am înțeles", "nu înțeleg", "nu am auzit", "n am auzit", "nu aud", "nu vă aud",
			"nu se aude", "care era întrebarea", "ce vreți să spuneți"},
		Record: []string{
			"lăsați un mesaj", "lăsați mesajul", "lasă un mesaj", "lasă mi un mesaj", "după semnal",
			"după semnalul sonor", "după bip", "după ton", "căsuța vocală", "mesageria vocală", "abonatul apelat",
			"nu pot răspunde acum",
		},
		Skip: []string{"nu știu", "habar n am", "habar nu am", "nu am idee", "n am idee", "nici o idee",
			"nu pot să spun", "greu de spus", "nu îmi amintesc", "nu mi amintesc", "nu țin minte",
			"prefer să nu răspund", "prefer să nu spun", "nu vreau să răspund", "nu vreau să spun", "fără comentarii",
			"următoarea întrebare", "următoarea", "mai departe", "pas",
			"nu vă privește", "nu e treaba dumneavoastră", "niciuna", "niciunul", "niciuna dintre ele",
			"nici una nici alta"},

		Yes: []string{"da", "da da", "desigur", "bineînțeles", "sigur", "sigur că da", "cu siguranță", "firește",
			"exact", "corect", "e corect", "este corect", "așa e", "așa este", "întocmai", "de acord", "sunt de acord",
			"bine", "foarte bine", "okay", "ok", "e în regulă", "în regulă", "cu plăcere", "cu drag", "nicio problemă",
			"nici o problemă", "fără probleme",
			"de ce nu", "cred că da", "eu cred că da", "probabil că da", "fără îndoială", "absolut", "normal", "păi da",
			"mhm", "aha", "confirm", "adevărat", "e adevărat"},
		No: []string{"nu", "nu nu", "ba nu", "nu mulțumesc", "nu mersi", "deloc", "nu deloc", "nicidecum",
			"sigur că nu", "bineînțeles că nu", "cu siguranță nu", "categoric nu", "în niciun caz", "sub nicio formă",
			"încă nu", "nu încă", "nu acum", "nu azi", "nu astăzi", "cred că nu", "nu cred", "nu prea", "nici vorbă",
			"din păcate nu", "mă tem că nu", "nu e corect", "nu este corect", "nu e adevărat", "nu sunt de acord",
			"greșit", "e greșit", "ați greșit numărul", "număr greșit", "nu sunt interesat", "nu sunt interesată",
			"nu mă interesează", "mai bine nu"},
		Unsure: []string{
			"poate", "poate că da", "se poate", "posibil", "e posibil", "nu știu", "nu sunt sigur", "nu sunt sigură",
			"depinde", "câteodată", "uneori", "da și nu", "și da și nu", "mai mult sau mai puțin", "așa și așa",
			"greu de spus", "nu îmi amintesc", "nu mi amintesc", "habar n am", "încă nu știu",
		},
		Hint: []string{"n am", "niciodată", "nimic", "niciun", "nicio", "nici"},
		Mistaken: []string{
			"adică", "vreau să spun", "voiam să spun", "vroiam să spun", "am vrut să spun", "ba", "stați", "stai",
			"așteptați", "nu stați", "scuze nu", "pardon nu", "m am înșelat", "am greșit", "mai degrabă",
			"sau mai bine", "de fapt nu",
		},
		YesAlone: []string{
			"eu sunt", "sunt eu", "la telefon", "chiar eu", "personal", "am", "sunt", "pot", "vreau", "am fost",
			"super", "perfect", "excelent", "se potrivește", "îmi convine", "mi se potrivește", "este", "e bine",
			"aș vrea", "mi ar plăcea", "l am văzut", "am luat",
		},
		NoAlone: []string{
			"fals", "niciodată", "nimic", "niciunul", "niciuna", "nu e", "nu este", "nu am", "n am", "nu pot",
			"nu vreau",
		},
		Not: []string{"nu", "fără", "nici", "n"},

		Connectives: []string{"pentru", "după", "înainte", "către", "acasă", "este"},

		Ordinals: [MaxOrdinals][]string{
			{"primul", "prima", "cel dintâi", "cea dintâi", "numărul unu", "opțiunea unu"},
			{"al doilea", "a doua", "doilea", "numărul doi", "opțiunea doi"},
			{"al treilea", "a treia", "treilea", "numărul trei", "opțiunea trei"},
			{"al patrulea", "a patra", "numărul patru"}, {"al cincilea", "a cincea", "numărul cinci"},
			{"al șaselea", "a șasea", "numărul șase"}, {"al șaptelea", "a șaptea", "numărul șapte"},
			{"al optulea", "a opta", "numărul opt"},
		},
		Last: []string{"ultimul", "ultima", "cel din urmă", "cea din urmă"},

		Spell:    romanianNumbers.spell,
		Thousand: []string{"mie", "o mie", "mii", "de mii"},
		Half:     []string{"și jumătate", "jumătate"},
		And:      []string{"și"},
		OutOf:    []string{"din"},
		Minus:    []string{"minus"},
		Article:  []string{"un", "o", "una", "unul"},
		Vague: []string{
			"un moment", "o clipă", "o secundă", "un minut", "puțin", "un pic", "câteva", "câțiva",
			"o dată și încă una", "încă o dată", "încă una", "încă unul", "o parte", "un fel",
		},
		Counts: map[string]float64{
			"o dată": 1, "odată": 1, "de două ori": 2, "de trei ori": 3, "de patru ori": 4, "niciunul": 0,
			"niciuna": 0, "nici una": 0, "nici unul": 0, "deloc": 0, "nimic": 0, "niciodată": 0, "o jumătate": 0.5,
			"unu și jumătate": 1.5, "unul și jumătate": 1.5, "una și jumătate": 1.5, "o duzină": 12, "o pereche": 2,
		},
		DecimalComma: true,

		Glad: []string{
			"bine", "foarte bine", "minunat", "excelent", "perfect", "grozav", "superb", "super", "mulțumit",
			"mulțumită", "fericit", "fericită", "bucuros", "bucuroasă", "mai bine", "amabil", "amabilă", "drăguț",
			"drăguță", "plăcut", "de ajutor", "vă mulțumesc mult", "mulțumesc mult",
		},
		Sad: []string{
			"rău", "foarte rău", "prost", "groaznic", "oribil", "îngrozitor", "nemulțumit", "nemulțumită", "supărat",
			"supărată", "nervos", "nervoasă", "mai rău", "durere", "dureri", "doare", "dor", "problemă", "probleme",
			"reclamație", "plângere", "dezamăgit", "dezamăgită", "amețit", "amețită", "amețeli", "bolnav", "bolnavă",
			"trist", "tristă", "înșelătorie", "țeapă", "rușine", "îngrijorat", "îngrijorată",
		},

		Urge: []string{
			"da", "acum", "imediat", "odată", "gata", "am spus", "am zis", "v am spus", "v am zis", "vreau să",
			"puteți să", "puteți", "trebuie să", "cu asta", "asta", "pentru numele lui dumnezeu", "ok", "bine", "hai",
			"chiar",
		},
		StopAlone: []string{
			"stop", "opriți", "opriți vă", "oprește te", "oprește", "ajunge", "încetați", "încetează", "terminați",
			"destul", "nu mai sunați", "nu mai suna", "nu mă mai sunați", "nu mă mai suna", "dezabonare",
			"dezabonați mă", "lăsați mă", "lăsați mă în pace", "lasă mă în pace",
		},
		Stop: []string{
			`\bnu (?:vă rog )?(?:mă |ma |ne |îmi )?mai (?:` + me + ` )*` + ring + `\b`,
			`\b(?:nu|să nu) (?:mă |ma |ne )?(?:mai )?` + ring + `(?: ` + me + `)* ` + never + `\b`,
			`\b(?:nu|să nu) (?:mă|ma|ne) ` + ring + `(?:$| vă rog\b)`,
			`\bniciodată (?:să )?nu (?:mă |ma |ne )?(?:mai )?` + ring + `\b`,
			`\b(?:să )?nu (?:mă|ma|ne) mai (?:sune|contacteze|deranjeze|apeleze)\b`,
			`\b` + end + `(?: (?:odată|acum|vă rog|imediat))* (?:să |cu )(?:mă |ma |ne )?(?:mai )?(?:tot )?(?:` +
				ring + `|` + calls + `)`,
			`\b(?:nu|nu mai) (?:vreau|doresc|vrem|dorim) (?:să )?(?:mai )?(?:primesc |primim |alte |aceste |astfel ` +
				`de |niciun fel de )*` + calls + `\b`,
			`\bnu (?:mai )?(?:vreau|doresc|vrem|dorim) să (?:mai )?(?:fiu|fim) (?:mai )?` + rang + `\b`,
			`\bnu (?:mai )?(?:vreau|doresc|vrem|dorim) să (?:mă |ne )(?:mai )?` + ring + `\b`,
			`\b(?:fără|gata cu|destul cu) (?:alte |aceste )?` + calls + `\b`,
			`\b` + drop + ` (?:vă rog |te rog )?` + data + `\b`,
			`\b(?:scoateți|scoate|ștergeți|șterge|eliminați|elimină|radiați) (?:mă|ne)(?:$| (?:de pe|din|vă rog|de ` +
				`acolo)\b)`,
			`\bsă (?:mă|ne|mi|îmi) (?:scoateți|ștergeți|eliminați)(?:$| (?:de pe|din|vă rog|numărul)\b)`,
			`\b(?:lăsați|lasă|lăsa) (?:mă|ne) (?:odată |vă rog )?în pace\b`, `\bsă (?:mă|ne) lăsați în pace\b`,
			`\bdezabon[a-z]+ (?:mă|ne)\b`, `\b(?:vreau|doresc) să (?:mă|ne) dezabon[a-z]+`,
		},
		Joins: []string{"să", "ca"},
		Cues: []string{
			"sun", "telefon", "apel", "contact", "deranj", "hărțu", "bâzâ", "stres", "căut", "șterg", "scoat",
			"elimin", "radia", "anula", "tăia", "pace", "dezabon", "număr",
		},
		NotStop: []string{
			`\bnu (?:mă |ma |ne )?(?:mai )?` + ring +
				`(?: [a-z]+){0,3}? (?:înainte|după|azi|astăzi|mâine|acum|dimineața|dimineață|seara|noaptea|la ` +
				`prânz|până|la serviciu|la ora|atât de|așa de)\b`,
			`\bnu (?:vă opriți|te opri|încetați|înceta|mai terminați)(?: [a-z]+)*`,
			`\bnu (?:mă |ne |îmi |mi )*(?:scoateți|ștergeți|șterge|eliminați|dezabon[a-z]+)(?: [a-z]+)*`,
			`\bsă nu (?:mă |ne |mi |îmi )*(?:scoateți|ștergeți|eliminați)(?: [a-z]+)*`,
			`\b(?:el|ea|ei|ele|fiul meu|fiica mea|nimeni|doctorul|medicul) nu (?:mă |ma |ne )?mai ` +
				`(?:sună|suna|contactează)\b`,
			`\bnu (?:mai )?(?:pot|am putut|reușesc) (?:să )?(?:mai )?` + ring + `\b`, `\blist[ăa] de așteptare\b`,
		},
	}
}

var romanianNumbers = numberWords{
	small: [20][]string{{"zero"}, {"unu"}, {"doi", "două"}, {"trei"}, {"patru"}, {"cinci"}, {"șase"}, {"șapte"},
		{"opt"}, {"nouă"}, {"zece"},
		{"unsprezece", "unșpe"}, {"doisprezece", "douăsprezece", "doișpe"}, {"treisprezece", "treișpe"},
		{"paisprezece", "patrusprezece", "paișpe"}, {"cincisprezece", "cinșpe"},
		{"șaisprezece", "șaișpe"}, {"șaptesprezece", "șapteșpe"}, {"optsprezece", "optișpe"},
		{"nouăsprezece", "nouășpe"}},
	one: []string{"unu", "una"},
	tens: [10][]string{
		2: {"douăzeci"}, 3: {"treizeci"}, 4: {"patruzeci"}, 5: {"cincizeci"}, 6: {"șaizeci"}, 7: {"șaptezeci"},
		8: {"optzeci"}, 9: {"nouăzeci"},
	},
	hundreds: [10][]string{
		1: {"o sută", "sută"}, 2: {"două sute"}, 3: {"trei sute"}, 4: {"patru sute"}, 5: {"cinci sute"},
		6: {"șase sute"}, 7: {"șapte sute"}, 8: {"opt sute"}, 9: {"nouă sute"},
	},
	join: []string{" și ", " "},
}
