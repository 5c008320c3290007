package regulation

import (
	"fmt"
	"math/rand/v2"
	"net/url"
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

// A rule links to those who make or publish the law. The official pages of two states are not known.
func TestSourcesAreOfficial(t *testing.T) {
	t.Parallel()
	official := []string{
		".gov", "www.leg.state.fl.us", "www.leg.state.nv.us", "www.crtc.gc.ca", "www.gesetze-im-internet.de",
		"www.boe.es", "www.legifrance.gouv.fr", "www.ofcom.org.uk", "www.garanteprivacy.it", "www.reclamecode.nl",
	}
	for _, r := range Rules() {
		u, err := url.Parse(r.URL)
		if err != nil {
			t.Fatal(err)
		}
		if r.ID != "us-ma-hours" && r.ID != "us-ms-hours" &&
			!slices.ContainsFunc(official, func(host string) bool { return strings.HasSuffix(u.Host, host) }) {
			t.Errorf("%s links to %s", r.ID, u.Host)
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
		state, ours := placeOfArea[fmt.Sprint(area)]
		want := Place("")
		for country, of := range parts {
			for code, s := range of {
				if where == code || where == s.name {
					want = Place(country + "-" + code)
				}
			}
		}
		if where == "Washington D.C." {
			want = "US-DC"
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
		"+17875550100": "US-PR", "+14165550100": "CA-ON", "+19025550100": "CA",
		"+33612345678": "FR", "+442079460100": "GB", "+870773111632": "",
		"+12425550100": "BS", "": "",
	} {
		if got := PlaceOf(number); got != want {
			t.Errorf("%s: %q, want %q", number, got, want)
		}
	}
	got := Place("US-FL").Name() + ", " + Place("FR").Name() + ", " + Place("US-PR").Name() + ", " +
		Place("CA-ON").Name()
	if got != "Florida, France, Puerto Rico, Ontario" {
		t.Error(got)
	}
	for place, want := range map[Place]bool{
		"US-FL": true, "US-PR": true, "PR": false, "CA-ON": true, "CA-NS": false, "DE": true, "DE-BY": false,
		"XX": false, "": false, "de": false, "US-": false,
	} {
		if place.Known() != want {
			t.Errorf("%q is known: %t", place, !want)
		}
	}
	for _, country := range []Place{"US", "CA"} {
		for _, p := range country.Parts() {
			if !p.Known() || p.Name() == "" {
				t.Errorf("%s %q", p, p.Name())
			}
		}
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
	weekday := []hours.Window{{Days: []hours.Day{hours.Monday}, Start: "10:00", End: "12:00"}}
	for name, bad := range map[string]Settings{
		"own place":     {Own: []Rule{{Place: "DE-BY", Calls: 2, Days: 1, Source: "x"}}},
		"own calls":     {Own: []Rule{{Place: "DE", Calls: 101, Days: 1, Source: "x"}}},
		"own no calls":  {Own: []Rule{{Place: "DE", Windows: weekday, Days: 1, Source: "x"}}},
		"own days":      {Own: []Rule{{Place: "DE", Calls: 1, Days: 2, Source: "x"}}},
		"own nothing":   {Own: []Rule{{Place: "DE", Source: "x"}}},
		"own no reason": {Own: []Rule{{Place: "DE", Windows: weekday, Source: " "}}},
		"own windows":   {Own: []Rule{{Place: "DE", Windows: []hours.Window{{Start: "10:00", End: "9"}}, Source: "x"}}},
		"own too many":  {Own: slices.Repeat([]Rule{{Place: "DE", Windows: weekday, Source: "x"}}, maxOwn+1)},
		"date":          {ClosedDays: []ClosedDay{{Date: "24.12."}}},
		"twice":         {ClosedDays: []ClosedDay{{Date: "12-24"}, {Date: "12-24"}}},
		"no reason":     {Overrides: map[string]Override{"us-hours": {Off: true}}},
		"unknown":       {Overrides: map[string]Override{"xx-hours": {Off: true, Reason: "x"}}},
		"calls":         {Overrides: map[string]Override{"us-fl-calls": {Reason: "x"}}},
		"windows":       {Overrides: map[string]Override{"us-hours": {Reason: "x"}}},
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

// Own rules apply besides the table, and without it. Every limit of a number's place counts.
func TestOwnRules(t *testing.T) {
	t.Parallel()
	s := Settings{}
	for _, r := range []Rule{
		{Place: "US", Calls: 5, Days: 1, Source: " a promise "},
		{Place: "US-FL", Calls: 2, Days: 1, Source: "x"},
		{Place: "CA-ON", Calls: 2, Days: 1, Source: "x", Windows: []hours.Window{
			{Days: []hours.Day{hours.Monday}, Start: "10:00", End: "12:00"},
		}},
	} {
		s.Add(r)
	}
	if err := s.Check(); err != nil || s.Own[0].Source != "a promise" {
		t.Fatal(err, s.Own)
	}
	caps := func(apply bool, n phone.Number) (calls []int) {
		s.Apply = apply
		for _, c := range NewBook(s).Of(n).Caps {
			calls = append(calls, c.Calls)
		}
		return calls
	}
	for _, c := range []struct {
		number phone.Number
		apply  bool
		want   []int
	}{
		{"+13055550100", false, []int{5, 2}}, {"+13055550100", true, []int{3, 5, 2}}, {"+12125550100", true, []int{5}},
		{"+14165550100", true, []int{2}}, {"+16045550100", true, nil}, {"+4915112345678", true, nil},
	} {
		if got := caps(c.apply, c.number); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.number, got, c.want)
		}
	}
	ontario := s.Own[2]
	if got := ontario.Text(); got != "10:00–12:00, Mon, and at most 2 calls to a number in 24 hours" {
		t.Error(got)
	}
	if ids := NewBook(s).Applied("+14165550100"); !slices.Equal(ids, []string{"ca-hours", ontario.ID}) {
		t.Error(ids)
	}
	if place, own := PlaceOfOwn(ontario.ID); place != "CA-ON" || !own {
		t.Error(ontario.ID, place)
	}
	if place, own := PlaceOfOwn("us-fl-hours"); own {
		t.Error(place)
	}
	s.Remove(ontario.ID)
	if _, there := s.OwnRule(ontario.ID); there || len(s.Own) != 2 {
		t.Error(s.Own)
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
		for range r.IntN(4) {
			settings.Add(Rule{
				Place: []Place{"US", "US-FL", "CA", "CA-ON", "DE", "JP", "FR"}[r.IntN(7)], Source: "x",
				Windows: []hours.Window{{
					Days:  hours.Days()[:4+r.IntN(4)],
					Start: fmt.Sprintf("%02d:00", 6+r.IntN(6)), End: fmt.Sprintf("%d:30", 16+r.IntN(6)),
				}},
			})
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
				for _, rule := range settings.Own {
					if rule.Place == place || rule.Place == place.Country() {
						open = open && allowedByHand(rule.Windows, local)
					}
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
