package conversation

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// parts gives a reply its words in pieces of size bytes.
func parts(r *Reply, text string, size int) []string {
	var all []string
	for piece := range slices.Chunk([]byte(text), size) {
		if p := r.Write(string(piece)); p != "" {
			all = append(all, p)
		}
	}
	if p := r.Close(); p != "" {
		all = append(all, p)
	}
	return all
}

func TestReplyIsCutIntoParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Good. How are you?", []string{"Good.", " How are you?"}},
		{
			"Dr. Lee sees you at 3.30 p.m. on Monday. Fine?",
			[]string{"Dr. Lee sees you at 3.30 p.m. on Monday.", " Fine?"},
		},
		{
			"Thank you very much for that, Ada, and now the pain.",
			[]string{"Thank you very much for that,", " Ada, and now the pain."},
		},
		{
			"This first part of the answer has no mark of any kind and it goes on",
			[]string{"This first part of the answer has no mark of any kind and it", " goes on"},
		},
		{"**Bold** _text_ with `code` and 😀 emoji.", []string{"Bold text with code and emoji."}},
		{"Your reference is t_ok, and _not_ __init__.", []string{"Your reference is t_ok, and not init."}},
		{"Press `order_number_2_` or_ **a_b** ____ now.", []string{"Press order_number_2 or a_b now."}},
		{"See [our page](https://example.com/a_b) or https://example.com now.", []string{"See our page or", " now."}},
		{"[The person laughs.] Fine.", []string{"Fine."}},
		{"<b>Yes</b>", []string{"Yes"}},
		{"1. First\n2. Second", []string{"1. First", " 2. Second"}},
		{"¿Cómo está? Bien.", []string{"¿Cómo está?", " Bien."}},
		{"", nil},
		{"  \n ", nil},
	} {
		for size := 1; size < 9; size++ {
			if got := parts(NewReply(State{}), c.text, size); strings.Join(got, "") != strings.Join(c.want, "") {
				t.Errorf("%q in pieces of %d: %q, want %q", c.text, size, got, c.want)
			}
		}
		if got := parts(NewReply(State{}), c.text, 1); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestReplyWithholds(t *testing.T) {
	t.Parallel()
	s := State{Script: Script{Model: &Model{AvoidTopics: []string{"Bitcoin", "life insurance"}}}}
	for text, want := range map[string]string{
		"Fine. You should buy bitcoins or Bitcoin, my friend. Bye.": "Fine.",
		"We also sell life\ninsurance. Fine?":                       "",
		"Your life is good. Insurance too.":                         "Your life is good. Insurance too.",
		"Your card is 4111 1111 1111 1111, right?":                  "",
	} {
		r := NewReply(s)
		parts(r, text, 3)
		if got, held := r.Said(); got != want || (held != "") != (want != text) {
			t.Errorf("%q: said %q, withheld %q", text, got, held)
		}
	}
	r := NewReply(State{})
	parts(r, strings.Repeat("Over and over again. ", 100), 7)
	if got, held := r.Said(); utf8.RuneCountInString(got) > maxReply || len(got) < maxReply-40 || held != "" {
		t.Errorf("said %d characters, withheld %q", len(got), held)
	}
}

// A part may end anywhere in a sentence, but never within a number, so a card number is always seen whole.
func TestReplyNeverReadsACard(t *testing.T) {
	for _, card := range []string{
		"4111 1111 1111 1111", "4111111111111111", "4111-1111-1111-1111", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
		"4111, 1111, 1111, 1111", "4111. 1111. 1111. 1111", "4111\n1111\n1111\n1111", "378282246310005",
		"**4111** 1111 1111 1111", "4111_1111_1111_1111", "_4111_ 1111_1111 1111",
		"four one one one one one one one one one one one one one one one",
		"four one one one, one one one one, one one one one, one one one one", "four triple one 1111 1111 1111",
	} {
		for lead := range 80 {
			for _, size := range []int{1, 2, 5, 13, 400} {
				r := NewReply(State{})
				said := strings.Join(parts(r, strings.Repeat("so ", lead/3)+strings.Repeat("o", lead%3)+
					" it is "+card+", isn't it? And more.", size), "")
				digits := strings.Map(func(r rune) rune {
					if r < '0' || r > '9' {
						return -1
					}
					return r
				}, said)
				if _, held := r.Said(); held == "" || digits != "" || strings.Contains(said, "one") {
					t.Fatalf("%q after %d characters, in parts of %d: said %q, withheld %q", card, lead, size,
						said, held)
				}
			}
		}
	}
	r := NewReply(State{})
	const told = "Your order 4711 has 3 parts, 12 screws and costs 99 euros. Call 0800 555 123 until 5. Good?"
	parts(r, told, 1)
	if got, held := r.Said(); got != told || held != "" {
		t.Errorf("said %q, withheld %q", got, held)
	}
}

func FuzzReply(f *testing.F) {
	f.Add("Good. **How** are [you](x)? 4111111111111111 <b>", uint8(3))
	f.Add("Ελλάδα; Ναι. \xff\xc3", uint8(1))
	f.Add("Your _code_ is t_ok, __x__ a__b. se_cret", uint8(2))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		r := NewReply(State{Script: Script{Model: &Model{AvoidTopics: []string{"secret"}}}})
		all := strings.Join(parts(r, text, int(size)+1), "")
		said, _ := r.Said()
		if strings.TrimSpace(all) != said {
			t.Errorf("parts %q, said %q", all, said)
		}
		if !utf8.ValidString(all) || strings.ContainsAny(all, "*#`[]<>{}\n\t") {
			t.Errorf("%q cannot be spoken", all)
		}
		if contains(flatten(clauses(all)), []string{"secret"}) {
			t.Errorf("%q has a forbidden word", all)
		}
		if utf8.RuneCountInString(said) > maxReply {
			t.Errorf("said %d characters", utf8.RuneCountInString(said))
		}
	})
}

// A one-time code is not read out in any language, before or after what it is called, and other numbers are.
func TestReplyNeverReadsACode(t *testing.T) {
	for tag, text := range map[string]string{
		"cs": "Váš ověřovací kód je 482913.", "da": "Din engangskode er 4 8 2 9 1 3.",
		"de": "Ihr Einmalcode lautet 482 913.", "el": "Ο κωδικός επαλήθευσης είναι 482913.",
		"en": "Sure. Your verification code is four eight two nine one three.",
		"es": "Su código de verificación es 482913.", "fr": "Votre code de vérification est le 482913.",
		"it": "Il suo codice di verifica è 482913.", "nb": "Engangskoden er 482913.", "nl": "Uw pincode is 4829.",
		"pl": "Pana kod weryfikacyjny to 482913.", "pt": "O seu código de verificação é 482913.",
		"ro": "Codul de verificare este 482913.", "sv": "Din engångskod är 482913.",
		"tr": "Doğrulama kodunuz 482913.",
	} {
		for _, text := range []string{text, text + " OK?", "4829 PIN."} {
			r := NewReply(State{Script: Script{Language: tag}})
			said := strings.Join(parts(r, text, 1), "")
			if _, held := r.Said(); held != "it read out a secret code" || strings.ContainsAny(said, "4829") {
				t.Errorf("%s, %q: said %q, withheld %q", tag, text, said, held)
			}
		}
	}
	r := NewReply(State{})
	const told = "Never tell anybody your PIN. Our number is 312 555 0100, and your ZIP code is 60612."
	if got := strings.Join(parts(r, told[:strings.Index(told, ", and")]+".", 1), ""); got == "" || r.held != "" {
		t.Errorf("said %q, withheld %q", got, r.held)
	}
	r = NewReply(State{})
	parts(r, "Your appointment code is 4711, and the ZIP code 60612.", 1)
	if got, held := r.Said(); held != "" {
		t.Errorf("said %q, withheld %q", got, held)
	}
}
