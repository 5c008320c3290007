package sandbox

import (
	"strings"
	"time"
)

// recipient is the person or machine that answers. It decides, and the session acts. Its behavior
// depends only on its number and on what it hears.
type recipient struct {
	number  string
	plan    plan
	persona persona
	words   words // of the call's language
	abroad  bool  // whether this language is not English

	utterances int            // utterances of the agent that have begun
	spoke      int            // turns of the recipient
	idled      int            // turns that filled a silence
	asked      map[string]int // how often each question was asked
	cutIn      bool           // has interrupted the agent
	dropped    bool           // has broken the line
	done       bool           // has carried out its habit
	parting    bool           // has said goodbye
}

// act is an action of the recipient.
type act struct {
	after   time.Duration // in network time
	atLeast time.Duration // in real time
	say     string
	digit   string
	hangUp  bool
	drop    bool // the line breaks
	deaf    bool // acts even if the agent speaks
}

// graceTime is the least real time before a recipient fills a silence. At high speeds, the product
// needs more network time for a reply than a person would wait.
const graceTime = 1200 * time.Millisecond

func newRecipient(number string, p plan) *recipient {
	return &recipient{number: number, plan: p, persona: personaFor(number), asked: map[string]int{}}
}

// begin returns the recipient's act when the given session of the call opens.
func (r *recipient) begin(session int) *act {
	switch {
	case r.plan.habit == leavesGreeting && session == 1:
		return &act{after: 300 * time.Millisecond, say: r.persona.greeting(), deaf: true}
	case r.plan.habit == leavesGreeting || r.plan.silent || r.done:
		return nil
	case session > 1:
		// The line was interrupted, so the person asks whether the caller is still there.
		return &act{
			after: 4 * time.Second, atLeast: 2 * graceTime, say: r.say("Hello? Are you still there?", r.words.hello),
		}
	}
	return nil // the caller begins
}

// beepAfter returns how long a machine takes to say its greeting.
func (r *recipient) beepAfter() time.Duration {
	words := len(strings.Fields(r.persona.greeting()))
	return 300*time.Millisecond + time.Duration(words)*recipientWord + 500*time.Millisecond
}

// during returns what the recipient does during an utterance that begins now, if anything, and
// after which share of the utterance.
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

// silence returns the recipient's act when the agent has finished speaking and waits.
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

// say returns the recipient's words, in English or in the language of the call.
func (r *recipient) say(english, abroad string) string {
	if r.abroad {
		return abroad
	}
	return english
}

// question returns the question in the heard text, or "" without a question.
func (r *recipient) question(heard string) string {
	if r.abroad {
		return asked(heard)
	}
	return question(heard)
}

// fill breaks a silence, twice at most.
func (r *recipient) fill(words string) *act {
	if r.idled >= 2 {
		return nil
	}
	r.idled++
	return &act{after: 3 * time.Second, atLeast: graceTime, say: words}
}

// after returns the recipient's act when the agent does not answer the recipient.
func (r *recipient) after() *act {
	if r.parting {
		return &act{after: 600 * time.Millisecond, hangUp: true}
	}
	if r.plan.habit == leavesGreeting {
		return &act{after: time.Minute, atLeast: time.Minute, hangUp: true} // the tape of the machine is full
	}
	return nil
}
