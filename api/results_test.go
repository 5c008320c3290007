package api

import (
	"net/http"
	"testing"
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
}
