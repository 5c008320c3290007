package demo

import (
	"math/rand/v2"
	"testing"
	"time"
)

// The result must not depend on the current day of the week or of the year.
func TestDemoPastIsOverOnEveryDay(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation(meridian.TimeZone)
	if err != nil {
		t.Fatal(err)
	}
	for day := 0; day < 400; day += 26 {
		now := time.Date(2026, time.January, 1+day, 0, day%60, 0, 0, zone)
		for _, o := range []organization{meridian, harborStreet} {
			for _, c := range o.Past {
				h := newGenerator(c, o, parts{}, zone, now, rand.New(rand.NewPCG(uint64(day), 1)))
				if err := h.make(); err != nil {
					t.Fatal(err)
				}
				if h.last.After(now) || h.created.Before(now.AddDate(0, 0, -29)) {
					t.Fatalf("on %s %q lasts from %s to %s", now, c.Name, h.created, h.last)
				}
			}
		}
	}
}
