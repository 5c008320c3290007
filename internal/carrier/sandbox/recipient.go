package sandbox

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

// recipient is the person or machine that answers. It decides, and the session acts. Its behavior
// depends only on its number and on what it hears.
type recipient struct {
	number  string
	plan    plan
	persona persona
	words   words // of the call's language
	abroad  bool  // whether this language is not English
	lines   lines // of whoever answers in place of a willing recipient; English until the line opens
	calls   bool  // is the one who called
	lost    bool  // does not understand the agent's language
	begged  int   // how often the recipient asked for another language

	utterances int            // utterances of the agent that have begun
	spoke      int            // turns of the recipient
	idled      int            // turns that filled a silence
	asked      map[string]int // how often each question was asked
	cutIn      bool           // has interrupted the agent
	dropped    bool           // has broken the line
	done       bool           // has carried out its habit
	parting    bool           // has said goodbye
	parts      []string       // what a machine has still to recite
	recited    int            // how often it began
	returned   bool           // from a transfer that failed
	stage      stage          // of a call that somebody else takes over
}

// stage is how far a call is that a screener answers, or somebody who gets somebody else.
type stage uint8

const (
	unasked   stage = iota // who is calling, or not yet
	fetching               // is about to put the call through
	connected              // the person is on the line
)

// act is an action of the recipient.
type act struct {
	after   time.Duration // in network time
	atLeast time.Duration // in real time
	say     string
	digit   string
	hangUp  bool
	drop    bool // the line breaks
	deaf    bool // acts even if the agent speaks
	habit   bool // what the recipient's habit is; it is tried again if the agent speaks first
}

// graceTime is the least real time before a recipient fills a silence. At high speeds, the product
// needs more network time for a reply than a person would wait.
const graceTime = 1200 * time.Millisecond

func newRecipient(number string, p plan) *recipient {
	return &recipient{number: number, plan: p, persona: personaFor(number), lines: english, asked: map[string]int{}}
}

// spokenTo takes the language that the agent speaks. Who has no language of their own speaks it too.
func (r *recipient) spokenTo(tag string) {
	own := cmp.Or(r.plan.speaks, tag)
	r.lost = r.plan.speaks != "" && baseOf(tag) != r.plan.speaks
	r.words, r.abroad = wordsIn(own)
	r.lines = linesIn(own)
}

// maxBegged is how often a recipient asks for another language before hanging up.
const maxBegged = 3

// begin returns the recipient's act when the given session of the call opens.
func (r *recipient) begin(session int) *act {
	switch {
	case r.plan.habit == leavesGreeting && session == 1:
		return &act{after: 300 * time.Millisecond, say: r.greeting(), deaf: true}
	case r.plan.habit.recites() && session == 1:
		return r.recite(300 * time.Millisecond)
	case r.plan.habit == leavesGreeting || r.plan.habit.recites() || r.plan.silent || r.done:
		return nil
	case session > 1 && r.plan.habit.asksForPerson():
		r.returned = true // from a transfer that failed; the agent begins
		return nil
	case session > 1:
		// The line was interrupted, so the person asks whether the caller is still there.
		return &act{
			after: 4 * time.Second, atLeast: 2 * graceTime, say: r.say("Hello? Are you still there?", r.words.hello),
		}
	}
	return nil // the caller begins
}

// recite begins what a machine has to say, or goes on with it.
func (r *recipient) recite(after time.Duration) *act {
	if len(r.parts) == 0 {
		r.parts, r.recited = r.lines.of(r.persona, r.plan.habit), r.recited+1
	}
	part := r.parts[0]
	r.parts = r.parts[1:]
	return &act{after: after, say: part, deaf: true}
}

const (
	partPause    = 1200 * time.Millisecond // between two parts of a greeting
	menuPause    = 4 * time.Second         // between two rounds of a menu
	menuRounds   = 12
	lateAtLeast  = 4500 * time.Millisecond // until a late detection says what answered
	fetchingTime = 4 * time.Second
)

// beepAfter returns how long a machine takes to say its greeting.
func (r *recipient) beepAfter() time.Duration {
	return r.saidAfter(len(r.greetingParts())) + 500*time.Millisecond
}

// saidAfter returns how long a machine takes to say the first n parts of its greeting.
func (r *recipient) saidAfter(n int) time.Duration {
	parts := r.greetingParts()
	n = min(n, len(parts))
	words := len(strings.Fields(strings.Join(parts[:n], " ")))
	return 300*time.Millisecond + time.Duration(words)*recipientWord + time.Duration(n-1)*partPause
}

func (r *recipient) greetingParts() []string {
	if r.plan.habit.recites() {
		return r.lines.of(r.persona, r.plan.habit)
	}
	return []string{r.greeting()}
}

// greeting is the greeting of a voicemail that says it at once, in the language of the call.
func (r *recipient) greeting() string {
	return r.say(r.persona.greeting(), strings.Join(r.lines.of(r.persona, leavesGreeting), " "))
}

// did records that an act was carried out.
func (r *recipient) did(a *act) {
	switch {
	case !a.habit:
	case r.plan.habit == asksWhy: // and then answers
		r.cutIn = true
	default:
		r.done = true
	}
}

// during returns what the recipient does during an utterance that begins now, if anything, and
// after which share of the utterance. The text is empty unless the whole of it is known.
func (r *recipient) during(text string) (a *act, share float64) {
	r.utterances++
	switch {
	case r.plan.habit == hangsUp && r.calls && text != "" && r.question(text) == "": // a message, which ends soon
		return &act{hangUp: true}, 0.5
	case r.plan.habit == hangsUp && (r.spoke > 0 || r.utterances >= 3):
		return &act{hangUp: true}, 0.5
	case r.plan.habit == interrupts && !r.cutIn:
		r.cutIn = true
		return &act{say: r.say("Sorry, who is this?", r.words.who)}, 0.4
	case r.plan.habit == pressesNine && !r.done && r.utterances >= 2:
		r.done = true
		return &act{digit: "9"}, 0.5
	case r.plan.habit == wantsHumanAndNine && r.spoke > 0 && !r.done:
		r.done = true
		return &act{digit: "9"}, 0.5
	case r.plan.habit == wantsHumanAndStop && r.spoke > 0 && !r.done:
		r.done = true
		return &act{say: r.say("Stop.", r.words.stop)}, 0.2
	case r.plan.habit == pressesOne && !r.cutIn:
		r.cutIn = true
		return &act{digit: "1"}, 0.9
	case r.plan.losesLine && !r.dropped && (r.spoke > 0 || r.utterances >= 3):
		r.dropped = true
		return &act{drop: true}, 0.5
	case r.plan.trouble.losesLines:
		return &act{drop: true}, 0.3
	}
	return nil, 0
}

// silence returns the recipient's act when the agent has finished speaking and waits.
func (r *recipient) silence(heard string) *act {
	if r.done || r.plan.silent || r.plan.habit == leavesGreeting {
		return nil
	}
	if r.lost {
		if r.begged++; r.begged > maxBegged {
			return &act{after: 600 * time.Millisecond, hangUp: true}
		}
		return &act{after: 900 * time.Millisecond, say: r.words.speak}
	}
	switch r.plan.habit {
	case screens, refuses:
		if r.stage == connected {
			break
		}
		if r.stage == fetching { // the agent spoke once more
			return r.after()
		}
		if strings.HasSuffix(heard, "?") {
			return nil // a question is no answer to who is calling
		}
		r.stage = fetching
		return &act{after: 900 * time.Millisecond, say: r.lines.stay}
	case greetsInParts, greetsBriefly, boxFull, boxUnset, listsMenu:
		return r.after()
	case getsSomebody:
		if r.stage == unasked {
			r.stage = fetching
			return &act{after: 700 * time.Millisecond, say: r.pick(r.lines.hold)}
		}
	case isSomebody, mourns, wantsLater, hasNoTime, isChild, wantsHuman, wantsHumanBriefly, wantsHumanShortly,
		wantsHumanAndNine, wantsHumanAndStop:
		if r.returned && r.question(heard) != "" {
			return &act{after: 700 * time.Millisecond, say: r.say("Yes, please.", r.words.answer(r.number, heard, 1))}
		}
		if r.question(heard) == "" || r.spoke >= 3 {
			return nil
		}
		r.spoke++
		return &act{after: 700 * time.Millisecond, say: r.pick(r.lines.refusals(r.plan.habit))}
	case asksWhy:
		if !r.cutIn {
			return &act{after: 800 * time.Millisecond, say: r.say("Why did you call me?", r.words.who), habit: true}
		}
	case pressesNine:
		r.done = true
		return &act{after: 900 * time.Millisecond, digit: "9", deaf: true}
	case saysStop:
		if r.question(heard) == "" && !r.calls { // a message asks callers nothing
			return r.fill(r.say("Yes?", r.words.hello))
		}
		return &act{
			after: 800 * time.Millisecond, say: r.say("Stop. Please stop calling me.", r.words.stop), habit: true,
		}
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
	r.parting = false // the agent goes on
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
	switch r.plan.habit {
	case leavesGreeting, greetsInParts, greetsBriefly:
		if len(r.parts) > 0 {
			return r.recite(partPause)
		}
		return &act{after: time.Minute, atLeast: time.Minute, hangUp: true} // the tape of the machine is full
	case boxFull, boxUnset:
		if len(r.parts) > 0 {
			return r.recite(partPause)
		}
		return &act{after: 6 * time.Second, atLeast: graceTime, hangUp: true}
	case listsMenu:
		switch {
		case len(r.parts) > 0:
			return r.recite(partPause)
		case r.recited < menuRounds:
			return r.recite(menuPause)
		}
		return &act{after: menuPause, hangUp: true}
	case screens, refuses:
		if len(r.parts) > 0 {
			return r.recite(partPause)
		}
		if r.stage == fetching && r.plan.habit == screens {
			r.stage = connected
			return &act{after: fetchingTime, say: r.say("Hello?", r.words.hello)}
		}
	case getsSomebody:
		if r.stage == fetching {
			r.stage = connected
			return &act{after: fetchingTime, say: r.pick(r.lines.second)}
		}
	}
	return nil
}

// keyListed finds the key that a part of a menu lists.
var keyListed = regexp.MustCompile(`[0-9]|\bzero\b`)

// pressed returns the act of a phone menu when the agent presses keys: a person answers behind a key
// that it listed, and it begins again after another key. Nobody else reacts to keys.
func (r *recipient) pressed(digits string) *act {
	if r.plan.habit != listsMenu {
		return nil
	}
	for _, part := range r.greetingParts() {
		key := strings.Replace(keyListed.FindString(part), "zero", "0", 1)
		if key == "" || key != strings.Trim(digits, "wW") {
			continue
		}
		r.plan.habit, r.parts = plan{}.habit, nil
		return &act{after: fetchingTime, say: r.say("Hello?", r.words.hello), deaf: true}
	}
	r.parts = nil
	return r.recite(partPause)
}

// pick is the wording of this recipient.
func (r *recipient) pick(wordings []string) string {
	return strings.ReplaceAll(pick(simulation.Draw(r.number, "wording"), wordings), "{first}", r.persona.first)
}
