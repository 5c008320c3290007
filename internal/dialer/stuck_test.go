package dialer

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/testwait"
)

// hold takes row locks like a process that freezes in the middle of a transaction.
func (b *bench) hold(t testing.TB, sql string, args ...any) (release func()) {
	t.Helper()
	tx, err := b.pool(t).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
	return func() { _ = tx.Rollback(t.Context()) }
}

// A campaign whose row is locked for long delays only the settlement of its own calls.
func TestALockedCampaignHoldsUpNoOtherSettlement(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.create(t, b.draft(1))
	d := b.draft(0)
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(7)})
	second := b.create(t, d)
	b.dial(t)
	b.endAll(t, call.OutcomeCompleted)
	release := b.hold(t, `select from campaign where id = $1 for no key update`, first.ID)
	for range 3 {
		if _, err := b.settler.round(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.checkCounters(t, second.ID); got.Status != campaign.Completed {
		t.Errorf("the other campaign is %s", got.Status)
	}
	release()
	clear(b.settler.busy)
	b.settle(t)
	if got := b.checkCounters(t, first.ID); got.Status != campaign.Completed {
		t.Errorf("the campaign itself is %s when its row is free", got.Status)
	}
}

// Campaigns share the figures of a number. A settlement waits for another that is slow to commit them.
func TestASettlementWaitsForTheFiguresOfANumber(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 2 {
		d := b.draft(0)
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(i)})
		c := b.create(t, d)
		b.dial(t)
		b.endAll(t, call.OutcomeCompleted)
		if i == 0 { // it makes the row of the number and day
			b.settle(t)
			continue
		}
		release := b.hold(t, `select from phone_number_day for update`)
		settled := make(chan error)
		go func() {
			_, err := b.settler.batch(context.Background())
			settled <- err
		}()
		for deadline := time.Now().Add(testwait.Limit); value[int](t, b, `
			select count(*) from pg_stat_activity
			where datname = current_database() and wait_event_type = 'Lock'`) == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the settlement does not wait")
			}
		}
		time.Sleep(400 * time.Millisecond) // longer than a wait for a campaign
		release()
		if err := <-settled; err != nil {
			t.Fatal(err)
		}
		if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed {
			t.Errorf("the campaign is %s", got.Status)
		}
	}
	placed := value[int](t, b, `select sum(placed)::int from phone_number_day`)
	if placed != 2 {
		t.Errorf("%d calls count", placed)
	}
}

// An organization whose row is locked for long costs the dialer one wait, not one wait
// per campaign.
func TestALockedOrganizationHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 20 {
		d := b.draft(0)
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(i)})
		b.create(t, d)
	}
	release := b.hold(t, `select from organization where id = $1 for no key update`, b.actor.OrganizationID)
	defer release()
	if _, err := b.dialer.round(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	// The other campaigns are left alone without a wait for each.
	if n := len(b.dialer.leftAlone()); n != 20 {
		t.Errorf("%d of 20 campaigns are left alone", n)
	}
	if looks := value[int](t, b, `select count(*) from campaign where status = 'running'`); looks > 0 {
		t.Errorf("%d campaigns were looked at", looks)
	}
}

// A long list expires in steps short enough for other campaigns to dial between them, and
// completes once.
func TestALongListExpiresInSteps(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.draft(1)
	d.ExpiresAt = ptr(time.Now().Add(time.Hour))
	c := b.create(t, d)
	const people = 2*expireMost + 10
	b.exec(t, `
		insert into recipient (id, organization_id, campaign_id, phone_number, zone_source, status, due_at)
		select gen_random_uuid(), organization_id, id, '+1312' || 2000000 + n, 'project', 'pending', clock()
		from campaign, generate_series(1, $1) n`, people-1)
	b.exec(t, `update campaign set total = $1`, people)
	b.Advance(2 * time.Hour)
	for _, want := range []int{expireMost, 2 * expireMost, people} {
		b.dial(t)
		if got := b.checkCounters(t, c.ID); got.Expired != want {
			t.Fatalf("%d have expired, want %d", got.Expired, want)
		}
	}
	if got := b.get(t, c.ID); got.Status != campaign.Completed || *got.EndedReason != campaign.EndedExpired {
		t.Errorf("%s", got.Status)
	}
	if n := value[int](t, b, `select count(*) from audit_entry where action = 'campaign.completed'`); n != 1 {
		t.Errorf("completed %d times", n)
	}
}

// A recipient added to the do-not-call list between the claim and the request is skipped
// and not called.
func TestOptOutBetweenClaimAndPlacing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(1)))
	due, _, _, err := b.dialer.due(t.Context())
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	l, err := b.dialer.pass(t.Context(), due[0], 10, false)
	if err != nil || len(l.queued) != 1 {
		t.Fatalf("%+v, %v", l, err)
	}
	b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source) values ($1, $2, $3, 'user')`,
		uuid.New(), b.actor.OrganizationID, testNumber(0))
	if _, err := b.calls.Place(t.Context(), l.queued[0]); err != nil {
		t.Fatal(err)
	}
	if n := b.network.dials(testNumber(0)); n != 0 {
		t.Errorf("dialed %d times", n)
	}
	b.settle(t)
	b.dial(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Skipped != 1 || got.CallsPlaced != 0 {
		t.Errorf("%+v", got)
	}
}

// When the calling hours of a long list end, many short passes move it to the next day,
// and a short list is dialed in the meantime.
func TestALongListOutsideItsHoursHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.draft(1)
	d.CallingHours = window(tomorrow(12), time.Hour)
	long := b.create(t, d)
	const people = 10 * movedMost
	b.exec(t, `
		insert into recipient (id, organization_id, campaign_id, phone_number, zone_source, zones, status, due_at)
		select gen_random_uuid(), organization_id, id, '+1313' || 2000000 + n, 'project', array['UTC'], 'pending',
			clock()
		from campaign, generate_series(1, $1) n`, people-1)
	b.exec(t, `update campaign set total = $1, dial_at = clock()`, people)
	short := b.create(t, fast(b.draft(10)))
	due := func() int {
		return value[int](
			t, b,
			`select count(*) from recipient where campaign_id = $1 and status = 'pending' and due_at <= clock()`,
			long.ID,
		)
	}
	for before := people; b.checkCounters(t, short.ID).Dialing < 10; {
		b.dial(t)
		after := due()
		if before-after > 2*movedMost {
			t.Fatalf("%d were moved in one look", before-after)
		}
		before = after
	}
	if due() == 0 {
		t.Error("the long one went first")
	}
	for due() > 0 {
		b.dial(t)
	}
	if got := b.checkCounters(t, long.ID); got.Pending != people || len(b.network.up()) != 10 {
		t.Errorf("%+v, %d calls", got.Counters(), len(b.network.up()))
	}
}
