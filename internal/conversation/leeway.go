package conversation

import (
	"time"
)

// Leeway is what a person left open of the time at which they want to be called. The time itself is then a guess.
type Leeway string

// Values of Leeway.
const (
	NoLeeway  Leeway = ""
	PartOfDay Leeway = "part_of_day" // "tomorrow afternoon"
	WholeDay  Leeway = "day"         // "on Friday"
	WholeWeek Leeway = "week"        // "next week"
	About     Leeway = "about"       // "next month"
)

// leeways are the values but NoLeeway.
var leeways = []Leeway{PartOfDay, WholeDay, WholeWeek, About}

const monthDays = 28 // a month has at least as many days

// leeway is what the words left open.
func (w when) leeway() Leeway {
	inDays := w.day != nil && w.weekday == nil
	switch {
	case w.in > 0, w.minute != nil:
		return NoLeeway
	case inDays && *w.day >= monthDays:
		return About
	case inDays && *w.day >= 7 && *w.day%7 == 0:
		return WholeWeek
	case w.part != nil:
		return PartOfDay
	}
	return WholeDay
}

// AnyTime reports whether any time of the day will do.
func (l Leeway) AnyTime() bool { return l == WholeDay || l == WholeWeek || l == About }

// Words say a time as the person named it, by the clock of its zone: "on 25 Nov, 14:30", "on 25 Nov, in the
// afternoon", "in the week of 30 Nov".
func (l Leeway) Words(at time.Time) string {
	switch l {
	case PartOfDay:
		return at.Format("on 2 Jan, ") + partOfDay(at.Hour())
	case WholeDay:
		return at.Format("on 2 Jan")
	case WholeWeek:
		monday := at.AddDate(0, 0, -(int(at.Weekday())+6)%7)
		return monday.Format("in the week of 2 Jan")
	case About:
		return at.Format("around 2 Jan")
	case NoLeeway:
	}
	return at.Format("on 2 Jan, 15:04")
}

func partOfDay(hour int) string {
	switch {
	case hour < 12:
		return "in the morning"
	case hour == 12:
		return "around noon"
	case hour < 18:
		return "in the afternoon"
	}
	return "in the evening"
}
