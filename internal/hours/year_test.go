package hours

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// wallTable says for each minute of the week, Sunday first, whether it is open. It is
// filled from the windows minute by minute.
func wallTable(h Hours) (open [7][minutesPerDay]bool) {
	for m := range minutesPerDay {
		at := clock(m)
		for _, w := range h.Windows {
			for _, d := range w.Days {
				if w.Start <= at && at < w.End {
					open[(d.index()+1)%7][m] = true
				}
			}
		}
	}
	return open
}

// Compares a whole year minute by minute, by clocks that have daylight saving time in
// both hemispheres, at midnight, by half an hour, twice a year around Ramadan, or not
// at all. Zones are tested alone and in pairs. The expected opening comes from a walk
// over the minutes.
func TestAYearMinuteByMinute(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2026, 11))
	for _, zones := range [][]string{
		{"UTC"}, {"Europe/Berlin"}, {"America/New_York"}, {"America/Santiago"}, {"Australia/Lord_Howe"},
		{"Africa/Casablanca"},
		{"Asia/Kathmandu"}, {"Africa/Cairo"}, {"Pacific/Chatham"}, {"America/New_York", "America/Los_Angeles"},
		{"Europe/London", "America/New_York"}, {"Australia/Sydney", "Australia/Brisbane"},
		{"Europe/Kaliningrad", "Asia/Kamchatka"},
	} {
		h := randomHours(r)
		// clocks change in these hours
		h.Windows = append(h.Windows, Window{Days: []Day{Days()[r.IntN(7)]}, Start: "01:30", End: "02:45"})
		if len(zones) > 1 {
			h = Hours{
				Timezone: Recipient,
				Windows: []Window{
					{Days: Days()[:5], Start: "08:00", End: "21:00"},
					{Days: Days()[5:], Start: "10:30", End: "19:00"},
				},
			}
		}
		s, table := schedule(t, h, zones...), wallTable(h)
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		changes := map[int64]bool{} // hours in which a clock changes, and their neighbors
		for _, l := range s.zones {
			for _, next := start.In(l).ZoneBounds(); !next.IsZero() &&
				next.Year() <= 2026; _, next = next.ZoneBounds() {
				for d := int64(-3); d <= 3; d++ {
					changes[next.Unix()/3600+d] = true
				}
			}
		}
		var next time.Time
		for minute := 365*24*60 - 1; minute >= 0; minute-- {
			now := start.Add(time.Duration(minute) * time.Minute)
			open := true
			for _, l := range s.zones {
				local := now.In(l)
				open = open && table[local.Weekday()][local.Hour()*60+local.Minute()]
			}
			if open {
				next = now
			}
			if got := s.Open(now); got != open {
				t.Fatalf("%v, %v: open %t at %v, the wall says %t", h, zones, got, now, open)
			}
			if next.IsZero() || minute%17 != 0 && !changes[now.Unix()/3600] {
				continue
			}
			if got, ok := s.NextOpening(now); !ok || !got.Equal(next) {
				t.Fatalf("%v, %v: opens at %v (%t) after %v, the wall says %v", h, zones, got, ok, now, next)
			}
		}
	}
}

// Compares every zone for a year, alone or with a second zone. The expected state comes
// from the table of the week and the zone's offset at that minute. The expected opening
// comes from a walk back over the minutes.
func TestEveryZoneForAYear(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2026, 12))
	names := allZones(t)
	begin, end := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).
		Unix()/60, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC).Unix()/60
	for i, name := range names {
		zones := []string{name}
		if i%4 == 0 {
			zones = append(zones, names[r.IntN(len(names))])
		}
		h := randomHours(r)
		s, table := schedule(t, h, zones...), wallTable(h)
		week := slices.Concat(table[0][:], table[1][:], table[2][:], table[3][:], table[4][:], table[5][:], table[6][:])
		open, changes := make([]bool, end-begin), make([]bool, end-begin+1) // slices: they are read 300 million times
		for j := range open {
			open[j] = true
		}
		for _, zone := range s.zones {
			for at := begin; at < end; {
				moment := time.Unix(at*60, 0).In(zone)
				_, offset := moment.Zone()
				until := end
				if _, next := moment.ZoneBounds(); !next.IsZero() {
					until = min(until, next.Unix()/60)
				}
				// 1 January 1970 was a Thursday
				local := (at + int64(offset)/60 + 4*minutesPerDay) % int64(len(week))
				for ; at < until; at++ {
					if !week[local] {
						open[at-begin] = false
					}
					if local++; local == int64(len(week)) {
						local = 0
					}
				}
				changes[until-begin], changes[until-begin-1] = true, true
			}
		}
		next := int64(-1)
		for at := end - 1; at >= begin; at-- {
			if open[at-begin] {
				next = at
			}
			if at%61 != 0 && !changes[at-begin] && (at == begin || open[at-begin] == open[at-begin-1]) {
				continue
			}
			now := time.Unix(at*60, 0)
			if got := s.Open(now); got != open[at-begin] {
				t.Fatalf("%v, %v: open %t at %v", h, zones, got, now.UTC())
			}
			if next < 0 {
				continue
			}
			if got, ok := s.NextOpening(now); next-at < 14*minutesPerDay && (!ok || got.Unix() != next*60) {
				t.Fatalf("%v, %v: opens at %v (%t) after %v, not at %v", h, zones, got.UTC(), ok, now.UTC(),
					time.Unix(next*60, 0).UTC())
			}
		}
	}
}
