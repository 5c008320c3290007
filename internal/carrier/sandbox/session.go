package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"
)

// sessionEnd describes the end of a session.
type sessionEnd struct {
	id       string
	status   string // completed, ended or failed
	code     string // 64105 lost, others not opened
	message  string
	handoff  string // what the product passed on with its end
	lasted   time.Duration
	callOver bool // the call ended together with the session
}

// session is one WebSocket of a call: it plays the agent's words and lets the recipient speak.
// Everything happens in the call's goroutine, with one timer. A second goroutine only reads.
type session struct {
	c      *call
	relay  relay
	number int // position among the call's sessions, from 1
	conn   *websocket.Conn

	queue    []*utterance // the first utterance is being played
	agentAt  time.Time    // when the next words of the first utterance have been played
	person   *recipient
	next     *act      // the recipient's next action
	nextAt   time.Time // when the next action begins
	share    float64   // of the first utterance that is played before the next action, if it depends on that
	talking  bool      // the recipient is speaking
	saidFrom time.Time // when the recipient began to speak
	sayUntil time.Time // when the recipient stops speaking
	heard    []string  // words played since the recipient last spoke
	texts    int       // utterances that the product sent
	verdict  *sessionEnd
}

// converse opens the WebSocket and runs the conversation.
func (c *call) converse(r relay) (end sessionEnd) {
	began := time.Now()
	s := &session{c: c, relay: r, person: c.person}
	id := "VX" + strings.ReplaceAll(uuid.NewString(), "-", "")
	defer func() { end.id, end.lasted = id, time.Since(began) }()

	c.n.Mu.Lock()
	s.person.spokenTo(r.spoken) // machine detection reads the language
	c.dial.Relay = r.attributes
	c.n.Mu.Unlock()
	if failed, ok := c.opens(r); !ok {
		return failed
	}
	conn, err := c.socket(withoutFragment(r.url))
	if err != nil {
		if c.ctx.Err() != nil {
			return sessionEnd{status: "completed", callOver: true}
		}
		return sessionEnd{status: "failed", code: "64102", message: "Unable to connect to websocket URL"}
	}
	s.conn = conn
	s.open()
	defer s.close()

	frames := make(chan frame, 16)
	reading, stop := context.WithCancel(c.n.Ctx)
	defer stop()
	c.n.Start(func() { read(reading, conn, frames) })

	s.send(setup{
		Type: "setup", SessionID: id, AccountSID: c.account, CallSID: c.sid, From: c.dial.From, To: c.dial.To,
		CallType: "PSTN", Direction: s.c.direction(), CallStatus: "IN-PROGRESS", CustomParameters: r.parameters,
	})
	s.plan(s.person.begin(s.number), time.Now())
	return s.loop(frames)
}

// open counts the session as an open line.
func (s *session) open() {
	s.c.n.Mu.Lock()
	defer s.c.n.Mu.Unlock()
	s.c.n.Counts.Lines++
	s.c.n.Announce()
	s.c.dial.Sessions++
	s.number = s.c.dial.Sessions
}

func (s *session) close() {
	_ = s.conn.CloseNow()
	s.c.n.Mu.Lock()
	defer s.c.n.Mu.Unlock()
	s.c.n.Counts.Lines--
	s.c.speaks = nil
	s.c.n.Announce()
}

// read sends the frames of the socket to a channel, and closes the channel when the socket is
// closed.
func read(ctx context.Context, conn *websocket.Conn, frames chan<- frame) {
	defer close(frames)
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var f frame
		if json.Unmarshal(data, &f) != nil {
			f = frame{Type: "?"}
		}
		select {
		case frames <- f:
		case <-ctx.Done():
			return
		}
	}
}

// loop handles frames and due actions until the session is over.
func (s *session) loop(frames <-chan frame) sessionEnd {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for s.verdict == nil {
		if at := s.soonest(); at.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(time.Until(at))
		}
		select {
		case f, ok := <-frames:
			s.tick(time.Now()) // perform the actions that were due before the frame
			switch {
			case s.verdict != nil:
			case ok:
				s.take(f)
			default:
				s.cutOff(time.Now())
				return sessionEnd{status: "failed", code: "64105", message: "Websocket ended"}
			}
		case <-timer.C:
			s.tick(time.Now())
		case <-s.c.ctx.Done():
			s.cutOff(time.Now())
			s.bye()
			return sessionEnd{status: "completed", callOver: true}
		}
	}
	return *s.verdict
}

// soonest returns when the next action is due, or zero without an action.
func (s *session) soonest() time.Time {
	at := s.agentAt
	for _, t := range []time.Time{s.nextAt, s.sayUntil} {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	return at
}

// tick performs all due actions in the order of their times. A tick may be so late that both half
// of a sentence and the whole sentence have been played by then. A recipient who hangs up in the
// middle must do so before the end of the sentence is reported.
func (s *session) tick(now time.Time) {
	for s.verdict == nil {
		at := s.soonest()
		switch {
		case at.IsZero() || now.Before(at):
			return
		case at.Equal(s.agentAt):
			s.played(now)
		case at.Equal(s.nextAt):
			s.nextAt = time.Time{}
			s.begin(at, now)
		default:
			s.said(now)
		}
	}
}

// take processes a message of the product.
func (s *session) take(f frame) {
	s.acknowledge(f)
	switch f.Type {
	case "text":
		last := f.Last == nil || *f.Last
		if f.Token == "" {
			s.invalid("token is required")
			return
		}
		var ok bool
		if f.Token, ok = spoken(f.Token); !ok {
			s.invalid("token is not valid SSML")
			return
		}
		if !s.refuses() {
			s.say(f, last)
		}
	case "end":
		s.cutOff(time.Now())
		s.bye()
		s.verdict = &sessionEnd{status: "ended", handoff: f.HandoffData}
	case "language":
		s.changeLanguage(f)
	case "sendDigits":
		if !pressable.MatchString(f.Digits) {
			s.invalid("digits are not valid")
			return
		}
		s.book(Turn{Who: Agent, Digit: f.Digits, Began: time.Now()})
		if a := s.person.pressed(f.Digits); a != nil {
			s.talking, s.sayUntil, s.heard = false, time.Time{}, nil // the keys end what the menu is saying
			s.plan(a, time.Now())
		}
	case "play":
	default:
		s.invalid("unknown message")
	}
}

// changeLanguage changes what the agent speaks and what of the recipient is recognized.
func (s *session) changeLanguage(f frame) {
	if f.TTSLanguage == "" && f.HeardLanguage == "" {
		s.invalid("ttsLanguage or transcriptionLanguage is required")
		return
	}
	s.relay.heard = cmp.Or(f.HeardLanguage, s.relay.heard)
	if f.TTSLanguage != "" {
		s.c.n.Mu.Lock()
		defer s.c.n.Mu.Unlock()
		s.person.spokenTo(f.TTSLanguage)
	}
}

// pressable are the keys that Twilio sends, and its pauses.
var pressable = regexp.MustCompile(`^[0-9*#wW]+$`)

// invalid sends Twilio's answer to a message that it does not understand (64107).
func (s *session) invalid(why string) {
	s.c.n.Log.Error("sandbox: invalid message on a line", "call", s.c.sid, "why", why)
	s.send(frame{Type: "error", Description: "Invalid message received: " + why})
}

// acknowledge marks the recipient's turns on this line, because the agent has spoken again or ended
// the session.
func (s *session) acknowledge(f frame) {
	if f.Type != "text" && f.Type != "end" {
		return
	}
	s.c.n.Mu.Lock()
	defer s.c.n.Mu.Unlock()
	turns := s.c.dial.Turns
	for i := len(turns) - 1; i >= 0 && turns[i].Session == s.number && !turns[i].Acknowledged; i-- {
		if turns[i].Who == Recipient {
			turns[i].Acknowledged = true
		}
	}
}

// bye closes the socket in order.
func (s *session) bye() { _ = s.conn.Close(websocket.StatusNormalClosure, "") }
