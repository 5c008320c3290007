package carrier

import (
	"errors"
	"time"
)

// ErrorKind is what is certain about a Place (or another request) that failed.
type ErrorKind uint8

const (
	// Ambiguous: the call may have been placed, or may still be. It must
	// never be repeated; Lookup and events tell what became of it. It is also
	// the kind of every error that is not an *Error.
	Ambiguous ErrorKind = iota

	// Refused: the carrier will not place this call. It was not placed, and
	// the connection is not to blame: the next number may well work.
	Refused

	// Throttled: not placed, because too much is asked of the connection
	// right now. Ask again after RetryAfter.
	Throttled

	// Unusable: not placed, and the connection is to blame: credentials, the
	// calling number, our own address, or the carrier was not reached at all.
	Unusable
)

// Error is a request to a carrier that failed. Its text and Reason hold no
// phone number and no credentials, and may be shown to a person.
type Error struct {
	Kind          ErrorKind
	Code          string        // the carrier's error code, or "" ("http_503", "timeout" where it gave none)
	Reason        string        // what happened, for a person
	InvalidNumber bool          // of Refused: there is no such number
	RetryAfter    time.Duration // of Throttled; 0 when the carrier does not say
	Err           error         // the cause, if any; for the log
}

func (e *Error) Error() string {
	s := e.Reason
	if e.Code != "" {
		s += " (" + e.Code + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// KindOf tells what is certain after err.
func KindOf(err error) ErrorKind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Ambiguous
}

// Connection reports whether err counts against the connection (credentials,
// network, 5xx) rather than against the number called or the rate.
func Connection(err error) bool {
	kind := KindOf(err)
	return kind == Unusable || kind == Ambiguous
}
