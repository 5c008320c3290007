package sandbox

import (
	"net/http"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

// outcomes are the outcomes of the reserved block, by the digits that choose them. A new outcome needs
// its row here and in the README. The pages at /docs list this table.
//
// Refusals are those of https://www.twilio.com/docs/api/errors
var outcomes = []struct {
	digits, text string
	plan         plan
}{
	{"00", "answers and talks to the end", plan{}},
	{"01", "is busy", plan{busy: true}},
	{"02", "does not answer", plan{noAnswer: true}},
	{"03", "voicemail answers", plan{voicemail: true, habit: leavesGreeting}},
	{"04", "hangs up mid-sentence", plan{habit: hangsUp}},
	{"05", "interrupts the agent", plan{habit: interrupts}},
	{"06", "presses 9 to opt out", plan{habit: pressesNine}},
	{"07", "says stop to opt out", plan{habit: saysStop}},
	{"08", "the network rejects the number at once", plan{refusal: &refusal{
		http.StatusBadRequest, 21217, "Phone number does not appear to be valid",
	}}},
	{"09", "the network never reports back, and the call is closed after a minute", plan{vanishes: true}},
	{"10", "the network reports everything twice and out of order", plan{shuffles: true}},
	{"11", "the line drops during the conversation and comes back", plan{losesLine: true}},
	{"12", "picks up and says nothing", plan{silent: true, habit: keepsSilence}},
	{"13", "picks up after 25 seconds", plan{ring: 25 * time.Second}},
	{
		"14", "voicemail answers with a greeting in several utterances, and detection reports it late",
		plan{voicemail: true, late: true, habit: greetsInParts},
	},
	{
		"15", "the same, with a greeting that does not ask for a message",
		plan{voicemail: true, late: true, habit: greetsBriefly},
	},
	{"16", "the mailbox is full", plan{voicemail: true, late: true, habit: boxFull}},
	{"17", "the mailbox is not set up", plan{voicemail: true, late: true, habit: boxUnset}},
	{"18", "a call screener answers and puts the call through when it knows who is calling", plan{habit: screens}},
	{"19", "a call screener answers and puts nobody through", plan{habit: refuses}},
	{"20", "a phone menu answers, with a person behind its keys", plan{habit: listsMenu}},
	{"21", "a person asks to hold, and a second person comes to the phone", plan{habit: getsSomebody}},
	{"22", "says that the number is wrong", plan{habit: isSomebody}},
	{"23", "says that the recipient has died", plan{habit: mourns}},
	{"24", "is driving and asks to be called back in an hour", plan{habit: wantsLater}},
	{"25", "has no time to talk", plan{habit: hasNoTime}},
	{"26", "a child answers", plan{habit: isChild}},
	{"27", "asks for a person", plan{habit: wantsHuman}},
	{"28", "speaks only Spanish and talks to the end, if the agent speaks Spanish too", plan{speaks: "es"}},
	{"29", "speaks only Spanish, and says stop in Spanish to opt out", plan{speaks: "es", habit: saysStop}},
	{"30", "answers, but the line to the agent cannot open: 64101", plan{trouble: trouble{relay: "64101"}}},
	{"31", "answers, but every attempt to connect the line fails: 64102", plan{trouble: trouble{relay: "64102"}}},
	{"32", "the line breaks again and again: 64105", plan{trouble: trouble{losesLines: true}}},
	{
		"33", "the line opens only with the default voice and transcription: 64106",
		plan{trouble: trouble{relay: "64106", ofVoice: true}},
	},
	{
		"34", "every sentence after the first is refused and not spoken: 64107",
		plan{trouble: trouble{refusesWords: true}},
	},
	{
		"35", "answers, but no callback reaches the server, as with a wrong public URL",
		plan{trouble: trouble{unreachable: true}},
	},
	{"36", "the line cannot open with any voice: 64106", plan{trouble: trouble{relay: "64106"}}},
	{"40", "refused: 21219, a trial account calls only verified numbers", plan{refusal: &refusal{
		http.StatusBadRequest, 21219,
		"The number is unverified. Trial accounts may only make calls to verified numbers.",
	}}},
	{"41", "refused: 21215, the account may not call this country", plan{refusal: &refusal{
		http.StatusBadRequest, 21215,
		"Account not authorized to call this number. Perhaps you need to enable some international permissions.",
	}}},
	{"42", "refused: 21408 with status 403, the account may not call this country", plan{refusal: &refusal{
		http.StatusForbidden, 21408, "Permission to call the region of the 'To' number has not been enabled.",
	}}},
	{"43", "refused: 21210, the calling number is not verified", plan{refusal: &refusal{
		http.StatusBadRequest, 21210, "The source phone number provided is not yet verified for your account.",
	}}},
	{"44", "refused: 20003 with status 401, wrong credentials", plan{refusal: &refusal{
		http.StatusUnauthorized, 20003, "Authenticate",
	}}},
	{"45", "refused: 29999 with status 403, a code that Dialwright does not know", plan{refusal: &refusal{
		http.StatusForbidden, 29999, "Outgoing calls are suspended while the account is under review.",
	}}},
	{"46", "is accepted and fails: 32011 without a message, and SIP status 404", plan{fails: true}},
	{"50", "answers and talks to the end, and the price is known only after 40 minutes", plan{pricing: lately}},
	{"51", "answers and talks to the end, and the price is never known", plan{pricing: never}},
	{"52", "answers and talks to the end, and the price is doubled after two hours", plan{pricing: corrected}},
	{"60", "answers, and the network attests the calling number with C only", plan{attestation: "C"}},
	{"61", "answers, and the network reports no attestation of the calling number", plan{unattested: true}},
	{
		"64", "asks for a person, and hangs up while the person hears who is calling",
		plan{habit: wantsHumanBriefly},
	},
	{"65", "asks for a person, and hangs up on that person", plan{habit: wantsHumanShortly}},
	{"66", "asks for a person, and presses 9 before the call is transferred", plan{habit: wantsHumanAndNine}},
	{"67", "asks for a person, and says stop before the call is transferred", plan{habit: wantsHumanAndStop}},
}

// Outcomes lists what a caller can choose with the number to call.
func Outcomes() (all []simulation.Outcome) {
	for _, o := range outcomes {
		all = append(all, simulation.Outcome{Digits: o.digits, Text: o.text})
	}
	return all
}
