package conversation

import "testing"

func TestPolish(t *testing.T) {
	t.Parallel()
	utterances{
		optOut: []string{
			"Stop", "Stop, proszę.", "Nie, stop!", "Przestańcie!", "Proszę przestać", "Powiedziałam stop", "Dość tego!",
			"Proszę więcej do mnie nie dzwonić", "Nie dzwońcie do mnie więcej",
			"Nigdy więcej do mnie nie dzwońcie", "Proszę już nie dzwonić", "Nie dzwoń do mnie.",
			"Proszę przestać do mnie dzwonić", "Przestańcie wydzwaniać!", "Przestańcie mnie nękać",
			"Nie życzę sobie więcej telefonów",
			"Nie chcę, żebyście do mnie dzwonili", "Nie chcę już takich telefonów", "Żadnych telefonów więcej",
			"Proszę mnie wypisać", "Proszę usunąć mój numer", "Skreślcie mnie z listy", "Proszę mnie skreślić z listy",
			"Dajcie mi spokój", "Dajcie mi święty spokój!", "Zostawcie mnie w spokoju",
			"Proszę na ten numer nie dzwonić", "stop calling me",
		},
		noOptOut: []string{
			"Nie przestawajcie", "Nie mogę przestać kaszleć", "Na przystanku", "Nie dzwońcie przed dziesiątą",
			"Proszę nie dzwonić do mnie wieczorem", "Nie dzwońcie już dzisiaj", "Proszę zadzwonić jutro",
			"Syn już do mnie nie dzwoni",
			"Nikt do mnie nie dzwonił", "Wypisali mnie ze szpitala", "Kiedy mogą mnie wypisać ze szpitala?",
			"Proszę mnie nie skreślać", "Nie usuwajcie mojego numeru", "Nie", "Nie, dziękuję", "Mam spokój",
			"Jestem na liście oczekujących", "Nie wiem",
		},
		yes: []string{
			"Tak.", "No tak", "Tak, oczywiście", "Yyy, tak, chyba tak", "Jasne!", "Zgadza się",
			"Tak, ale nie w poniedziałki", "Nie, to znaczy tak", "Nie ma problemu", "To ja", "Czemu nie?", "Dobrze",
			"Myślę, że tak",
		},
		no: []string{
			"Nie.", "Nie, dziękuję", "Raczej nie", "Chyba nie", "Jeszcze nie", "Tak, nie, czekaj, nie",
			"Nie widziałem go", "Myślę, że nie", "Wcale nie", "Nie zgadza się", "Niestety nie",
		},
		unsure: []string{
			"Może", "Nie wiem", "To zależy", "Nie jestem pewna", "Trudno powiedzieć", "Wtorek", "Tak i nie",
		},
		numbers: map[string]float64{
			"3": 3, "trzy": 3, "Około trzech, chyba": 3, "dwadzieścia pięć": 25, "dwadzieścia jeden": 21,
			"sto dwadzieścia": 120, "dwieście pięćdziesiąt": 250, "tysiąc": 1000, "dwa tysiące pięćset": 2500,
			"1.200": 1200, "3,5": 3.5, "dwa i pół": 2.5, "półtora": 1.5,
			"Jeden.": 1, "wcale": 0, "osiem na dziesięć": 8, "8 na 10": 8, "minus pięć": -5, "pięć, nie, sześć": 6,
			"dwa razy": 2,
		},
		noNumbers: []string{"dwa lub trzy", "kilka", "tak"},
		choices: map[string]string{
			"Poniedziałek|Wtorek: we wtorek proszę": "Wtorek", "Poniedziałek|Wtorek: wtorek": "Wtorek",
			"Poniedziałek|Wtorek: pierwszy": "Poniedziałek", "Poniedziałek|Wtorek: nie poniedziałek, wtorek": "Wtorek",
			"Poniedziałek|Wtorek: ostatni":                  "Wtorek",
			"Poniedziałek|Wtorek: poniedziałek albo wtorek": "",
			"Wizyta domowa|Rozmowa telefoniczna: wizyta":    "Wizyta domowa",
		},
		repeat: []string{
			"Co?", "Proszę powtórzyć", "Czy może pani powtórzyć?", "Nie rozumiem", "Nie słyszę",
			"Jeszcze raz, proszę",
		},
		who:  []string{"Kto mówi?", "Kto dzwoni?", "Z kim rozmawiam?", "O co chodzi?"},
		bye:  []string{"Do widzenia", "Muszę już kończyć, do widzenia", "Miłego dnia"},
		skip: []string{"Nie wiem", "Następne pytanie", "Wolę nie mówić", "Nie mam pojęcia"},
		machine: []string{
			"Tu poczta głosowa abonenta Jan Kowalski. / Zostaw wiadomość po sygnale.",
			"Abonent jest czasowo niedostępny. Proszę spróbować później.",
			"Dodzwoniłeś się do Anny. / Nie mogę teraz odebrać telefonu.",
			"Cześć, tu Tom. Nie mogę teraz odebrać. / Oddzwonię.", "Proszę zostawić wiadomość po usłyszeniu sygnału.",
			"Nagraj wiadomość po sygnale.", "Abonent, do którego dzwonisz, jest niedostępny.",
			"Twoje połączenie zostało przekierowane na pocztę głosową.", "Tu automatyczna sekretarka.",
			"Oddzwonię tak szybko, jak to możliwe.", "Wybrany numer jest czasowo nieosiągalny.",
			"Po sygnale zostaw swoje imię i numer.",
		},
		perhaps: []string{"Dodzwoniłeś się do Anny.", "Jestem teraz niedostępny."},
		full: []string{
			"Skrzynka głosowa jest pełna.", "Skrzynka jest pełna i nie może przyjąć więcej wiadomości.",
			"Abonent nie skonfigurował poczty głosowej.", "Nie ma takiego numeru.",
		},
		screening: []string{
			"Dzień dobry. Jeśli podasz swoje imię i powód połączenia, sprawdzę, czy ta osoba jest dostępna.",
			"Osoba, do której dzwonisz, korzysta z filtrowania połączeń Google i otrzyma zapis tej rozmowy.",
			"Powiedz swoje imię i dlaczego dzwonisz.", "Jestem wirtualnym asystentem Anny. Jaki jest cel połączenia?",
		},
		menu: []string{
			"Aby połączyć się ze sprzedażą, wciśnij 1. Aby uzyskać pomoc, wciśnij 2.",
			"Wszyscy nasi konsultanci są zajęci.", "Państwa połączenie jest dla nas ważne.",
			"Rozmowa może być nagrywana.",
		},
		hold: []string{
			"Chwileczkę, proszę.", "Moment, zaraz zawołam męża.", "Proszę poczekać.", "Proszę się nie rozłączać.",
			"Już ją proszę. Zaraz podejdzie.",
		},
		robot: []string{
			"Czy to robot?", "Rozmawiam z automatem?", "Czy to nagranie?", "Czy pan jest prawdziwym człowiekiem?",
			"Czy pani jest robotem?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"To pomyłka.", "Zły numer.", "Pomylił pan numer.", "Tu nie ma nikogo takiego.",
				"Ona już tu nie mieszka.", "Nie znam takiej osoby.", "To już nie jest jego numer.",
				"On się wyprowadził. Wyprowadził się rok temu.", "Nie ma tu nikogo o takim nazwisku.",
			},
			Deceased: []string{
				"On nie żyje.", "Mąż zmarł w zeszłym miesiącu.", "Ona zmarła w marcu.", "Moja żona nie żyje.",
				"Pan Kowalski umarł.", "Niestety zmarł.", "Mama zmarła dwa lata temu.", "Pochowaliśmy go wczoraj.",
			},
			Minor: []string{
				"Mamy nie ma w domu.", "Tata śpi.", "Nie ma rodziców.", "Mam siedem lat.", "Mam dopiero sześć lat.",
				"Jestem dzieckiem.", "Nie wolno mi rozmawiać z obcymi.", "Chce pan rozmawiać z mamą?",
			},
			Busy: []string{
				"Prowadzę samochód.", "Jestem za kierownicą.", "Jestem na spotkaniu.", "Nie mogę teraz rozmawiać.",
				"To nie jest dobry moment.", "Nie mam czasu.", "Jestem zajęty.", "Jestem w pracy.", "Jestem u lekarza.",
			},
			CallBack: []string{
				"Proszę zadzwonić za godzinę.", "Czy może pan zadzwonić później?",
				"Prowadzę, proszę zadzwonić za godzinę.", "Zadzwoń jutro.", "Proszę zadzwonić wieczorem.",
				"Proszę zadzwonić w poniedziałek.", "Proszę nie dzwonić przed dwunastą.", "Możemy porozmawiać jutro?",
				"Będzie w domu o szóstej.", "Proszę mi dać pół godziny.",
			},
			WantsHuman: []string{
				"Czy mogę rozmawiać z człowiekiem?", "Chcę rozmawiać z konsultantem.",
				"Proszę połączyć mnie z konsultantem.", "Nie rozmawiam z robotami.", "Konsultant, proszę.",
				"Wolę prawdziwego człowieka.", "Nie będę rozmawiać z maszyną.",
				"Chciałbym porozmawiać z żywym człowiekiem.",
			},
		},
		callBack: map[string]string{
			"Proszę zadzwonić za godzinę.":           "2026-11-25 11:07",
			"Proszę zadzwonić za dwadzieścia minut.": "2026-11-25 10:27",
			"Proszę zadzwonić za pół godziny.":       "2026-11-25 10:37",
			"Proszę zadzwonić za dwie godziny.":      "2026-11-25 12:07",
			"Proszę zadzwonić jutro rano.":           "2026-11-26 09:00",
			"Proszę zadzwonić jutro.":                "2026-11-26 10:07",
			"Proszę zadzwonić dziś wieczorem.":       "2026-11-25 18:00",
			"Proszę zadzwonić o czwartej.":           "2026-11-25 16:00",
			"Proszę zadzwonić wpół do piątej.":       "2026-11-25 16:30",
			"Proszę zadzwonić o 16:30.":              "2026-11-25 16:30",
			"Proszę zadzwonić o szesnastej.":         "2026-11-25 16:00",
			"Proszę zadzwonić w poniedziałek.":       "2026-11-30 10:07",
			"Proszę zadzwonić w piątek o drugiej.":   "2026-11-27 14:00",
			"Proszę zadzwonić po piątej.":            "2026-11-25 17:00",
			"Proszę nie dzwonić przed południem.":    "2026-11-25 12:00",
			"Czy może pan zadzwonić później?":        "",
		},
		person: []string{
			"Mama jest chora.", "Nie ma żadnego problemu.", "W piątek mam spotkanie.", "Nie ma tu nikogo.", "Tak.",
			"Nie.", "Halo?", "Tak, halo?", "Przy telefonie.", "Kto mówi?", "Tak, w poniedziałek.", "Jutro rano.",
			"O czwartej.", "Za godzinę.", "Zostawiłem wiadomość u pielęgniarki.", "Nie, nikt nie przyszedł.",
			"Oddzwonił do mnie w poniedziałek.", "W zeszłym tygodniu byłem zajęty.", "W poniedziałek jestem zajęty.",
			"Mój telefon się rozładował.", "Mam siedemdziesiąt lat.", "Tak, mieszkam tutaj.", "Nie, nie mieszkam sam.",
			"Mama mnie zawiozła.", "Rozmawiałem z lekarzem.", "To był zły lek.", "Nic mnie nie boli.",
			"Mam wizytę jutro.", "Jeszcze nie.", "Może później.", "Mąż jest tutaj.", "Mam pytanie.",
			"Nie, lekarza nie było.", "Nie wiem.", "Dzwoniłem do lekarza.",
		},
	}.check(t, "pl-PL")
}
