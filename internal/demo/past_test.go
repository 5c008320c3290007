package demo

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/project"
)

// Which day of the week, or of the year, it is today must not matter.
func TestDemoPastIsOverOnEveryDay(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation(meridian.organization.TimeZone)
	if err != nil {
		t.Fatal(err)
	}
	p := parts{projects: make([]project.Project, 2), agents: make([]project.Agent, 3), numbers: make([]project.PhoneNumber, 3)}
	for day := 0; day < 400; day += 26 {
		now := time.Date(2026, time.January, 1+day, 0, day%60, 0, 0, zone)
		for _, past := range append(meridianPast(p, now), harborStreetPast(p, now)...) {
			h := history{past: past, zone: zone, r: rand.New(rand.NewPCG(uint64(day), 1))}
			if err := h.make(); err != nil {
				t.Fatal(err)
			}
			if h.last.After(now) || h.created.Before(now.AddDate(0, 0, -15)) {
				t.Fatalf("on %s %q lasts from %s to %s", now, past.name, h.created, h.last)
			}
		}
	}
}
