package conversation

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// spokenDate is a date as it was said. Zero and nil are what was not said.
type spokenDate struct {
	days             *int // from today
	weekday          *int // from Sunday
	duration         time.Duration
	day, month, year int
	unsure           bool // day may be another number: "first", "Tuesday at 3"
	previous         bool // the weekday is in the past
}

// dateReader reads the dates of an utterance from left to right.
type dateReader struct {
	t          *tongue
	words      []string
	clause     []int // where the clause of each word begins
	monthFirst bool  // "11/24" is in November
	found      []spokenDate
	now        spokenDate // being read
	ago        bool       // durations are in the past
	corrected  bool       // what follows replaces what was found
	monthAt    int        // the word after the last month; 0: none
	weekdayAt  int        // the word after the last weekday; 0: none
}

// date recognizes the date that was said, at a time in the recipient's time zone. Without a time,
// it knows only dates with a year. Two different dates give no result, unless the second corrects
// the first. monthFirst is whether people write the month before the day.
func (t *tongue) date(said [][]string, now time.Time, monthFirst bool) (string, bool) {
	r := dateReader{t: t, words: flatten(said), monthFirst: monthFirst}
	for _, c := range said {
		r.clause = append(r.clause, slices.Repeat([]int{len(r.clause)}, len(c))...)
	}
	for i := 0; i < len(r.words); {
		i += max(r.read(i), 1)
	}
	r.next()
	if day := t.bareDay(said); len(r.found) == 0 && day > 0 {
		r.found = []spokenDate{{day: day}}
	}
	var on []string
	for _, d := range r.found {
		if d.unsure && d.weekday == nil && len(flatten(t.meant(said))) > 3 {
			continue // "first of all, …"
		}
		if day, ok := d.on(now); ok && !slices.Contains(on, day) {
			on = append(on, day)
		}
	}
	if len(on) != 1 {
		return "", false
	}
	return on[0], true
}

// bareDay recognizes a number from 1 to 31 at the end of a short answer: "the 24". It returns 0 for
// any other answer.
func (t *tongue) bareDay(said [][]string) int {
	meant := flatten(t.meant(said))
	items := t.numeralsIn(meant)
	if len(meant) > 4 || len(items) != 1 || items[0].end != len(meant) || t.when(meant, false).minute != nil {
		return 0
	}
	n := items[0].meaning
	if n.kind != cardinal || n.value != math.Trunc(n.value) || n.value < 1 || n.value > 31 {
		return 0
	}
	return int(n.value)
}

// next ends the date that is being read.
func (r *dateReader) next() {
	if r.now == (spokenDate{}) {
		return
	}
	d := r.now
	r.now, r.monthAt, r.weekdayAt = spokenDate{}, 0, 0
	if d.month > 0 && d.day == 0 { // "I may come", "in November"
		d.month = 0
	}
	if r.ago {
		d.duration = -d.duration
	}
	if d != (spokenDate{}) {
		r.found = append(r.found, d)
	}
}

// begin makes room for a part of a date. full is whether the date being read has one already.
func (r *dateReader) begin(full bool) {
	if r.corrected {
		r.found, r.now, r.corrected = nil, spokenDate{}, false
	} else if full {
		r.next()
	}
}

// read reads what is said at a word. It returns how many words it took.
func (r *dateReader) read(i int) int {
	t, words := r.t, r.words[i:]
	if n := r.writtenDate(words); n > 0 {
		return n
	}
	duration, longest := t.times.durations.match(words)
	kind := 'd'
	longer := func(k int, as rune) {
		if k > longest {
			longest, kind = k, as
		}
	}
	days, k := t.times.days.match(words)
	longer(k, 'r')
	past, k := t.times.past.match(words)
	longer(k, 'y')
	weekday, k := t.times.weekdays.match(words)
	longer(k, 'w')
	month, k := t.times.months.match(words)
	longer(k, 'm')
	day, k := t.times.monthDays.match(words)
	longer(k, 'o')
	number, k := t.numeral.match(words)
	if number.kind != cardinal && number.kind != thousand && number.kind != article {
		longer(k, '-') // "one second", "half"
	}
	_, k = t.times.parts.match(words)
	longer(k, '-')
	if longest == 0 {
		return r.other(i)
	}
	if r.negated(i, i+longest) {
		return longest
	}
	switch kind {
	case 'd':
		r.begin(r.now.duration != 0)
		r.now.duration = duration
	case 'r':
		if r.weekdayAt != i || i == 0 || days != 1 { // "Dienstag morgen" is no tomorrow
			r.begin(r.now.days != nil)
			r.now.days = &days
		}
	case 'y':
		days = -past
		r.begin(r.now.days != nil)
		r.now.days = &days
	case 'w':
		_, before := t.times.previous.match(r.words[max(i-1, 0):i])
		_, two := t.times.previous.match(r.words[max(i-2, 0):i])
		_, after := t.times.previous.match(words[longest:])
		r.begin(r.now.weekday != nil)
		r.now.weekday, r.now.previous = &weekday, before > 0 || two == 2 || after > 0
		r.weekdayAt = i + longest
	case 'm':
		r.begin(r.now.month > 0)
		r.now.month, r.monthAt = month, i+longest
	case 'o':
		r.begin(r.now.day > 0)
		r.now.day, r.now.unsure = day, day <= 3 && r.monthAt == 0 && !r.monthFollows(i+longest)
	}
	return longest + r.year(i+longest)
}

// negated reports whether the clause of a part of it rules the part out.
func (r *dateReader) negated(at, end int) bool {
	from := r.clause[at]
	return r.t.negated(r.words[from:], at-from, end-from)
}

// other reads a number, a correction, or a word that is no part of a date.
func (r *dateReader) other(i int) int {
	t, words := r.t, r.words[i:]
	if p, n := t.polar.match(words); n > 0 && (p == mistaken || p == no) {
		r.corrected = r.corrected || r.now != (spokenDate{}) || len(r.found) > 0
		return n
	}
	if _, n := t.times.ago.match(words); n > 0 {
		r.ago = true
		return n
	}
	n, k := r.numberAt(i)
	if k == 0 {
		return 0
	}
	end := i + k
	if unit, units := t.times.units.match(r.words[end:]); units > 0 {
		r.begin(r.now.duration != 0)
		r.now.duration = time.Duration(n) * unit
		return k + units
	}
	if n < 1 || n > 31 || r.negated(i, end) {
		return k
	}
	switch after := r.monthAt > 0 && r.now.day == 0 && r.gap(r.monthAt, i); {
	case r.ordinal(i), r.monthFollows(end):
		r.begin(r.now.day > 0)
		r.now.day, r.now.unsure = n, false
	case after:
		r.now.day = n
	case r.weekdayAt > 0 && i-r.weekdayAt <= 1 && r.now.day == 0:
		r.now.day, r.now.unsure = n, true
	}
	return k + r.year(end)
}

// ordinal reports whether a word is a number with an ending that no time of day has: "24th".
func (r *dateReader) ordinal(i int) bool {
	m := dayDigits.FindStringSubmatch(r.words[i])
	if m == nil {
		return false
	}
	for _, of := range []*phrasebook[bool]{r.t.times.oClock, r.t.times.am, r.t.times.pm} {
		if _, n := of.match(m[1:]); n > 0 {
			return false
		}
	}
	return m[1] != "h"
}

// gap reports whether only words like "of" are between two positions.
func (r *dateReader) gap(from, to int) bool {
	for from < to {
		_, n := r.t.times.ofMonth.match(r.words[from:to])
		if n == 0 {
			return false
		}
		from += n
	}
	return from == to
}

// monthFollows reports whether a month is the next word, or the next but "of".
func (r *dateReader) monthFollows(at int) bool {
	for {
		if _, n := r.t.times.months.match(r.words[at:]); n > 0 {
			return true
		}
		_, n := r.t.times.ofMonth.match(r.words[at:])
		if n == 0 {
			return false
		}
		at += n
	}
}

// year reads the year after a day and a month. It returns how many words it took.
func (r *dateReader) year(at int) int {
	if r.now.day == 0 || r.now.month == 0 {
		return 0
	}
	_, of := r.t.times.ofMonth.match(r.words[at:])
	for _, skip := range []int{0, of} {
		n, k := r.numberAt(at + skip)
		if more, l := r.numberAt(at + skip + k); k > 0 && n >= 18 && n <= 21 && l > 0 && more > 9 && more < 100 {
			n, k = n*100+more, k+l // "twenty twenty-six"
		}
		if k > 0 && n >= minYear && n <= maxYear {
			r.now.year = n
			return skip + k
		}
	}
	return 0
}

const minYear, maxYear = 1850, 2150

// numberAt reads a whole number at a word. It returns how many words it took.
func (r *dateReader) numberAt(i int) (n, used int) {
	if i >= len(r.words) {
		return 0, 0
	}
	if m := dayDigits.FindStringSubmatch(r.words[i]); m != nil {
		n, _ = strconv.Atoi(strings.TrimRight(r.words[i], m[1]))
		return n, 1
	}
	if m, n := r.t.numeral.match(r.words[i:]); n > 0 && m.kind == article && r.monthFollows(i+n) {
		return 1, n // "un de marzo"
	}
	items := r.t.numeralsIn(r.words[i:min(len(r.words), i+8)])
	if len(items) == 0 || items[0].at > 0 || items[0].meaning.kind != cardinal && items[0].meaning.kind != thousand {
		return 0, 0
	}
	value, count := r.t.compose(items)
	if value != math.Trunc(value) || value < 0 || value > 1e6 {
		return 0, 0
	}
	return int(value), items[count-1].end
}

var (
	dayDigits   = regexp.MustCompile(`^[0-9]{1,2}([a-z]{1,3})$`)                                   // "24th", "1er"
	numericDate = regexp.MustCompile(`^([0-9]{1,2})[./]([0-9]{1,2})(?:[./]([0-9]{4}|[0-9]{2}))?$`) // "24.11.2026"
	isoYear     = regexp.MustCompile(`^[12][0-9]{3}$`)
	twoDigits   = regexp.MustCompile(`^[0-9]{1,2}$`)
)

// writtenDate reads a date in digits, as transcriptions write it. It returns how many words it took.
func (r *dateReader) writtenDate(words []string) int {
	atoi := func(s string) int {
		n, _ := strconv.Atoi(s)
		return n
	}
	var d spokenDate
	n := 0
	if m := numericDate.FindStringSubmatch(words[0]); m != nil {
		d.day, d.month, d.year, n = atoi(m[1]), atoi(m[2]), atoi(m[3]), 1
		if r.monthFirst && d.day <= 12 || d.month > 12 {
			d.day, d.month = d.month, d.day
		}
		if len(m[3]) == 2 {
			d.year += 2000
		}
	} else if len(words) > 2 && isoYear.MatchString(words[0]) && twoDigits.MatchString(words[1]) &&
		twoDigits.MatchString(words[2]) { // 2026-11-24
		d.year, d.month, d.day, n = atoi(words[0]), atoi(words[1]), atoi(words[2]), 3
	}
	if n == 0 || d.month < 1 || d.month > 12 || d.day < 1 || d.day > 31 {
		return 0
	}
	r.begin(r.now.day > 0)
	r.now.day, r.now.month, r.now.year, r.now.unsure = d.day, d.month, d.year, false
	return n
}

// on is the date that was said, at a time in the recipient's time zone.
func (d spokenDate) on(now time.Time) (string, bool) {
	if d.year == 0 && now.IsZero() {
		return "", false
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	fits := func(at time.Time) bool {
		return d.weekday == nil || int(at.Weekday()) == *d.weekday
	}
	at, ok := today, true
	switch {
	case d.day > 0:
		if at, ok = d.monthDay(today, fits); !ok && d.unsure && d.weekday != nil {
			d.day, d.unsure = 0, false // "Tuesday at 3"
			return d.on(now)
		}
	case d.days != nil && *d.days >= 7: // "next week", "next month"
		if ok = d.weekday != nil && *d.days == 7; ok {
			at = today.AddDate(0, 0, daysToWeek(today, *d.days, *d.weekday))
		}
	case d.days != nil:
		at = today.AddDate(0, 0, *d.days)
		ok = fits(at)
	case d.weekday != nil:
		days := (*d.weekday - int(today.Weekday()) + 7) % 7
		if days == 0 && !d.previous {
			days = 7
		} else if d.previous {
			days -= 7
		}
		at = today.AddDate(0, 0, days)
	default:
		at = today.AddDate(0, 0, int(d.duration/(24*time.Hour)))
		ok = d.duration%(24*time.Hour) == 0
	}
	return at.Format(dateFormat), ok
}

// monthDay is the day of a month that was said: of the year that was said, or the next one.
func (d spokenDate) monthDay(today time.Time, fits func(time.Time) bool) (time.Time, bool) {
	valid := func(at time.Time) bool { return at.Day() == d.day && fits(at) }
	if d.year > 0 {
		at := time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
		return at, valid(at)
	}
	if d.month > 0 {
		for years := range 9 { // as far as the next 29 February
			at := time.Date(today.Year()+years, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
			if at.Day() == d.day && !at.Before(today) {
				return at, valid(at)
			}
		}
		return today, false
	}
	first := 0
	if d.days != nil && *d.days == 30 {
		first = 1 // "on the 24th of next month"
	}
	for months := first; months < first+3; months++ {
		at := time.Date(today.Year(), today.Month()+time.Month(months), d.day, 0, 0, 0, 0, time.UTC)
		if valid(at) && !at.Before(today) {
			return at, true
		}
	}
	return today, false
}

// monthFirst reports whether speakers of a language tag write the month before the day: in the
// United States, and where the tag does not say.
func monthFirst(tag string) bool {
	return strings.EqualFold(tag, "en") || strings.EqualFold(tag, "en-US")
}
