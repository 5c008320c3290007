package conversation

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestYesNo(t *testing.T) {
	t.Parallel()
	const yes, no, unclear = "yes", "no", "?"
	for language, cases := range map[string]map[string]string{
		"en": {
			"Yes.": yes, "yeah": yes, "Um, well, yeah, I think so.": yes, "uh-huh": yes, "Sure, no problem.": yes,
			"Of course!": yes, "I do": yes, "Speaking.": yes, "Yes, this is Margaret.": yes,
			"That's right": yes, "okay": yes, "Oh, sorry. Yes, I saw Dr. Amin on Tuesday.": yes, "Why not?": yes,
			"Yes, but not on Mondays": yes, "no doubt": yes, "I think so, yes": yes, "Okay, yes.": yes,
			"I'd love to": yes,
			"No":          no, "nope": no, "No, thank you.": no, "Not really.": no, "of course not": no,
			"I don't think so": no, "Not yet.": no, "I haven't": no, "I have not been able to": no,
			"No, not at all.": no,
			"yeah no":         no, "Yes. No wait, no.": no, "Yes, I mean no.": no, "No, I'm sorry.": no,
			"No, actually yes.": yes, "no yeah": yes, "Well, no.": no, "Okay, no.": no,
			"maybe": unclear, "I'm not sure.": unclear, "I don't know": unclear, "It depends": unclear,
			"Tuesday": unclear, "I have a question": unclear, "right now is": unclear, "um": unclear,
			"The knee is fine.": unclear, "yes and no": unclear, "I'd rather not say": unclear,
		},
		"es": {
			"Sí.": yes, "claro que sí": yes, "Bueno, pues sí": yes, "No": no, "No, gracias": no, "claro que no": no,
			"todavía no": no, "no lo sé": unclear, "quizás": unclear, "Sí, pero no los lunes": yes,
			"No hay problema": yes,
		},
		"de": {
			"Ja.": yes, "Ja, genau": yes, "Äh, ja, ich glaube schon": yes, "Na klar!": yes, "Nein": no,
			"Nee, eher nicht": no, "Ich glaube nicht": no, "Nein danke": no, "weiß ich nicht": unclear,
			"vielleicht": unclear, "Am Apparat": yes, "Das stimmt nicht": no, "kein Problem": yes,
			"Ich habe ihn nicht gesehen": no, "jein": unclear,
		},
		"fr": {
			"Oui.": yes, "Euh, oui, je crois": yes, "bien sûr": yes, "Non": no, "Non merci": no, "Pas du tout": no,
			"je ne crois pas": no, "je ne sais pas": unclear, "peut-être": unclear, "C'est moi": yes,
			"Pas de problème": yes,
		},
		"pt": {
			"Sim.": yes, "Com certeza": yes, "Não": no, "Acho que não": no, "não sei": unclear, "talvez": unclear,
			"Isso mesmo": yes, "Não tem problema": yes,
		},
		"it": {
			"Sì.": yes, "Certo": yes, "Ehm, sì, credo di sì": yes, "No": no, "Direi di no": no, "non lo so": unclear,
			"forse": unclear, "Sono io": yes, "Non ancora": no,
		},
	} {
		for heard, want := range cases {
			got := unclear
			if v, ok := tongueOf(language).yesNo(clauses(heard)); ok {
				got = map[bool]string{true: yes, false: no}[v]
			}
			if got != want {
				t.Errorf("%s: %q is %s, want %s", language, heard, got, want)
			}
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	none := math.NaN()
	for language, cases := range map[string]map[string]float64{
		"en": {
			"3": 3, "three": 3, "About three, I think.": 3, "twenty-five": 25, "a hundred and twenty": 120,
			"two thousand and five": 2005, "1,200": 1200, "3.5": 3.5, "two and a half": 2.5, "a dozen": 12,
			"none": 0, "Not at all.": 0, "twice": 2, "8 out of 10": 8, "eight out of ten": 8, "8/10": 8,
			"minus five": -5, "-5": -5, "five, no, six": 6, "Five. No wait, six.": 6, "five I mean six": 6,
			"five, I mean six": 6, "3rd": 3, "70 kg": 70, "five, five": 5,
			"two or three": none, "between 5 and 6": none, "12:30": none, "the one on the left is no one": none,
			"a few": none, "yes": none, "": none, "one moment": none, "thousand": 1000, "fifteen hundred": none,
			"12 000": none,
		},
		"es": {
			"tres": 3, "treinta y uno": 31, "ciento veinte": 120, "dos mil quinientos": 2500, "1.200": 1200,
			"3,5": 3.5, "dos y medio": 2.5, "un poco": none, "Una.": 1, "veintidós": 22, "8 de 10": 8, "ninguno": 0,
		},
		"de": {
			"drei": 3, "fünfundzwanzig": 25, "zweihundertfünfzig": 250, "1.200": 1200, "3,5": 3.5, "zweieinhalb": 2.5,
			"ein bisschen": none, "Eine.": 1, "acht von zehn": 8, "keine": 0, "zwo": 2, "dreitausend": none,
			"drei tausend": 3000,
		},
		"fr": {
			"trois": 3, "soixante-quinze": 75, "quatre-vingt-dix-sept": 97, "quatre-vingts": 80, "septante-deux": 72,
			"deux cent cinquante": 250, "vingt et un": 21, "deux et demi": 2.5, "un peu": none, "Une fois.": 1,
			"huit sur dix": 8, "aucune": 0, "un": 1,
		},
		"pt": {
			"três": 3, "vinte e cinco": 25, "cento e vinte": 120, "duzentas": 200, "um pouco": none, "uma": 1,
			"oito de dez": 8, "dois e meio": 2.5, "mil e duzentos": 1200,
		},
		"it": {
			"tre": 3, "ventuno": 21, "ventitré": 23, "centoventi": 120, "duecentocinquanta": 250, "un po'": none,
			"una": 1, "otto su dieci": 8, "due e mezzo": 2.5, "due mila": 2000,
		},
	} {
		for heard, want := range cases {
			got, ok := tongueOf(language).number(clauses(heard))
			if ok == math.IsNaN(want) || ok && got != want {
				t.Errorf("%s: %q is %v, %t; want %v", language, heard, got, ok, want)
			}
		}
	}
}

// Numbers above a hundred are composed of smaller numbers, here of ten without a unit.
func TestTensAboveAHundred(t *testing.T) {
	t.Parallel()
	for language, said := range map[string]string{
		"cs": "sto deset", "da": "hundrede ti", "de": "hundertzehn", "el": "εκατόν δέκα", "en": "one hundred ten",
		"es": "ciento diez", "fr": "cent dix", "it": "centodieci", "nb": "hundre ti", "nl": "honderdtien",
		"pl": "sto dziesięć",
		"pt": "cento e dez", "ro": "o sută zece", "sv": "hundra tio", "tr": "yüz on",
	} {
		if got, ok := tongueOf(language).number(clauses(said)); !ok || got != 110 {
			t.Errorf("%s: %q is %v, %t", language, said, got, ok)
		}
	}
}

// Every spelled number is understood, in every language.
func TestSpelledNumbers(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		spell := l.source().Spell
		for n := range 1000 {
			spelled := spell(n)
			if len(spelled) == 0 && n != 1 {
				t.Errorf("%s: %d can't be said", l.tag, n)
			}
			for _, s := range spelled {
				if got, ok := l.tongue().number(clauses(s)); !ok || got != float64(n) {
					t.Errorf("%s: %q is %v, %t; want %d", l.tag, s, got, ok, n)
				}
			}
		}
	}
}

func TestChoice(t *testing.T) {
	t.Parallel()
	days := []string{"Monday", "Tuesday", "Friday morning"}
	care := []string{"Home visit", "Phone call", "Neither"}
	for _, c := range []struct {
		options []string
		heard   string
		want    string // empty: not understood
	}{
		{days, "Tuesday", "Tuesday"}, {days, "um, tuesdays I guess", "Tuesday"},
		{days, "The second one, please.", "Tuesday"}, {days, "number three", "Friday morning"},
		{days, "3", "Friday morning"}, {days, "the last one", "Friday morning"},
		{days, "Friday would be great", "Friday morning"}, {days, "in the morning", "Friday morning"},
		{days, "not Monday, Tuesday", "Tuesday"}, {days, "Monday. No, Tuesday.", "Tuesday"},
		{days, "Monday, I mean Tuesday", "Tuesday"},
		{days, "Not on Monday, Friday morning is better", "Friday morning"},
		{days, "Monday or Tuesday", ""}, {days, "Sunday", ""}, {days, "yes", ""}, {days, "", ""},
		{days, "not Monday", ""}, {days, "the fifth", ""}, {days, "five", ""},
		{care, "a phone call please", "Phone call"}, {care, "the visit", "Home visit"}, {care, "call me", "Phone call"},
		{care, "neither", "Neither"}, {care, "the first", "Home visit"},
		{[]string{"2 hours", "4 hours"}, "four hours", ""}, {[]string{"2 hours", "4 hours"}, "4 hours", "4 hours"},
		{[]string{"One", "Two"}, "two", "Two"},
	} {
		got := ""
		if i, ok := tongueOf("en").choose(c.options, clauses(c.heard)); ok {
			got = c.options[i]
		}
		if got != c.want {
			t.Errorf("%q of %v: %q, want %q", c.heard, c.options, got, c.want)
		}
	}
	for _, c := range []struct{ language, options, heard, want string }{
		{"de", "Montag|Dienstag", "am Dienstag bitte", "Dienstag"}, {"de", "Montag|Dienstag", "der zweite", "Dienstag"},
		{"de", "Montag|Dienstag", "nicht Montag, Dienstag", "Dienstag"},
		{"es", "Lunes|Martes", "el martes por favor", "Martes"}, {"es", "Lunes|Martes", "la primera", "Lunes"},
		{"fr", "Lundi|Mardi", "plutôt mardi", "Mardi"}, {"fr", "Lundi|Mardi", "le premier", "Lundi"},
		{"pt", "Segunda-feira|Terça-feira", "terça", "Terça-feira"}, {"it", "Lunedì|Martedì", "martedì", "Martedì"},
		{"it", "Lunedì|Martedì", "la seconda", "Martedì"},
	} {
		options := strings.Split(c.options, "|")
		got := ""
		if i, ok := tongueOf(c.language).choose(options, clauses(c.heard)); ok {
			got = options[i]
		}
		if got != c.want {
			t.Errorf("%s: %q of %v: %q, want %q", c.language, c.heard, options, got, c.want)
		}
	}
}

func TestClauses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Don't STOP, Élodie!":          "[[don t stop] [elodie]]",
		"It's 3.5, or 1,200; 8/10?":    "[[it s 3.5] [or 1,200] [8/10]]",
		"vingt-et-un  œufs\nStraße":    "[[vingt et un oeufs strasse]]",
		"Cafe\u0301 -5 minus−6":        "[[cafe -5 minus 6]]",
		"…":                            "[]",
		"¿Qué?":                        "[[que]]",
		"\x00\xff":                     "[]",
		"Łódź ąęśćńóżź Ůřěďťň":         "[[lodz aescnozz uredtn]]",
		"ILIK ılık İyi şöyle ğ":        "[[ilik ilik iyi soyle g]]",
		"înțeles înţeles Știu":         "[[inteles inteles stiu]]",
		"Blåbær øl Æble ö":             "[[blabaer ol aeble o]]",
		"Μη με ξαναπάρετε; ΟΧΙ όχι":    "[[mi me xanaparete] [ochi ochi]]",
		"Τι είπατε\u037e ναι· ΣΑΣ σας": "[[ti eipate] [nai] [sas sas]]",
	} {
		if got := fmt.Sprint(clauses(Clean(in))); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
