package conversation

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func limits(low, high float64) (*float64, *float64) { return &low, &high }

// checkIn returns the script of a clinic's call.
func checkIn() Script {
	low, high := limits(0, 10)
	return Script{
		Language: "en-US",
		Greeting: "Hello {{first_name}}, this is Nora, an automated voice calling for {{clinic|Meridian Home " +
			"Health}}.",
		Disclosure: "This call is recorded. You can press 9 or say stop at any time, and we will not call again.",
		Questions: []Question{
			{
				Key:    "seen_doctor",
				Ask:    "You came home from the hospital on {{day|Thursday}}. Have you seen your doctor since?",
				Expect: YesNo,
			},
			{
				Key: "pain", Ask: "How is the pain today, from 0 for none to 10 for the worst?", Expect: Number,
				Min: low, Max: high,
			},
			{
				Key: "follow_up", Ask: "Would you rather have a home visit, or a phone call from a nurse?",
				Expect: Choice, Options: []string{"Home visit", "Phone call"},
			},
			{Key: "concerns", Ask: "Is there anything you would like the nurse to know?", Expect: Text},
		},
		NotUnderstood: "Sorry, I did not catch that.",
		Goodbye:       "Thank you{{comma_name|}}. Take care, and goodbye.",
		VoicemailMessage: "Hello {{first_name}}, this is Nora from {{clinic|Meridian Home Health}}. We will try " +
			"again tomorrow.",
	}
}

// play runs a conversation and writes it as text, one line for each spoken text, input
// or action. The state goes through JSON between any two steps, as it does when another
// process takes over the call.
func play(t *testing.T, script Script, vars map[string]any, leaveMessage bool, inputs ...Input) (State, string) {
	t.Helper()
	var b strings.Builder
	write := func(actions []Action) {
		for _, a := range actions {
			switch a := a.(type) {
			case Say:
				mark := "agent! "
				if a.Interruptible {
					mark = "agent: "
				}
				b.WriteString(mark + a.Text + "\n")
			case RecordAnswer:
				fmt.Fprintf(&b, "[%s = %v]\n", a.Key, a.Value)
			case OptOut:
				fmt.Fprintf(&b, "[opt out by %s]\n", a.How)
			case HangUp:
				fmt.Fprintf(&b, "[hang up: %s]\n", a.Reason)
			case Flush:
				b.WriteString("[flush]\n")
			}
		}
	}
	state, actions := Start(script, vars, leaveMessage)
	write(actions)
	for _, in := range inputs {
		state = throughJSON(t, state)
		before := throughJSON(t, state)
		switch in := in.(type) {
		case Prompt:
			b.WriteString("them:  " + in.Text + "\n")
		case Digit:
			b.WriteString("key:   " + in.Digit + "\n")
		case resume:
			var next State
			next, actions = Resume(state)
			state = next
			write(actions)
			continue
		}
		next, actions := Step(state, in)
		if !reflect.DeepEqual(state, before) {
			t.Fatalf("Step changed the state it was given: %+v, was %+v", state, before)
		}
		state = next
		write(actions)
	}
	return state, b.String()
}

// resume stands for a takeover among the inputs.
type resume struct{}

func (resume) input() {}

func throughJSON(t *testing.T, s State) State {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back State
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != string(b) {
		t.Fatalf("%s came back as %s, %v", b, again, err)
	}
	return back
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	want = strings.TrimLeft(want, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

var margaret = map[string]any{"first_name": "Margaret", "comma_name": ", Margaret", "day": "Friday"}

func TestConversation(t *testing.T) {
	t.Parallel()
	s, got := play(t, checkIn(), margaret, false,
		Prompt{Text: "Yes, I saw Dr. Amin on Tuesday."},
		Prompt{Text: "Oh, about a three, I think."},
		Prompt{Text: "A phone call, please."},
		Prompt{Text: "The new pills make me dizzy in the morning."},
		Closed{})
	expect(t, got, `
agent: Hello Margaret, this is Nora, an automated voice calling for Meridian Home Health. This call is recorded. `+
		`You can press 9 or say stop at any time, and we will not call again. You came home from the hospital on `+
		`Friday. Have you seen your doctor since?
them:  Yes, I saw Dr. Amin on Tuesday.
[seen_doctor = true]
agent: Thank you. How is the pain today, from 0 for none to 10 for the worst?
them:  Oh, about a three, I think.
[pain = 3]
agent: All right. Would you rather have a home visit, or a phone call from a nurse?
them:  A phone call, please.
[follow_up = Phone call]
agent: Thank you. Is there anything you would like the nurse to know?
them:  The new pills make me dizzy in the morning.
[concerns = The new pills make me dizzy in the morning.]
agent! Thank you, Margaret. Take care, and goodbye.
[hang up: completed]
`)
	if !s.Done() || s.Phase != Over || s.Ending != Completed {
		t.Errorf("ended in %s, %s", s.Phase, s.Ending)
	}
	want := Analysis{
		Status: Ready,
		Summary: "Answered all 4 questions. “Have you seen your doctor since?” Yes. " +
			"“How is the pain today, from 0 for none to 10 for the worst?” 3. " +
			"“Would you rather have a home visit, or a phone call from a nurse?” Phone call. " +
			"“Is there anything you would like the nurse to know?” The new pills make me dizzy in the morning.",
		Answers: map[string]any{
			"seen_doctor": true, "pain": 3.0, "follow_up": "Phone call",
			"concerns": "The new pills make me dizzy in the morning.",
		},
		Sentiment:  Negative,
		Successful: true,
		Language:   "en-US",
		Asked:      []string{"seen_doctor", "pain", "follow_up", "concerns"},
		Variables:  map[string]string{},
		Skipped:    []string{},
	}
	if got := Analyze(s); !reflect.DeepEqual(got, want) {
		t.Errorf("analysis %+v\nwant     %+v", got, want)
	}
}

func TestNotUnderstoodOnce(t *testing.T) {
	t.Parallel()
	s, got := play(t, checkIn(), nil, false,
		Prompt{Text: "The garden is lovely."}, Prompt{Text: "Roses, mostly."},
		Prompt{Text: "Could you repeat that?"}, Prompt{Text: "I'd rather not say."},
		Digit{"2"},
		Prompt{Text: "No."}, Closed{})
	expect(t, got, `
agent: Hello, this is Nora, an automated voice calling for Meridian Home Health. This call is recorded. You can `+
		`press 9 or say stop at any time, and we will not call again. You came home from the hospital on Thursday. `+
		`Have you seen your doctor since?
them:  The garden is lovely.
agent: Sorry, I did not catch that. You came home from the hospital on Thursday. Have you seen your doctor since?
them:  Roses, mostly.
[seen_doctor = <nil>]
agent: That's all right, let's move on. How is the pain today, from 0 for none to 10 for the worst?
them:  Could you repeat that?
agent: How is the pain today, from 0 for none to 10 for the worst?
them:  I'd rather not say.
[pain = <nil>]
agent: That's all right, let's move on. Would you rather have a home visit, or a phone call from a nurse?
key:   2
[follow_up = Phone call]
agent: Thank you. Is there anything you would like the nurse to know?
them:  No.
[concerns = No.]
agent! Thank you. Take care, and goodbye.
[hang up: completed]
`)
	a := Analyze(s)
	if want := "Answered 2 of 4 questions. " +
		"“Would you rather have a home visit, or a phone call from a nurse?” Phone call. " +
		"“Is there anything you would like the nurse to know?” No. No clear answer on " +
		"“Have you seen your doctor since?” and " +
		"“How is the pain today, from 0 for none to 10 for the worst?”."; a.Summary != want || a.Successful {
		t.Errorf("summary %q, successful %t; want %q", a.Summary, a.Successful, want)
	}
	if v, ok := a.Answers["pain"]; !ok || v != nil {
		t.Errorf("pain = %v, %t; want null", v, ok)
	}
}

func TestOptOutComesFirst(t *testing.T) {
	t.Parallel()
	const confirmed = "[flush]\nagent! I understand. We will not call this number again. Goodbye.\n[hang up: opt_out]\n"
	for name, c := range map[string]struct {
		inputs []Input
		ends   string
	}{
		"key 9": {[]Input{Digit{"9"}}, "key:   9\n[opt out by digit]\n" + confirmed},
		"stop": {
			[]Input{Prompt{Text: "Stop."}}, "them:  Stop.\n[opt out by speech]\n" + confirmed,
		},
		"9 while a number is typed": {
			[]Input{Prompt{Text: "yes"}, Digit{"9"}}, "key:   9\n[opt out by digit]\n" + confirmed,
		},
		"stop instead of a text": {
			[]Input{
				Prompt{Text: "yes"}, Prompt{Text: "3"},
				Prompt{Text: "the visit"}, Prompt{Text: "Please stop calling me."},
			},
			"[opt out by speech]\n" + confirmed,
		},
		"stop into the greeting": {
			[]Input{Interrupted{Spoken: "Hello, this"}, Prompt{Text: "stop"}}, "[opt out by speech]\n" + confirmed,
		},
		"during the goodbye": {
			[]Input{Prompt{Text: "bye"}, Digit{"9"}},
			"[hang up: said_goodbye]\nkey:   9\n[opt out by digit]\n" + confirmed,
		},
		"to a machine that is none": {[]Input{MachineDetected{}, Digit{"9"}}, "[opt out by digit]\n" + confirmed},
		"only once": {
			[]Input{Digit{"9"}, Digit{"9"}, Prompt{Text: "stop"}}, confirmed + "key:   9\nthem:  stop\n",
		},
	} {
		s, got := play(t, checkIn(), nil, true, c.inputs...)
		if !strings.HasSuffix(got, c.ends) {
			t.Errorf("%s: got\n%s\nwant it to end\n%s", name, got, c.ends)
		}
		a := Analyze(s)
		if s.OptedOut == "" || !a.OptOut || a.Successful ||
			!strings.HasPrefix(a.Summary, "Asked not to be called again, ") {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if s, _ := play(t, checkIn(), nil, false, Prompt{Text: "yes"}, Prompt{
		Text: "Please don't stop, stop by tomorrow",
	}); s.OptedOut != "" {
		t.Error("opted out by what only sounds like it")
	}
}

func TestInterruptedBeforeTheQuestion(t *testing.T) {
	t.Parallel()
	// After an interrupted disclosure the agent repeats it. Words spoken during the
	// greeting are not an answer.
	_, got := play(t, checkIn(), nil, false,
		Interrupted{Spoken: "Hello, this is Nora, an automated voice"}, Prompt{Text: "Yes, hello?"},
		Prompt{Text: "Yes."})
	if want := "them:  Yes, hello?\nagent: This call is recorded. You can press 9 or say stop at any time, and we " +
		"will not call again. You came home from the hospital on Thursday. Have you seen your doctor since?\nthem:  " +
		"Yes.\n[seen_doctor = true]\n"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant in it\n%s", got, want)
	}
	// The recipient interrupts the question, and the agent accepts the answer.
	_, got = play(t, checkIn(), nil, false,
		Interrupted{
			Spoken: strings.TrimSuffix(strings.SplitN(got, "\n", 2)[0], " your doctor since?")[len("agent: "):],
		}, Prompt{Text: "Yes, on Tuesday."})
	if !strings.Contains(got, "[seen_doctor = true]\n") || strings.Count(got, "recorded") != 1 {
		t.Errorf("got\n%s", got)
	}
}

// Who speaks first still hears who is calling, unless a machine has been recognized.
func TestInterruptedGreeting(t *testing.T) {
	t.Parallel()
	script := asking(Question{Expect: YesNo})
	script.VoicemailMessage = "Call back."
	const all = "say One two three. Four five. Six seven?"
	hello := Prompt{Text: "Hello, this is Frank."}
	menu := Prompt{Text: "For sales, press one."}
	cut := Interrupted{}
	for name, c := range map[string]struct {
		inputs []Input
		want   string
	}{
		"a person picks up":      {[]Input{cut, hello}, all},
		"an answer is none":      {[]Input{Interrupted{Spoken: "One"}, Prompt{Text: "Yes."}}, all},
		"a key":                  {[]Input{cut, Digit{"1"}}, all},
		"nobody speaks":          {[]Input{cut, Silence{}}, "say " + tongueOf("en").lines.StillThere + all[3:]},
		"who is this?":           {[]Input{cut, Prompt{Text: "Who is this?"}}, all},
		"interrupted again":      {[]Input{cut, hello, cut, hello}, all},
		"another process":        {[]Input{cut, resume{}}, "say " + tongueOf("en").lines.Back + all[3:]},
		"heard the second time":  {[]Input{cut, hello, Prompt{Text: "What?"}}, "say Six seven?"},
		"perhaps a voicemail":    {[]Input{cut, Prompt{Text: "Hi, you've reached Frank."}}, ""},
		"a voicemail":            {[]Input{cut, Prompt{Text: "Leave a message after the tone."}}, ""},
		"found to be voicemail":  {[]Input{cut, hello, MachineDetected{}}, ""},
		"a menu":                 {[]Input{cut, menu}, ""},
		"a person behind a menu": {[]Input{cut, menu, Prompt{Text: "Hi."}}, all},
	} {
		state, actions := Start(script, nil, true)
		for _, in := range c.inputs {
			if _, ok := in.(resume); ok {
				state, actions = Resume(state)
				continue
			}
			state, actions = Step(state, in)
		}
		if got := told(actions); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestWhoIsCalling(t *testing.T) {
	t.Parallel()
	_, got := play(t, checkIn(), nil, false, Prompt{Text: "Who is this?"})
	if strings.Count(
		got,
		"agent: Hello, this is Nora, an automated voice calling for Meridian Home Health. This call is recorded. "+
			"You can press 9 or say stop at any time, and we will not call again. You came home",
	) != 2 {
		t.Errorf("got\n%s", got)
	}
	// The agent stops repeating the question after maxRepeats requests.
	s, _ := play(t, checkIn(), nil, false, Prompt{
		Text: "Who is this?",
	}, Prompt{Text: "What?"}, Prompt{Text: "Pardon?"}, Prompt{Text: "Hello?"}, Prompt{Text: "Yes"})
	if len(s.Answers) != 1 || s.Answers[0].Value != nil {
		t.Errorf("answers %+v", s.Answers)
	}
}

func TestSilence(t *testing.T) {
	t.Parallel()
	s, got := play(t, checkIn(), nil, false, Silence{}, Silence{})
	if want := "agent: Are you still there? You came home from the hospital on Thursday. Have you seen your doctor " +
		"since?\nagent! I can't hear you, so I will hang up now. Goodbye.\n[hang up: " +
		"silence]\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if a := Analyze(s); a.Summary != "Picked up and said nothing." || a.Sentiment != Unknown || a.Successful {
		t.Errorf("%+v", a)
	}
	if s, _ := play(t, checkIn(), nil, false, Silence{}, Prompt{Text: "Yes"}, Silence{}); s.Done() {
		t.Error("two silences with an answer between them ended the call")
	}
}

func TestMachine(t *testing.T) {
	t.Parallel()
	const message = "agent! Hello Margaret, this is Nora from Meridian Home Health. We will try again " +
		"tomorrow.\n[hang up: message_left]\n"
	for name, c := range map[string]struct {
		leave   bool
		inputs  []Input
		ends    string
		summary string
	}{
		"hang up": {
			false, []Input{MachineDetected{}}, "[flush]\n[hang up: voicemail]\n",
			"Reached a voicemail and left no message.",
		},
		"hang up at the end": {
			false, []Input{MachineDetected{MessageEnd: true}}, "[flush]\n[hang up: voicemail]\n",
			"Reached a voicemail and left no message.",
		},
		"leave a message": {
			true, []Input{MachineDetected{MessageEnd: true}}, "[flush]\n" + message,
			"Reached a voicemail and left the message.",
		},
		"wait for its end": {
			true,
			[]Input{
				MachineDetected{}, Prompt{Text: "You have reached Margaret, please leave a message."},
				MachineDetected{MessageEnd: true},
			},
			"please leave a message.\n" + message, "Reached a voicemail and left the message.",
		},
		"it never says so": {
			true, []Input{MachineDetected{}, Silence{}}, "[flush]\n" + message,
			"Reached a voicemail and left the message.",
		},
		"the greeting never ends": {
			true,
			append([]Input{MachineDetected{}}, slices.Repeat([]Input{Prompt{Text: strings.Repeat("la ", 50)}}, 3)...),
			"[flush]\n[hang up: voicemail]\n", "Reached a voicemail and left no message.",
		},
		"it ends too early": {
			true, []Input{MachineDetected{MessageEnd: true}, Interrupted{Spoken: "Hello Margaret,"}, Closed{}}, message,
			"Reached a voicemail, which ended before the message did.",
		},
		"taken over": {
			true, []Input{MachineDetected{MessageEnd: true}, resume{}}, message + message,
			"Reached a voicemail and left the message.",
		},
	} {
		s, got := play(t, checkIn(), margaret, c.leave, c.inputs...)
		if !strings.HasSuffix(got, c.ends) {
			t.Errorf("%s: got\n%s\nwant it to end\n%s", name, got, c.ends)
		}
		if a := Analyze(s); a.Summary != c.summary || a.Successful {
			t.Errorf("%s: %+v", name, a)
		}
	}
	// Voicemail's greeting is not an answer, whatever words it contains.
	greeting := Prompt{Text: "I can't come to the phone right now, so please leave a message after the tone."}
	if s, got := play(t, checkIn(), nil, true, greeting, MachineDetected{MessageEnd: true}); s.Ending != MessageLeft ||
		len(s.Answers) != 0 {
		t.Errorf("answered by a greeting:\n%s", got)
	}
}

// A verdict that a machine answered voids what was taken for answers, even during the last
// words, until somebody has proved to be a person.
func TestAVerdictVoidsAnswers(t *testing.T) {
	t.Parallel()
	machine := MachineDetected{MessageEnd: true}
	for name, c := range map[string]struct {
		script  Script
		inputs  []Input
		answers int
		ending  Ending
	}{
		"an answer":   {checkIn(), []Input{Prompt{Text: "Yes"}, machine}, 0, MessageLeft},
		"two answers": {checkIn(), []Input{Prompt{Text: "Yes"}, Prompt{Text: "Three."}, machine}, 0, MessageLeft},
		"three prove": {
			checkIn(), []Input{Prompt{Text: "Yes"}, Prompt{Text: "Three."}, Prompt{Text: "The visit."}, machine}, 3, "",
		},
		"a key proves":    {checkIn(), []Input{Digit{"1"}, machine}, 1, ""},
		"a goodbye":       {checkIn(), []Input{Prompt{Text: "Bye."}, machine}, 0, MessageLeft},
		"an intent":       {checkIn(), []Input{Prompt{Text: "Wrong number."}, machine}, 0, MessageLeft},
		"the last words":  {asking(Question{Expect: YesNo}), []Input{Prompt{Text: "No."}, machine}, 0, MessageLeft},
		"an announcement": {Script{Language: "en", Greeting: "Hi."}, []Input{machine}, 0, MessageLeft},
		"a later greeting": {
			checkIn(), []Input{Prompt{Text: "No."}, Prompt{Text: "Leave a message."}, Silence{}}, 0, MessageLeft,
		},
		"of an announcement": {
			Script{Language: "en", Greeting: "Hi.", VoicemailMessage: "Ho."},
			[]Input{Prompt{Text: "Leave a message after the tone."}, Silence{}}, 0, MessageLeft,
		},
		"a verdict on who picked up after all": {
			checkIn(), []Input{
				Prompt{Text: "Leave a message."}, Prompt{Text: "Hello? Hello?"}, Prompt{Text: "Yes"}, machine,
			}, 1, "",
		},
		"a full mailbox, during the message": {
			checkIn(), []Input{machine, Prompt{Text: "The mailbox is full."}}, 0, Voicemail,
		},
		"an opt-out": {checkIn(), []Input{Prompt{Text: "Stop calling."}, machine}, 0, OptedOut},
	} {
		s, got := play(t, c.script, nil, true, c.inputs...)
		if a := Analyze(s); len(s.Answers) != c.answers || len(a.Answers) != c.answers || s.Ending != c.ending ||
			c.ending == MessageLeft && a.Intent != nil {
			t.Errorf("%s: %d answers, %s:\n%s", name, len(s.Answers), s.Ending, got)
		}
	}
}

// A word that greets and also says goodbye ends the greeting of a voicemail. Other words that greet are a person's.
func TestAGreetingEndsWithAGoodbye(t *testing.T) {
	t.Parallel()
	for tag, said := range map[string][3]string{
		"cs": {"Zanechte vzkaz po zaznění signálu.", "Ahoj.", "Haló?"},
		"de": {"Hinterlasst mir einfach eine Nachricht.", "Servus.", "Hallo?"},
		"el": {"Αφήστε μήνυμα μετά τον ήχο.", "Γεια σας.", "Εμπρός;"},
		"fr": {"Laissez un message après le bip.", "Salut.", "Allô ?"},
		"it": {"Lasciate un messaggio dopo il bip.", "Ciao.", "Pronto?"},
		"nl": {"Spreek een bericht in na de toon.", "Dag.", "Hallo?"},
		"pl": {"Zostaw wiadomość po sygnale.", "Cześć.", "Halo?"},
		"tr": {"Lütfen bip sesinden sonra mesaj bırakın.", "İyi günler.", "Alo?"},
	} {
		script := asking(Question{Expect: YesNo})
		script.Language, script.VoicemailMessage = tag, "!"
		for i, want := range []Phase{Waiting, Waiting, Talking} {
			var inputs []Input
			for _, text := range said[:i+1] {
				inputs = append(inputs, Prompt{Text: text})
			}
			if s, got := play(t, script, nil, true, inputs...); s.Phase != want {
				t.Errorf("%s: after %q, the agent is %s, want %s:\n%s", tag, said[:i+1], s.Phase, want, got)
			}
		}
	}
}

// A screener is told once who is calling, and a person behind it is greeted anew.
func TestScreening(t *testing.T) {
	t.Parallel()
	vars := map[string]any{"name": "Ada", "organization": "Acme"}
	script := asking(Question{Expect: YesNo})
	const introduced = "agent! This is an automated call from Acme for Ada.\n"
	const greeted = "agent: One two three. Four five. Six seven?\n"
	ask := Prompt{Text: "Please record your name and reason for calling."}
	for name, c := range map[string]struct {
		inputs []Input
		want   string // all but what was heard
	}{
		"a person": {
			[]Input{ask, Silence{}, Prompt{Text: "Hello?"}, Prompt{Text: "Yes."}, MachineDetected{}},
			greeted + "[flush]\n" + introduced + greeted + "[q = true]\nagent! Bye.\n[hang up: completed]\n",
		},
		"nobody": {
			[]Input{ask, Silence{}, Silence{}, Silence{}, Silence{}},
			greeted + "[flush]\n" + introduced + "[flush]\n[hang up: screened]\n",
		},
		"it asks late": {
			[]Input{Prompt{Text: "You're talking to a screening service."}, Silence{}},
			greeted + "[flush]\n[flush]\n" + introduced,
		},
		"it asks for ever": {
			[]Input{ask, ask, ask, ask, ask, ask, ask, ask, ask, ask, ask},
			greeted + "[flush]\n" + introduced + "[flush]\n" + introduced + "[flush]\n[hang up: screened]\n",
		},
		"a voicemail behind it": {
			[]Input{ask, Prompt{Text: "Please leave a message."}},
			greeted + "[flush]\n" + introduced + "[flush]\n[hang up: screened]\n",
		},
		"detection":   {[]Input{ask, MachineDetected{MessageEnd: true}}, greeted + "[flush]\n" + introduced},
		"it hangs up": {[]Input{ask, Closed{}}, greeted + "[flush]\n" + introduced},
		"a wrong number behind it": {
			[]Input{ask, Prompt{Text: "Wrong number."}},
			greeted + "[flush]\n" + introduced +
				"agent! Sorry to have bothered you. Goodbye.\n[hang up: wrong_person]\n",
		},
		"another process": {[]Input{ask, resume{}}, greeted + "[flush]\n" + introduced},
	} {
		s, got := play(t, script, vars, true, c.inputs...)
		got = heardLines.ReplaceAllString(got, "")
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
		if name == "it hangs up" && s.Ending != Screened {
			t.Errorf("%s: %s", name, s.Ending)
		}
	}
	vars = map[string]any{"organization": "Acme", "reason": "your order"}
	_, got := play(t, script, vars, false, ask)
	if !strings.HasSuffix(got, "from Acme for the owner of this number about your order.\n") {
		t.Errorf("with a reason: %s", got)
	}
}

var heardLines = regexp.MustCompile(`(?m)^(?:them|key): .*\n`)

func TestMenusAndHolds(t *testing.T) {
	t.Parallel()
	script := asking(Question{Expect: YesNo})
	const greeted = "agent: One two three. Four five. Six seven?\n"
	menu, hold := Prompt{Text: "For sales, press 1."}, Prompt{Text: "Hold on, let me get her."}
	silence := Silence{}
	noAnswer := "agent! " + tongueOf("en").lines.NoAnswer + "\n[hang up: silence]\n"
	for name, c := range map[string]struct {
		inputs []Input
		want   string
	}{
		"a menu and nobody": {
			[]Input{menu, silence, silence, silence, silence}, greeted + "[flush]\n[flush]\n[hang up: menu]\n",
		},
		"a menu that never ends": {
			append([]Input{menu}, options(13)...), greeted + "[flush]\n[flush]\n[hang up: menu]\n",
		},
		"a menu that goes on": {append([]Input{menu}, options(12)...), greeted + "[flush]\n"},
		"a menu that begins anew": {
			[]Input{menu, options(2)[1], menu}, greeted + "[flush]\n[flush]\n[hang up: menu]\n",
		},
		"a menu that repeats its end": {
			append(append([]Input{menu}, options(3)...), options(3)[2]),
			greeted + "[flush]\n[flush]\n[hang up: menu]\n",
		},
		"a person behind a menu": {
			[]Input{menu, Prompt{Text: "Reception, how can I help?"}, Prompt{Text: "Yes."}},
			greeted + "[flush]\n" + greeted + "[q = true]\nagent! Bye.\n[hang up: completed]\n",
		},
		"a voicemail behind a menu": {
			[]Input{menu, Prompt{Text: "Please leave a message."}},
			greeted + "[flush]\n[flush]\n[hang up: voicemail]\n",
		},
		"a second person": {
			[]Input{hold, silence, silence, silence, Prompt{Text: "This is Ada."}, Prompt{Text: "No."}},
			greeted + "[flush]\n" + greeted + "[q = false]\nagent! Bye.\n[hang up: completed]\n",
		},
		"nobody comes": {
			append([]Input{hold}, slices.Repeat([]Input{silence}, 8)...), greeted + "[flush]\n" + noAnswer,
		},
		"still waiting": {append([]Input{hold}, slices.Repeat([]Input{silence}, 7)...), greeted + "[flush]\n"},
		"a key":         {[]Input{hold, Digit{"1"}}, greeted + "[flush]\n" + greeted},
		"a menu on hold": {
			[]Input{hold, menu, silence, silence, silence, silence}, greeted + "[flush]\n[flush]\n[hang up: menu]\n",
		},
		"stop": {
			[]Input{menu, Prompt{Text: "Stop calling me."}},
			greeted + "[flush]\n[opt out by speech]\n[flush]\nagent! " + tongueOf("en").lines.OptedOut +
				"\n[hang up: opt_out]\n",
		},
	} {
		_, got := play(t, script, nil, false, c.inputs...)
		if got = heardLines.ReplaceAllString(got, ""); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// options are n different options of a phone menu, of four words each.
func options(n int) []Input {
	said := make([]Input, n)
	for i := range said {
		said[i] = Prompt{Text: fmt.Sprintf("For section%c, press 2.", 'a'+i)}
	}
	return said
}

// An agent without a message leaves the standard one, in each language. It names the caller and
// nothing of the recipient.
func TestStandardMessage(t *testing.T) {
	t.Parallel()
	vars := map[string]any{"agent": "Nora", "organization": "Acme", "name": "Ada", "reason": "your debt"}
	for _, tag := range LanguageTags() {
		script := asking(Question{Expect: YesNo})
		script.Language = tag
		state, _ := Start(script, vars, true)
		state, actions := Step(state, MachineDetected{MessageEnd: true})
		message, said := actions[len(actions)-2].(Say)
		if state.Ending != MessageLeft || !said || !strings.Contains(message.Text, "Nora") ||
			!strings.Contains(message.Text, "Acme") || strings.ContainsAny(message.Text, "{}") ||
			strings.Contains(message.Text, "Ada") || len(strings.Fields(message.Text)) < 8 {
			t.Errorf("%s: %s, %s", tag, state.Ending, told(actions))
		}
		if state, actions := Step(first(Start(script, vars, false)), MachineDetected{MessageEnd: true}); state.Ending !=
			Voicemail || told(actions) != "hang up voicemail" {
			t.Errorf("%s, no message wanted: %s", tag, told(actions))
		}
	}
}

func first(s State, _ []Action) State { return s }

func TestTakeOver(t *testing.T) {
	t.Parallel()
	_, got := play(t, checkIn(), nil, false, Prompt{Text: "Yes"}, resume{}, Prompt{Text: "Five."})
	if want := "agent: Sorry, the line dropped for a moment. How is the pain today, from 0 for none to 10 for the " +
		"worst?\nthem:  Five.\n[pain = 5]\n"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant in it\n%s", got, want)
	}
	// The agent repeats its last words, and the call still ends.
	_, got = play(t, checkIn(), nil, false, Digit{"9"}, resume{})
	if want := strings.Repeat(
		"agent! I understand. We will not call this number again. Goodbye.\n[hang up: opt_out]\n", 2,
	); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s", got)
	}
	if s, actions := Resume(State{Phase: Over}); len(actions) != 0 || s.Phase != Over {
		t.Errorf("a call that is over goes on: %v", actions)
	}
}

func TestTypedAnswers(t *testing.T) {
	t.Parallel()
	s, got := play(t, checkIn(), nil, false, Digit{"1"}, Digit{"1"}, Digit{"0"}, Digit{"#"}, Digit{"8"}, Digit{"1"},
		Digit{"5"}, Prompt{Text: "nothing"})
	if want := []Answer{
		{"seen_doctor", true, "1"}, {"pain", 10.0, "10"}, {"follow_up", "Home visit", "1"},
		{"concerns", "nothing", "nothing"},
	}; !reflect.DeepEqual(s.Answers, want) {
		t.Errorf("answers %+v\n%s", s.Answers, got)
	}
	// A pause also ends a number. The agent asks again for a number out of range.
	if s, _ := play(t, checkIn(), nil, false, Digit{"2"}, Digit{"7"}, Silence{}); len(s.Answers) != 2 ||
		s.Answers[1].Value != 7.0 {
		t.Errorf("answers %+v", s.Answers)
	}
	if s, _ := play(t, checkIn(), nil, false, Digit{"2"}, Digit{"1"}, Digit{"1"}, Digit{"#"}); len(s.Answers) != 1 ||
		!s.Retried {
		t.Errorf("11 of 10 was taken: %+v", s.Answers)
	}
}

func TestAnnouncement(t *testing.T) {
	t.Parallel()
	s, got := play(t, Script{
		Language: "de-DE", Greeting: "Guten Tag, hier ist die Stadtbibliothek. Ihr Buch liegt bereit.",
	}, nil, false, Closed{})
	expect(t, got, `
agent: Guten Tag, hier ist die Stadtbibliothek. Ihr Buch liegt bereit. Dies ist ein automatischer Anruf. Drücken `+
		`Sie jederzeit die 9 oder sagen Sie Stopp, dann rufen wir Sie nicht mehr an. Vielen Dank für Ihre Zeit. Auf `+
		`Wiederhören.
[hang up: completed]
`)
	if a := Analyze(s); a.Summary != "Heard the message to the end." || !a.Successful || len(a.Answers) != 0 {
		t.Errorf("%+v", a)
	}
}

func TestHungUp(t *testing.T) {
	t.Parallel()
	for want, inputs := range map[string][]Input{
		"The call ended before anything was said to the agent.": {Closed{}},
		"The call ended before a question was answered.": {
			Prompt{Text: "What?"}, Closed{},
		},
		"Answered 1 of 4 questions, then the call ended. “Have you seen your doctor since?” Yes.": {
			Prompt{Text: "Yes"}, Closed{},
		},
		"Answered 2 of 4 questions, then said goodbye. “Have you seen your doctor since?” Yes. " +
			"“How is the pain today, from 0 for none to 10 for the worst?” 2.": {
			Prompt{Text: "Yes"}, Prompt{Text: "two"}, Prompt{Text: "I have to go. Bye!"},
		},
		"Answered 1 of 4 questions, then fell silent. “Have you seen your doctor since?” No.": {
			Prompt{Text: "No"}, Silence{}, Silence{},
		},
		"Asked not to be called again, by pressing 9 after answering 1 of 4 questions. " +
			"“Have you seen your doctor since?” No.": {
			Prompt{Text: "No"}, Digit{"9"},
		},
	} {
		s, _ := play(t, checkIn(), nil, false, inputs...)
		if got := Analyze(s).Summary; got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// A question counts as asked when the person has heard it, and an answer of an earlier call does not.
func TestAsked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		inputs []Input
		want   string
	}{
		{[]Input{Closed{}}, ""},
		{[]Input{Prompt{Text: "What?"}, Closed{}}, "seen_doctor"},
		{[]Input{Prompt{Text: "Yes"}, Closed{}}, "seen_doctor pain"},
		{
			[]Input{Prompt{Text: "Yes"}, Prompt{Text: "Blue"}, Prompt{Text: "Green"}, Closed{}},
			"seen_doctor pain follow_up",
		},
	} {
		s, _ := play(t, checkIn(), nil, false, c.inputs...)
		if got := strings.Join(Analyze(s).Asked, " "); got != c.want {
			t.Errorf("%v: asked %q, want %q", c.inputs, got, c.want)
		}
	}
	back := Inbound{Called: true, Answers: []Answer{{Key: "seen_doctor", Value: true}, {Key: "pain"}}}
	s, _ := calls(t, checkIn(), back, Prompt{Text: "Two"}, Closed{})
	if got := strings.Join(Analyze(s).Asked, " "); got != "pain follow_up" {
		t.Errorf("a person who called back was asked %q", got)
	}
}

// Every language has all lines, and its goodbye is not an opt-out.
func TestLines(t *testing.T) {
	t.Parallel()
	for _, language := range languages {
		tag, l := language.tag, language.tongue().lines
		if len(l.Acks) < 2 {
			t.Errorf("%s: %d acknowledgements", tag, len(l.Acks))
		}
		lines := []string{
			l.Disclosure, l.NotUnderstood, l.Goodbye, l.StillThere, l.NoAnswer, l.OptedOut, l.Back, l.MoveOn, l.Moment,
			l.Trouble, l.Declined, Fill(l.Automated, map[string]any{"organization": "Acme"}),
		}
		if !strings.Contains(l.Automated, "{{organization}}") {
			t.Errorf("%s: %q says not who calls", tag, l.Automated)
		}
		for _, line := range append(lines, l.Acks...) {
			if line == "" || strings.ContainsAny(line, "{}") {
				t.Errorf("%s: a line is %q", tag, line)
			}
		}
	}
}

func FuzzStep(f *testing.F) {
	f.Add("pYes.\npthree\nd2\npnothing", "en", true)
	f.Add("iHello\npStop\nm\nM\ns\nr\nc", "fr", false)
	f.Add("d1\nd#\nd*\nd9", "de", true)
	f.Add("p\xff\x00\np{{x}}\npdos mil y medio\nr", "es", false)
	f.Add("pum oito de dez\np-5 1/2 1.000,5", "pt", false)
	f.Add("pHi, you've reached Sam.\npNo.\nm\npHello?\npYes.\nM\nd1", "en", true)
	f.Add("pPlease say your name.\ns\npHello?\npYes.\npHold on.\ns\npPress 1.\nm\npThe mailbox is full.", "en", true)
	f.Add("pYes.\npthree\nd2\npNo.\npthe 24th of December\npHalf past two.\np312 555\np0142\npa at b dot com",
		"en", false)
	f.Add("pam vierundzwanzigsten elften 26 um\np24.12.\np-@.\np@ . _\np2026-11-24-1", "de", false)
	f.Add("pI'm driving, call me back at four.\nm\npLeave a message.\ns\nc", "en", true)
	f.Fuzz(func(t *testing.T, events, language string, leave bool) {
		script := checkIn()
		for _, e := range []Expect{Date, Time, Phone, Email} {
			q := Question{Key: string(e), Ask: "And your " + string(e) + "?", Expect: e}
			script.Questions = append(script.Questions, q)
		}
		if languageSyntax.MatchString(language) {
			script.Language = language
		}
		state, actions := Start(script, map[string]any{"first_name": events}, leave)
		for i, e := range strings.Split(events+strings.Repeat("\npwhat", maxInputs), "\n") {
			if i > 2*maxInputs || state.Done() && i > strings.Count(events, "\n")+3 {
				break
			}
			for _, a := range actions {
				if say, ok := a.(Say); ok && (say.Text == "" || strings.ContainsAny(say.Text, "{}\x00")) {
					t.Fatalf("says %q", say.Text)
				}
			}
			var in Input
			kind, rest := "", ""
			if e != "" {
				kind, rest = e[:1], e[1:]
			}
			switch kind {
			case "p":
				in = Prompt{Text: rest, At: wednesday}
			case "d":
				in = Digit{rest}
			case "i":
				in = Interrupted{Spoken: rest}
			case "m":
				in = MachineDetected{}
			case "M":
				in = MachineDetected{MessageEnd: true}
			case "s":
				in = Silence{}
			case "c":
				in = Closed{}
			case "r":
				state, actions = Resume(state)
				continue
			default:
				in = Prompt{Text: e}
			}
			before := throughJSON(t, state)
			state, actions = Step(before, in)
			judged := before.Phase == Talking || before.Phase == Closing && !before.Ending.ByMachine()
			if _, machine := in.(MachineDetected); machine && judged && !before.Person && before.OptedOut == "" &&
				(len(state.Answers) > 0 || state.Intent != "" || state.CallBackAt != nil || !state.Judged) {
				t.Fatalf("a machine gave %+v, %s", state.Answers, state.Intent)
			}
			if before.Person && !state.Person || before.Judged && !state.Judged {
				t.Fatal("what was known of who answered is forgotten")
			}
			if waits := state.Phase == Screening || state.Phase == Menu; waits && len(state.Answers) > 0 {
				t.Fatalf("a machine gave %+v", state.Answers)
			}
			if state.Ending.ByMachine() && len(Analyze(state).Answers) > 0 {
				t.Fatalf("%s, and answers %+v", state.Ending, state.Answers)
			}
		}
		if !state.Done() {
			t.Fatalf("goes on after %d inputs", state.Inputs)
		}
		Analyze(state)
	})
}
