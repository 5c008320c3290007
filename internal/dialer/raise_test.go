package dialer

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/project"
)

// A campaign that waits for a very low pace uses a raised pace at once, whether the pace
// is its own or shared, and never starts calls earlier than the new pace allows.
func TestARaisedPaceHoldsNobodyBack(t *testing.T) {
	t.Parallel()
	slow, quick := ptr(0.01), ptr(20.0)
	for whose, set := range map[string]func(*testing.T, *bench, *project.Service, *float64) error{
		"phone number": func(t *testing.T, b *bench, projects *project.Service, rate *float64) error {
			_, err := projects.UpdatePhoneNumber(t.Context(), b.actor, b.number, project.NumberSettings{
				Voice: true, CallsPerSecond: rate,
			})
			return err
		},
		"connection": func(t *testing.T, b *bench, projects *project.Service, rate *float64) error {
			_, err := projects.UpdateConnection(t.Context(), b.actor, b.connection, project.ConnectionSettings{
				Name: "Sandbox", CallsPerSecond: rate,
			})
			return err
		},
		"organization": func(t *testing.T, b *bench, _ *project.Service, rate *float64) error {
			return b.calling.SetLimits(t.Context(), b.actor, Limits{CallsPerSecond: rate}, "")
		},
	} {
		for to, rate := range map[string]*float64{"raised": quick, "lifted": nil} {
			t.Run(whose+" "+to, func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				projects := project.New(project.Options{Pool: b.Pool, OnRateChanged: b.calling.LookAgain})
				b.exec(t, `update connection set kind = 'twilio'`) // a sandbox connection has no pace
				if err := set(t, b, projects, slow); err != nil {
					t.Fatal(err)
				}
				d := fast(b.draft(3))
				d.NotReadyReason = "A test"
				c := b.create(t, d)
				b.Advance(time.Second)
				b.dial(t)
				b.Advance(time.Second)
				b.dial(t)
				if got := b.checkCounters(t, c.ID); got.Dialing != 1 {
					t.Fatalf("by the low pace: %+v", got)
				}
				if err := set(t, b, projects, rate); err != nil {
					t.Fatal(err)
				}
				b.dial(t)
				if got := b.checkCounters(t, c.ID); got.Dialing < 2 {
					t.Errorf("by the new pace: %+v", got)
				}
			})
		}
	}
}

// A changed pace continues from the previous call. Lowering a pace or changing it often
// grants no extra call, and a rest that the carrier asked for remains.
func TestAChangedPaceGoesOn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.StopClock()
	projects := project.New(project.Options{Pool: b.Pool, OnRateChanged: b.calling.LookAgain})
	b.exec(t, `update connection set kind = 'twilio'`)
	set := func(rate *float64) {
		t.Helper()
		if err := b.calling.SetLimits(t.Context(), b.actor, Limits{CallsPerSecond: rate}, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := projects.UpdateConnection(t.Context(), b.actor, b.connection, project.ConnectionSettings{
			Name: "Sandbox", CallsPerSecond: rate,
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := projects.UpdatePhoneNumber(t.Context(), b.actor, b.number, project.NumberSettings{
			Voice: true, CallsPerSecond: rate,
		}); err != nil {
			t.Fatal(err)
		}
	}
	set(ptr(0.02))
	d := fast(b.draft(3))
	d.NotReadyReason = "A test"
	c := b.create(t, d)
	b.Advance(time.Second)
	b.dial(t)
	first := value[time.Time](t, b, `select created_at from call`)
	for _, rate := range []float64{0.05, 0.01} {
		set(ptr(rate))
		b.dial(t)
		for _, table := range []string{"organization", "connection", "phone_number"} {
			next := b.paceAt(t, table)
			if off := next.Sub(first) - time.Duration(float64(time.Second)/rate); off.Abs() > catchUp+time.Second {
				t.Errorf("at %v a second, the next call of the %s is due %v after the last", rate, table,
					next.Sub(first))
			}
		}
	}
	if got := b.checkCounters(t, c.ID); got.Dialing != 1 {
		t.Errorf("a changed pace gave calls away: %+v", got)
	}

	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	set(nil)
	rest := b.rest(t, time.Minute)
	set(ptr(5.0))
	b.Advance(time.Second)
	b.dial(t)
	if got := b.checkCounters(t, c.ID); got.Dialing != 0 || b.paceAt(t, "connection").Before(rest.Add(-time.Second)) {
		t.Errorf("a new pace broke the carrier's rest: %+v", got)
	}
}
