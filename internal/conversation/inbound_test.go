package conversation

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// calls plays a conversation with a person who called.
func calls(t *testing.T, script Script, in Inbound, inputs ...Input) (s State, said []string) {
	t.Helper()
	hear := func(actions []Action) {
		for _, a := range actions {
			switch a := a.(type) {
			case Say:
				said = append(said, a.Text)
			case OptOut:
				said = append(said, "[opt out]")
			case Think:
				said = append(said, "[think]")
			}
		}
	}
	s, actions := StartInbound(script, map[string]any{"organization": "Acme", "agent": "Nora"}, in)
	hear(actions)
	for _, input := range inputs {
		before, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		given := s
		s, actions = Step(s, input)
		if after, _ := json.Marshal(given); string(after) != string(before) {
			t.Fatalf("the step changed its state:\n%s\n%s", before, after)
		}
		said = append(said, "—")
		hear(actions)
	}
	return s, said
}

// A caller who asks why they were called hears when and about what, as far as it is known.
func TestWhyACallerWasCalled(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, berlin)
	called := func(at time.Time) Inbound { return Inbound{Called: true, CalledAt: at, Now: now} }
	day := func(days int) time.Time { return now.AddDate(0, 0, days) }
	script := func(tag string) Script {
		s := asking(Question{Expect: YesNo})
		s.Language = tag
		return s
	}
	why := func(tag string, in Inbound) string {
		s, _ := StartInbound(script(tag), map[string]any{"organization": "Acme"}, in)
		return s.why()
	}
	about := called(day(-4))
	about.Reason = "your visit"
	for name, test := range map[string]struct {
		tag  string
		in   Inbound
		want []string
	}{
		"this year":    {"en-US", called(day(-4)), []string{"Acme called you. That was on Friday, November 20."}},
		"another year": {"en-US", called(now.AddDate(-1, 0, 0)), []string{"on Monday, November 24, 2025."}},
		"today":        {"en-US", called(now.Add(-time.Hour)), []string{"Acme called you. That was today."}},
		"the day before by the caller's clock": {
			"de-DE", called(time.Date(2026, 11, 23, 23, 30, 0, 0, berlin)), []string{"am Montag, dem 23. November."},
		},
		"about":        {"en-US", about, []string{"Acme called you", "your visit", "on Friday, November 20."}},
		"the first":    {"fr-FR", called(day(-23)), []string{"le dimanche 1er novembre."}},
		"Polish":       {"pl-PL", called(day(-7)), []string{"we wtorek, 17 listopada."}},
		"not known":    {"en-US", Inbound{Called: true}, []string{"Acme called you."}},
		"never called": {"en-US", Inbound{Now: now}, []string{"I know of no call"}},
	} {
		got := why(test.tag, test.in)
		for _, part := range test.want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q, want %q", name, got, part)
			}
		}
	}
	for _, tag := range LanguageTags() {
		days := map[string]bool{}
		for i := range 400 {
			at := day(-i)
			got := why(tag, called(at))
			if strings.ContainsAny(got, "{}") || days[got] {
				t.Fatalf("%s: %s: %q", tag, at.Format(time.DateOnly), got)
			}
			days[got] = true
		}
	}
}

// A caller whose number is withheld cannot opt out. They hear so, and the conversation goes on. Who asks a third time
// hears a goodbye.
func TestAWithheldCallerOptsOut(t *testing.T) {
	t.Parallel()
	withheld := Inbound{Withheld: true}
	cannot := tongueOf("en").caller.Withheld
	script := asking(Question{Expect: YesNo})
	question := script.Questions[0].Ask
	key, words := Input(Digit{"9"}), Input(Prompt{Text: "Stop calling me."})

	for _, in := range []Input{key, words} {
		_, said := calls(t, script, withheld, in)
		if got := said[len(said)-1]; got != cannot+" "+question {
			t.Errorf("a scripted agent goes on with %q", got)
		}
		s, said := calls(t, script, withheld, in, in, in)
		if got := said[len(said)-1]; got != cannot+" Bye." || s.Ending != SaidGoodbye {
			t.Errorf("a scripted agent parts with %q: %s", got, s.Ending)
		}
		s, said = calls(t, script, withheld, in, Digit{"1"}, in)
		if got := said[len(said)-1]; got != cannot+" Bye." || s.Ending != Completed {
			t.Errorf("a scripted agent ends with %q: %s", got, s.Ending)
		}

		s, said = calls(t, modelCheckIn(), withheld, in)
		if got := said[len(said)-2:]; !slices.Equal(got, []string{cannot, "[think]"}) || s.Done() {
			t.Errorf("a model goes on with %q", got)
		}

		message := Inbound{Withheld: true, Announced: true}
		s, said = calls(t, script, message, in)
		if got := said[len(said)-1]; got != cannot || s.Done() {
			t.Errorf("a message goes on with %q", got)
		}
		s, said = calls(t, script, message, in, Silence{})
		if got := said[len(said)-1]; got != "Bye." || s.Ending != Completed {
			t.Errorf("a message ends with %q: %s", got, s.Ending)
		}
		message.Full = true
		if s, _ = calls(t, script, message, in, Silence{}); s.Ending != NoCapacity {
			t.Errorf("a message without capacity: %s", s.Ending)
		}
	}
}

// The tool of a model doesn't confirm an opt-out of a caller whose number is withheld.
func TestAModelCannotOptOutAWithheldCaller(t *testing.T) {
	t.Parallel()
	d := &dialog{t: t}
	vars := map[string]any{"agent": "Nora", "organization": "Acme"}
	d.after(StartInbound(modelCheckIn(), vars, Inbound{Withheld: true}))
	d.answers("How are you?").hear().step(Prompt{Text: "I want to be left alone by all of you people."})
	d.answers("", "opt_out", "{}")
	if d.state.OptedOut != "" || d.state.Done() || !d.state.Awaiting() {
		t.Errorf("opted out by %q, ending %q", d.state.OptedOut, d.state.Ending)
	}
}
