package campaign

import (
	"time"

	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/hours"
)

// Whose clock a recipient is called by: recipient.zone_source.
const (
	zoneOfRecipient = "recipient" // its own timezone field
	zoneOfNumber    = "number"    // the digits of its number tell
	zoneOfProject   = "project"   // neither does
	zoneOfCampaign  = "campaign"  // the calling hours name a clock themselves
)

// due is when the recipients of one clock may first be dialed, and why not
// earlier.
type due struct {
	zones  []string
	source string
	at     time.Time
	reason string // of Wait…, empty when it is due at once
}

// clocks resolves whose clock counts for each recipient of a list. What follows
// from a set of zones is computed once.
type clocks struct {
	hours   hours.Hours
	project string    // the project's zone
	start   time.Time // not before
	now     time.Time

	bySet  map[*intake.ZoneSet]*due
	byName map[string]*due
}

func newClocks(h hours.Hours, project string, start, now time.Time) *clocks {
	return &clocks{hours: h, project: project, start: start, now: now, bySet: map[*intake.ZoneSet]*due{}, byName: map[string]*due{}}
}

// due is by whose clock, and when, a recipient is dialed first: by its own
// zone; else by its number's zones, if the number tells them reliably and they
// share an open minute in every week; else by the project's.
func (c *clocks) due(e *intake.Entry) (*due, error) {
	if c.hours.Timezone != hours.Recipient {
		return c.in(zoneOfCampaign, c.hours.Timezone)
	}
	if e.Timezone != "" {
		return c.in(zoneOfRecipient, e.Timezone)
	}
	if e.NumberZones == nil {
		return c.in(zoneOfProject, c.project)
	}
	if d, ok := c.bySet[e.NumberZones]; ok {
		return d, nil
	}
	d, err := c.number(e.NumberZones.Names)
	if err != nil {
		return nil, err
	}
	c.bySet[e.NumberZones] = d
	return d, nil
}

func (c *clocks) number(zones []string) (*due, error) {
	schedule, err := c.hours.In(zones...)
	if err != nil || !schedule.Shared(c.start) { // a zone this system doesn't know is as good as none
		return c.in(zoneOfProject, c.project)
	}
	return c.first(schedule, zoneOfNumber, zones), nil
}

func (c *clocks) in(source, zone string) (*due, error) {
	key := source + " " + zone
	if d, ok := c.byName[key]; ok {
		return d, nil
	}
	schedule, err := c.hours.In(zone)
	if err != nil {
		return nil, err
	}
	d := c.first(schedule, source, []string{zone})
	c.byName[key] = d
	return d, nil
}

func (c *clocks) first(schedule *hours.Schedule, source string, zones []string) *due {
	start := c.start
	d := &due{zones: zones, source: source, reason: WaitScheduled}
	if !start.After(c.now) {
		start, d.reason = c.now, ""
	}
	if d.at = opening(schedule, start); d.at.After(start) {
		d.reason = WaitCallingHours
	}
	return d
}

// opening is the first moment at or after t at which calls may be placed. Where
// there is none within the horizon, it is the moment to look again.
func opening(schedule *hours.Schedule, t time.Time) time.Time {
	at, ok := schedule.NextOpening(t)
	if !ok {
		return t.Add(14 * 24 * time.Hour)
	}
	return at
}
