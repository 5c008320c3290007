package campaign

import (
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/regulation"
)

// Sources of the time zone for a recipient's calling hours: recipient.zone_source.
const (
	ZoneOfRecipient = "recipient" // the recipient's timezone field
	ZoneOfNumber    = "number"    // the digits of the number
	ZoneOfProject   = "project"   // the project, because neither of the others gives a time zone
	ZoneOfCampaign  = "campaign"  // the calling hours, which name a time zone themselves
)

// Due says when the recipients of one clock may first be called, and why not earlier.
type Due struct {
	Zones  []string
	Source string
	At     time.Time
	Reason string // one of Wait…; empty: due at once

	schedule *hours.Schedule
}

// Clocks finds the clock for the calling hours of each recipient. It computes each set
// of time zones once.
type Clocks struct {
	hours   hours.Hours
	project string    // the project's time zone
	start   time.Time // the earliest start
	now     time.Time
	rules   *regulation.Book // by the number's place

	bySet  map[*intake.ZoneSet]*Due
	byName map[string]*Due
	byRule map[ruledKey]*Due
}

type ruledKey struct {
	own   *Due // by the calling hours alone
	place regulation.Place
	zones string
}

// NewClocks creates Clocks for calling hours. Recipients without a time zone follow
// project, the project's time zone. No recipient is due before start.
func NewClocks(h hours.Hours, project string, start, now time.Time, rules *regulation.Book) *Clocks {
	return &Clocks{
		hours: h, project: project, start: start, now: now, rules: rules, bySet: map[*intake.ZoneSet]*Due{},
		byName: map[string]*Due{}, byRule: map[ruledKey]*Due{},
	}
}

// Due returns the clock of a recipient and the earliest time of the first call. The
// clock is the recipient's time zone. If that is missing, the clock is the time zones
// of the number, provided that they are reliable and share an open minute in every
// week. Otherwise it is the project's time zone. The rules of the number's place apply as well.
func (c *Clocks) Due(e *intake.Entry) (*Due, error) {
	own, err := c.own(e)
	if err != nil || c.rules == nil {
		return own, err
	}
	zones := own.Zones
	switch {
	case e.Timezone != "":
		zones = []string{e.Timezone}
	case e.NumberZones != nil:
		zones = e.NumberZones.Names
	}
	key := ruledKey{own, c.rules.Of(e.Number).Place, strings.Join(zones, " ")}
	if d, ok := c.byRule[key]; ok {
		return d, nil
	}
	schedule, err := c.rules.Schedule(own.schedule, e.Number, zones)
	if err != nil {
		return nil, err
	}
	d := c.first(schedule, own.Source, own.Zones)
	if d.At.After(own.At) {
		d.Reason = WaitCallingRules
	}
	c.byRule[key] = d
	return d, nil
}

// own returns the clock of a recipient and the time of the first call by the calling hours alone.
func (c *Clocks) own(e *intake.Entry) (*Due, error) {
	if c.hours.Timezone != hours.Recipient {
		return c.in(ZoneOfCampaign, c.hours.Timezone)
	}
	if e.Timezone != "" {
		return c.in(ZoneOfRecipient, e.Timezone)
	}
	if e.NumberZones == nil {
		return c.in(ZoneOfProject, c.project)
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

func (c *Clocks) number(zones []string) (*Due, error) {
	schedule, err := c.hours.In(zones...)
	if err != nil || !schedule.Shared(c.start) { // an unknown zone is treated like a missing zone
		return c.in(ZoneOfProject, c.project)
	}
	return c.first(schedule, ZoneOfNumber, zones), nil
}

func (c *Clocks) in(source, zone string) (*Due, error) {
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

func (c *Clocks) first(schedule *hours.Schedule, source string, zones []string) *Due {
	start := c.start
	d := &Due{Zones: zones, Source: source, Reason: WaitScheduled, schedule: schedule}
	if !start.After(c.now) {
		start, d.Reason = c.now, ""
	}
	if d.At = Opening(schedule, start); d.At.After(start) {
		d.Reason = WaitCallingHours
	}
	return d
}

// Opening returns the first moment at or after t at which calls may be placed. If there
// is none within the horizon, Opening returns the time of the next check.
func Opening(schedule *hours.Schedule, t time.Time) time.Time {
	at, ok := schedule.NextOpening(t)
	if !ok {
		return t.Add(14 * 24 * time.Hour)
	}
	return at
}
