package line

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/testwait"
)

// doorman notes the requests to a model's server.
type doorman struct {
	http.Handler
	mu   sync.Mutex
	seen []string // the method and the client's address, one address for each connection
}

func (r *doorman) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	r.seen = append(r.seen, q.Method+" "+q.RemoteAddr)
	r.mu.Unlock()
	r.Handler.ServeHTTP(w, q)
}

func (r *doorman) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.seen...)
}

// While the phone rings, a connection to the model's server is made. The first request of the conversation uses it.
func TestModelIsReadyWhenSomebodyAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	brain := w.withModel("sandbox", "sandbox")
	server := &doorman{Handler: brain.Handler}
	brain.mu.Lock()
	brain.Handler = server
	brain.mu.Unlock()
	c := w.queue("+12025550101")
	w.exec(`update call c set model_connection_id = (a.script #>> '{model,connection_id}')::uuid
		from agent a where a.id = c.agent_id and c.id = $1`, c.ID)
	w.place(c)
	for range 3 { // carriers repeat their events
		w.deliver(c, carrier.Event{Kind: carrier.Ringing})
	}
	for deadline := time.Now().Add(testwait.Limit); len(server.all()) < 2; {
		if time.Now().After(deadline) {
			t.Fatalf("the server saw %q", server.all())
		}
		time.Sleep(time.Millisecond)
	}
	w.deliver(c, carrier.Event{Kind: carrier.Answered})
	l := newPhoneLine()
	done := w.lines.converseInBackground(c, l)
	l.opening(t)
	l.play(t)
	l.leave(t, done)
	seen := server.all()
	if len(seen) != 3 || seen[0][:4] != "GET " || seen[1][:4] != "GET " || seen[2][:5] != "POST " ||
		seen[2][5:] != seen[0][4:] && seen[2][5:] != seen[1][4:] {
		t.Errorf("the server saw %q", seen)
	}
}

// A call without a model, and a server that does not answer, change nothing.
func TestNothingToMakeReady(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	brain := w.withModel("sandbox", "")
	server := &doorman{Handler: http.NotFoundHandler()}
	brain.mu.Lock()
	brain.Handler = server
	brain.mu.Unlock()
	first, second := w.queue("+12025550101"), w.queue("+12025550102")
	w.exec(`update call c set model_connection_id = (a.script #>> '{model,connection_id}')::uuid
		from agent a where a.id = c.agent_id and c.id = $1`, second.ID)
	for _, c := range []call.Claimed{first, second} {
		e := carrier.Event{ConnectionID: c.ConnectionID, CallID: c.ID}
		if err := w.lines.prewarmModels(t.Context(), e); err != nil {
			t.Error(err)
		}
	}
	if seen := server.all(); len(seen) != 1 {
		t.Errorf("the server saw %q", seen)
	}
	var failures int
	if err := w.db.Pool.QueryRow(t.Context(), `select failures from model_connection`).Scan(&failures); err != nil ||
		failures != 0 {
		t.Errorf("%d failures were counted: %v", failures, err)
	}
}
