// Package hours owns calling hours: which minutes of the week a person may be
// called, by whose clock, and when the next such minute begins.
package hours

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
)

// Recipient as the time zone of Hours means the clock of whoever is called.
const Recipient = "recipient"

// Hours are calling hours as the API writes them. Validate them before use.
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

// Day is a day of the week as the API writes it.
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

// Days are the days of the week, Monday first.
func Days() []Day {
	return []Day{Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday}
}

// index is 0 for Monday … 6 for Sunday, -1 for no day.
func (d Day) index() int { return slices.Index(Days(), d) }

// Always are hours that never close.
func Always() Hours {
	return Hours{Timezone: Recipient, Windows: []Window{{Days: Days(), Start: "00:00", End: "24:00"}}}
}

// Default are the hours offered first: every day from 08:00 to 21:00 by the
// recipient's clock, the span that US law allows (47 CFR 64.1200(c)(1)).
func Default() Hours {
	return Hours{Timezone: Recipient, Windows: []Window{{Days: Days(), Start: "08:00", End: "21:00"}}}
}

const maxWindows = 50

// Validate records what is wrong, each under prefix and the path of the value:
// "calling_hours.windows[0].end".
func (h Hours) Validate(prefix string, p *fault.Problems) {
	path := func(format string, args ...any) string {
		if prefix == "" {
			return fmt.Sprintf(format, args...)
		}
		return prefix + "." + fmt.Sprintf(format, args...)
	}
	if h.Timezone != Recipient && !KnownZone(h.Timezone) {
		p.Addf(path("timezone"), `must be "recipient" or an IANA time zone such as "Europe/Berlin"`)
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

// minute reads HH:MM, 24:00 included, as the minutes since midnight.
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

// KnownZone tells whether name is an IANA time zone: never "", "Local", or one
// of the copies that systems keep beside the real ones.
func KnownZone(name string) bool {
	_, err := location(name)
	return err == nil
}

// zones remembers the zones that were loaded: reading one costs a file. Only
// names that exist are kept, so it can't grow without bound.
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

// Span is a part of a day, in minutes since its midnight: Start included, End not.
type Span struct{ Start, End int }

// Week are the open spans of each day, Monday first, in order, those that
// overlap or touch made one. Windows that are not valid count for nothing.
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
