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
		noNumbers: []string{"dva nebo tři", "chvilku", "několik", "ano"},
		choices: map[string]string{
			"Pondělí|Úterý: v úterý prosím": "Úterý", "Pondělí|Úterý: první": "Pondělí",
			"Pondělí|Úterý: ne pondělí, úterý": "Úterý", "Pondělí|Úterý: poslední": "Úterý",
			"Pondělí|Úterý: pondělí nebo úterý": "",
			"Návštěva doma|Telefonát: návštěva": "Návštěva doma",
		},
		repeat: []string{"Cože?", "Můžete to zopakovat?", "Ještě jednou, prosím", "Nerozumím", "Neslyším vás"},
		who:    []string{"Kdo volá?", "Kdo je to?", "S kým mluvím?", "O co jde?", "Jste robot?"},
		bye:    []string{"Na shledanou", "Musím jít, na shledanou", "Mějte se hezky"},
		skip:   []string{"To nevím", "Další otázka", "Nechci odpovídat", "Nemám tušení"},
		machine: []string{
			"Dobrý den, zanechte vzkaz po zaznění signálu.", "Nemohu přijmout váš hovor. Nechte zprávu po pípnutí.",
		},
	}.check(t, "cs-CZ")
}
