package call

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
)

// thought returns a settled call that used tokens, as its analysis says.
func (w *world) thought(to, connections string) Claimed {
	w.tb.Helper()
	c := w.over(to)
	w.exec(`update call set analysis = jsonb_build_object('model', jsonb_build_object('connections', $2::jsonb))
		where id = $1`, c.ID, connections)
	w.settle()
	return c
}

// over returns a call with a person that has ended and is not settled.
func (w *world) over(to string) Claimed {
	w.tb.Helper()
	c := w.queue(to)
	w.place(c)
	id := *w.get(c.ID).CarrierCallID
	w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: id})
	w.deliver(c, carrier.Event{Kind: carrier.Detected, CarrierCallID: id, AnsweredBy: carrier.Human})
	w.deliver(c, carrier.Event{Kind: carrier.Ended, CarrierCallID: id, Outcome: carrier.Completed})
	return c
}

// sums writes the totals in one line each.
func (w *world) sums() string {
	w.tb.Helper()
	totals, err := w.calls.Costs(w.tb.Context(), w.claim.OrganizationID, CostFilter{})
	if err != nil {
		w.tb.Fatal(err)
	}
	var lines []string
	for _, t := range totals {
		lines = append(lines, fmt.Sprintf("%s %s model:%s calls:%d", t.Amount, t.Currency, t.ModelAmount, t.Calls))
	}
	return strings.Join(lines, ", ")
}

const (
	used     = `{"estimated": %t, "cost": {"amount": "%s", "currency": "%s"}}`
	unpriced = `{"estimated": false, "cost": null}`
)

// What the tokens of a call cost joins the carrier's price, in the same currency only, and is corrected with it.
func TestTokensAreAPartOfTheCost(t *testing.T) {
	t.Parallel()
	one, two, euro := fmt.Sprintf(used, false, "0.001", "USD"), fmt.Sprintf(used, true, "0.0005", "USD"),
		fmt.Sprintf(used, false, "0.02", "EUR")
	for _, test := range []struct {
		name, connections string
		price             string // of the carrier; empty: never known
		cost, sums        string
		corrected         string // the cost after a price of 0.02
		sumsAfter         string
	}{
		{
			"one connection", one, "0.014",
			"0.015 USD call:0.014 model:0.001", "0.015 USD model:0.001 calls:1",
			"0.021 USD call:0.02 model:0.001", "0.021 USD model:0.001 calls:1",
		},
		{
			"two connections", one + "," + two, "0.014",
			"0.0155 USD call:0.014 model:0.0015", "0.0155 USD model:0.0015 calls:1",
			"0.0215 USD call:0.02 model:0.0015", "0.0215 USD model:0.0015 calls:1",
		},
		{
			"another currency", euro + "," + one, "0.014",
			"0.015 USD call:0.014 model:0.001", "0.02 EUR model:0.02 calls:1, 0.015 USD model:0.001 calls:1",
			"0.021 USD call:0.02 model:0.001", "0.021 USD model:0.001 calls:1, 0.02 EUR model:0.02 calls:1",
		},
		{
			"no price", unpriced, "0.014",
			"0.014 USD call:0.014", "0.014 USD model:0 calls:1", "0.02 USD call:0.02", "0.02 USD model:0 calls:1",
		},
		{
			"a carrier without prices", euro + "," + one, "", "", "",
			"0.02 EUR model:0.02", "0.02 EUR model:0.02 calls:1, 0.001 USD model:0.001 calls:1",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			b := newBills(w)
			b.price = carrier.Price{Amount: test.price, Currency: "USD"}
			c := w.thought("+12025550199", "["+test.connections+"]")
			if got := w.cost(c.ID); got != "" {
				t.Errorf("before the carrier's price, the cost is %s", got)
			}
			w.readPrices(6 * time.Minute)
			if got, sums := w.cost(c.ID), w.sums(); got != test.cost || sums != test.sums {
				t.Errorf("cost %q in %q, want %q in %q", got, sums, test.cost, test.sums)
			}
			if test.price == "" {
				b.price = carrier.Price{}
			} else {
				b.price.Amount = "0.02"
			}
			w.readPrices(2 * time.Hour)
			w.readPrices(25 * time.Hour)
			if got, sums := w.cost(c.ID), w.sums(); got != test.corrected || sums != test.sumsAfter {
				t.Errorf("after a day, cost %q in %q, want %q in %q", got, sums, test.corrected, test.sumsAfter)
			}
			if w.due() != 0 {
				t.Error("the price is still read")
			}
			for _, part := range w.calls.Resource(w.get(c.ID)).Cost.Parts {
				want := map[string]string{"call": "carrier", "model": "rate"}[part.Kind]
				if part.Kind == "model" && strings.Contains(test.connections, "true") {
					want = "estimate"
				}
				if part.Source != want {
					t.Errorf("the part %s has the source %s, want %s", part.Kind, part.Source, want)
				}
			}
			// What budgets are compared with: a call counts as answered once its carrier's price is known.
			var answered, pending int
			err := w.db.Pool.QueryRow(t.Context(), `
				select coalesce(sum(answered) filter (where currency is not null), 0),
				       coalesce(sum(answered) filter (where currency is null), 0)
				from cost_month`).Scan(&answered, &pending)
			if err != nil {
				t.Fatal(err)
			}
			if want := cmp.Compare(test.price, ""); answered != want || pending != 1-want {
				t.Errorf("budgets see %d calls with a price and %d without", answered, pending)
			}
		})
	}
}

// A call that the carrier does not know has the cost of its tokens at once.
func TestTokensOfACallThatTheCarrierForgot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBills(w)
	b.fail = carrier.ErrUnknownCall
	c := w.thought("+12025550199", "["+fmt.Sprintf(used, false, "0.001", "USD")+"]")
	w.readPrices(6 * time.Minute)
	if got, sums := w.cost(c.ID), w.sums(); got != "0.001 USD model:0.001" || sums != "0.001 USD model:0.001 calls:1" {
		t.Errorf("cost %q in %q", got, sums)
	}
	if w.due() != 0 {
		t.Error("the price is still read")
	}
}
