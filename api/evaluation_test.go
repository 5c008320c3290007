package api

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/testwait"
)

func testCase(name string) object {
	return object{
		"name": name, "recipient": object{"steps": []object{{"action": "say", "text": "Stop calling me."}}},
		"checks": []object{{"kind": "opted_out"}},
	}
}

func (n *tenant) newTestCase(agent string) (id string) {
	n.w.t.Helper()
	return n.do("POST", "/agents/"+agent+"/test-cases", testCase("Stop "+newID().String())).
		want(http.StatusCreated).get("id").(string)
}

// newTestRun returns a run of a new case. No process runs its attempts.
func (n *tenant) newTestRun(agent string) (id string) {
	n.w.t.Helper()
	n.newTestCase(agent)
	id = n.do("POST", "/agents/"+agent+"/test-runs", object{}).want(http.StatusCreated).get("id").(string)
	n.w.exec(`update agent_test_run set status = 'failed', finished_at = clock() where id = $1`, id)
	return id
}

// preparedTest is prepared for the routes of an agent's tests.
func (n *tenant) preparedTest(route, agent string) (path string, body any) {
	n.w.t.Helper()
	method, path, _ := strings.Cut(route, " ")
	path = strings.Replace(path, "{id}", agent, 1)
	switch {
	case strings.Contains(path, "{case_id}"):
		path = strings.Replace(path, "{case_id}", n.newTestCase(agent), 1)
		if method == http.MethodPut {
			body = testCase("Changed " + newID().String())
		}
	case strings.Contains(path, "{run_id}"):
		run := n.newTestRun(agent)
		if strings.HasSuffix(path, "/cancel") {
			n.w.exec(`update agent_test_run set status = 'running', finished_at = null where id = $1`, run)
		}
		attempts := n.do("GET", "/agents/"+agent+"/test-runs/"+run, nil).want(http.StatusOK).get("cases").([]any)
		first := attempts[0].(map[string]any)["attempts"].([]any)[0].(map[string]any)["id"].(string)
		path = strings.NewReplacer("{run_id}", run, "{attempt_id}", first).Replace(path)
	case route == "POST /agents/{id}/test-cases":
		body = testCase("New " + newID().String())
	case method == http.MethodPost:
		n.newTestCase(agent)
		body = object{"repeats": 1}
	}
	return path, body
}

// An agent is tested through the API, and may be published when it has passed.
func TestTestsOfAnAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	agent := n.do("POST", "/agents", object{
		"name": "Robin", "language": "en-US", "greeting": "Hello.",
		"questions": []object{{"key": "coming", "ask": "Are you coming?", "expect": "yes_no"}},
	}).want(http.StatusCreated).get("id").(string)
	path := "/agents/" + agent
	created := n.do("POST", path+"/test-cases", testCase("Stop")).want(http.StatusCreated)
	n.do("POST", path+"/test-cases", testCase("Stop")).
		refused(http.StatusBadRequest, "name: is the name of another test case of the agent")
	wrong := testCase("Wrong")
	wrong["checks"] = []object{{"kind": "judge", "value": "Polite", "connection_id": newID().String()}}
	n.do("POST", path+"/test-cases", wrong).
		refused(http.StatusBadRequest, "checks[0].connection_id: no such connection")
	n.do("PATCH", path, object{"require_passing_tests": true, "goodbye": "Bye."}).want(http.StatusOK)
	const untested = "The agent must pass its tests before it is published. " +
		"Run all of its test cases on this draft first"
	n.do("POST", path+"/publish", nil).refused(http.StatusConflict, untested)

	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { _ = w.app.Evaluations.Work(ctx) }) // its error is that of ctx
	defer working.Wait()
	defer cancel()
	run := func(body object, want string) map[string]any {
		t.Helper()
		id := n.do("POST", path+"/test-runs", body).want(http.StatusCreated).get("id").(string)
		for deadline := time.Now().Add(testwait.Limit); ; time.Sleep(20 * time.Millisecond) {
			w.refill()
			a := n.do("GET", path+"/test-runs/"+id, nil).want(http.StatusOK)
			if status := a.get("status"); status == want {
				return a.get().(map[string]any)
			} else if status != "running" || time.Now().After(deadline) {
				t.Fatalf("%v", a)
			}
		}
	}
	run(object{"version": 1}, "passed")
	n.do("POST", path+"/publish", nil).refused(http.StatusConflict, untested) // another content
	done := run(object{"difficult_callees": true, "repeats": 1}, "passed")
	first := done["cases"].([]any)[0].(map[string]any)["attempts"].([]any)[0].(map[string]any)["id"].(string)
	a := n.do("GET", path+"/test-runs/"+done["id"].(string)+"/attempts/"+first, nil).want(http.StatusOK)
	if a.get("opted_out") != true || a.get("ended_reason") != "opted_out" || len(a.get("transcript").([]any)) < 3 {
		t.Errorf("%v", a)
	}
	// A changed case is not tested yet.
	failing := testCase("Stop")
	failing["checks"] = []object{{"kind": "said", "value": "pizza"}}
	n.do("PUT", path+"/test-cases/"+created.get("id").(string), failing).want(http.StatusOK)
	n.do("POST", path+"/publish", nil).refused(http.StatusConflict, untested)
	run(object{"repeats": 1}, "failed")
	n.do("POST", path+"/publish", nil).refused(http.StatusConflict,
		"The tests of this draft have failed, and the agent must pass them before it is published")
	n.do("PUT", path+"/test-cases/"+created.get("id").(string), testCase("Stop")).want(http.StatusOK)
	run(object{"repeats": 1}, "passed")
	n.do("POST", path+"/publish", nil).want(http.StatusOK)
	n.do("POST", path+"/publish", object{"version": 1}).want(http.StatusOK) // an earlier version needs no tests
}
