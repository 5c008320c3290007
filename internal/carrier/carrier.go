// Package carrier is the contract with a phone network, at the level of turns of speech.
// Audio stays inside the adapter (carrier/twilio), unless somebody listens in. carrier/sandbox is the other side of the
// same protocol.
//
// A Carrier places calls, hangs them up, looks them up, and serves their recordings. The Host
// receives the Events of a call, at least once, in any order and at any process. During an answered
// call, the Host has a Line for it. If the socket of a line is lost, the call may continue. The
// carrier then opens a socket to any process, whose Host receives a new Line for the same call.
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
	// Place requests a call and returns the carrier's ID of the call. The context has the deadline.
	// The adapter never repeats the request. After an error, KindOf(err) says what is certain.
	Place(ctx context.Context, p Placement) (carrierCallID string, err error)

	// Hangup ends a ringing or answered call. If the call has already ended, Hangup returns no
	// error. Errors: ErrUnknownCall.
	Hangup(ctx context.Context, ref Ref) error

	// Lookup asks for the status of a call. Errors: ErrUnknownCall. Any other error says
	// nothing about the call.
	Lookup(ctx context.Context, ref Ref) (Report, error)

	Recordings
	Listening
	Prices
}

// ErrUnknownCall says that the carrier answered and does not have the call. Shortly after an
// ambiguous Place, the carrier may still create the call.
var ErrUnknownCall = errors.New("carrier: no such call")

// Placement is a request to place one call.
type Placement struct {
	CallID      uuid.UUID     // the product's ID; every callback and the line carry it
	From, To    string        // E.164
	RingTimeout time.Duration // how long the phone may ring; whole seconds, rounded up
	MaxDuration time.Duration // how long the call may last after the answer; whole seconds, rounded up
	Detection   Detection     // of machines; without a mode, it is off
	// CallReason is what phones with branded calling show: at most 64 printable ASCII characters. Empty: none.
	CallReason string
	// record from the answer to the end, each side in a separate channel; a Recorded event follows
	Record bool
}

// Ref identifies a call to the carrier that placed it.
type Ref struct {
	CallID        uuid.UUID
	CarrierCallID string    // "" when the answer to Place was lost
	From, To      string    // E.164; with PlacedAfter, they identify a call without CarrierCallID
	PlacedAfter   time.Time // a time just before Place was called
	NotThese      []string  // carrier IDs of other calls to the same number
}

// Number is a phone number that an account has at its carrier.
type Number struct {
	PhoneNumber string // E.164
	Name        string // the account's name for it
}

// AccountState is an account at its carrier.
type AccountState struct {
	Trial  bool   // it calls only verified numbers
	Status string // "active", or as the carrier says
}

// Report is the status of a call as the carrier reports it.
type Report struct {
	CarrierCallID string
	Phase         Phase
	AnsweredBy    AnsweredBy
	Outcome       Outcome       // set when Phase is Over
	Code          string        // the carrier's code, if it gives one
	StartedAt     time.Time     // zero when not reported; whole seconds
	EndedAt       time.Time     // zero when not reported; whole seconds
	Duration      time.Duration // talk time, whole seconds
}

// Phase is the progress of a call.
type Phase string

const (
	Waiting Phase = "waiting" // accepted, not yet ringing
	Alerts  Phase = "ringing"
	Talking Phase = "talking"
	Over    Phase = "over"
)

// Outcome is how a call ended, as the carrier reports it.
type Outcome string

const (
	Completed Outcome = "completed" // answered, and ended
	Busy      Outcome = "busy"
	NoAnswer  Outcome = "no_answer"
	Failed    Outcome = "failed"   // the network could not reach the number
	Canceled  Outcome = "canceled" // at the product's request, before the answer
)

// AnsweredBy is the result of machine detection. It is empty while the result is unknown.
type AnsweredBy string

const (
	Human   AnsweredBy = "human"
	Machine AnsweredBy = "machine"
	Unknown AnsweredBy = "unknown" // detection found no result
)
