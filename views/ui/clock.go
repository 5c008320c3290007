package ui

import (
	"fmt"
	"strings"
	"time"
)

// Clock formats times for a page: in the organization's zone and relative to one
// moment, so that "today" is the same everywhere on the page.
type Clock struct {
	Now  time.Time
	Zone *time.Location // nil means UTC
	// Dated gives a time of today its day, too, for a page that is read on paper on another day.
	Dated bool
}

func (c Clock) in(t time.Time) time.Time {
	if c.Zone == nil {
		return t.UTC()
	}
	return t.In(c.Zone)
}

// Short formats a time of today as the time of day, unless the clock is Dated, a time of this year with the day,
// and any other time as the day: "14:05", "18 Nov, 06:00", "12 Mar 2025".
func (c Clock) Short(t time.Time) string {
	at, now := c.in(t), c.in(c.Now)
	switch {
	case t.IsZero():
		return None
	case sameDay(at, now) && !c.Dated:
		return at.Format("15:04")
	case c.near(t):
		return at.Format("2 Jan, 15:04")
	}
	return at.Format("2 Jan 2006")
}

// near reports whether the day of t needs no year: it is in this year, or less than
// half a year ahead.
func (c Clock) near(t time.Time) bool {
	return c.in(t).Year() == c.in(c.Now).Year() || t.After(c.Now) && t.Sub(c.Now) < 180*24*time.Hour
}

// Day returns "Today", "Yesterday", "18 Nov" or "12 Mar 2025".
func (c Clock) Day(t time.Time) string {
	at, now := c.in(t), c.in(c.Now)
	switch {
	case t.IsZero():
		return None
	case sameDay(at, now):
		return "Today"
	case sameDay(at, now.AddDate(0, 0, -1)):
		return "Yesterday"
	case at.Year() == now.Year():
		return at.Format("2 Jan")
	}
	return at.Format("2 Jan 2006")
}

// Date formats the day with its year: "20 Nov 2027".
func (c Clock) Date(t time.Time) string {
	if t.IsZero() {
		return None
	}
	return c.in(t).Format("2 Jan 2006")
}

// DayMonth formats the day without its year: "7 Nov".
func (c Clock) DayMonth(t time.Time) string { return c.in(t).Format("2 Jan") }

// DayOfMonth returns the number of the day: "7".
func (c Clock) DayOfMonth(t time.Time) string { return c.in(t).Format("2") }

// TimeOfDay formats the time of day, to the minute: "14:05".
func (c Clock) TimeOfDay(t time.Time) string {
	if t.IsZero() {
		return None
	}
	return c.in(t).Format("15:04")
}

// Second formats the time of day to the second: "13:56:12".
func (c Clock) Second(t time.Time) string {
	if t.IsZero() {
		return None
	}
	return c.in(t).Format("15:04:05")
}

// When is Short with the time of day in every year: "14:05", "18 Nov, 06:00", "12 Mar
// 2025, 09:30".
func (c Clock) When(t time.Time) string {
	if t.IsZero() || c.near(t) {
		return c.Short(t)
	}
	return c.in(t).Format("2 Jan 2006, 15:04")
}

// Full formats the day, the time and the zone: "Fri 20 Nov 2026, 13:56:12 CST".
func (c Clock) Full(t time.Time) string {
	if t.IsZero() {
		return None
	}
	return c.in(t).Format("Mon 2 Jan 2006, 15:04:05 ") + c.Abbreviation(t)
}

// Abbreviation returns the zone's abbreviation or offset: "CST", "UTC+3", "UTC+5:45".
func (c Clock) Abbreviation(t time.Time) string {
	at := c.in(t)
	name, seconds := at.Zone()
	if !strings.HasPrefix(name, "+") && !strings.HasPrefix(name, "-") {
		return name
	}
	sign := "+"
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	s := fmt.Sprintf("UTC%s%d", sign, seconds/3600)
	if minutes := seconds / 60 % 60; minutes != 0 {
		s += fmt.Sprintf(":%02d", minutes)
	}
	return s
}

// Input returns the value of a datetime-local field.
func (c Clock) Input(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return c.in(t).Format("2006-01-02T15:04")
}

// ZoneName returns the name of the zone: "America/Chicago".
func (c Clock) ZoneName() string {
	if c.Zone == nil {
		return "UTC"
	}
	return c.Zone.String()
}

// machine returns the value of a <time> element's datetime attribute.
func (c Clock) machine(t time.Time) string { return c.in(t).Format(time.RFC3339) }

func sameDay(a, b time.Time) bool {
	ay, am, ad := a.Date()
	by, bm, bd := b.Date()
	return ay == by && am == bm && ad == bd
}
