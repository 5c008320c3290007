package app_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/testwait"
)

// sqlCosts is what each call cost, by its kind of number.
const sqlCosts = `
	select coalesce(string_agg(substr(person_number, 7, 2) || ' ' || coalesce(trim_scale(cost)::text, '?'), ', '
		order by person_number), '')
	from call`

// wait waits until a query returns a text.
func (w *world) wait(t *testing.T, what, sql, want string) {
	t.Helper()
	for deadline := time.Now().Add(testwait.Limit); ; time.Sleep(20 * time.Millisecond) {
		var got string
		if err := w.Pool.QueryRow(t.Context(), sql).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: %s, want %s", what, got, want)
		}
	}
}

// The sandbox tells prices soon, late, never, and twice. What the calls cost follows it.
func TestPricesOnTheSandbox(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	w.campaign(t, []string{"+15005000001", "+15005020001", "+15005500001", "+15005510001", "+15005520001"})
	wait := func(what, sql, want string) {
		t.Helper()
		w.wait(t, what, sql, want)
	}
	wait("settled calls", `select count(settled_at)::text from call`, "5")
	for _, step := range []struct {
		after time.Duration
		costs string
	}{
		{6 * time.Minute, "00 0.014, 02 ?, 50 ?, 51 ?, 52 0.014"},
		{time.Hour, "00 0.014, 02 ?, 50 0.014, 51 ?, 52 0.014"},
		{24 * time.Hour, "00 0.014, 02 0, 50 0.014, 51 ?, 52 0.028"},
	} {
		w.network.Elapse(step.after)
		w.db.Advance(step.after)
		wait("costs after "+step.after.String(), sqlCosts, step.costs)
	}
	wait("prices due", `select count(*)::text from call_price_due`, "0")
}

// A monthly budget counts calls whose price is known late, never, or corrected. It pauses a campaign before its first
// call, until the budget is raised.
func TestABudgetOnTheSandbox(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	elapse := func(d time.Duration) {
		w.network.Elapse(d)
		w.db.Advance(d)
	}
	// The test takes more than a day, and its calls belong to one month.
	var toNextMonth time.Duration
	err := w.Pool.QueryRow(t.Context(), `select date_trunc('month', clock()) + interval '34 days' - clock()`).
		Scan(&toNextMonth)
	if err != nil {
		t.Fatal(err)
	}
	w.db.Advance(toNextMonth)
	actor := account.System(w.OrganizationID)
	budget := func(amount string) {
		t.Helper()
		b := &campaign.Budget{Amount: amount, Currency: "USD"}
		if err := w.Calling.SetMonthlyBudget(t.Context(), actor, b); err != nil {
			t.Fatal(err)
		}
	}
	w.campaign(t, []string{"+15005000001", "+15005500001", "+15005510001", "+15005520001"})
	w.wait(t, "settled calls", `select count(settled_at)::text from call`, "4")
	const statuses = `select string_agg(status::text, ' ' order by status) from campaign`
	var paused uuid.UUID
	for i, step := range []struct {
		after    time.Duration
		costs    string
		known    string
		pending  int
		estimate string
	}{
		{6 * time.Minute, "00 0.014, 50 ?, 51 ?, 52 0.014", "0.028", 2, "0.056"},
		{time.Hour, "00 0.014, 50 0.014, 51 ?, 52 0.014", "0.042", 1, "0.056"},
		{24 * time.Hour, "00 0.014, 50 0.014, 51 ?, 52 0.028", "0.056", 1, "0.074667"},
	} {
		elapse(step.after)
		w.wait(t, "costs after "+step.after.String(), sqlCosts, step.costs)
		if i == 0 {
			budget("0.05")
			paused = w.campaign(t, []string{"+15005000002"})
			w.wait(t, "the second campaign", statuses, "completed paused")
		}
		if i == 2 { // the price of the second number is not read again
			w.wait(t, "prices due", `select count(*)::text from call_price_due`, "0")
		}
		s, err := w.Campaigns.MonthSpending(t.Context(), w.OrganizationID)
		if err != nil || s.Known != step.known || s.Pending != step.pending || s.Estimate != step.estimate ||
			!s.Reached {
			t.Errorf("after %v: %+v, %v, want %+v", step.after, s, err, step)
		}
		if _, err := w.Campaigns.Resume(t.Context(), actor, paused); fault.KindOf(err) != fault.Conflict {
			t.Errorf("after %v, the campaign is resumed: %v", step.after, err)
		}
	}
	budget("0.09")
	if _, err := w.Campaigns.Resume(t.Context(), actor, paused); err != nil {
		t.Fatal(err)
	}
	w.wait(t, "the second campaign", statuses, "completed completed")
}
