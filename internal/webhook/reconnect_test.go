package webhook

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
)

// A receiver that reads a request and drops the connection gets one request per
// attempt, however many connections to it are open.
func TestAnAttemptIsOneRequest(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	const parallel = 8
	var together sync.WaitGroup
	together.Add(parallel)
	rc := newReceiver(t, func(n int, _ http.ResponseWriter, _ *http.Request) {
		if n <= parallel {
			together.Done()
		}
		together.Wait() // so that each request uses its own connection
	})
	h.at(rc.URL, "*")
	h.engine()
	h.emit(h.actor, parallel)
	h.await("the open connections", func() bool { return h.count(`delivery where status = 'succeeded'`) == parallel })

	rc.answers(func(_ int, w http.ResponseWriter, _ *http.Request) {
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			conn.Close()
		}
	})
	h.emit(h.actor, 1)
	id := scan[uuid.UUID](h, `select event_id from delivery where status <> 'succeeded'`)
	for n := 1; n <= 3; n++ {
		h.await("the attempt", func() bool {
			return scan[int](h, `select attempts from delivery where event_id = $1`, id) == n
		})
		if got := rc.ids()[id.String()]; got != n {
			t.Fatalf("%d requests in %d attempts", got, n)
		}
		h.skip(30 * time.Hour)
	}
	if n := h.count(`delivery_attempt where reconnected`); n != 0 {
		t.Errorf("%d attempts say that they went over a second connection", n)
	}
}
