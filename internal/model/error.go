package model

import (
	"errors"
	"time"
)

// ErrorKind is what a failed request means for the next one.
type ErrorKind uint8

const (
	// Unavailable: the endpoint did not answer, or not to the end. Another endpoint may.
	Unavailable ErrorKind = iota

	// Throttled: the endpoint has too many requests. Retry after RetryAfter.
	Throttled

	// Unusable: the endpoint refuses every request, because of its address, key, model or quota.
	Unusable

	// TooLong: the messages are longer than the model can read.
	TooLong

	// Invalid: the endpoint refuses this request.
	Invalid
)

// Error is a failed request. Users may see its text, which contains no key and nothing that was said in a call.
type Error struct {
	Kind       ErrorKind
	Status     int           // of HTTP; 0: there was no answer
	Code       string        // the server's code or type; empty: it named none
	Param      string        // the field of the request that the server refuses
	Reason     string        // what happened, for users
	RetryAfter time.Duration // for Throttled; 0: not reported
	Err        error         // the cause, if any, for the log
}

func (e *Error) Error() string {
	s := e.Reason
	if e.Code != "" {
		s += " (" + e.Code + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// KindOf returns what err means for the next request.
func KindOf(err error) ErrorKind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Unavailable
}
