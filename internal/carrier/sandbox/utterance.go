package sandbox

import (
	"fmt"
	"strings"
	"time"
)

// Speaking speeds of people and speech engines.
const (
	agentWord     = 370 * time.Millisecond
	recipientWord = 330 * time.Millisecond
	reportedWords = 8 // played words are reported in chunks of this many
)

// utterance is one utterance of the agent.
type utterance struct {
	words         []string
	complete      bool // all tokens have arrived
	partial       bool // the last word may go on with the next token
	paused        bool // all words so far were played, and more must come
	interruptible interruption
	preemptible   bool
	began         time.Time
	reported      int // words reported as played
}

// say queues words, or adds them to an utterance that is still incomplete.
func (s *session) say(f frame, last bool) {
	now := time.Now()
	if n := len(s.queue); n > 0 && !s.queue[n-1].complete {
		u := s.queue[n-1]
		u.add(f.Token, last)
		if n == 1 {
			s.goOn(now)
		}
		return
	}
	u := &utterance{interruptible: s.relay.interruptible, preemptible: s.relay.preemptible}
	u.add(f.Token, last)
	if f.Interruptible != nil { // a boolean, or a string as in the instructions
		u.interruptible = interruptions[fmt.Sprint(f.Interruptible)]
	}
	if f.Preemptible != nil {
		u.preemptible = fmt.Sprint(f.Preemptible) == "true"
	}
	if len(s.queue) > 0 && s.queue[0].preemptible {
		s.cut(now)
	}
	s.queue = append(s.queue, u)
	if len(s.queue) == 1 {
		s.start(now)
	}
}

// add appends a token, which may go on with the last word.
func (u *utterance) add(token string, last bool) {
	words := strings.Fields(token)
	if n := len(u.words); u.partial && n > u.reported && len(words) > 0 && strings.HasPrefix(token, words[0]) {
		u.words[n-1] += words[0]
		words = words[1:]
	}
	u.words, u.complete = append(u.words, words...), last
	u.partial = !strings.HasSuffix(token, " ")
}

// goOn continues the first utterance after more of its text has come.
func (s *session) goOn(now time.Time) {
	u := s.queue[0]
	if u.paused && (u.reported < len(u.words) || u.complete) {
		u.paused = false
		u.began = now.Add(-time.Duration(u.reported) * s.c.n.Scaled(agentWord))
		s.speaking("agentSpeaking", "on")
	}
	s.schedule(now)
	if s.share > 0 {
		s.actWithin(u, now)
	}
}

// start begins to play the first utterance of the queue.
func (s *session) start(now time.Time) {
	u := s.queue[0]
	u.began = now
	s.speaking("agentSpeaking", "on")
	s.schedule(now)
	if !s.talking && (s.next == nil || !s.next.deaf) {
		s.nextAt = time.Time{} // the recipient drops its planned words and listens
		text := ""
		if u.complete {
			text = strings.Join(u.words, " ")
		}
		if s.next, s.share = s.person.during(text); s.next != nil {
			s.actWithin(u, now)
		}
	}
}

// schedule sets when the next words will have been played.
func (s *session) schedule(now time.Time) {
	u := s.queue[0]
	s.agentAt = time.Time{}
	if u.reported < len(u.words) || u.complete {
		upTo := min(u.reported+reportedWords, len(u.words))
		at := u.began.Add(time.Duration(upTo) * s.c.n.Scaled(agentWord))
		if at.Before(now) { // the words arrived later than they could have been spoken
			u.began = now.Add(-time.Duration(u.reported) * s.c.n.Scaled(agentWord))
			at = u.began.Add(time.Duration(upTo) * s.c.n.Scaled(agentWord))
		}
		s.agentAt = at
	}
}

// played reports words, and continues with the next words or the next utterance.
func (s *session) played(now time.Time) {
	u := s.queue[0]
	s.tell(u, min(u.reported+reportedWords, len(u.words)))
	switch {
	case u.reported < len(u.words):
		s.schedule(u.began.Add(time.Duration(u.reported) * s.c.n.Scaled(agentWord)))
		return
	case !u.complete:
		u.paused, s.agentAt = true, time.Time{}
		s.speaking("agentSpeaking", "off")
		return
	}
	text := strings.Join(u.words, " ")
	s.book(Turn{Who: Agent, Text: text, Began: u.began})
	s.heard = append(s.heard, text)
	s.queue = s.queue[1:]
	s.agentAt = time.Time{}
	s.speaking("agentSpeaking", "off")
	switch {
	case len(s.queue) > 0:
		s.start(now)
	case !s.talking && (s.next == nil || !s.next.deaf):
		s.plan(s.person.silence(strings.Join(s.heard, " ")), now)
	}
}

// tell reports words as played, up to n words in total.
func (s *session) tell(u *utterance, n int) {
	if s.relay.tokensPlayed && n > u.reported {
		s.send(frame{Type: "info", Name: "tokensPlayed", Value: strings.Join(u.words[u.reported:n], " ")})
	}
	u.reported = n
}
