package conversation

// Input is what happens on a line: one of Prompt, Digit, Interrupted,
// MachineDetected, Silence and Closed.
type Input interface{ input() }

// Prompt is what the recipient said, a finished utterance in words.
type Prompt struct{ Text string }

// Digit is a key the recipient pressed: "0" to "9", "*" or "#".
type Digit struct{ Digit string }

// Interrupted tells that the last Say was cut off, and what was heard of it.
// It comes before the Prompt that cut it.
type Interrupted struct{ Spoken string }

// MachineDetected tells that a machine took the call. MessageEnd: its greeting
// is over and it records now.
type MachineDetected struct{ MessageEnd bool }

// Silence tells that nothing was heard for a while after the agent spoke.
type Silence struct{}

// Closed tells that the call is over. A socket that broke while the call lives
// on is none: keep the state, and Resume when the line comes back.
type Closed struct{}

func (Prompt) input()          {}
func (Digit) input()           {}
func (Interrupted) input()     {}
func (MachineDetected) input() {}
func (Silence) input()         {}
func (Closed) input()          {}

// Action is what to do now: one of Say, Flush, RecordAnswer, OptOut and HangUp,
// to be done in the order given.
type Action interface{ action() }

// Say speaks a text.
type Say struct {
	Text          string
	Interruptible bool
}

// Flush drops what is being said, and what waits to be.
type Flush struct{}

// RecordAnswer tells how a question was answered. The State holds it too.
type RecordAnswer struct {
	Key   string
	Value any    // bool, float64, string; nil when it was not understood
	Text  string // what was said or typed
}

// OptOut tells that the recipient asked not to be called again.
type OptOut struct {
	How  How
	Text string // what was said; empty when a key was pressed
}

// How somebody asked not to be called again.
type How string

const (
	ByKey    How = "digit"
	BySpeech How = "speech"
)

// HangUp ends the call once everything said before has been played.
type HangUp struct{ Reason Ending }

func (Say) action()          {}
func (Flush) action()        {}
func (RecordAnswer) action() {}
func (OptOut) action()       {}
func (HangUp) action()       {}

// Ending is why a conversation ended.
type Ending string

const (
	Completed   Ending = "completed"         // the script came to its goodbye
	OptedOut    Ending = "opt_out"           // asked not to be called again
	Unanswered  Ending = "silence"           // nothing was heard, asked again, nothing was heard
	SaidGoodbye Ending = "said_goodbye"      // the recipient said goodbye
	TooLong     Ending = "limit"             // more went to and fro than any script needs
	Voicemail   Ending = "voicemail"         // a machine; nothing was said to it
	MessageLeft Ending = "message_left"      // a machine; the message was spoken
	HungUp      Ending = "recipient_hung_up" // the call was over before the conversation
)
