package dialer

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
)

// A campaign is paused once, when enough people answered and too many of them heard nothing. After a
// resume, earlier calls no longer count, even if calls of the same hour and calls that were in progress
// at the pause are settled after it.
func TestTooManyAbandonedCallsPauseACampaign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "campaign.paused")
	limit := func(most *float64, least int) {
		t.Helper()
		if err := b.calling.SetAbandonedLimit(t.Context(), b.actor, AbandonedLimit{most, least}); err != nil {
			t.Fatal(err)
		}
	}
	limit(ptr(3.0), 30)
	d := fast(b.draft(200))
	d.MaxConcurrency = ptr(200)
	c := b.create(t, d)
	// answered has n people answer, the last of whom hear nothing for three seconds. Two settlers settle
	// their calls.
	answered := func(n, silent int) {
		t.Helper()
		up := b.network.up()
		for len(up) < n {
			b.dial(t)
			up = b.network.up()
		}
		for _, id := range up[:n] {
			b.tell(t, id, ends(call.OutcomeCompleted)...)
		}
		b.exec(t, `update call set answered_at = answered_at - interval '3 s' where id = any($1)`, up[n-silent:n])
		var work sync.WaitGroup
		for range 2 {
			_, _, settler := b.process(b.pool(t))
			work.Go(func() {
				for unsettled := 1; unsettled > 0; {
					if _, err := settler.round(t.Context()); err != nil {
						t.Error(err)
						return
					}
					if err := b.Pool.QueryRow(t.Context(), `
						select count(*) from call where ended_at is not null and settled_at is null`,
					).Scan(&unsettled); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		work.Wait()
	}
	is := func(when string, want campaign.Status) campaign.Campaign {
		t.Helper()
		got := b.get(t, c.ID)
		if got.Status != want {
			t.Fatalf("%s: the campaign is %s", when, got.Status)
		}
		return got
	}
	for len(b.network.up()) < 35 { // the pause stops dialing, and five calls are to be in progress then
		b.dial(t)
	}
	answered(29, 5)
	is("before enough people answered", campaign.Running)
	answered(1, 0) // only now the share says something
	paused := is("at the thirtieth answered call", campaign.Paused)
	const reason = "5 of the 30 calls that people answered in the last 30 days were abandoned (16.67%). " +
		"Your limit is 3%"
	if *paused.PauseReason != reason {
		t.Errorf("paused: %s", *paused.PauseReason)
	}
	answered(5, 5) // in progress at the pause

	b.move(t, c.ID, b.svc.Resume)
	answered(29, 1)
	is("after 29 more", campaign.Running)
	answered(1, 0) // 1 of 30: 3.33 %
	if got := is("after 30 more", campaign.Paused); !strings.HasPrefix(*got.PauseReason,
		"1 of the 30 calls that people answered since the campaign was resumed were abandoned (3.33%)") {
		t.Errorf("paused again: %s", *got.PauseReason)
	}
	rate, err := b.svc.Abandoned(t.Context(), b.actor.OrganizationID, c.ID)
	if err != nil || rate.Answered != 65 || rate.Abandoned != 11 {
		t.Errorf("the rate of 30 days: %+v, %v", rate, err)
	}
	if n := b.checkCounters(t, c.ID).Compliance(); n.Abandoned != 11 || n.AnsweredByPerson != 65 {
		t.Errorf("compliance %+v", n)
	}
	var log []string
	for _, e := range b.log(t, c.ID) {
		log = append(log, e.Message(func(time.Time) string { return "" }))
	}
	got := strings.Join(log, "\n")
	if strings.Count(got, "Paused automatically: ") != 2 || !strings.Contains(got, reason) {
		t.Errorf("the log says\n%s", got)
	}
	if n := value[int](t, b, `select count(*) from event where type = 'campaign.paused'`); n != 2 {
		t.Errorf("%d events of the two pauses", n)
	}
	if n := value[int](t, b, `select count(*) from audit_entry where action = 'campaign.resumed'
		and data ->> 'reason' = 'Abandoned calls count again from now'`); n != 1 {
		t.Errorf("%d audit entries of the resume", n)
	}

	// After 30 days, the calls of before count no more. A person's own pause resets nothing.
	b.move(t, c.ID, b.svc.Resume)
	answered(20, 1)
	b.move(t, c.ID, b.svc.Pause)
	b.move(t, c.ID, b.svc.Resume)
	b.Advance(31 * 24 * time.Hour)
	answered(15, 0)
	is("after 31 days", campaign.Running)
	rate, err = b.svc.Abandoned(t.Context(), b.actor.OrganizationID, c.ID)
	if err != nil || rate.Answered != 15 || rate.Abandoned != 0 {
		t.Errorf("the rate after 31 days: %+v, %v", rate, err)
	}
	limit(nil, 30)
	answered(20, 20)
	is("without a limit", campaign.Running)

	if _, err := b.svc.Abandoned(t.Context(), uuid.New(), c.ID); err == nil {
		t.Error("another organization reads the share")
	}
	for _, l := range []AbandonedLimit{{ptr(0.0), 100}, {ptr(100.5), 100}, {ptr(3.0), 0}} {
		if err := b.calling.SetAbandonedLimit(t.Context(), b.actor, l); err == nil {
			t.Errorf("%+v is accepted", l)
		}
	}
}
