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
		noNumbers: []string{"dwa lub trzy", "chwilę", "kilka", "tak"},
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
		who:  []string{"Kto mówi?", "Kto dzwoni?", "Z kim rozmawiam?", "O co chodzi?", "Czy to robot?"},
		bye:  []string{"Do widzenia", "Muszę już kończyć, do widzenia", "Miłego dnia"},
		skip: []string{"Nie wiem", "Następne pytanie", "Wolę nie mówić", "Nie mam pojęcia"},
		machine: []string{
			"Dzień dobry, tu poczta głosowa. Proszę zostawić wiadomość po sygnale.",
			"Nie mogę teraz odebrać. Proszę nagrać wiadomość.",
		},
	}.check(t, "pl-PL")
}
