package lexicon

// Czech is the lexicon of Czech.
func Czech() Language {
	const (
		noCall = `(?:nevolej|nevolejte|nevolat|nezavolejte|netelefonuj|netelefonujte|netelefonovat|nekontaktuj|nekontaktujte|nekontaktovat|neobtěžuj|neobtěžujte|neobtěžovat|neotravuj|neotravujte|neotravovat|nerušte|neruš|nezvoňte)`
		call   = `(?:volat|volání|telefonovat|telefonování|kontaktovat|obtěžovat|otravovat|rušit|voláním|telefonáty|hovory)`
		me     = `(?:mi|mě|mne|nám|nás|sem|na toto číslo|na tohle číslo|na moje číslo|prosím|se mnou|vy)`
		more   = `(?:už|víc|více|nikdy|znovu|znova|příště|dál|nadále)`
		data   = `(?:mě|mne|nás|moje číslo|mé číslo|toto číslo|tohle číslo|moje údaje|mé údaje|moje jméno|mé ` +
			`jméno|číslo)`
		drop  = `(?:vyškrtni|vyškrtněte|vyškrtnout|vymaž|vymažte|vymazat|smaž|smažte|smazat|odstraň|odstraňte|odstranit|vyřaď|vyřaďte|vyřadit|odhlas|odhlaste|odhlásit|odeber|odeberte|odebrat|zruš|zrušte)`
		calls = `(?:hovory|hovorů|telefonáty|telefonátů|volání)`
	)
	return Language{
		Lines: Lines{
			Disclosure:    "Toto je automatický hovor. Kdykoli stiskněte 9 nebo řekněte stop a už vám volat nebudeme.",
			NotUnderstood: "Promiňte, nerozumím.",
			Goodbye:       "Děkuji za váš čas. Na shledanou.",
			StillThere:    "Jste tam ještě?",
			NoAnswer:      "Neslyším vás, proto teď zavěsím. Na shledanou.",
			OptedOut:      "Rozumím. Na toto číslo už volat nebudeme. Na shledanou.",
			Back:          "Promiňte, spojení na chvíli vypadlo.",
			MoveOn:        "To nevadí, pojďme dál.",
			Moment:        "Okamžik, prosím.",
			Trouble:       "Promiňte, máme technický problém a musím teď zavěsit. Na shledanou.",
			Acks:          []string{"Děkuji.", "Dobře."},
		},
		Filler: []string{"no", "tak", "takže", "ehm", "eh", "ee", "hm", "hmm", "mm", "ach", "ále", "víte", "víte co",
			"podívejte", "poslyšte", "prosím", "prosím vás", "děkuji", "děkuju", "díky", "promiňte", "pardon",
			"nechte mě přemýšlet", "moment",
			"myslím", "myslím že", "že", "asi", "řekl bych", "řekla bych", "řekněme", "zdá se mi", "tuším", "zhruba",
			"kolem", "tak nějak", "vlastně", "pane", "paní", "a", "i", "ale", "to", "já"},
		Hello: []string{
			"haló", "halo", "dobrý den", "dobré ráno", "dobré odpoledne", "dobrý večer", "ahoj", "čau", "nazdar",
			"prosím haló", "ano prosím",
		},
		Bye: []string{
			"na shledanou", "nashledanou", "na slyšenou", "naslyšenou", "sbohem", "čau čau", "mějte se",
			"mějte se hezky", "hezký den", "pěkný den", "musím jít", "musím končit", "už musím jít", "dobrou noc",
		},
		Who: []string{
			"kdo je to", "kdo to je", "kdo volá", "kdo mluví", "kdo jste", "kdo jsi", "s kým mluvím", "s kým hovořím",
			"kdo je tam", "o co jde", "o co se jedná", "co potřebujete", "odkud voláte", "proč voláte", "co to je",
			"jste robot", "to je robot", "je to robot", "mluvím s robotem", "jste automat",
		},
		Repeat: []string{"co", "cože", "prosím", "jak", "jakže", "pardon", "promiňte", "ještě jednou", "znovu",
			"zopakujte", "zopakujte to", "zopakujte otázku", "můžete to zopakovat", "můžete zopakovat otázku",
			"mohl byste to zopakovat", "mohla byste to zopakovat", "opakujte", "řekněte to znovu",
			"nerozumím", "nerozuměl jsem", "nerozuměla jsem", "nerozumím vám", "neslyším", "neslyším vás",
			"neslyšel jsem", "neslyšela jsem", "co jste říkal", "co jste říkala", "co říkáte", "jaká byla otázka",
			"jak prosím"},
		Record: []string{
			"zanechte vzkaz", "zanechte zprávu", "nechte vzkaz", "nechte zprávu", "po zaznění signálu",
			"po zaznění tónu", "po signálu", "po pípnutí", "hlasová schránka", "volaný účastník",
			"nemohu přijmout váš hovor",
		},
		Skip: []string{"nevím", "to nevím", "já nevím", "netuším", "nemám tušení", "nemám ponětí", "těžko říct",
			"nepamatuju si", "nepamatuji si", "to si nepamatuju", "nechci odpovídat", "nechci na to odpovídat",
			"raději ne", "radši neřeknu", "raději bych neodpovídal", "raději bych neodpovídala", "bez komentáře",
			"další otázka", "další otázku", "další", "přeskočte to", "přeskočit",
			"do toho vám nic není", "ani jedno", "ani jedna", "žádné z nich", "žádná z nich"},

		Yes: []string{"ano", "jo", "jojo", "no jo", "ano ano", "jasně", "no jasně", "jistě", "zajisté", "samozřejmě",
			"určitě", "určitě ano", "přesně", "přesně tak", "správně", "to je správně", "souhlasí", "to souhlasí",
			"souhlasím", "je to tak", "dobře", "tak dobře", "okej", "ok", "okay", "v pořádku", "rád", "ráda", "moc rád",
			"moc ráda", "s radostí",
			"žádný problém", "není problém", "bez problému", "proč ne", "myslím že ano", "myslím že jo", "asi ano",
			"asi jo", "spíš ano", "spíše ano", "bezpochyby", "nepochybně", "rozhodně", "rozhodně ano", "mhm", "aha",
			"pravda", "potvrzuji"},
		No: []string{"ne", "ne ne", "nee", "ne děkuji", "ne díky", "vůbec ne", "určitě ne", "rozhodně ne",
			"samozřejmě že ne", "samozřejmě ne", "jistě že ne", "ještě ne", "teď ne", "dnes ne", "spíš ne", "spíše ne",
			"asi ne", "myslím že ne", "bohužel ne", "v žádném případě", "ani náhodou", "kdepak", "kdeže", "nikoli",
			"nikoliv", "nesouhlasí", "nesouhlasím", "to není pravda", "není to tak",
			"omyl", "to je omyl", "špatné číslo", "nemám zájem", "nezajímá mě to", "to ne", "moc ne", "ani trochu"},
		Unsure: []string{
			"možná", "možná že ano", "snad", "nevím", "to nevím", "nejsem si jistý", "nejsem si jistá", "záleží",
			"to záleží", "jak kdy", "někdy", "ano i ne", "ano a ne", "víceméně", "těžko říct", "nepamatuju si",
			"nepamatuji si", "netuším", "ještě nevím",
		},
		Hint: []string{
			"nemám", "nejsem", "nebyl", "nebyla", "nebylo", "není", "nemohu", "nemůžu", "nechci", "neviděl",
			"neviděla", "nikdy", "nic", "žádný", "žádná", "neměl", "neměla", "nedostal", "nedostala", "nebral",
			"nebrala", "nepřišel", "nepřišla", "nebudu", "neznám", "nebolí",
		},
		Mistaken: []string{
			"vlastně ne", "totiž", "chtěl jsem říct", "chtěla jsem říct", "teda", "ne počkejte", "počkejte", "počkat",
			"moment ne", "pardon ne", "spletl jsem se", "spletla jsem se", "lépe řečeno", "respektive", "myslel jsem",
			"myslela jsem",
		},
		YesAlone: []string{
			"to jsem já", "u telefonu", "u aparátu", "osobně", "mám", "jsem", "můžu", "mohu", "chci", "byl jsem",
			"byla jsem", "to je pravda", "super", "výborně", "skvěle", "hodí se", "hodí se mi to", "může být",
			"viděl jsem", "viděla jsem",
		},
		NoAlone: []string{
			"špatně", "nikdy", "nic", "žádný", "žádná", "nepravda", "nemám", "nejsem", "nemůžu", "nechci",
		},
		Not: []string{"ne", "bez", "ani"},

		Connectives: []string{"nebo", "před", "přes", "podle", "domů"},

		Ordinals: [MaxOrdinals][]string{
			{"první", "číslo jedna", "možnost jedna"},
			{"druhý", "druhá", "druhé", "druhou", "číslo dvě", "číslo dva", "možnost dvě"},
			{"třetí", "číslo tři", "možnost tři"},
			{"čtvrtý", "čtvrtá", "čtvrté", "čtvrtou", "číslo čtyři"}, {"pátý", "pátá", "páté", "pátou", "číslo pět"},
			{"šestý", "šestá", "šesté", "číslo šest"}, {"sedmý", "sedmá", "sedmé", "číslo sedm"},
			{"osmý", "osmá", "osmé", "číslo osm"},
		},
		Last: []string{"poslední"},

		Spell:    czechNumbers.spell,
		Thousand: []string{"tisíc", "tisíce", "jeden tisíc"},
		Half:     []string{"a půl"},
		And:      []string{"a"},
		OutOf:    []string{"z", "ze"},
		Minus:    []string{"minus", "mínus"},
		Article:  []string{"jeden", "jedna", "jedno", "jednu", "jednoho"},
		Vague: []string{
			"chvíli", "chvilku", "jednu chvilku", "jeden moment", "trochu", "pár", "několik", "ještě jednou",
			"jeden z nich", "jedna z nich", "ještě jeden",
		},
		Counts: map[string]float64{
			"jednou": 1, "dvakrát": 2, "třikrát": 3, "čtyřikrát": 4, "pětkrát": 5, "ani jednou": 0, "vůbec": 0,
			"žádný": 0, "žádná": 0, "žádné": 0, "nic": 0, "nikdy": 0, "půl": 0.5, "půldruhého": 1.5,
			"jeden a půl": 1.5, "jedna a půl": 1.5, "tucet": 12,
		},
		DecimalComma: true,

		Glad: []string{
			"dobře", "velmi dobře", "výborně", "skvěle", "skvělé", "úžasné", "úžasně", "perfektní", "spokojený",
			"spokojená", "šťastný", "šťastná", "rád", "ráda", "lépe", "lepší", "milý", "milá", "příjemné", "fajn",
			"ochotný", "ochotná", "moc děkuji",
		},
		Sad: []string{
			"špatně", "velmi špatně", "hrozně", "hrozné", "příšerné", "mizerně", "nespokojený", "nespokojená",
			"naštvaný", "naštvaná", "zlobím", "hůř", "horší", "bolest", "bolesti", "bolí", "problém", "problémy",
			"stížnost", "zklamaný", "zklamaná", "závratě", "nemocný", "nemocná", "smutný", "smutná", "podvod",
			"skandál", "hrubý", "obavy",
		},

		Urge: []string{
			"ano", "no", "už", "teď", "hned", "okamžitě", "konečně", "řekl jsem", "řekla jsem", "říkám",
			"chci abyste", "můžete", "mohl byste", "mohla byste", "musíte", "s tím", "to", "toho", "proboha",
			"prosím vás", "okej", "ok", "víc", "mi", "sem",
		},
		StopAlone: []string{
			"stop", "dost", "dost už", "přestaň", "přestaňte", "přestat", "nevolej", "nevolejte", "nevolat",
			"nechte mě", "nechte toho", "nech toho", "odhlásit", "odhlaste mě", "dejte mi pokoj", "dej mi pokoj",
			"konec volání",
		},
		Stop: []string{
			`\b` + more + `(?: (?:` + more + `|` + me + `))* ` + noCall + `\b`,
			`\b` + noCall + `(?: ` + me + `)* ` + more + `\b`,
			`\b` + noCall + ` (?:mi|mě|mne|nám|nás|sem|na toto číslo|na tohle číslo)(?:$| prosím\b)`,
			`^(?:prosím )?(?:mi|mě|sem) ` + noCall + `\b`,
			`\b(?:přestaň|přestaňte|přestat|skončete|skončit|nech|nechte)(?: (?:` + me +
				`|s|s tím|tím|pořád|už|toho|konečně))* ` + call + `\b`,
			`\b(?:nechci|nechceme|nepřeji si|nepřeju si|nepřejeme si)(?: ` +
				`(?:už|další|žádné|žádná|tyto|tyhle|vaše|více|víc|dostávat|přijímat|takové))* ` + calls + `\b`,
			`\b(?:nechci|nechceme|nepřeji si|nepřeju si|nepřejeme si)(?: už)?(?: aby| abyste| ať)(?: [a-z]+){0,4}? ` +
				`(?:volal[a-z]*|voláte|telefonoval[a-z]*|kontaktoval[a-z]*|obtěžoval[a-z]*|otravoval[a-z]*)`,
			`\babyste (?:[a-z]+ ){0,3}?(?:nevolal[a-z]*|netelefonoval[a-z]*|nekontaktoval[a-z]*|přestali (?:[a-z]+ ` +
				`){0,2}?volat)`,
			`\b(?:nechci|nepřeji si|nepřeju si) (?:být |už ` +
				`)*(?:kontaktován|kontaktována|obtěžován|obtěžována|volán|volána)\b`,
			`\b(?:žádné|už žádné|dost) (?:další |vašich |těch )?` + calls + `\b`,
			`\b` + drop + ` (?:prosím |si |už )*` + data + `\b`,
			`\b` + data + ` (?:prosím |si |už )*` + drop + `(?:$| (?:z|ze|prosím|odsud)\b)`,
			`\b(?:dej|dejte|dát)(?: (?:mi|nám|už|konečně|svatý))* pokoj\b`,
			`\b(?:nech|nechte|nechat) (?:mě|mne|nás)(?: už)? (?:být|na pokoji|v klidu)\b`,
		},
		Joins: []string{"abyste", "aby", "abys", "ať"},
		Cues: []string{
			"nevol", "nezavol", "netelefon", "nekontakt", "neobtěž", "neotrav", "neruš", "nezvo", "vol", "telefon",
			"kontakt", "obtěž", "otrav", "ruš", "hovor", "vyškrt", "vymaž", "vymaz", "smaž", "smaz", "odstra", "vyřa",
			"odhlas", "odhlás", "odeb", "zruš", "pokoj", "přesta", "nech",
		},
		NotStop: []string{
			`\b` + noCall + `(?: [a-z]+){0,3}? (?:před|po|dnes|dneska|zítra|teď|nyní|ráno|dopoledne|odpoledne|večer|v noci|do práce|do (?:zítřka|pondělí|úterý|středy|čtvrtka|pátku|soboty|neděle)|tak (?:pozdě|brzo|brzy))\b`,
			`\b(?:dnes|dneska|teď|ráno|večer|zítra) (?:už |mi |sem )*` + noCall + `\b`,
			`\b(?:nepřesta[a-z]+|nekonč[a-z]+)(?: [a-z]+)*`,
			`\b(?:ne|není třeba|nemusíte|nechci|nesm[a-z]+) (?:` + data + ` )?` + drop + `(?: [a-z]+)*`,
			`\bčekací listin[a-z]*`, `\bčekac[a-z]+ seznam[a-z]*`, `\bseznam[a-z]* čekatelů\b`,
		},
	}
}

var czechNumbers = numberWords{
	small: [20][]string{{"nula"}, nil, {"dva", "dvě", "dvou"}, {"tři"}, {"čtyři"}, {"pět", "pěti"}, {"šest", "šesti"},
		{"sedm", "sedmi"}, {"osm", "osmi"}, {"devět", "devíti"}, {"deset", "deseti"},
		{"jedenáct"}, {"dvanáct"}, {"třináct"}, {"čtrnáct"}, {"patnáct"}, {"šestnáct"}, {"sedmnáct"}, {"osmnáct"},
		{"devatenáct"}},
	one: []string{"jedna", "jeden"},
	tens: [10][]string{
		2: {"dvacet"}, 3: {"třicet"}, 4: {"čtyřicet"}, 5: {"padesát"}, 6: {"šedesát"}, 7: {"sedmdesát"},
		8: {"osmdesát"}, 9: {"devadesát"},
	},
	hundreds: [10][]string{
		1: {"sto"}, 2: {"dvě stě", "dvěstě"}, 3: {"tři sta", "třista"}, 4: {"čtyři sta", "čtyřista"},
		5: {"pět set", "pětset"}, 6: {"šest set", "šestset"}, 7: {"sedm set", "sedmset"}, 8: {"osm set", "osmset"},
		9: {"devět set", "devětset"},
	},
	join: []string{" "},
	before: [10][]string{
		1: {"jedna", "jedena"}, 2: {"dvaa"}, 3: {"třia"}, 4: {"čtyřia"}, 5: {"pěta"}, 6: {"šesta"}, 7: {"sedma"},
		8: {"osma"}, 9: {"devěta"},
	},
}
