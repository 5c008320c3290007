package sandbox

import (
	"strings"
	"time"
)

// recipient is whoever picked up. It decides, the session acts. Everything it
// does follows from its number and from what it hears.
type recipient struct {
	number  string
	plan    plan
	persona persona
	words   words // of the call's language,
	abroad  bool  // where that is not English

	utterances int            // of the agent, begun so far
	spoke      int            // turns taken
	idled      int            // of them: to fill a silence
	asked      map[string]int // how often a question was put
	cutIn      bool           // has interrupted
	dropped    bool           // has lost the line
	done       bool           // has said what it wanted to say
	parting    bool           // has said goodbye
}

// act is something the recipient does.
type act struct {
	after   time.Duration // in network time
	atLeast time.Duration // in real time
	say     string
	digit   string
	hangUp  bool
	drop    bool // the line breaks
	deaf    bool // goes ahead although the agent speaks
}

// graceTime is the least real time before a recipient fills a silence: at high
// speeds the product needs longer to think than a person to lose patience.
const graceTime = 1200 * time.Millisecond

func newRecipient(number string, p plan) *recipient {
	return &recipient{number: number, plan: p, persona: personaFor(number), asked: map[string]int{}}
}

// begin is when a line opens, the session-th of the call.
func (r *recipient) begin(session int) *act {
	switch {
	case r.plan.habit == leavesGreeting && session == 1:
		return &act{after: 300 * time.Millisecond, say: r.persona.greeting(), deaf: true}
	case r.plan.habit == leavesGreeting || r.plan.silent || r.done:
		return nil
	case session > 1:
		// The line was gone for a moment; a person makes sure.
		return &act{
			after: 4 * time.Second, atLeast: 2 * graceTime, say: r.say("Hello? Are you still there?", r.words.hello),
		}
	}
	return nil // it is the caller who begins
}

// beepAfter is when a machine has said its greeting.
func (r *recipient) beepAfter() time.Duration {
	words := len(strings.Fields(r.persona.greeting()))
	return 300*time.Millisecond + time.Duration(words)*recipientWord + 500*time.Millisecond
}

// during is when the agent begins an utterance: what the recipient will do
// after that share of it, if anything.
func (r *recipient) during() (a *act, share float64) {
	r.utterances++
	switch {
	case r.plan.habit == hangsUp && (r.spoke > 0 || r.utterances >= 3):
		return &act{hangUp: true}, 0.5
	case r.plan.habit == interrupts && !r.cutIn:
		r.cutIn = true
		return &act{say: r.say("Sorry, who is this?", r.words.who)}, 0.4
	case r.plan.habit == pressesNine && !r.done && r.utterances >= 2:
		r.done = true
		return &act{digit: "9"}, 0.5
	case r.plan.losesLine && !r.dropped && (r.spoke > 0 || r.utterances >= 3):
		r.dropped = true
		return &act{drop: true}, 0.5
	}
	return nil, 0
}

// silence is when the agent has said its piece and waits.
func (r *recipient) silence(heard string) *act {
	if r.done || r.plan.silent || r.plan.habit == leavesGreeting {
		return nil
	}
	switch r.plan.habit {
	case pressesNine:
		r.done = true
		return &act{after: 900 * time.Millisecond, digit: "9"}
	case saysStop:
		if r.question(heard) == "" {
			return r.fill(r.say("Yes?", r.words.hello))
		}
		r.done = true
		return &act{after: 800 * time.Millisecond, say: r.say("Stop. Please stop calling me.", r.words.stop)}
	}
	q := r.question(heard)
	if q == "" {
		if r.abroad || farewell(heard) {
			r.parting = true
			return &act{
				after: 1500 * time.Millisecond, atLeast: graceTime, say: r.say(r.persona.farewell(), r.words.bye),
			}
		}
		return r.fill("Okay.")
	}
	r.spoke++
	key := strings.ToLower(q)
	r.asked[key]++
	if r.abroad {
		return &act{after: r.persona.pause(q), say: r.words.answer(r.number, key, r.asked[key])}
	}
	return &act{after: r.persona.pause(q), say: r.persona.reply(heard, r.asked[key])}
}

// say is what the recipient says, in English or in the language of the call.
func (r *recipient) say(english, abroad string) string {
	if r.abroad {
		return abroad
	}
	return english
}

// question is what the agent wants to know, empty when it asks nothing.
func (r *recipient) question(heard string) string {
	if r.abroad {
		return asked(heard)
	}
	return question(heard)
}

// fill says something into a silence, twice at most.
func (r *recipient) fill(words string) *act {
	if r.idled >= 2 {
		return nil
	}
	r.idled++
	return &act{after: 3 * time.Second, atLeast: graceTime, say: words}
}

// after is when the recipient has spoken and nobody answers.
func (r *recipient) after() *act {
	if r.parting {
		return &act{after: 600 * time.Millisecond, hangUp: true}
	}
	if r.plan.habit == leavesGreeting {
		return &act{after: time.Minute, atLeast: time.Minute, hangUp: true} // the tape is full
	}
	return nil
}
