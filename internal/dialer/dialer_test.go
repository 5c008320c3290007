package dialer

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
)

// fast removes the pace of a draft.
func fast(d *campaign.Draft) *campaign.Draft {
	d.CallsPerSecond = ptr(1000.0)
	d.MaxConcurrency = ptr(1000)
	return d
}

func TestACampaignRunsToItsEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(5)))
	for b.checkCounters(t, c.ID).Dialing < 5 { // the pace allows all due calls
		b.dial(t)
	}
	if got := b.get(t, c.ID); got.Status != campaign.Running || got.StartedAt == nil || len(got.Waiting) != 0 {
		t.Errorf("while it runs: %+v", got)
	}
	up := b.network.up()
	b.tell(t, up[0], ends(call.OutcomeCompleted)[0])
	if got := b.checkCounters(t, c.ID); got.InProgress != 1 || got.Dialing != 4 {
		t.Errorf("with one call up: %+v", got.Counters())
	}
	for i, outcome := range []call.Outcome{
		call.OutcomeCompleted, call.OutcomeBusy, call.OutcomeNoAnswer, call.OutcomeVoicemail, call.OutcomeCompleted,
	} {
		b.tell(t, up[i], ends(outcome)...)
	}
	b.checkCounters(t, c.ID)
	b.settle(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Completed != 2 || got.Failed != 3 || got.EndedReason == nil ||
		*got.EndedReason != campaign.EndedFinished || got.EndedAt == nil {
		t.Errorf("at the end: %+v", got)
	}
	if got.CallsPlaced != 5 || got.CallsAnswered != 3 {
		t.Errorf("%d placed, %d answered", got.CallsPlaced, got.CallsAnswered)
	}
	for number, r := range b.recipients(t, c.ID) {
		if r.Attempts != 1 || r.Outcome == nil || r.LastCallID == nil || b.network.dials(number) != 1 {
			t.Errorf("%s: %+v, dialed %d times", number, r, b.network.dials(number))
		}
	}
}

func TestAListThatIsAllSkippedCompletesByItself(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
		values (gen_random_uuid(), $1, $2, 'user')`,
		b.actor.OrganizationID, testNumber(0))
	d := b.draft(1)
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(0)})
	c := b.create(t, d)
	b.dial(t)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed || got.Skipped != 2 {
		t.Errorf("%+v", got)
	}
	if r := b.recipients(t, c.ID)[testNumber(0)]; r.SkipReason == nil || *r.SkipReason != campaign.SkipDoNotCall {
		t.Errorf("skipped because of %v", r.SkipReason)
	}
}

// A number added to the do-not-call list after the import is not called.
func TestDoNotCallIsCheckedRightBeforeDialing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(2)))
	b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
		values (gen_random_uuid(), $1, $2, 'call')`,
		b.actor.OrganizationID, testNumber(0))
	for b.checkCounters(t, c.ID).Pending > 0 {
		b.dial(t)
	}
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Skipped != 1 || got.Completed != 1 ||
		b.network.dials(testNumber(0)) != 0 {
		t.Errorf("%+v, dialed %d times", got, b.network.dials(testNumber(0)))
	}
}

// window returns calling hours that are open from a given moment, for a given time, on
// that weekday only. Both ends are cut to minutes and must lie in one day.
func window(from time.Time, length time.Duration) *hours.Hours {
	from = from.UTC()
	end := from.Add(length).Format("15:04")
	if end == "00:00" {
		end = "24:00"
	}
	return &hours.Hours{Timezone: "UTC", Windows: []hours.Window{{
		Days: []hours.Day{hours.Day(strings.ToLower(from.Format("Mon")))}, Start: from.Format("15:04"), End: end,
	}}}
}

// tomorrow returns an hour of the coming day, safely away from the day's ends.
func tomorrow(hour int) time.Time {
	return time.Now().UTC().Truncate(24 * time.Hour).Add(24*time.Hour + time.Duration(hour)*time.Hour)
}

func TestCallingHours(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.draft(3)
	d.CallsPerSecond, d.MaxConcurrency = ptr(1000.0), ptr(1)
	opens := tomorrow(12)
	d.CallingHours = window(opens, time.Hour)
	c := b.create(t, d)
	if w := c.Waiting; len(w) != 1 || w[0].Reason != campaign.WaitCallingHours || w[0].Recipients != 3 ||
		!time.Time(*w[0].Until).Equal(opens) {
		t.Errorf("at creation %+v", w)
	}
	b.dial(t)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Running || got.Pending != 3 {
		t.Errorf("before the window opens: %+v", got)
	}
	b.Advance(time.Until(opens) - time.Second*30)
	b.dial(t)
	if got := b.checkCounters(t, c.ID); got.Pending != 3 {
		t.Errorf("shortly before the window opens: %+v", got)
	}
	b.Advance(time.Minute)
	b.dial(t)
	got := b.checkCounters(t, c.ID)
	if got.Dialing != 1 || got.Pending != 2 {
		t.Errorf("in the window: %+v", got)
	}
	if w := got.Waiting; len(w) != 1 || w[0].Reason != campaign.WaitCampaignConcurrency || w[0].Recipients != 2 ||
		w[0].Until != nil {
		t.Errorf("without a free slot: %+v", w)
	}
	b.Advance(time.Hour) // the call is in progress when the window closes
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	b.dial(t)
	got = b.checkCounters(t, c.ID)
	if got.Dialing != 0 || got.Pending != 2 {
		t.Errorf("after the window: %+v", got)
	}
	next := opens.AddDate(0, 0, 7)
	if w := got.Waiting; len(w) != 1 || w[0].Reason != campaign.WaitCallingHours || w[0].Recipients != 2 ||
		!time.Time(*w[0].Until).Equal(next) {
		t.Errorf("after the window: %+v, want %v", w, next)
	}
}

func TestARecipientsOwnClock(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.draft(0)
	day := hours.Hours{
		Timezone: hours.Recipient, Windows: []hours.Window{{Days: hours.Days(), Start: "08:00", End: "21:00"}},
	}
	d.CallingHours = &day
	d.ScheduledAt = ptr(time.Date(time.Now().Year()+1, 1, 10, 1, 0, 0, 0, time.UTC))
	for number, timezone := range map[string]string{
		"+13122000000":   "",              // Chicago
		"+12122000000":   "Asia/Tokyo",    // a New York number whose recipient lives in Japan
		"+18002000000":   "",              // toll-free: the project's clock
		"+61412345678":   "Europe/Berlin", // an Australian number
		"+4915123456789": "",
	} {
		d.Recipients.Add(intake.Recipient{PhoneNumber: number, Timezone: timezone})
	}
	c := b.create(t, d)
	at := func(hour int) time.Time {
		return d.ScheduledAt.Truncate(24 * time.Hour).Add(time.Duration(hour) * time.Hour)
	}
	for number, want := range map[string]struct {
		source string
		at     time.Time
	}{
		"+13122000000":   {campaign.ZoneOfNumber, at(1)},    // 19:00 the day before
		"+12122000000":   {campaign.ZoneOfRecipient, at(1)}, // 10:00
		"+18002000000":   {campaign.ZoneOfProject, at(1)},   // 20:00 the day before
		"+61412345678":   {campaign.ZoneOfRecipient, at(7)}, // 08:00
		"+4915123456789": {campaign.ZoneOfNumber, at(7)},
	} {
		r := b.recipients(t, c.ID)[number]
		if r.ZoneSource != want.source || r.DueAt == nil || !r.DueAt.Equal(want.at) {
			t.Errorf("%s: by %s (%v) at %v, want %+v", number, r.ZoneSource, r.Zones, r.DueAt, want)
		}
	}
}

// A process dies between claiming and placing a call. The number was not called, so the
// recipient gets the attempt back, and another process calls once.
func TestAProcessDiesBetweenClaimAndPlacing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(1)))
	_, dead, _ := b.process(b.Pool)
	due, _, _, err := dead.due(t.Context())
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	l, err := dead.pass(t.Context(), due[0], 10, false)
	if err != nil || len(l.queued) != 1 {
		t.Fatalf("%+v, %v", l, err)
	}
	b.dial(t)
	if got := b.checkCounters(t, c.ID); got.Dialing != 1 || len(b.network.up()) != 0 {
		t.Errorf("right after: %+v", got)
	}
	b.Advance(61 * time.Second)
	if _, err := b.calls.Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.settle(t)
	if got := b.checkCounters(t, c.ID); got.Pending != 1 || b.recipients(t, c.ID)[testNumber(0)].Attempts != 0 {
		t.Errorf("given back: %+v", got)
	}
	b.dial(t)
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Completed != 1 || b.network.dials(testNumber(0)) != 1 ||
		b.recipients(t, c.ID)[testNumber(0)].Attempts != 1 {
		t.Errorf("at the end: %+v, dialed %d times", got, b.network.dials(testNumber(0)))
	}
	// The dead process wakes up and continues with its claimed call.
	if _, err := b.calls.Place(t.Context(), l.queued[0]); err != nil || b.network.dials(testNumber(0)) != 1 {
		t.Errorf("the claim of the dead: %v, dialed %d times", err, b.network.dials(testNumber(0)))
	}
}

func TestRetriesByOutcome(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(3))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{10, 60}, On: []string{"busy", "no_answer"}}
	c := b.create(t, d)
	outcomes := map[string][]call.Outcome{
		testNumber(0): {call.OutcomeBusy, call.OutcomeNoAnswer, call.OutcomeBusy},
		testNumber(1): {call.OutcomeFailed},
		testNumber(2): {call.OutcomeBusy, call.OutcomeCompleted},
	}
	for attempt, delay := range []time.Duration{10 * time.Minute, time.Hour, 0} {
		for value[int](
			t, b,
			`select count(*) from recipient where campaign_id = $1 and status = 'pending' and due_at <= clock()`,
			c.ID,
		) > 0 {
			b.dial(t)
		}
		for _, id := range b.network.up() {
			number := b.network.live[id]
			b.tell(t, id, ends(outcomes[number][attempt])...)
		}
		b.settle(t)
		b.dial(t)
		if up := len(b.network.up()); up > 0 {
			t.Fatalf("%d calls before the delay after attempt %d", up, attempt+1)
		}
		got := b.checkCounters(t, c.ID)
		if delay > 0 && (len(got.Waiting) != 1 || got.Waiting[0].Reason != campaign.WaitRetry ||
			got.Waiting[0].Recipients != got.Pending) {
			// Waiting recipients are counted at most every few seconds.
			b.Advance(waitingGap)
			b.dial(t)
			if got = b.get(t, c.ID); len(got.Waiting) != 1 || got.Waiting[0].Reason != campaign.WaitRetry ||
				got.Waiting[0].Recipients != got.Pending {
				t.Errorf("waiting after attempt %d: %+v of %d", attempt+1, got.Waiting, got.Pending)
			}
		}
		b.Advance(delay)
	}
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Completed != 1 || got.Failed != 2 || got.CallsPlaced != 6 {
		t.Errorf("%+v", got)
	}
	for number, want := range outcomes {
		if n := b.network.dials(number); n != len(want) {
			t.Errorf("%s was dialed %d times, want %d", number, n, len(want))
		}
	}
}

// An outcome with its own retry delays uses these delays. Other outcomes use the common delays.
// Both depend on the attempt.
func TestADelayForEachOutcome(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(3))
	d.Retry = &campaign.RetryInput{
		MaxAttempts: ptr(4), DelaysMinutes: []int{30},
		OutcomeDelaysMinutes: campaign.OutcomeDelays{Busy: []int{5, 15}, NoAnswer: []int{60}},
	}
	c := b.create(t, d)
	if own := c.Resource().Retry.OutcomeDelaysMinutes; !slices.Equal(own.Busy, []int{5, 15}) ||
		!slices.Equal(own.NoAnswer, []int{60}) || own.Failed != nil {
		t.Errorf("the resource has %v", own)
	}
	for attempt, want := range []map[call.Outcome]int{ // minutes
		{call.OutcomeBusy: 5, call.OutcomeNoAnswer: 60, call.OutcomeFailed: 30},
		{call.OutcomeBusy: 15, call.OutcomeNoAnswer: 60, call.OutcomeFailed: 30},
		{call.OutcomeBusy: 15, call.OutcomeNoAnswer: 60, call.OutcomeFailed: 30},
	} {
		for len(b.network.up()) < 3 {
			b.dial(t)
		}
		outcomes := []call.Outcome{call.OutcomeBusy, call.OutcomeNoAnswer, call.OutcomeFailed}
		byNumber := map[string]call.Outcome{}
		for i, id := range b.network.up() { // each attempt, another recipient is busy
			outcome := outcomes[(i+attempt)%3]
			byNumber[b.network.live[id]] = outcome
			b.tell(t, id, ends(outcome)...)
		}
		now := value[time.Time](t, b, `select clock()`)
		b.settle(t)
		settled := value[time.Time](t, b, `select clock()`)
		for number, r := range b.recipients(t, c.ID) {
			least := time.Duration(want[byNumber[number]]) * time.Minute
			if wait := r.DueAt.Sub(now); wait < least || r.DueAt.Sub(settled) > least+time.Minute ||
				*r.WaitReason != campaign.WaitRetry {
				t.Errorf("attempt %d, %s: again in %v, want %v", attempt+1, byNumber[number], wait, least)
			}
		}
		b.Advance(time.Hour + time.Minute)
	}
}

func TestABrokenConnectionPausesTheCampaign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.network.answer = func(carrier.Placement) error {
		return &carrier.Error{Kind: carrier.Unusable, Code: "20003", Reason: "the credentials are refused"}
	}
	c := b.create(t, fast(b.draft(project.MostErrors+10)))
	for b.get(t, c.ID).Status != campaign.Paused {
		b.dial(t)
		b.settle(t)
	}
	got := b.checkCounters(t, c.ID)
	if got.PauseReason == nil || !strings.Contains(*got.PauseReason, "the credentials are refused") {
		t.Errorf("paused because of %v", got.PauseReason)
	}
	if got.Pending != project.MostErrors+10 {
		t.Errorf("attempts are given back: %+v", got.Counters())
	}
	b.network.mu.Lock()
	b.network.answer = nil
	b.network.mu.Unlock()
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	b.Advance(time.Hour)
	for b.checkCounters(t, c.ID).Pending > 0 {
		b.dial(t)
	}
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed || got.Completed != project.MostErrors+10 {
		t.Errorf("after it was mended: %+v", got)
	}
}

// A call with an unknown end is not repeated, whatever the retry settings say.
func TestALostCallIsNotRetried(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.network.answer = func(carrier.Placement) error { return context.DeadlineExceeded }
	d := fast(b.draft(1))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(5), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	b.dial(t)
	for range 4 {
		b.Advance(2 * time.Minute)
		if _, err := b.calls.Reconcile(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	b.settle(t)
	b.dial(t)
	got := b.checkCounters(t, c.ID)
	reason := value[string](t, b, `select ended_reason from call where campaign_id = $1`, c.ID)
	if got.Status != campaign.Completed || got.Failed != 1 || got.CallsPlaced != 1 ||
		reason != string(call.ReasonCarrierLost) {
		t.Errorf("%+v, %s", got, reason)
	}
}

// Every attempt of a campaign sends its call reason. A campaign without one sends none.
func TestCallReasonIsSentWithEachAttempt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var sent []string
	b.answering(func(p carrier.Placement) error {
		sent = append(sent, p.CallReason)
		return nil
	})
	d := fast(b.draft(1))
	d.CallReason, d.Retry = "Your visit", &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{0}}
	b.create(t, d)
	for range 2 {
		b.dial(t)
		b.endAll(t, call.OutcomeBusy)
		b.settle(t)
		b.Advance(time.Minute)
	}
	b.create(t, fast(b.draft(1)))
	b.dial(t)
	want := []string{"Your visit", "Your visit", ""}
	if !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	stored := value[[]string](t, b, `select array_agg(coalesce(call_reason, '') order by created_at, id) from call`)
	if !slices.Equal(stored, want) {
		t.Errorf("stored %q, want %q", stored, want)
	}
}

func TestTheSameNumberInTwoCampaigns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, second := b.create(t, b.draft(1)), b.create(t, b.draft(1))
	b.dial(t)
	if up := len(b.network.up()); up != 1 {
		t.Fatalf("%d calls to one number", up)
	}
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	b.Advance(inCallGap)
	b.dial(t)
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	for _, c := range []campaign.Campaign{first, second} {
		if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed || got.CallsPlaced != 1 {
			t.Errorf("%+v", got)
		}
	}
}

func TestPace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.StopClock()
	d := b.draft(30)
	d.CallsPerSecond, d.MaxConcurrency = ptr(5.0), ptr(100)
	c := b.create(t, d)
	b.dial(t)
	first := len(b.network.up())
	if first != 1 {
		t.Fatalf("%d calls at the start, want 1", first)
	}
	// After a stall the dialer places one call more than is due, and no burst.
	b.Advance(time.Minute)
	b.dial(t)
	if n := len(b.network.up()) - first; n != 2 {
		t.Fatalf("%d calls after a stall, want 2", n)
	}
	// A slower connection slows the campaign down.
	b.exec(t, `update connection set calls_per_second = 1 where id = $1`, b.connection)
	b.Advance(time.Minute)
	b.dial(t)
	if n := len(b.network.up()) - first; n != 3 {
		t.Fatalf("%d calls over a slow connection, want 1", n-2)
	}
	if dialAt, paceAt := value[time.Time](t, b, `select dial_at from campaign where id = $1`, c.ID),
		b.paceAt(t, "connection"); dialAt.Sub(paceAt) < 0 || dialAt.Sub(paceAt) > time.Millisecond {
		t.Errorf("looks again at %v, the connection is free at %v", dialAt, paceAt)
	}
}

// The dialer finds due recipients by their index, however many recipients wait.
func TestClaimUsesItsIndex(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, b.draft(5000))
	b.exec(t, `update recipient set due_at = clock() + interval '1 day' where campaign_id = $1 and phone_number > $2`,
		c.ID, testNumber(10))
	b.exec(t, `analyze`)
	var plan string
	err := postgres.InTx(t.Context(), b.Pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(t.Context(), `explain (format json) `+sqlPick, pgx.NamedArgs{
			"id": c.ID, "now": time.Now(), "most": 10,
		})
		if err != nil {
			return err
		}
		raw, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[json.RawMessage])
		plan = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(plan, `"recipient_due"`) {
		t.Errorf("the plan is %s", plan)
	}
}
