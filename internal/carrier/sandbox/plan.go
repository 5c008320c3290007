package sandbox

import (
	"net/http"
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
	silent    bool          // picks up and says nothing
	shuffles  bool          // callbacks come twice and out of order
	losesLine bool          // the WebSocket breaks once during the conversation
	trouble   trouble       // how the line fails
	habit     habit
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
	wantsHuman   //
)

// recites reports whether a machine with parts to say has the habit.
func (h habit) recites() bool { return h >= greetsInParts && h <= listsMenu }

// refusal is Twilio's answer to a dial request that it refuses.
type refusal struct {
	status, code int
	message      string
}

// refusals are the answers to dial requests, by the outcome in the number.
// https://www.twilio.com/docs/api/errors
var refusals = map[string]*refusal{
	"08": {http.StatusBadRequest, 21217, "Phone number does not appear to be valid"},
	"40": {
		http.StatusBadRequest, 21219,
		"The number is unverified. Trial accounts may only make calls to verified numbers.",
	},
	"41": {
		http.StatusBadRequest, 21215,
		"Account not authorized to call this number. Perhaps you need to enable some international permissions.",
	},
	"42": {http.StatusForbidden, 21408, "Permission to call the region of the 'To' number has not been enabled."},
	"43": {http.StatusBadRequest, 21210, "The source phone number provided is not yet verified for your account."},
	"44": {http.StatusUnauthorized, 20003, "Authenticate"},
	"45": {http.StatusForbidden, 29999, "Outgoing calls are suspended while the account is under review."},
}

// magic matches the reserved block, +1 500 5oo nnnn with any nnnn.
var magic = regexp.MustCompile(`^\+15005(\d\d)\d{4}$`)

func planFor(to string) plan {
	r := simulation.Draw(to)
	p := plan{ring: time.Duration(1500+r.IntN(4500)) * time.Millisecond}
	outcome := ""
	if m := magic.FindStringSubmatch(to); m != nil {
		outcome = m[1]
	}
	switch outcome {
	case "00":
	case "01":
		p.busy = true
	case "02":
		p.noAnswer = true
	case "03":
		p.voicemail, p.habit = true, leavesGreeting
	case "04":
		p.habit = hangsUp
	case "05":
		p.habit = interrupts
	case "06":
		p.habit = pressesNine
	case "07":
		p.habit = saysStop
	case "08", "40", "41", "42", "43", "44", "45":
		p.refusal = refusals[outcome]
	case "09":
		p.vanishes = true
	case "10":
		p.shuffles = true
	case "11":
		p.losesLine = true
	case "12":
		p.silent, p.habit = true, keepsSilence
	case "13":
		p.ring = 25 * time.Second
	case "14":
		p.voicemail, p.late, p.habit = true, true, greetsInParts
	case "15":
		p.voicemail, p.late, p.habit = true, true, greetsBriefly
	case "16":
		p.voicemail, p.late, p.habit = true, true, boxFull
	case "17":
		p.voicemail, p.late, p.habit = true, true, boxUnset
	case "18":
		p.habit = screens
	case "19":
		p.habit = refuses
	case "20":
		p.habit = listsMenu
	case "21":
		p.habit = getsSomebody
	case "22":
		p.habit = isSomebody
	case "23":
		p.habit = mourns
	case "24":
		p.habit = wantsLater
	case "25":
		p.habit = hasNoTime
	case "26":
		p.habit = isChild
	case "27":
		p.habit = wantsHuman
	case "30":
		p.trouble.relay = "64101"
	case "31":
		p.trouble.relay = "64102"
	case "32":
		p.trouble.losesLines = true
	case "33":
		p.trouble.relay, p.trouble.ofVoice = "64106", true
	case "34":
		p.trouble.refusesWords = true
	case "35":
		p.trouble.unreachable = true
	case "36":
		p.trouble.relay = "64106"
	case "46":
		p.fails = true
	default: // any other number answers, or is sometimes busy
		p.busy = r.IntN(10) == 0
	}
	return p
}
