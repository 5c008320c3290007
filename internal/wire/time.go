// Package wire owns how values look in the API and in payloads: one form of
// time for all resources.
package wire

import (
	"encoding/json"
	"errors"
	"time"
)

// Time is a moment as the API prints it: RFC 3339, UTC, exactly milliseconds
// ("2026-11-21T09:30:00.000Z"). Every resource struct uses it; *Time, made by
// Optional, is null when there is none.
type Time time.Time

// layout has a literal Z: it is only used on times in UTC.
const layout = "2006-01-02T15:04:05.000Z"

// Optional is for nullable columns.
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

// UnmarshalJSON implements json.Unmarshaler; it reads what ParseTime reads.
func (t *Time) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	parsed, err := ParseTime(s)
	*t = Time(parsed)
	return err
}

// errTime is what is wrong with a time a client sent, in words for the client.
var errTime = errors.New("must be an RFC 3339 time such as 2026-11-21T09:30:00Z")

// ParseTime reads a time in a body or a query parameter: RFC 3339 with any
// offset. It comes back in UTC and cut to milliseconds, as it is stored. The
// error's text is fit to be the message of a fault.Field.
func ParseTime(s string) (time.Time, error) { return parse(s, 0) }

// ParseEnd is ParseTime for the end of a range. It is cut upwards: what was
// stored in the millisecond that the end lies in is within the range.
func ParseEnd(s string) (time.Time, error) { return parse(s, time.Millisecond-1) }

func parse(s string, up time.Duration) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, errTime
	}
	t = t.UTC().Add(up).Truncate(time.Millisecond)
	if y := t.Year(); y < 1000 || y > 9999 { // the zero Time means "none" elsewhere; an offset may leave four digits
		return time.Time{}, errTime
	}
	return t, nil
}
