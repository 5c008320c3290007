package call

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/dialwright/dialwright/internal/carrier"
)

// bills is a carrier with prices.
type bills struct {
	*network
	mu        sync.Mutex
	price     carrier.Price            // of every call
	recording carrier.Price            // of every recording
	others    map[string]carrier.Price // of other phones, by the carrier's ID
	fail      error
	asked     int // calls
}

func (b *bills) CallPrice(_ context.Context, id string) (carrier.Price, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if strings.HasPrefix(id, "leg") {
		price, known := b.others[id]
		if !known {
			return price, carrier.ErrUnknownCall
		}
		return price, nil
	}
	b.asked++
	return b.price, b.fail
}

func (b *bills) RecordingPrice(context.Context, string) (carrier.Price, error) {
	return b.recording, nil
}

// newBills makes a carrier with prices the carrier of the world.
func newBills(w *world) *bills {
	b := &bills{network: w.network, price: carrier.Price{Amount: "0.01400", Currency: "USD"}}
	w.calls = w.instance(b.connect)
	return b
}

func (b *bills) connect(o *Options) {
	o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return b, nil }
}

// readPrices reads everything that is due after some time.
func (w *world) readPrices(after time.Duration) {
	w.tb.Helper()
	w.db.Advance(after)
	for {
		n, err := w.calls.ReadPrices(w.tb.Context())
		if err != nil {
			w.tb.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

// cost writes the cost of a call in one line; empty: unknown.
func (w *world) cost(id uuid.UUID) string {
	w.tb.Helper()
	cost := w.calls.Resource(w.get(id)).Cost
	if cost == nil {
		return ""
	}
	line := cost.Amount + " " + cost.Currency
	for _, p := range cost.Parts {
		line += " " + p.Kind + ":" + p.Amount
	}
	return line
}

// ended returns a settled call with an outcome.
func (w *world) ended(to string, outcome carrier.Outcome) Claimed {
	w.tb.Helper()
	c := w.queue(to)
	w.place(c)
	id := *w.get(c.ID).CarrierCallID
	if outcome == carrier.Completed {
		w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: id})
		w.deliver(c, carrier.Event{Kind: carrier.Detected, CarrierCallID: id, AnsweredBy: carrier.Human})
	}
	w.deliver(c, carrier.Event{Kind: carrier.Ended, CarrierCallID: id, Outcome: outcome})
	w.settle()
	return c
}

// due is the number of calls whose price is still to be read.
func (w *world) due() (n int) {
	w.tb.Helper()
	if err := w.db.Pool.QueryRow(w.tb.Context(), `select count(*) from call_price_due`).Scan(&n); err != nil {
		w.tb.Fatal(err)
	}
	return n
}

// The price of a call is read until it is known, and once more in case it is corrected.
func TestPriceIsReadUntilItIsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBills(w)
	w.exec(`update connection set detection_rate = 0.0075, relay_rate = 0.07`)
	c := w.ended("+12025550199", carrier.Completed)
	read := func(after time.Duration, price carrier.Price, asked int, want string) {
		t.Helper()
		b.price = price
		w.readPrices(after)
		if got := w.cost(c.ID); got != want || b.asked != asked {
			t.Errorf("after %v: cost %q, want %q, asked %d times", after, got, want, b.asked)
		}
	}
	unknown := carrier.Price{Currency: "USD"}
	known := carrier.Price{Currency: "USD", Amount: "0.01400"}
	read(4*time.Minute, unknown, 0, "")
	read(2*time.Minute, unknown, 1, "")
	read(time.Hour, known, 2, "0.0915 USD call:0.014 detection:0.0075 relay:0.07")
	known.Amount = "0.028"
	read(2*time.Hour, known, 2, "0.0915 USD call:0.014 detection:0.0075 relay:0.07")
	read(24*time.Hour, known, 3, "0.1055 USD call:0.028 detection:0.0075 relay:0.07")
	read(48*time.Hour, known, 3, "0.1055 USD call:0.028 detection:0.0075 relay:0.07")
	totals, err := w.calls.Costs(t.Context(), w.claim.OrganizationID, CostFilter{})
	if err != nil || len(totals) != 1 || totals[0].Amount != "0.1055" || totals[0].Calls != 1 ||
		totals[0].CompletedCalls != 1 || *totals[0].PerCompletedCall != "0.1055" {
		t.Errorf("totals %+v, %v", totals, err)
	}
	if w.due() != 0 {
		t.Error("the price is still read")
	}
}

// An error of the carrier is followed by another try, later each time, but not for ever.
func TestErrorsOfTheCarrierPostponeAPrice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBills(w)
	c := w.ended("+12025550199", carrier.Completed)
	b.fail = &carrier.Error{Kind: carrier.Unusable, Err: errors.New("HTTP 503")}
	for i, after := range []time.Duration{6 * time.Minute, 61 * time.Second, 121 * time.Second, 239 * time.Second} {
		w.readPrices(after)
		if want := min(i, 2) + 1; b.asked != want { // the last one is a second too early
			t.Fatalf("asked %d times, want %d", b.asked, want)
		}
	}
	b.fail = nil
	w.readPrices(2 * time.Second)
	if got := w.cost(c.ID); got != "0.014 USD call:0.014" {
		t.Errorf("cost %q", got)
	}

	c = w.ended("+12025550198", carrier.Completed)
	b.fail = &carrier.Error{Kind: carrier.Unusable, Err: errors.New("HTTP 503")}
	for range 25 {
		w.readPrices(6 * time.Hour)
	}
	if got := w.cost(c.ID); got != "" || w.due() != 0 {
		t.Errorf("cost %q, %d prices due", got, w.due())
	}
}

// A call that nobody answered and that has no price in the end cost nothing. The price of an answered
// call stays unknown, and so does that of a call that the carrier does not have.
func TestCallsThatNeverGetAPrice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBills(w)
	b.price.Amount = ""
	answered := w.ended("+12025550199", carrier.Completed)
	unanswered := w.ended("+12025550198", carrier.NoAnswer)
	w.readPrices(6 * time.Minute)
	w.readPrices(time.Hour)
	if got := w.cost(unanswered.ID); got != "" {
		t.Errorf("after an hour, a call that was not answered costs %q", got)
	}
	w.readPrices(24 * time.Hour)
	if got := w.cost(unanswered.ID); got != "0 USD call:0" {
		t.Errorf("a call that was not answered costs %q", got)
	}
	if got := w.cost(answered.ID); got != "" || w.due() != 0 {
		t.Errorf("an answered call costs %q, %d prices due", got, w.due())
	}

	b.fail = carrier.ErrUnknownCall
	missing := w.ended("+12025550197", carrier.Completed)
	asked := b.asked
	w.readPrices(6 * time.Minute)
	if got := w.cost(missing.ID); got != "" || w.due() != 0 || b.asked != asked+1 {
		t.Errorf("a missing call costs %q, %d prices due, asked %d times", got, w.due(), b.asked-asked)
	}
}

// A recording that was deleted before the last read keeps its price.
func TestTheRecordingIsAPartOfTheCost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBills(w)
	w.exec(`update agent set record_calls = true`)
	c := w.talked("+12025550199")
	w.tellRecorded(c, "RE1")
	w.settle()
	b.recording = carrier.Price{Amount: "0.0025", Currency: "USD"}
	w.readPrices(6 * time.Minute)
	b.recording, b.price.Amount = carrier.Price{}, "0.028"
	w.readPrices(24 * time.Hour)
	if got := w.cost(c.ID); got != "0.0305 USD call:0.028 recording:0.0025" {
		t.Errorf("cost %q", got)
	}
}

// transferred adds transfers to a call that has ended. They lasted a minute each, one after the other.
func (w *world) transferred(c Claimed, legs ...string) {
	w.tb.Helper()
	w.exec(`insert into destination (id, organization_id, project_id, name, phone_number, hours, mode, record,
			ring_timeout_seconds)
		values ($1, $2, $3, 'Desk ' || $1::uuid, '+13125550161', '{}', 'warm', false, 20)`,
		c.ID, c.OrganizationID, c.ProjectID)
	for i, leg := range legs {
		w.exec(`
			insert into call_transfer (call_id, number, organization_id, destination_id, destination, mode, recorded,
				language, state, carrier_call_id, dialed_at, ended_at)
			select id, $2::int, organization_id, id, 'Front desk', 'warm', false, 'en-US', 'ended', nullif($3, ''),
			       answered_at + ($2::int - 1) * interval '1 minute', answered_at + $2::int * interval '1 minute'
			from call where id = $1`, c.ID, i+1, leg)
	}
}

// The phones of those who answered transfers are a part of the cost. Until the prices of all of them are known, the
// cost is not.
func TestTransfersAreAPartOfTheCost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBills(w)
	w.exec(`update connection set relay_rate = 0.07`)
	answered := func(to string, legs ...string) Claimed {
		t.Helper()
		c := w.queue(to)
		w.place(c)
		id := *w.get(c.ID).CarrierCallID
		w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: id})
		w.deliver(c, carrier.Event{Kind: carrier.Detected, CarrierCallID: id, AnsweredBy: carrier.Human})
		w.transferred(c, legs...)
		w.db.Advance(4*time.Minute + 30*time.Second)
		w.deliver(c, carrier.Event{Kind: carrier.Ended, CarrierCallID: id, Outcome: carrier.Completed})
		w.settle()
		return c
	}
	first := answered("+12025550199", "leg1", "", "leg2")
	second := answered("+12025550198", "leg3")
	erased := answered("+12025550197", "leg1")
	left, err := w.calls.Erase(t.Context(), erased.OrganizationID, "+12025550197", uuid.New(),
		func(pgx.Tx, int, int) error { return nil })
	if err != nil || left {
		t.Fatal(left, err)
	}
	usd := func(amount string) carrier.Price { return carrier.Price{Amount: amount, Currency: "USD"} }
	want := func(when, one, two string) {
		t.Helper()
		if got, other := w.cost(first.ID), w.cost(second.ID); got != one || other != two {
			t.Errorf("%s: %q and %q, want %q and %q", when, got, other, one, two)
		}
	}
	b.others = map[string]carrier.Price{"leg1": usd("0.02"), "leg2": {Currency: "USD"}}
	w.readPrices(6 * time.Minute)
	want("one phone has no price yet", "", "")
	// No line was open during the transfer, which took one of four and a half minutes.
	if got := w.cost(erased.ID); got != "0.314 USD call:0.014 transfer:0.02 relay:0.28" {
		t.Errorf("the call of an erased person costs %q", got)
	}
	b.others["leg2"] = usd("0.3")
	w.readPrices(time.Hour)
	want("all prices are known", "0.474 USD call:0.014 transfer:0.32 relay:0.14", "")
	delete(b.others, "leg2")
	w.readPrices(24 * time.Hour)
	want("a phone is no longer known", "0.474 USD call:0.014 transfer:0.32 relay:0.14", "")
	if w.due() != 0 {
		t.Error("the price is still read")
	}
	var pending int
	err = w.db.Pool.QueryRow(t.Context(), `select answered from cost_month where currency is null`).Scan(&pending)
	if err != nil || pending != 1 { // budgets count the second call at the average
		t.Errorf("%d answered calls without a price, %v", pending, err)
	}
}

// The call to the number to which a caller is connected is a part of the cost, also if the caller hung up and the
// settlement came first. No line was open, so none costs anything.
func TestForwardedCallsCostTwoCalls(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		outcome carrier.Outcome
		told    string // after: the end of the call; late: after its settlement
		cost    string
		reason  Reason
	}{
		"answered":              {carrier.Completed, "", "0.314 USD call:0.014 transfer:0.3", ReasonForwarded},
		"answered, told after":  {carrier.Completed, "after", "0.314 USD call:0.014 transfer:0.3", ReasonForwarded},
		"not, told after":       {carrier.NoAnswer, "after", "0.014 USD call:0.014", ReasonHungUp},
		"answered, told late":   {carrier.Completed, "late", "0.314 USD call:0.014 transfer:0.3", ReasonHungUp},
		"nobody answered":       {carrier.NoAnswer, "", "0.014 USD call:0.014", ReasonLineFailed},
		"the network is broken": {carrier.Failed, "", "0.014 USD call:0.014", ReasonLineFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			b := newBills(w)
			b.others = map[string]carrier.Price{"leg1": {Amount: "0.3", Currency: "USD"}}
			w.exec(`update connection set relay_rate = 0.07`)
			w.exec(`insert into inbound (phone_number_id, organization_id, settings)
				values ($1, $2, '{"action": "forward", "forward_to": "+13125550161"}')`,
				w.claim.PhoneNumberID, w.claim.OrganizationID)
			in := w.incoming("+13125550142")
			r := w.receives(w.calls, in)
			c := Claimed{Claim: w.claim, ID: r.CallID}
			forwarded := carrier.Event{Kind: carrier.Forwarded, CarrierCallID: in.CarrierCallID, Outcome: test.outcome}
			if test.outcome == carrier.Completed {
				forwarded.OtherCallID = "leg1"
			}
			w.db.Advance(90 * time.Second)
			if test.told == "" {
				w.deliver(c, forwarded)
			}
			w.deliver(c, carrier.Event{
				Kind: carrier.Ended, CarrierCallID: in.CarrierCallID, Outcome: carrier.Completed,
				Duration: 90 * time.Second,
			})
			w.settle()
			if test.told == "after" {
				w.deliver(c, forwarded)
				w.settle()
			}
			w.db.Advance(lineGrace)
			w.settle()
			if test.told == "late" {
				forwarded.ConnectionID, forwarded.CallID = c.ConnectionID, c.ID
				if err := w.calls.Deliver(t.Context(), forwarded); !errors.Is(err, carrier.ErrUnknownCall) {
					t.Error(err)
				}
			}
			if got := w.get(r.CallID); got.EndedReason != test.reason ||
				(got.Outcome == OutcomeFailed) != (test.reason == ReasonLineFailed) {
				t.Errorf("%s, %s, want %s", got.Outcome, got.EndedReason, test.reason)
			}
			w.readPrices(6 * time.Minute)
			if got := w.cost(r.CallID); got != test.cost {
				t.Errorf("costs %q, want %q", got, test.cost)
			}
			if to := w.calls.Resource(w.get(r.CallID)).ForwardedTo; to == nil || *to != "+13125550161" {
				t.Errorf("forwarded to %v", to)
			}
		})
	}
}

// A call outside of the hours of forwarding, and one that is not forwarded, say nothing of a number.
func TestCallsThatAreNotForwarded(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string]string{
		"outside of the hours": `{"action": "forward", "forward_to": "+13125550161",
			"hours": {"timezone": "UTC", "windows": []}}`,
		"a message": `{"action": "message"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.exec(`insert into inbound (phone_number_id, organization_id, settings) values ($1, $2, $3)`,
				w.claim.PhoneNumberID, w.claim.OrganizationID, settings)
			r := w.receives(w.calls, w.incoming("+13125550142"))
			if to := w.calls.Resource(w.get(r.CallID)).ForwardedTo; to != nil {
				t.Errorf("forwarded to %s", *to)
			}
		})
	}
}

// The cost of a call of an erased person is still read. The event does not name the person.
func TestTheCostOfAnErasedCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	newBills(w)
	c := w.ended("+12025550199", carrier.Completed)
	w.exec(`insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'Hook', '', '{call.priced}', '')`, c.OrganizationID)
	left, err := w.calls.Erase(t.Context(), c.OrganizationID, "+12025550199", uuid.New(),
		func(pgx.Tx, int, int) error { return nil })
	if err != nil || left {
		t.Fatal(left, err)
	}
	w.readPrices(6 * time.Minute)
	w.readPrices(25 * time.Hour) // the price is the same, and is not announced again
	if got := w.cost(c.ID); got != "0.014 USD call:0.014" {
		t.Errorf("cost %q", got)
	}
	var events int
	var number *string
	var missing, amount string
	err = w.db.Pool.QueryRow(t.Context(), `
		select count(*) over (), payload::jsonb->'data'->>'to_number',
		       payload::jsonb->'data'->>'missing_number', payload::jsonb->'data'->'cost'->>'amount'
		from event where type = 'call.priced'`).Scan(&events, &number, &missing, &amount)
	if err != nil || events != 1 || number != nil || missing != "erased" || amount != "0.014" {
		t.Errorf("%d events, number %v, %q, cost %q, %v", events, number, missing, amount, err)
	}
}

// Two processes read every price once, and the sums are exact.
func TestTwoProcessesReadPrices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBills(w)
	const calls = 30
	for i := range calls {
		w.ended(fmt.Sprintf("+120255501%02d", i), carrier.Completed)
	}
	w.db.Advance(6 * time.Minute)
	var work errgroup.Group
	for range 2 {
		process := w.instance(b.connect)
		work.Go(func() error {
			for {
				n, err := process.ReadPrices(t.Context())
				if err != nil || n == 0 {
					return err
				}
			}
		})
	}
	if err := work.Wait(); err != nil {
		t.Fatal(err)
	}
	w.readPrices(24 * time.Hour)
	totals, err := w.calls.Costs(t.Context(), w.claim.OrganizationID, CostFilter{GroupBy: []CostGroup{ByMonth}})
	if err != nil || len(totals) != 1 || totals[0].Amount != "0.42" || totals[0].Calls != calls || b.asked != 2*calls {
		t.Errorf("totals %+v, asked %d times, %v", totals, b.asked, err)
	}
}

// A price in another currency moves the call to the other sum. Another organization sees nothing.
func TestSumsOfCosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBills(w)
	w.ended("+12025550199", carrier.Completed)
	w.readPrices(6 * time.Minute)
	w.ended("+12025550198", carrier.Completed)
	b.price.Currency = "EUR"
	w.readPrices(6 * time.Minute)
	costs := func(organization uuid.UUID, f CostFilter) (lines string) {
		t.Helper()
		totals, err := w.calls.Costs(t.Context(), organization, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range totals {
			lines += fmt.Sprintf("%s %s %d, ", c.Amount, c.Currency, c.Calls)
		}
		return lines
	}
	own := w.claim.OrganizationID
	if got := costs(own, CostFilter{}); got != "0.014 EUR 1, 0.014 USD 1, " {
		t.Errorf("two currencies: %s", got)
	}
	w.readPrices(25 * time.Hour)
	if got := costs(own, CostFilter{ProjectID: &w.claim.ProjectID}); got != "0.028 EUR 2, " {
		t.Errorf("one currency: %s", got)
	}
	if got := costs(own, CostFilter{To: time.Now().AddDate(0, -2, 0)}); got != "" {
		t.Errorf("another month: %s", got)
	}
	if got := costs(w.tenant("Other", "+12025550101").OrganizationID, CostFilter{}); got != "" {
		t.Errorf("another organization: %s", got)
	}
}
