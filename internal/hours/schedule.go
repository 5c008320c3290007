package hours

import (
	"slices"
	"time"
)

// Schedule is calling hours by one or several clocks. It is open only while it
// is open by all of them: a number that may be in several zones is called only
// when it is a good hour in each.
//
// Hours follow the clock on the wall. Where it leaps over a window there is no
// window that day; where it runs an hour twice, the hour counts both times.
type Schedule struct {
	open  []stretch // of the week, in order, not touching
	zones []*time.Location
}

// stretch is an open part of the week in seconds since Monday 00:00.
type stretch struct{ start, end int64 }

const (
	secondsPerDay  = 24 * 60 * 60
	secondsPerWeek = 7 * secondsPerDay
)

// horizon is how far NextOpening looks. One clock opens within two weeks even
// when a leap of the clock swallows the only window of a week, and within three
// when a change of the date line swallows the one after it.
const horizon = 21 * 24 * time.Hour

// In is the schedule of the hours by the clocks of zones (IANA names). Hours
// that name a zone of their own keep to that clock alone, whatever the zones.
// It fails on a zone that doesn't exist, and when there is no zone at all.
func (h Hours) In(zones ...string) (*Schedule, error) {
	if h.Timezone != Recipient {
		zones = []string{h.Timezone}
	}
	if len(zones) == 0 {
		zones = []string{""} // fails as the unknown zone it is
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
				s.open[last].end = next.end // from one day into the next
			} else {
				s.open = append(s.open, next)
			}
		}
	}
	return s, nil
}

// Open tells whether calls may be placed at t.
func (s *Schedule) Open(t time.Time) bool {
	for _, zone := range s.zones {
		if wait, _ := s.wait(wall(t, zone)); wait != 0 {
			return false
		}
	}
	return len(s.open) > 0
}

// NextOpening is the first instant at or after t at which calls may be placed.
// It is false when there is none within three weeks: the zones share no open
// minute of the week.
func (s *Schedule) NextOpening(t time.Time) (time.Time, bool) {
	if len(s.open) == 0 {
		return time.Time{}, false
	}
	for end := t.Add(horizon); !t.After(end); {
		next := t
		for _, zone := range s.zones {
			next = s.nextIn(zone, next)
		}
		if next.Equal(t) {
			return t, true // nobody asked to wait
		}
		t = next
	}
	return time.Time{}, false
}

// Shared tells whether the zones share an open minute in every week of the year
// that begins at t, whatever their summer times do. Where they don't, a number
// has to be called by another clock.
func (s *Schedule) Shared(t time.Time) bool {
	// Between two changes of a clock every week is like the other, so it is
	// enough to look after each change.
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

// nextIn is the first instant at or after t that is open by one clock.
func (s *Schedule) nextIn(zone *time.Location, t time.Time) time.Time {
	for {
		wait, ok := s.wait(wall(t, zone))
		if !ok || wait == 0 {
			return t
		}
		// The clock runs evenly until its offset changes; beyond that, ask again.
		next := t.Truncate(time.Second).Add(time.Duration(wait) * time.Second)
		change := changeAfter(t, zone)
		if change.IsZero() || next.Before(change) {
			return next
		}
		t = change.In(t.Location())
	}
}

// changeAfter is when the clock of zone may next change its offset; zero for
// never. It is later than t: beyond the zone's table (2037), ZoneBounds ends a
// leap year a day early, on that day it points at the past, and the day after
// has to be asked anew.
func changeAfter(t time.Time, zone *time.Location) time.Time {
	_, change := t.In(zone).ZoneBounds()
	if !change.IsZero() && !change.After(t) {
		return t.Add(secondsPerDay * time.Second)
	}
	return change
}

// wall is the time on the wall at t, in seconds since Monday 00:00.
func wall(t time.Time, zone *time.Location) int64 {
	_, offset := t.In(zone).Zone()
	// 1 January 1970 was a Thursday.
	at := (t.Unix() + int64(offset) + 3*secondsPerDay) % secondsPerWeek
	if at < 0 {
		at += secondsPerWeek
	}
	return at
}

// wait is the seconds from a moment of the week to the next open one: 0 while
// open. It is false when there is none in the week.
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
