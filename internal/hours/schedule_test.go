package hours

import (
	"archive/zip"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func at(t *testing.T, s, zone string) time.Time {
	t.Helper()
	l, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	u, err := time.ParseInLocation("2006-01-02 15:04:05", s, l)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func schedule(t *testing.T, h Hours, zones ...string) *Schedule {
	t.Helper()
	s, err := h.In(zones...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func daily(start, end string) Hours {
	return Hours{Recipient, []Window{{Days(), start, end}}}
}

func TestNextOpening(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		hours    Hours
		zone     string
		from, to string // in the local time of zone
	}{
		{"open already", daily("08:00", "21:00"), "Europe/Berlin", "2026-11-20 08:00:00", "2026-11-20 08:00:00"},
		{
			"the end is not included", daily("08:00", "21:00"), "Europe/Berlin", "2026-11-20 21:00:00",
			"2026-11-21 08:00:00",
		},
		{"before", daily("08:00", "21:00"), "Asia/Kathmandu", "2026-11-20 07:59:59", "2026-11-20 08:00:00"},
		{
			"across the weekend", Hours{Recipient, []Window{{weekdays(), "15:00", "20:00"}}}, "America/Chicago",
			"2026-11-20 20:00:00", "2026-11-23 15:00:00",
		},
		{
			"across the year", Hours{Recipient, []Window{{[]Day{Monday}, "00:00", "01:00"}}}, "UTC",
			"2026-12-28 01:00:00", "2027-01-04 00:00:00",
		},
		{
			"through midnight",
			Hours{Recipient, []Window{{[]Day{Sunday}, "22:00", "24:00"}, {[]Day{Monday}, "00:00", "02:00"}}}, "UTC",
			"2026-11-23 01:59:59", "2026-11-23 01:59:59",
		},
		// 29 March 2026: clocks in Berlin skip from 02:00 to 03:00.
		{
			"a leap over the start", daily("02:30", "04:00"), "Europe/Berlin", "2026-03-29 01:00:00",
			"2026-03-29 03:00:00",
		},
		{
			"a leap over the window", daily("02:00", "03:00"), "Europe/Berlin", "2026-03-28 03:00:00",
			"2026-03-30 02:00:00",
		},
		{
			"a weekly window is leapt over", Hours{Recipient, []Window{{[]Day{Sunday}, "02:00", "03:00"}}},
			"Europe/Berlin", "2026-03-23 00:00:00", "2026-04-05 02:00:00",
		},
		// The clock skips only half an hour.
		{
			"Lord Howe leaps to 02:30", daily("02:15", "03:00"), "Australia/Lord_Howe", "2026-10-04 01:59:00",
			"2026-10-04 02:30:00",
		},
		// Midnight does not exist: 6 September 2026 begins at 01:00 in Chile.
		{
			"a day without midnight", Hours{Recipient, []Window{{[]Day{Sunday}, "00:00", "02:00"}}},
			"America/Santiago", "2026-09-05 12:00:00", "2026-09-06 01:00:00",
		},
		// Samoa skipped 30 December 2011, a Friday.
		{
			"a day that never was", Hours{Recipient, []Window{{[]Day{Friday}, "09:00", "17:00"}}}, "Pacific/Apia",
			"2011-12-28 09:00:00", "2012-01-06 09:00:00",
		},
		{"the day after it", daily("09:00", "17:00"), "Pacific/Apia", "2011-12-29 17:00:00", "2011-12-31 09:00:00"},
	} {
		from, want := at(t, c.from, c.zone), at(t, c.to, c.zone)
		got, ok := schedule(t, c.hours, c.zone).NextOpening(from)
		if !ok || !got.Equal(want) {
			t.Errorf("%s: got %v, %t; want %v", c.name, got, ok, want)
		}
	}
}

// Both runs of a repeated hour are open, and the pause between them is closed.
func TestRepeatedHour(t *testing.T) {
	t.Parallel()
	s := schedule(t, daily("02:00", "02:30"), "Europe/Berlin")
	first := time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC) // 02:00 CEST
	for offset, want := range map[time.Duration]bool{
		-time.Second: false, 0: true, 30*time.Minute - 1: true, 30 * time.Minute: false,
		time.Hour: true, 90*time.Minute - 1: true, 90 * time.Minute: false,
	} {
		if got := s.Open(first.Add(offset)); got != want {
			t.Errorf("%v after the first 02:00: open %t", offset, got)
		}
	}
	if got, _ := s.NextOpening(first.Add(40 * time.Minute)); !got.Equal(first.Add(time.Hour)) {
		t.Errorf("opens again at %v", got)
	}
}

func TestSeveralZones(t *testing.T) {
	t.Parallel()
	s := schedule(t, daily("08:00", "21:00"), "America/New_York", "America/Los_Angeles")
	if got, ok := s.NextOpening(at(t, "2026-11-20 08:00:00", "America/New_York")); !ok ||
		!got.Equal(at(t, "2026-11-20 11:00:00", "America/New_York")) {
		t.Errorf("opens at %v, %t; want 08:00 in Los Angeles", got, ok)
	}
	if s.Open(at(t, "2026-11-20 20:59:00", "America/Los_Angeles")) {
		t.Error("open while it is midnight in New York")
	}
	// Hours with a time zone of their own ignore the recipient's zone.
	own := Hours{"Europe/Berlin", daily("08:00", "21:00").Windows}
	if !schedule(t, own, "Asia/Tokyo").Open(at(t, "2026-11-20 08:00:00", "Europe/Berlin")) {
		t.Error("hours with their own zone follow another")
	}
	if _, err := daily("08:00", "21:00").In(); err == nil {
		t.Error("a recipient's clock without a zone is accepted")
	}
	if _, err := daily("08:00", "21:00").In("Europe/Berlin", "Mars/Olympus"); err == nil {
		t.Error("an unknown zone is accepted")
	}
}

func TestShared(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		hours Hours
		zones string
		want  bool
	}{
		{daily("08:00", "21:00"), "Europe/Kaliningrad Asia/Kamchatka", true},
		{daily("15:00", "20:00"), "Europe/Kaliningrad Asia/Kamchatka", false},
		{daily("08:00", "21:00"), "Europe/London", true},
		{daily("09:00", "10:00"), "Atlantic/Azores Europe/Lisbon", false},
		// Lisbon and the Azores are an hour apart. The windows only touch.
		{daily("09:00", "10:01"), "Atlantic/Azores Europe/Lisbon", true},
		// London and New York are five hours apart in winter, and four hours while only
		// one has daylight saving time.
		{daily("09:00", "13:30"), "Europe/London America/New_York", false},
		{daily("09:00", "14:30"), "Europe/London America/New_York", true},
		{Hours{Recipient, nil}, "UTC", false},
		{Hours{Recipient, []Window{{[]Day{Sunday}, "02:00", "03:00"}}}, "Europe/Berlin", true},
	} {
		if got := schedule(t, c.hours, strings.Fields(c.zones)...).Shared(now); got != c.want {
			t.Errorf("%s in %s: shared %t", Describe(c.hours), c.zones, got)
		}
	}
}

// allZones returns the zones that Go ships.
func allZones(t *testing.T) []string {
	t.Helper()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output() // a trimmed binary lacks it
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close() //nolint:errcheck // it was only read
	var names []string
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, "/") {
			names = append(names, f.Name)
		}
	}
	if len(names) < 400 {
		t.Fatalf("only %d zones", len(names))
	}
	return names
}

// openByHand is the reference: it compares the local time with each window.
func openByHand(h Hours, locations []*time.Location, t time.Time) bool {
	for _, l := range locations {
		local := t.In(l)
		clock, inside := local.Format("15:04"), false
		today := Day(strings.ToLower(local.Format("Mon")))
		for _, w := range h.Windows {
			for _, d := range w.Days {
				inside = inside || d == today && w.Start <= clock && clock < w.End
			}
		}
		if !inside {
			return false
		}
	}
	return true
}

// Compares the schedule with the reference, minute by minute, for every zone around
// each clock change of a year and in one other span.
func TestAgreesWithTheWall(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	zones := allZones(t)
	for _, zone := range zones {
		if !KnownZone(zone) {
			t.Errorf("zone %q is not known", zone)
			continue
		}
		names := []string{zone}
		if r.IntN(3) == 0 {
			names = append(names, zones[r.IntN(len(zones))])
		}
		h := randomHours(r)
		s := schedule(t, h, names...)
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		spans := []time.Time{start.Add(time.Duration(r.IntN(364*24)) * time.Hour)}
		for _, l := range s.zones {
			for _, next := start.In(l).ZoneBounds(); !next.IsZero() &&
				next.Year() == 2026; _, next = next.ZoneBounds() {
				spans = append(spans, next.UTC().Add(-8*time.Hour))
			}
		}
		for _, from := range spans {
			const minutes = 20 * 60
			// The loop runs backward so that each minute knows the next open minute.
			var next time.Time
			for i := minutes; i >= 0; i-- {
				now := from.Add(time.Duration(i) * time.Minute)
				open := openByHand(h, s.zones, now)
				if got := s.Open(now); got != open {
					t.Fatalf("%v, %v: open %t at %v, the wall says %t", h, names, got, now, open)
				}
				if open {
					next = now
				}
				if next.IsZero() {
					continue
				}
				if got, ok := s.NextOpening(now); !ok || !got.Equal(next) {
					t.Fatalf("%v, %v: opens at %v (%t) after %v, the wall says %v", h, names, got, ok, now, next)
				}
			}
		}
	}
}

// NextOpening returns an open instant, and the second before it is closed.
func TestNextOpeningIsTheFirst(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	zones := allZones(t)
	for range 20_000 {
		h := randomHours(r)
		s := schedule(t, h, zones[r.IntN(len(zones))], zones[r.IntN(len(zones))])
		from := time.Unix(r.Int64N(4e9)-1e9, r.Int64N(1e9)) // 1938–2096
		got, ok := s.NextOpening(from)
		if !ok {
			continue
		}
		if got.Before(from) || !s.Open(got) {
			t.Fatalf("%v in %v: %v after %v is not open", h, s.zones, got, from)
		}
		if got.After(from) && (s.Open(from) || s.Open(got.Add(-1))) {
			t.Fatalf("%v: open before %v, from %v", h, got, from)
		}
	}
}

func randomHours(r *rand.Rand) Hours {
	h := Hours{Timezone: Recipient}
	for range 1 + r.IntN(4) {
		start := r.IntN(minutesPerDay)
		end := start + 1 + r.IntN(minutesPerDay-start)
		w := Window{Start: clock(start), End: clock(end)}
		for _, d := range Days() {
			if r.IntN(2) == 0 {
				w.Days = append(w.Days, d)
			}
		}
		h.Windows = append(h.Windows, w)
	}
	return h
}

func clock(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }

func BenchmarkNextOpening(b *testing.B) {
	h := Default()
	from := time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC)
	b.Run("In", func(b *testing.B) {
		for b.Loop() {
			if _, err := h.In("America/Chicago"); err != nil {
				b.Fatal(err)
			}
		}
	})
	s, _ := h.In("Europe/Kaliningrad", "Asia/Kamchatka")
	b.Run("NextOpening", func(b *testing.B) {
		for b.Loop() {
			s.NextOpening(from)
		}
	})
	b.Run("Shared", func(b *testing.B) {
		for b.Loop() {
			s.Shared(from)
		}
	})
}

// Around tells the hours of the day in which a schedule is open by each clock, also past midnight and for several
// schedules.
func TestAround(t *testing.T) {
	t.Parallel()
	in := func(zones []string, windows ...Window) *Schedule {
		t.Helper()
		s, err := Hours{Timezone: Recipient, Windows: windows}.In(zones...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	moment := time.Date(2026, 11, 24, 1, 30, 0, 0, time.UTC) // Monday evening in Chicago
	chicago := []string{"America/Chicago"}
	late := in(chicago, Window{Days: Days(), Start: "18:00", End: "24:00"},
		Window{Days: Days(), Start: "00:00", End: "02:00"})
	early := in(chicago, Window{Days: Days(), Start: "08:00", End: "20:00"})
	both := in([]string{"America/Chicago", "America/Denver"}, Default().Windows...)
	for _, c := range []struct {
		what string
		of   *Schedule
		want string
	}{
		{"past midnight", late, "America/Chicago 19:30 18:00-24:00"},
		{"two schedules", late.And(early), "America/Chicago 19:30 18:00-20:00"},
		{"two clocks", both, "America/Chicago 19:30 08:00-21:00, America/Denver 18:30 08:00-21:00"},
		{"a clock of the other schedule", late.And(both),
			"America/Chicago 19:30 18:00-21:00, America/Denver 18:30 08:00-21:00"},
		{"closed", in(chicago, Window{Days: Days(), Start: "08:00", End: "09:00"}), ""},
	} {
		var got []string
		for _, a := range c.of.Around(moment) {
			start, end := a.Open.Clock()
			got = append(got, a.Timezone+" "+a.Local.Format("15:04")+" "+start+"-"+end)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %v, want %s", c.what, got, c.want)
		}
	}
}
