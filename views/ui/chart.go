package ui

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Part is a part of a whole in a drawing. Word is a state or an outcome of the API and
// determines the color.
type Part struct {
	Word  string
	Label string // the name in the legend; empty: the word of the state
	Count int
	Href  string // what is counted; empty: no link
}

func (p Part) name() string { return orElse(p.Label, StateOf(p.Word).Word) }

// Meter shows progress: its parts in the order of the outcomes, then the open rest. Its
// label for screen readers lists the numbers.
type Meter struct {
	Parts []Part // without the open rest
	Total int
	Large bool
}

// Render makes Meter a component.
func (m Meter) Render(ctx context.Context, w io.Writer) error {
	return meter(m).Render(ctx, w)
}

func (m Meter) class() string {
	if m.Large {
		return "meter meter-lg"
	}
	return "meter"
}

func (m Meter) label() string {
	words := make([]string, 0, len(m.Parts)+1)
	rest := m.Total
	for _, p := range m.Parts {
		rest -= p.Count
		if p.Count > 0 {
			words = append(words, p.name()+" "+Count(p.Count))
		}
	}
	words = append(words, "open "+Count(max(rest, 0)))
	return strings.Join(words, ", ") + " of " + Count(m.Total)
}

// bar is a rectangle of a drawing, with measures in percent.
type bar struct {
	class      string
	x, y, w, h string
}

func (m Meter) bars() []bar {
	var bars []bar
	at := 0
	for _, p := range m.Parts {
		if p.Count <= 0 {
			continue
		}
		bars = append(bars, bar{
			class: StateOf(p.Word).Paint,
			x:     pct(float64(at), float64(m.Total)),
			w:     pct(float64(p.Count), float64(m.Total)),
		})
		at += p.Count
	}
	return bars
}

// tick is a line of a scale or a dial.
type tick struct {
	class          string
	x1, y1, x2, y2 string
}

// scale returns the ticks of forty parts. The ticks at the quarters are the longest.
func scale() []tick {
	ticks := make([]tick, 41)
	for i := range ticks {
		x, length := pct(float64(i), 40), "3"
		switch {
		case i%10 == 0:
			length = "8"
		case i%2 == 0:
			length = "5"
		}
		ticks[i] = tick{x1: x, x2: x, y1: "0", y2: length}
	}
	return ticks
}

// Gauge shows how much of an allowance is used. The text beside it gives the rest. Held
// is planned but not yet used. With Limit 0 the gauge is empty.
type Gauge struct {
	Used, Held, Limit int
	Width             int // in pixels; 76 unless set
}

// Render makes Gauge a component.
func (g Gauge) Render(ctx context.Context, w io.Writer) error {
	if g.Width == 0 {
		g.Width = 76
	}
	return gauge(g).Render(ctx, w)
}

// ticks returns 41 lines over 240 degrees: amber from 80% used, red when full.
func (g Gauge) ticks() []tick {
	const n = 41
	spent, held := 0.0, 0.0
	if g.Limit > 0 {
		spent = float64(g.Used) / float64(g.Limit)
		held = float64(g.Used+g.Held) / float64(g.Limit)
	}
	on := "on"
	switch {
	case spent >= 1:
		on = "full"
	case spent >= 0.8:
		on = "warn"
	}
	ticks := make([]tick, n)
	for i := range ticks {
		outer := 38.0
		switch {
		case i == n/2:
			outer = 40
		case i%5 == 0:
			outer = 40
		}
		t := spoke(42, 42, 31, outer, float64(i)/(n-1))
		switch share := float64(i) / n; {
		case share < spent:
			t.class = on
		case share < held:
			t.class = "held"
		}
		ticks[i] = t
	}
	return ticks
}

// spoke returns a line from the inner to the outer radius around (cx, cy), at a share
// of the 240 degrees clockwise from lower left to lower right.
func spoke(cx, cy, inner, outer, share float64) tick {
	angle := (150 + 240*share) * math.Pi / 180
	at := func(r float64) (string, string) {
		return fmt.Sprintf("%.1f", cx+r*math.Cos(angle)), fmt.Sprintf("%.1f", cy+r*math.Sin(angle))
	}
	x1, y1 := at(inner)
	x2, y2 := at(outer)
	return tick{x1: x1, y1: y1, x2: x2, y2: y2}
}

// Dial is the clock on the sign-in page. It shows the elapsed part of the day with five
// ticks an hour.
type Dial struct {
	Clock Clock
}

// Render makes Dial a component.
func (d Dial) Render(ctx context.Context, w io.Writer) error {
	return dial(d).Render(ctx, w)
}

func (d Dial) ticks() []tick {
	now := d.Clock.in(d.Clock.Now)
	minutes := now.Hour()*60 + now.Minute()
	ticks := make([]tick, 121)
	for i := range ticks {
		outer := 175.0
		switch {
		case i%60 == 0:
			outer = 190
		case i%30 == 0:
			outer = 190
		case i%5 == 0:
			outer = 183
		}
		ticks[i] = spoke(200, 200, 166, outer, float64(i)/120)
		if i*12 <= minutes {
			ticks[i].class = "on"
		}
	}
	return ticks
}

func (d Dial) day() string {
	now := d.Clock.in(d.Clock.Now)
	return now.Format("Monday 2 January") + ", " + City(d.Clock.ZoneName())
}

// HBars compares amounts, one row for each part, with the part's share of Total.
type HBars struct {
	Parts []Part
	Total int
	Scale float64 // the share of Total that fills a bar; 0: that of the longest bar
}

// Render makes HBars a component.
func (h HBars) Render(ctx context.Context, w io.Writer) error {
	return hbars(h).Render(ctx, w)
}

// Width is the width of a bar.
func (h HBars) Width(p Part) string {
	return WidthOf(float64(p.Count)/float64(max(h.Total, 1)), cmp.Or(h.Scale, h.Longest()))
}

// Longest is the share of Total of the longest bar.
func (h HBars) Longest() float64 {
	most := 0
	for _, p := range h.Parts {
		most = max(most, p.Count)
	}
	return float64(most) / float64(max(h.Total, 1))
}

// Column is a column of a plot: a day with its parts in the order of the outcomes.
type Column struct {
	Label string // "Sat 14"
	Title string // "Sat 14 November"
	Parts []Part
	Now   bool // the day has not ended
}

func (c Column) total() int {
	n := 0
	for _, p := range c.Parts {
		n += p.Count
	}
	return n
}

func (c Column) label() string {
	words := make([]string, len(c.Parts))
	for i, p := range c.Parts {
		words[i] = strings.ToLower(p.name()) + " " + Count(p.Count)
	}
	title := orElse(c.Title, c.Label)
	if c.Now {
		title += ", so far"
	}
	return title + ": " + strings.Join(words, ", ")
}

// Plot draws a stack of parts per day, with four gridlines and an axis from zero. A
// small plot is half as high and has two gridlines.
type Plot struct {
	Columns []Column
	Small   bool
}

// Render makes Plot a component.
func (p Plot) Render(ctx context.Context, w io.Writer) error {
	return plot(p).Render(ctx, w)
}

func (p Plot) class() string {
	c := "plot"
	switch {
	case len(p.Columns) <= 7:
		c += " plot-7"
	case len(p.Columns) <= 14:
		c += " plot-14"
	default:
		c += " plot-many"
	}
	if p.Small {
		c += " plot-sm"
	}
	return c
}

// top returns the number at the top of the axis: the first of 4, 8, 12, 20, 28, 40, 60
// and so on that is not below the highest column. All its quarters are whole numbers.
func (p Plot) top() int {
	most := 0
	for _, c := range p.Columns {
		most = max(most, c.total())
	}
	for unit := 4; ; unit *= 10 {
		for _, step := range []int{1, 2, 3, 5, 7} {
			if unit*step >= most {
				return unit * step
			}
		}
	}
}

func (p Plot) axis() []string {
	top := p.top()
	if p.Small {
		return []string{short(top), short(top / 2), "0"}
	}
	return []string{short(top), short(top * 3 / 4), short(top / 2), short(top / 4), "0"}
}

// short formats a number for the narrow axis of a plot: "1.5M" from a million.
func short(n int) string {
	if n < 1_000_000 {
		return Count(n)
	}
	return strconv.FormatFloat(float64(n)/1_000_000, 'f', -1, 64) + "M"
}

func (p Plot) bars(c Column) []bar {
	top := float64(p.top())
	var bars []bar
	sum := 0.0
	for _, q := range c.Parts {
		if q.Count <= 0 {
			continue
		}
		sum += float64(q.Count)
		bars = append(bars, bar{class: StateOf(q.Word).Paint, y: pct(top-sum, top), h: pct(float64(q.Count), top)})
	}
	return bars
}

// Span is a part of a day in minutes from midnight. To is 1440 at the end of the day.
type Span struct {
	From, To int
}

func (s Span) String() string { return clockTime(s.From) + "–" + clockTime(s.To) }

func clockTime(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }

// Spans formats the open hours of a day: "09:00–12:30, 15:00–20:00", "Closed".
func Spans(spans []Span) string {
	if len(spans) == 0 {
		return "Closed"
	}
	words := make([]string, len(spans))
	for i, s := range spans {
		words[i] = s.String()
	}
	return strings.Join(words, ", ")
}

// WeekRow is a row of drawn hours: a day of the week, or a place with its own clock.
// Now is the minute of the day for the line of the current time, negative for no line.
type WeekRow struct {
	Label string
	Open  []Span
	Now   int
	Note  string // the text at the right; empty: the open hours
}

func (r WeekRow) note() string { return orElse(r.Note, Spans(r.Open)) }

func (r WeekRow) title() string {
	s := r.Label + ": " + strings.ReplaceAll(Spans(r.Open), "–", " to ")
	if r.Note != "" {
		s += "; " + r.Note
	}
	return s
}

func (r WeekRow) bars() []bar {
	bars := make([]bar, len(r.Open))
	for i, s := range r.Open {
		bars[i] = bar{class: "open", x: pct(float64(s.From), 1440), w: pct(float64(s.To-s.From), 1440)}
	}
	return bars
}

func (r WeekRow) ticks() []tick {
	ticks := make([]tick, 0, 24)
	for h := 1; h < 24; h++ {
		x := pct(float64(h), 24)
		ticks = append(ticks, tick{class: "hour", x1: x, x2: x})
	}
	if r.Now >= 0 {
		x := pct(float64(r.Now), 1440)
		ticks = append(ticks, tick{class: "now", x1: x, x2: x})
	}
	return ticks
}

// Weekdays are the API's names of the days, with a short and a long name for people.
var Weekdays = []struct{ Key, Short, Long string }{
	{"mon", "Mon", "Monday"}, {"tue", "Tue", "Tuesday"}, {"wed", "Wed", "Wednesday"}, {"thu", "Thu", "Thursday"},
	{"fri", "Fri", "Friday"}, {"sat", "Sat", "Saturday"}, {"sun", "Sun", "Sunday"},
}

// MinuteOf returns the minute of the day in a zone, for WeekRow.Now.
func MinuteOf(t time.Time, zone *time.Location) int {
	t = t.In(zone)
	return t.Hour()*60 + t.Minute()
}

// Phase is a part of a duration. A phase that did not happen has a negative MS.
type Phase struct {
	Name string
	MS   float64
}

// Phases shows the parts of a duration one after the other.
type Phases struct {
	Of []Phase
}

// Render makes Phases a component.
func (p Phases) Render(ctx context.Context, w io.Writer) error {
	return phases(p).Render(ctx, w)
}

// phaseRow is a phase with its bar.
type phaseRow struct {
	Phase
	x, w, took string
}

func (p Phases) rows() []phaseRow {
	total := 0.0
	for _, f := range p.Of {
		total += max(f.MS, 0)
	}
	rows := make([]phaseRow, len(p.Of))
	at := 0.0
	for i, f := range p.Of {
		rows[i] = phaseRow{Phase: f, x: pct(at, total), w: pct(max(f.MS, 0), total), took: None}
		if f.MS >= 0 {
			rows[i].took = Took(f.MS)
			at += f.MS
		}
	}
	return rows
}

// Width is the width of a bar whose amount is part of the greatest one.
func Width(part, most int) string { return pct(float64(part), float64(max(most, 1))) }

// WidthOf is the width of a bar whose share is part of the greatest one.
func WidthOf(share, greatest float64) string { return pct(share, greatest) }

// Numbered is the ID of the i-th part of its kind on a page.
func Numbered(id string, i int) string { return id + "-" + strconv.Itoa(i+1) }

// SortedKeys are the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
