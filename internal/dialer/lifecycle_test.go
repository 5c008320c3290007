package dialer

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
)

func TestMovesAndTheirAudit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.draft(1)
	d.ScheduledAt = ptr(time.Now().Add(time.Hour))
	c := b.create(t, d)
	id := c.ID
	for _, step := range []struct {
		do     func() (campaign.Campaign, error)
		status campaign.Status
		err    string
	}{
		{func() (campaign.Campaign, error) {
			return b.svc.Resume(t.Context(), b.actor, id)
		}, "", "This campaign is scheduled and cannot be resumed"},
		{func() (campaign.Campaign, error) { return b.svc.Pause(t.Context(), b.actor, id) }, campaign.Paused, ""},
		{func() (campaign.Campaign, error) {
			return b.svc.Pause(t.Context(), b.actor, id)
		}, "", "This campaign is paused and cannot be paused"},
		{func() (campaign.Campaign, error) { return b.svc.Resume(t.Context(), b.actor, id) }, campaign.Scheduled, ""},
		{func() (campaign.Campaign, error) {
			b.Advance(61 * time.Minute)
			b.dial(t)
			return b.get(t, c.ID), nil
		}, campaign.Running, ""},
		{func() (campaign.Campaign, error) { return b.svc.Pause(t.Context(), b.actor, id) }, campaign.Paused, ""},
		{func() (campaign.Campaign, error) { return b.svc.Resume(t.Context(), b.actor, id) }, campaign.Running, ""},
		{func() (campaign.Campaign, error) { return b.svc.Cancel(t.Context(), b.actor, id) }, campaign.Canceled, ""},
		{func() (campaign.Campaign, error) {
			return b.svc.Cancel(t.Context(), b.actor, id)
		}, "", "This campaign is canceled and cannot be canceled"},
		{func() (campaign.Campaign, error) {
			return b.svc.Resume(t.Context(), b.actor, id)
		}, "", "This campaign is canceled and cannot be resumed"},
	} {
		got, err := step.do()
		if step.err != "" {
			if fault.KindOf(err) != fault.Conflict || err.Error() != step.err {
				t.Errorf("%v, want %q", err, step.err)
			}
			continue
		}
		if err != nil || got.Status != step.status {
			t.Fatalf("%s, %v, want %s", got.Status, err, step.status)
		}
		if (got.PauseReason != nil) != (got.Status == campaign.Paused) {
			t.Errorf("%s because of %v", got.Status, got.PauseReason)
		}
	}
	rows, err := b.Pool.Query(t.Context(),
		`select action || ' by ' || actor_name from audit_entry where object_id = $1 order by id`, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	actions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	want := []string{"campaign.created by Ada", "campaign.paused by Ada", "campaign.resumed by Ada",
		"campaign.started by Dialwright",
		"campaign.paused by Ada", "campaign.resumed by Ada", "campaign.canceled by Ada"}
	if err != nil || fmt.Sprint(actions) != fmt.Sprint(want) {
		t.Errorf("%q, %v, want %q", actions, err, want)
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.draft(3)
	d.MaxConcurrency, d.ExpiresAt = ptr(1), ptr(time.Now().Add(time.Hour))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	b.dial(t)
	paused := b.create(t, func() *campaign.Draft {
		d := b.draft(2)
		d.ExpiresAt = ptr(time.Now().Add(time.Hour))
		return d
	}())
	if _, err := b.svc.Pause(t.Context(), b.actor, paused.ID); err != nil {
		t.Fatal(err)
	}
	b.Advance(61 * time.Minute)
	b.dial(t)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Running || got.Expired != 2 || got.Dialing != 1 {
		t.Errorf("with a call up: %s %+v", got.Status, got.Counters())
	}
	if got := b.checkCounters(t, paused.ID); got.Status != campaign.Completed ||
		*got.EndedReason != campaign.EndedExpired || got.Expired != 2 {
		t.Errorf("the paused one: %s %+v", got.Status, got.Counters())
	}
	for id := range b.network.live {
		b.tell(t, id, ends("busy")...)
	}
	b.settle(t)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed ||
		*got.EndedReason != campaign.EndedExpired || got.Failed != 1 {
		t.Errorf("after the call: %s %v %+v", got.Status, got.EndedReason, got.Counters())
	}
}

func BenchmarkCreate(bm *testing.B) {
	b := newBench(bm)
	for _, n := range []int{10_000, 100_000} {
		bm.Run(fmt.Sprint(n), func(bm *testing.B) {
			for range bm.N {
				d := b.draft(0)
				for i := range n {
					d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(i), Name: "Ada Lovelace",
						ExternalID: fmt.Sprint(i),
						Variables:  json.RawMessage(`{"first_name":"Ada","city":"London"}`)})
				}
				b.create(bm, d)
			}
		})
	}
}
