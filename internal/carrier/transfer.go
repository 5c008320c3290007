package carrier

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// A transfer connects the recipient of an answered call with a person at another phone. The carrier has both phones
// in its hands all the time, so nobody is lost when a process of the product dies: after the end of a line by
// Line.Transfer, and after the end of a Dial, the carrier asks what comes next, until it gets an answer from any
// process. The product answers from what it stored before. It must expect each question more than once, and the
// questions about the two phones in any order.

// Transferrer is the part of Host that transfers calls.
type Transferrer interface {
	// Proceed returns what comes next on an answered call whose line ended by Line.Transfer. Errors: ErrNotAdmitted
	// for a call that must not continue.
	Proceed(ctx context.Context, connectionID, callID uuid.UUID) (Next, error)

	// Whisper returns what the person hears who answered a Dial, before they are connected. It is called when they
	// answer, and then once for each key and each silence. The recipient hears ringing meanwhile. Errors: only those
	// of the product.
	Whisper(ctx context.Context, connectionID, callID uuid.UUID, p Pressed) (Whisper, error)

	// Returned reports that a Dial has ended, and returns what comes next on the call. Errors: ErrNotAdmitted for a
	// call that is over or must not continue.
	Returned(ctx context.Context, connectionID, callID uuid.UUID, e DialEnd) (Next, error)
}

// Next is what comes next on an answered call that has no line.
type Next struct {
	Dial *Dial // nil: a line is opened, with Manner
	// Resume goes on with the recording that Dial.Pause interrupted.
	Resume bool
	Manner Manner
}

// Dial connects an answered call with another phone. The recipient hears ringing until somebody is connected.
type Dial struct {
	Transfer    int           // the product's number of the transfer in the call; all questions about it name it
	To          string        // E.164, or a SIP address
	From        string        // E.164; what the other phone shows
	RingTimeout time.Duration // whole seconds, rounded up
	MaxDuration time.Duration // of the conversation; whole seconds, rounded up
	Record      bool          // record from the connection to the end a call that is not recorded
	Pause       bool          // interrupt the recording of the call; if that fails, the Dial fails
}

// Pressed is what the person at the other phone did.
type Pressed struct {
	Transfer      int    // of the Dial
	Turn          int    // 0: answered; from 1: after each whisper that waited for a key
	Key           string // "0" to "9", "*" or "#"; empty: none
	CarrierCallID string // of the call to the other phone, which has a price of its own
}

// Whisper is what the person hears who answered a Dial. After the text they are connected or hung up on, unless it
// waits for a key.
type Whisper struct {
	Language string // BCP 47, of Text
	Text     string // empty: nothing
	Then     Then
}

// Then is what follows the text of a Whisper.
type Then string

const (
	HangUpOn Then = "hang_up"
	WaitFor  Then = "wait" // for a key, also during the text
	Connect  Then = "connect"
)

// DialEnd is how a Dial ended.
type DialEnd struct {
	Transfer int // of the Dial
	// Outcome is how the other phone was reached: Completed if somebody answered, even if they hung up before they were
	// connected.
	Outcome Outcome
	// Apart is true when the carrier says that the two were never connected.
	Apart bool
	Over  bool // the call has ended too, by the recipient or by its limit
}
