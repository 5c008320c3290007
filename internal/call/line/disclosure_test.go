package line

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/carrier"
)

// until collects what the agent says, up to some words.
func (l *phoneLine) until(t *testing.T, words string) string {
	t.Helper()
	var said []string
	for {
		u := l.play(t)
		if said = append(said, u.text); strings.Contains(u.text, words) {
			return strings.Join(said, " ")
		}
	}
}

// A process that dies during the greeting leaves a call whose next holder says the greeting and the disclosure again,
// unless they were played.
func TestAHolderDiesDuringTheGreeting(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ modeled, played bool }{
		"script":           {false, false},
		"script, it ended": {false, true},
		"model":            {true, false},
		"model, it ended":  {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if test.modeled {
				w.withModel("sandbox", "")
			}
			heir := w.instance()
			c, l, done := w.answered("+12025550101")
			opening := []utterance{l.listen(t)}
			if test.modeled {
				opening = append(opening, l.listen(t))
			}
			for _, u := range opening {
				if test.played {
					l.tell(carrier.Spoken{Utterance: u.number, Text: u.text, Confirmed: true})
				}
			}
			l.heardAll()
			l.tell(carrier.Closed{Reason: carrier.CloseLost})
			wait(t, done, "the line is not let go")
			l = newPhoneLine()
			done = heir.converseInBackground(c, l)
			said := l.until(t, "satisfied")
			const again = "Hello Ada, this is Acme. I am an automated assistant. Press 9"
			if strings.Contains(said, again) == test.played {
				t.Errorf("the agent comes back with %q", said)
			}
			l.leave(t, done)
		})
	}
}

// Somebody speaks while the greeting, said again, waits for a database that is away. Nobody heard it, so it is still to
// be said, and the disclosure with it.
func TestAReplyThatWaitsDisclosesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	x := w.cabled(w.lines)
	_, l, done := w.answered("+12025550101")
	greeting, disclosure := l.listen(t), l.listen(t)
	l.tell(
		carrier.Spoken{Utterance: greeting.number, Text: "Hello", Cut: carrier.CutRecipient},
		carrier.Spoken{Utterance: disclosure.number, Cut: carrier.CutRecipient},
	)
	l.heardAll()
	x.cut()
	l.tell(carrier.Prompt{Text: "Hello?"})
	l.heardAll()
	l.tell(carrier.Prompt{Text: "Is anybody there?"})
	l.heardAll()
	x.restore()
	if u := l.play(t); u.text != greeting.text {
		t.Errorf("the agent says %q, want the greeting %q", u.text, greeting.text)
	}
	if u := l.play(t); u.text != disclosure.text {
		t.Errorf("the agent says %q, want the disclosure %q", u.text, disclosure.text)
	}
	l.leave(t, done)
}
