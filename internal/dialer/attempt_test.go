package dialer

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/testwait"
)

func (b *bench) limit(t testing.TB, l Limits) {
	t.Helper()
	if err := b.calling.SetLimits(t.Context(), b.actor, l, ""); err != nil {
		t.Fatal(err)
	}
}

// A number that reached the organization's limit of daily attempts waits until the oldest
// of these calls is a day old. The calls of all campaigns count, and the recipient loses
// no attempt of the campaign.
func TestAttemptsPerNumberAndDay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.StopClock()
	b.limit(t, Limits{MaxDailyAttempts: ptr(2)})
	d := fast(b.draft(1))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(5), DelaysMinutes: []int{60}}
	first := b.create(t, d)
	start := value[time.Time](t, b, `select clock()`)
	b.dial(t)
	dialed := value[time.Time](t, b, `select clock()`)
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	second := b.create(t, fast(b.draft(1)))
	b.dial(t)
	if b.network.dials(testNumber(0)) != 2 {
		t.Fatalf("dialed %d times by two campaigns", b.network.dials(testNumber(0)))
	}
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)

	b.Advance(time.Hour + time.Second) // the retry is due
	b.dial(t)
	r := b.recipients(t, first.ID)[testNumber(0)]
	if b.network.dials(testNumber(0)) != 2 || r.Status != campaign.RecipientPending || r.Attempts != 1 ||
		*r.WaitReason != campaign.WaitAttemptLimit {
		t.Fatalf("dialed %d times: %+v", b.network.dials(testNumber(0)), r)
	}
	if late := r.DueAt.Sub(start.Add(attemptWindow)); late < 0 || r.DueAt.Sub(dialed.Add(attemptWindow)) > time.Minute {
		t.Errorf("again at %v, %v after the first call has left the window", r.DueAt, late)
	}
	got := b.checkCounters(t, first.ID)
	if len(got.Waiting) != 1 || got.Waiting[0].Reason != campaign.WaitAttemptLimit ||
		!time.Time(*got.Waiting[0].Until).Equal(*r.DueAt) {
		t.Errorf("waiting %+v", got.Waiting)
	}
	if got := b.checkCounters(t, second.ID); got.Status != campaign.Completed {
		t.Errorf("the second: %+v", got)
	}

	b.Advance(r.DueAt.Sub(value[time.Time](t, b, `select clock()`)) - 5*time.Second)
	b.dial(t)
	if b.network.dials(testNumber(0)) != 2 {
		t.Fatal("dialed before its time")
	}
	b.Advance(10 * time.Second)
	b.dial(t)
	if b.network.dials(testNumber(0)) != 3 {
		t.Fatal("not dialed when the first call has left the window")
	}
	// The third call falls within a day of the second, so it waits until the limit is
	// removed.
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	b.Advance(time.Hour - 30*time.Second) // the second call is not a day old yet
	b.exec(
		t,
		`update call set asked_at = clock() - interval '1 minute', created_at = clock() - interval '1 minute'
			where campaign_id = $1`,
		second.ID,
	)
	b.Advance(time.Minute)
	b.dial(t)
	if r := b.recipients(t, first.ID)[testNumber(0)]; b.network.dials(testNumber(0)) != 3 ||
		*r.WaitReason != campaign.WaitAttemptLimit {
		t.Fatalf("dialed %d times: %+v", b.network.dials(testNumber(0)), r)
	}
	b.limit(t, Limits{})
	b.dial(t)
	if b.network.dials(testNumber(0)) != 4 {
		t.Error("not dialed at once when the bound is lifted")
	}
}

// The end of the daily limit does not override the calling hours.
func TestAttemptsPerDayEndWithinTheCallingHours(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.limit(t, Limits{MaxDailyAttempts: ptr(1)})
	d := fast(b.draft(1))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{0}}
	opens := tomorrow(12)
	d.CallingHours = window(opens, time.Hour) // open once a week
	c := b.create(t, d)
	b.Advance(time.Until(opens) + time.Minute)
	b.dial(t)
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	b.dial(t)
	r := b.recipients(t, c.ID)[testNumber(0)]
	if want := opens.AddDate(0, 0, 7); r.DueAt == nil || !r.DueAt.Equal(want) ||
		*r.WaitReason != campaign.WaitAttemptLimit || r.Attempts != 1 {
		t.Errorf("%+v, want %v", r, want)
	}
	b.limit(t, Limits{MaxDailyAttempts: ptr(2)})
	b.dial(t)
	if n := b.network.dials(testNumber(0)); n != 2 {
		t.Errorf("dialed %d times when one more was allowed and the hours were open", n)
	}
}

// A call that never rang does not count as an attempt. A call with an unknown result
// does.
func TestWhatIsAnAttempt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.limit(t, Limits{MaxDailyAttempts: ptr(1)})
	b.network.answer = func(carrier.Placement) error {
		return &carrier.Error{Kind: carrier.Throttled, Reason: "too many requests"}
	}
	c := b.create(t, fast(b.draft(1)))
	b.dial(t)
	b.settle(t)
	b.network.mu.Lock()
	b.network.answer = func(carrier.Placement) error { return context.DeadlineExceeded } // it may have rung
	b.network.mu.Unlock()
	b.Advance(2 * carrierLeast)
	b.dial(t)
	if n := value[int](
		t, b, `select count(*) from call where campaign_id = $1 and asked_at is not null`, c.ID,
	); n != 2 {
		t.Fatalf("asked for %d calls", n)
	}
	for range 4 {
		b.Advance(2 * time.Minute)
		if _, err := b.calls.Reconcile(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	b.settle(t)
	again := b.create(t, fast(b.draft(1)))
	b.dial(t)
	if r := b.recipients(t, again.ID)[testNumber(0)]; r.WaitReason == nil ||
		*r.WaitReason != campaign.WaitAttemptLimit {
		t.Errorf("after a call nobody knows the end of: %+v", r)
	}
}

// Two processes and four campaigns share the same recipients. No number is called more
// often in a day than the limit allows.
func TestAttemptsPerDayHoldAcrossProcesses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const people, most = 15, 2
	b.limit(t, Limits{MaxDailyAttempts: ptr(most)})
	for range 4 {
		d := fast(b.draft(people))
		d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{0}}
		b.create(t, d)
	}
	ctx, end := context.WithCancel(context.Background())
	var work sync.WaitGroup
	b.race(ctx, t, &work)
	defer work.Wait()
	defer end()
	deadline := time.Now().Add(testwait.Limit)
	for !t.Failed() {
		b.endAll(t, call.OutcomeBusy)
		// Every waiting recipient is deferred, and none is in a call.
		if value[int](
			t, b,
			`select count(*) from recipient
				where status = 'dialing' or status = 'pending' and wait_reason is distinct from $1`,
			campaign.WaitAttemptLimit,
		) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("some are neither called nor put off")
		}
		if len(b.network.up()) == 0 {
			b.exec(t, `update recipient set due_at = clock() where wait_reason = $1`, campaign.WaitInCall)
			b.exec(t, `update campaign set dial_at = clock() where status = 'running'`)
		}
	}
	for i := range people {
		if n := b.network.dials(testNumber(i)); n != most {
			t.Errorf("%s was dialed %d times, want %d", testNumber(i), n, most)
		}
	}
}

func TestCallingLimitsAreChecked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for want, l := range map[string]Limits{
		"max_concurrency: must be between 1 and 100,000":   {MaxConcurrency: ptr(0)},
		"calls_per_second: must be between 0.01 and 1,000": {CallsPerSecond: ptr(0.0)},
		"max_daily_attempts: must be between 1 and 100":    {MaxDailyAttempts: ptr(101)},
	} {
		if err := b.calling.SetLimits(t.Context(), b.actor, l, ""); fault.KindOf(err) != fault.Invalid ||
			err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	set := Limits{MaxConcurrency: ptr(7), CallsPerSecond: ptr(2.5), MaxDailyAttempts: ptr(3)}
	b.limit(t, set)
	got, err := b.calling.Limits(t.Context(), b.actor.OrganizationID)
	if err != nil || !postgres.Same(got.MaxConcurrency, set.MaxConcurrency) ||
		!postgres.Same(got.CallsPerSecond, set.CallsPerSecond) ||
		!postgres.Same(got.MaxDailyAttempts, set.MaxDailyAttempts) {
		t.Errorf("%+v, %v", got, err)
	}
}

// An index finds the calls to a number, however many calls there are.
func TestAttemptsUseAnIndex(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.create(t, fast(b.draft(200)))
	for len(b.network.up()) < 200 {
		b.dial(t)
	}
	columns := b.Columns("call")
	b.exec(t, `insert into call (`+columns+`)
		select `+columns+` from (
			select (json_populate_record(c, json_build_object('id', gen_random_uuid(), 'ended_at', clock(), 'status',
				'busy', 'outcome', 'busy'))).*
			from call c, generate_series(1, 20)) copy`)
	b.exec(t, `analyze call`)
	var plan string
	err := postgres.InTx(t.Context(), b.Pool, func(tx pgx.Tx) error {
		caps := append(capsOf(ptr(1), nil, testNumber(0)), capsOf(ptr(1), nil, testNumber(1))...)
		_, err := attemptAgain(t.Context(), explained{tx, &plan}, b.actor.OrganizationID, time.Now(), caps)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(plan, `"call_number_list"`) {
		t.Errorf("the plan is %s", plan)
	}
}

// explained is a transaction that records the plans of its statements and returns no
// rows.
type explained struct {
	pgx.Tx
	plan *string
}

func (e explained) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	rows, err := e.Tx.Query(ctx, "explain (format json) "+sql, args...)
	if err != nil {
		return nil, err
	}
	raw, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[json.RawMessage])
	if err != nil {
		return nil, err
	}
	*e.plan = string(raw)
	return e.Tx.Query(ctx, "select 1, now() where false")
}
