package sandbox

import (
	"cmp"
	"regexp"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

// plan determines the course of a call to a number. It depends only on the number, so all calls to
// a number have the same course.
type plan struct {
	refusal   *refusal      // the answer to the dial request; nil: it is accepted
	vanishes  bool          // accepted, but the call is unknown afterwards
	fails     bool          // accepted, but the phone network does not know the number
	busy      bool          //
	noAnswer  bool          // rings until the caller gives up
	ring      time.Duration // until the answer
	voicemail bool          // a machine answers
	late      bool          // and detection takes long to say so
	hasty     bool          // calls, and hangs up before the call is answered
	silent    bool          // picks up and says nothing
	shuffles  bool          // callbacks come twice and out of order
	losesLine bool          // the WebSocket breaks once during the conversation
	trouble   trouble       // how the line fails
	pricing   pricing       // when the price is known
	habit     habit
	speaks    string // the only language that the recipient understands, as in abroad; empty: the agent's

	attestation string // of the calling number (STIR/SHAKEN); empty: full
	unattested  bool   // the network reports no attestation
}

// habit is the behavior of a recipient in a call.
type habit uint8

const (
	answers        habit = iota // talks to the end
	hangsUp                     // hangs up in the middle of a sentence
	interrupts                  // cuts in on the first sentence, then talks to the end
	pressesNine                 //
	saysStop                    //
	keepsSilence                //
	leavesGreeting              // a machine: says its greeting, then records

	// What answers in place of the recipient. It recites its part, whoever speaks.
	greetsInParts // a voicemail: says its greeting in several utterances, then records
	greetsBriefly // the same, and its words don't ask for a message
	boxFull       // a voicemail that takes no message
	boxUnset      // a voicemail that was not set up
	screens       // a call screener that puts the call through when it knows who is calling
	refuses       // a call screener that never does
	listsMenu     // a phone menu

	// Persons who don't answer questions.
	getsSomebody // asks to wait, and somebody else comes to the phone
	isSomebody   // has the number of somebody else
	mourns       // says that the recipient has died
	wantsLater   // is driving, and wants to be called in an hour
	hasNoTime    //
	isChild      //

	// Persons who call.
	asksWhy    // why they were called, and then answers
	pressesOne // when they are spoken to

	// Persons who want to talk to a person.
	wantsHuman        //
	wantsHumanBriefly // and hangs up while the person hears who is calling
	wantsHumanShortly // and hangs up on the person
	wantsHumanAndNine // and presses 9 while the agent says that it connects the two
	wantsHumanAndStop // and says stop meanwhile
)

// recites reports whether a machine with parts to say has the habit.
func (h habit) recites() bool { return h >= greetsInParts && h <= listsMenu }

// asksForPerson reports whether somebody with the habit asks for a person.
func (h habit) asksForPerson() bool { return h >= wantsHuman }

// refusal is Twilio's answer to a dial request that it refuses.
type refusal struct {
	status, code int
	message      string
}

// magic matches the reserved block, +1 500 5oo nnnn with any nnnn.
var magic = regexp.MustCompile(`^\+15005(\d\d)\d{4}$`)

func planFor(to string) plan {
	r := simulation.Draw(to)
	ring := time.Duration(1500+r.IntN(4500)) * time.Millisecond
	m := magic.FindStringSubmatch(to)
	for _, o := range outcomes {
		if m == nil || o.digits != m[1] {
			continue
		}
		p := o.plan
		p.ring = cmp.Or(p.ring, ring)
		return p
	}
	return plan{ring: ring, busy: r.IntN(10) == 0} // any other number answers, or is sometimes busy
}
