package speech

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestRender(t *testing.T) {
	t.Parallel()
	list := []Pronunciation{
		{"Xavier", "Zay vee er"},
		{"SQL", "sequel"},
		{"SQL Server", "sequel server"},
		{"sequel", "never"}, // a spoken form contains a word
		{"Åse", "Oh-seh"},
		{"C++", "C plus plus"},
		{"İzmir", "Iz mir"},
		{"Straße", "strasse"},
	}
	for text, want := range map[string]string{
		"Hello Xavier.":               "Hello Zay vee er.",
		"XAVIER's and xavier’s":       "Zay vee er's and Zay vee er’s",
		"Xavierville, preXavier":      "Xavierville, preXavier",
		"Use SQL, SQL Server, MySQL.": "Use sequel, sequel server, MySQL.",
		"SQL\n  server":               "sequel server",
		"A sequel":                    "A never",
		"ÅSE, A\u030ase and åsen":     "Oh-seh, Oh-seh and åsen",
		"C++, c++11":                  "C plus plus, C plus plus11",
		"In İzmir":                    "In Iz mir",
		"STRASSE, straße, STRAẞE":     "STRASSE, strasse, strasse",
		"Xavier Xavier":               "Zay vee er Zay vee er",
		"X\u200davier":                "X\u200davier",
		"":                            "",
	} {
		if r := NewPronouncer(list).Render(text); r.Spoken != want || r.Written != norm.NFC.String(text) {
			t.Errorf("%q is spoken %q, want %q", text, r.Spoken, want)
		}
	}
}

func TestUpTo(t *testing.T) {
	t.Parallel()
	r := NewPronouncer([]Pronunciation{{"Xavier", "Zay vee er"}, {"GmbH", "gay em bay ha"}}).
		Render("Hello, Xavier (of Acme GmbH)! Is that you?")
	for heard, want := range map[string]string{
		"":                                      "",
		"Hello":                                 "Hello,",
		"Hello, Zay":                            "Hello,",
		"Hello, Zay vee":                        "Hello,",
		"Hello, Zay vee er":                     "Hello, Xavier",
		"Hello, Zay vee er (of Ac":              "Hello, Xavier (of Ac",
		"Hello, Zay vee er (of Acme gay em bay": "Hello, Xavier (of Acme",
		"Hello, Zay vee er (of Acme gay em bay ha)!": "Hello, Xavier (of Acme GmbH)!",
		r.Spoken: r.Written,
	} {
		if got := r.UpTo(len(Sound(heard))); got != want {
			t.Errorf("after %q: %q, want %q", heard, got, want)
		}
	}
	p := NewPronouncer([]Pronunciation{{"Xavier", "Zay vee er"}})
	if got := p.Restore("at nine, zay VEE er"); got != "at nine, Xavier" {
		t.Error(got)
	}
}

// FuzzRender checks what holds for every text and list of words, cut at every place.
func FuzzRender(f *testing.F) {
	f.Add("Hello Xavier, SQL & more", "xavier", "Zay vee er", "SQL", "sequel Xavier")
	f.Add("A\u030ase ÅSE", "Åse", "A\u030a", "a", "ß")
	f.Add("\xffK\u212a k", "k", "kay", "k k", "İ")
	f.Fuzz(func(t *testing.T, text, word1, spoken1, word2, spoken2 string) {
		list := []Pronunciation{{word1, spoken1}, {word2, spoken2}}
		if len(text) > 200 {
			t.Skip() // every cut of a long text takes long
		}
		for _, one := range list { // as validated
			if _, ok := line(one.Word, maxWord); !ok {
				t.Skip()
			}
			if _, ok := line(one.Spoken, maxSpoken); !ok {
				t.Skip()
			}
		}
		r := NewPronouncer(list).Render(text)
		var written, spoken, sound string
		for _, s := range r.spans {
			written, spoken, sound = written+s.written, spoken+s.spoken, sound+Sound(s.spoken)
			if !s.replaced && s.written != s.spoken {
				t.Fatalf("%q is spoken %q without a pronunciation", s.written, s.spoken)
			}
			heard := written // up to its last sound
			if !s.replaced {
				heard = strings.TrimRightFunc(written, func(r rune) bool { return !sounds(r) })
			}
			if got := r.UpTo(len(sound)); Sound(s.spoken) != "" && !strings.HasPrefix(got, heard) {
				t.Fatalf("after %q: %q, want %q and the punctuation after it", spoken, got, heard)
			}
		}
		if written != r.Written || spoken != r.Spoken {
			t.Fatalf("spans of %q: %q, %q", r.Written, written, spoken)
		}
		last := ""
		for n := range len(sound) + 1 {
			got := r.UpTo(n)
			if !strings.HasPrefix(r.Written, got) || !strings.HasPrefix(got, last) {
				t.Fatalf("%d bytes of %q: %q after %q", n, r.Spoken, got, last)
			}
			last = got
		}
		if plain := NewPronouncer(nil).Render(text); plain.Spoken != plain.Written {
			t.Fatalf("%q without pronunciations: %q", text, plain.Spoken)
		}
	})
}

// FuzzExtend checks that a text in parts is rendered as the whole text is, wherever it is cut.
func FuzzExtend(f *testing.F) {
	f.Add(
		"Use SQL, SQL Server or SQL  server-side. Hello Xavier!",
		"SQL Server", "sequel server", "SQL", "sequel", []byte{7, 2},
	)
	f.Add("A\u030ase — C++ server … a & b & ", "c++ server", "see", "&", " and ", []byte{1})
	f.Add("K\u212a k  k k", "k", "kay", "k k", "K \u0130", []byte{3, 1, 1})
	f.Fuzz(func(t *testing.T, text, word1, spoken1, word2, spoken2 string, cuts []byte) {
		if len(text) > 200 || !utf8.ValidString(text) {
			t.Skip()
		}
		list := []Pronunciation{{word1, spoken1}, {word2, spoken2}}
		for _, one := range list { // as validated, or the word for "&"
			_, word := line(one.Word, maxWord)
			_, spoken := line(one.Spoken, maxSpoken)
			if !spoken || !word && one.Word != "&" {
				t.Skip()
			}
		}
		p := NewPronouncer(list)
		whole := p.Render(text)
		var r Rendering
		var rest string
		runes := []rune(text)
		for i := 0; len(runes) > 0; i++ {
			n := 1
			if len(cuts) > 0 {
				n = min(int(cuts[i%len(cuts)]), len(runes))
			}
			if n == 0 {
				cuts = nil
			}
			before := len(r.Spoken)
			rest = p.Extend(&r, rest+string(runes[:n]), false)
			runes = runes[n:]
			so := norm.NFC.String(strings.TrimSuffix(text, string(runes)))
			if !strings.HasPrefix(whole.Spoken, r.Spoken) || r.Written+rest != so {
				t.Fatalf("%q of %q is spoken %q, rest %q", r.Written, text, r.Spoken, rest)
			}
			if part := r.Spoken[before:]; part != "" && (Sound(part) == "" || Sound(rest) == "") {
				t.Fatalf("%q and the rest %q have no sound", part, rest)
			}
		}
		if rest = p.Extend(&r, rest, true); rest != "" || r.Written != whole.Written || r.Spoken != whole.Spoken {
			t.Fatalf("%q is spoken %q, want %q; rest %q", r.Written, r.Spoken, whole.Spoken, rest)
		}
		for n := range len(Sound(r.Spoken)) + 1 {
			if got, want := r.UpTo(n), whole.UpTo(n); got != want {
				t.Fatalf("up to %d: %q, want %q", n, got, want)
			}
		}
	})
}
