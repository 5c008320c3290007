package api

import (
	"net/http"
	"testing"

	"github.com/dialwright/dialwright/internal/call"
)

// Both kinds of agents have the same answers, by campaign and by agent, and each value is a filter of calls.
func TestAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	w.exec(`
		insert into result_day (organization_id, agent_id, day, kind, key, value, calls, number)
		select organization_id, id, '2026-11-20', v.* from agent, (values
			('outcome', '', 'completed', 3, 0), ('attempt', '', '1', 3, 2), ('questionnaire', '', 'true', 2, 0),
			('yes_no', 'gone', 'true', 2, 0), ('yes_no', 'gone', null, 1, 0), ('number', 'score', '9', 2, 18)
		) v (kind, key, value, calls, number) where organization_id = $1`, n.organization)
	path := "/agents/" + n.agent.String() + "/answers"
	n.do("GET", path, nil).want(http.StatusOK).has(t, object{"calls": 3.0, "asked": 2.0, "completed": 2.0})
	n.do("GET", path+"?from=2026-11-20&to=2026-11-20", nil).want(http.StatusOK).has(t, object{"calls": 3.0})
	n.do("GET", path+"?from=2026-11-21", nil).want(http.StatusOK).has(t, object{"calls": 0.0})
	n.do("GET", path+"?agent_version=7", nil).want(http.StatusOK).has(t, object{"calls": 0.0})
	n.do("GET", path+"?from=2026-11-21&to=2026-11-20", nil).want(http.StatusBadRequest)
	n.do("GET", path+"?from=yesterday", nil).want(http.StatusBadRequest)
	n.do("GET", path+"?answers[gone]=maybe", nil).want(http.StatusOK).has(t, object{"calls": 0.0, "limited": false})
}

// Results, follow-ups and calls are narrowed by answers and by whether a call was placed, and costs by what was called.
func TestFiltersOfFigures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	n.newFollowUp()
	var id string
	if err := w.Pool.QueryRow(t.Context(), `select call_id::text from follow_up`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	w.exec(`update call set
			analysis = '{"status": "ready", "answers": {"gone": true, "score": 9}, "sentiment": "neutral",
				"successful": true}',
			asked_at = clock(), answered_at = coalesce(answered_at, clock()) where id = $1`, id)
	if err := call.Recount(t.Context(), w.Pool, n.organization); err != nil {
		t.Fatal(err)
	}
	agent := "/agents/" + n.agent.String() + "/answers"
	for query, calls := range map[string]float64{
		"answers[gone]=true": 1, "answers[gone]=false": 0, "answers[score]=8..10&answers[gone]=true": 1,
		"answers[score]=1..8": 0,
	} {
		n.do("GET", agent+"?"+query, nil).want(http.StatusOK).has(t, object{"calls": calls, "limited": false})
		rows := n.do("GET", "/follow-ups?"+query, nil).want(http.StatusOK).data()
		if float64(len(rows)) != calls {
			t.Errorf("%s: %d follow-ups", query, len(rows))
		}
	}
	if rows := n.do("GET", "/calls?placed=true", nil).want(http.StatusOK).data(); len(rows) != 1 {
		t.Errorf("%d calls were placed", len(rows))
	}
	w.exec(`update call set ended_reason = 'caller_refused' where id = $1`, id)
	if rows := n.do("GET", "/calls?placed=true", nil).want(http.StatusOK).data(); len(rows) != 0 {
		t.Errorf("%d calls were placed", len(rows))
	}
	n.do("GET", "/calls?placed=false", nil).want(http.StatusBadRequest)
	w.exec(`update call set cost = 0.5, cost_currency = 'USD', cost_parts = '[]' where id = $1`, id)
	for query, rows := range map[string]int{
		"agent_id=" + n.agent.String(): 1, "agent_id=" + newID().String(): 0, "phone_number_id=" + newID().String(): 0,
		"agent_id=" + n.agent.String() + "&project_id=" + n.project.String(): 1,
		"agent_id=" + n.agent.String() + "&project_id=" + newID().String():   0,
	} {
		if got := n.do("GET", "/costs?"+query, nil).want(http.StatusOK).data(); len(got) != rows {
			t.Errorf("%s: %d sums of costs", query, len(got))
		}
		if got := n.do("GET", "/costs/export?"+query, nil).want(http.StatusOK).table(); len(got) != rows {
			t.Errorf("%s: %d rows of costs", query, len(got))
		}
	}
}
