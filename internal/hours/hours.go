// Package hours owns calling hours: the minutes of the week in which a person may be
// called, the clock that applies, and the time of the next opening.
package hours

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
)

// Recipient, as the time zone of Hours, means the clock of the person who is called.
const Recipient = "recipient"

// Hours are calling hours in the format of the API. Validate them before use.
type Hours struct {
	Timezone string   `json:"timezone"` // Recipient or an IANA name
	Windows  []Window `json:"windows"`
}

// Window is a span of the day on some days of the week. Windows may overlap.
type Window struct {
	Days  []Day  `json:"days"`
	Start string `json:"start"` // HH:MM, included
	End   string `json:"end"`   // HH:MM, not included; 24:00 is midnight at the end of the day
}

// Day is a day of the week in the format of the API.
type Day string

// The days of the week.
const (
	Monday    Day = "mon"
	Tuesday   Day = "tue"
	Wednesday Day = "wed"
	Thursday  Day = "thu"
	Friday    Day = "fri"
	Saturday  Day = "sat"
	Sunday    Day = "sun"
)

// Days returns the days of the week, Monday first.
func Days() []Day {
	return []Day{Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday}
}

// index returns 0 for Monday to 6 for Sunday, and -1 for an unknown day.
func (d Day) index() int { return slices.Index(Days(), d) }

// Always returns hours that never close.
func Always() Hours {
	return Hours{Timezone: Recipient, Windows: []Window{{Days: Days(), Start: "00:00", End: "24:00"}}}
}

// Default returns the default hours: every day from 08:00 to 21:00 by the recipient's
// clock, the hours that US law allows (47 CFR 64.1200(c)(1)).
func Default() Hours {
	return Hours{Timezone: Recipient, Windows: []Window{{Days: Days(), Start: "08:00", End: "21:00"}}}
}

const maxWindows = 50

// WrongZone is the problem of a time zone that is none.
const WrongZone = "must be a time zone such as America/Chicago"

// ValidateLocal is Validate for hours by one clock, which is not the recipient's.
func (h Hours) ValidateLocal(prefix string, p *fault.Problems) {
	if !KnownZone(h.Timezone) {
		p.Addf(prefix+".timezone", WrongZone)
		h.Timezone = Recipient // so that Validate checks only the windows
	}
	h.Validate(prefix, p)
}

// Validate records each problem under prefix and the path of the value:
// "calling_hours.windows[0].end".
func (h Hours) Validate(prefix string, p *fault.Problems) {
	path := func(format string, args ...any) string {
		if prefix == "" {
			return fmt.Sprintf(format, args...)
		}
		return prefix + "." + fmt.Sprintf(format, args...)
	}
	if h.Timezone != Recipient && !KnownZone(h.Timezone) {
		p.Addf(path("timezone"), "must be %q or a time zone such as America/Chicago", Recipient)
	}
	switch {
	case len(h.Windows) == 0:
		p.Addf(path("windows"), "at least one is required")
	case len(h.Windows) > maxWindows:
		p.Addf(path("windows"), "at most %d are allowed", maxWindows)
		return
	}
	for i, w := range h.Windows {
		if len(w.Days) == 0 {
			p.Addf(path("windows[%d].days", i), "at least one day is required")
		}
		for j, d := range w.Days {
			if d.index() < 0 {
				p.Addf(path("windows[%d].days[%d]", i, j), "must be one of mon, tue, wed, thu, fri, sat, sun")
			}
		}
		start, startOK := minute(w.Start)
		end, endOK := minute(w.End)
		if !startOK || start == minutesPerDay {
			p.Addf(path("windows[%d].start", i), "must be a time from 00:00 to 23:59")
			startOK = false
		}
		if !endOK {
			p.Addf(path("windows[%d].end", i), "must be a time from 00:01 to 24:00")
		}
		if startOK && endOK && end <= start {
			p.Addf(path("windows[%d].end", i), "must be later than start. For hours past midnight, use two windows")
		}
	}
}

const minutesPerDay = 24 * 60

// minute parses HH:MM, including 24:00, into minutes since midnight.
func minute(s string) (int, bool) {
	if len(s) != 5 || s[2] != ':' {
		return 0, false
	}
	for _, i := range []int{0, 1, 3, 4} {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	h, m := int(s[0]-'0')*10+int(s[1]-'0'), int(s[3]-'0')*10+int(s[4]-'0')
	if m > 59 || h > 24 || h == 24 && m > 0 {
		return 0, false
	}
	return h*60 + m, true
}

// KnownZone reports whether name is an IANA time zone. It is false for "", for "Local",
// and for the copies that systems store beside the real zones.
func KnownZone(name string) bool {
	_, err := location(name)
	return err == nil
}

// zones caches the loaded zones, because loading a zone reads a file. Only existing
// names are cached, so the cache can't grow without limit.
var zones sync.Map // string → *time.Location

func location(name string) (*time.Location, error) {
	if l, ok := zones.Load(name); ok {
		return l.(*time.Location), nil
	}
	if name == "" || name == "Local" || len(name) > 64 ||
		strings.HasPrefix(name, "posix/") || strings.HasPrefix(name, "right/") {
		return nil, fmt.Errorf("no time zone %q", name)
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("no time zone %q: %w", name, err)
	}
	zones.Store(name, l)
	return l, nil
}

// Span is a part of a day, in minutes since midnight. Start is included, End is not.
type Span struct{ Start, End int }

// Clock returns the ends of a span as they are written in windows: "08:00", "24:00".
func (s Span) Clock() (start, end string) { return written(s.Start), written(s.End) }

func written(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }

// Week returns the open spans of each day, Monday first, in order. Spans that overlap
// or touch are merged. Invalid windows are ignored.
func (h Hours) Week() [7][]Span {
	var week [7][]Span
	for _, w := range h.Windows {
		start, startOK := minute(w.Start)
		end, endOK := minute(w.End)
		if !startOK || !endOK || end <= start {
			continue
		}
		for _, d := range w.Days {
			if i := d.index(); i >= 0 {
				week[i] = append(week[i], Span{start, end})
			}
		}
	}
	for i, spans := range week {
		slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
		merged := spans[:0]
		for _, s := range spans {
			if last := len(merged) - 1; last >= 0 && s.Start <= merged[last].End {
				merged[last].End = max(merged[last].End, s.End)
			} else {
				merged = append(merged, s)
			}
		}
		week[i] = merged
	}
	return week
}
