package conversation

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/model"
)

// Input is an event on a line: one of Prompt, Digit, Interrupted, MachineDetected,
// Silence, TakenOver, Untransferred and Closed, and in a conversation that a model holds, Played, Thought, Unthought,
// ToolAnswered, Noted and TimeUp.
type Input interface{ input() }

// Prompt is a finished utterance of the recipient, as text. At is the time in the
// recipient's time zone. Without it, no time of a callback is understood.
type Prompt struct {
	Text     string
	Language string // BCP 47, as recognized; empty: unknown
	At       time.Time
}

// Digit is a key that the recipient pressed: "0" to "9", "*" or "#".
type Digit struct{ Digit string }

// Interrupted reports that the recipient interrupted the last Say. Spoken is the part
// that was played. It comes before the Prompt of the interruption.
type Interrupted struct {
	Spoken string
	Given  string // in a conversation that a model holds: what was given to the line
	// ConnectionID is the connection whose answer was interrupted, if it was still coming. Nil: unknown.
	ConnectionID uuid.UUID
}

// MachineDetected reports that voicemail answered the call. MessageEnd means that its
// greeting is over and the recording runs.
type MachineDetected struct{ MessageEnd bool }

// Silence reports that the recipient said nothing for a while after the agent spoke.
type Silence struct{}

// Played reports how much of a Say or of the words of a Thought was played, in a
// conversation that a model holds. Interrupted reports it instead if the recipient
// interrupted the last one.
type Played struct {
	Given string // what was given to the line
	Text  string // the part that was played
}

// Thought is the model's answer to Think, when all its words were given to the line.
type Thought struct {
	Text     string           // the words that were given to the line
	Withheld string           // why words were left out: what must not be spoken; "": none were
	Calls    []model.ToolCall // of tools
	Finish   model.Finish
	Broken   bool // the model failed in the middle
	Usage    model.Usage
	Others   []Used // of connections that were asked too, and whose answer was dropped
	Model    string // as its server names it
	// ConnectionID is the connection that answered.
	ConnectionID uuid.UUID
	At           time.Time // in the recipient's time zone; zero: unknown
}

// Unthought reports that no model answered Think in time.
type Unthought struct {
	Sorry bool // the recipient was asked to repeat while the model was late
}

// ToolAnswered reports the result of an OpenCall.
type ToolAnswered struct {
	Number int               // of the call
	Result json.RawMessage   // for the model, at most 5,000 bytes; anything else: the tool was not available
	Values map[string]string // variables that the result sets
}

// TimeUp reports that the call has lasted the state's MaxTime.
type TimeUp struct{}

// Closed reports the end of the call. A broken socket during a call is not its end: keep
// the state, and call Resume when the line is back.
type Closed struct{}

func (Prompt) input()          {}
func (Digit) input()           {}
func (Interrupted) input()     {}
func (MachineDetected) input() {}
func (Silence) input()         {}
func (Played) input()          {}
func (Thought) input()         {}
func (Unthought) input()       {}
func (ToolAnswered) input()    {}
func (TimeUp) input()          {}
func (Closed) input()          {}

// Action is a step for the line: one of Say, Flush, RecordAnswer, OptOut, HangUp, Think, Press,
// UsedTool, Transfer, Note and GaveNote. The caller executes actions in the given order. The OpenCalls of the State are
// to be carried out too.
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

// Think asks the model with the state's Request, and speaks its words as they come. It
// replaces a Think whose answer is not complete, and the words of its answer that nobody heard.
type Think struct{}

// Press sends keys to the other side, such as a phone menu: 0 to 9, *, # and w for half a second.
type Press struct{ Digits string }

// UsedTool reports that the model called a tool, for the transcript.
type UsedTool struct{ Name string }

// Note says in the transcript what became of the model's part.
type Note struct{ Text string }

func (Note) action()         {}
func (Press) action()        {}
func (UsedTool) action()     {}
func (Say) action()          {}
func (Think) action()        {}
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
	SaidGoodbye Ending = "said_goodbye"      // the recipient said goodbye, or could not opt out
	TooLong     Ending = "limit"             // more turns than any script needs
	Voicemail   Ending = "voicemail"         // voicemail; the agent left no message
	MessageLeft Ending = "message_left"      // voicemail; the agent left its message
	Screened    Ending = "screened"          // a call screener did not put the call through
	MenuReached Ending = "menu"              // a phone menu, and nobody behind it
	HungUp      Ending = "recipient_hung_up" // the call ended before the conversation

	NoCapacity Ending = "no_capacity" // nobody could talk with a caller, who was told so

	ModelFailed  Ending = "model_failed"  // no model answered, and there was nothing to ask without one
	ModelBudget  Ending = "model_budget"  // the model used all that one call may use
	ModelRefused Ending = "model_refused" // the model would not answer, or said what it must not

	// An Intent of a person is the Ending of the conversation that it ended.
)

// ByMachine reports whether the conversation ended because a machine answered.
func (e Ending) ByMachine() bool {
	return e == Voicemail || e == MessageLeft || e == Screened || e == MenuReached
}
