package overview

import (
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
)

// The columns of a period cover its whole time without gaps or overlaps, in any time zone
// and across clock changes: every hour falls into exactly one column.
func TestPeriodColumns(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{
		"UTC", "America/Chicago", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "America/Santiago",
		"Pacific/Apia", "Asia/Kathmandu",
	} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			now := time.Date(2026, 1, 1, 0, 0, 0, 0, zone).Add(time.Duration(r.Int64N(int64(2 * 365 * 24 * time.Hour))))
			var p period
			switch r.IntN(3) {
			case 0:
				p = readPeriod(url.Values{"days": {[]string{"1", "7", "30"}[r.IntN(3)]}}, now)
			default:
				first := now.AddDate(0, 0, -r.IntN(400))
				p = readPeriod(url.Values{"from": {first.Format(dateLayout)}, "to": {first.AddDate(0, 0, r.IntN(300)).
					Format(dateLayout)}}, now)
			}
			if len(p.errors) > 0 {
				t.Fatalf("%s %v: %v", name, now, p.errors)
			}
			var hours []call.Hour
			total := 0
			for at := p.from.UTC(); at.Before(p.to); at = at.Add(time.Hour) {
				n := r.IntN(3)
				total += n
				if n > 0 {
					hours = append(hours, call.Hour{StartsAt: at, Figures: call.Figures{Busy: n, Placed: n}})
				}
			}
			got, current := 0, 0
			columns := p.columns(hours, now)
			for _, c := range columns {
				got += c.Placed
				if c.Now {
					current++
				}
			}
			if got != total {
				t.Errorf("%s %v to %v by %s: %d calls in the columns, %d in the hours", name, p.from, p.to, p.unit(),
					got, total)
			}
			if want := !now.Before(p.from) && now.Before(p.to); (current == 1) != want || current > 1 {
				t.Errorf("%s %v to %v at %v: %d columns are unfinished", name, p.from, p.to, now, current)
			}
			if n := len(columns); n == 0 || n > 54 {
				t.Errorf("%s %v to %v: %d columns", name, p.from, p.to, n)
			}
			from, to := p.before(now)
			if to.After(p.from) || !from.Before(to) && now.After(p.from) {
				t.Errorf("%s %v to %v at %v: before that %v to %v", name, p.from, p.to, now, from, to)
			}
		}
	}
}

// A figure shows a comparison only if the earlier period has data to compare.
func TestStatsWithoutComparison(t *testing.T) {
	t.Parallel()
	now := call.Figures{Placed: 10, Reached: 4, Completed: 3, OptedOut: 1, TalkTime: time.Minute}
	for _, s := range (period{}).stats(now, call.Figures{}, "vs. yesterday") {
		if s.Change != "" || strings.Contains(s.Note, "vs.") {
			t.Errorf("%s is compared with nothing: %q %q", s.Label, s.Change, s.Note)
		}
	}
	for _, s := range (period{}).stats(now, now, "vs. yesterday")[:4] {
		if s.Change == "" || s.Note != "vs. yesterday" {
			t.Errorf("%s is not compared: %q %q", s.Label, s.Change, s.Note)
		}
	}
	for _, s := range (period{}).stats(call.Figures{}, now, "vs. yesterday") {
		if s.Label == "Opted out" && s.Note != "" {
			t.Errorf("a share of nobody: %q", s.Note)
		}
	}
}

func TestReadPeriod(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 14, 5, 0, 0, time.UTC)
	for query, want := range map[string]string{
		"":                              "14–20 Nov 2026, including today",
		"days=7":                        "14–20 Nov 2026, including today",
		"days=1":                        "Today, 20 Nov 2026",
		"days=30":                       "22 Oct – 20 Nov 2026, including today",
		"days=8":                        "14–20 Nov 2026, including today",
		"from=2026-11-01&to=2026-11-02": "1–2 Nov 2026",
	} {
		q, _ := url.ParseQuery(query)
		if p := readPeriod(q, now); p.line(now) != want || len(p.errors) > 0 {
			t.Errorf("%q: %q, %v", query, p.line(now), p.errors)
		}
	}
	for query, field := range map[string]string{
		"from=2026-11-02&to=2026-11-01":  "to",
		"from=yesterday&to=2026-11-01":   "from",
		"from=2025-11-01&to=2026-11-02":  "to",
		"from=0000-00-00&to=2026-02-30":  "from",
		"from=2026-11-02&to=99999-11-01": "to",
	} {
		q, _ := url.ParseQuery(query)
		if p := readPeriod(q, now); p.errors.For(field) == "" || p.days() != 7 {
			t.Errorf("%q: %v, %d days", query, p.errors, p.days())
		}
	}
}

// Either day may be left out.
func TestPeriodWithOneDay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 15, 0, 0, 0, time.UTC)
	for query, want := range map[string]string{
		"from=2026-11-20&to=":           "2026-11-20 2026-11-29",
		"days=90&from=2026-11-20&to=":   "2026-11-20 2026-11-29",
		"from=2026-11-29":               "2026-11-29 2026-11-29",
		"from=&to=2026-11-20":           "2025-11-20 2026-11-20",
		"from=2026-11-20&to=2026-12-02": "2026-11-20 2026-12-02",
		"from=2026-11-30&to=":           "from: must not be after today",
		"from=2025-11-01":               "from: must be within 366 days of today",
		"from=2026-11-20&to=2026-11-19": "to: must not be before “From”",
		"from=2025-01-01&to=2026-11-19": "to: must be within 366 days of “From”",
		"from=soon":                     "from: must be a date such as 2026-11-29",
		"to=soon":                       "to: must be a date such as 2026-11-29",
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		p := readPeriod(q, now)
		got := p.from.Format(dateLayout) + " " + p.to.AddDate(0, 0, -1).Format(dateLayout)
		for name, message := range p.errors {
			got = name + ": " + message
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
