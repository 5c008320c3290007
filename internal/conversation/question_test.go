package conversation

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A scripted agent collects dates, times, phone numbers and email addresses. What it does not
// understand, it asks once more, and then skips.
func TestKindsOfAnswers(t *testing.T) {
	t.Parallel()
	script := Script{
		Language: "en-US", Greeting: "Hi.", Disclosure: "Four five.", Goodbye: "Bye.",
		Questions: []Question{
			{Key: "day", Ask: "Which day?", Expect: Date},
			{Key: "hour", Ask: "What time?", Expect: Time},
			{Key: "phone", Ask: "Which phone number?", Expect: Phone},
			{Key: "email", Ask: "What is your email address?", Expect: Email},
			{Key: "other", Ask: "Which other day?", Expect: Date},
		},
	}
	vars := map[string]any{"phone_number": "+13125550101"}
	s, _ := Start(script, vars, false)
	for _, said := range []string{
		"Next Tuesday.", "Half past two.", "three one two, five five five", "oh one four two",
		"anna dot smith at example dot com", "I like turtles.", "I like turtles.",
	} {
		s, _ = Step(throughJSON(t, s), Prompt{Text: said, At: wednesday})
	}
	var got []any
	for _, a := range s.Answers {
		got = append(got, a.Value)
	}
	want := []any{"2026-12-01", "14:30", "+13125550142", "anna.smith@example.com", nil}
	if !reflect.DeepEqual(got, want) || s.Ending != Completed {
		t.Errorf("answers %v, %s", got, s.Ending)
	}
}

// A phone number may come in several utterances. A pause after an incomplete number asks again.
func TestGroupsOfAPhoneNumber(t *testing.T) {
	t.Parallel()
	vars := map[string]any{"phone_number": "+13125550101"}
	for want, inputs := range map[string][]Input{
		"record +13125550142 say Bye. hang up completed": {
			Prompt{Text: "Three one two"}, Prompt{Text: "five five five"}, Prompt{Text: "0142"},
		},
		"say Pardon? Six seven?": {Prompt{Text: "Three one two"}, Silence{}},
		"":                       {Prompt{Text: "Three one two"}, Prompt{Text: "five five five"}, Digit{"1"}},
		"record <nil> say Bye. hang up completed": {
			Prompt{Text: "312"}, Prompt{Text: "Er, I forgot the rest of my number"}, Prompt{Text: "Such weather"},
		},
	} {
		s, actions := Start(asking(Question{Expect: Phone}), vars, false)
		for _, in := range inputs {
			s, actions = Step(throughJSON(t, s), in)
		}
		if told(actions) != want {
			t.Errorf("%v: %q, want %q", inputs, told(actions), want)
		}
	}
}

// An answer that a scripted agent understands is one that Accept returns.
func TestUnderstoodIsAccepted(t *testing.T) {
	t.Parallel()
	said := []string{
		"tomorrow", "the 29th of February", "half past two", "9 pm", "three one two five five five oh one four two",
		"anna at example dot com", "5", "the second", "in two weeks", "noon", "24.12.", "no", "one eight hundred",
	}
	understood := map[Expect]bool{}
	for _, l := range languages {
		for _, e := range []Expect{YesNo, Number, Text, Date, Time, Phone, Email} {
			for _, heard := range said {
				q := Question{Key: "q", Expect: e}
				s := State{Script: Script{Language: l.tag, Questions: []Question{q}}, Region: "US"}
				value, ok := s.answer(clauses(heard), heard, wednesday)
				if !ok {
					continue
				}
				understood[e] = true
				if accepted, err := q.Accept(value, "US"); err != nil || accepted != value {
					t.Errorf("%s: %q as a %s is %v, accepted as %v: %v", l.tag, heard, e, value, accepted, err)
				}
			}
		}
	}
	if len(understood) != 7 {
		t.Errorf("understood are only %v", understood)
	}
}

// A new kind must not be missing where kinds are told apart.
func TestExpects(t *testing.T) {
	t.Parallel()
	for _, e := range Expects() {
		q := Question{Expect: e, Options: []string{"A", "B"}}
		if _, err := q.Accept("", "US"); err == nil || !strings.HasPrefix(err.Error(), "must ") {
			t.Errorf("%s: an empty answer: %v", e, err)
		}
	}
	if !slices.Contains(Expects(), Date) || strings.Count(expectList(), ",") != len(Expects())-1 {
		t.Error(expectList())
	}
}

// A national phone number belongs to the country of the recipient, or of the language.
func TestRegion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, number, want string }{
		{"en-US", "+4930123456", "DE"}, {"en-US", "", "US"}, {"de", "", ""}, {"de-at", "12", "AT"},
		{"pt-BR", "+12125550100", "US"},
	} {
		if got := region(c.language, map[string]any{"phone_number": c.number}); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.language, c.number, got, c.want)
		}
	}
}
