package hours

import (
	"slices"
	"time"
)

// Schedule is calling hours by one or several clocks. It is open only while the hours
// are open by all clocks: a number that may be in several zones is called only when the
// time is right in each.
//
// Hours follow local time. A window that a clock change skips is lost on that day. A
// window in an hour that a clock repeats is open both times.
type Schedule struct {
	open   []stretch // of the week, in order, not touching
	zones  []*time.Location
	closed func(Date) bool // days without calls by any of the clocks; nil: none
	also   []*Schedule     // other schedules that must be open too
}

// Date is a day of the calendar.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the day of t in its location.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// stretch is an open part of the week, in seconds since Monday 00:00.
type stretch struct{ start, end int64 }

const (
	secondsPerDay  = 24 * 60 * 60
	secondsPerWeek = 7 * secondsPerDay
)

// horizon is how far ahead NextOpening searches. One clock opens within two weeks even
// when a clock change skips the only window of a week, and within three weeks when a
// change of the date line skips the window after it. Days without calls may close several weeks
// in a row.
const (
	horizon       = 21 * 24 * time.Hour
	closedHorizon = 10 * 7 * 24 * time.Hour
)

// In returns the schedule of the hours by the clocks of zones (IANA names). Hours with
// a time zone of their own ignore zones. In fails on an unknown zone, and on an empty
// list of zones.
func (h Hours) In(zones ...string) (*Schedule, error) {
	if h.Timezone != Recipient {
		zones = []string{h.Timezone}
	}
	if len(zones) == 0 {
		zones = []string{""} // the empty name fails as an unknown zone
	}
	s := &Schedule{}
	for _, name := range zones {
		l, err := location(name)
		if err != nil {
			return nil, err
		}
		s.zones = append(s.zones, l)
	}
	for i, spans := range h.Week() {
		for _, span := range spans {
			next := stretch{int64(i)*secondsPerDay + int64(span.Start)*60, int64(i)*secondsPerDay + int64(span.End)*60}
			if last := len(s.open) - 1; last >= 0 && s.open[last].end == next.start {
				s.open[last].end = next.end // the stretch continues past midnight
			} else {
				s.open = append(s.open, next)
			}
		}
	}
	return s, nil
}

// And returns the times at which both schedules are open.
func (s *Schedule) And(other *Schedule) *Schedule {
	both := *s
	both.also = append(slices.Clone(s.also), other)
	return &both
}

// Except returns the schedule without the days for which closed is true by any of its clocks.
func (s *Schedule) Except(closed func(Date) bool) *Schedule {
	fewer := *s
	fewer.closed = closed
	return &fewer
}

// Open reports whether calls may be placed at t.
func (s *Schedule) Open(t time.Time) bool {
	for _, zone := range s.zones {
		if wait, _ := s.wait(wall(t, zone)); wait != 0 || s.closed != nil && s.closed(DateOf(t.In(zone))) {
			return false
		}
	}
	return len(s.open) > 0 && !slices.ContainsFunc(s.also, func(other *Schedule) bool { return !other.Open(t) })
}

// Around is what one clock of a schedule shows at a moment, and the open part of that day around it.
type Around struct {
	Timezone string
	Local    time.Time
	Open     Span
}

// Around returns what the clocks of the schedule show at t, each clock once. If several schedules must be open
// by a clock, Open is the part that all of them share. A clock by which t is closed is left out.
func (s *Schedule) Around(t time.Time) []Around {
	var all []Around
	for _, zone := range s.zones {
		at := wall(t, zone)
		midnight := at - at%secondsPerDay
		for _, o := range s.open {
			if o.start <= at && at < o.end {
				start, end := max(o.start-midnight, 0), min(o.end-midnight, secondsPerDay)
				all = append(all, Around{zone.String(), t.In(zone), Span{int(start / 60), int(end / 60)}})
			}
		}
	}
	for _, other := range s.also {
		for _, a := range other.Around(t) {
			i := slices.IndexFunc(all, func(b Around) bool { return b.Timezone == a.Timezone })
			if i < 0 {
				all = append(all, a)
				continue
			}
			all[i].Open = Span{max(all[i].Open.Start, a.Open.Start), min(all[i].Open.End, a.Open.End)}
		}
	}
	return all
}

// NextOpening returns the first instant at or after t at which calls may be placed. It
// returns false if there is none within the horizon, because the zones share no open
// minute of the week.
func (s *Schedule) NextOpening(t time.Time) (time.Time, bool) {
	if s.never() {
		return time.Time{}, false
	}
	for end := t.Add(s.horizon()); !t.After(end); {
		next := s.step(t)
		if next.Equal(t) {
			return t, true // all zones are open
		}
		t = next
	}
	return time.Time{}, false
}

// never reports whether a week of one of the schedules has no open moment.
func (s *Schedule) never() bool {
	return len(s.open) == 0 || slices.ContainsFunc(s.also, (*Schedule).never)
}

func (s *Schedule) horizon() time.Duration {
	if s.closed != nil || len(s.also) > 0 {
		return closedHorizon
	}
	return horizon
}

// step returns a later instant before which the schedule is certainly closed, or t if it is open.
func (s *Schedule) step(t time.Time) time.Time {
	for _, zone := range s.zones {
		t = s.nextIn(zone, t)
		if s.closed != nil && s.closed(DateOf(t.In(zone))) {
			t = nextDay(zone, t)
		}
	}
	for _, other := range s.also {
		t = other.step(t)
	}
	return t
}

// nextDay returns the first instant after t at which the clock of zone shows another day.
func nextDay(zone *time.Location, t time.Time) time.Time {
	for today := DateOf(t.In(zone)); ; {
		left := secondsPerDay - wall(t, zone)%secondsPerDay
		next := t.Truncate(time.Second).Add(time.Duration(left) * time.Second)
		change := changeAfter(t, zone)
		if change.IsZero() || next.Before(change) {
			return next
		}
		t = change.In(t.Location())
		if DateOf(t.In(zone)) != today {
			return t
		}
	}
}

// Shared reports whether the zones share an open minute in every week of the year that
// begins at t, despite daylight saving time. Without a shared minute a number must be
// called by another clock.
func (s *Schedule) Shared(t time.Time) bool {
	// Between two changes of a clock all weeks are equal, so it is enough to check
	// after each change.
	instants := []time.Time{t}
	for _, zone := range s.zones {
		end := t.AddDate(1, 0, 0)
		for next := changeAfter(t, zone); !next.IsZero() && next.Before(end); next = changeAfter(next, zone) {
			instants = append(instants, next)
		}
	}
	return !slices.ContainsFunc(instants, func(at time.Time) bool {
		_, ok := s.NextOpening(at)
		return !ok
	})
}

// nextIn returns the first instant at or after t that is open by one clock.
func (s *Schedule) nextIn(zone *time.Location, t time.Time) time.Time {
	for {
		wait, ok := s.wait(wall(t, zone))
		if !ok || wait == 0 {
			return t
		}
		// The result is valid only until the clock's offset changes. After the change,
		// compute again.
		next := t.Truncate(time.Second).Add(time.Duration(wait) * time.Second)
		change := changeAfter(t, zone)
		if change.IsZero() || next.Before(change) {
			return next
		}
		t = change.In(t.Location())
	}
}

// changeAfter returns when the clock of zone may next change its offset, or zero for
// never. The result is always later than t. Beyond the zone's table (2037), ZoneBounds
// ends a leap year a day early and returns a past time on its last day. In that case
// changeAfter returns the next day, and the caller asks again.
func changeAfter(t time.Time, zone *time.Location) time.Time {
	_, change := t.In(zone).ZoneBounds()
	if !change.IsZero() && !change.After(t) {
		return t.Add(secondsPerDay * time.Second)
	}
	return change
}

// wall returns the local time at t, in seconds since Monday 00:00.
func wall(t time.Time, zone *time.Location) int64 {
	_, offset := t.In(zone).Zone()
	// 1 January 1970 was a Thursday.
	at := (t.Unix() + int64(offset) + 3*secondsPerDay) % secondsPerWeek
	if at < 0 {
		at += secondsPerWeek
	}
	return at
}

// wait returns the seconds from a moment of the week to the next open moment, or 0 if
// it is open. It returns false if the week has no open moment.
func (s *Schedule) wait(at int64) (int64, bool) {
	if len(s.open) == 0 {
		return 0, false
	}
	for _, o := range s.open {
		if at < o.end {
			return max(0, o.start-at), true
		}
	}
	return s.open[0].start + secondsPerWeek - at, true
}
