package sandbox

import "github.com/dialwright/dialwright/internal/simulation"

// Outcomes lists what a sender can choose with the recipient's number: in the reserved block
// +1 500 5oo 9mmn, with any oo (which determines the outcome of a call) and any n, mm selects the
// outcome of a message.
func Outcomes() []simulation.Outcome {
	return []simulation.Outcome{
		{Digits: "00", Text: "is delivered and read"},
		{Digits: "01", Text: "reaches WhatsApp's servers but no phone"},
		{Digits: "02", Text: "is delivered but never read"},
		{Digits: "03", Text: "is read, without a `delivered` status"},
		{Digits: "04", Text: "every status arrives twice and out of order"},
		{Digits: "05", Text: "is delivered, then fails on another device"},
		{Digits: "06", Text: "fails after it was accepted: 131026, not on WhatsApp"},
		{Digits: "07", Text: "fails after it was accepted: 131049, too much marketing"},
		{Digits: "08", Text: "is held for a template check, then fails: 132015"},
		{Digits: "09", Text: "is accepted, and no status ever arrives"},
		{Digits: "10", Text: "refused: 131026, not on WhatsApp"},
		{Digits: "11", Text: "refused: 131050, opted out of marketing messages"},
		{Digits: "12", Text: "refused: 131049, too much marketing"},
		{Digits: "13", Text: "refused: 130472, part of an experiment"},
		{Digits: "14", Text: "refused: 131009, invalid value"},
		{Digits: "20", Text: "refused twice, then accepted: 131056, too many messages to one recipient"},
		{Digits: "21", Text: "refused twice, then accepted: 130429, too many messages, Retry-After: 1"},
		{Digits: "22", Text: "refused twice, then accepted: 131016, overloaded"},
		{Digits: "23", Text: "refused twice, then accepted: 80007, too many requests, Retry-After: 1"},
		{Digits: "24", Text: "always refused: 131000, something went wrong"},
		{Digits: "30", Text: "refused: 131048, spam rate limit"},
		{Digits: "31", Text: "refused: 131031, the account is locked"},
		{Digits: "32", Text: "refused: 131042, payment"},
		{Digits: "33", Text: "refused: 133010, the number is not registered"},
		{Digits: "34", Text: "refused: 100 with subcode 33, no such number"},
		{Digits: "40", Text: "refused: 190, the token has expired"},
		{Digits: "41", Text: "refused: 10, no permission"},
		{Digits: "42", Text: "refused: 131005, no access"},
		{Digits: "43", Text: "refused: 0, not authenticated"},
		{Digits: "50", Text: "refused: 132000, wrong number of variables"},
		{Digits: "51", Text: "refused: 132001, no such template"},
		{Digits: "52", Text: "refused: 132015, the template is paused"},
		{Digits: "53", Text: "refused: 132016, the template is disabled"},
		{Digits: "54", Text: "refused: 132012, wrong format of a variable"},
		{Digits: "60", Text: "an empty 500, not accepted"},
		{Digits: "61", Text: "an empty 500, accepted anyway"},
		{Digits: "62", Text: "the connection breaks, not accepted"},
		{Digits: "63", Text: "the connection breaks, accepted anyway"},
		{Digits: "64", Text: "an unreadable response, accepted"},
		{Digits: "65", Text: "no response for a minute of real time, accepted"},
		{Digits: "66", Text: "a 500 with code 1, accepted anyway"},
		{Digits: "70", Text: "replies STOP"},
		{Digits: "71", Text: "replies with a question"},
		{Digits: "72", Text: "taps the first button"},
		{Digits: "73", Text: "opts out of marketing messages in WhatsApp itself"},
	}
}
