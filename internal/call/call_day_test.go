package call

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
)

// callDays writes the rows of call_day in one line each, without IDs.
func (w *world) callDays() string {
	w.tb.Helper()
	var text string
	err := w.db.Pool.QueryRow(w.tb.Context(), `
		select coalesce(string_agg(concat_ws(' ', case when phone_number_id is null then 'all' else 'number' end,
			case when campaign_id is not null then 'campaign' end, 'attempt ' || attempt, placed, reached, answered,
			short_calls, talk_ms, asked, completed), E'\n'
			order by phone_number_id nulls first, campaign_id, attempt), '')
		from call_day where placed + asked > 0`).Scan(&text)
	if err != nil {
		w.tb.Fatal(err)
	}
	return text
}

// Settled calls count by campaign, agent, number, attempt and day, with what they were asked and what they cost.
// Recount gives the same figures, and so does a program that is older than the sums.
func TestCallDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBills(w)
	ctx, organization := t.Context(), w.claim.OrganizationID
	w.exec(`update agent set script = $1`, survey)
	keys := []string{"satisfied", "score", "visit", "day", "hour", "wish"}
	day := time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly)
	w.answer("+12025550190", map[string]any{
		"satisfied": true, "score": 9, "visit": "Evening", "day": day, "hour": "14:30", "wish": "More time",
	}, keys...)
	w.answer("+12025550191", map[string]any{"satisfied": false}, keys[:2]...)
	w.claim.Attempt = 2
	w.ended("+12025550194", carrier.NoAnswer)
	w.readPrices(time.Hour)

	year := 365 * 24 * time.Hour
	from, to := time.Now().Add(-year), time.Now().Add(year)
	agent := Scope{AgentID: &w.claim.AgentID}
	number := Scope{PhoneNumberID: &w.claim.PhoneNumberID}
	nobody := uuid.New()
	for name, scope := range map[string]Scope{"all": {}, "agent": agent, "number": number} {
		all, err := w.calls.Compare(ctx, organization, scope, from, to, 10, 10)
		if err != nil || len(all.Agents) != 1 {
			t.Fatalf("%s: %+v, %v", name, all, err)
		}
		g := all.Agents[0]
		if g.ID != w.claim.AgentID || g.Name == "" || g.Placed != 3 || g.Reached != 2 || g.Answered != 2 ||
			g.ShortCalls != 2 || g.Asked != 2 || g.Completed != 1 || g.TalkTime <= 0 ||
			!reflect.DeepEqual(g.Costs, []DayCost{{"USD", "0.042", 3, 2}}) {
			t.Errorf("%s: %+v", name, g)
		}
		numbers, err := w.calls.NumberFigures(ctx, organization, scope, from, to, 10)
		if err != nil || len(numbers) != 1 || numbers[0].DayFigures !=
			(DayFigures{Placed: 3, Reached: 2, Answered: 2, ShortCalls: 2}) || numbers[0].Name != "+12025550100" {
			t.Errorf("%s: %+v, %v", name, numbers, err)
		}
		if !reflect.DeepEqual(all.Attempts, []AttemptResult{{1, 2, 2}, {2, 1, 0}}) {
			t.Errorf("%s: %+v", name, all.Attempts)
		}
		if len(all.Campaigns) != 0 {
			t.Errorf("%s: calls without a campaign are those of %+v", name, all.Campaigns)
		}
		times, err := w.calls.TalkTimes(ctx, organization, scope, from, to)
		of := ProjectMonth{w.claim.ProjectID, time.Now().UTC().Format(MonthLayout)}
		if err != nil || len(times) != 1 || times[of] != g.TalkTime {
			t.Errorf("%s: talk times %v, %v", name, times, err)
		}
	}
	for name, scope := range map[string]Scope{
		"project": {ProjectID: &nobody}, "campaign": {CampaignID: &nobody}, "agent": {AgentID: &nobody},
		"number": {PhoneNumberID: &nobody},
	} {
		all, err := w.calls.Compare(ctx, organization, scope, from, to, 10, 10)
		if err != nil || !reflect.DeepEqual(all, Comparison{}) {
			t.Errorf("another %s has %+v, %v", name, all, err)
		}
	}
	later, err := w.calls.Compare(ctx, organization, agent, to, to.Add(year), 10, 10)
	if err != nil || !reflect.DeepEqual(later, Comparison{}) {
		t.Errorf("later: %+v, %v", later, err)
	}
	other := w.tenant("Other", "+12025550111")
	foreign, err := w.calls.Compare(ctx, other.OrganizationID, agent, from, to, 10, 10)
	if err != nil || !reflect.DeepEqual(foreign, Comparison{}) {
		t.Errorf("another organization sees %+v, %v", foreign, err)
	}

	counted := w.callDays()
	if err := Recount(ctx, w.db.Pool, organization); err != nil {
		t.Fatal(err)
	}
	if got := w.callDays(); got != counted {
		t.Errorf("counted anew:\n%s\nbefore:\n%s", got, counted)
	}
	w.exec(`delete from call_day`)
	w.exec(`update call set settled_at = null`)
	w.exec(`update call set settled_at = clock()`)
	if got := w.callDays(); got != counted {
		t.Errorf("counted by an older program:\n%s\nby this one:\n%s", got, counted)
	}

	// Costs by agent and number are those of the days, and those of all calls those of months.
	for name, f := range map[string]CostFilter{
		"all": {}, "agent": {AgentID: agent.AgentID}, "number": {PhoneNumberID: number.PhoneNumberID},
	} {
		f.GroupBy = []CostGroup{ByMonth, ByProject}
		totals, err := w.calls.Costs(ctx, organization, f)
		if err != nil || len(totals) != 1 || totals[0].Amount != "0.042" || totals[0].Calls != 3 ||
			totals[0].CompletedCalls != 2 || totals[0].Month == nil {
			t.Errorf("costs of %s: %+v, %v", name, totals, err)
		}
	}
	if none, err := w.calls.Costs(ctx, organization, CostFilter{AgentID: &nobody}); err != nil || len(none) > 0 {
		t.Errorf("costs of nobody: %+v, %v", none, err)
	}

	// A correction of a price changes the day.
	b.price.Amount = "0.02"
	w.readPrices(24 * time.Hour)
	corrected, err := w.calls.Compare(ctx, organization, number, from, to, 10, 10)
	want := []DayCost{{"USD", "0.06", 3, 2}}
	if err != nil || len(corrected.Agents) != 1 || !reflect.DeepEqual(corrected.Agents[0].Costs, want) {
		t.Errorf("after a correction: %+v, %v", corrected, err)
	}
	// An erasure takes the answers out, and the call stays counted.
	done := func(pgx.Tx, int, int) error { return nil }
	left, err := w.calls.Erase(ctx, organization, "+12025550190", uuid.New(), done)
	if err != nil || left {
		t.Fatalf("left %t, %v", left, err)
	}
	erased, err := w.calls.Compare(ctx, organization, number, from, to, 10, 10)
	if g := erased.Agents[0]; err != nil || g.Placed != 3 || g.Asked != 1 || g.Completed != 0 {
		t.Errorf("after an erasure: %+v, %v", g, err)
	}
}

// The view that the days are summed from takes the same calls for placed as the rest of the program.
func TestCallFiguresKnowWhatWasNotPlaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.ended("+12025550194", carrier.NoAnswer)
	for _, reason := range append([]Reason{ReasonHungUp, ReasonNoAnswer}, NotPlacedReasons...) {
		w.exec(`update call set ended_reason = $2 where id = $1`, c.ID, reason)
		var placed int
		err := w.db.Pool.QueryRow(t.Context(), `select placed from call_figures where call_id = $1`, c.ID).Scan(&placed)
		if err != nil || placed == 1 == reason.NotPlaced() {
			t.Errorf("%s: placed %d, %v", reason, placed, err)
		}
	}
}

// The costs by day are those by month, also after corrections and with tokens in another currency.
func TestCostDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBills(w)
	w.thought("+12025550190",
		`[{"cost": {"amount": "0.5", "currency": "EUR"}}, {"cost": {"amount": "1", "currency": "USD"}}]`)
	w.ended("+12025550191", carrier.NoAnswer)
	sums := func(table string) string {
		t.Helper()
		var text string
		err := w.db.Pool.QueryRow(t.Context(), `
			select coalesce(string_agg(concat_ws(' ', currency, trim_scale(amount), trim_scale(model), calls,
				completed), ', ' order by currency), '')
			from `+table).Scan(&text)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for at, amount := range []string{"0.014", "0.02", "0.02"} {
		b.price.Amount = amount
		w.readPrices([]time.Duration{6 * time.Minute, 2 * time.Hour, 24 * time.Hour}[at])
		want := sums("cost_total")
		if want == "" {
			t.Fatal("no cost")
		}
		for _, of := range []string{"is null", "is not null"} {
			if got := sums("cost_day where phone_number_id " + of); got != want {
				t.Errorf("number %s: %s, want %s", of, got, want)
			}
		}
	}
	if got := sums("cost_total"); !strings.Contains(got, "EUR 0.5 0.5") {
		t.Error(fmt.Sprint("the costs are ", got))
	}
}
