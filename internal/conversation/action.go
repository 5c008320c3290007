package conversation

import "time"

// Input is an event on a line: one of Prompt, Digit, Interrupted, MachineDetected,
// Silence and Closed.
type Input interface{ input() }

// Prompt is a finished utterance of the recipient, as text. At is the time in the
// recipient's time zone. Without it, no time of a callback is understood.
type Prompt struct {
	Text string
	At   time.Time
}

// Digit is a key that the recipient pressed: "0" to "9", "*" or "#".
type Digit struct{ Digit string }

// Interrupted reports that the recipient interrupted the last Say. Spoken is the part
// that was played. It comes before the Prompt of the interruption.
type Interrupted struct{ Spoken string }

// MachineDetected reports that voicemail answered the call. MessageEnd means that its
// greeting is over and the recording runs.
type MachineDetected struct{ MessageEnd bool }

// Silence reports that the recipient said nothing for a while after the agent spoke.
type Silence struct{}

// Closed reports the end of the call. A broken socket during a call is not its end: keep
// the state, and call Resume when the line is back.
type Closed struct{}

func (Prompt) input()          {}
func (Digit) input()           {}
func (Interrupted) input()     {}
func (MachineDetected) input() {}
func (Silence) input()         {}
func (Closed) input()          {}

// Action is a step for the line: one of Say, Flush, RecordAnswer, OptOut and HangUp. The
// caller executes actions in the given order.
type Action interface{ action() }

// Say speaks a text.
type Say struct {
	Text          string
	Interruptible bool
}

// Flush drops the current speech and all queued speech.
type Flush struct{}

// RecordAnswer reports the answer to a question. The State contains it too.
type RecordAnswer struct {
	Key   string
	Value any    // bool, float64, string; nil if not understood
	Text  string // spoken or typed text
}

// OptOut reports that the recipient asked not to be called again.
type OptOut struct {
	How  How
	Text string // spoken text; empty if a key was pressed
}

// How is the way in which a recipient opted out.
type How string

const (
	ByKey    How = "digit"
	BySpeech How = "speech"
)

// HangUp ends the call after all queued speech has been played.
type HangUp struct{ Reason Ending }

func (Say) action()          {}
func (Flush) action()        {}
func (RecordAnswer) action() {}
func (OptOut) action()       {}
func (HangUp) action()       {}

// Ending is why a conversation ended.
type Ending string

const (
	Completed   Ending = "completed"         // the script reached its goodbye
	OptedOut    Ending = "opt_out"           // the recipient asked not to be called again
	Unanswered  Ending = "silence"           // the recipient stayed silent
	SaidGoodbye Ending = "said_goodbye"      // the recipient said goodbye
	TooLong     Ending = "limit"             // more turns than any script needs
	Voicemail   Ending = "voicemail"         // voicemail; the agent left no message
	MessageLeft Ending = "message_left"      // voicemail; the agent left its message
	Screened    Ending = "screened"          // a call screener did not put the call through
	MenuReached Ending = "menu"              // a phone menu, and nobody behind it
	HungUp      Ending = "recipient_hung_up" // the call ended before the conversation

	// An Intent of a person is the Ending of the conversation that it ended.
)

// ByMachine reports whether the conversation ended because a machine answered.
func (e Ending) ByMachine() bool {
	return e == Voicemail || e == MessageLeft || e == Screened || e == MenuReached
}
