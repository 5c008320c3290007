package dialer

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
)

// bills are the prices of the carrier.
type bills struct {
	mu    sync.Mutex
	price carrier.Price // of every call
	fail  error
}

func (b *bills) CallPrice(context.Context, string) (carrier.Price, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.price, b.fail
}

func (b *bills) RecordingPrice(context.Context, string) (carrier.Price, error) {
	return carrier.Price{}, carrier.ErrUnknownCall
}

// forget makes the carrier know no call.
func (b *bills) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = carrier.ErrUnknownCall
}

func (b *bills) set(amount, currency string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.price = carrier.Price{Amount: amount, Currency: currency}
}

// priced is a bench whose carrier has prices.
type priced struct {
	*bench
	*bills
}

func newPriced(t *testing.T) priced {
	t.Helper()
	b := priced{newBench(t), &bills{price: carrier.Price{Amount: "0.01400", Currency: "USD"}}}
	b.network.Prices = b.bills
	return b
}

// campaign creates a running campaign that may place n calls now.
func (b priced) campaign(t *testing.T, first, n int, budget *campaign.Budget) uuid.UUID {
	t.Helper()
	d := fast(b.draftFrom(first, 200))
	d.Budget = budget
	c := b.create(t, d)
	b.concurrency(t, c.ID, n)
	return c.ID
}

func (b priced) concurrency(t *testing.T, id uuid.UUID, n int) {
	t.Helper()
	b.exec(t, `update campaign set max_concurrency = $2 where id = $1`, id, n)
}

// pass runs a pass over every running campaign, also over one whose next pass is not due yet.
func (b priced) pass(t *testing.T) {
	t.Helper()
	b.exec(t, `update campaign set dial_at = clock() where status in ('scheduled', 'running')`)
	b.dial(t)
}

// finish ends and settles every call, and reads the prices that are due after some time.
func (b priced) finish(t *testing.T, outcome call.Outcome, after time.Duration) {
	t.Helper()
	b.endAll(t, outcome)
	b.settle(t)
	b.read(t, after)
}

func (b priced) read(t *testing.T, after time.Duration) {
	t.Helper()
	b.Advance(after)
	for {
		n, err := b.calls.ReadPrices(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			break
		}
	}
	const sums = `select coalesce(string_agg(s.month || coalesce(s.currency, '') || s.amount || ' ' || s.calls, ', '
		order by s.month, s.currency), '') from (`
	got := value[string](t, b.bench, sums+`select month, currency, trim_scale(amount) as amount, answered as calls
		from cost_month where amount <> 0 or answered <> 0) s`)
	want := value[string](t, b.bench, sums+`
		select date_trunc('month', c.created_at at time zone o.time_zone)::date as month, cost_currency as currency,
		       trim_scale(coalesce(sum(cost), 0)) as amount, count(*) filter (where answered_at is not null) as calls
		from call c join organization o on o.id = c.organization_id
		where settled_at is not null and (answered_at is not null or cost <> 0)
		group by 1, 2 having sum(cost) <> 0 or count(answered_at) > 0) s`)
	if got != want {
		t.Errorf("the sums of months are %q, want %q", got, want)
	}
	const campaigns = `select coalesce(string_agg(campaign_id || ' ' || answered, ', ' order by campaign_id), '')
		from (`
	got = value[string](t, b.bench, campaigns+`select * from cost_pending where answered <> 0) p`)
	want = value[string](t, b.bench, campaigns+`select campaign_id, count(*) as answered from call
		where settled_at is not null and answered_at is not null and cost is null group by campaign_id) p`)
	if got != want {
		t.Errorf("calls of campaigns without a known price: %q, want %q", got, want)
	}
}

// is checks a campaign's status and how many calls are in progress, and returns why it is paused.
func (b priced) is(t *testing.T, when string, id uuid.UUID, want campaign.Status, up int) string {
	t.Helper()
	c := b.get(t, id)
	if n := len(b.network.up()); c.Status != want || n != up {
		t.Fatalf("%s: the campaign is %s, want %s, and %d calls are in progress, want %d", when, c.Status, want, n, up)
	}
	if c.PauseReason == nil {
		return ""
	}
	return *c.PauseReason
}

// refused resumes a campaign, which must be refused.
func (b priced) refused(t *testing.T, id uuid.UUID, want string) {
	t.Helper()
	_, err := b.svc.Resume(t.Context(), b.actor, id)
	if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), want) {
		t.Errorf("the campaign is resumed: %v, want %q", err, want)
	}
}

func (b priced) setBudget(t *testing.T, id uuid.UUID, budget *campaign.Budget) {
	t.Helper()
	if _, err := b.svc.SetBudget(t.Context(), b.actor, id, budget, nil); err != nil {
		t.Fatal(err)
	}
}

func (b priced) setMonthly(t *testing.T, budget *campaign.Budget) {
	t.Helper()
	if err := b.calling.SetMonthlyBudget(t.Context(), b.actor, budget); err != nil {
		t.Fatal(err)
	}
}

func usd(amount string) *campaign.Budget { return &campaign.Budget{Amount: amount, Currency: "USD"} }

// Until a campaign has a price of its own, its calls count at the average of the organization's.
func TestABudgetBeforeTheFirstPrice(t *testing.T) {
	t.Parallel()
	b := newPriced(t)
	before := b.campaign(t, 0, 2, nil)
	b.pass(t)
	b.finish(t, call.OutcomeCompleted, 6*time.Minute)
	b.move(t, before, b.svc.Cancel)
	id := b.campaign(t, 1000, 100, usd("0.050"))
	b.pass(t)
	b.is(t, "without a price of its own", id, campaign.Running, 4) // 0.056 reach 0.05
	b.pass(t)
	b.is(t, "with four calls", id, campaign.Paused, 4)
}

// A campaign is paused when its calls reach its budget, calls without a known price at the average of the others.
// It is resumed when prices turn out to be lower, or when the budget is raised or removed.
func TestABudgetPausesACampaign(t *testing.T) {
	t.Parallel()
	b := newPriced(t)
	b.subscribe(t, "campaign.paused")
	id := b.campaign(t, 0, 2, usd("0.050"))
	b.pass(t)
	b.is(t, "before a price is known", id, campaign.Running, 2)
	b.finish(t, call.OutcomeCompleted, 6*time.Minute)
	b.concurrency(t, id, 100)
	b.pass(t)
	b.is(t, "with 0.028 USD spent", id, campaign.Running, 2) // 2 more calls reach 0.05 at the average
	b.pass(t)
	const reason = "The campaign has reached its budget of 0.0500 USD. Calls cost 0.0280 USD, or about 0.0560 USD " +
		"with 2 calls whose price is not known"
	if got := b.is(t, "after 2 more calls", id, campaign.Paused, 2); got != reason {
		t.Errorf("paused: %s", got)
	}
	b.refused(t, id, "reached its budget of 0.0500 USD")
	b.set("", "USD")
	b.finish(t, call.OutcomeCompleted, 6*time.Minute)
	b.refused(t, id, "with 2 calls whose price is not known. Raise or remove the budget")
	b.set("0.007", "USD")
	b.read(t, time.Hour)
	b.move(t, id, b.svc.Resume)
	b.pass(t)
	b.is(t, "at an average of 0.0105 USD", id, campaign.Running, 1)
	b.pass(t)
	b.is(t, "after 1 more call", id, campaign.Paused, 1)

	b.setBudget(t, id, usd("0.06"))
	b.move(t, id, b.svc.Resume)
	b.pass(t)
	b.is(t, "with a budget that was raised", id, campaign.Running, 2) // 0.0525 + 0.0105 reach 0.06
	b.pass(t)
	b.is(t, "with the raised budget reached", id, campaign.Paused, 2)
	b.setBudget(t, id, nil)
	b.setBudget(t, id, nil) // changes nothing
	b.move(t, id, b.svc.Resume)
	b.pass(t)
	b.is(t, "without a budget", id, campaign.Running, 100)
	b.setBudget(t, id, usd("0.01"))
	b.pass(t)
	b.is(t, "with a budget that is reached", id, campaign.Paused, 100)

	if n := value[int](t, b.bench, `select count(*) from event where type = 'campaign.paused'`); n != 4 {
		t.Errorf("%d events of four pauses", n)
	}
	if n := value[int](t, b.bench, `select count(*) from audit_entry where action = 'campaign.paused'
		and data ->> 'reason' like 'The campaign has reached its budget of %'`); n != 4 {
		t.Errorf("%d audit entries of four pauses", n)
	}
	changes := value[int](t, b.bench, `select count(*) from audit_entry where action = 'campaign.budget_updated'`)
	if changes != 3 {
		t.Errorf("%d audit entries of three budgets", changes)
	}
	var log []string
	for _, e := range b.log(t, id) {
		log = append(log, e.Message(func(time.Time) string { return "" }))
	}
	for _, want := range []string{"Paused automatically: " + reason, "Budget set to 0.0600 USD", "Budget removed"} {
		if !strings.Contains(strings.Join(log, "\n"), want) {
			t.Errorf("the log lacks %q: %q", want, log)
		}
	}
	b.move(t, id, b.svc.Cancel)
	if _, err := b.svc.SetBudget(t.Context(), b.actor, id, usd("5"), nil); fault.KindOf(err) != fault.Conflict {
		t.Errorf("the budget of a canceled campaign is changed: %v", err)
	}
}

// A call that nobody answered counts nothing once it has ended, and answered calls count at the average of answered
// ones.
func TestUnansweredCallsCountNothingTowardABudget(t *testing.T) {
	t.Parallel()
	b := newPriced(t)
	id := b.campaign(t, 0, 2, usd("0.08"))
	spent := func(when, known, estimate string, pending int) {
		t.Helper()
		s, err := b.svc.Spending(t.Context(), b.actor.OrganizationID, id)
		if err != nil || s.Known != known || s.Estimate != estimate || s.Pending != pending {
			t.Errorf("%s: %+v, %v, want %s and with %d calls %s", when, s, err, known, pending, estimate)
		}
	}
	b.pass(t)
	b.finish(t, call.OutcomeCompleted, 6*time.Minute)
	b.set("", "USD")
	b.concurrency(t, id, 3)
	b.pass(t)
	spent("in progress", "0.028", "0.07", 3)
	b.finish(t, call.OutcomeBusy, 6*time.Minute)
	spent("after 3 busy calls", "0.028", "0.028", 0)
	b.read(t, 25*time.Hour)
	spent("with the price of the busy calls", "0.028", "0.028", 0)
	b.concurrency(t, id, 1)
	b.pass(t)
	b.finish(t, call.OutcomeVoicemail, 6*time.Minute)
	spent("after one more answered call", "0.028", "0.042", 1)
	b.is(t, "at the end", id, campaign.Running, 0)
}

// Answered calls whose price never becomes known count at the average.
func TestCallsThatTheCarrierForgotCountTowardABudget(t *testing.T) {
	t.Parallel()
	b := newPriced(t)
	id := b.campaign(t, 0, 2, usd("0.05"))
	b.pass(t)
	b.finish(t, call.OutcomeCompleted, 6*time.Minute)
	b.forget()
	b.pass(t)
	b.finish(t, call.OutcomeCompleted, 6*time.Minute)
	b.pass(t)
	b.is(t, "with two calls that the carrier does not know", id, campaign.Paused, 0)
	b.read(t, 5*24*time.Hour)
	b.refused(t, id, "Calls cost 0.0280 USD, or about 0.0560 USD with 2 calls whose price is not known. Raise")
}

// A month's budget pauses each running campaign at its next call, until it is raised, prices are corrected, or a
// new month begins. The campaigns of other organizations call on.
func TestAMonthlyBudgetPausesAllCampaigns(t *testing.T) {
	t.Parallel()
	b := newPriced(t)
	month := func() string {
		return value[time.Time](t, b.bench, `select date_trunc('month', clock() at time zone time_zone)::date
			from organization where id = $1`, b.actor.OrganizationID).Format("January 2006")
	}
	// The test takes two days, and its calls belong to one month.
	b.Advance(value[time.Duration](t, b.bench, `select date_trunc('month', clock()) + interval '34 days' - clock()`))
	first, second := b.campaign(t, 0, 1, nil), b.campaign(t, 500, 1, nil)
	b.pass(t)
	b.finish(t, call.OutcomeCompleted, 6*time.Minute)
	b.setMonthly(t, usd("0.05"))
	b.concurrency(t, first, 100)
	b.concurrency(t, second, 100)
	b.pass(t) // the calls of the first campaign reach the budget
	b.pass(t)
	want := "The organization has reached its monthly budget of 0.0500 USD for " + month() +
		". Calls cost 0.0280 USD, or about 0.0560 USD with 2 calls"
	for _, id := range []uuid.UUID{first, second} {
		if got := b.is(t, "with the budget reached", id, campaign.Paused, 2); !strings.HasPrefix(got, want) {
			t.Errorf("paused: %s", got)
		}
		b.refused(t, id, "Raise or remove the monthly budget, or resume the campaign next month")
	}
	scheduled := b.campaign(t, 1000, 100, nil)
	b.pass(t)
	b.is(t, "a new campaign", scheduled, campaign.Paused, 2)
	pending := func(when string) {
		t.Helper()
		if s, err := b.svc.MonthSpending(t.Context(), b.actor.OrganizationID); err != nil || s.Pending != 2 {
			t.Errorf("%s: %+v, %v, want 2 pending calls", when, s, err)
		}
	}
	pending("in progress")

	other := priced{benchOn(t, b.DB), b.bills}
	theirs := other.campaign(t, 0, 3, nil)
	other.dial(t)
	other.is(t, "another organization", theirs, campaign.Running, 3)

	b.endAll(t, call.OutcomeCompleted)
	pending("ended and not settled")
	b.settle(t)
	pending("settled")
	b.read(t, 6*time.Minute)
	b.refused(t, first, "Calls cost 0.0560 USD. Raise")
	b.set("0.01", "USD")
	b.read(t, 24*time.Hour) // a correction
	b.move(t, first, b.svc.Resume)
	b.pass(t)
	b.is(t, "after a correction to 0.04 USD", first, campaign.Running, 1)
	b.pass(t)
	b.is(t, "with the budget reached again", first, campaign.Paused, 1)

	b.setMonthly(t, usd("0.055"))
	b.move(t, second, b.svc.Resume)
	b.pass(t)
	b.is(t, "with a budget that was raised", second, campaign.Running, 2)
	b.pass(t)
	b.is(t, "with the raised budget reached", second, campaign.Paused, 2)
	b.finish(t, call.OutcomeCompleted, 6*time.Minute)
	b.refused(t, second, "monthly budget of 0.0550 USD for "+month())

	b.Advance(31 * 24 * time.Hour)
	b.move(t, second, b.svc.Resume)
	b.pass(t)
	b.is(t, "in a new month", second, campaign.Running, 6) // 6 reach 0.055 at the average of the last month
	if got := b.is(t, "in a new month", first, campaign.Paused, 6); !strings.Contains(got, "monthly budget") {
		t.Errorf("a new month changed the pause: %s", got)
	}
	b.setMonthly(t, nil)
	if spent, err := b.svc.MonthSpending(t.Context(), b.actor.OrganizationID); spent != nil || err != nil {
		t.Errorf("without a budget: %+v, %v", spent, err)
	}
}

// Two processes claim no more calls than fit into the month's budget, and pause each campaign once.
func TestTwoProcessesSpendOneBudget(t *testing.T) {
	t.Parallel()
	b := newPriced(t)
	b.subscribe(t, "campaign.paused")
	ids := []uuid.UUID{b.campaign(t, 0, 1, nil), b.campaign(t, 500, 1, nil), b.campaign(t, 1000, 1, nil)}
	b.pass(t)
	b.finish(t, call.OutcomeCompleted, 6*time.Minute)
	b.setMonthly(t, usd("0.28")) // 17 more calls reach it
	for _, id := range ids {
		b.concurrency(t, id, 100)
	}
	var work sync.WaitGroup
	for range 2 {
		_, dialer, _ := b.process(b.pool(t))
		work.Go(func() {
			for running := 1; running > 0; {
				if _, err := dialer.round(t.Context(), true); err != nil {
					t.Error(err)
					return
				}
				if err := b.Pool.QueryRow(t.Context(), `select count(*) from campaign where status = 'running'`).
					Scan(&running); err != nil {
					t.Error(err)
					return
				}
			}
			dialer.placing.Wait()
		})
	}
	work.Wait()
	for _, id := range ids {
		b.is(t, "with the budget reached", id, campaign.Paused, 17)
	}
	if n := value[int](t, b.bench, `select count(*) from event where type = 'campaign.paused'`); n != len(ids) {
		t.Errorf("%d events of %d pauses", n, len(ids))
	}
}

// Only calls in the budget's currency count, and a credit counts as what it is. An organization reaches no budget
// of another one.
func TestWhatCountsTowardABudget(t *testing.T) {
	t.Parallel()
	b := newPriced(t)
	id := b.campaign(t, 0, 2, &campaign.Budget{Amount: "0.05", Currency: "EUR"})
	spending := func() campaign.Spending {
		t.Helper()
		s, err := b.svc.Spending(t.Context(), b.actor.OrganizationID, id)
		if err != nil {
			t.Fatal(err)
		}
		return *s
	}
	b.pass(t)
	b.finish(t, call.OutcomeCompleted, 6*time.Minute)
	if s := spending(); s.Known != "0" || !s.Others || !slices.Equal(s.Billed, []string{"USD"}) ||
		s.Reached || s.Fits != nil {
		t.Errorf("calls in dollars: %+v", s)
	}
	b.set("0.03", "EUR")
	b.pass(t)
	b.finish(t, call.OutcomeCompleted, 6*time.Minute)
	b.pass(t)
	// The currency of a call without a known price is as that of the others: half of them cost 0.03 EUR.
	if s := spending(); s.Known != "0.06" || len(s.Billed) > 0 || s.Pending != 0 || !s.Reached {
		t.Errorf("calls in euros: %+v", s)
	}
	b.is(t, "after calls in euros", id, campaign.Paused, 0)
	b.set("-0.01", "EUR") // the carrier gives the money back
	b.read(t, 24*time.Hour)
	if s := spending(); s.Known != "-0.04" || s.Reached || s.Fits != nil {
		t.Errorf("after a credit: %+v", s)
	}
	b.move(t, id, b.svc.Resume)

	other := benchOn(t, b.DB)
	if _, err := b.svc.SetBudget(t.Context(), other.actor, id, nil, nil); fault.KindOf(err) != fault.NotFound {
		t.Errorf("another organization removes a budget: %v", err)
	}
	if s, err := b.svc.Spending(t.Context(), other.actor.OrganizationID, id); s != nil || err != nil {
		t.Errorf("another organization reads %+v, %v", s, err)
	}
	for _, wrong := range []campaign.Budget{
		{Amount: "0", Currency: "USD"}, {Amount: "0.000", Currency: "USD"}, {Amount: "-1", Currency: "USD"},
		{Amount: "", Currency: "USD"}, {Amount: "5", Currency: ""}, {Amount: "5", Currency: "usd"},
		{Amount: "5", Currency: "XXX"}, {Amount: "5", Currency: "ABC"}, {Amount: "1e3", Currency: "USD"},
	} {
		if _, err := b.svc.SetBudget(t.Context(), b.actor, id, &wrong, nil); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%+v: %v", wrong, err)
		}
		if err := b.calling.SetMonthlyBudget(t.Context(), b.actor, &wrong); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%+v for a month: %v", wrong, err)
		}
	}
}
