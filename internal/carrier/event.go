package carrier

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// EventKind is what happened to a call.
type EventKind string

const (
	Accepted EventKind = "accepted" // the carrier has the call; gives the ID if the answer to Place was lost
	Ringing  EventKind = "ringing"
	Answered EventKind = "answered"
	Detected EventKind = "detected" // machine detection has a result, which may be "human"
	Ended    EventKind = "ended"
	Recorded EventKind = "recorded" // the recording is finished; may come before Ended
	// LineFailed: no line opened, or the line failed and none could be opened again. The
	// carrier ends the call; Ended follows, or came already.
	LineFailed EventKind = "line_failed"
	// Forwarded: the dial of a forwarded call is over. Its Outcome is Completed if the two talked.
	Forwarded EventKind = "forwarded"
)

// Event is something that happened to a call. Events come at least once, in any order and at
// any process. So the receiver is a state machine whose terminal states never regress.
type Event struct {
	ConnectionID  uuid.UUID // the connection whose signature the event has; the call must belong to it
	CallID        uuid.UUID // nil: the incoming call with this CarrierCallID
	CarrierCallID string
	Kind          EventKind
	Sequence      int       // the carrier's order within the call; -1: unknown
	At            time.Time // by the carrier's clock; without it, the time of receipt

	Attestation Attestation // for Ringing and Answered; empty: not reported

	AnsweredBy AnsweredBy // for Detected
	MessageEnd bool       // for Detected, of a machine: the greeting is over and the machine records

	Outcome Outcome // for Ended
	// for Ended and LineFailed: the carrier's code, if it gives one; for Ended also "sip_" and the SIP status
	Code      string
	SIPStatus string        // for Ended: the SIP status of the phone network ("404"), if it says more than Outcome
	Detail    string        // for Ended and LineFailed: Code in words
	Duration  time.Duration // for Ended: talk time as the carrier reports it, whole seconds

	Recording Recording // for Recorded

	OtherCallID string // for Forwarded: the carrier's ID of the call to the number; empty: nobody answered there
}

// Attestation is how far the carrier attests to the called network that the caller may use the
// calling number (STIR/SHAKEN, RFC 8588).
type Attestation string

const (
	FullAttestation    Attestation = "A" // the carrier knows the caller, who may use the number
	PartialAttestation Attestation = "B" // the carrier knows the caller, but not whether they may use the number
	GatewayAttestation Attestation = "C" // the carrier only passes the call on
)

// Host is the product as an adapter sees it. Any process serves any call.
type Host interface {
	// Receive is called when a call comes in, before the carrier answers it. It stores the call, and returns
	// what to do with it. Carriers repeat the request, at any process and at the same time: the call is stored
	// once. ErrNotAdmitted says that the called number is not the connection's: the call is rejected.
	Receive(ctx context.Context, in Incoming) (Reception, error)

	// Deliver applies an event. It returns when the event is stored. After an error, the
	// carrier may or may not send the event again.
	Deliver(ctx context.Context, e Event) error

	// Admit is called before the carrier gets instructions for an answered call, and again
	// before a line is opened or reopened. After ErrNotAdmitted (a call that is unknown,
	// has ended, or belongs to another connection) the adapter hangs up and refuses the
	// line.
	Admit(ctx context.Context, connectionID, callID uuid.UUID) (Manner, error)

	// Converse runs the conversation on a line. It returns when the conversation is over or the
	// line is closed. If it returns without Line.Hangup while the line is open, the adapter closes
	// the socket and the call continues, so that another process can take over. A new line for a
	// call replaces an older line that is still open.
	Converse(ctx context.Context, connectionID, callID uuid.UUID, line Line)

	Transferrer
	Listener
}

// ErrNotAdmitted is the error of Host.Admit for a call that must not continue.
var ErrNotAdmitted = errors.New("carrier: call is not admitted")

// Manner has the settings of a conversation that the carrier needs.
type Manner struct {
	Language string // BCP 47, "en-US"; empty: the carrier's default
	Speech   speech.Settings
	Trouble  string // what the carrier itself says before it hangs up because no line opens; empty: nothing
	// Others are the languages to which Line.Language may change, besides Language.
	Others []Voice
}

// Voice is how the agent sounds and hears in a language.
type Voice struct {
	Language string // BCP 47
	Engines  speech.Engines
}

// Named reports whether the manner names a voice or a transcription, which the carrier may refuse.
func (m Manner) Named() bool {
	return m.Speech.Named() || slices.ContainsFunc(m.Others, func(v Voice) bool {
		return v.Engines != speech.Engines{}
	})
}

// Unnamed returns the manner without voices and transcriptions, so that the carrier's defaults for the
// languages apply.
func (m Manner) Unnamed() Manner {
	m.Speech, m.Others = m.Speech.Unnamed(), slices.Clone(m.Others)
	for i := range m.Others {
		m.Others[i].Engines = speech.Engines{}
	}
	return m
}
