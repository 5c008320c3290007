package sandbox

import (
	"strconv"
	"strings"
	"time"
)

// actWithin schedules an action of the recipient during an utterance. More of its text moves the action.
func (s *session) actWithin(u *utterance, now time.Time) {
	words := len(u.words)
	if !u.complete {
		words = max(words, reportedWords)
	}
	s.nextAt = u.began.Add(time.Duration(s.share * float64(words) * float64(s.c.n.Scaled(agentWord))))
	if s.nextAt.Before(now) {
		s.nextAt = now
	}
}

// plan schedules the recipient's next action.
func (s *session) plan(a *act, now time.Time) {
	s.next, s.nextAt, s.share = a, time.Time{}, 0
	if a != nil {
		s.nextAt = now.Add(max(s.c.n.Scaled(a.after), a.atLeast))
	}
}

// begin starts the recipient's action, which was due at the time at. The agent is cut off at this
// time, however late the session is.
func (s *session) begin(at, now time.Time) {
	a := s.next
	s.share = 0
	switch {
	case a.drop:
		_ = s.conn.CloseNow()
		s.cutOff(at) // recorded only; the product gets no message
		s.verdict = &sessionEnd{status: "failed", code: "64105", message: "Websocket ended"}
	case a.hangUp:
		s.cutOff(at)
		s.bye()
		s.verdict = &sessionEnd{status: "completed", callOver: true}
	case a.digit != "":
		if s.interruptible().digits {
			s.bargeIn(at)
		}
		s.next = nil
		s.book(Turn{Who: Recipient, Digit: a.digit, Began: now})
		if s.relay.digits {
			s.send(frame{Type: "dtmf", Digit: a.digit})
		}
		s.heard = nil
		s.plan(s.person.after(), now)
	default:
		if s.interruptible().speech {
			s.bargeIn(at)
		}
		s.talking = true
		s.speaking("clientSpeaking", "on")
		s.saidFrom = now
		s.sayUntil = now.Add(time.Duration(len(strings.Fields(a.say)))*s.c.n.Scaled(recipientWord) +
			s.c.n.Scaled(s.relay.endOfTurn))
	}
}

// said sends the recipient's complete utterance to the product.
func (s *session) said(now time.Time) {
	a := s.next
	s.talking, s.sayUntil, s.next = false, time.Time{}, nil
	s.speaking("clientSpeaking", "off")
	if len(s.queue) == 0 || s.relay.report {
		s.person.did(a)
		s.book(Turn{Who: Recipient, Text: a.say, Began: s.saidFrom})
		s.send(frame{Type: "prompt", VoicePrompt: a.say, Lang: s.relay.heard, Last: new(true)})
	}
	s.heard = nil
	if len(s.queue) == 0 || len(s.person.parts) > 0 {
		s.plan(s.person.after(), now)
	}
}

// interruptible returns what interrupts the utterance that is being played.
func (s *session) interruptible() interruption {
	if len(s.queue) == 0 {
		return interruption{}
	}
	return s.queue[0].interruptible
}

// bargeIn cuts off the agent.
func (s *session) bargeIn(now time.Time) {
	u := s.queue[0]
	words := s.cut(now)
	s.queue, s.agentAt = nil, time.Time{}
	ms := s.c.n.Unscaled(now.Sub(u.began)).Milliseconds()
	var duration any = ms
	if s.number%2 == 1 && s.person.plan.habit == interrupts {
		duration = strconv.FormatInt(ms, 10) // the form of older documentation
	}
	s.send(frame{Type: "interrupt", Until: words, DurationUntil: duration})
}

// cut stops the current utterance, records the words that were played, and returns them.
func (s *session) cut(now time.Time) string {
	u := s.queue[0]
	s.queue, s.agentAt = s.queue[1:], time.Time{}
	n := int(now.Sub(u.began) / max(s.c.n.Scaled(agentWord), 1))
	n = min(max(n, u.reported), len(u.words))
	s.tell(u, n)
	words := strings.Join(u.words[:n], " ")
	if words != "" {
		s.book(Turn{Who: Agent, Text: words, Cut: true, Began: u.began})
		s.heard = append(s.heard, words)
	}
	if !u.paused {
		s.speaking("agentSpeaking", "off")
	}
	return words
}

// cutOff records the words that had been played when the session ended.
func (s *session) cutOff(at time.Time) {
	if len(s.queue) > 0 {
		s.cut(at)
		s.queue = nil
	}
}

// book records a turn.
func (s *session) book(t Turn) {
	t.Session, t.At = s.number, time.Now().UTC()
	s.c.n.Mu.Lock()
	defer s.c.n.Mu.Unlock()
	s.c.dial.Turns = append(s.c.dial.Turns, t)
}

// trackOf is the track on which a speaker is heard, by the name of the speaker's events.
var trackOf = map[string]string{"agentSpeaking": "outbound", "clientSpeaking": "inbound"}

// speaking sends a speaker event if the relay requests speaker events.
func (s *session) speaking(who, value string) {
	s.c.n.Mu.Lock()
	if s.c.speaks == nil {
		s.c.speaks = map[string]bool{}
	}
	s.c.speaks[trackOf[who]] = value == "on"
	s.c.n.Mu.Unlock()
	if s.relay.speakerEvents {
		s.send(frame{Type: "info", Name: who, Value: value, Timestamp: time.Now().UnixMilli()})
	}
}
