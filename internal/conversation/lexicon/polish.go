package lexicon

import "time"

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
		// who answered
		box = `(?:poczt[aęyąie]+ głosow[aąeyj]+|skrzynk[aięąe]+(?: głosow[aąeyj]+| pocztow[aąeyj]+)?|` +
			`automatyczn[aąeyj]+ sekretark[aięąe]+|sekretark[aięąe]+|voicemail)`
		teraz = `(?:(?:teraz|w tej chwili|obecnie|chwilowo|niestety|aktualnie|w tym momencie|akurat|dzisiaj|dziś|` +
			`czasowo|właśnie) )*`
		hour = `(?:pierwszej|drugiej|trzeciej|czwartej|piątej|szóstej|siódmej|ósmej|dziewiątej|dziesiątej|` +
			`jedenastej|dwunastej|trzynastej|czternastej|piętnastej|szesnastej|siedemnastej|osiemnastej|` +
			`dziewiętnastej|dwudziestej|południem|południu|pracy|obiedzie|[0-9:.]+)`
		kiedy = `(?:później|potem|jutro|pojutrze|dzisiaj wieczorem|dziś wieczorem|wieczorem|po południu|rano|` +
			`kiedy indziej|innym razem|w innym (?:terminie|momencie)|(?:w |we )?(?:poniedziałek|wtorek|` +
			`środę|czwartek|piątek|sobotę|niedzielę)|w przyszłym tygodniu|za (?:godzinę|pół|kwadrans|` +
			`chwilę|dwie|trzy|cztery|pięć|dziesięć|piętnaście|dwadzieścia|trzydzieści|jakąś|jakieś|około|` +
			`parę|kilka|tydzień|minutę|półtorej|[0-9]+)|(?:o|po|około|przed|od|koło) (?:godzinie )?` + hour +
			`|wpół do [a-z]+|ponownie|jeszcze raz)`
		ona = `(?:on|ona|mąż|żona|mama|tata|matka|ojciec|syn|córka|mój (?:mąż|ojciec|tata|brat|syn)|moja ` +
			`(?:żona|matka|mama|siostra|córka)|pan [a-z]+|pani [a-z]+|ta osoba)`
		czlowiek = `(?:(?:z|do|żywym|prawdziwym|innym|kimś|jakimś|jakąś|żywego|prawdziwego|prawdziwą|żywą) ` +
			`)*(?:człowiekiem|człowieka|konsultantem|konsultanta|konsultantką|konsultantki|pracownikiem|` +
			`pracownika|operatorem|prawdziwą osobą|żywą osobą|osobą|kimś żywym)`
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
			Screening:     "To automatyczne połączenie od {{organization}} do {{name|właściciela tego numeru}}.",
			ScreeningAbout: "To automatyczne połączenie od {{organization}} do {{name|właściciela tego numeru}} w " +
				"sprawie: {{reason}}.",
			Automated: "Jestem automatycznym głosem, nie człowiekiem. To automatyczne połączenie od " +
				"{{organization}}.",
			Declined:    "Przykro mi, nie mogę o tym rozmawiać.",
			Voicemail:   "Tu {{agent}}, {{organization}}. Spróbujemy ponownie innym razem. Do widzenia.",
			WrongPerson: "Przepraszam za kłopot. Do widzenia.",
			Deceased:    "Bardzo mi przykro. Przepraszam za ten telefon. Do widzenia.",
			Minor:       "Dziękuję. Teraz się rozłączę. Do widzenia.",
			Busy:        "Rozumiem. Przepraszam za kłopot. Do widzenia.",
			CallBack:    "Rozumiem, już to zapisuję. Do widzenia.",
			WantsHuman: "Jestem automatycznym głosem i nie mogę przełączyć rozmowy. Zapisuję, że chce pan lub " +
				"pani rozmawiać z człowiekiem. Do widzenia.",
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
		Parting: []string{"cześć"},
		Bye: []string{
			"do widzenia", "do usłyszenia", "żegnam", "na razie", "pa", "pa pa", "muszę kończyć", "muszę już kończyć",
			"muszę iść", "muszę już iść", "miłego dnia", "dobranoc",
		},
		Who: []string{
			"kto mówi", "kto dzwoni", "kto to", "kto to jest", "a kto mówi", "z kim rozmawiam", "z kim mówię",
			"kim pan jest", "kim pani jest", "kim jesteś", "o co chodzi", "w jakiej sprawie", "skąd pan dzwoni",
			"skąd pani dzwoni", "skąd dzwonicie", "co to za firma",
		},
		Repeat: []string{"co", "słucham", "jak", "proszę", "przepraszam", "co proszę", "że co", "jeszcze raz",
			"powtórz", "proszę powtórzyć", "proszę o powtórzenie", "może pan powtórzyć", "może pani powtórzyć",
			"czy może pan powtórzyć", "czy może pani powtórzyć", "czy mogłaby pani powtórzyć",
			"czy mógłby pan powtórzyć", "proszę powtórzyć pytanie",
			"nie rozumiem", "nie zrozumiałem", "nie zrozumiałam", "nie słyszę", "nie słyszałem", "nie słyszałam",
			"nie dosłyszałem", "nie dosłyszałam", "co pan mówi", "co pani mówi", "co pan powiedział",
			"co pani powiedziała", "jakie było pytanie",
			"nie słyszę pana", "nie słyszę pani", "nic nie słyszę", "słabo słyszę",
		},
		Skip: []string{"nie wiem", "nie mam pojęcia", "pojęcia nie mam", "trudno powiedzieć", "nie pamiętam",
			"nie chcę odpowiadać", "wolę nie mówić", "wolę nie odpowiadać", "wolałbym nie mówić", "wolałabym nie mówić",
			"bez komentarza", "następne pytanie", "następne", "dalej", "pomińmy", "pas",
			"nie twoja sprawa", "nie pana sprawa", "nie pani sprawa", "żadne z nich", "żaden z nich",
			"ani jedno ani drugie", "ani to ani to"},

		Record: []string{
			`(?:zostaw|zostawić|zostawcie|nagraj|nagrać|pozostaw|pozostawić|nagrajcie)(?: proszę| mi| nam| swoją| ` +
				`krótką)* (?:wiadomość|swoje imię|imię|numer|swój numer)`,
			`po (?:usłyszeniu )?(?:sygnale|sygnału|tonie|usłyszeniu sygnału|dźwięku)`,
			`(?:tu|to|jest to|tutaj) (?:jest )?` + box, box + ` (?:abonenta|numeru|użytkownika|pana|pani|firmy)`,
			`(?:dodzwoniłeś|dodzwoniłaś|dodzwonili|dodzwonił|połączyłeś) (?:się |ście się )?(?:na|do|z) ` + box,
			`(?:przekierowane|przekierowana|przełączone|przekierowany) (?:na|do) ` + box,
			`(?:abonent|abonentka|użytkownik|rozmówca|numer)(?: (?:,|ten|do którego|z którym|pod który|którego|na ` +
				`który|dzwonisz|dzwonią|państwo|próbujesz|się|połączyć|skontaktować|wybrany|jest|czasowo|numer))* ` +
				`(?:jest|nie odpowiada|nie może|ma wyłączony|niedostępny|jest niedostępny|czasowo)`,
			`(?:wybrany|podany) numer`,
			`(?:nie mogę|nie możemy|nie może) ` + teraz + `(?:odebrać|rozmawiać przez telefon i)(?: (?:telefonu|` +
				`twojego telefonu|połączenia))?`,
			`(?:oddzwonię|oddzwonimy|skontaktuję się|odezwę się) (?:[a-z]+ )?(?:najszybciej|jak tylko|tak szybko|` +
				`gdy tylko|niezwłocznie)`,
			`wiesz co robić`,
		},
		Reached: []string{
			`(?:dodzwoniłeś|dodzwoniłaś|dodzwonili|dodzwonił) się`,
			`(?:jestem|jesteśmy|jest) ` + teraz + `(?:niedostępny|niedostępna|niedostępni|nieosiągalny|` +
				`nieosiągalna|poza zasięgiem)`,
			`nie (?:mogę|możemy) ` + teraz + `(?:odebrać|podejść do telefonu)`,
			`nie ma (?:mnie|nas) ` + teraz + `(?:w domu|przy telefonie|w biurze)`,
			`nikogo nie ma (?:teraz |w tej chwili )?(?:w domu|w biurze)`,
			`(?:oddzwonię|oddzwonimy)(?: później| do ciebie)?$`,
			`(?:proszę )?(?:spróbuj|spróbować|zadzwonić|spróbuj ponownie|proszę spróbować)(?: ponownie| ` +
				`zadzwonić)? później$`,
		},
		Full: []string{
			`(?:` + box + `|pamięć)(?: [a-z]+)? jest (?:już |niestety |obecnie )?(?:pełna|zapełniona|przepełniona)`,
			`nie (?:może|można) (?:przyjąć|zostawić|nagrać|przyjmować) (?:więcej |nowych |kolejnych )?wiadomości`,
			box + ` (?:[a-z]+ ){0,3}nie (?:została|jest|zostało) (?:jeszcze )?(?:skonfigurowana|aktywowana|` +
				`aktywna|uruchomiona|włączona)`,
			`nie (?:skonfigurował|aktywował|uruchomił|ma|posiada|włączył) (?:jeszcze |swojej )?` + box,
			`nie ma takiego numeru`,
		},
		Screen: []string{
			`(?:imię|imię i nazwisko|nazwisko|kto dzwoni|kim jesteś) (?:, )?(?:i|oraz) (?:[a-z]+ ){0,2}(?:powód|` +
				`cel|dlaczego|w jakiej|sprawę)`,
			`(?:podaj|proszę podać|powiedz|nagraj|proszę powiedzieć) (?:powód|cel|przyczynę) (?:połączenia|` +
				`rozmowy|telefonu|dzwonienia)`,
			`(?:podaj|proszę podać|powiedz) swoje imię$`,
			`(?:jaki jest|jaki) (?:powód|cel) (?:twojego |tego |pana |pani )?(?:połączenia|telefonu|rozmowy)`,
			`(?:powiedz|proszę powiedzieć)(?: mi)? (?:, )?(?:dlaczego|po co|w jakiej sprawie) (?:dzwonisz|pan|pani)`,
		},
		Screener: []string{
			`(?:filtr|filtra|filtrowania|filtrowanie|filtruje|weryfikacja|weryfikacji) (?:połączeń|rozmów|połączenia)`,
			`(?:wirtualn[ya]|cyfrow[ya]|osobist[ya]) (?:asystent|asystentka)`,
			`asystent(?:ka)? (?:google|truecaller|połączeń)`,
			`(?:sprawdzę|zobaczę) (?:, )?czy (?:[a-z]+ ){1,3}(?:jest )?(?:dostępna|dostępny|może odebrać)`,
			`(?:otrzyma|dostanie) (?:kopię|zapis|transkrypcję) (?:tej )?rozmowy`,
			`(?:pozostań|proszę pozostać|zostań|proszę czekać) (?:na linii|przy telefonie) (?:, )?(?:aż|dopóki|` +
				`podczas)`,
			`dziękuję (?:, )?(?:pozostań|proszę pozostać|proszę czekać) na linii`,
		},
		Menu: []string{
			`(?:wciśnij|naciśnij|wybierz|proszę wcisnąć|proszę nacisnąć|proszę wybrać) (?:klawisz |cyfrę |` +
				`przycisk |numer )?(?:[0-9]|zero|jeden|dwa|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|gwiazdkę|` +
				`krzyżyk)(?: |$)`,
			`wszyscy (?:nasi )?(?:konsultanci|pracownicy|doradcy) są`,
			`(?:pierwszym|najbliższym) wolnym (?:konsultantem|doradcą)`,
			`(?:państwa|twoje|pana) (?:połączenie|telefon|rozmowa) jest (?:dla nas )?(?:bardzo )?(?:ważne|ważny|` +
				`ważna)`,
			`(?:rozmowa|rozmowy|połączenie) (?:może być|jest|są|będzie|mogą być) nagrywan[aey]`,
			`(?:menu główne|menu głównego|godziny otwarcia|godziny pracy|jesteś w kolejce|numer wewnętrzny|proszę ` +
				`uważnie)`,
		},
		Hold: []string{
			`^(?:(?:tak|dobrze|halo|ok|okej|no) (?:, )?)*(?:chwilę|chwileczkę|chwilkę|moment|momencik|sekundę|` +
				`sekundkę|minutkę|jedną chwilę|jeden moment|jedną chwileczkę|jedną sekundę)(?: (?:, )?(?:proszę|` +
				`tylko))*$`,
			`^(?:(?:tak|dobrze|halo|ok|okej|no) (?:, )?)*(?:proszę (?:poczekać|zaczekać|czekać|się nie rozłączać)|` +
				`poczekaj|zaczekaj|poczekaj chwilę|niech pan poczeka|niech pani poczeka|proszę chwilę poczekać|` +
				`proszę chwileczkę)(?: (?:, )?(?:chwilę|moment|proszę|chwileczkę))*$`,
			`(?:już )?(?:zawołam|poproszę|zaraz zawołam|pójdę po|zawołam ją|dam|daję) (?:go|ją|mu|jej|mamę|tatę|` +
				`męża|żonę|do telefonu)`,
			`już (?:daję|podaję|proszę|przekazuję|przełączam|łączę)$`,
			`(?:przełączam|przełączę|łączę|połączę) (?:pana|panią|cię|państwa|z)`,
			`(?:zobaczę|sprawdzę|zaraz zobaczę) (?:, )?czy (?:on|ona|jest|mąż|żona) ?(?:jest|w domu|są)?`,
			`(?:chwileczkę|moment|chwilę|proszę czekać)(?: ,)? (?:zawołam|przekażę|dam|przełączę|łączę|poproszę|` +
				`zaraz|już)`,
			`(?:zaraz|już) (?:podejdzie|idzie)$`,
			`^(?:proszę )?(?:się )?nie (?:się )?(?:rozłączać|rozłączaj|rozłączajcie|odkładać słuchawki|odkładaj słuchawki)(?: się)?$`,
			`^niech (?:się )?(?:pan|pani) (?:się )?nie rozłącza$`,
		},

		WrongPerson: []string{
			`(?:to )?(?:pomyłka|zły numer|błędny numer|nie ten numer|niewłaściwy numer|niewłaściwa osoba)`,
			`(?:pomyliłeś|pomyliłaś|pomylił|pomyliła|pomylili) (?:pan |pani |się |państwo )*(?:numer|numery|osoby)?`,
			`nie ma (?:tu|tutaj|u nas) (?:nikogo (?:takiego|o takim|o tym)|takiej osoby|kogoś takiego)`,
			`(?:tu|tutaj) nie ma (?:nikogo (?:takiego|o)|takiej osoby)`,
			`(?:tu|tutaj) nie (?:mieszka|pracuje) (?:nikt|żaden|żadna|taki|taka|już)`,
			`nikt (?:taki|o takim|o tym) (?:nazwisku|imieniu|tu|nie)`, `(?:już )?(?:tu|tutaj) (?:już )?nie mieszka`,
			`nie mieszka (?:już )?(?:tu|tutaj)`,
			`nie znam (?:takiej osoby|tej osoby|nikogo takiego|nikogo o takim|tego pana|tej pani)`,
			`to (?:już )?nie (?:jest )?(?:już )?(?:jego|jej) numer`, `nie jestem (?:tą osobą|osobą|tą|tym|pan|pani)`,
			`(?:ona |on )?(?:wyprowadził|wyprowadziła|przeprowadził|przeprowadziła) się`,
			`mam ten numer (?:od|dopiero)`,
		},
		Deceased: []string{
			`(?:` + ona + ` )?(?:niestety |już |dawno )?(?:nie żyje|nie żyją)(?: [a-z]+)*$`,
			ona + ` (?:[a-z]+ ){0,3}(?:zmarł|zmarła|umarł|umarła|odszedł od nas|odeszła od nas)`,
			`^(?:(?:nie|niestety|przykro mi|proszę pana) (?:, )?)*(?:zmarł|zmarła|umarł|umarła)(?: [a-z]+)*$`,
			`(?:pochowaliśmy|straciliśmy) (?:go|ją)`, `(?:jego|jej) pogrzeb`,
		},
		Minor: []string{
			`(?:moja |mój )?(?:mama|tata|mamusia|tatuś)(?: i tata| i mama)? (?:nie ma|śpi|jest (?:w pracy|pod ` +
				`prysznicem|w łazience|na zakupach)|kąpie się|gotuje|bierze prysznic)`,
			`(?:mamy|taty|mamusi|rodziców) nie ma`, `nie ma (?:mamy|taty|rodziców|mojej mamy|mojego taty)`,
			`rodzice (?:śpią|są|pracują|wyszli)`,
			`mam (?:dopiero |tylko )?(?:[3-9]|1[0-5]|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|dziesięć|` +
				`jedenaście|dwanaście|trzynaście|czternaście|piętnaście) (?:lat|lata|latek)`,
			`jestem (?:tylko |jeszcze )?(?:dzieckiem|mały|mała|małym chłopcem|małą dziewczynką)`,
			`nie (?:mogę|wolno mi) rozmawiać z (?:obcymi|nieznajomymi)`,
			`(?:chce|chcesz|mam) (?:pan |pani )?(?:rozmawiać z |zawołać )(?:moją |moim )?(?:mamą|tatą|mamę|tatę)`,
		},
		Busy: []string{
			`(?:jestem|siedzę|stoję) ` + teraz + `(?:za kierownicą|w (?:pracy|samochodzie|aucie|trakcie|sklepie|` +
				`pociągu|autobusie|kinie|kościele)|na (?:spotkaniu|zebraniu|zajęciach|lekcji|wykładzie|` +
				`konferencji|wizycie)|u (?:lekarza|dentysty|fryzjera)|na drugiej linii)`,
			`mam (?:teraz|właśnie|akurat) (?:spotkanie|zebranie|zajęcia|klienta|lekcję|wizytę)$`,
			`(?:` + teraz + `prowadzę|kieruję|jem|gotuję|pracuję|jadę)(?: (?:teraz|samochód|auto|samochodem|obiad|` +
				`właśnie|autem))*$`,
			`nie (?:mogę|bardzo mogę) ` + teraz + `(?:rozmawiać|gadać)(?: (?:teraz|w tej chwili))*$`,
			`(?:teraz )?nie mogę (?:teraz )?rozmawiać`,
			`to (?:nie jest|nie) (?:teraz )?(?:dobry|najlepszy|odpowiedni) (?:moment|czas|pora)`,
			`(?:to )?(?:zły|niedobry|kiepski|nieodpowiedni) (?:moment|czas)`,
			`nie mam ` + teraz + `czasu(?: (?:teraz|na to|rozmawiać))*$`,
			`^(?:(?:nie|tak|halo|przepraszam|niestety) (?:, )?)*(?:jestem ` + teraz + `(?:bardzo |trochę ` +
				`)?(?:zajęty|zajęta)|spieszę się|śpieszę się|bardzo się spieszę)(?: (?:teraz|w tej chwili))?$`,
			`(?:muszę|zaraz) (?:już |zaraz )?wychodz[a-z]+$`,
		},
		GoAhead: []string{
			`(?:ale )?(?:jeśli szybko|byle szybko|proszę mówić|niech pan mówi|niech pani mówi|proszę szybko)`,
			`mam (?:minutę|dwie minuty|chwilę|kilka minut|pięć minut)`,
		},
		CallBack: []string{
			`(?:proszę )?(?:zadzwonić|zadzwoń|zadzwońcie|oddzwoń|oddzwonić|dzwonić|dzwoń|spróbować|spróbuj|` +
				`odezwać się|przedzwonić|zadzwoni pan|zadzwoni pani)(?: (?:do mnie|do nas|proszę|zadzwonić|` +
				`ponownie|jeszcze raz|może|znowu))* ` + kiedy,
			`(?:proszę )?(?:oddzwonić|zadzwonić ponownie|zadzwonić jeszcze raz)$`,
			`(?:może|mógłby|mogłaby|możesz|mógłbyś|mogłabyś|czy może|niech|mogą|możecie) (?:pan |pani |państwo |` +
				`do mnie |się )*(?:zadzwonić|oddzwonić|zadzwoni|oddzwoni|odezwać)(?: (?:do mnie|ponownie|jeszcze ` +
				`raz))*(?: ` + kiedy + `|$)`,
			`(?:może|mógłby|mogłaby|możesz|niech) (?:[a-z]+ ){0,3}` + kiedy + ` (?:do mnie )?(?:zadzwonić|` +
				`oddzwonić|zadzwoni|oddzwoni)`,
			`(?:możemy|moglibyśmy|porozmawiajmy|pogadajmy) (?:porozmawiać |pogadać )?` + kiedy,
			`(?:lepiej|raczej|wolałbym|wolałabym) ` + kiedy + `$`,
			`(?:proszę |niech pan |niech pani )?nie (?:dzwonić|dzwoń|dzwoni)(?: do mnie)? (?:przed|tak wcześnie|` +
				`tak późno|teraz)`,
			ona + ` (?:będzie|wróci|wraca) (?:w domu )?(?:dopiero )?` + kiedy,
			`(?:będę|wrócę|wracam|będzie|wróci) (?:w domu |wolny |wolna |dostępny |dostępna )?(?:dopiero )?` +
				kiedy + `$`,
			`(?:proszę )?(?:dać|daj|daj mi|dać mi|proszę mi dać) (?:mi )?(?:godzinę|pół godziny|dziesięć minut|` +
				`chwilę czasu|[0-9]+ minut)`,
			`(?:zadzwoń|zadzwonić|zadzwoni|dzwonić|oddzwonić|oddzwoni|spróbować)(?: [a-z]+){0,3} (?:między|pomiędzy)`,
		},
		WantsHuman: []string{
			`(?:rozmawiać|porozmawiać|mówić|połączyć mnie|połącz mnie|przełącz mnie|przełączyć mnie|pogadać) (?:z ` +
				`|do )` + czlowiek,
			`(?:chcę|wolę|potrzebuję|poproszę|proszę o|czy jest) ` + czlowiek,
			`nie (?:rozmawiam|będę rozmawiać|chcę rozmawiać|gadam|lubię rozmawiać|będę rozmawiał|będę rozmawiała) ` +
				`z (?:robotem|robotami|maszyną|maszynami|automatem|automatami|komputerem|botem|botami)`,
			`^(?:(?:nie|poproszę|proszę) (?:, )?)*(?:konsultant|konsultanta|człowiek|człowieka|operator|obsługa ` +
				`klienta|żywy człowiek|prawdziwa osoba)(?: (?:, )?(?:proszę|poproszę))?$`,
			`(?:prawdziwa|żywa) osoba`, `(?:żywym|prawdziwym) człowiekiem`,
		},
		Robot: []string{
			`(?:czy to|to|jest to|jesteś|pan jest|pani jest|jest pan|jest pani|rozmawiam) (?:jest |` +
				`z |ze |jakiś |jakimś |jakaś |tylko |żywym |żywy |żywą |żywa |prawdziwym |prawdziwy |` +
				`prawdziwą |prawdziwa )*(?:robot|robotem|bot|botem|maszyna|maszyną|komputer|komputerem|` +
				`automat|automatem|nagranie|nagraniem|sztuczna inteligencja|sztuczną inteligencją|` +
				`człowiek|człowiekiem|żywa osoba|żywą osobą|prawdziwa osoba|prawdziwą osobą)`,
		},
		Speak: []string{
			`(?:mówi|mówisz|mówicie|mówią|rozmawia)(?: pan| pani| państwo| ktoś)? po {l}`,
			`(?:zna|znasz|znacie)(?: pan| pani| państwo)?(?: język)? {l}`,
			`(?:możemy|może|można|mogłaby|mógłby|możesz)(?: pan| pani)? (?:rozmawiać|mówić|porozmawiać|` +
				`kontynuować) po {l}`,
			`mówię tylko po {l}`,
			`^proszę (?:mówić )?po {l}`,
			`^po {l}$`,
			`^po {l} (?:proszę|poproszę)$`,
		},
		NotSpoken: []string{
			`nie (?:mówię|rozumiem|znam)(?: dobrze)?(?: po| języka)? {l}`,
		},
		Names: map[string][]string{
			"en": {"angielsku", "angielski"}, "cs": {"czesku", "czeski"}, "da": {"duńsku", "duński"},
			"de": {"niemiecku", "niemiecki"}, "el": {"grecku", "grecki"}, "es": {"hiszpańsku", "hiszpański"},
			"fr": {"francusku", "francuski"}, "it": {"włosku", "włoski"}, "nb": {"norwesku", "norweski"},
			"nl": {"niderlandzku", "holendersku", "niderlandzki"}, "pl": {"polsku", "polski"},
			"pt": {"portugalsku", "portugalski"}, "ro": {"rumuńsku", "rumuński"}, "sv": {"szwedzku", "szwedzki"},
			"tr": {"turecku", "turecki"},
		},
		Times: Times{
			Durations: map[string]time.Duration{
				"godzinę": time.Hour, "godzinkę": time.Hour, "pół godziny": 30 * time.Minute,
				"pół godzinki": 30 * time.Minute, "półtorej godziny": 90 * time.Minute, "kwadrans": 15 * time.Minute,
				"chwilę": 10 * time.Minute, "kilka minut": 10 * time.Minute, "parę minut": 10 * time.Minute,
				"kilka godzin": 3 * time.Hour, "parę godzin": 3 * time.Hour, "dzień": 24 * time.Hour,
				"kilka dni": 3 * 24 * time.Hour, "parę dni": 3 * 24 * time.Hour, "tydzień": 7 * 24 * time.Hour,
			},
			Units: map[string]time.Duration{
				"minutę": time.Minute, "minuty": time.Minute, "minut": time.Minute, "godziny": time.Hour,
				"godzin": time.Hour, "dni": 24 * time.Hour, "tygodnie": 7 * 24 * time.Hour,
				"tygodni": 7 * 24 * time.Hour,
			},
			Days: map[string]int{
				"dzisiaj": 0, "dziś": 0, "jutro": 1, "pojutrze": 2, "w przyszłym tygodniu": 7, "przyszłym tygodniu": 7,
				"przyszłego tygodnia": 7, "w przyszłym miesiącu": 30,
			},
			Weekdays: [7][]string{
				{"niedzielę", "niedziela", "niedziele"}, {"poniedziałek"}, {"wtorek"}, {"środę", "środa"}, {"czwartek"},
				{"piątek"}, {"sobotę", "sobota"},
			},
			Parts: map[string]int{
				"rano": 9, "przed południem": 12, "w południe": 12, "południe": 12, "południem": 12, "po obiedzie": 15,
				"po południu": 14, "popołudniu": 14, "wieczorem": 18, "wieczór": 18, "po pracy": 17,
			},
			Hours: map[string]int{
				"dwunastą":  12,
				"jedenastą": 11,
				"trzecią":   3,
				"drugą":     2,
				"pierwszą":  1,
				"pierwszej": 1, "drugiej": 2, "trzeciej": 3, "czwartej": 4, "piątej": 5, "szóstej": 6, "siódmej": 7,
				"ósmej": 8, "dziewiątej": 9, "dziesiątej": 10, "jedenastej": 11, "dwunastej": 12, "trzynastej": 13,
				"czternastej": 14, "piętnastej": 15, "szesnastej": 16, "siedemnastej": 17, "osiemnastej": 18,
				"dziewiętnastej": 19, "dwudziestej": 20, "dwudziestą": 20, "czwartą": 4, "piątą": 5, "szóstą": 6,
				"siódmą": 7, "ósmą": 8, "dziewiątą": 9, "dziesiątą": 10,
			},
			Between: []string{"między", "pomiędzy", "między godziną"},
			At: []string{
				"godzina", "o", "po", "około", "koło", "przed", "od", "na", "o godzinie", "po godzinie",
				"około godziny", "przed godziną", "do",
			},
			AM: []string{"rano"},
			PM: []string{"po południu", "wieczorem"},
			Before: map[string]int{
				"wpół do": -30, "w pół do": -30, "kwadrans po": 15, "za kwadrans": -15, "kwadrans przed": -15,
				"za pięć": -5, "za dziesięć": -10, "dziesięć po": 10,
			},
			Months: [12][]string{
				{"stycznia", "styczeń"}, {"lutego", "luty"}, {"marca", "marzec"}, {"kwietnia", "kwiecień"},
				{"maja", "maj"}, {"czerwca", "czerwiec"}, {"lipca", "lipiec"}, {"sierpnia", "sierpień"},
				{"września", "wrzesień"}, {"października", "październik"}, {"listopada", "listopad"},
				{"grudnia", "grudzień"},
			},
			MonthDays: [31][]string{
				{"pierwszy", "pierwszego"}, {"drugi", "drugiego"}, {"trzeci", "trzeciego"},
				{"czwarty", "czwartego"}, {"piąty", "piątego"}, {"szósty", "szóstego"}, {"siódmy", "siódmego"},
				{"ósmy", "ósmego"}, {"dziewiąty", "dziewiątego"}, {"dziesiąty", "dziesiątego"},
				{"jedenasty", "jedenastego"}, {"dwunasty", "dwunastego"}, {"trzynasty", "trzynastego"},
				{"czternasty", "czternastego"}, {"piętnasty", "piętnastego"}, {"szesnasty", "szesnastego"},
				{"siedemnasty", "siedemnastego"}, {"osiemnasty", "osiemnastego"},
				{"dziewiętnasty", "dziewiętnastego"}, {"dwudziesty", "dwudziestego"},
				{"dwudziesty pierwszy", "dwudziestego pierwszego"},
				{"dwudziesty drugi", "dwudziestego drugiego"}, {"dwudziesty trzeci", "dwudziestego trzeciego"},
				{"dwudziesty czwarty", "dwudziestego czwartego"}, {"dwudziesty piąty", "dwudziestego piątego"},
				{"dwudziesty szósty", "dwudziestego szóstego"}, {"dwudziesty siódmy", "dwudziestego siódmego"},
				{"dwudziesty ósmy", "dwudziestego ósmego"},
				{"dwudziesty dziewiąty", "dwudziestego dziewiątego"}, {"trzydziesty", "trzydziestego"},
				{"trzydziesty pierwszy", "trzydziestego pierwszego"},
			},
			Past:     map[string]int{"wczoraj": 1, "przedwczoraj": 2},
			Ago:      []string{"temu", "przed"},
			Previous: []string{"zeszły", "zeszłą", "zeszłego", "ostatni", "ostatnią", "ubiegły", "ubiegłą"},
		},
		Spelling: Spelling{
			At:         []string{"małpa", "małpka", "at"},
			Dot:        []string{"kropka"},
			Dash:       []string{"myślnik", "minus", "kreska", "pauza"},
			Underscore: []string{"podkreślnik", "podkreślenie", "dolna kreska", "podłoga"},
			Before:     []string{"to", "jest", "mail", "mejl", "email", "e mail", "adres"},
			Plus:       []string{"plus"},
			Times:      map[string]int{"dwa razy": 2},
		},

		Harmless: []string{
			`(?:umarł|umarła|zmarł|zmarła) (?:ze|z) (?:śmiechu|nudów|głodu|strachu|zmęczenia|wstydu)`,
			`(?:prawie|o mało nie) (?:umarł|umarła|zmarł)`,
			`(?:jaki|który|jaki to|jaki jest|co to za) (?:to )?(?:zły|błędny|niewłaściwy) numer`,
		},
		Ages: []string{"lat", "lata", "wiek", "wieku"},
		Aside: []string{
			"nie ma go", "nie ma jej", "go nie ma", "jej nie ma", "jego nie ma", "nie ma go w domu",
			"nie ma jej w domu", "to nie ona", "to nie on", "to nie jest ona", "to nie jest on", "nie słyszę",
			"nie słyszę pana", "nie słyszę pani", "nic nie słyszę",
		},
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

		Connectives: []string{
			"albo", "przed", "przez", "oraz", "domu",
			"pana", "pani", "panu", "panią",
		},

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
