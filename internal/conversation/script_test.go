package conversation

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/fault"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	low, high := limits(5, 1)
	for name, c := range map[string]struct {
		change func(*Script)
		want   string
	}{
		"nothing":      {func(s *Script) {}, ""},
		"no questions": {func(s *Script) { s.Questions = nil }, ""},
		"standard lines": {func(s *Script) {
			s.Disclosure, s.NotUnderstood = "", ""
			s.Goodbye, s.VoicemailMessage = "", ""
		}, ""},
		"language": {func(s *Script) {
			s.Language = "English!"
		}, `script.language: must be a language tag such as "en-US"`},
		"unheard language": {func(s *Script) { s.Language = "fi-FI" }, "script.language: must be one of "},
		"language alone":   {func(s *Script) { s.Language = "de" }, ""},
		"other region":     {func(s *Script) { s.Language = "PT-ao" }, ""},
		"greeting":         {func(s *Script) { s.Greeting = "  " }, "script.greeting: required"},
		"length": {func(s *Script) {
			s.Greeting = strings.Repeat("é", 1001)
		}, "script.greeting: must have at most 1,000 characters"},
		"length in letters": {func(s *Script) { s.Greeting = strings.Repeat("é", 1000) }, ""},
		"control":           {func(s *Script) { s.Goodbye = "a\x00b" }, "script.goodbye: must be plain text"},
		"encoding":          {func(s *Script) { s.Goodbye = "a\xffb" }, "script.goodbye: must be plain text"},
		"braces": {func(s *Script) {
			s.Greeting = "Hello {{first name}}"
		}, "script.greeting: must write variables as {{name}} or {{name|fallback}}"},
		"one brace": {func(s *Script) { s.Greeting = "Hello {name}" }, "script.greeting: must write variables"},
		"key": {func(s *Script) {
			s.Questions[1].Key = "Pain level"
		}, "script.questions[1].key: must be 1 to 40"},
		"key twice": {func(s *Script) {
			s.Questions[3].Key = "pain"
		}, "script.questions[3].key: is also the key of question 2"},
		"ask": {func(s *Script) { s.Questions[0].Ask = "" }, "script.questions[0].ask: required"},
		"expect": {func(s *Script) {
			s.Questions[0].Expect = "maybe"
		}, "script.questions[0].expect: must be one of yes_no, choice, number, text"},
		"description": {func(s *Script) {
			s.Questions[0].Description = strings.Repeat("é", 301)
		}, "script.questions[0].description: must have at most 300 characters"},
		"long description": {func(s *Script) { s.Questions[0].Description = strings.Repeat("é", 300) }, ""},
		"variable in a description": {func(s *Script) {
			s.Questions[0].Description = "What {{name}} wants"
		}, "script.questions[0].description: must not contain variables"},
		"control in a description": {func(s *Script) {
			s.Questions[0].Description = "a\x00b"
		}, "script.questions[0].description: must be plain text"},
		"a date":  {func(s *Script) { s.Questions[0].Expect = Date }, ""},
		"an hour": {func(s *Script) { s.Questions[0].Expect = Time }, ""},
		"a phone number with options": {func(s *Script) {
			s.Questions[2].Expect = Phone
		}, "script.questions[2].options: are only for a choice"},
		"one option": {func(s *Script) {
			s.Questions[2].Options = []string{"A"}
		}, "script.questions[2].options: must have 2 to 8 choices"},
		"nine options": {func(s *Script) {
			s.Questions[2].Options = strings.Split("abcdefghi", "")
		}, "script.questions[2].options: must have 2 to 8 choices"},
		"same option": {func(s *Script) {
			s.Questions[2].Options = []string{"Café", "cafe!"}
		}, "script.questions[2].options[1]: sounds the same as \"Café\""},
		"silent option": {func(s *Script) {
			s.Questions[2].Options = []string{"A", "…"}
		}, "script.questions[2].options[1]: must contain a word"},
		"stop as option": {func(s *Script) {
			s.Questions[2].Options = []string{"Go on", "Stop"}
		}, "script.questions[2].options[1]: means 'do not call me again' and can't be a choice"},
		"stray options": {func(s *Script) {
			s.Questions[0].Options = []string{"A", "B"}
		}, "script.questions[0].options: are only for a choice"},
		"min over max": {func(s *Script) {
			s.Questions[1].Min = low
			s.Questions[1].Max = high
		}, "script.questions[1].max: must be greater than min"},
		"stray min": {func(s *Script) {
			s.Questions[0].Min = low
		}, "script.questions[0].expect: must be number to have min and max"},
		"too many": {func(s *Script) {
			s.Questions = make([]Question, 31)
		}, "script.questions: must have at most 30 questions"},
	} {
		s := checkIn()
		c.change(&s)
		var p fault.Problems
		s.Validate("script", &p)
		got := ""
		if err := p.Err(); err != nil {
			got = err.Error()
		}
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	var p fault.Problems
	(&Script{}).Validate("", &p)
	if err := p.Err(); err == nil || !strings.HasPrefix(err.Error(), "language: ") {
		t.Errorf("without a prefix: %v", err)
	}
}

func TestScriptJSON(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(checkIn())
	if err != nil {
		t.Fatal(err)
	}
	var back Script
	if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, checkIn()) {
		t.Errorf("%s came back as %+v, %v", b, back, err)
	}
}

func TestStartLeavesTheScriptAlone(t *testing.T) {
	t.Parallel()
	script := checkIn()
	Start(script, margaret, true)
	if !reflect.DeepEqual(script, checkIn()) {
		t.Error("Start filled in the caller's own script")
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	vars := map[string]any{"name": "Ada", "n": 3.0, "big": 1234567.0, "half": 0.5, "yes": true, "null": nil,
		"list":  []any{1},
		"blank": "  ", "sly": "{{name}} \x00\n{x}", "id": json.Number("42"), "long": strings.Repeat("é", 600)}
	for in, want := range map[string]string{
		"Ask Dr. {{missing}} about it.":            "Ask about it.",
		"Hello Mr. {{missing}}, this is {{name}}.": "Hello, this is Ada.",
		"Dr. {{missing}} asked us.":                "Asked us.",
		"It is free. {{missing}} you may ask.":     "It is free. You may ask.",
		"Hello {{name}}.":                          "Hello Ada.",
		"Hello {{ name }}, it is {{n}}":            "Hello Ada, it is 3",
		"{{big}} {{half}} {{yes}} {{id}}":          "1234567 0.5 true 42",
		"Hello {{missing}}, hi":                    "Hello, hi",
		"Hello {{missing}} and hi":                 "Hello and hi",
		"{{missing}} Hello":                        "Hello",

		"Thank you, {{missing}}. If you":             "Thank you. If you",
		"Thank you, {{missing}}":                     "Thank you",
		"Thank you, {{missing}} {{null}}!":           "Thank you!",
		"Thank you {{missing}}, {{name}}.":           "Thank you, Ada.",
		"Now, {{missing}}, listen":                   "Now, listen",
		"{{missing}}, hello":                         "Hello",
		"{{missing}}. Hello":                         "Hello",
		"Hi! {{missing}}, how are you?":              "Hi! How are you?",
		"Hi! {{missing}}. And {{name}}?":             "Hi! And Ada?",
		"{{missing}} {{name}}, hello":                "Ada, hello",
		"{{missing}}, {{null}}, how is {{name}}?":    "How is Ada?",
		"The clinic ({{missing}}), in {{list}}":      "The clinic, in",
		"The clinic ({{missing}}, Rome)":             "The clinic (Rome)",
		"He said “{{missing}}”.":                     "He said.",
		"Your day: {{missing}}.":                     "Your day.",
		"Goodbye – {{missing}}!":                     "Goodbye!",
		"¡Hola, {{missing}}! ¿{{missing}}, qué tal?": "¡Hola! ¿Qué tal?",
		"Hola. ¿{{missing}}? Bien.":                  "Hola. Bien.",
		"Bonjour {{missing}} ! Ça va, {{missing}} ?": "Bonjour ! Ça va ?",
		"Γεια σας, {{missing}}; Καλά;":               "Γεια σας; Καλά;",
		"Hello {{missing|there}}, hi":                "Hello there, hi",
		"Hello {{name|there}}":                       "Hello Ada",
		"Hello {{blank|you }}!":                      "Hello you!",
		"Hello {{null}}{{list}}!":                    "Hello!",
		"{{missing|}}{{name}}":                       "Ada",
		"{{sly}}":                                    "name x",
		"a {{name} b {c}":                            "a name b c",
		"no variables":                               "no variables",
		"":                                           "",
		"{{long}}":                                   strings.Repeat("é", 500),
	} {
		if got := Fill(in, vars); got != want {
			t.Errorf("Fill(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestVariables(t *testing.T) {
	t.Parallel()
	if got, want := checkIn().Variables(), []string{
		"first_name", "clinic", "comma_name", "day",
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"  hello \n":              "hello",
		"a\x00b\tc":               "a b c",
		"a\xffb":                  "a b",
		strings.Repeat("é", 5000): strings.Repeat("é", 4000),
		"\x00":                    "",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%.20q) = %.20q, want %.20q", in, got, want)
		}
	}
}

// A text with missing variables has the same punctuation as a text written without
// them.
func TestFillLeavesNoGap(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	var phrase func(depth int) string
	phrase = func(depth int) string {
		words := []string{}
		for range 1 + r.IntN(3) {
			word := pick("ένα", "drei", "été", "{{a}}", "{{b}}", "{{c}}")
			if depth == 0 && r.IntN(6) == 0 {
				brackets := pick("()", "[]", "«»", "“”")
				open, _ := firstRune(brackets)
				closing, _ := lastRune(brackets)
				word = string(open) + phrase(1) + pick("", ", "+phrase(1)) + string(closing)
			}
			words = append(words, word)
		}
		return strings.Join(words, " ")
	}
	bad := regexp.MustCompile(
		`[,:·–—.;!?…]\s*[,:·–—.;!?…]|\s[,:·.;!?…)\]»”]|\s\s|[(\[«“¿¡]\s*[,:·–—.;!?…)\]»”]|^[,:·–—.;!?…\s]|[,` +
			`:·–—¿¡\s]$|[(\[«“]\s`,
	)
	for range 20_000 {
		var text string
		for range 1 + r.IntN(3) {
			opener := pick("", "", "¿", "¡")
			text += opener + phrase(0)
			for range r.IntN(3) {
				text += pick(", ", ", ", ": ", " – ", "· ") + phrase(0)
			}
			text += pick(".", "!", "?", "…", ";") + " "
		}
		text = strings.TrimSpace(text)
		vars := map[string]any{"a": pick("", "Ada"), "b": pick("", "", "Bo"), "c": ""}
		if got := Fill(text, vars); bad.MatchString(got) {
			t.Fatalf("Fill(%q, %v) = %q", text, vars, got)
		}
	}
}

func FuzzFill(f *testing.F) {
	f.Add("Hello {{name|there}}, {{x", "}}{{name}}")
	f.Fuzz(func(t *testing.T, text, value string) {
		if got := Fill(text, map[string]any{"name": value}); strings.ContainsAny(got, "{}\x00") {
			t.Errorf("Fill(%q) = %q", text, got)
		}
	})
}
