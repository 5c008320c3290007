package conversation

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// An hour that may be in the morning or in the evening is meant within these.
const (
	earliestMinute = 8 * 60
	latestMinute   = 21 * 60
	noonMinute     = 12 * 60
	dayMinutes     = 24 * 60
	partMinutes    = 4 * 60 // how long an afternoon or evening lasts, at least
)

// times are the phrases of times, ready for use.
type times struct {
	durations, units            *phrasebook[time.Duration]
	days, weekdays, parts       *phrasebook[int]
	hours                       *phrasebook[int]
	at, between, oClock, am, pm *phrasebook[bool]
	minutesBefore, minutesAfter *phrasebook[int]

	months, monthDays, past *phrasebook[int]
	ofMonth, ago, previous  *phrasebook[bool]
}

func timesOf(l lexicon.Times) *times {
	t := &times{
		durations: meanings(l.Durations), units: meanings(l.Units), days: meanings(l.Days),
		weekdays: &phrasebook[int]{}, parts: meanings(l.Parts), hours: meanings(l.Hours),
		between: phrases(l.Between), at: phrases(slices.Concat(l.At, l.Between)),
		oClock: phrases(l.OClock), am: phrases(l.AM), pm: phrases(l.PM),
		minutesBefore: meanings(l.Before), minutesAfter: meanings(l.After),
		months: &phrasebook[int]{}, monthDays: &phrasebook[int]{}, past: meanings(l.Past),
		ofMonth: phrases(l.OfMonth), ago: phrases(l.Ago), previous: phrases(l.Previous),
	}
	for day, of := range l.Weekdays {
		t.weekdays.add(day, of...)
	}
	for month, of := range l.Months {
		t.months.add(month+1, of...)
	}
	for day, of := range l.MonthDays {
		t.monthDays.add(day+1, of...)
	}
	return t
}

func meanings[M any](of map[string]M) *phrasebook[M] {
	l := &phrasebook[M]{}
	for phrase, m := range of {
		l.add(m, phrase)
	}
	return l
}

// when is a time as it was said. Nil is what was not said.
type when struct {
	in      time.Duration // from now
	day     *int          // from today
	weekday *int          // from Sunday
	part    *int          // of the day: the minute in which it begins
	minute  *int          // of the day
	exact   bool          // the minute is not one of two, twelve hours apart
	others  bool          // two different minutes were said; minute is the first
}

// callBackAt understands when a person wants to be called back, who says so now, in the
// person's time zone. It returns nil if no time was understood or now is unknown.
func (t *tongue) callBackAt(said []string, now time.Time) (at *time.Time, leeway Leeway) {
	w := t.when(apart(said), false).inDays()
	if now.IsZero() || w == (when{}) {
		return nil, NoLeeway
	}
	then := w.after(now).Round(time.Minute)
	if !then.After(now) {
		then = then.Add(time.Minute)
	}
	then = then.UTC()
	return &then, w.leeway()
}

// inDays is the same time with a duration of whole days as days: "in two days" names no time of day.
func (w when) inDays() when {
	const day = 24 * time.Hour
	if w.in >= day && w.in%day == 0 {
		days := int(w.in / day)
		w.in, w.day = 0, &days
	}
	return w
}

// apart separates numbers from their units.
func apart(said []string) (words []string) {
	for _, word := range said {
		if m := withUnit.FindStringSubmatch(word); m != nil {
			words = append(words, m[1:]...)
			continue
		}
		words = append(words, word)
	}
	return words
}

// when reads the words of an utterance from left to right. bare is whether a number alone is a
// time of day.
func (t *tongue) when(said []string, bare bool) (w when) {
	for len(said) > 0 {
		in, n := t.times.durations.match(said)
		if n > 0 {
			w.in = in
		} else if day, k := t.times.days.match(said); k > 0 {
			w.day, n = &day, k
		} else if weekday, k := t.times.weekdays.match(said); k > 0 {
			w.weekday, n = &weekday, k
		}
		if hour, k := t.times.parts.match(said); k > 0 && k >= n { // "domattina" is a day and a part of it
			hour *= 60
			w.part, n = &hour, k
		}
		if n == 0 {
			n = max(t.clock(said, &w, bare), 1)
		}
		said = said[n:]
	}
	return w
}

// clock reads a time of day or a number of units. It returns how many words it took. lead is
// whether a number alone is a time of day.
func (t *tongue) clock(said []string, w *when, lead bool) (n int) {
	take := func(k int) bool {
		n += k
		return k > 0
	}
	for _, k := t.times.at.match(said); take(k); _, k = t.times.at.match(said[n:]) {
		lead = true
	}
	before, k := t.times.minutesBefore.match(said[n:])
	lead = take(k) || lead
	value, minute, written, k := t.timeOf(said[n:])
	if !take(k) {
		return 0
	}
	_, k = t.times.oClock.match(said[n:]) // "à 4 heures", where "dans 4 heures" is a number of units
	if unit, units := t.times.units.match(said[n:]); units > 0 && !(lead && k > 0) &&
		!(unit == time.Hour && w.minute != nil) { // "entre 2 heures et 4 heures"
		take(units)
		w.in = time.Duration(value * float64(unit))
		return n
	}
	lead = take(k) || lead || written
	if whole, part := math.Modf(value); part == 0.5 && lead { // "a las cuatro y media"
		value, minute = whole, 30
	}
	if value != math.Trunc(value) || value > 24 {
		return n
	}
	after, k := t.times.minutesAfter.match(said[n:])
	lead = take(k) || lead
	if more, _, _, k := t.timeOf(said[n:]); lead && minute == 0 && k > 0 && more >= 5 && more < 60 {
		if _, unit := t.times.units.match(said[n+k:]); unit == 0 {
			minute = int(more)
			n += k
		}
	}
	_, am := t.times.am.match(said[n:])
	_, pm := t.times.pm.match(said[n:])
	take(max(am, pm))
	if !lead && am+pm == 0 {
		return n
	}
	hour := int(value) % 24
	switch {
	case pm > 0 && hour < 12:
		hour += 12
	case am > 0 && hour == 12:
		hour = 0
	}
	all := (hour*60 + minute + before + after + dayMinutes) % dayMinutes
	if w.minute != nil {
		w.others = w.others || *w.minute != all
		return n
	}
	w.minute, w.exact = &all, am+pm > 0 || hour == 0 || hour > 12
	return n
}

var (
	clockTime = regexp.MustCompile(`^([0-9]{1,3})(?:[:.h]([0-5][0-9]))?$`) // "4", "4:30", "16.30", "10h30"
	withUnit  = regexp.MustCompile(`^([0-9:.]+)([a-z]+)$`)                 // "4pm", "10h"
)

// timeOf reads a number that may be an hour. written is whether it can be nothing else.
func (t *tongue) timeOf(said []string) (value float64, minute int, written bool, n int) {
	if len(said) == 0 {
		return 0, 0, false, 0
	}
	if m := clockTime.FindStringSubmatch(said[0]); m != nil {
		minute, _ = strconv.Atoi(m[2])
		return parse(m[1]), minute, m[2] != "", 1
	}
	hour, n := t.times.hours.match(said)
	if value, written = float64(hour), n > 0; !written {
		m, k := t.numeral.match(said)
		if k == 0 || m.kind != cardinal {
			return 0, 0, false, 0
		}
		value, n = m.value, k
	}
	if more, k := t.numeral.match(said[n:]); k > 0 && more.kind == half {
		value, n = value+0.5, n+k
	}
	return value, 0, written, n
}

// after is the time that was said, after now.
func (w when) after(now time.Time) time.Time {
	if w.in > 0 {
		return now.Add(w.in)
	}
	days, named := 0, w.day != nil || w.weekday != nil
	switch {
	case w.day != nil && w.weekday != nil && *w.day >= 7: // "next week on Friday"
		days = daysToWeek(now, *w.day, *w.weekday)
	case w.day != nil:
		days = *w.day
	case w.weekday != nil:
		if days = (*w.weekday - int(now.Weekday()) + 7) % 7; days == 0 {
			days = 7
		}
	}
	on := func(days, minute int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day()+days, 0, minute, 0, 0, now.Location())
	}
	if w.minute == nil {
		if w.part == nil {
			minute := now.Hour()*60 + now.Minute() // who can talk now can probably talk then
			if minute < earliestMinute || minute > latestMinute {
				minute = earliestMinute
			}
			return next(on, days, minute, now)
		}
		at := on(days, *w.part)
		if !at.After(now) && *w.part >= noonMinute && now.Before(at.Add(partMinutes*time.Minute)) {
			return now.Add(time.Hour) // it is this afternoon already
		}
		return next(on, days, *w.part, now)
	}
	minute := *w.minute
	switch {
	case w.exact:
	case w.part != nil:
		if *w.part >= noonMinute && minute < noonMinute {
			minute += noonMinute
		}
	case named:
		if minute < earliestMinute {
			minute += noonMinute
		}
	default:
		for day := range 2 {
			for _, m := range []int{minute, minute + noonMinute} {
				if at := on(day, m); m >= earliestMinute && m <= latestMinute && at.After(now) {
					return at
				}
			}
		}
	}
	return next(on, days, minute, now)
}

// daysToWeek is how many days it is to a weekday of a later week, which begins on Monday. days are from now to that
// week, or to a month, of which the first such weekday is meant.
func daysToWeek(now time.Time, days, weekday int) int {
	if days%7 != 0 {
		return days + (weekday-int(now.Weekday())-days%7+14)%7
	}
	const monday = 1
	sinceMonday := (int(now.Weekday()) - monday + 7) % 7
	return days - sinceMonday + (weekday-monday+7)%7
}

// next is a minute of a day, or of the day after it if the minute is over.
func next(on func(days, minute int) time.Time, days, minute int, now time.Time) time.Time {
	at := on(days, minute)
	if !at.After(now) {
		return on(days+1, minute)
	}
	return at
}
