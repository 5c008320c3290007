package lexicon

// SpokenDate is how an agent says on which day a call was. {{weekday}}, {{day}}, {{month}} and {{year}} are filled in.
type SpokenDate struct {
	Today, On string
	OnInYear  string // On, for a day of another year
	// Weekdays begin with Sunday. They have the preposition that goes with them, where it differs from day to day.
	Weekdays [7]string
	Months   [12]string
	First    string // the first day of a month; empty: 1
}

// SpokenDates are the dates by language, by the primary subtag of BCP 47.
var SpokenDates = map[string]SpokenDate{
	"en": {
		Today:    "That was today.",
		On:       "That was on {{weekday}}, {{month}} {{day}}.",
		OnInYear: "That was on {{weekday}}, {{month}} {{day}}, {{year}}.",
		Weekdays: [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
		Months: [12]string{
			"January", "February", "March", "April", "May", "June",
			"July", "August", "September", "October", "November", "December",
		},
	},
	"cs": {
		Today:    "Bylo to dnes.",
		On:       "Bylo to {{weekday}} {{day}}. {{month}}.",
		OnInYear: "Bylo to {{weekday}} {{day}}. {{month}} {{year}}.",
		Weekdays: [7]string{
			"v neděli", "v pondělí", "v úterý", "ve středu", "ve čtvrtek", "v pátek", "v sobotu",
		},
		Months: [12]string{
			"ledna", "února", "března", "dubna", "května", "června",
			"července", "srpna", "září", "října", "listopadu", "prosince",
		},
	},
	"da": {
		Today:    "Det var i dag.",
		On:       "Det var {{weekday}} den {{day}}. {{month}}.",
		OnInYear: "Det var {{weekday}} den {{day}}. {{month}} {{year}}.",
		Weekdays: [7]string{"søndag", "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag"},
		Months: [12]string{
			"januar", "februar", "marts", "april", "maj", "juni",
			"juli", "august", "september", "oktober", "november", "december",
		},
	},
	"de": {
		Today:    "Das war heute.",
		On:       "Das war am {{weekday}}, dem {{day}}. {{month}}.",
		OnInYear: "Das war am {{weekday}}, dem {{day}}. {{month}} {{year}}.",
		Weekdays: [7]string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"},
		Months: [12]string{
			"Januar", "Februar", "März", "April", "Mai", "Juni",
			"Juli", "August", "September", "Oktober", "November", "Dezember",
		},
	},
	"el": {
		Today:    "Αυτό έγινε σήμερα.",
		On:       "Αυτό έγινε {{weekday}} {{day}} {{month}}.",
		OnInYear: "Αυτό έγινε {{weekday}} {{day}} {{month}} {{year}}.",
		Weekdays: [7]string{
			"την Κυριακή", "τη Δευτέρα", "την Τρίτη", "την Τετάρτη", "την Πέμπτη", "την Παρασκευή", "το Σάββατο",
		},
		Months: [12]string{
			"Ιανουαρίου", "Φεβρουαρίου", "Μαρτίου", "Απριλίου", "Μαΐου", "Ιουνίου",
			"Ιουλίου", "Αυγούστου", "Σεπτεμβρίου", "Οκτωβρίου", "Νοεμβρίου", "Δεκεμβρίου",
		},
		First: "1η",
	},
	"es": {
		Today:    "Fue hoy.",
		On:       "Fue el {{weekday}} {{day}} de {{month}}.",
		OnInYear: "Fue el {{weekday}} {{day}} de {{month}} de {{year}}.",
		Weekdays: [7]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"},
		Months: [12]string{
			"enero", "febrero", "marzo", "abril", "mayo", "junio",
			"julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
		},
	},
	"fr": {
		Today:    "C'était aujourd'hui.",
		On:       "C'était le {{weekday}} {{day}} {{month}}.",
		OnInYear: "C'était le {{weekday}} {{day}} {{month}} {{year}}.",
		Weekdays: [7]string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"},
		Months: [12]string{
			"janvier", "février", "mars", "avril", "mai", "juin",
			"juillet", "août", "septembre", "octobre", "novembre", "décembre",
		},
		First: "1er",
	},
	"it": {
		Today:    "È stato oggi.",
		On:       "È stato {{weekday}} {{day}} {{month}}.",
		OnInYear: "È stato {{weekday}} {{day}} {{month}} {{year}}.",
		Weekdays: [7]string{"domenica", "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato"},
		Months: [12]string{
			"gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno",
			"luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre",
		},
		First: "1º",
	},
	"nb": {
		Today:    "Det var i dag.",
		On:       "Det var {{weekday}} {{day}}. {{month}}.",
		OnInYear: "Det var {{weekday}} {{day}}. {{month}} {{year}}.",
		Weekdays: [7]string{"søndag", "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag"},
		Months: [12]string{
			"januar", "februar", "mars", "april", "mai", "juni",
			"juli", "august", "september", "oktober", "november", "desember",
		},
	},
	"nl": {
		Today:    "Dat was vandaag.",
		On:       "Dat was op {{weekday}} {{day}} {{month}}.",
		OnInYear: "Dat was op {{weekday}} {{day}} {{month}} {{year}}.",
		Weekdays: [7]string{"zondag", "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag"},
		Months: [12]string{
			"januari", "februari", "maart", "april", "mei", "juni",
			"juli", "augustus", "september", "oktober", "november", "december",
		},
	},
	"pl": {
		Today:    "To było dzisiaj.",
		On:       "To było {{weekday}}, {{day}} {{month}}.",
		OnInYear: "To było {{weekday}}, {{day}} {{month}} {{year}} roku.",
		Weekdays: [7]string{
			"w niedzielę", "w poniedziałek", "we wtorek", "w środę", "w czwartek", "w piątek", "w sobotę",
		},
		Months: [12]string{
			"stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca",
			"lipca", "sierpnia", "września", "października", "listopada", "grudnia",
		},
	},
	"pt": {
		Today:    "Foi hoje.",
		On:       "Foi {{weekday}}, {{day}} de {{month}}.",
		OnInYear: "Foi {{weekday}}, {{day}} de {{month}} de {{year}}.",
		Weekdays: [7]string{
			"no domingo", "na segunda-feira", "na terça-feira", "na quarta-feira", "na quinta-feira", "na sexta-feira",
			"no sábado",
		},
		Months: [12]string{
			"janeiro", "fevereiro", "março", "abril", "maio", "junho",
			"julho", "agosto", "setembro", "outubro", "novembro", "dezembro",
		},
	},
	"ro": {
		Today:    "A fost astăzi.",
		On:       "A fost {{weekday}}, {{day}} {{month}}.",
		OnInYear: "A fost {{weekday}}, {{day}} {{month}} {{year}}.",
		Weekdays: [7]string{"duminică", "luni", "marți", "miercuri", "joi", "vineri", "sâmbătă"},
		Months: [12]string{
			"ianuarie", "februarie", "martie", "aprilie", "mai", "iunie",
			"iulie", "august", "septembrie", "octombrie", "noiembrie", "decembrie",
		},
	},
	"sv": {
		Today:    "Det var i dag.",
		On:       "Det var {{weekday}} den {{day}} {{month}}.",
		OnInYear: "Det var {{weekday}} den {{day}} {{month}} {{year}}.",
		Weekdays: [7]string{"söndag", "måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag"},
		Months: [12]string{
			"januari", "februari", "mars", "april", "maj", "juni",
			"juli", "augusti", "september", "oktober", "november", "december",
		},
	},
	"tr": {
		Today:    "Bu bugündü.",
		On:       "{{day}} {{month}} {{weekday}} günüydü.",
		OnInYear: "{{day}} {{month}} {{year}} {{weekday}} günüydü.",
		Weekdays: [7]string{"Pazar", "Pazartesi", "Salı", "Çarşamba", "Perşembe", "Cuma", "Cumartesi"},
		Months: [12]string{
			"Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran",
			"Temmuz", "Ağustos", "Eylül", "Ekim", "Kasım", "Aralık",
		},
	},
}
