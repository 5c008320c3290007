package dialer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// pool returns one more pool on the bench's database.
func (b *bench) pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := postgres.Open(context.Background(), postgres.Options{URL: b.URL, MaxConns: 6, Prepare: pgtest.Unlock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// until waits until something is so. It gives up when the test has failed meanwhile.
func (b *bench) until(t testing.TB, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testwait.Limit); !so() && !t.Failed(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("waited in vain until %s", what) // not Fatal, which only the test's own goroutine may call
		}
	}
}

// race runs the dialers and the settlers of two processes until ctx ends. work waits for them.
func (b *bench) race(ctx context.Context, t testing.TB, work *sync.WaitGroup) {
	t.Helper()
	for range 2 {
		_, dialer, settler := b.process(b.pool(t))
		work.Go(func() {
			defer dialer.placing.Wait()
			for ctx.Err() == nil {
				if _, err := dialer.round(ctx, true); err != nil && ctx.Err() == nil {
					t.Error(err)
					return
				}
			}
		})
		work.Go(func() {
			for ctx.Err() == nil {
				if _, err := settler.round(context.Background()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
}

// Several dialers and settlers, each with its own pool, work on three campaigns that
// share a connection, a number and an organization, each with limits. No limit is ever
// exceeded, no recipient is called more often than allowed, and every campaign ends.
func TestLimitsHoldAcrossProcesses(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]struct{ organization, connection, number, campaign, want int }{
		"organization": {7, 20, 20, 20, 7},
		"connection":   {20, 6, 20, 20, 6},
		"number":       {20, 20, 5, 20, 5},
		"campaign":     {20, 20, 20, 2, 6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.subscribe(t, "*")
			b.exec(t, `update organization set max_concurrency = $1`, limits.organization)
			b.exec(t, `update connection set max_concurrency = $1`, limits.connection)
			b.exec(t, `update phone_number set max_concurrency = $1`, limits.number)
			const campaigns, people, attempts = 3, 25, 2
			var ids []uuid.UUID
			for i := range campaigns {
				d := fast(b.draft(0))
				d.MaxConcurrency = &limits.campaign
				d.Retry = &campaign.RetryInput{MaxAttempts: ptr(attempts), DelaysMinutes: []int{0}}
				for j := range people {
					d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(1000*i + j)})
				}
				ids = append(ids, b.create(t, d).ID)
			}

			ctx, stop := context.WithCancel(context.Background())
			var work sync.WaitGroup
			b.race(ctx, t, &work)
			for i := range 2 {
				work.Go(func() {
					rnd := rand.New(rand.NewPCG(uint64(i), 1))
					for ctx.Err() == nil {
						up := b.network.up()
						if len(up) == 0 {
							time.Sleep(time.Millisecond)
							continue
						}
						outcomes := []call.Outcome{call.OutcomeCompleted, call.OutcomeBusy, call.OutcomeVoicemail}
						b.tell(t, up[rnd.IntN(len(up))], ends(outcomes[rnd.IntN(len(outcomes))])...)
					}
				})
			}
			defer work.Wait()
			defer stop()
			deadline := time.Now().Add(testwait.Limit)
			for left := campaigns; left > 0 && !t.Failed(); {
				if time.Now().After(deadline) {
					t.Fatalf("%d campaigns have not ended", left)
				}
				left = value[int](t, b, `select count(*) from campaign where ended_at is null`)
				b.checkCounters(t, ids[0])
				time.Sleep(10 * time.Millisecond)
			}
			// How close the calls come to the limit depends on timing.
			if most := b.network.most; most > limits.want || 2*most < limits.want {
				t.Errorf("%d calls at a time, the limit is %d", most, limits.want)
			}
			for number, n := range b.network.dialed {
				if n > attempts {
					t.Errorf("%s was dialed %d times", number, n)
				}
			}
			for _, id := range ids {
				if c := b.checkCounters(t, id); c.Completed+c.Failed != people {
					t.Errorf("%+v", c)
				}
			}
			b.checkEvents(t)
		})
	}
}

// After every step of a random order of events, the counters equal the rows, and every
// dialed recipient was allowed to be dialed.
func TestCountersEqualRows(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.subscribe(t, "*")
			rnd := rand.New(rand.NewPCG(seed, 7))
			const people = 40
			d := b.draft(people)
			d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(3)})
			d.CallsPerSecond, d.MaxConcurrency = ptr(1000.0), ptr(8)
			d.Retry = &campaign.RetryInput{MaxAttempts: ptr(1 + rnd.IntN(3)), DelaysMinutes: []int{0, 5}}
			d.ExpiresAt = ptr(time.Now().Add(time.Duration(10+rnd.IntN(300)) * time.Minute))
			c := b.create(t, d)
			id := c.ID
			outcomes := []call.Outcome{
				call.OutcomeCompleted, call.OutcomeBusy, call.OutcomeVoicemail, call.OutcomeNoAnswer,
				call.OutcomeFailed,
			}
			for step := range 120 {
				before := len(b.network.dialed)
				status := b.get(t, c.ID).Status
				switch rnd.IntN(12) {
				case 0, 1, 2, 3:
					b.dial(t)
					if status != campaign.Running && status != campaign.Scheduled && len(b.network.dialed) > before {
						t.Fatalf("somebody was dialed while the campaign is %s", status)
					}
				case 4, 5, 6:
					if up := b.network.up(); len(up) > 0 {
						b.tell(t, up[rnd.IntN(len(up))], ends(outcomes[rnd.IntN(len(outcomes))])...)
					}
				case 7:
					if up := b.network.up(); len(up) > 0 {
						b.tell(t, up[rnd.IntN(len(up))], ends(call.OutcomeCompleted)[0]) // answered, still in progress
					}
				case 8:
					b.settle(t)
				case 9:
					if _, err := b.svc.Pause(t.Context(), b.actor, id); err != nil &&
						fault.KindOf(err) != fault.Conflict {
						t.Fatal(err)
					}
				case 10:
					if _, err := b.svc.Resume(t.Context(), b.actor, id); err != nil &&
						fault.KindOf(err) != fault.Conflict {
						t.Fatal(err)
					}
				case 11:
					switch {
					case step > 100 && rnd.IntN(3) == 0:
						if _, err := b.svc.Cancel(t.Context(), b.actor, id); err != nil &&
							fault.KindOf(err) != fault.Conflict {
							t.Fatal(err)
						}
					case rnd.IntN(4) == 0:
						b.Advance(6 * time.Minute)
					default:
						b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
							values (gen_random_uuid(), $1, $2, 'user') on conflict do nothing`, b.actor.OrganizationID,
							testNumber(rnd.IntN(people)))
					}
				}
				b.checkCounters(t, c.ID)
				if t.Failed() {
					t.Fatalf("after step %d", step)
				}
			}
			_, _ = b.svc.Resume(t.Context(), b.actor, id)
			for range 200 {
				b.dial(t)
				b.endAll(t, call.OutcomeNoAnswer)
				b.Advance(5 * time.Minute)
				b.settle(t)
				if b.get(t, c.ID).Status.Terminal() {
					break
				}
			}
			b.checkEvents(t)
			got := b.checkCounters(t, c.ID)
			if !got.Status.Terminal() || got.Pending+got.Dialing+got.InProgress != 0 || len(got.Waiting) != 0 {
				t.Errorf("it doesn't end: %+v", got)
			}
			for number, n := range b.network.dialed {
				if n > c.MaxAttempts {
					t.Errorf("%s was dialed %d times, allowed are %d", number, n, c.MaxAttempts)
				}
			}
		})
	}
}

// After a pause or a cancellation has returned, no claim commits in any process.
func TestPauseAndCancelHold(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.draft(400)
	d.CallsPerSecond, d.MaxConcurrency = ptr(100.0), ptr(1000) // at most 26 after each pause
	c := b.create(t, d)
	id := c.ID
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	b.race(ctx, t, &work)
	defer work.Wait()
	defer stop()
	placed := func() int { return value[int](t, b, `select count(*) from call where campaign_id = $1`, c.ID) }
	for range 8 {
		if _, err := b.svc.Pause(t.Context(), b.actor, id); err != nil {
			t.Fatal(err)
		}
		n := placed()
		b.endAll(t, call.OutcomeCompleted)
		for range 5 {
			if again := placed(); again != n {
				t.Fatalf("%d calls were claimed after the pause", again-n)
			}
		}
		if _, err := b.svc.Resume(t.Context(), b.actor, id); err != nil {
			t.Fatal(err)
		}
		b.until(t, "calls are claimed after the start", func() bool { return placed() != n })
	}
	got, err := b.svc.Cancel(t.Context(), b.actor, id)
	if err != nil {
		t.Fatal(err)
	}
	n := placed()
	if got.Status != campaign.Canceled || got.Pending != 0 || got.Canceled != 400-n {
		t.Errorf("canceled with %d calls: %+v", n, got)
	}
	stop()
	work.Wait()
	if again := placed(); again != n {
		t.Errorf("%d calls were claimed after the cancel", again-n)
	}
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	if got := b.checkCounters(t, c.ID); got.Dialing != 0 || got.Status != campaign.Canceled {
		t.Errorf("when all calls have ended: %+v", got)
	}
	if _, err := b.svc.Pause(t.Context(), b.actor, id); err == nil ||
		err.Error() != "This campaign is canceled and cannot be paused" {
		t.Errorf("pausing a canceled campaign: %v", err)
	}
}

// A row that is locked for long, such as by the cancellation of 100,000 recipients,
// delays only its own campaign.
func TestALockedCampaignHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.create(t, b.draft(1))
	d := b.draft(0)
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(7)})
	second := b.create(t, d)
	err := postgres.InTx(t.Context(), b.Pool, func(tx pgx.Tx) error {
		if _, err := campaign.Lock(t.Context(), tx, b.actor.OrganizationID, first.ID); err != nil {
			return err
		}
		if _, err := b.dialer.round(t.Context(), false); err != nil {
			return err
		}
		b.dialer.placing.Wait()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if b.network.dials(testNumber(7)) != 1 || b.checkCounters(t, second.ID).Dialing != 1 ||
		b.checkCounters(t, first.ID).Pending != 1 {
		t.Errorf("dialed %v", b.network.dialed)
	}
	clear(b.dialer.failing)
	b.dial(t)
	if b.checkCounters(t, first.ID).Dialing != 1 {
		t.Error("the first one is not dialed when it is free again")
	}
}

// A shared pace lets no call start early, however many processes and campaigns use it.
// The k-th call starts at start + k / rate, apart from the catch-up.
func TestPacesHoldAcrossProcesses(t *testing.T) {
	t.Parallel()
	const rate, people, campaigns = 100, 100, 2
	for name, set := range map[string]string{
		"organization": `update organization set calls_per_second = $1`,
		"connection":   `update connection set calls_per_second = $1`,
		"number":       `update phone_number set calls_per_second = $1`,
		"campaign":     ``,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if set != "" {
				b.exec(t, set, rate)
			}
			start := value[time.Time](t, b, `select clock()`)
			for i := range campaigns {
				d := fast(b.draft(0))
				for j := range people / campaigns {
					d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(1000*i + j)})
				}
				if set == "" {
					d.CallsPerSecond = ptr(float64(rate) / campaigns)
				}
				b.create(t, d)
			}
			ctx, stop := context.WithCancel(context.Background())
			var work sync.WaitGroup
			for range 2 {
				_, dialer, _ := b.process(b.pool(t))
				work.Go(func() {
					for ctx.Err() == nil {
						if _, err := dialer.round(ctx, true); err != nil && ctx.Err() == nil {
							t.Error(err)
							return
						}
					}
					dialer.placing.Wait()
				})
			}
			defer work.Wait()
			defer stop()
			deadline := time.Now().Add(testwait.Limit)
			for value[int](t, b, `select count(*) from call`) < people && !t.Failed() {
				if time.Now().After(deadline) {
					t.Fatal("not all are called")
				}
				time.Sleep(10 * time.Millisecond)
			}
			rows, _ := b.Pool.Query(t.Context(), `select created_at from call order by created_at`)
			calls, err := pgx.CollectRows(rows, pgx.RowTo[time.Time])
			if err != nil {
				t.Fatal(err)
			}
			for k, at := range calls {
				// Each campaign may start with one call of its own pace.
				turn := start.Add(time.Duration(k-campaigns) * time.Second / rate).Add(-catchUp - 2*time.Millisecond)
				if at.Before(turn) {
					t.Fatalf("call %d started %v before its turn", k, turn.Sub(at))
				}
			}
		})
	}
}
