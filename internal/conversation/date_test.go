package conversation

import (
	"testing"
	"time"
)

// What people say on Wednesday, 25 November 2026. Empty: no date.
func TestDate(t *testing.T) {
	t.Parallel()
	for language, cases := range map[string]map[string]string{
		"en-US": {
			"Tomorrow.": "2026-11-26", "Um, tomorrow I think": "2026-11-26", "next Tuesday": "2026-12-01",
			"Tuesday": "2026-12-01", "On Wednesday": "2026-12-02", "today": "2026-11-25",
			"the day after tomorrow": "2026-11-27", "Tuesday next week": "2026-12-01",
			"next week on Friday":           "2026-12-04",
			"the 24th":                      "2026-12-24",
			"On the twenty-fourth, please.": "2026-12-24", "24 November": "2027-11-24",
			"November 24th": "2027-11-24", "the 24th of December": "2026-12-24",
			"December twenty-fourth": "2026-12-24",
			"December 24, 2027":      "2027-12-24", "the first of March": "2027-03-01", "March 1st": "2027-03-01",
			"It's January the 5th, 1984.": "1984-01-05", "May 3rd nineteen eighty four": "1984-05-03",
			"May third twenty twenty-seven": "2027-05-03", "12/24": "2026-12-24", "12/24/2027": "2027-12-24",
			"24/12/2027": "2027-12-24", "2027-01-02": "2027-01-02", "in three days": "2026-11-28",
			"in two weeks": "2026-12-09", "a week": "2026-12-02", "yesterday": "2026-11-24",
			"three days ago": "2026-11-22", "last Tuesday": "2026-11-24", "Tuesday. No, Wednesday.": "2026-12-02",
			"not Tuesday, Thursday": "2026-11-26", "Tuesday the 1st": "2026-12-01", "Friday at 3": "2026-11-27",
			"Friday at 3 pm would be good": "2026-11-27", "the 24": "2026-12-24", "24": "2026-12-24",
			"November 30 at 9 am": "2026-11-30", "at 9 am on November 30": "2026-11-30",
			"the 29th of February": "2028-02-29", "I may come on Tuesday": "2026-12-01",
			"tomorrow, Thursday": "2026-11-26",
			"on the first":       "2026-12-01", "Friday, December 4th": "2026-12-04",
			"the 10th of next month": "2026-12-10",
			"Sunday morning":         "2026-11-29",
			"Tuesday or Wednesday":   "", "next week": "", "next month": "", "some day": "", "yes": "", "in May": "",
			"the 32nd": "", "31 November": "", "February 30th": "", "tomorrow, Friday": "", "in an hour": "", "": "",
			"Monday the 24th of December": "", "five people": "", "not Tuesday": "",
			"first of all I do not know": "",
		},
		"en-GB": {"11/12": "2026-12-11", "1/2/2027": "2027-02-01", "half past two": ""},
		"de": {
			"Morgen.": "2026-11-26", "Übermorgen früh": "2026-11-27", "am Dienstag": "2026-12-01",
			"Dienstag Morgen": "2026-12-01", "am 24. Dezember": "2026-12-24", "24.12.": "2026-12-24",
			"24.12.2027": "2027-12-24", "am vierundzwanzigsten Dezember": "2026-12-24",
			"am ersten März": "2027-03-01",
			"in drei Tagen":  "2026-11-28", "vor drei Tagen": "2026-11-22", "letzten Freitag": "2026-11-20",
			"nächste Woche Mittwoch": "2026-12-02", "am Dienstag, den ersten": "2026-12-01",
			"nicht Montag, sondern Dienstag": "2026-12-01", "gestern": "2026-11-24", "irgendwann": "",
			"am 3. Mai 1984": "1984-05-03", "halb drei": "",
		},
		"fr": {
			"Demain": "2026-11-26", "mardi prochain": "2026-12-01", "le 24 décembre": "2026-12-24",
			"le premier mars": "2027-03-01", "vingt-quatre décembre": "2026-12-24", "dans trois jours": "2026-11-28",
			"il y a trois jours": "2026-11-22", "mardi dernier": "2026-11-24", "le 3 mai 1984": "1984-05-03",
			"après-demain": "2026-11-27", "hier": "2026-11-24", "24/12": "2026-12-24", "peut-être": "",
		},
		"es": {
			"Mañana": "2026-11-26", "el martes por la mañana": "2026-12-01", "el 24 de diciembre": "2026-12-24",
			"veinticuatro de diciembre de 2027": "2027-12-24", "el primero de marzo": "2027-03-01",
			"pasado mañana": "2026-11-27", "hace tres días": "2026-11-22", "el martes pasado": "2026-11-24",
			"dentro de dos semanas": "2026-12-09", "no sé": "",
		},
		"it": {
			"Domani": "2026-11-26", "il 24 dicembre": "2026-12-24", "il primo marzo": "2027-03-01",
			"martedì": "2026-12-01", "tre giorni fa": "2026-11-22", "martedì scorso": "2026-11-24",
			"ventiquattro dicembre duemilaventisette": "2026-12-24", "dopodomani": "2026-11-27", "forse": "",
		},
		"pt": {
			"Amanhã": "2026-11-26", "dia 24 de dezembro": "2026-12-24", "terça-feira": "2026-12-01",
			"primeiro de março": "2027-03-01", "há três dias": "2026-11-22", "terça passada": "2026-11-24",
			"vinte e quatro de dezembro": "2026-12-24", "ontem": "2026-11-24", "talvez": "",
		},
		"nl": {
			"Morgen": "2026-11-26", "24 december": "2026-12-24", "vierentwintig december": "2026-12-24",
			"de vierentwintigste": "2026-12-24", "drie dagen geleden": "2026-11-22", "dinsdag": "2026-12-01",
			"afgelopen dinsdag": "2026-11-24", "een maart": "2027-03-01", "de eerste maart": "2027-03-01",
			"misschien": "",
		},
		"da": {
			"I morgen": "2026-11-26", "den 24. december": "2026-12-24", "den fireogtyvende december": "2026-12-24",
			"på tirsdag": "2026-12-01", "for tre dage siden": "2026-11-22", "sidste tirsdag": "2026-11-24",
			"den første marts": "2027-03-01", "i går": "2026-11-24", "måske": "",
		},
		"nb": {
			"I morgen": "2026-11-26", "den 24. desember": "2026-12-24", "den tjuefjerde desember": "2026-12-24",
			"på tirsdag": "2026-12-01", "for tre dager siden": "2026-11-22", "den første mars": "2027-03-01",
			"kanskje": "",
		},
		"sv": {
			"I morgon": "2026-11-26", "den 24 december": "2026-12-24", "den tjugofjärde december": "2026-12-24",
			"på tisdag": "2026-12-01", "för tre dagar sedan": "2026-11-22", "förra tisdagen": "2026-11-24",
			"den första mars": "2027-03-01", "kanske": "",
		},
		"cs": {
			"Zítra": "2026-11-26", "24. prosince": "2026-12-24", "dvacátého čtvrtého prosince": "2026-12-24",
			"čtyřiadvacátého prosince": "2026-12-24", "v úterý": "2026-12-01", "minulé úterý": "2026-11-24",
			"prvního března": "2027-03-01", "včera": "2026-11-24", "asi": "",
		},
		"pl": {
			"Jutro": "2026-11-26", "24 grudnia": "2026-12-24", "dwudziestego czwartego grudnia": "2026-12-24",
			"we wtorek": "2026-12-01", "trzy dni temu": "2026-11-22", "w zeszły wtorek": "2026-11-24",
			"pierwszego marca": "2027-03-01", "wczoraj": "2026-11-24", "może": "",
		},
		"ro": {
			"Mâine": "2026-11-26", "24 decembrie": "2026-12-24", "douăzeci și patru decembrie": "2026-12-24",
			"marți": "2026-12-01", "acum trei zile": "2026-11-22", "marțea trecută": "",
			"întâi martie": "2027-03-01", "ieri": "2026-11-24", "poate": "",
		},
		"el": {
			"Αύριο": "2026-11-26", "στις 24 Δεκεμβρίου": "2026-12-24",
			"είκοσι τέσσερις Δεκεμβρίου": "2026-12-24",
			"την Τρίτη": "2026-12-01", "την πρώτη Μαρτίου": "2027-03-01",
			"πριν τρεις μέρες": "2026-11-22",
			"χθες":             "2026-11-24", "ίσως": "",
		},
		"tr": {
			"Yarın": "2026-11-26", "24 Aralık": "2026-12-24", "yirmi dört Aralık": "2026-12-24",
			"Aralık'ın 24'ü": "2026-12-24", "bir Mart": "2027-03-01", "üç gün önce": "2026-11-22",
			"salı günü": "2026-12-01", "geçen salı": "2026-11-24", "dün": "2026-11-24", "belki": "",
		},
	} {
		for heard, want := range cases {
			got, _ := tongueOf(language).date(clauses(heard), wednesday, monthFirst(language))
			if got != want {
				t.Errorf("%s: %q is %q, want %q", language, heard, got, want)
			}
		}
	}
	// Without a time, only a date with a year is known.
	for heard, want := range map[string]string{"May 3rd, 1984": "1984-05-03", "May 3rd": "", "tomorrow": ""} {
		if got, _ := tongueOf("en").date(clauses(heard), time.Time{}, true); got != want {
			t.Errorf("at an unknown time, %q is %q, want %q", heard, got, want)
		}
	}
}
