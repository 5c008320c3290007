package conversation

import "testing"

// What people say at 10:07. Empty: no time of day.
func TestTimeOfDay(t *testing.T) {
	t.Parallel()
	for language, cases := range map[string]map[string]string{
		"en": {
			"At three.": "15:00", "three": "15:00", "half past two": "14:30", "quarter to nine": "08:45",
			"9 am": "09:00", "9pm": "21:00", "nine in the evening": "21:00", "14:30": "14:30", "two thirty": "14:30",
			"Around 10 in the morning.": "10:00", "noon": "12:00", "at 12": "12:00", "around eight": "08:00",
			"At three. No, at four.": "16:00", "three, I mean four": "16:00", "in half an hour": "10:37",
			"tomorrow at 5": "17:00", "Tuesday at 11:15": "11:15", "07:30 am": "07:30", "four of us at 5": "17:00",
			"Um, let me think, six o'clock": "18:00", "at midnight": "", "in the morning": "", "later": "",
			"three or four": "", "between 3 and 4": "", "yes": "", "25": "", "at 25:10": "", "": "",
		},
		"de": {
			"Um drei.": "15:00", "halb drei": "14:30", "um 14 Uhr 30": "14:30", "um 14:30 Uhr": "14:30",
			"um neun Uhr abends": "21:00", "viertel vor neun": "08:45", "acht": "08:00", "irgendwann": "",
		},
		"fr": {"à 14 h 30": "14:30", "à quatorze heures": "14:00", "huit heures du soir": "20:00",
			"dans 2 heures": "12:07", "midi": "12:00", "dix": "10:00"},
		"es": {
			"a las tres": "15:00", "a las cuatro y media": "16:30", "a las diez de la mañana": "10:00",
			"once": "11:00",
		},
		"it": {"alle tre": "15:00", "alle dieci e mezza": "10:30", "le nove di sera": "21:00", "undici": "11:00"},
		"pt": {"às três": "15:00", "às dez da manhã": "10:00", "às duas e meia": "14:30", "onze": "11:00"},
		"nl": {"om drie uur": "15:00", "half drie": "14:30", "negen uur": "09:00", "elf": "11:00"},
		"da": {"klokken tre": "15:00", "halv tre": "14:30", "klokken 14.30": "14:30", "elleve": "11:00"},
		"nb": {"klokka tre": "15:00", "halv tre": "14:30", "klokken 14:30": "14:30", "elleve": "11:00"},
		"sv": {"klockan tre": "15:00", "halv tre": "14:30", "klockan 14.30": "14:30", "elva": "11:00"},
		"cs": {"ve tři hodiny": "15:00", "v půl třetí": "14:30", "ve 14:30": "14:30", "jedenáct": "11:00"},
		"pl": {"o trzeciej": "15:00", "wpół do trzeciej": "14:30", "o 14:30": "14:30"},
		"ro": {"la ora trei": "15:00", "la două și jumătate": "14:30", "la 14:30": "14:30", "unsprezece": "11:00"},
		"el": {
			"στις τρεις": "15:00", "στις δύο και μισή": "14:30",
			"στις 14:30": "14:30", "έντεκα": "11:00",
		},
		"tr": {"saat üçte": "15:00", "iki buçukta": "14:30", "14:30": "14:30", "on bir": "11:00"},
	} {
		for heard, want := range cases {
			if got, _ := tongueOf(language).timeOfDay(clauses(heard), wednesday); got != want {
				t.Errorf("%s: %q is %q, want %q", language, heard, got, want)
			}
		}
	}
}
