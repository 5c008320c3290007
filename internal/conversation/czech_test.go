package conversation

import "testing"

func TestCzech(t *testing.T) {
	t.Parallel()
	utterances{
		optOut: []string{
			"Stop", "Stop, prosím.", "Ne, stop!", "Dost!", "Přestaňte!", "Řekla jsem stop", "Už mi nevolejte",
			"Nevolejte mi už", "Prosím, už sem nevolejte", "Nikdy mi už nevolejte", "Nevolejte mi.",
			"Přestaňte mi volat", "Přestaňte mě otravovat",
			"Nechte mě být", "Dejte mi pokoj", "Dejte mi už konečně pokoj!", "Nechci, abyste mi volali",
			"Nepřeji si další hovory", "Nechci už žádné telefonáty", "Už žádné hovory", "Vyškrtněte mě ze seznamu",
			"Smažte moje číslo", "Vymažte prosím mé číslo", "Můžete mě vyškrtnout?", "Odhlaste mě",
			"Nepřeji si být kontaktován", "Nechte toho", "stop calling me",
		},
		noOptOut: []string{
			"Nepřestávejte", "Nemůžu přestat kašlat", "Na zastávce", "Nevolejte mi před desátou", "Nevolejte mi večer",
			"Dnes už mi nevolejte", "Zavolejte mi zítra", "Syn mi už nevolá", "Nikdo mi nevolal",
			"Nemusíte mě vyškrtnout", "Ne", "Ne, děkuji", "Jsem na čekací listině", "Nevím",
			"Volala jsem doktorovi", "Mám pokoj v prvním patře",
		},
		yes: []string{
			"Ano.", "Jo", "Ano, samozřejmě", "Ehm, ano, myslím že ano", "Jasně!", "Přesně tak",
			"Ano, ale ne v pondělí", "Ne, vlastně ano", "Žádný problém", "To jsem já", "Proč ne?", "Dobře",
			"U telefonu",
		},
		no: []string{
			"Ne.", "Ne, děkuji", "Spíš ne", "Asi ne", "Ještě ne", "Ano, ne, počkejte, ne", "Neviděl jsem ho",
			"Myslím, že ne", "Vůbec ne", "To není pravda", "Bohužel ne",
		},
		unsure: []string{"Možná", "Nevím", "To záleží", "Nejsem si jistá", "Těžko říct", "Úterý", "Ano i ne"},
		numbers: map[string]float64{
			"3": 3, "tři": 3, "Asi tři, myslím": 3, "dvacet pět": 25, "pětadvacet": 25, "jedenadvacet": 21,
			"dvacet jedna": 21, "sto dvacet": 120, "dvě stě padesát": 250, "tisíc": 1000, "dva tisíce pět set": 2500,
			"1.200": 1200, "3,5": 3.5, "dva a půl": 2.5, "jeden a půl": 1.5,
			"Jedna.": 1, "vůbec": 0, "osm z deseti": 8, "8 z 10": 8, "minus pět": -5, "pět, ne, šest": 6, "dvakrát": 2,
		},
		noNumbers: []string{"dva nebo tři", "několik", "ano"},
		choices: map[string]string{
			"Pondělí|Úterý: v úterý prosím": "Úterý", "Pondělí|Úterý: první": "Pondělí",
			"Pondělí|Úterý: ne pondělí, úterý": "Úterý", "Pondělí|Úterý: poslední": "Úterý",
			"Pondělí|Úterý: pondělí nebo úterý": "",
			"Návštěva doma|Telefonát: návštěva": "Návštěva doma",
		},
		repeat: []string{"Cože?", "Můžete to zopakovat?", "Ještě jednou, prosím", "Nerozumím", "Neslyším vás"},
		who:    []string{"Kdo volá?", "Kdo je to?", "S kým mluvím?", "O co jde?"},
		bye:    []string{"Na shledanou", "Musím jít, na shledanou", "Mějte se hezky"},
		skip:   []string{"To nevím", "Další otázka", "Nechci odpovídat", "Nemám tušení"},
		machine: []string{
			"Dovolali jste se do hlasové schránky Jana Nováka. / Zanechte vzkaz po zaznění signálu.",
			"Volaný účastník je momentálně nedostupný.", "Dobrý den, zanechte vzkaz po zaznění signálu.",
			"Nemohu přijmout váš hovor. Nechte zprávu po pípnutí.",
			"Dovolali jste se k Novákům. / Nejsme teď k zastižení.", "Toto je hlasová schránka.",
			"Ahoj, tady Tom. Nemůžu teď vzít telefon. Nech mi vzkaz.", "Váš hovor byl přesměrován do hlasové schránky.",
			"Namluvte prosím vzkaz po signálu.", "Ozvu se vám, jakmile to bude možné.",
			"Volané číslo není momentálně dostupné.", "Tady je záznamník paní Novákové.",
		},
		perhaps: []string{"Dovolali jste se k Novákům.", "Nejsem teď k zastižení."},
		full: []string{
			"Hlasová schránka je plná.", "Schránka je plná, nelze zanechat další zprávy.",
			"Účastník nemá nastavenou hlasovou schránku.", "Volané číslo neexistuje.",
		},
		screening: []string{
			"Dobrý den. Pokud uvedete své jméno a důvod hovoru, zjistím, jestli je tato osoba dostupná.",
			"Osoba, které voláte, používá filtrování hovorů Google a obdrží přepis tohoto hovoru.",
			"Řekněte své jméno a proč voláte.", "Jsem virtuální asistent Anny. Jaký je důvod vašeho hovoru?",
		},
		menu: []string{
			"Pro prodej stiskněte 1. Pro podporu stiskněte 2.", "Všichni naši operátoři jsou obsazeni.",
			"Váš hovor je pro nás důležitý.", "Hovor může být nahráván.",
		},
		hold: []string{"Moment, prosím.", "Počkejte, zavolám ji.", "Chvilku.", "Vydržte, prosím.", "Přepojím vás."},
		robot: []string{
			"Jste robot?", "Mluvím s robotem?", "Je to nahrávka?", "Jste skutečný člověk?",
			"Ano, ale jste živý člověk?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"To je omyl.", "Máte špatné číslo.", "Spletl jste si číslo.", "Nikdo takový tady není.",
				"Ona už tady nebydlí.", "Neznám nikoho takového.", "To už není jeho číslo.", "Odstěhoval se.",
				"Tady nikdo toho jména není.",
			},
			Deceased: []string{
				"Zemřel minulý měsíc.", "Manžel zemřel.", "Ona už nežije.", "Moje žena umřela.",
				"Pan Novák je po smrti.", "Bohužel zemřela.", "Maminka zemřela před dvěma lety.",
				"Pohřbili jsme ho včera.",
			},
			Minor: []string{
				"Maminka není doma.", "Táta spí.", "Rodiče nejsou doma.", "Je mi sedm.", "Je mi teprve šest let.",
				"Jsem jenom dítě.", "Nesmím mluvit s cizími.", "Chcete mluvit s maminkou?",
			},
			Busy: []string{
				"Řídím auto.", "Jsem za volantem.", "Jsem na poradě.", "Teď nemůžu mluvit.", "Teď se mi to nehodí.",
				"Nemám čas.", "Není to vhodná chvíle, není vhodný čas.", "Jsem v práci.", "Jsem u lékaře.",
			},
			CallBack: []string{
				"Zavolejte mi za hodinu.", "Můžete zavolat později?", "Řídím, zavolejte mi za hodinu.",
				"Zavolejte zítra.", "Zavolejte večer.", "Zavolejte v pondělí.", "Nevolejte mi před dvanáctou.",
				"Můžeme si promluvit zítra?", "Bude doma až v šest.", "Dejte mi půl hodiny.",
			},
			WantsHuman: []string{
				"Můžu mluvit s člověkem?", "Chci mluvit s operátorem.", "Přepojte mě na operátora.",
				"Nemluvím s roboty.", "Operátora, prosím.", "Chci živého člověka.",
				"Nebudu mluvit se strojem, chci mluvit s člověkem.", "Chtěla bych promluvit s živým člověkem.",
			},
		},
		callBack: map[string]string{
			"Zavolejte mi za hodinu.":     "2026-11-25 11:07",
			"Zavolejte za dvacet minut.":  "2026-11-25 10:27",
			"Zavolejte za půl hodiny.":    "2026-11-25 10:37",
			"Zavolejte za dvě hodiny.":    "2026-11-25 12:07",
			"Zavolejte zítra ráno.":       "2026-11-26 09:00",
			"Zavolejte zítra.":            "2026-11-26 10:07",
			"Zavolejte dnes večer.":       "2026-11-25 18:00",
			"Zavolejte ve čtyři.":         "2026-11-25 16:00",
			"Zavolejte ve čtyři hodiny.":  "2026-11-25 16:00",
			"Zavolejte v půl páté.":       "2026-11-25 16:30",
			"Zavolejte v 16:30.":          "2026-11-25 16:30",
			"Zavolejte v pondělí.":        "2026-11-30 10:07",
			"Zavolejte v pátek ve dvě.":   "2026-11-27 14:00",
			"Zavolejte po páté.":          "2026-11-25 17:00",
			"Nevolejte mi před polednem.": "2026-11-25 12:00",
			"Můžete zavolat později?":     "",
		},
		person: []string{
			"Je to vhodná chvíle.", "Je vhodný čas.", "Maminka je nemocná.", "Žádný problém není.",
			"V pátek mám schůzku.", "To se mi nehodí.", "Ano, mám práci.", "Ano.", "Ne.", "Haló?", "Ano, haló?",
			"U telefonu.", "Kdo volá?", "Ano, v pondělí.", "Zítra ráno.", "Ve čtyři.", "Za hodinu.",
			"Nechal jsem vzkaz u sestry.", "Ne, nikdo nepřišel.", "Zavolal mi zpátky v pondělí.",
			"Minulý týden jsem měl moc práce.", "V pondělí mám práci.", "Telefon se mi vybil.", "Je mi sedmdesát let.",
			"Ano, bydlím tady.", "Ne, nebydlím sám.", "Maminka mě odvezla.", "Mluvil jsem s lékařem.",
			"Byl to špatný lék.", "Nic mě nebolí.", "Kontrolu mám zítra.", "Ještě ne.", "Možná později.",
			"Manžel je tady.", "Mám otázku.", "Ne, lékař tam nebyl.", "Nevím.", "Volala jsem doktorovi.",
		},
	}.check(t, "cs-CZ")
}
