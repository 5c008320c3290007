package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/conversation"
)

// chaosMessage is the message that the agent leaves on a voicemail.
const chaosMessage = "This is Ada. I will call again. Goodbye."

// checkWords checks that the transcripts contain what recipients said and pressed, in order, once, and nothing else.
//
// All words must be in the transcript if the call's servers and connections survived until the words were on disk. A
// failure of the database does not matter. In any other call, words may be lost: they may have been sent to a dead
// reader, or lost with the server that heard them. Of these, the words that the agent replied to were heard: see
// saidBy.
//
// No word is certain if the agent never spoke. The call may have ended before its line opened, so that no server had
// it.
func (c *chaos) checkWords(dials []sandbox.Dial, calls map[string]chaosCall) {
	c.t.Helper()
	settled := c.settledAt()
	undisturbed, certain, uncertain, lost := 0, 0, 0, 0
	for _, d := range dials {
		one, known := callOf(d, calls)
		if !known {
			continue // checkDials has already reported the call
		}
		var stored []string
		for i, turn := range one.Transcript {
			if turn.Index != i {
				c.t.Errorf("turn %d of call %s has index %d", i, one.ID, turn.Index)
			}
			if turn.Role == call.Recipient || strings.HasPrefix(turn.Text, "Pressed ") {
				stored = append(stored, turn.Text)
			}
		}
		said := saidBy(d)
		if one.AgentVersion == modelVersion { // a model may speak twice, so its words prove nothing
			for i := range said {
				said[i].why = ""
			}
		}
		if !c.harmed(d) {
			undisturbed++
		}
		openings := c.network.openings(one.ID)
		reached := d.EndedAt != nil && spoken(d) &&
			!c.silenced(serversOf(openings), d.ReceivedAt, latest(*d.EndedAt, settled[one.ID]))
		for i, w := range said {
			if reached && w.why == "" {
				said[i].why = "its servers lived"
			}
			if said[i].certain() {
				certain++
			} else {
				uncertain++
			}
		}
		if missing, strange := compare(said, stored); len(missing)+len(strange) > 0 {
			c.t.Errorf("call %s to %s: the transcript lacks %q, and has %q at that place\n%s",
				one.ID, d.To, missing, strange, c.story(d, one, said, openings, settled[one.ID]))
		}
		lost += len(said) - len(stored)
	}
	c.t.Logf("%d calls of %d were undisturbed", undisturbed, len(dials))
	c.t.Logf("%d utterances had to be heard; of %d others, %d were lost", certain, uncertain, lost)
	if certain == 0 {
		c.t.Error("nothing had to be heard: too little to tell")
	}
}

// spoken reports whether the agent said anything in a call.
func spoken(d sandbox.Dial) bool {
	return slices.ContainsFunc(d.Turns, func(turn sandbox.Turn) bool { return turn.Who == sandbox.Agent })
}

// settledAt returns the time of each call's settlement, when all its words were on disk. The product's clock is moved
// forward only after the settlement of all ended calls, so it is never behind.
func (c *chaos) settledAt() map[string]time.Time {
	c.t.Helper()
	all := map[string]time.Time{}
	var id string
	var at time.Time
	rows, err := c.pool.Query(c.ctx, `select id::text, settled_at from call where settled_at is not null`)
	c.must(err)
	_, err = pgx.ForEachRow(rows, []any{&id, &at}, func() error {
		all[id] = at
		return nil
	})
	c.must(err)
	return all
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// words are an utterance or a pressed key of a recipient.
type words struct {
	text    string
	at      time.Time
	session int
	why     string // why the words must be in the transcript; "" if they may be lost
}

func (w words) certain() bool { return w.why != "" }

// chaosUnasked lists the beginnings of what the agent says before it has heard anything, or while the words that it
// heard are not on disk.
var chaosUnasked = []string{
	"Are you still there?",
	"I can't hear you",
	"One moment, please.",
	"Sorry, we have a technical problem",
	chaosMessage,
}

// unasked reports whether a sentence of the agent, which may be cut off, may not be a reply.
func unasked(sentence string) bool {
	return slices.ContainsFunc(chaosUnasked, func(line string) bool {
		return strings.HasPrefix(sentence, line) || strings.HasPrefix(line, sentence)
	})
}

// saidBy returns what the recipient said and pressed. The server with the line writes words in the order in which it
// hears them. It replies at most once to each utterance, after the utterance is on disk. It also speaks first, without
// a question. So if the agent has spoken n+1 times on a line, the first n utterances on that line are on disk. This
// may not include the utterance just before a sentence, because a slow server may reply to an earlier utterance.
func saidBy(d sandbox.Dial) []words {
	replies := map[int]int{} // by session
	for _, turn := range d.Turns {
		if turn.Who == sandbox.Agent && !unasked(turn.Text) {
			if _, begun := replies[turn.Session]; begun {
				replies[turn.Session]++
			} else {
				replies[turn.Session] = 0
			}
		}
	}
	var all []words
	for _, turn := range d.Turns {
		if turn.Who == sandbox.Person { // from here on, the two talk without the product
			break
		}
		if turn.Who != sandbox.Recipient {
			continue
		}
		w := words{text: conversation.Clean(turn.Text), at: turn.At, session: turn.Session}
		if turn.Digit != "" {
			w.text = "Pressed " + turn.Digit
		}
		if replies[turn.Session] > 0 {
			replies[turn.Session]--
			w.why = "the agent replied"
		}
		all = append(all, w)
	}
	return all
}

// compare returns the smallest set of certain words that the transcript lacks, and the turns that the recipient did
// not say at that place.
func compare(said []words, stored []string) (missing, strange []string) {
	faults := make([][]int, len(said)+1) // minimum number of faults of said[i:] and stored[j:]
	price := func(i int) int {
		if said[i].certain() {
			return 1
		}
		return 0
	}
	for i := len(said); i >= 0; i-- {
		faults[i] = make([]int, len(stored)+1)
		for j := len(stored); j >= 0; j-- {
			least := len(said) + len(stored)
			if i == len(said) && j == len(stored) {
				least = 0
			}
			if i < len(said) {
				least = min(least, faults[i+1][j]+price(i))
			}
			if j < len(stored) {
				least = min(least, faults[i][j+1]+1)
			}
			if i < len(said) && j < len(stored) && said[i].text == stored[j] {
				least = min(least, faults[i+1][j+1])
			}
			faults[i][j] = least
		}
	}
	for i, j := 0, 0; i < len(said) || j < len(stored); {
		switch {
		case i < len(said) && j < len(stored) && said[i].text == stored[j] && faults[i][j] == faults[i+1][j+1]:
			i, j = i+1, j+1
		case i < len(said) && faults[i][j] == faults[i+1][j]+price(i):
			if said[i].certain() {
				missing = append(missing, said[i].text)
			}
			i++
		default:
			strange = append(strange, stored[j])
			j++
		}
	}
	return missing, strange
}

// story returns all known facts about a call in the order of time: what was said and why it had to be heard, which
// server had the line when, which harms ran, and the servers' log lines about the call. The transcript follows.
func (c *chaos) story(d sandbox.Dial, one chaosCall, said []words, openings []lineOpening, settled time.Time) string {
	type event struct {
		at   time.Time
		text string
	}
	events := []event{{d.ReceivedAt, "dialed"}}
	add := func(at time.Time, format string, args ...any) {
		events = append(events, event{at, fmt.Sprintf(format, args...)})
	}
	if d.EndedAt != nil {
		add(*d.EndedAt, "ended: %s, %s", d.Status, one.EndedReason)
	}
	if !settled.IsZero() {
		add(settled, "settled")
	}
	for _, turn := range d.Turns {
		if turn.Who == sandbox.Agent {
			add(turn.Began, "session %d: agent begins %q, cut %v", turn.Session, turn.Text, turn.Cut)
		}
	}
	for _, w := range said {
		why := w.why
		if why == "" {
			why = "may be lost"
		}
		add(w.at, "session %d: recipient %q (%s)", w.session, w.text, why)
	}
	for _, o := range openings {
		add(o.at, "line opened at %s", o.server)
	}
	for _, h := range c.harms {
		if h.to.After(d.ReceivedAt) && (settled.IsZero() || h.from.Before(settled)) {
			add(h.from, "harm: %s begins; servers stopped: %v, lines cut: %v", h.name, h.stopped, h.lines)
			add(h.to, "harm: %s is over", h.name)
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return a.at.Compare(b.at) })
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "  %s %s\n", e.at.UTC().Format("15:04:05.000"), e.text)
	}
	for _, s := range c.servers {
		text, _ := os.ReadFile(s.log.Name())
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, one.ID) {
				fmt.Fprintf(&b, "  log of %s: %s", s.address, line)
			}
		}
	}
	for _, turn := range one.Transcript {
		fmt.Fprintf(&b, "  transcript %d: %s %q\n", turn.Index, turn.Role, turn.Text)
	}
	return b.String()
}

// A word is certain if the agent has replied to it, and not merely spoken afterward.
func TestChaosKnowsWhichWordsWereHeard(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ turns, certain []string }{ // each turn: session, speaker, words
		"each has its reply": {
			[]string{"1 agent Rate us?", "1 recipient Nine.", "1 agent Happy?", "1 recipient Yes.", "1 agent Goodbye."},
			[]string{"Nine.", "Yes."},
		},
		"the last has none": {
			[]string{"1 agent Rate us?", "1 recipient Nine.", "1 agent Happy?", "1 recipient Yes."},
			[]string{"Nine."},
		},
		"replies are one late": { // the line was opened late, because the database was away
			[]string{
				"1 recipient Hello? Are you still there?", "1 agent Rate us?", "1 recipient Nine.",
				"1 agent Sorry, I did not catch that. Rate us?", "1 recipient Nine!",
				"1 agent Happy?", "1 recipient No.",
			},
			[]string{"Hello? Are you still there?", "Nine."},
		},
		"a key before a reply that is late": {
			[]string{"1 recipient Hello?", "1 agent Rate us?", "1 recipient 9", "1 agent Sorry, I did not catch that."},
			[]string{"Hello?"},
		},
		"no reply": {
			[]string{
				"1 agent Rate us?", "1 recipient Nine.", "1 agent One mom", "1 agent Are you still there? Rate us?",
				"1 agent Sorry, we have a technical problem, so",
			},
			nil,
		},
		"no reply of a machine": {
			[]string{"1 recipient Please leave a message.", "1 agent Rate", "1 agent " + chaosMessage},
			nil,
		},
		"each line for itself": {
			[]string{
				"1 agent Rate us?", "1 recipient Nine.",
				"2 recipient Hello?", "2 agent The line dropped. Rate us?", "2 recipient Nine!", "2 agent Happy?",
				"3 agent The line dropped. Happy?", "3 recipient 9",
			},
			[]string{"Hello?"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var d sandbox.Dial
			for _, text := range test.turns {
				part := strings.SplitN(text, " ", 3)
				turn := sandbox.Turn{Session: int(part[0][0] - '0'), Who: part[1], Text: part[2]}
				if turn.Text == "9" {
					turn.Text, turn.Digit = "", "9"
				}
				d.Turns = append(d.Turns, turn)
			}
			var certain []string
			for _, w := range saidBy(d) {
				if w.certain() {
					certain = append(certain, w.text)
				}
			}
			if !slices.Equal(certain, test.certain) {
				t.Errorf("%q are certain, want %q", certain, test.certain)
			}
		})
	}
}

// A transcript may lack uncertain words. Every other difference is reported as a fault.
func TestChaosNamesTheWordsThatAreWrong(t *testing.T) {
	t.Parallel()
	said := []words{{text: "Yes.", why: "?"}, {text: "No.", why: "?"}, {text: "Fine."}, {text: "Fine.", why: "?"}}
	for name, test := range map[string]struct{ stored, missing, strange string }{
		"all":              {"Yes. No. Fine. Fine.", "", ""},
		"all certain":      {"Yes. No. Fine.", "", ""},
		"one lost":         {"Yes. Fine.", "No.", ""},
		"the last lost":    {"Yes. No.", "Fine.", ""},
		"one twice":        {"Yes. No. No. Fine.", "", "No."},
		"in another order": {"No. Yes. Fine. Fine.", "Yes.", "Yes."},
		"nothing":          {"", "Yes. No. Fine.", ""},
		"said by nobody":   {"Yes. No. What? Fine.", "", "What?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			missing, strange := compare(said, strings.Fields(test.stored))
			if strings.Join(missing, " ") != test.missing || strings.Join(strange, " ") != test.strange {
				t.Errorf("lacks %q, and has %q", missing, strange)
			}
		})
	}
}
