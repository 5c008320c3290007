package carrier

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
)

// EventKind says what happened to a call.
type EventKind string

const (
	Accepted EventKind = "accepted" // the carrier has the call; carries its id when the answer to Place was lost
	Ringing  EventKind = "ringing"
	Answered EventKind = "answered"
	Detected EventKind = "detected" // machine detection has come to a result, which may be "human"
	Ended    EventKind = "ended"
	Recorded EventKind = "recorded" // the recording is finished: mostly after the end, and at times before it is told
)

// Event is something that happened to a call. It comes at least once, in any
// order, at any instance: apply it as a state machine whose terminal states
// never regress.
type Event struct {
	ConnectionID  uuid.UUID // whose signature the event bore; the call must belong to it
	CallID        uuid.UUID
	CarrierCallID string
	Kind          EventKind
	Sequence      int       // the carrier's order within the call; -1 when it gives none
	At            time.Time // by the carrier's clock; the time of receipt when it gives none

	AnsweredBy AnsweredBy // of Detected
	MessageEnd bool       // of Detected, by a machine: its greeting is over and it records now

	Outcome  Outcome       // of Ended
	Code     string        // of Ended: the carrier's own code, when it gives one
	Detail   string        // of Ended: that code in words
	Duration time.Duration // of Ended: talk time, whole seconds, by the carrier's account

	Recording Recording // of Recorded
}

// Host is what the product offers to an adapter. Any instance may be asked
// about any call.
type Host interface {
	// Deliver applies an event. It returns once the event is safe; after an
	// error the carrier may send it again, or not.
	Deliver(ctx context.Context, e Event) error

	// Admit is asked before the carrier is told what to do with an answered
	// call, and again before a line is opened or re-opened. ErrNotAdmitted
	// (a call that is unknown, ended, or another connection's) makes the
	// adapter hang up and refuse the line.
	Admit(ctx context.Context, connectionID, callID uuid.UUID) (Manner, error)

	// Converse holds the conversation on a line, and returns when it is over
	// or the line is closed. Returning without Line.Hangup while the line is
	// open closes the socket and lets the call live, to be taken over.
	// A line for a call whose former line is still open replaces it.
	Converse(ctx context.Context, connectionID, callID uuid.UUID, line Line)
}

// ErrNotAdmitted is Host.Admit's answer for a call that must not go on.
var ErrNotAdmitted = errors.New("carrier: call is not admitted")

// Manner is how a call is to be held, as far as the carrier must know.
type Manner struct {
	Language string // BCP 47, "en-US"; empty leaves it to the carrier
	Voice    string // the carrier's name of a voice; empty leaves it to the carrier
}
