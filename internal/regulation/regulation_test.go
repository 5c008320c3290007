package regulation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nyaruka/phonenumbers"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
)

func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range Rules() {
		var p fault.Problems
		switch {
		case seen[r.ID]:
			t.Errorf("%s is there twice", r.ID)
		case !strings.HasPrefix(r.ID, strings.ToLower(string(r.Place))+"-"), r.Place.Name() == "":
			t.Errorf("%s: place %q", r.ID, r.Place)
		case (r.Calls > 0) != (r.Days > 0), (r.Calls > 0) == (len(r.Windows) > 0):
			t.Errorf("%s limits hours and calls, or nothing", r.ID)
		case r.Source == "", !strings.HasPrefix(r.URL, "http"):
			t.Errorf("%s has no source", r.ID)
		case r.Holidays && holidays[r.Place.Country()] == nil:
			t.Errorf("%s needs holidays", r.ID)
		}
		if _, err := time.Parse(time.DateOnly, r.AsOf); err != nil {
			t.Errorf("%s: as of %q", r.ID, r.AsOf)
		}
		if r.Calls == 0 {
			hours.Hours{Timezone: hours.Recipient, Windows: r.Windows}.Validate("", &p)
		}
		if err := p.Err(); err != nil {
			t.Errorf("%s: %v", r.ID, err)
		}
		seen[r.ID] = true
	}
	for id, want := range map[string]string{
		"us-ri-hours": "09:00–18:00, Mon–Fri; 10:00–17:00, Sat, not on public holidays",
		"fr-hours":    "10:00–13:00 and 14:00–20:00, Mon–Fri, not on public holidays",
		"us-fl-calls": "At most 3 calls to a number in 24 hours",
		"fr-calls":    "At most 4 calls to a number in 30 days",
	} {
		if r, _ := RuleByID(id); r.Text() != want {
			t.Errorf("%s: %q", id, r.Text())
		}
	}
}

// The library knows the states of numbers from other data.
func TestAreaCodes(t *testing.T) {
	t.Parallel()
	known := 0
	for area := 200; area < 1000; area++ {
		// The geography of an area code is that of its number 555-0100, unless its exchange is in the data.
		n, err := phonenumbers.Parse(fmt.Sprintf("+1%d2220100", area), "US")
		if err != nil {
			continue
		}
		where, _ := phonenumbers.GetGeocodingForNumber(n, "en")
		if i := strings.LastIndex(where, ", "); i >= 0 { // "Miami, FL"
			where = where[i+2:]
		}
		state, ours := stateOf[fmt.Sprint(area)]
		want := ""
		for code, s := range states {
			if where == code || where == s.name {
				want = code
			}
		}
		if where == "Washington D.C." {
			want = "DC"
		}
		switch {
		case want == "" && !ours:
		case want == "": // newer than the library's data
		case state != want:
			t.Errorf("%d is in %s for the library (%s), and in %q for us", area, want, where, state)
		default:
			known++
		}
	}
	if known < 250 {
		t.Errorf("only %d area codes compared", known)
	}
}

func TestPlaceOf(t *testing.T) {
	t.Parallel()
	for number, want := range map[phone.Number]Place{
		"+13055550100": "US-FL", "+12025550100": "US-DC", "+15005550100": "US", "+18005550100": "US",
		"+17875550100": "US-PR", "+14165550100": "CA", "+33612345678": "FR", "+442079460100": "GB", "+870773111632": "",
		"+12425550100": "BS", "": "",
	} {
		if got := PlaceOf(number); got != want {
			t.Errorf("%s: %q, want %q", number, got, want)
		}
	}
	got := Place("US-FL").Name() + ", " + Place("FR").Name() + ", " + Place("US-PR").Name()
	if got != "Florida, France, Puerto Rico" {
		t.Error(got)
	}
}

func day(s string) hours.Date {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return hours.DateOf(t)
}

func TestHolidays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		place Place
		date  string
		want  string
	}{
		{"US", "2026-11-26", "Thanksgiving Day"},
		{"US", "2026-07-04", "Independence Day"},
		{"US", "2026-07-03", "Independence Day (observed)"}, // a Saturday
		{"US", "2021-12-31", "New Year's Day (observed)"},   // the day belongs to the next year
		{"US", "2026-05-25", "Memorial Day"},
		{"US", "2026-05-18", ""},
		{"US-RI", "2026-08-10", "Victory Day"},
		{"US-RI", "2026-11-26", "Thanksgiving Day"},
		{"US", "2026-08-10", ""},
		{"US-LA", "2027-02-09", "Mardi Gras"},
		{"CA", "2026-05-18", "Victoria Day"},
		{"CA", "2027-05-24", "Victoria Day"},
		{"CA", "2026-10-12", "Thanksgiving"},
		{"GB", "2026-04-03", "Good Friday"},
		{"GB", "2026-08-31", "Summer bank holiday"},
		{"GB", "2021-12-27", "Christmas Day (substitute)"}, {"GB", "2021-12-28", "Boxing Day (substitute)"},
		{"GB", "2022-12-26", "Boxing Day"}, {"GB", "2022-12-27", "Christmas Day (substitute)"},
		{"GB", "2022-12-28", ""},
		{"GB", "2026-12-28", "Boxing Day (substitute)"},
		{"GB", "2023-01-02", "New Year's Day (substitute)"},
		{"DE", "2026-05-14", "Ascension Day"}, {"DE", "2026-10-03", "German Unity Day"},
		{"FR", "2027-05-17", "Whit Monday"}, {"FR", "2026-04-03", ""},
		{"ES", "2026-01-06", "Epiphany"},
		{"IT", "2025-10-04", ""}, {"IT", "2026-10-04", "Saint Francis"},
		{"NL", "2025-04-26", "King's Day"}, {"NL", "2026-04-27", "King's Day"},
		{"JP", "2026-01-01", ""},
	} {
		if got := Holiday(c.place, day(c.date)); got != c.want {
			t.Errorf("%s on %s: %q, want %q", c.place, c.date, got, c.want)
		}
	}
	for year, want := range map[int]string{
		1961: "1961-04-02", 2000: "2000-04-23", 2008: "2008-03-23", 2026: "2026-04-05", 2038: "2038-04-25",
		2285: "2285-03-22",
	} {
		if got := easterSunday(year).Format(time.DateOnly); got != want {
			t.Errorf("Easter of %d: %s", year, got)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	good := Settings{
		Apply:      true,
		ClosedDays: []ClosedDay{{" 12-24 ", "Christmas Eve"}, {"2026-12-31", ""}, {"02-29", ""}},
		Overrides: map[string]Override{
			"us-fl-calls": {Calls: 2, Reason: " stricter "}, "us-hours": {Off: true, Reason: "existing customers"},
			"fr-hours": {
				Windows: []hours.Window{{Days: []hours.Day{hours.Monday}, Start: "10:00", End: "12:00"}}, Reason: "x",
			},
		},
	}
	if err := good.Check(); err != nil || good.ClosedDays[0].Date != "12-24" {
		t.Error(err, good)
	}
	for name, bad := range map[string]Settings{
		"date":      {ClosedDays: []ClosedDay{{Date: "24.12."}}},
		"twice":     {ClosedDays: []ClosedDay{{Date: "12-24"}, {Date: "12-24"}}},
		"no reason": {Overrides: map[string]Override{"us-hours": {Off: true}}},
		"unknown":   {Overrides: map[string]Override{"xx-hours": {Off: true, Reason: "x"}}},
		"calls":     {Overrides: map[string]Override{"us-fl-calls": {Reason: "x"}}},
		"windows":   {Overrides: map[string]Override{"us-hours": {Reason: "x"}}},
	} {
		if err := bad.Check(); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if NewBook(Settings{Overrides: good.Overrides}) != nil {
		t.Error("a book without rules")
	}
	book := NewBook(good)
	florida := book.Of("+13055550100")
	if ids := florida.IDs(); !slices.Equal(ids, []string{"us-fl-calls", "us-fl-hours"}) || florida.Caps[0].Calls != 2 {
		t.Errorf("%+v", florida)
	}
	if name := book.Closed(florida, day("2030-12-24")); name != "Christmas Eve" {
		t.Errorf("closed: %q", name)
	}
	if book.Of("+819012345678").Rules != nil || book.Closed(book.Of("+819012345678"), day("2026-12-31")) == "" {
		t.Error("a country without rules")
	}
}

// A number may be called exactly when the campaign's hours and every rule allow it by the
// recipient's clock and no holiday closes the day. The reference reads clocks and the table by hand.
func TestScheduleAgreesWithTheTable(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	numbers := []phone.Number{
		"+13055550100", "+18505550100", "+14015550100", "+18015550100", "+15045550100", "+12125550100", "+14165550100",
		"+33612345678", "+34612345678", "+442079460100", "+4915112345678", "+390612345678", "+819012345678",
		"+18005550100",
	}
	base := hours.Hours{
		Timezone: "America/Chicago", Windows: []hours.Window{{Days: hours.Days(), Start: "05:00", End: "23:00"}},
	}
	chicago, _ := time.LoadLocation("America/Chicago")
	for range 120 {
		settings := Settings{
			Apply: r.IntN(4) > 0, Holidays: r.IntN(2) == 0,
			ClosedDays: []ClosedDay{{Date: "12-24"}, {Date: "2026-03-09"}},
		}
		book := NewBook(settings)
		number := numbers[r.IntN(len(numbers))]
		zones := ZonesOf(number, "", []string{"America/Chicago"})
		own, _ := base.In()
		s, err := book.Schedule(own, number, zones)
		if err != nil {
			t.Fatal(err)
		}
		// Around holidays and clock changes: a few days each.
		starts := []string{"2026-03-07", "2026-03-27", "2026-04-02", "2026-07-02", "2026-10-23", "2026-10-30",
			"2026-11-25",
			"2026-12-23", "2026-12-31"}
		from, _ := time.Parse(time.DateOnly, starts[r.IntN(len(starts))])
		var next time.Time
		for i := 4 * 24 * 12; i >= 0; i-- {
			now := from.Add(time.Duration(i) * 5 * time.Minute)
			open := allowedByHand(base.Windows, now.In(chicago))
			for _, zone := range zones {
				l, _ := time.LoadLocation(zone)
				local := now.In(l)
				place := PlaceOf(number)
				date := hours.DateOf(local)
				open = open && local.Format("01-02") != "12-24" && local.Format(time.DateOnly) != "2026-03-09" &&
					(!settings.Holidays || Holiday(place.Country(), date) == "")
				for _, rule := range rules {
					if !settings.Apply || rule.Place != place && rule.Place != place.Country() || rule.Calls > 0 {
						continue
					}
					open = open && allowedByHand(rule.Windows, local) &&
						(!rule.Holidays || Holiday(rule.Place, date) == "")
				}
			}
			if got := s.Open(now); got != open {
				t.Fatalf("%s with %+v: open %t at %v", number, settings, got, now)
			}
			if open {
				next = now
			}
			if !next.IsZero() {
				if got, ok := s.NextOpening(now); !ok || !got.Equal(next) {
					t.Fatalf("%s with %+v: opens at %v after %v, want %v", number, settings, got, now, next)
				}
			}
		}
	}
}

func allowedByHand(windows []hours.Window, local time.Time) bool {
	clock, today := local.Format("15:04"), hours.Day(strings.ToLower(local.Format("Mon")))
	return slices.ContainsFunc(windows, func(w hours.Window) bool {
		return slices.Contains(w.Days, today) && w.Start <= clock && clock < w.End
	})
}
