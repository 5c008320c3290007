package dialer

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
)

func TestTheTimeLeft(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(120))
	d.MaxConcurrency = ptr(20)
	c := b.create(t, d)
	left := func() (campaign.Left, bool) {
		t.Helper()
		l, known, err := b.svc.Left(t.Context(), b.get(t, c.ID))
		if err != nil {
			t.Fatal(err)
		}
		return l, known
	}
	if l, known := left(); known {
		t.Errorf("before the first call %v are left", l)
	}
	for b.get(t, c.ID).Dialing < 20 {
		b.dial(t)
	}
	b.StopClock()
	// Twenty calls were placed in twenty seconds, and a hundred remain.
	b.exec(
		t,
		`update call set created_at = clock() - (n || ' s')::interval
			from (select id, row_number() over (order by id desc) as n from call) o where o.id = call.id`,
	)
	if l, known := left(); !known || l.Due != nil || l.Time < 95*time.Second || l.Time > 10*time.Minute {
		t.Errorf("%+v, %v, want about 100 s", l, known)
	}
	// One recipient waits an hour for a retry.
	b.exec(
		t,
		`update recipient set due_at = clock() + interval '1 hour' where id = (select id from recipient
			where status = 'pending' limit 1)`,
	)
	if l, known := left(); !known || l.Due == nil || l.Time < 50*time.Minute || l.Time > time.Hour {
		t.Errorf("%+v, %v, want at least an hour", l, known)
	}
	// After a while without calls there is no estimate.
	b.Advance(3 * time.Minute)
	if l, known := left(); known {
		t.Errorf("while nothing is dialed %v are left", l)
	}
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	b.move(t, c.ID, b.svc.Pause)
	if l, known := left(); known {
		t.Errorf("while it is paused %v are left", l)
	}
}
