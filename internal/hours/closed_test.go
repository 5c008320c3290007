package hours

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Compares combined schedules and days without calls with the reference, minute by minute, around
// every clock change of a year.
func TestCombinedSchedulesAgreeWithTheWall(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	zones := allZones(t)
	for range 150 {
		own, law := randomHours(r), randomHours(r)
		ownZone, lawZone := zones[r.IntN(len(zones))], zones[r.IntN(len(zones))]
		every := 2 + r.IntN(4)
		closed := func(d Date) bool { return (d.Day+int(d.Month))%every == 0 }
		a, b := schedule(t, own, ownZone), schedule(t, law, lawZone).Except(closed)
		both := a.And(b)
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		spans := []time.Time{start.Add(time.Duration(r.IntN(364*24)) * time.Hour)}
		for _, l := range []*time.Location{a.zones[0], b.zones[0]} {
			for _, next := start.In(l).ZoneBounds(); !next.IsZero() &&
				next.Year() == 2026; _, next = next.ZoneBounds() {
				spans = append(spans, next.UTC().Add(-30*time.Hour))
			}
		}
		for _, from := range spans {
			var next time.Time
			for i := 60 * 60; i >= 0; i-- {
				now := from.Add(time.Duration(i) * time.Minute)
				open := openByHand(own, a.zones, now) && openByHand(law, b.zones, now) &&
					!closed(DateOf(now.In(b.zones[0])))
				if got := both.Open(now); got != open {
					t.Fatalf("%v in %s and %v in %s: open %t at %v", own, ownZone, law, lawZone, got, now)
				}
				if open {
					next = now
				}
				if next.IsZero() {
					continue
				}
				if got, ok := both.NextOpening(now); !ok || !got.Equal(next) {
					t.Fatalf("%v in %s and %v in %s, every %d: opens at %v (%t) after %v, the wall says %v", own,
						ownZone,
						law, lawZone, every, got, ok, now, next)
				}
			}
		}
	}
}

func TestNextDay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, from, to string }{
		{"Europe/Berlin", "2026-12-25 00:00:00", "2026-12-26 00:00:00"},
		{"Europe/Berlin", "2026-12-25 23:59:59", "2026-12-26 00:00:00"},
		{"America/Santiago", "2026-09-05 12:00:00", "2026-09-06 01:00:00"}, // the day has no midnight
		{"Pacific/Apia", "2011-12-29 12:00:00", "2011-12-31 00:00:00"},     // the day between never was
	} {
		from, want := at(t, c.from, c.zone), at(t, c.to, c.zone)
		if got := nextDay(from.Location(), from); !got.Equal(want) {
			t.Errorf("%s: %v after %v, want %v", c.zone, got, from, want)
		}
	}
	// The night from 4 to 5 April 2026 has its last hour twice in Chile.
	chile, _ := location("America/Santiago")
	from := time.Date(2026, 4, 4, 12, 0, 0, 0, chile)
	if got := nextDay(chile, from); got.Sub(from) != 13*time.Hour || DateOf(got).Day != 5 {
		t.Errorf("the longer day ends at %v", got)
	}
}

// A closed day may leave no opening for weeks.
func TestClosedForWeeks(t *testing.T) {
	t.Parallel()
	s := schedule(t, Hours{Recipient, []Window{{[]Day{Friday}, "09:00", "17:00"}}}, "Europe/Berlin").
		Except(func(d Date) bool { return d.Month == time.December || d.Month == time.January && d.Day < 6 })
	got, ok := s.NextOpening(at(t, "2026-11-28 00:00:00", "Europe/Berlin"))
	if !ok || !got.Equal(at(t, "2027-01-08 09:00:00", "Europe/Berlin")) {
		t.Errorf("opens at %v, %t", got, ok)
	}
}
