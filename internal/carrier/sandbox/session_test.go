package sandbox

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// newSession returns a session with a recipient who has the habit, on a socket whose frames are
// discarded.
func newSession(t *testing.T, h habit) *session {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, err := websocket.Accept(w, r, nil); err == nil {
			conn.CloseRead(r.Context())
		}
	}))
	t.Cleanup(server.Close)
	conn, _, err := websocket.Dial(t.Context(), server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	c := &call{n: open(t, Options{Speed: 1}), dial: &Dial{}}
	return &session{
		c: c, conn: conn, relay: relay{interruptible: interruption{speech: true}},
		person: newRecipient("+14155550100", plan{habit: h}),
	}
}

// On a slow machine, a session may learn that half of a sentence has been played only after the
// whole sentence has been played. The recipient still acts in the middle.
func TestARecipientActsMidSentenceHoweverLateTheSession(t *testing.T) {
	t.Parallel()
	sentence := strings.Repeat("word ", 20)
	for h, want := range map[habit]string{
		hangsUp:    strings.TrimSpace(strings.Repeat("word ", 10)),
		interrupts: strings.TrimSpace(strings.Repeat("word ", 8)),
	} {
		s := newSession(t, h)
		s.person.spoke = 1
		s.say(frame{Token: sentence}, true)
		s.tick(s.queue[0].began.Add(time.Hour))
		turns := slices.Clone(s.c.dial.Turns)
		if len(turns) == 0 || turns[0].Text != want || !turns[0].Cut {
			t.Errorf("habit %d: the agent was cut off in %+v", h, turns)
		}
		if over := s.verdict != nil && s.verdict.callOver; over != (h == hangsUp) {
			t.Errorf("habit %d: the call is over: %t", h, over)
		}
	}
}

// A machine goes on with its greeting after an utterance of the agent that ends between two of its parts.
func TestAMachineGoesOnWithItsGreeting(t *testing.T) {
	t.Parallel()
	s := newSession(t, greetsInParts)
	begin := time.Now()
	s.plan(s.person.begin(1), begin)
	want := s.next.say
	s.say(frame{Token: "Hello."}, true)
	s.played(begin)
	if s.next == nil || s.next.say != want {
		t.Errorf("the machine plans %+v, want %q", s.next, want)
	}
}

// Detection waits for the last part of the greeting that the machine says, in every language.
func TestDetectionWaitsForTheGreeting(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en-US", "de-DE", "el-GR", "nb-NO"} {
		for _, h := range []habit{greetsInParts, greetsBriefly, boxFull, boxUnset} {
			for _, number := range numbers(30) {
				r := newRecipient(number, plan{habit: h})
				r.lines = linesIn(language)
				c := &call{dial: &Dial{}, person: r}
				parts := r.lines.of(r.persona, h)
				for i := range parts {
					if c.greeted(detectedBeep) {
						t.Errorf("%s, habit %d: detection reports the end after %d parts of %q", language, h, i, parts)
					}
					c.dial.Turns = append(c.dial.Turns, Turn{Who: Recipient})
				}
				if !c.greeted(detectedBeep) {
					t.Errorf("%s, habit %d: detection does not report the end of %q", language, h, parts)
				}
			}
		}
	}
}

// What was said so far is played while more of it comes. Without its end, silence follows.
func TestAnUtteranceInParts(t *testing.T) {
	t.Parallel()
	s := newSession(t, 0)
	word := s.c.n.Scaled(agentWord)
	s.say(frame{Token: "One two "}, false)
	s.say(frame{Token: "th"}, false)
	s.say(frame{Token: "ree"}, false)
	u := s.queue[0]
	s.tick(u.began.Add(time.Hour))
	if !u.paused || u.reported != 3 || s.next != nil || len(s.c.dial.Turns) != 0 {
		t.Fatalf("after an hour: %+v, plans %+v, turns %+v", u, s.next, s.c.dial.Turns)
	}
	s.say(frame{Token: " four"}, false)
	if u.paused || s.agentAt.Sub(u.began) != 4*word || time.Until(s.agentAt) > word {
		t.Errorf("goes on at %v after %v", s.agentAt, u.began)
	}
	s.tick(s.agentAt)
	s.say(frame{Token: " five."}, true)
	s.tick(s.agentAt)
	if turns := s.c.dial.Turns; len(s.queue) != 0 || len(turns) != 1 || turns[0].Text != "One two three four five." {
		t.Errorf("turns %+v", turns)
	}
}

// A recipient interrupts an utterance whose text has not come to its end.
func TestARecipientInterruptsAnUtteranceInParts(t *testing.T) {
	t.Parallel()
	s := newSession(t, interrupts)
	s.say(frame{Token: "One two three four five "}, false)
	began := s.nextAt
	s.say(frame{Token: "six seven eight nine ten eleven "}, false)
	if !s.nextAt.After(began) {
		t.Error("more words do not move the interruption")
	}
	s.tick(s.nextAt)
	if turns := s.c.dial.Turns; len(turns) != 1 || turns[0].Text != "One two three four" || !turns[0].Cut {
		t.Errorf("turns %+v", turns)
	}
	if len(s.queue) != 0 || !s.talking {
		t.Errorf("the agent goes on: %+v", s.queue)
	}
}

// A recipient who is about to press a key presses it even if the agent speaks again before.
func TestAKeyIsPressedWhileTheAgentSpeaks(t *testing.T) {
	t.Parallel()
	s := newSession(t, pressesNine)
	s.say(frame{Token: "Hello."}, true)
	s.tick(s.agentAt)
	s.say(frame{Token: "Will you come? "}, false)
	for range 10 {
		s.tick(s.soonest())
	}
	if turns := s.c.dial.Turns; !slices.ContainsFunc(turns, func(turn Turn) bool { return turn.Digit == "9" }) {
		t.Errorf("turns %+v", turns)
	}
}

// What a caller called for is said at the next silence if the agent speaks on before.
func TestACallerAsksAgain(t *testing.T) {
	t.Parallel()
	for h, want := range map[habit]string{asksWhy: "Why did you call me?", saysStop: "Stop. Please stop calling me."} {
		s := newSession(t, h)
		s.person.calls = true
		s.say(frame{Token: "This is Clara."}, true)
		s.tick(s.queue[0].began.Add(time.Second * 2))
		if s.next == nil || s.next.say != want {
			t.Fatalf("habit %d: plans %+v", h, s.next)
		}
		s.say(frame{Token: "I am automated."}, true)
		if s.next != nil {
			t.Errorf("habit %d: speaks over the agent", h)
		}
		for at := s.queue[0].began; s.next != nil || len(s.queue) > 0 || at.Before(time.Now().Add(time.Minute)); {
			at = at.Add(time.Minute)
			s.tick(at)
		}
		var said string
		for _, turn := range s.c.dial.Turns {
			if turn.Who == Recipient {
				said += turn.Text
			}
		}
		if said != want {
			t.Errorf("habit %d: said %q, want %q", h, said, want)
		}
	}
}
