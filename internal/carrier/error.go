package carrier

import (
	"errors"
	"time"
)

// ErrorKind is what is certain after a request failed, in particular a Place.
type ErrorKind uint8

const (
	// Ambiguous: the call may have been placed, or may still be placed. The request must never be
	// repeated. Lookup and events show the result. Every error that is not an *Error also has this
	// kind.
	Ambiguous ErrorKind = iota

	// Refused: the carrier does not place this call. The connection is not the cause, so
	// a call to another number may work.
	Refused

	// Throttled: the call was not placed, because the connection has too many requests. Retry after
	// RetryAfter.
	Throttled

	// Unusable: the call was not placed, whatever the number called: because of the
	// credentials, the calling number, the product's own address, or an unreachable carrier.
	Unusable
)

// Concern is what a carrier's refusal is about: who must change something before the same
// request can succeed.
type Concern uint8

const (
	ConcernNone      Concern = iota // not a refusal, or the carrier does not say
	ConcernAccount                  // the account: no call of the connection is accepted
	ConcernCountry                  // the country of the number called: the account may not call there
	ConcernCaller                   // the calling number: no call from it is accepted
	ConcernRecipient                // the number called
)

// Error is the failure of a request to a carrier. Users may see its text and its Reason,
// which contain no phone number and no credentials.
type Error struct {
	Kind          ErrorKind
	Concern       Concern
	Code          string        // the carrier's error code; without one "http_503", "timeout" or ""
	Reason        string        // what happened, for users
	InvalidNumber bool          // for Refused: the number does not exist
	RetryAfter    time.Duration // for Throttled; 0: not reported
	Err           error         // the cause, if any, for the log
}

func (e *Error) Error() string {
	s := e.Reason
	if e.Code != "" {
		s += " (" + e.Code + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// KindOf returns what is certain after err.
func KindOf(err error) ErrorKind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Ambiguous
}

// Connection reports whether the connection is the cause of err (credentials, network, 5xx),
// and not one of the two numbers or the rate.
func Connection(err error) bool {
	if e, ok := errors.AsType[*Error](err); ok && e.Concern == ConcernCaller {
		return false
	}
	kind := KindOf(err)
	return kind == Unusable || kind == Ambiguous
}
