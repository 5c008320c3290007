package demo

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/demo/history"
)

// The result must not depend on the current day of the week or of the year.
func TestDemoPastIsOverOnEveryDay(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation(meridian.TimeZone)
	if err != nil {
		t.Fatal(err)
	}
	for day := 0; day < 400; day += 57 {
		now := time.Date(2026, time.January, 1+day, 0, day%60, 0, 0, zone)
		for _, o := range []organization{meridian, harborStreet} {
			stopped, calls := map[string]time.Time{}, map[string][]history.Call{}
			for _, c := range o.Past {
				c.People = (c.People + 2) / 3 // conversations take time, and do not matter here
				h := newGenerator(c, o, parts{}, zone, now, rand.New(rand.NewPCG(uint64(day), 1)))
				h.stopped = stopped
				if err := h.make(); err != nil {
					t.Fatal(err)
				}
				if h.last.After(now) || h.created.Before(now.AddDate(0, 0, -29)) {
					t.Fatalf("on %s %q lasts from %s to %s", now, c.Name, h.created, h.last)
				}
				if called := len(h.recipients) - c.Skipped; called != c.People {
					t.Errorf("on %s %q has %d people, want %d", now, c.Name, called, c.People)
				}
				for _, c := range h.calls {
					calls[c.PersonNumber] = append(calls[c.PersonNumber], c)
				}
			}
			// People are in several lists, but one call at a time reaches them, and none after they opted out.
			for number, all := range calls {
				slices.SortFunc(all, func(a, b history.Call) int { return a.CreatedAt.Compare(b.CreatedAt) })
				for i, c := range all {
					if i > 0 && c.CreatedAt.Before(all[i-1].SettledAt) {
						t.Errorf("on %s two calls reach %s at %s", now, number, c.CreatedAt)
					}
					if at, ok := stopped[number]; ok && c.CreatedAt.After(at) {
						t.Errorf("on %s %s is called at %s after an opt-out at %s", now, number, c.CreatedAt, at)
					}
				}
			}
		}
	}
}
