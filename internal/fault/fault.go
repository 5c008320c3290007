// Package fault defines the closed set of errors whose text a person or an integrator may
// see. Every other error is internal: the edge logs it and answers with a fixed text.
package fault

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Kind classifies a fault. The surfaces (api, web) map a kind to an HTTP status. The
// packages below them know no statuses.
type Kind uint8

const (
	Internal        Kind = iota // an unexpected error; its text is never shown
	Invalid                     // a field of the request is wrong
	Unauthenticated             // no user is signed in, or the key is not valid
	Forbidden                   // signed in, but not allowed
	NotFound                    // unknown, malformed or another organization's id
	Conflict                    // an illegal state change, or a resource in use
	Stale                       // the resource has changed since the client read it
	TooLarge                    // the body is over its limit
	Unsupported                 // the format of the body is not supported
	Unprocessable               // well-formed, but refused because of a limit of the organization
	RateLimited                 // the key's rate limit window is used up
	BadGateway                  // an external platform failed
	Unavailable                 // a channel is not configured
)

// Field is one problem of a request. Path is the path of the value:
// "recipients[3].phone_number".
type Field struct {
	Path    string
	Message string
}

// Error is a refusal whose text is safe to show.
type Error struct {
	Kind       Kind
	Message    string
	Fields     []Field       // for Invalid: the problems, in the order in which they were found
	RetryAfter time.Duration // for RateLimited, Unavailable and Conflict: when to retry; 0 if unknown

	more  int // number of problems beyond Fields
	cause error
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// Because returns a copy of e with an internal cause. The cause is logged, never shown.
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

// Conflictf returns a Conflict: an illegal state change, or a resource in use.
func Conflictf(format string, args ...any) *Error { return New(Conflict, format, args...) }

// Takenf returns a Conflict for the value of a field that must be unique and is not. A form can show it beside the
// field.
func Takenf(path, format string, args ...any) *Error {
	f := Conflictf(format, args...)
	f.Fields = []Field{{Path: path, Message: f.Message}}
	return f
}

// Invalidf returns an Invalid fault for a single field.
func Invalidf(path, format string, args ...any) *Error {
	var p Problems
	p.Addf(path, format, args...)
	return p.Err().(*Error) //nolint:errorlint // Err wraps nothing
}

// KindOf returns the kind of err, or Internal if there is no fault in its chain.
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

// maxFields is how many problems one answer lists. It only counts the others.
const maxFields = 20

// Problems collects the problems of a request, so that one answer lists all of them. The
// zero value is ready to use. Problems keeps only the first fields and counts the rest,
// so a list of 100,000 bad rows takes little memory.
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
	shown := make([]any, len(args))
	for i, arg := range args {
		if shown[i] = arg; isNumber(arg) {
			shown[i] = number{arg}
		}
	}
	p.fields = append(p.fields, Field{Path: path, Message: fmt.Sprintf(format, shown...)})
}

func isNumber(v any) bool {
	switch v.(type) {
	case int, int64, float64:
		return true
	}
	return false
}

// number is a number whose thousands are separated by commas, as people write it.
type number struct{ value any }

// Format writes the number.
func (n number) Format(f fmt.State, verb rune) {
	text := fmt.Sprintf(fmt.FormatString(f, verb), n.value)
	if !strings.ContainsAny(text, "eINx") { // an exponent, infinity or no number
		digits, rest, decimals := strings.Cut(strings.TrimPrefix(text, "-"), ".")
		sign := strings.TrimSuffix(text, strings.TrimPrefix(text, "-"))
		for i := len(digits) - 3; i > 0; i -= 3 {
			digits = digits[:i] + "," + digits[i:]
		}
		if text = sign + digits; decimals {
			text += "." + rest
		}
	}
	_, _ = io.WriteString(f, text) // it is a buffer of fmt
}

// OneOf records a problem for the first value that is not in the set.
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

// Merge adds the problems of q, in their order.
func (p *Problems) Merge(q *Problems) { p.MergeAt("", q) }

// MergeAt adds the problems of q, which describe one part of the request. It puts prefix,
// such as "recipients[3].", before their paths.
func (p *Problems) MergeAt(prefix string, q *Problems) {
	for _, f := range q.fields {
		p.Addf(prefix+f.Path, "%s", f.Message)
	}
	p.more += q.more
}

// Also adds the problems of an Invalid error. It skips values that p already has a
// problem for, and their parts, because the content of an unreadable value is unknown. It
// ignores other errors.
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

// Len returns the number of problems.
func (p *Problems) Len() int { return len(p.fields) + p.more }

// Err returns nil if there are no problems. Otherwise it returns an Invalid *Error whose
// message reads "a: wrong; b: wrong … and 31 more".
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
		fmt.Fprintf(&b, " … and %d more", number{p.more})
	}
	return &Error{Kind: Invalid, Message: b.String(), Fields: p.fields, more: p.more}
}
