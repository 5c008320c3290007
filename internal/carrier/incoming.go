package carrier

import (
	"time"

	"github.com/google/uuid"
)

// Incoming is a call that somebody makes to a number of a connection.
type Incoming struct {
	ConnectionID  uuid.UUID // whose signature the request has
	CarrierCallID string    // the same when the carrier repeats its request
	From          string    // E.164; empty: the caller withheld the number
	To            string    // E.164; a number of the connection
	Attestation   Attestation
	At            time.Time // by the carrier's clock; without it, the time of receipt
}

// ReceptionAction is what the carrier does with an incoming call.
type ReceptionAction string

const (
	OpenLine    ReceptionAction = "open_line" // answer it, and open a line as for an answered call
	ForwardCall ReceptionAction = "forward"   // connect the caller to another number
	RejectCall  ReceptionAction = "reject"    // do not answer it
	RejectBusy  ReceptionAction = "busy"      // do not answer it: the line is busy
)

// Reception is how an incoming call is received. Host.Receive decides it once. When the carrier repeats its request,
// the answer is the same.
type Reception struct {
	CallID uuid.UUID // the product's ID; nil: there is no call, with RejectCall and RejectBusy
	Action ReceptionAction
	Manner Manner  // for OpenLine, and for the line after a Forward that nobody answers
	Dial   Forward // for ForwardCall
}

// Forward is the number to which a caller is connected. If nobody answers there, a Forwarded event says so, and a line
// is opened if the host admits the call.
type Forward struct {
	To          string        // E.164
	From        string        // E.164, which that phone shows
	RingTimeout time.Duration // whole seconds
	MaxDuration time.Duration // of the conversation; whole seconds
}
