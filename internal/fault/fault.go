// Package fault is the closed set of errors that may reach a person or an
// integrator. Everything that is not a fault is internal: it is logged at the
// edge and answered with a fixed text.
package fault

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind says what sort of refusal an error is. The surfaces (api, web) map it
// to a status; nothing below them knows statuses.
type Kind uint8

const (
	Internal        Kind = iota // anything unexpected; its text reaches nobody
	Invalid                     // a field of the request is wrong
	Unauthenticated             // nobody is signed in, or the key is not valid
	Forbidden                   // signed in, but not allowed
	NotFound                    // unknown, malformed or another organization's id
	Conflict                    // an illegal move, or something in use
	TooLarge                    // the body is over its limit
	Unsupported                 // the body is in a form that nobody here reads
	Unprocessable               // well-formed, but a limit of the organization refuses it
	RateLimited                 // the key's window is used up
	BadGateway                  // a platform we depend on failed
	Unavailable                 // a channel is not configured
)

// Field is one thing wrong with a request, named by the path of the value:
// "recipients[3].phone_number".
type Field struct {
	Path    string
	Message string
}

// Error is a refusal whose text is safe to show.
type Error struct {
	Kind       Kind
	Message    string
	Fields     []Field       // for Invalid: what is wrong, in the order it was found
	RetryAfter time.Duration // for RateLimited, Unavailable and Conflict: when to come back; 0 when unknown

	more  int // problems beyond Fields, which are only counted
	cause error
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// Because attaches the internal cause. It is logged, never shown.
func (e *Error) Because(err error) *Error {
	c := *e
	c.cause = err
	return &c
}

// New makes a fault of a kind with its safe text.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// NotFoundf names the resource: NotFoundf("Campaign") reads "Campaign not found".
func NotFoundf(resource string) *Error { return New(NotFound, "%s not found", resource) }

// Conflictf is an illegal move or a thing in use.
func Conflictf(format string, args ...any) *Error { return New(Conflict, format, args...) }

// Invalidf is a single wrong field.
func Invalidf(path, format string, args ...any) *Error {
	var p Problems
	p.Addf(path, format, args...)
	return p.Err().(*Error) //nolint:errorlint // Err wraps nothing
}

// KindOf tells the kind of err, Internal when no fault is in its chain.
func KindOf(err error) Kind {
	if f, ok := errors.AsType[*Error](err); ok {
		return f.Kind
	}
	return Internal
}

// As returns the fault in err's chain, or nil.
func As(err error) *Error {
	f, _ := errors.AsType[*Error](err)
	return f
}

// maxFields is how many problems one answer spells out (design §3).
const maxFields = 20

// Problems collects what is wrong with a request, so that one answer names all
// of it. The zero value is ready to use. It keeps the first fields only and
// counts the rest, so that a list of 100,000 bad rows costs no memory.
type Problems struct {
	fields []Field
	more   int
}

// Addf records one problem. An empty path means the body as a whole.
func (p *Problems) Addf(path, format string, args ...any) {
	if len(p.fields) >= maxFields {
		p.more++
		return
	}
	p.fields = append(p.fields, Field{Path: path, Message: fmt.Sprintf(format, args...)})
}

// OneOf records the first of some values that is not in a closed set.
func OneOf[T ~string](p *Problems, path string, values, set []T) {
	for _, value := range values {
		if !slices.Contains(set, value) {
			names := make([]string, len(set))
			for i, v := range set {
				names[i] = string(v)
			}
			p.Addf(path, "must be one of %s, not %q", strings.Join(names, ", "), value)
			return
		}
	}
}

// Merge adds what q has recorded, in its order.
func (p *Problems) Merge(q *Problems) { p.MergeAt("", q) }

// MergeAt adds what q has recorded about one part of the request. prefix, such
// as "recipients[3].", completes its paths.
func (p *Problems) MergeAt(prefix string, q *Problems) {
	for _, f := range q.fields {
		p.Addf(prefix+f.Path, "%s", f.Message)
	}
	p.more += q.more
}

// Also adds what an Invalid error says, except about values that p has found
// wrong already, and about their parts: nothing is known of what could not be
// read. Other errors add nothing.
func (p *Problems) Also(err error) {
	f := As(err)
	if f == nil || f.Kind != Invalid {
		return
	}
	known := p.fields
	for _, field := range f.Fields {
		if !covered(field.Path, known) {
			p.Addf(field.Path, "%s", field.Message)
		}
	}
	p.more += f.more
}

func covered(path string, by []Field) bool {
	for _, f := range by {
		if rest, ok := strings.CutPrefix(path, f.Path); ok &&
			(f.Path == "" || rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// Len is the number of problems found so far.
func (p *Problems) Len() int { return len(p.fields) + p.more }

// Err is nil when nothing was recorded, else an Invalid *Error whose message
// reads "a: wrong; b: wrong … and 31 more".
func (p *Problems) Err() error {
	if len(p.fields) == 0 {
		return nil
	}
	var b strings.Builder
	for i, f := range p.fields {
		if i > 0 {
			b.WriteString("; ")
		}
		if f.Path != "" {
			b.WriteString(f.Path)
			b.WriteString(": ")
		}
		b.WriteString(f.Message)
	}
	if p.more > 0 {
		fmt.Fprintf(&b, " … and %d more", p.more)
	}
	return &Error{Kind: Invalid, Message: b.String(), Fields: p.fields, more: p.more}
}
