package conversation

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
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

// A caller whose number is withheld cannot opt out. They hear so, and the call ends, because they want nobody to talk
// to them.
func TestAWithheldCallerOptsOut(t *testing.T) {
	t.Parallel()
	withheld := Inbound{Withheld: true}
	parts := tongueOf("en").caller.Withheld + " " + tongueOf("en").lines.Goodbye // not that of the script, "Bye."
	const asked = "Asked not to be called again, but withheld the number"
	script := asking(Question{Expect: YesNo})
	check := func(name, summary string, ending Ending, s State, said []string) {
		t.Helper()
		if got := said[len(said)-1]; got != parts || !s.Done() || s.Ending != ending {
			t.Errorf("%s: ends with %q: %s", name, got, s.Ending)
		}
		s, _ = Step(s, Closed{})
		if a := Analyze(s); a.Summary != summary || a.OptOut || a.Successful != (ending == Completed) {
			t.Errorf("%s: %+v", name, a)
		}
	}
	for _, in := range []Input{Digit{"9"}, Prompt{Text: "Stop calling me."}} {
		s, said := calls(t, script, withheld, in)
		check("a scripted agent", asked+".", SaidGoodbye, s, said)
		if again, actions := Step(s, in); len(actions) > 0 || again.Ending != SaidGoodbye {
			t.Errorf("who asks again hears %q", told(actions))
		}

		two := script
		two.Questions = append(slices.Clone(script.Questions), Question{Key: "more", Ask: "Eight?", Expect: YesNo})
		s, said = calls(t, two, withheld, Digit{"1"}, in)
		check("after an answer", asked+", after answering 1 of 2 questions. “Six seven?” Yes.", SaidGoodbye, s, said)
		s, said = calls(t, script, withheld, Digit{"1"}, in)
		check("during the goodbye", "Answered the question. "+asked+". “Six seven?” Yes.", Completed, s, said)

		s, said = calls(t, modelCheckIn(), withheld, in)
		if got := said[len(said)-1]; !strings.HasPrefix(got, tongueOf("en").caller.Withheld+" Thank you") ||
			s.Ending != SaidGoodbye || s.Awaiting() {
			t.Errorf("a model ends with %q: %s", said, s.Ending)
		}

		message := Inbound{Withheld: true, Announced: true}
		s, said = calls(t, script, message, in)
		check("a message", asked+".", SaidGoodbye, s, said)
		message.Full = true
		s, said = calls(t, script, message, in)
		check("a message without capacity", asked+".", SaidGoodbye, s, said)
	}
	s, said := calls(t, transferring(), withheld, Prompt{Text: "No, I haven't."}, Digit{"9"})
	if s.Ending != SaidGoodbye || s.ToTransfer() || strings.Contains(said[len(said)-1], "connecting") {
		t.Errorf("a transfer goes on with %q: %s", said, s.Ending)
	}
}

// The tool of a model doesn't confirm an opt-out of a caller whose number is withheld, and ends the call.
func TestAModelCannotOptOutAWithheldCaller(t *testing.T) {
	t.Parallel()
	d := &dialog{t: t}
	vars := map[string]any{"agent": "Nora", "organization": "Acme"}
	d.after(StartInbound(modelCheckIn(), vars, Inbound{Withheld: true}))
	d.answers("How are you?").hear().step(Prompt{Text: "I want to be left alone by all of you people."})
	d.answers("", "opt_out", "{}")
	if d.state.OptedOut != "" || d.state.Ending != SaidGoodbye ||
		!strings.Contains(told(d.actions), "Your number is withheld") {
		t.Errorf("opted out by %q, ending %q: %s", d.state.OptedOut, d.state.Ending, told(d.actions))
	}
}

// The summary says that a caller asked why they had been called.
func TestSummariesSayThatACallerAskedWhy(t *testing.T) {
	t.Parallel()
	const asked = " Asked why they had been called."
	why := Prompt{Text: "Why did you call me?"}
	script := asking(Question{Expect: YesNo})
	for name, test := range map[string]struct {
		in     Inbound
		inputs []Input
		want   string
	}{
		"a message": {Inbound{Announced: true}, []Input{why, Silence{}}, "Heard the message to the end." + asked},
		"a message, hung up": {
			Inbound{Announced: true}, []Input{why, Closed{}}, "Hung up before the message was over." + asked,
		},
		"an agent": {Inbound{}, []Input{why, why, Digit{"1"}}, "Answered the question." + asked + " “Six seven?” Yes."},
		"nobody asks": {
			Inbound{Announced: true}, []Input{Prompt{Text: "Hello?"}, Silence{}}, "Heard the message to the end.",
		},
	} {
		script := script
		if test.in.Announced {
			script.Questions = nil
		}
		s, said := calls(t, script, test.in, test.inputs...)
		if got := Analyze(s).Summary; got != test.want {
			t.Errorf("%s: %q, want %q\n%q", name, got, test.want, said)
		}
	}
}

// A caller whose number is withheld is not offered a call after a transfer that failed.
func TestAWithheldCallerIsOfferedNoCall(t *testing.T) {
	t.Parallel()
	withheld := Inbound{Withheld: true}
	no := []Input{Prompt{Text: "No, I haven't."}, Untransferred{}}
	sorry := named(lexicon.TransfersIn("en").TransferFailed, "Nurse")

	script := transferring()
	s, said := calls(t, script, withheld, no...)
	if got := said[len(said)-1]; s.Phase != Talking || got != sorry+" "+script.Questions[1].Ask {
		t.Errorf("in phase %s after %q", s.Phase, got)
	}
	script.Questions = script.Questions[:1]
	s, said = calls(t, script, withheld, no...)
	if got := said[len(said)-1]; s.Ending != Completed || got != sorry+" "+s.wording().Goodbye {
		t.Errorf("ends with %q after %q", s.Ending, got)
	}

	script = modelCheckIn()
	script.Transfer = &TransferSettings{Destinations: []uuid.UUID{desk().ID}, Known: []Destination{desk()}}
	d := &dialog{t: t}
	d.after(StartInbound(script, map[string]any{"agent": "Nora", "organization": "Acme"}, withheld))
	d.answers("How do you feel?").hear().step(Prompt{Text: "I want to speak to a nurse."}).
		answers("", "transfer", `{"destination": "Nurse", "summary": "They feel bad."}`).hear().
		step(Untransferred{}).hear()
	if said := d.said(); d.state.Unreached || strings.Contains(said, "Offer that somebody") ||
		!strings.Contains(said, cannotCallBack) {
		t.Errorf("the model sees\n%s", said)
	}
	d.answers("", "schedule_callback", `{"at": ""}`)
	if d.state.Intent == CallBack {
		t.Errorf("a call is promised:\n%s", d.said())
	}
}
