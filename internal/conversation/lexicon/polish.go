package lexicon

// Polish is the lexicon of Polish.
func Polish() Language {
	const (
		ring = `(?:dzwoń|dzwońcie|dzwonić|zadzwoń|zadzwońcie|telefonuj|telefonujcie|telefonować|wydzwaniaj|wydzwaniajcie|wydzwaniać|kontaktuj|kontaktujcie|kontaktować|nękaj|nękajcie|nękać|niepokój|niepokójcie|niepokoić|przeszkadzaj|przeszkadzajcie|przeszkadzać|zawracaj|zawracajcie|zawracać)`
		rang = `(?:dzwonil[a-z]*|telefonowal[a-z]*|wydzwanial[a-z]*|kontaktowal[a-z]*|nękal[a-z]*|niepokoil[a-z]*)`
		me   = `(?:do mnie|do nas|mnie|nas|mi|tu|tutaj|na ten numer|na mój numer|pod ten numer|ze mną|z ` +
			`nami|się|państwo|pan|pani|proszę|głowy)`
		more = `(?:więcej|już|nigdy|ponownie)`
		that = `(?:żeby|aby|by|żebyście|abyście|żebyś)`
		data = `(?:mnie|nas|mój numer|mojego numeru|ten numer|numer|moje dane|moje nazwisko)`
		drop = `(?:usuń|usuńcie|usunąć|skreśl|skreślcie|skreślić|wykreśl|wykreślcie|wykreślić|wypisz|wypiszcie|wypisać|wymaż|wymażcie|wymazać|skasuj|skasujcie|skasować)`
		talk = `(?:telefonów|połączeń|rozmów|dzwonienia|telefony|połączenia)`
	)
	return Language{
		Lines: Lines{
			Disclosure: "To jest połączenie automatyczne. W każdej chwili można nacisnąć 9 albo powiedzieć stop, " +
				"a nie zadzwonimy więcej.",
			NotUnderstood: "Przepraszam, nie rozumiem.",
			Goodbye:       "Dziękuję za poświęcony czas. Do widzenia.",
			StillThere:    "Halo, czy jest tam ktoś?",
			NoAnswer:      "Nic nie słyszę, więc teraz się rozłączę. Do widzenia.",
			OptedOut:      "Rozumiem. Nie będziemy więcej dzwonić na ten numer. Do widzenia.",
			Back:          "Przepraszam, na chwilę przerwało połączenie.",
			MoveOn:        "Nic nie szkodzi, przejdźmy dalej.",
			Moment:        "Jedną chwilę, proszę.",
			Trouble:       "Przepraszam, mamy problem techniczny i muszę się teraz rozłączyć. Do widzenia.",
			Acks:          []string{"Dziękuję.", "Dobrze."},
		},
		Filler: []string{"no", "no więc", "więc", "ee", "eee", "yyy", "yy", "hm", "hmm", "mm", "ach", "oj", "och",
			"no cóż", "cóż", "wie pan", "wie pani", "wiecie", "proszę", "proszę pana", "proszę pani", "dziękuję",
			"dzięki", "przepraszam", "niech pomyślę",
			"zaraz", "myślę", "myślę że", "że", "chyba", "sądzę", "sądzę że", "powiedzmy", "powiedziałbym",
			"powiedziałabym", "wydaje mi się", "wydaje mi się że", "około", "jakieś", "gdzieś", "mniej więcej",
			"słuchaj", "słuchajcie", "i", "a", "ale", "to", "ja"},
		Hello: []string{
			"halo", "słucham", "tak słucham", "halo słucham", "dzień dobry", "dobry wieczór", "cześć", "witam", "hej",
			"halo halo",
		},
		Bye: []string{
			"do widzenia", "do usłyszenia", "żegnam", "na razie", "pa", "pa pa", "muszę kończyć", "muszę już kończyć",
			"muszę iść", "muszę już iść", "miłego dnia", "dobranoc",
		},
		Who: []string{"kto mówi", "kto dzwoni", "kto to", "kto to jest", "a kto mówi", "z kim rozmawiam", "z kim mówię",
			"kim pan jest", "kim pani jest", "kim jesteś", "o co chodzi", "w jakiej sprawie", "skąd pan dzwoni",
			"skąd pani dzwoni", "skąd dzwonicie", "co to za firma",
			"czy to robot", "to robot", "czy pani jest robotem", "czy pan jest robotem", "jesteś robotem",
			"czy rozmawiam z automatem"},
		Repeat: []string{"co", "słucham", "jak", "proszę", "przepraszam", "co proszę", "że co", "jeszcze raz",
			"powtórz", "proszę powtórzyć", "proszę o powtórzenie", "może pan powtórzyć", "może pani powtórzyć",
			"czy może pan powtórzyć", "czy może pani powtórzyć", "czy mogłaby pani powtórzyć",
			"czy mógłby pan powtórzyć", "proszę powtórzyć pytanie",
			"nie rozumiem", "nie zrozumiałem", "nie zrozumiałam", "nie słyszę", "nie słyszałem", "nie słyszałam",
			"nie dosłyszałem", "nie dosłyszałam", "co pan mówi", "co pani mówi", "co pan powiedział",
			"co pani powiedziała", "jakie było pytanie"},
		Record: []string{
			"zostaw wiadomość", "zostawić wiadomość", "proszę zostawić wiadomość", "nagraj wiadomość",
			"nagrać wiadomość", "po sygnale", "po usłyszeniu sygnału", "poczta głosowa", "nie mogę teraz odebrać",
			"abonent jest niedostępny",
		},
		Skip: []string{"nie wiem", "nie mam pojęcia", "pojęcia nie mam", "trudno powiedzieć", "nie pamiętam",
			"nie chcę odpowiadać", "wolę nie mówić", "wolę nie odpowiadać", "wolałbym nie mówić", "wolałabym nie mówić",
			"bez komentarza", "następne pytanie", "następne", "dalej", "pomińmy", "pas",
			"nie twoja sprawa", "nie pana sprawa", "nie pani sprawa", "żadne z nich", "żaden z nich",
			"ani jedno ani drugie", "ani to ani to"},

		Yes: []string{"tak", "no tak", "tak tak", "jasne", "no jasne", "oczywiście", "oczywiście że tak", "pewnie",
			"pewnie że tak", "no pewnie", "na pewno", "z pewnością", "zgadza się", "dokładnie", "dokładnie tak",
			"właśnie", "właśnie tak", "zgoda", "dobrze", "okej", "ok", "okay", "owszem", "chętnie", "bardzo chętnie",
			"z przyjemnością", "bardzo proszę", "nie ma problemu", "żaden problem", "bez problemu", "nie ma sprawy",
			"czemu nie", "dlaczego nie", "myślę że tak", "chyba tak", "raczej tak", "jak najbardziej", "słusznie",
			"naturalnie", "w porządku", "mhm", "aha", "bez wątpienia", "absolutnie tak", "potwierdzam"},
		No: []string{"nie", "nie nie", "nie dziękuję", "raczej nie", "chyba nie", "na pewno nie", "absolutnie nie",
			"wcale nie", "w ogóle nie", "jeszcze nie", "nie teraz", "nie dzisiaj", "nie dziś", "oczywiście że nie",
			"pewnie że nie", "myślę że nie", "niestety nie", "w żadnym wypadku", "w żadnym razie", "skądże", "skąd",
			"nie sądzę", "nie wydaje mi się",
			"nie zgadza się", "nieprawda", "to nieprawda", "pomyłka", "to pomyłka", "nie jestem zainteresowany",
			"nie jestem zainteresowana", "nie interesuje mnie to", "ani trochę", "nie bardzo", "nigdy w życiu",
			"zaprzeczam"},
		Unsure: []string{
			"może", "być może", "nie wiem", "nie jestem pewien", "nie jestem pewna", "to zależy", "zależy",
			"trudno powiedzieć", "czasami", "czasem", "tak i nie", "i tak i nie", "różnie", "różnie bywa",
			"nie pamiętam", "możliwe", "nie mam pojęcia", "jeszcze nie wiem",
		},
		Hint: []string{"nigdy", "żaden", "żadna", "nic", "bez"},
		Mistaken: []string{
			"to znaczy", "znaczy", "znaczy się", "chciałem powiedzieć", "chciałam powiedzieć", "nie czekaj", "czekaj",
			"czekajcie", "proszę poczekać", "chwila", "przepraszam nie", "pomyliłem się", "pomyliłam się",
			"właściwie", "a raczej", "albo raczej",
		},
		YesAlone: []string{
			"to ja", "to ja słucham", "przy telefonie", "przy aparacie", "we własnej osobie", "mam", "jestem", "mogę",
			"chcę", "byłem", "byłam", "prawda", "to prawda", "dobra", "super", "świetnie", "pasuje", "pasuje mi",
			"może być", "zgadzam się", "poproszę", "widziałem", "widziałam", "brałem", "brałam",
		},
		NoAlone: []string{"fałsz", "nigdy", "nic", "żaden", "żadna", "źle"},
		Not:     []string{"nie", "bez", "ani"},

		Connectives: []string{"albo", "przed", "przez", "oraz", "domu"},

		Ordinals: [MaxOrdinals][]string{
			{"pierwszy", "pierwsza", "pierwsze", "pierwszą", "numer jeden", "opcja jeden"},
			{"drugi", "druga", "drugie", "drugą", "numer dwa", "opcja dwa"},
			{"trzeci", "trzecia", "trzecie", "trzecią", "numer trzy", "opcja trzy"},
			{"czwarty", "czwarta", "czwarte", "czwartą", "numer cztery"},
			{"piąty", "piąta", "piąte", "piątą", "numer pięć"}, {"szósty", "szósta", "szóste", "szóstą", "numer sześć"},
			{"siódmy", "siódma", "siódme", "numer siedem"}, {"ósmy", "ósma", "ósme", "numer osiem"},
		},
		Last: []string{"ostatni", "ostatnia", "ostatnie", "ostatnią"},

		Spell:    polishNumbers.spell,
		Thousand: []string{"tysiąc", "tysiące", "tysięcy", "jeden tysiąc"},
		Half:     []string{"i pół"},
		And:      []string{"i"},
		OutOf:    []string{"na", "z"},
		Minus:    []string{"minus"},
		Article:  []string{"jeden", "jedna", "jedno", "jedną", "jednego", "jednej"},
		Vague: []string{
			"chwilę", "jedną chwilę", "jedną chwileczkę", "jeden moment", "trochę", "parę", "kilka", "kilkanaście",
			"jeden z nich", "jedna z nich", "jeszcze jeden", "jeszcze jedna",
		},
		Counts: map[string]float64{
			"raz": 1, "jeden raz": 1, "dwa razy": 2, "trzy razy": 3, "ani razu": 0, "ani jednego": 0, "wcale": 0,
			"żaden": 0, "żadnego": 0, "żadnych": 0, "nic": 0, "nigdy": 0, "pół": 0.5, "półtora": 1.5, "półtorej": 1.5,
			"tuzin": 12,
		},
		DecimalComma: true,

		Glad: []string{
			"dobrze", "bardzo dobrze", "świetnie", "wspaniale", "doskonale", "znakomicie", "super", "zadowolony",
			"zadowolona", "szczęśliwy", "szczęśliwa", "lepiej", "miły", "miła", "miło", "pomocny", "pomocna",
			"fantastycznie", "cudownie", "polecam", "bardzo dziękuję",
		},
		Sad: []string{
			"źle", "bardzo źle", "okropnie", "strasznie", "fatalnie", "kiepsko", "niezadowolony", "niezadowolona",
			"zły", "zła", "wściekły", "wściekła", "gorzej", "ból", "bóle", "boli", "bolą", "problem", "problemy",
			"skarga", "reklamacja", "rozczarowany", "rozczarowana", "zawroty", "chory", "chora", "smutny", "smutna",
			"oszustwo", "skandal", "niemiły", "niemiła", "martwię",
		},

		Urge: []string{
			"tak", "no", "już", "teraz", "natychmiast", "wreszcie", "w końcu", "zaraz", "powiedziałem",
			"powiedziałam", "mówię", "mówiłem", "mówiłam", "chcę żeby pani", "chcę żebyście", "czy może pan",
			"czy może pani", "może pan", "może pani", "możecie", "musicie", "z tym", "to", "tego", "na litość boską",
			"okej", "ok", "więcej", "do mnie",
		},
		StopAlone: []string{
			"stop", "przestań", "przestańcie", "przestać", "proszę przestać", "dość", "dosyć", "dość tego",
			"wypisz mnie", "wypiszcie mnie", "nie dzwoń", "nie dzwońcie", "nie dzwonić", "daj mi spokój",
			"dajcie mi spokój", "rezygnuję", "koniec rozmów",
		},
		Stop: []string{
			`\b` + more + `(?: (?:` + more + `|` + me + `))* nie (?:` + me + ` )*` + ring + `\b`,
			`\bnie (?:` + me + ` |` + more + ` )*` + ring + `(?: ` + me + `)* ` + more + `\b`,
			`\bnie (?:` + me + ` )*` + more + ` (?:` + me + ` )*` + ring + `\b`,
			`\bnie (?:` + me + ` )*` + ring +
				`(?: (?:do mnie|do nas|na ten numer|na mój numer|tu|tutaj|mi głowy))(?:$| proszę\b)`,
			`\b(?:do mnie|do nas|na ten numer|tu|tutaj|mnie) (?:proszę )?nie ` + ring + `$`,
			`\b(?:przestań|przestańcie|przestać|skończ|skończcie|skończyć)(?: (?:` + me +
				`|ciągle|w końcu|wreszcie|już|natychmiast|z tym))* (?:` + ring + `|męczyć)`,
			`\b(?:przestań|przestańcie|przestać|skończ|skończcie|skończyć) (?:już )?z (?:tymi |tym ` +
				`)?(?:telefonami|połączeniami|dzwonieniem)\b`,
			`\bnie (?:chcę|życzę sobie|życzymy sobie|chcemy)(?: ` +
				`(?:już|więcej|żadnych|tych|takich|waszych|państwa|kolejnych|dalszych|otrzymywać|dostawać|odbierać))* ` + talk + `\b`,
			`\bnie (?:chcę|życzę sobie|życzymy sobie|chcemy)(?: (?:już|więcej))* ` + that + `(?: [a-z]+){0,4}? ` + rang,
			`\b` + that + `(?: [a-z]+){0,4}? (?:nie ` + rang + `|przestali (?:[a-z]+ ){0,2}dzwonić)`,
			`\b(?:żadnych|dość|dosyć)(?: (?:więcej|już|tych|takich|waszych))* ` + talk + `\b`,
			`\b` + drop + ` (?:proszę |stąd |już )*` + data + `\b`,
			`\b` + data + ` (?:proszę |stąd |już )*` + drop + `(?:$| (?:z|ze|proszę|stąd)\b)`,
			`\b(?:daj|dajcie|dać|da|dadzą)(?: (?:mi|nam|już|święty|wreszcie|w końcu))* spokój\b`,
			`\b(?:zostaw|zostawcie|zostawić) (?:mnie|nas) w spokoju\b`, `\b(?:mnie|nas) zostawić w spokoju\b`,
			`\brezygnuję z (?:tych |waszych |dalszych )?(?:telefonów|połączeń|rozmów|kontaktu|usługi)\b`,
		},
		Joins: []string{"żeby", "żebyście", "żebyś", "aby", "abyście"},
		Cues: []string{
			"dzwo", "zadzwo", "telefon", "wydzwan", "kontakt", "nęk", "niepok", "przeszk", "zawrac", "usu", "skreś",
			"wykreś", "wypis", "wymaż", "wymaz", "skas", "połącz", "rozmów", "spok", "męcz",
		},
		NotStop: []string{
			`\bnie (?:[a-z]+ ){0,4}?` + ring +
				`(?: [a-z]+){0,3}? (?:przed|po|dziś|dzisiaj|jutro|teraz|rano|wieczorem|nocą|w nocy|w pracy|do ` +
				`(?:jutra|poniedziałku|wtorku|środy|czwartku|piątku|soboty|niedzieli)|o tej porze|tak ` +
				`(?:późno|wcześnie|rano))\b`,
			`\bnie (?:[a-z]+ ){0,2}?(?:przest[a-z]+|skończ[a-z]*)(?: [a-z]+)*`,
			`\bnie (?:[a-z]+ ){0,2}?` + drop + `(?: [a-z]+)*`,
			`\b` + data + ` nie ` + drop + `\b`,
			`\b(?:mnie |nas )?wypis[a-z]* (?:mnie |nas )?ze szpitala\b`,
			`\bjuż do mnie nie zadzwoń\b`, `\blist[ayę] oczekujących\b`,
		},
	}
}

var polishNumbers = numberWords{
	small: [20][]string{{"zero"}, nil, {"dwa", "dwie", "dwóch"}, {"trzy", "trzech"}, {"cztery", "czterech"},
		{"pięć", "pięciu"}, {"sześć", "sześciu"}, {"siedem", "siedmiu"}, {"osiem", "ośmiu"}, {"dziewięć", "dziewięciu"},
		{"dziesięć", "dziesięciu"},
		{"jedenaście"}, {"dwanaście"}, {"trzynaście"}, {"czternaście"}, {"piętnaście"}, {"szesnaście"},
		{"siedemnaście"}, {"osiemnaście"}, {"dziewiętnaście"}},
	one: []string{"jeden", "jedna"},
	tens: [10][]string{
		2: {"dwadzieścia"}, 3: {"trzydzieści"}, 4: {"czterdzieści"}, 5: {"pięćdziesiąt"}, 6: {"sześćdziesiąt"},
		7: {"siedemdziesiąt"}, 8: {"osiemdziesiąt"}, 9: {"dziewięćdziesiąt"},
	},
	hundreds: [10][]string{
		1: {"sto"}, 2: {"dwieście"}, 3: {"trzysta"}, 4: {"czterysta"}, 5: {"pięćset"}, 6: {"sześćset"},
		7: {"siedemset"}, 8: {"osiemset"}, 9: {"dziewięćset"},
	},
	join: []string{" "},
}
