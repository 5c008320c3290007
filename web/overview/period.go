package overview

import (
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/calls"
)

const (
	overviewDays = 7 // the default period
	dateLayout   = "2006-01-02"
)

// period is the range of days that the overview covers, in the organization's time zone.
type period struct {
	choice   string    // "1", "7", "30", "90", or "" for chosen dates
	from, to time.Time // midnights; to is the midnight after the last day
	errors   ui.Errors
}

// readPeriod reads the period from the address. Without a last day, it ends today, and without a first day, it is as
// long as a period may be. A malformed period gives the last seven days and an error text.
func readPeriod(q url.Values, now time.Time) period {
	today := midnight(now)
	last := func(days int) period {
		return period{choice: strconv.Itoa(days), from: today.AddDate(0, 0, 1-days), to: today.AddDate(0, 0, 1)}
	}
	if q.Get("from") == "" && q.Get("to") == "" {
		switch q.Get("days") {
		case "1":
			return last(1)
		case "30":
			return last(30)
		case "90":
			return last(90)
		}
		return last(overviewDays)
	}
	otherwise := last(overviewDays)
	otherwise.choice, otherwise.errors = "", ui.Errors{}
	read := func(name string) time.Time {
		if q.Get(name) == "" {
			return time.Time{}
		}
		at, err := time.ParseInLocation(dateLayout, q.Get(name), now.Location())
		if err != nil {
			otherwise.errors[name] = "must be a date such as " + today.Format(dateLayout)
		}
		return at
	}
	from, to := read("from"), read("to")
	if len(otherwise.errors) > 0 {
		return otherwise
	}
	wrong, end := "to", "“From”"
	if to.IsZero() {
		to, wrong, end = today, "from", "today"
	}
	if from.IsZero() {
		from = to.AddDate(0, 0, 1-calls.LongestPeriod)
	}
	switch {
	case to.Before(from) && wrong == "from":
		otherwise.errors[wrong] = "must not be after today"
	case to.Before(from):
		otherwise.errors[wrong] = "must not be before “From”"
	case from.AddDate(0, 0, calls.LongestPeriod).Before(to.AddDate(0, 0, 1)):
		otherwise.errors[wrong] = fmt.Sprintf("must be within %d days of %s", calls.LongestPeriod, end)
	default:
		return period{from: from, to: to.AddDate(0, 0, 1)}
	}
	return otherwise
}

// preset returns the usual period that the days of p are today, as the parameter "days" of the address. It is empty for
// other days.
func (p period) preset(now time.Time) string {
	for _, days := range []string{"7", "30", "90"} {
		if same := readPeriod(url.Values{"days": {days}}, now); same.from.Equal(p.from) && same.to.Equal(p.to) {
			return days
		}
	}
	return ""
}

// midnight returns the start of the day of t.
func midnight(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// days returns the number of days in the period.
func (p period) days() int {
	n := 0
	for at := p.from; at.Before(p.to); at = at.AddDate(0, 0, 1) {
		n++
	}
	return n
}

// before returns the period of equal length that precedes p. If p is not over yet, both
// end at the same time of day.
func (p period) before(now time.Time) (from, to time.Time) {
	n := p.days()
	end := p.to
	if end.After(now) {
		end = now
	}
	return p.from.AddDate(0, 0, -n), end.AddDate(0, 0, -n)
}

// unit returns the length of time that a column of the plot covers.
func (p period) unit() string {
	switch n := p.days(); {
	case n == 1:
		return "hour"
	case n <= 31:
		return "day"
	}
	return "week"
}

// next returns the end of the column that begins at t.
func (p period) next(t time.Time) time.Time {
	switch p.unit() {
	case "hour":
		return t.Add(time.Hour)
	case "day":
		return t.AddDate(0, 0, 1)
	}
	days := (8 - int(t.Weekday())) % 7 // to Monday
	if days == 0 {
		days = 7
	}
	return t.AddDate(0, 0, days)
}

// line describes the days of the period.
func (p period) line(now time.Time) string {
	last := p.to.AddDate(0, 0, -1)
	words := ui.Days(p.from, last)
	switch today := !now.Before(p.from) && now.Before(p.to); {
	case today && p.days() == 1:
		return "Today, " + words
	case today:
		return words + ", including today"
	}
	return words
}

// columns returns the columns of the plot, each with its share of the hours.
func (p period) columns(hours []call.Hour, now time.Time) []views.OutcomeColumn {
	var columns []views.OutcomeColumn
	unit := p.unit()
	for at := p.from; at.Before(p.to); {
		next := p.next(at)
		if next.After(p.to) {
			next = p.to
		}
		var f call.Figures
		for len(hours) > 0 && hours[0].StartsAt.Before(next) {
			f.Add(hours[0].Figures)
			hours = hours[1:]
		}
		c := views.OutcomeColumn{
			Column: ui.Column{Parts: outcomeParts(f), Now: !at.After(now) && next.After(now)}, Placed: f.Placed,
			Reached: f.Reached,
		}
		last := next.AddDate(0, 0, -1)
		switch unit {
		case "hour":
			c.Title = at.Format("15:04") + "–" + next.Format("15:04")
			if at.Hour()%3 == 0 {
				c.Label = at.Format("15:04")
			}
		case "day":
			c.Title, c.Label = at.Format("Monday 2 January"), at.Format("Mon 2")
			c.Href = callsOf(at, at)
			switch n := p.days(); {
			case n > 14 && at.Weekday() != time.Monday:
				c.Label = ""
			case n > 14:
				c.Label = at.Format("2 Jan")
			case n > 7:
				c.Label = at.Format("2")
			case c.Now:
				c.Label = "Today " + at.Format("2")
			}
		case "week":
			c.Title = ui.Days(at, last)
			c.Href = callsOf(at, last)
			if len(columns) == 0 || at.Day() <= 7 {
				c.Label = at.Format("2 Jan")
			}
		}
		columns = append(columns, c)
		at = next
	}
	return columns
}

// callsOf links to the calls from first to last.
func callsOf(first, last time.Time) string {
	return "/calls?" + url.Values{"after": {first.Format(dateLayout)}, "before": {last.Format(dateLayout)}}.Encode()
}

func outcomeParts(f call.Figures) []ui.Part {
	parts := make([]ui.Part, len(ui.Outcomes))
	for i, word := range ui.Outcomes {
		parts[i] = ui.Part{Word: word, Count: f.By(call.Outcome(word))}
	}
	return parts
}

// stats returns the key figures of the period, each with a comparison if the earlier
// period has data to compare.
func (p period) stats(now, before call.Figures, versus string) []views.Stat {
	compared := func(label, figure, change string) views.Stat {
		stat := views.Stat{Label: label, Figure: figure, Change: change}
		if change != "" {
			stat.Note = versus
		}
		return stat
	}
	optedOut := views.Stat{Label: "Opted out", Figure: ui.Count(now.OptedOut)}
	if now.Reached > 0 {
		optedOut.Note = ui.Percent(now.OptedOut, now.Reached) + " of people reached"
	}
	return []views.Stat{
		compared("Calls placed", ui.Count(now.Placed), ui.Change(now.Placed, before.Placed)),
		compared("Answered by a person", ui.Percent(now.Reached, now.Placed),
			ui.Points(now.Reached, now.Placed, before.Reached, before.Placed)),
		compared("Completed", ui.Count(now.Completed), ui.Change(now.Completed, before.Completed)),
		compared("Talk time per person", ui.TalkTime(average(now)), ui.SecondsMore(average(now), average(before))),
		optedOut,
	}
}

// average returns the average length of a conversation with a person, in seconds.
func average(f call.Figures) int {
	if f.Reached == 0 {
		return 0
	}
	return int((f.TalkTime / time.Duration(f.Reached)).Round(time.Second) / time.Second)
}
