package campaign

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
)

func (b *world) forecast(t *testing.T, d *Draft) Forecast {
	t.Helper()
	f, err := b.svc.Forecast(t.Context(), b.actor.OrganizationID, d)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func office(timezone string) *hours.Hours {
	return &hours.Hours{
		Timezone: timezone, Windows: []hours.Window{{Days: hours.Days()[:5], Start: "09:00", End: "18:00"}},
	}
}

// A saved draft has the forecast that its form had.
func TestForecastOfASavedDraft(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
		values (gen_random_uuid(), $1, $2, 'user')`,
		b.actor.OrganizationID, testNumber(2))
	list, err := intake.Read(strings.NewReader("Phone,city,day\n"+testNumber(1)+",Rome,2026-12-01\n"+
		testNumber(2)+",,\n"+testNumber(3)+",2026-12-01 or so,\n"+testNumber(3)+",,\n"),
		intake.Reading{Region: "US", Wanted: []string{"city", "day", "doctor"}})
	if err != nil {
		t.Fatal(err)
	}
	d := b.draft(0)
	d.Recipients, d.AsDraft = list.Recipients, true
	d.CallingHours = office(hours.Recipient)
	d.ScheduledAt = ptr(time.Now().Add(72 * time.Hour))
	f := b.forecast(t, d)
	if f.Called != 2 || f.DoNotCall != 1 || f.Duplicates != 1 || fmt.Sprint(f.Dated) != "[{day 2026-12-01}]" {
		t.Errorf("foretold %+v", f)
	}
	stored, err := b.svc.ForecastDraft(t.Context(), b.create(t, d), []string{"city", "day", "doctor"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Lacking {
		f.Lacking[i].Line = 0 // what is stored has no lines of a file
	}
	if stored.Recipients = f.Recipients; fmt.Sprintf("%+v", stored) != fmt.Sprintf("%+v", f) {
		t.Errorf("foretold %+v of the draft, %+v of its form", stored, f)
	}
}

// A forecast matches what happens when the draft is submitted.
func TestForecastComesTrue(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
		values (gen_random_uuid(), $1, $2, 'user')`,
		b.actor.OrganizationID, testNumber(2))
	d := b.draft(4)
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(1)})
	d.Recipients.Add(intake.Recipient{PhoneNumber: "+12125550142"})
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(2)})
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(7), Timezone: "Europe/Berlin"})
	d.CallingHours = office(hours.Recipient)
	d.Retry = &RetryInput{MaxAttempts: ptr(3)}
	d.ScheduledAt = ptr(time.Now().Add(72 * time.Hour))
	f := b.forecast(t, d)
	c := b.create(t, d)
	if f.Recipients != 8 || f.Called != c.Counters().Pending || f.DoNotCall+f.Duplicates != c.Counters().Skipped ||
		f.DoNotCall != 2 || f.Duplicates != 1 || f.Calls != 15 {
		t.Errorf("foretold %+v, it is %+v", f, c.Counters())
	}
	if first := value[time.Time](
		t, b, `select min(due_at) from recipient`,
	); !first.Equal(f.First.Truncate(time.Millisecond)) {
		t.Errorf("the first are foretold for %s, and called %s", f.First, first)
	}
	if !f.ByTheirs || f.OtherZones != 2 || f.FirstZone == "" || f.Last.Before(f.First) || f.TooFar || f.Late > 0 {
		t.Errorf("foretold %+v", f)
	}
	// A forecast for added recipients recognizes the numbers that the campaign has.
	list, err := b.svc.ReadAddition(t.Context(), b.actor.OrganizationID, c.ID,
		reopen("phone\n"+testNumber(0)+"\n"+testNumber(50)+"\n"), intake.Reading{Region: "US"})
	if err != nil {
		t.Fatal(err)
	}
	more, err := b.svc.ForecastAddition(t.Context(), b.actor.OrganizationID, c.ID, &Addition{
		Recipients: list.Recipients,
	})
	if err != nil || more.Called != 1 || more.Duplicates != 1 || more.Calls != 3 || more.First.IsZero() {
		t.Errorf("foretold %+v, %v", more, err)
	}
}

func TestForecastSaysWhen(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	saturday := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	b.svc = b.service(func() time.Time { return saturday })
	shown := func(f Forecast) string {
		last := "-"
		if !f.Last.IsZero() {
			last = f.Last.Format("Mon 15:04")
		}
		return fmt.Sprintf("%s %s theirs=%t last=%s far=%t late=%d", f.First.UTC().
			Format("Mon 15:04"), f.FirstZone, f.ByTheirs, last, f.TooFar, f.Late)
	}
	for name, c := range map[string]struct {
		change func(*Draft)
		want   string
	}{
		"at once": {func(*Draft) {}, "Sat 12:00 America/Chicago theirs=true last=Sat 12:16 far=false late=0"},
		"their mornings": {func(d *Draft) {
			d.CallingHours = office(hours.Recipient)
		}, "Mon 15:00 America/Chicago theirs=true last=Mon 15:16 far=false late=0"},
		"one clock": {func(d *Draft) {
			d.CallingHours = office("Europe/Berlin")
		}, "Mon 08:00 Europe/Berlin theirs=false last=Mon 08:16 far=false late=0"},
		"scheduled": {func(d *Draft) {
			d.ScheduledAt = ptr(saturday.Add(time.Hour))
		}, "Sat 13:00 America/Chicago theirs=true last=Sat 13:16 far=false late=0"},
		"slowly": {func(d *Draft) {
			d.CallsPerSecond = ptr(0.01)
		}, "Sat 12:00 America/Chicago theirs=true last=Sun 17:26 far=false late=0"},
		"one line": {func(d *Draft) {
			d.MaxConcurrency = ptr(1)
		}, "Sat 12:00 America/Chicago theirs=true last=Sun 05:40 far=false late=0"},
		"in bits": {func(d *Draft) {
			d.MaxConcurrency = ptr(1)
			d.CallingHours = &hours.Hours{
				Timezone: "UTC", Windows: []hours.Window{{Days: hours.Days(), Start: "10:00", End: "15:00"}},
			}
		}, "Sat 12:00 UTC theirs=false last=Tue 14:40 far=false late=0"},
		"never done": {func(d *Draft) {
			d.CallsPerSecond = ptr(0.01)
			d.CallingHours = &hours.Hours{
				Timezone: "UTC", Windows: []hours.Window{{Days: hours.Days()[:1], Start: "10:00", End: "10:05"}},
			}
		}, "Mon 10:00 UTC theirs=false last=- far=true late=0"},
		"too late": {func(d *Draft) {
			d.MaxConcurrency = ptr(1)
			d.ExpiresAt = ptr(saturday.Add(10 * time.Hour))
		}, "Sat 12:00 America/Chicago theirs=true last=- far=false late=460"},
		"nonsense": {func(d *Draft) {
			d.MaxConcurrency = ptr(-1)
			d.CallsPerSecond = ptr(0.0)
		}, "Sat 12:00 America/Chicago theirs=true last=- far=false late=0"},
	} {
		d := b.draft(1060)
		d.CallsPerSecond, d.MaxConcurrency = ptr(1000.0), ptr(1000)
		b.exec(t, `update phone_number set max_concurrency = null`)
		if name != "slowly" {
			d.MaxConcurrency = ptr(66)
		}
		c.change(d)
		if got := shown(b.forecast(t, d)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	// The forecast respects the limits of the connection and the duration of past
	// calls.
	d := b.draft(1060)
	d.CallsPerSecond, d.MaxConcurrency = ptr(1000.0), ptr(1000)
	b.exec(t, `update connection set calls_per_second = 0.5`)
	if f := b.forecast(t, d); f.Last.Format("Mon 15:04") != "Sat 12:35" || !f.Guessed || f.PerCall != time.Minute {
		t.Errorf("foretold %+v", f)
	}
	// Without a project the forecast has no times. Without a list it has no recipients.
	d.ProjectID = ""
	if f := b.forecast(t, d); f.Called != 1060 || !f.First.IsZero() {
		t.Errorf("foretold %+v", f)
	}
	if f := b.forecast(t, &Draft{ProjectID: b.project.String()}); f.Called != 0 || !f.First.IsZero() {
		t.Errorf("foretold %+v", f)
	}
	// The project of another organization gives no times.
	other := worldOn(t, b.DB)
	d.ProjectID = other.project.String()
	if f := b.forecast(t, d); !f.First.IsZero() {
		t.Errorf("foretold %+v", f)
	}
}

// reopen returns a function that opens the same file again.
func reopen(file string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(file)), nil }
}

func TestReadAddition(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	d := b.draft(2)
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(5), ExternalID: "e-5"})
	c := b.create(t, d)
	file := "phone,external_id\n" + testNumber(1) + ",\n" + testNumber(8) + ",e-5\n" + testNumber(9) + ",e-9\nnone,\n"
	told := 0
	how := intake.Reading{Region: "US", Reject: func(p intake.RowProblem, _ []string) error { told++; return nil }}
	list, err := b.svc.ReadAddition(t.Context(), b.actor.OrganizationID, c.ID, reopen(file), how)
	if err != nil {
		t.Fatal(err)
	}
	if list.Rows != 4 || list.Rejected != 2 || told != 2 || list.Recipients.Duplicates() != 1 ||
		!list.Sample[0].Duplicate {
		t.Errorf("%d rows, %d rejected (%d told), %d duplicates", list.Rows, list.Rejected, told,
			list.Recipients.Duplicates())
	}
	if p := list.Problems[0]; p.Line != 3 || p.Reason != "external_id: used by a recipient of this campaign" {
		t.Errorf("the first problem is %+v", p)
	}
	// Append accepts the list that was read.
	after, err := b.svc.Append(t.Context(), b.actor, c.ID, &Addition{Recipients: list.Recipients})
	if err != nil || after.Counters() != (Counters{Total: 5, Pending: 4, Skipped: 1}) {
		t.Errorf("%+v, %v", after.Counters(), err)
	}
	other := worldOn(t, b.DB)
	_, err = b.svc.ReadAddition(t.Context(), other.actor.OrganizationID, c.ID, reopen(file), how)
	if fault.KindOf(err) != fault.NotFound {
		t.Errorf("another organization's campaign: %v", err)
	}
}
