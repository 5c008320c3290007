package call

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/conversation"
)

// Bar is how many calls gave an answer, or an answer of a range.
type Bar struct {
	Value    string // as Filter.Answers finds it: "true", "7", "10..<20", "2026-11-02..2026-11-08"
	From, To string // of a range; To is the last day or minute, and the number after the last one. Empty: one answer
	Calls    int
}

const (
	maxBars     = 14 // of numbers and dates
	rangeTo     = ".."
	rangeBefore = "..<"
)

// barsOf returns the bars of a question from the counts of its values (see answer_value). Answers between others that
// nobody gave have a bar of zero.
func barsOf(q conversation.Question, counts map[string]int) []Bar {
	switch q.Expect {
	case conversation.YesNo:
		return named(counts, "true", "false")
	case conversation.Choice:
		return named(counts, q.Options...)
	case conversation.Number:
		return numberBars(q, counts)
	case conversation.Date:
		return dateBars(counts)
	case conversation.Time:
		return timeBars(counts)
	case conversation.Text, conversation.Phone, conversation.Email:
	}
	return nil
}

// named returns a bar for each name, and then one for each other value, such as an option of an earlier version.
func named(counts map[string]int, names ...string) (bars []Bar) {
	for _, name := range names {
		bars = append(bars, Bar{Value: name, Calls: counts[name]})
	}
	for _, value := range sortedKeys(counts) {
		if value != "" && !slices.Contains(names, value) {
			bars = append(bars, Bar{Value: value, Calls: counts[value]})
		}
	}
	return bars
}

func sortedKeys(counts map[string]int) []string {
	keys := make([]string, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// numberBars has a bar for each number if they are few, and ranges of equal width if they are many. The ranges never
// cut a value of answer_value, which stands for the numbers up to the next one of two digits.
func numberBars(q conversation.Question, counts map[string]int) []Bar {
	type count struct {
		n     float64
		calls int
	}
	var all []count
	least, most, whole := math.Inf(1), math.Inf(-1), true
	for value, calls := range counts {
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			continue
		}
		all = append(all, count{n, calls})
		least, most, whole = min(least, n), max(most, n), whole && n == math.Trunc(n)
	}
	if len(all) == 0 {
		return nil
	}
	if q.Min != nil && q.Max != nil && *q.Max-*q.Min < maxBars { // the scale of the question
		least, most = min(least, *q.Min), max(most, *q.Max)
	}
	width := fineness(least, most)
	step := max(niceStep((most-least)/(maxBars-2)), width)
	single := whole && width <= 1 && most-least < maxBars
	if single {
		step = 1
	}
	at := func(n float64) float64 { return math.Floor(n/step + 1e-9) } // .3 / .1 is a little less than 3
	first := at(least)
	bars := make([]Bar, int(at(most)-first)+1)
	for i := range bars {
		from := (first + float64(i)) * step
		bars[i] = Bar{Value: written(from)}
		if !single {
			bars[i].From, bars[i].To = written(from), written(from+step)
			bars[i].Value = bars[i].From + rangeBefore + bars[i].To
		}
	}
	for _, c := range all {
		bars[int(at(c.n)-first)].Calls += c.calls
	}
	return bars
}

// fineness is the width of the values of answer_value at the larger of two numbers.
func fineness(a, b float64) float64 {
	n := max(math.Abs(a), math.Abs(b))
	if n == 0 {
		return 1
	}
	return math.Pow(10, math.Floor(math.Log10(n))-1)
}

// niceStep is the smallest of 1, 2, 5, 10, 20 and so on, and of .5, .2, .1, that is not below n.
func niceStep(n float64) float64 {
	if n <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(n)))
	for _, step := range []float64{1, 2, 5} {
		if unit*step >= n*(1-1e-9) {
			return unit * step
		}
	}
	return unit * 10
}

func written(n float64) string {
	return strconv.FormatFloat(math.Round(n*1e9)/1e9, 'f', -1, 64)
}

// dateBars has a bar for each day, week, month, year or ten years, whichever gives few of them.
func dateBars(counts map[string]int) []Bar {
	values := slices.DeleteFunc(sortedKeys(counts), func(v string) bool {
		return len(v) != len("2006") && len(v) != len(time.DateOnly)
	})
	if len(values) == 0 {
		return nil
	}
	days := make([]time.Time, 0, len(values))
	years := false
	for _, v := range values {
		if len(v) == len("2006") {
			years, v = true, v+"-01-01"
		}
		day, err := time.Parse(time.DateOnly, v)
		if err != nil {
			return nil
		}
		days = append(days, day)
	}
	first, last := slices.MinFunc(days, time.Time.Compare), slices.MaxFunc(days, time.Time.Compare)
	for _, u := range dateUnits {
		if years && !u.years {
			continue
		}
		var bars []Bar
		for at := u.start(first); !at.After(last) && len(bars) <= maxBars; at = u.next(at) {
			end := u.next(at).AddDate(0, 0, -1)
			b := Bar{Value: at.Format(time.DateOnly)}
			if !end.Equal(at) {
				b.From, b.To = b.Value, end.Format(time.DateOnly)
				b.Value = b.From + rangeTo + b.To
			}
			for i, day := range days {
				if !day.Before(at) && !day.After(end) {
					b.Calls += counts[values[i]]
				}
			}
			bars = append(bars, b)
		}
		if len(bars) <= maxBars || u.last {
			return bars
		}
	}
	return nil
}

// dateUnit is a length of time that a bar of dates stands for.
type dateUnit struct {
	start       func(time.Time) time.Time // of the unit with a day
	next        func(time.Time) time.Time // the start of the next one
	years, last bool
}

var dateUnits = []dateUnit{
	{
		start: func(t time.Time) time.Time { return t },
		next:  func(t time.Time) time.Time { return t.AddDate(0, 0, 1) },
	},
	{
		start: func(t time.Time) time.Time { return t.AddDate(0, 0, -(int(t.Weekday())+6)%7) },
		next:  func(t time.Time) time.Time { return t.AddDate(0, 0, 7) },
	},
	{
		start: func(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.Day()) },
		next:  func(t time.Time) time.Time { return t.AddDate(0, 1, 0) },
	},
	{
		start: func(t time.Time) time.Time { return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC) },
		next:  func(t time.Time) time.Time { return t.AddDate(1, 0, 0) },
		years: true,
	},
	{
		start: func(t time.Time) time.Time { return time.Date(t.Year()/10*10, 1, 1, 0, 0, 0, 0, time.UTC) },
		next:  func(t time.Time) time.Time { return t.AddDate(10, 0, 0) },
		years: true, last: true,
	},
}

// timeBars has a bar for each hour between the first and the last one.
func timeBars(counts map[string]int) []Bar {
	hours := slices.DeleteFunc(sortedKeys(counts), func(v string) bool { return !strings.HasSuffix(v, ":00") })
	if len(hours) == 0 {
		return nil
	}
	first, _ := strconv.Atoi(hours[0][:2])
	last, _ := strconv.Atoi(hours[len(hours)-1][:2])
	var bars []Bar
	for h := first; h <= last; h++ {
		b := Bar{From: fmt.Sprintf("%02d:00", h), To: fmt.Sprintf("%02d:59", h)}
		b.Value, b.Calls = b.From+rangeTo+b.To, counts[b.From]
		bars = append(bars, b)
	}
	return bars
}

// Within narrows a value of Filter.Answers, such as that of a bar, to the range of another one, if both are ranges of
// numbers, or both of dates or times. Otherwise it returns the value: a bar without a range is within the filter that
// it was counted with.
func Within(value, filter string) string {
	v, f := answerRange.FindStringSubmatch(value), answerRange.FindStringSubmatch(filter)
	if v == nil {
		return value
	}
	if f == nil { // of all calls with a value of the range, those with one value
		return cmp.Or(filter, value)
	}
	less := func(a, b string) bool { return a < b }
	if plainNumber.MatchString(v[1]) {
		less = func(a, b string) bool { return number(a) < number(b) }
	}
	from, to, before := v[1], v[3], v[2] != ""
	if less(from, f[1]) {
		from = f[1]
	}
	switch {
	case less(f[3], to):
		to, before = f[3], f[2] != ""
	case !less(to, f[3]):
		before = before || f[2] != ""
	}
	if before {
		return from + rangeBefore + to
	}
	return from + rangeTo + to
}

func number(text string) float64 {
	n, _ := strconv.ParseFloat(text, 64)
	return n
}
