package conversation

import "testing"

func TestEmail(t *testing.T) {
	t.Parallel()
	for language, cases := range map[string]map[string]string{
		"en": {
			"anna dot smith at example dot com": "anna.smith@example.com",
			"It's anna.smith@example.com.":      "anna.smith@example.com", "Anna@Example.com": "anna@example.com",
			"anna.smith at example.com": "anna.smith@example.com", "anna @ example.com": "anna@example.com",
			"Sure, my email address is anna underscore smith at my dash company dot uk, thanks": "" +
				"anna_smith@my-company.uk",
			"A-N-N-A at example dot com":                                  "anna@example.com",
			"a n n a eighty four at gmail dot com":                        "anna84@gmail.com",
			"anna smith at example dot com":                               "annasmith@example.com",
			"you can reach me at that is bob at mail dot example dot org": "bob@mail.example.org",
			"it's bob at mail dot com":                                    "bob@mail.com",
			"tom 7 at example dot com please":                             "tom7@example.com",
			"I don't have one":                                            "", "at home": "",
			"anna at example": "", "dot com": "", "yes": "", "": "",
			"I would like to look at the website of the company dot com": "",
		},
		"de": {
			"anna punkt schmidt at example punkt de":                  "anna.schmidt@example.de",
			"Meine Adresse ist info ät beispiel minus firma punkt de": "info@beispiel-firma.de",
			"anna unterstrich schmidt klammeraffe example punkt com":  "anna_schmidt@example.com",
		},
		"fr": {
			"anna point martin arobase exemple point fr":           "anna.martin@exemple.fr",
			"c'est anna tiret bas martin arobase exemple point fr": "anna_martin@exemple.fr",
		},
		"es": {
			"ana punto garcía arroba ejemplo punto es":                    "ana.garcia@ejemplo.es",
			"mi correo es ana guion bajo garcia arroba ejemplo punto com": "ana_garcia@ejemplo.com",
		},
		"it": {"anna punto rossi chiocciola esempio punto it": "anna.rossi@esempio.it"},
		"pt": {"ana ponto silva arroba exemplo ponto com ponto br": "ana.silva@exemplo.com.br"},
		"nl": {"anna punt jansen apenstaartje voorbeeld punt nl": "anna.jansen@voorbeeld.nl"},
		"da": {"anna punktum hansen snabel-a eksempel punktum dk": "anna.hansen@eksempel.dk"},
		"nb": {"anna punktum hansen krøllalfa eksempel punktum no": "anna.hansen@eksempel.no"},
		"sv": {"anna punkt larsson snabel-a exempel punkt se": "anna.larsson@exempel.se"},
		"cs": {"anna tečka novakova zavináč priklad tečka cz": "anna.novakova@priklad.cz"},
		"pl": {"anna kropka nowak małpa przyklad kropka pl": "anna.nowak@przyklad.pl"},
		"ro": {"ana punct popescu arond exemplu punct ro": "ana.popescu@exemplu.ro"},
		"el": {"anna τελεία pappa παπάκι example τελεία gr": "anna.pappa@example.gr"},
		"tr": {"ayşe nokta kaya et işareti ornek nokta com": "ayse.kaya@ornek.com"},
	} {
		for heard, want := range cases {
			if got, _ := tongueOf(language).email(heard); got != want {
				t.Errorf("%s: %q is %q, want %q", language, heard, got, want)
			}
		}
	}
}

func TestPhoneNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, region, heard, want string }{
		{"en", "US", "three one two, five five five, zero one four two", "+13125550142"},
		{"en", "US", "It's 312-555-0142.", "+13125550142"}, {"en", "US", "(312) 555-0142", "+13125550142"},
		{"en", "US", "three one two triple five oh one four two", "+13125550142"},
		{"en", "US", "plus four four, twenty, seven nine four six, zero nine five eight", "+442079460958"},
		{"en", "US", "+44 20 7946 0958", "+442079460958"}, {"en", "US", "312 555. No, 312-555-0142", "+13125550142"},
		{"en", "GB", "oh two oh, seven nine four six, oh nine five eight", "+442079460958"},
		{"en", "US", "one eight hundred, five five five, one two one two", "+18005551212"},
		{"en", "US", "three one two", ""}, {"en", "US", "yes", ""}, {"en", "", "312 555 0142", ""},
		{"en", "US", "555 0142 is the end", ""},
		{"de", "DE", "null dreißig, zwölf, vierunddreißig, sechsundfünfzig", "+4930123456"},
		{"de", "DE", "null eins sieben eins zwei drei vier fünf sechs sieben acht", "+491712345678"},
		{"fr", "FR", "zéro six douze trente-quatre cinquante-six soixante-dix-huit", "+33612345678"},
		{"fr", "FR", "06 12 34 56 78", "+33612345678"},
		{"es", "ES", "seis uno dos, tres cuatro cinco, seis siete ocho", "+34612345678"},
		{"it", "IT", "tre quattro sette, uno due tre, quattro cinque sei sette", "+393471234567"},
		{"pt", "PT", "nove um dois, três quatro cinco, seis sete oito", "+351912345678"},
		{"nl", "NL", "nul zes, een twee, drie vier, vijf zes, zeven acht", "+31612345678"},
		{"da", "DK", "tolv, fireogtredive, seksoghalvtreds, otteoghalvfjerds", "+4512345678"},
		{"da", "DK", "to to tre tre fire fire fem fem", "+4522334455"},
		{"nb", "NO", "fire en to tre fire fem seks syv", "+4741234567"},
		{"sv", "SE", "noll sju noll, ett två tre, fyra fem, sex sju", "+46701234567"},
		{"cs", "CZ", "šest nula jedna, dva tři čtyři, pět šest sedm", "+420601234567"},
		{"cs", "CZ", "šest nula dva, tři čtyři pět, šest sedm osm", "+420602345678"},
		{"pl", "PL", "pięć jeden dwa, trzy cztery pięć, sześć siedem osiem", "+48512345678"},
		{"ro", "RO", "zero șapte doi doi, trei patru cinci, șase șapte opt", "+40722345678"},
		{"el", "GR", "έξι εννέα επτά, ένα δύο τρία, τέσσερα πέντε έξι επτά", "+306971234567"},
		{"tr", "TR", "beş yüz otuz iki, bir iki üç, dört beş, altı yedi", "+905321234567"},
	} {
		s := State{Script: Script{Language: c.language}, Region: c.region}
		got, _ := s.phoneNumber(tongueOf(c.language).phoneDigits(clauses(c.heard), c.heard))
		if got != c.want {
			t.Errorf("%s: %q is %q, want %q", c.language, c.heard, got, c.want)
		}
	}
}
