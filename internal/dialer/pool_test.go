package dialer

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/testwait"
)

// numbers adds phone numbers to the bench's connection.
func (b *bench) numbers(t testing.TB, numbers ...string) (ids []string) {
	t.Helper()
	for _, n := range numbers {
		id := uuid.Must(uuid.NewV7())
		b.exec(t, `insert into phone_number (id, organization_id, connection_id, phone_number) values ($1, $2, $3, $4)`,
			id, b.actor.OrganizationID, b.connection, n)
		ids = append(ids, id.String())
	}
	return ids
}

func (b *bench) projects() *project.Service {
	return project.New(project.Options{Pool: b.Pool, OnRateChanged: b.calling.LookAgain})
}

// pooled makes a pool, and a campaign with n recipients that calls from it.
func (b *bench) pooled(t testing.TB, n int, settings project.NumberPoolSettings) (project.NumberPool, *campaign.Draft) {
	t.Helper()
	settings.Name = "Care"
	made, err := b.projects().CreateNumberPool(t.Context(), b.actor, settings)
	if err != nil {
		t.Fatal(err)
	}
	d := fast(b.draft(n))
	d.PhoneNumberID, d.NumberPoolID = "", made.ID.String()
	return made, d
}

// callsFrom counts the calls from each of some numbers.
func (b *bench) callsFrom(t testing.TB, ids []string) (counts []int) {
	t.Helper()
	for _, id := range ids {
		counts = append(counts, value[int](t, b, `select count(*) from call where phone_number_id = $1`, id))
	}
	return counts
}

func TestAPoolRotates(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ids := b.numbers(t, "+12125550101", "+13105550102", "+13125550103")
	_, d := b.pooled(t, 8, project.NumberPoolSettings{PhoneNumberIDs: ids})
	d.MaxConcurrency = ptr(1)
	b.create(t, d)
	var order []string
	for range 8 {
		b.dial(t)
		order = append(order, value[string](t, b, `select own_number from call order by created_at desc limit 1`))
		b.endAll(t, call.OutcomeCompleted)
		b.settle(t)
		b.Advance(time.Second)
	}
	if got := b.callsFrom(t, ids); !slices.Equal(got, []int{3, 3, 2}) {
		t.Errorf("calls by number: %v, in the order %v", got, order)
	}
	for i := 3; i < len(order); i++ {
		if order[i] != order[i-3] {
			t.Errorf("the numbers do not take turns: %v", order)
		}
	}
}

// A number near the recipient's is preferred: the same area code, then the same state, then the
// same country.
func TestAPoolCallsFromTheNearestNumber(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ids := b.numbers(t, "+12125550101", "+13105550102", "+13125550103", "+442079460104", "+14165550105")
	_, d := b.pooled(t, 0, project.NumberPoolSettings{PhoneNumberIDs: ids, Strategy: project.Nearest})
	near := map[string]string{
		"+13122000001":  "+13125550103",  // Chicago
		"+13122000002":  "+13125550103",  // again, although others have not called yet
		"+12172000003":  "+13125550103",  // Springfield, Illinois
		"+14152000004":  "+13105550102",  // San Francisco, California
		"+14162000005":  "+14165550105",  // Toronto
		"+16042000006":  "+14165550105",  // Vancouver
		"+442079460007": "+442079460104", // London
	}
	for to := range near {
		d.Recipients.Add(intake.Recipient{PhoneNumber: to})
	}
	b.create(t, d)
	for range 4 {
		b.dial(t)
		b.Advance(time.Second)
	}
	for to, from := range near {
		if got := value[string](t, b, `select own_number from call where person_number = $1`, to); got != from {
			t.Errorf("%s was called from %s, want %s", to, got, from)
		}
	}
}

// People recognize the number that called them. A number that rests gives its retries to others.
func TestARetryComesFromTheSameNumber(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ids := b.numbers(t, "+12125550101", "+13105550102", "+13125550103")
	_, d := b.pooled(t, 5, project.NumberPoolSettings{PhoneNumberIDs: ids, Rest: &project.Rest{
		BelowPercent: 1, Calls: 1000, Hours: 1,
	}})
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{1}}
	b.create(t, d)
	for range 2 {
		b.dial(t)
		b.endAll(t, call.OutcomeNoAnswer)
		b.settle(t)
		b.Advance(2 * time.Minute)
	}
	if n := value[int](t, b, `
		select count(*) from (select from recipient r join call c on c.recipient_id = r.id group by r.id
			having count(*) = 2 and count(distinct c.phone_number_id) = 1) r`); n != 5 {
		t.Errorf("%d of 5 recipients were called twice from one number", n)
	}
	b.exec(t, `update phone_number set rest_until = clock() + interval '1 hour' where id = $1`, ids[0])
	b.dial(t)
	if n := value[int](t, b, `select count(*) from call where attempt = 3 and phone_number_id <> $1`, ids[0]); n != 5 {
		t.Errorf("%d of 5 third calls came from numbers that do not rest", n)
	}
}

// When every number has reached its limit, the campaign waits for the organization's next day and
// says so. A raised limit applies at once.
func TestAPoolWaitsForTheNextDay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `update organization set time_zone = 'Asia/Tokyo'`)
	ids := b.numbers(t, "+12125550101", "+13105550102")
	settings := project.NumberPoolSettings{PhoneNumberIDs: ids, MaxDailyCalls: ptr(2)}
	pool, d := b.pooled(t, 20, settings)
	c := b.create(t, d)
	day := func() {
		t.Helper()
		for range 4 {
			b.dial(t)
			b.endAll(t, call.OutcomeCompleted)
			b.settle(t)
			b.Advance(6 * time.Second)
		}
	}
	day()
	if got := b.callsFrom(t, ids); !slices.Equal(got, []int{2, 2}) {
		t.Fatalf("calls by number: %v", got)
	}
	midnight := value[time.Time](t, b, `
		select date_trunc('day', clock() + interval '1 day', 'Asia/Tokyo')`)
	got := b.get(t, c.ID)
	if len(got.Waiting) != 1 || got.Waiting[0].Reason != campaign.WaitNumberPool || got.Waiting[0].Recipients != 16 ||
		!time.Time(*got.Waiting[0].Until).Equal(midnight) {
		t.Errorf("the campaign waits for %+v, want the pool until %s", got.Waiting, midnight)
	}
	if next := value[time.Time](t, b, `select dial_at from campaign where id = $1`, c.ID); !next.Equal(midnight) {
		t.Errorf("the next pass is at %s, want %s", next, midnight)
	}
	b.Advance(midnight.Sub(value[time.Time](t, b, `select clock()`)) + time.Minute)
	day()
	if got := b.callsFrom(t, ids); !slices.Equal(got, []int{4, 4}) {
		t.Errorf("calls by number on the next day: %v", got)
	}
	settings.Name, settings.MaxDailyCalls = "Care", ptr(5)
	if _, err := b.projects().UpdateNumberPool(t.Context(), b.actor, pool.ID, settings, nil); err != nil {
		t.Fatal(err)
	}
	day()
	if got := b.callsFrom(t, ids); !slices.Equal(got, []int{7, 7}) {
		t.Errorf("calls by number after the limit was raised: %v", got)
	}
	b.checkCounters(t, c.ID)
}

// A call that was not placed does not use the daily limit of its number, and the campaign does not wait for the next
// day because of it.
func TestCallsThatAreNotPlacedUseNoDailyLimit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	broken := true
	b.answering(func(carrier.Placement) error {
		if broken {
			return &carrier.Error{Kind: carrier.Unusable, Code: "http_503", Reason: "not available"}
		}
		return nil
	})
	ids := b.numbers(t, "+12125550101")
	_, d := b.pooled(t, 3, project.NumberPoolSettings{PhoneNumberIDs: ids, MaxDailyCalls: ptr(2)})
	c := b.create(t, d)
	b.dial(t)
	b.settle(t)
	if n := value[int](t, b, `select calls_on_day from phone_number where id = $1`, ids[0]); n != 0 {
		t.Errorf("%d calls count that were not placed", n)
	}
	broken = false
	if next := value[time.Time](t, b, `select dial_at from campaign where id = $1`, c.ID); next.After(
		value[time.Time](t, b, `select clock() + interval '1 hour'`)) {
		t.Errorf("the next pass is at %s", next)
	}
	b.Advance(carrierMost)
	for range 4 {
		b.dial(t)
		b.endAll(t, call.OutcomeCompleted)
		b.settle(t)
		b.Advance(passGap)
	}
	if n := value[int](t, b, `select count(*) from call where answered_at is not null`); n != 2 {
		t.Errorf("%d calls after the carrier's fault, want 2", n)
	}
}

// No number of a pool exceeds a limit while two processes claim for two campaigns with the pool and
// one campaign with one of its numbers. The daily limit binds only campaigns with the pool, but
// counts every call.
func TestThePoolsLimitsHoldAcrossProcesses(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 1))
			b := newBench(t)
			var names []string
			for i := range 2 + random.IntN(4) {
				names = append(names, fmt.Sprintf("+1%d2555010%d", 2+i, i))
			}
			ids := b.numbers(t, names...)
			daily, most := 3+random.IntN(8), 1+random.IntN(3)
			settings := project.NumberPoolSettings{
				PhoneNumberIDs: ids, MaxDailyCalls: &daily, Strategy: project.Strategies[seed%2],
			}
			_, d := b.pooled(t, 0, settings)
			b.exec(t, `update phone_number set max_concurrency = $1`, most)
			drafts := []*campaign.Draft{d, {}, {}}
			*drafts[1], *drafts[2] = *d, *d
			drafts[2].NumberPoolID, drafts[2].PhoneNumberID = "", ids[0]
			people, direct := len(ids)*daily+5, random.IntN(daily)
			for i, d := range drafts {
				d.Recipients, d.MaxConcurrency, d.CallsPerSecond = &intake.List{}, ptr(50), ptr(1000.0)
				if i == 2 {
					people = direct + 1
				}
				for n := range people {
					d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(1000*i + n)})
				}
				b.create(t, d)
			}
			over := `select coalesce(max(n), 0) from (select count(*) as n from call where phone_number_id = any($1) `
			ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
			defer cancel()
			var work sync.WaitGroup
			b.race(ctx, t, &work)
			for open := 1; open > 0 && ctx.Err() == nil; {
				if n := value[int](t, b, over+`and ended_at is null group by phone_number_id) c`, ids); n > most {
					t.Errorf("%d simultaneous calls from a number, want at most %d", n, most)
				}
				b.endAll(t, call.OutcomeBusy)
				open = value[int](t, b, `
					select count(*) from phone_number n
					where id = any($1) and (
						select count(*) from call where phone_number_id = n.id) < $2
					  or id = $3 and (
						select count(*) from call c join campaign m on m.id = c.campaign_id
						where m.phone_number_id = n.id) <= $4`, ids, daily, ids[0], direct)
			}
			time.Sleep(50 * time.Millisecond) // an extra call would come now
			cancel()
			work.Wait()
			for i, n := range b.callsFrom(t, ids) {
				more := 0
				if i == 0 {
					more = direct + 1
				}
				if n < daily || n > daily+more {
					t.Errorf("%d calls from number %d, want %d and at most %d more", n, i, daily, more)
				}
			}
			if n := value[int](t, b, over+`and campaign_id in (
				select id from campaign where number_pool_id is not null) group by phone_number_id) c`,
				ids); n > daily {
				t.Errorf("campaigns with the pool placed %d calls from a number, want at most %d", n, daily)
			}
			if n := value[int](t, b, `
				select count(*) from phone_number n
				where number_pool_id is not null
				  and calls_on_day <> (select count(*) from call where phone_number_id = n.id)`); n != 0 {
				t.Errorf("%d numbers have miscounted their calls", n)
			}
		})
	}
}

// A number whose calls few people answer rests. The calls before a rest do not lead to another.
func TestANumberRests(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ids := b.numbers(t, "+12125550101", "+13105550102")
	_, d := b.pooled(t, 60, project.NumberPoolSettings{
		PhoneNumberIDs: ids, Rest: &project.Rest{BelowPercent: 50, Calls: 4, Hours: 3},
	})
	d.MaxConcurrency = ptr(2)
	c := b.create(t, d)
	round := func() {
		t.Helper()
		b.dial(t)
		for _, id := range b.network.up() {
			outcome := call.OutcomeVoicemail
			if value[string](t, b, `select phone_number_id::text from call where id = $1`, id) == ids[1] {
				outcome = call.OutcomeCompleted
			}
			b.tell(t, id, ends(outcome)...)
		}
		b.Advance(6 * time.Second)
		b.settle(t)
	}
	for range 6 {
		round()
	}
	if got := b.callsFrom(t, ids); !slices.Equal(got, []int{4, 8}) {
		t.Fatalf("calls by number: %v, want that the first rests after 4", got)
	}
	b.exec(t, `update phone_number set rest_until = clock() + interval '5 hours' where id = $1`, ids[1])
	b.Advance(6 * time.Second)
	b.dial(t)
	until := value[time.Time](t, b, `select rest_until from phone_number where id = $1`, ids[0])
	if w := b.get(t, c.ID).Waiting; len(w) != 1 || w[0].Reason != campaign.WaitNumberPool ||
		!time.Time(*w[0].Until).Equal(until) {
		t.Errorf("the campaign waits for %+v, want the first number until %s", w, until)
	}
	b.Advance(3 * time.Hour)
	for range 2 {
		round()
	}
	if got := b.callsFrom(t, ids); got[0] < 7 || got[1] != 8 {
		t.Errorf("calls by number after the rest: %v", got)
	}
	for range 6 {
		round() // until both rest
	}
	if b.restsUntil(t, ids[1]) == nil {
		t.Error("the rest is not shown")
	}
	if err := b.projects().EndRest(t.Context(), b.actor, uuid.MustParse(ids[1])); err != nil {
		t.Fatal(err)
	}
	if round(); b.callsFrom(t, ids)[1] <= 8 || b.restsUntil(t, ids[1]) != nil {
		t.Error("the second number does not call after its rest was ended")
	}
}

// restsUntil is what the page and the API show.
func (b *bench) restsUntil(t testing.TB, number string) *time.Time {
	t.Helper()
	stats, err := b.calls.NumberStatsOf(t.Context(), b.actor.OrganizationID, uuid.MustParse(number))
	if err != nil {
		t.Fatal(err)
	}
	return stats.RestsUntil
}

// A number that the carrier refuses rests. If it refuses all of them, the campaign is paused.
func TestARefusedNumberOfAPoolRests(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ids := b.numbers(t, "+12125550101", "+13105550102")
	_, d := b.pooled(t, 40, project.NumberPoolSettings{PhoneNumberIDs: ids})
	d.MaxConcurrency = ptr(2)
	c := b.create(t, d)
	bad := []string{"+12125550101"}
	b.answering(func(p carrier.Placement) error {
		if slices.Contains(bad, p.From) {
			return &carrier.Error{
				Kind: carrier.Unusable, Concern: carrier.ConcernCaller, Code: "21210", Reason: "not verified",
			}
		}
		return nil
	})
	rounds := func() {
		t.Helper()
		for range 10 {
			b.dial(t)
			b.endAll(t, call.OutcomeCompleted)
			b.Advance(6 * time.Second)
			b.settle(t)
		}
	}
	rounds()
	if n := b.callsFrom(t, ids)[0]; n < 5 || n > 6 {
		t.Errorf("%d calls from the refused number", n)
	}
	if got := b.get(t, c.ID); got.Status != campaign.Running {
		t.Fatalf("the campaign is %s: %s", got.Status, *cmp.Or(got.PauseReason, new(string)))
	}
	if until := b.restsUntil(t, ids[0]); until == nil {
		t.Error("the rest after refusals is not shown")
	}
	if err := b.projects().EndRest(t.Context(), b.actor, uuid.MustParse(ids[0])); err != nil {
		t.Fatal(err)
	}
	if until := b.restsUntil(t, ids[0]); until != nil {
		t.Errorf("the number rests until %s after its rest was ended", until)
	}
	if rounds(); b.callsFrom(t, ids)[0] < 7 {
		t.Error("the number does not call after its rest was ended")
	}
	bad = append(bad, "+13105550102")
	rounds()
	want := "The carrier refused calls because of every phone number of the pool Care: not verified (21210)"
	if got := b.get(t, c.ID); got.Status != campaign.Paused || *got.PauseReason != want {
		t.Fatalf("the campaign is %s: %s", got.Status, *cmp.Or(got.PauseReason, new(string)))
	}
	bad = nil
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	before := b.callsFrom(t, ids)
	rounds()
	for i, n := range b.callsFrom(t, ids) {
		if n == before[i] {
			t.Errorf("number %d does not call after the campaign was resumed", i)
		}
	}
}
