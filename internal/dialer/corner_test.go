package dialer

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

// A paused campaign expires at its time and not when it is resumed. A call in flight
// finishes first.
func TestAPausedCampaignExpires(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.draft(3)
	d.MaxConcurrency, d.ExpiresAt = ptr(1), ptr(time.Now().Add(time.Hour))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(5), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	b.dial(t)
	if _, err := b.svc.Pause(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.get(t, c.ID); len(got.Waiting) != 1 || got.Waiting[0].Reason != campaign.WaitPaused ||
		got.Waiting[0].Recipients != 2 || *got.Waiting[0].Detail != "Paused by Ada" {
		t.Errorf("while it is paused: %+v", got.Waiting)
	}
	b.Advance(time.Hour + time.Second)
	b.dial(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Paused || got.Expired != 2 || got.Dialing != 1 || len(got.Waiting) != 0 {
		t.Errorf("when its time is over: %+v", got)
	}
	b.endAll(t, call.OutcomeBusy) // would be retried if there were time
	b.settle(t)
	got = b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Failed != 1 || got.EndedReason == nil ||
		*got.EndedReason != campaign.EndedExpired {
		t.Errorf("when the call has ended: %+v", got)
	}
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); fault.KindOf(err) != fault.Conflict {
		t.Errorf("resumed after that: %v", err)
	}
}

// A campaign resumed after its end, before a dialer has expired it, dials nobody.
func TestResumeAfterExpiryDialsNobody(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(2))
	d.ExpiresAt = ptr(time.Now().Add(time.Hour))
	c := b.create(t, d)
	if _, err := b.svc.Pause(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	b.Advance(2 * time.Hour)
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil && fault.KindOf(err) != fault.Conflict {
		t.Fatal(err)
	}
	b.dial(t)
	b.dial(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Expired != 2 || *got.EndedReason != campaign.EndedExpired ||
		got.CallsPlaced != 0 {
		t.Errorf("%+v", got)
	}
}

// A cancellation does not hang up calls in flight. Their outcomes count, and nothing is
// retried.
func TestCancelWhileCallsAreInFlight(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(5))
	d.MaxConcurrency = ptr(2)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(5), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	for len(b.network.up()) < 2 {
		b.dial(t)
	}
	if _, err := b.svc.Cancel(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.checkCounters(t, c.ID); got.Canceled != 3 || got.Dialing != 2 || len(b.network.hungUp()) != 0 {
		t.Errorf("%+v, %d hung up", got, len(b.network.hungUp()))
	}
	up := b.network.up()
	b.tell(t, up[0], ends(call.OutcomeCompleted)...)
	b.tell(t, up[1], ends(call.OutcomeBusy)...)
	b.settle(t)
	b.dial(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Canceled || got.Completed != 1 || got.Failed != 1 || got.Canceled != 3 ||
		len(b.network.up()) != 0 || *got.EndedReason != campaign.EndedCanceled {
		t.Errorf("%+v", got)
	}
}

// Recipients added while the last call is being settled are either called or refused.
// None is accepted and then forgotten.
func TestAppendToACampaignThatIsCompleting(t *testing.T) {
	t.Parallel()
	for range 4 {
		b := newBench(t)
		c := b.create(t, fast(b.draft(1)))
		b.dial(t)
		b.endAll(t, call.OutcomeCompleted)
		var work sync.WaitGroup
		var refused error
		work.Go(func() {
			more := &campaign.Addition{Recipients: &intake.List{}}
			more.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(9)})
			_, refused = b.svc.Append(t.Context(), b.actor, c.ID, more)
		})
		work.Go(func() {
			if _, err := b.settler.round(t.Context()); err != nil {
				t.Error(err)
			}
		})
		work.Wait()
		b.settle(t) // what the round left, if the campaign was locked
		got := b.checkCounters(t, c.ID)
		switch {
		case refused == nil && (got.Status != campaign.Running || got.Pending != 1):
			t.Errorf("taken by a campaign that is %+v", got)
		case refused != nil && (fault.KindOf(refused) != fault.Conflict || got.Status != campaign.Completed ||
			got.Total != 1):
			t.Errorf("refused with %v by a campaign that is %+v", refused, got)
		case refused == nil:
			b.dial(t)
			if b.network.dials(testNumber(9)) != 1 {
				t.Error("who was added is not called")
			}
		}
	}
}

// Errors of a connection are counted across its campaigns and processes, and pause all of
// its campaigns. Campaigns of another connection continue. A busy recipient is no error.
func TestTheBreakerIsTheConnections(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.network.answer = func(p carrier.Placement) error {
		if p.From != "+15005550000" {
			return nil
		}
		return &carrier.Error{Kind: carrier.Unusable, Code: "20003", Reason: "the credentials are refused"}
	}
	b.exec(
		t,
		`insert into connection (id, organization_id, kind, name, account, credentials)
			values (gen_random_uuid(), $1, 'sandbox', 'Second', 'AC2', '')`,
		b.actor.OrganizationID,
	)
	b.exec(t, `insert into phone_number (id, organization_id, connection_id, phone_number)
		select gen_random_uuid(), organization_id, id, '+15005550009' from connection where name = 'Second'`)
	_, other, _ := b.process(b.pool(t))
	var broken []campaign.Campaign
	for i := range 2 {
		d := fast(b.draft(0))
		for j := range project.MostErrors/2 + 5 {
			d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(100*i + j)})
		}
		broken = append(broken, b.create(t, d))
	}
	d := fast(b.draft(0))
	d.PhoneNumberID = value[string](t, b, `select id::text from phone_number where phone_number = '+15005550009'`)
	for i := range 3 {
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(900 + i)})
	}
	sound := b.create(t, d)
	for i := 0; b.get(t, broken[0].ID).Status != campaign.Paused ||
		b.get(t, broken[1].ID).Status != campaign.Paused; i++ {
		b.dialWith(t, []*Dialer{b.dialer, other}[i%2])
		b.settle(t)
	}
	for _, c := range broken {
		got := b.checkCounters(t, c.ID)
		if want := "calls in a row could not be placed through the connection Sandbox: the credentials are refused " +
			"(20003)"; got.PauseReason == nil || !strings.Contains(*got.PauseReason, want) {
			t.Errorf("paused because of %q", *got.PauseReason)
		}
		if got.Pending != project.MostErrors/2+5 || len(got.Waiting) != 1 ||
			got.Waiting[0].Reason != campaign.WaitPaused || *got.Waiting[0].Detail != *got.PauseReason {
			t.Errorf("%+v", got)
		}
	}
	for b.get(t, sound.ID).Pending > 0 {
		b.dial(t)
	}
	if got := b.get(t, sound.ID); got.Status != campaign.Running || got.Dialing != 3 {
		t.Errorf("over the other connection: %+v", got)
	}
}

// Bad outcomes and numbers that the carrier refuses pause nothing, because the connection
// works.
func TestOutcomesPauseNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.network.answer = func(p carrier.Placement) error {
		if p.To < testNumber(2*project.MostErrors) {
			return &carrier.Error{Kind: carrier.Refused, InvalidNumber: true, Code: "21211", Reason: "no such number"}
		}
		return nil
	}
	c := b.create(t, fast(b.draft(4*project.MostErrors)))
	outcomes := []call.Outcome{call.OutcomeFailed, call.OutcomeBusy, call.OutcomeNoAnswer, call.OutcomeVoicemail}
	for round := 0; b.get(t, c.ID).EndedAt == nil; round++ {
		b.dial(t)
		for i, id := range b.network.up() {
			b.tell(t, id, ends(outcomes[i%len(outcomes)])...)
		}
		b.settle(t)
		if got := b.get(t, c.ID); got.Status == campaign.Paused || round > 100 {
			t.Fatalf("%+v", got)
		}
	}
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed || got.Failed != got.Total {
		t.Errorf("%+v", got)
	}
	if n := value[int](t, b, `select consecutive_errors from connection`); n != 0 {
		t.Errorf("%d errors of the connection", n)
	}
}

// Calls that are placed and whose line fails pause the campaigns of the connection. The
// success of placing them clears nothing, and neither does a recipient who does not answer.
func TestFailedLinesPauseCampaigns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(2 * project.MostLineFailures))
	d.MaxConcurrency = ptr(1)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{30}, On: []string{"failed"}}
	c := b.create(t, d)
	fails := append([]carrier.Event{{Kind: carrier.Answered}, {
		Kind: carrier.LineFailed, Code: "64102", Detail: "Unable to connect to websocket URL",
	}}, ends(call.OutcomeCompleted)[1:]...)
	rounds := 0
	for ; b.get(t, c.ID).Status != campaign.Paused; rounds++ {
		if rounds > 3*project.MostLineFailures {
			t.Fatal("the campaign goes on")
		}
		b.dial(t)
		for _, id := range b.network.up() {
			if rounds == 1 {
				b.tell(t, id, ends(call.OutcomeNoAnswer)...)
			} else {
				b.tell(t, id, fails...)
			}
		}
		b.settle(t)
	}
	got := b.checkCounters(t, c.ID)
	const want = "5 calls in a row had no working line to the agent through the connection Sandbox: Unable to " +
		"connect to websocket URL (64102)"
	if got.PauseReason == nil || *got.PauseReason != want || got.CallsPlaced != project.MostLineFailures+1 {
		t.Errorf("paused after %d calls: %v", got.CallsPlaced, *got.PauseReason)
	}
	n := got.Compliance()
	if n.Abandoned != project.MostLineFailures || n.AnsweredByPerson != project.MostLineFailures {
		t.Errorf("compliance %+v", n)
	}
	for number, r := range b.recipients(t, c.ID) {
		if r.Attempts == 1 && *r.Outcome == "failed" && (r.Status != campaign.RecipientPending || r.DueAt == nil) {
			t.Errorf("%s is %s and due at %v", number, r.Status, r.DueAt)
		}
	}
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	// The resumed campaign makes one call at a time, until a line works.
	b.exec(t, `update campaign set max_concurrency = 20, calls_per_second = 1000, pace_at = null`)
	for n := range project.MostLineFailures {
		b.dial(t)
		if got := b.get(t, c.ID); got.Status != campaign.Running || got.Dialing != 1 {
			t.Errorf("%s, %d calls after %d failures", got.Status, got.Dialing, n)
		}
		for _, id := range b.network.up() {
			b.tell(t, id, fails...)
		}
		b.settle(t)
		b.Advance(time.Hour)
	}
	b.dial(t)
	if got := b.get(t, c.ID); got.Status != campaign.Paused {
		t.Errorf("after five more failures: %s", got.Status)
	}

	// So does a new campaign: the failures were those of another one.
	fresh := b.create(t, fast(b.draft(20)))
	b.exec(t, `update recipient set phone_number = '+1415' || substr(phone_number, 6) where campaign_id = $1`, fresh.ID)
	b.dial(t)
	b.dial(t)
	if got := b.get(t, fresh.ID); got.Status != campaign.Running || got.Dialing != 1 {
		t.Errorf("a new campaign is %s with %d calls", got.Status, got.Dialing)
	}
	b.Advance(waitingGap)
	b.dial(t)
	if got := b.get(t, fresh.ID).Waiting; len(got) != 1 || got[0].Reason != campaign.WaitProbing ||
		got[0].Detail == nil || !strings.Contains(*got[0].Detail, "64102") {
		t.Errorf("it waits for %+v", got)
	}
	if err := project.ClearLineFailures(t.Context(), b.Pool, b.connection, &fresh.ID); err != nil {
		t.Fatal(err)
	}
	b.dial(t)
	if got := b.get(t, fresh.ID); got.Dialing != 20 {
		t.Errorf("a line works, and %d calls are placed", got.Dialing)
	}
}

// Lines of one campaign that fail pause this campaign, even while those of another work: the
// voice of its agent may be wrong.
func TestFailedLinesOfOneCampaign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(20))
	d.MaxConcurrency = ptr(1)
	c := b.create(t, d)
	d = fast(b.draft(0))
	for i := range 20 {
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(100 + i)})
	}
	d.MaxConcurrency = ptr(1)
	sound := b.create(t, d)
	fails := append([]carrier.Event{{Kind: carrier.Answered}, {
		Kind: carrier.LineFailed, Code: "64106", Detail: "Invalid voice",
	}}, ends(call.OutcomeCompleted)[1:]...)
	for range 2 * project.MostLineFailures {
		b.dial(t)
		for _, id := range b.network.up() {
			if value[uuid.UUID](t, b, `select campaign_id from call where id = $1`, id) == c.ID {
				b.tell(t, id, fails...)
				continue
			}
			if err := project.ClearLineFailures(t.Context(), b.Pool, b.connection, &sound.ID); err != nil {
				t.Fatal(err)
			}
			b.tell(t, id, ends(call.OutcomeCompleted)...)
		}
		b.settle(t)
		b.Advance(passGap)
	}
	got := b.checkCounters(t, c.ID)
	const want = "5 calls of this campaign in a row had no working line to the agent: Invalid voice (64106)"
	if got.Status != campaign.Paused || *got.PauseReason != want || got.CallsPlaced != project.MostLineFailures {
		t.Errorf("%+v", got)
	}
	if got := b.get(t, sound.ID); got.Status != campaign.Running || got.Completed < project.MostLineFailures {
		t.Errorf("the other campaign: %+v", got)
	}
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	b.exec(t, `update campaign set max_concurrency = 20`)
	b.dial(t)
	if got := b.get(t, c.ID); got.Dialing != 1 {
		t.Errorf("%d calls after the campaign was resumed", got.Dialing)
	}
}
