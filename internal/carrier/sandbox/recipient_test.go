package sandbox

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// told writes an act on one line, with its times in seconds.
func told(a *act, share float64) string {
	if a == nil {
		return ""
	}
	var b strings.Builder
	if share > 0 {
		fmt.Fprintf(&b, "at %.1f of it ", share)
	}
	if a.after > 0 {
		fmt.Fprintf(&b, "after %.1f ", a.after.Seconds())
	}
	if a.atLeast > 0 {
		fmt.Fprintf(&b, "at least %.1f ", a.atLeast.Seconds())
	}
	for what, is := range map[string]bool{
		"says " + a.say: a.say != "", "presses " + a.digit: a.digit != "",
		"hangs up": a.hangUp, "breaks the line": a.drop,
	} {
		if is {
			b.WriteString(what)
		}
	}
	if a.deaf {
		b.WriteString(" over the agent")
	}
	return b.String()
}

// lives takes a recipient through the steps of a call, and compares what it does at each of them.
// The steps are "line 2" (the second session opens), "speaks" (an utterance of the agent begins),
// "hears …" (the agent waits after these words) and "quiet" (the agent does not answer).
func lives(t *testing.T, r *recipient, steps ...[2]string) {
	t.Helper()
	for i, step := range steps {
		var a *act
		share := 0.0
		what, detail, _ := strings.Cut(step[0], " ")
		switch what {
		case "line":
			a = r.begin(int(detail[0] - '0'))
		case "speaks":
			a, share = r.during(detail)
		case "hears":
			a = r.silence(detail)
		case "quiet":
			a = r.after()
		}
		if a != nil {
			r.did(a)
		}
		if got := told(a, share); got != step[1] {
			t.Errorf("%s, step %d, %s: %q, want %q", r.number, i+1, step[0], got, step[1])
		}
	}
}

// answering returns the recipient of the first reserved number with an outcome whose answer to a
// repeated question is another.
func answering(t *testing.T, outcome, question string) *recipient {
	t.Helper()
	for i := range 100 {
		number := fmt.Sprintf("+15005%s%04d", outcome, i)
		r := newRecipient(number, planFor(number))
		if r.persona.reply(question, 1) != r.persona.reply(question, 2) {
			return r
		}
	}
	t.Fatal("every recipient repeats itself")
	return nil
}

const question1 = "Will you come?"

// thinks returns the answer of a recipient to a question.
func thinks(r *recipient, question string, times int) string {
	return fmt.Sprintf("after %.1f says %s", r.persona.pause(question).Seconds(), r.persona.reply(question, times))
}

func TestARecipientWhoTalksToTheEnd(t *testing.T) {
	t.Parallel()
	r := answering(t, "00", question1)
	goodbye := "says " + r.persona.farewell()
	lives(t, r, [][2]string{
		{"line 1", ""},
		{"speaks", ""}, {"speaks", ""}, {"speaks", ""}, {"speaks", ""},
		{"hears " + question1, thinks(r, question1, 1)},
		{"speaks", ""},
		{"hears " + question1, thinks(r, question1, 2)},
		{"quiet", ""},
		{"line 2", "after 4.0 at least 2.4 says Hello? Are you still there?"},
		{"line 3", "after 4.0 at least 2.4 says Hello? Are you still there?"},
		{"hears One moment.", "after 3.0 at least 1.2 says Okay."},
		{"hears One moment.", "after 3.0 at least 1.2 says Okay."},
		{"hears One moment.", ""},
		{"hears Thank you. Goodbye.", "after 1.5 at least 1.2 " + goodbye},
		{"quiet", "after 0.6 hangs up"},
	}...)
	// A request is a question too.
	const request = "Please tell me more."
	r = answering(t, "00", request)
	lives(t, r, [2]string{"hears " + request, thinks(r, request, 1)})
	// The case of a question's letters doesn't matter.
	r = answering(t, "00", question1)
	lives(t, r, [2]string{"hears " + question1, thinks(r, question1, 1)})
	shouted := strings.ToUpper(question1)
	lives(t, r, [2]string{"hears " + shouted, thinks(r, shouted, 2)})
}

// Some recipients act in the middle of an utterance: at the third, or at the first one after an
// answer.
func TestRecipientsWhoActMidSentence(t *testing.T) {
	t.Parallel()
	for outcome, act := range map[string]string{"04": "at 0.5 of it hangs up", "11": "at 0.5 of it breaks the line"} {
		lives(t, answering(t, outcome, question1), [][2]string{
			{"line 1", ""}, {"speaks", ""}, {"speaks", ""}, {"speaks", act},
		}...)
		r := answering(t, outcome, question1)
		lives(t, r, [][2]string{
			{"speaks", ""}, {"hears " + question1, thinks(r, question1, 1)}, {"speaks", act}, {"quiet", ""},
		}...)
	}
	// The line breaks once, and the recipient then talks to the end.
	r := answering(t, "11", question1)
	lives(t, r, [][2]string{
		{"hears " + question1, thinks(r, question1, 1)}, {"speaks", "at 0.5 of it breaks the line"}, {"speaks", ""},
		{"line 2", "after 4.0 at least 2.4 says Hello? Are you still there?"},
		{"hears " + question1, thinks(r, question1, 2)}, {"speaks", ""},
	}...)
	// An interruption also comes once.
	r = answering(t, "05", question1)
	lives(t, r, [][2]string{
		{"speaks", "at 0.4 of it says Sorry, who is this?"}, {"speaks", ""}, {"speaks", ""},
		{"hears " + question1, thinks(r, question1, 1)}, {"speaks", ""},
	}...)
}

func TestRecipientsWhoRefuse(t *testing.T) {
	t.Parallel()
	after := [][2]string{
		{"speaks", ""}, {"speaks", ""}, {"hears " + question1, ""}, {"hears One moment.", ""},
		{"line 2", ""}, {"quiet", ""},
	}
	for outcome, steps := range map[string][][2]string{
		"06": {{"line 1", ""}, {"speaks", ""}, {"speaks", "at 0.5 of it presses 9"}},
		"07": {
			{"line 1", ""}, {"speaks", ""}, {"speaks", ""}, {"speaks", ""},
			{"hears One moment.", "after 3.0 at least 1.2 says Yes?"},
			{"hears " + question1, "after 0.8 says Stop. Please stop calling me."},
		},
	} {
		lives(t, answering(t, outcome, question1), append(steps, after...)...)
	}
	// The key is pressed early if the agent waits early.
	lives(t, answering(t, "06", question1),
		append([][2]string{{"speaks", ""}, {"hears One moment.", "after 0.9 presses 9 over the agent"}}, after...)...)
	lives(t, answering(t, "12", question1), append([][2]string{{"line 1", ""}, {"speaks", ""}}, after...)...)
}

func TestTheMachine(t *testing.T) {
	t.Parallel()
	r := answering(t, "03", question1)
	greeting := r.persona.greeting()
	lives(t, r, [][2]string{
		{"line 1", "after 0.3 says " + greeting + " over the agent"},
		{"speaks", ""}, {"speaks", ""}, {"speaks", ""},
		{"hears " + question1, ""},
		{"quiet", "after 60.0 at least 60.0 hangs up"},
		{"line 2", ""},
	}...)
	words := len(strings.Fields(greeting))
	if got := r.beepAfter(); got != 800*time.Millisecond+time.Duration(words)*recipientWord {
		t.Errorf("the beep comes after %s", got)
	}
}

// A machine abroad greets in the language of the call, and detection knows how long that takes.
func TestAMachineAbroad(t *testing.T) {
	t.Parallel()
	for tag, l := range linesAbroad {
		r := answering(t, "03", question1)
		r.words, r.abroad = wordsIn(tag)
		r.lines = l
		greeting := strings.Join(l.of(r.persona, leavesGreeting), " ")
		lives(t, r, [][2]string{{"line 1", "after 0.3 says " + greeting + " over the agent"}, {"speaks", ""}}...)
		words := len(strings.Fields(greeting))
		if got := r.beepAfter(); got != 800*time.Millisecond+time.Duration(words)*recipientWord {
			t.Errorf("%s: the beep comes after %s", tag, got)
		}
	}
}

// A recipient abroad speaks the language of the call. Words that ask nothing end the call, because
// a recipient knows no farewells of other languages.
func TestARecipientWhoTalksAbroad(t *testing.T) {
	t.Parallel()
	spanish := func(outcome string) *recipient {
		r := answering(t, outcome, question1)
		r.words, r.abroad = wordsIn("es-ES")
		return r
	}
	r := spanish("00")
	const asks = "Buenos días. ¿Puede venir?"
	answer := func(times int) string {
		return fmt.Sprintf("after %.1f says %s", r.persona.pause(" ¿Puede venir?").Seconds(),
			r.words.answer(r.number, " ¿puede venir?", times))
	}
	lives(t, r, [][2]string{
		{"hears " + asks, answer(1)},
		{"hears " + asks, "after " + strings.Fields(answer(1))[1] + " says 2"},
		{"line 2", "after 4.0 at least 2.4 says ¿Hola?"},
		{"quiet", ""},
		{"hears Gracias.", "after 1.5 at least 1.2 says Gracias, adiós."},
		{"quiet", "after 0.6 hangs up"},
	}...)
	lives(t, spanish("05"), [2]string{"speaks", "at 0.4 of it says ¿Quién es?"})
	lives(t, spanish("07"), [][2]string{
		{"hears Un momento.", "after 3.0 at least 1.2 says ¿Hola?"},
		{"hears " + asks, "after 0.8 says Pare. No me llame más."},
	}...)
}

// People who call do what they called for, even when they only hear a message.
func TestCallersWhoHearAMessage(t *testing.T) {
	t.Parallel()
	const message = "You have reached Acme."
	caller := func(h habit) *recipient {
		r := newRecipient("+13125550142", plan{habit: h})
		r.calls = true
		return r
	}
	lives(t, caller(saysStop), [][2]string{
		{"speaks " + message, ""}, {"hears " + message, "after 0.8 says Stop. Please stop calling me."},
		{"hears " + message, ""},
	}...)
	lives(t, caller(hangsUp), [2]string{"speaks " + message, "at 0.5 of it hangs up"})
	r := caller(hangsUp)
	lives(t, r, [][2]string{
		{"speaks " + question1, ""}, {"hears " + question1, thinks(r, question1, 1)},
		{"speaks", "at 0.5 of it hangs up"},
	}...)
	r = caller(asksWhy)
	lives(t, r, [][2]string{
		{"hears " + message, "after 0.8 says Why did you call me?"}, {"hears " + question1, thinks(r, question1, 1)},
	}...)
}
