// Package wire owns the format of values in the API and in payloads: one time format for
// all resources.
package wire

import (
	"encoding/json"
	"errors"
	"time"
)

// Time is a time in the API's format: RFC 3339, UTC, exactly milliseconds
// ("2026-11-21T09:30:00.000Z"). Every resource struct uses it. A nil *Time, as Optional
// makes it, is null.
type Time time.Time

// layout has a literal Z, so it fits only times in UTC.
const layout = "2006-01-02T15:04:05.000Z"

// Optional converts a nullable time.
func Optional(t *time.Time) *Time {
	if t == nil {
		return nil
	}
	w := Time(*t)
	return &w
}

func (t Time) String() string { return time.Time(t).UTC().Format(layout) }

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// UnmarshalJSON implements json.Unmarshaler. It accepts the times that ParseTime accepts.
func (t *Time) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	parsed, err := ParseTime(s)
	*t = Time(parsed)
	return err
}

// errTime tells a client what a time must look like.
var errTime = errors.New("must be an RFC 3339 time such as 2026-11-21T09:30:00Z")

// ParseTime reads a time in a body or a query parameter: RFC 3339 with any offset. It
// returns the time in UTC, truncated to milliseconds, as it is stored. The error's text
// may be used as the message of a fault.Field.
func ParseTime(s string) (time.Time, error) { return parse(s, 0) }

// ParseEnd is ParseTime for the end of a range. It rounds up to milliseconds, so that the
// range includes the values stored in the same millisecond as the end.
func ParseEnd(s string) (time.Time, error) { return parse(s, time.Millisecond-1) }

func parse(s string, up time.Duration) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, errTime
	}
	t = t.UTC().Add(up).Truncate(time.Millisecond)
	if y := t.Year(); y < 1000 || y > 9999 { // a zero Time means no time elsewhere; an offset may leave four digits
		return time.Time{}, errTime
	}
	return t, nil
}
