// Package carrier is the contract with a phone network, at the level of
// turns of speech: audio stays inside the adapters (carrier/twilio, and
// carrier/sandbox as the other side of the same protocol).
//
// A Carrier is asked to place a call, to hang one up, what became of one, and for
// its recording.
// What happens to a call comes back to the Host as Events, at least once and in
// any order, at any instance. While a call is up the Host is given a Line. The
// socket behind a line may be lost while the call lives on; the carrier then
// opens it again, at whichever instance answers, and that Host is given a new
// Line for the same call.
package carrier

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
)

// Carrier places calls over one connection, with one set of credentials. It is
// safe for concurrent use.
type Carrier interface {
	// Place asks for a call and returns the carrier's id of it. The caller's
	// context carries the deadline. It is never repeated by the adapter.
	// KindOf(err) tells what is certain when it fails.
	Place(ctx context.Context, p Placement) (carrierCallID string, err error)

	// Hangup ends a call: one that rings is canceled, one that is up is hung
	// up. One that has already ended is no error. ErrUnknownCall when the
	// carrier does not know it.
	Hangup(ctx context.Context, ref Ref) error

	// Lookup asks what became of a call. ErrUnknownCall when the carrier does
	// not know it; any other error says nothing about the call.
	Lookup(ctx context.Context, ref Ref) (Report, error)

	Recordings
}

// ErrUnknownCall means the carrier answered, and has no such call. Shortly
// after an ambiguous Place it may only mean "not yet".
var ErrUnknownCall = errors.New("carrier: no such call")

// Placement is one call to be placed.
type Placement struct {
	CallID       uuid.UUID     // ours; every callback and the line carry it
	From, To     string        // E.164
	RingTimeout  time.Duration // how long it may ring; whole seconds, rounded up
	MaxDuration  time.Duration // how long it may talk; whole seconds, rounded up
	LeaveMessage bool          // report a machine when its greeting is over, not as soon as it is known
	Record       bool          // from the answer to the end, each side for itself; Recorded tells when it can be heard
}

// Ref names a call to the carrier that placed it.
type Ref struct {
	CallID        uuid.UUID
	CarrierCallID string    // "" when the answer to Place was lost
	From, To      string    // E.164; with PlacedAfter they find a call without CarrierCallID
	PlacedAfter   time.Time // a moment just before Place was called
	NotThese      []string  // carrier ids known to belong to other calls to the same number
}

// Number is a phone number that an account has at its carrier.
type Number struct {
	PhoneNumber string // E.164
	Name        string // the account's own name of it
}

// Report is the carrier's account of a call.
type Report struct {
	CarrierCallID string
	Phase         Phase
	AnsweredBy    AnsweredBy
	Outcome       Outcome       // set when Phase is Over
	Code          string        // the carrier's own, when it gives one
	StartedAt     time.Time     // zero when not reported; whole seconds
	EndedAt       time.Time     // zero when not reported; whole seconds
	Duration      time.Duration // talk time, whole seconds
}

// Phase is how far a call has come.
type Phase string

const (
	Waiting Phase = "waiting" // accepted, not yet ringing
	Alerts  Phase = "ringing"
	Talking Phase = "talking"
	Over    Phase = "over"
)

// Outcome is how a call ended, in the carrier's eyes.
type Outcome string

const (
	Completed Outcome = "completed" // was answered and has ended
	Busy      Outcome = "busy"
	NoAnswer  Outcome = "no_answer"
	Failed    Outcome = "failed"   // the network could not reach the number
	Canceled  Outcome = "canceled" // by us, before it was answered
)

// AnsweredBy is the result of machine detection; empty while it is not known.
type AnsweredBy string

const (
	Human   AnsweredBy = "human"
	Machine AnsweredBy = "machine"
	Unknown AnsweredBy = "unknown" // detection ran and could not tell
)
