package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// These are faults of other systems. Each test is named after a fault.

// A process that dies during an attempt leaves its row under lease.
func TestStuckInProcessingAfterACrash(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	h.at(rc.URL, "*")
	h.emit(h.actor, 5)
	h.exec(
		`update delivery_due set state = 'leased', lease = 7, lost = 1, due_at = clock() + make_interval(secs => $1)`,
		lease.Seconds(),
	)
	h.engine()
	h.emit(h.actor, 1)
	h.await("what nobody has taken", func() bool { return h.count(`delivery where status = 'succeeded'`) == 1 })
	if n := len(rc.requests()); n != 1 {
		t.Fatalf("%d were sent although another process has them", n)
	}
	h.skip(lease)
	h.await("what the dead process had", func() bool { return h.count(`delivery where status = 'succeeded'`) == 6 })
	if n := len(rc.requests()); n != 6 || h.count(`delivery_due`) != 0 {
		t.Errorf("%d requests", n)
	}
}

// Every attempt advances the schedule, and no attempt follows the last step. Each attempt
// is signed again over the same bytes.
func TestEndlessRetries(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, status(http.StatusInternalServerError))
	w := h.at(rc.URL, "*")
	h.engine()
	h.emit(h.actor, 1)
	for n := 1; n <= len(schedule); n++ {
		h.await(fmt.Sprintf("attempt %d", n), func() bool { return scan[int](h, `select attempts from delivery`) == n })
		if n < len(schedule) {
			wait := scan[float64](
				h,
				`select extract(epoch from d.next_attempt_at - a.started_at)::float8 from delivery d
					join delivery_attempt a on a.number = d.attempts`,
			)
			if want := schedule[n].Seconds(); wait < 0.9*want-0.1 || wait > 1.1*want+60 {
				t.Errorf("attempt %d comes after %g s, want %g", n+1, wait, want)
			}
			if got := scan[Status](h, `select status from delivery`); got != Pending {
				t.Errorf("%s after %d attempts", got, n)
			}
		}
		h.skip(30 * time.Hour)
	}
	if got := scan[Status](h, `select status from delivery where next_attempt_at is null`); got != Failed {
		t.Errorf("it is %s", got)
	}
	if n := h.count(`delivery_due`); n != 0 {
		t.Errorf("%d rows are left in the queue", n)
	}
	requests := rc.requests()
	if len(requests) != len(schedule) {
		t.Errorf("%d requests", len(requests))
	}
	sealed := scan[[]byte](h, `select secret from webhook where id = $1`, w.ID)
	secrets, err := openSecrets(h.vault, h.actor.OrganizationID, w.ID, sealed, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range requests {
		at, err := strconv.ParseInt(l.header.Get("Webhook-Timestamp"), 10, 64)
		if err != nil || l.id() != requests[0].id() || string(l.body) != string(requests[0].body) ||
			l.header.Get("Webhook-Signature") != sender.Sign(l.id(), at, requests[0].body, secrets...) {
			t.Errorf("an attempt differs: %v", l.header)
		}
		if age := l.at.Unix() - at; age < 0 || age > 60 {
			t.Errorf("it was signed %d s before it was sent", age)
		}
	}
	h.await("the streak", func() bool {
		return scan[int](h, `select failures from webhook where id = $1`, w.ID) == len(schedule)
	})
}

// A delivery is visible only together with its event. A delivery without an event fails.
func TestRetryLostBecauseTheEventWasNotYetStored(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	w := h.at(rc.URL, "*")
	h.engine()
	err := postgres.InTx(t.Context(), h.db.Pool, func(tx pgx.Tx) error {
		out, err := Open(t.Context(), tx, h.actor.OrganizationID)
		if err != nil {
			return err
		}
		if err := out.Add(Event{
			OrganizationID: h.actor.OrganizationID, Type: CallStarted, SubjectID: uuid.New(),
		}); err != nil {
			return err
		}
		if err := out.Write(t.Context(), tx); err != nil {
			return err
		}
		h.emit(h.actor, 1) // another transaction's event, delivered while this transaction is open
		h.await("the other event", func() bool { return len(rc.requests()) == 1 })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	h.await("the event", func() bool { return h.count(`delivery where status = 'succeeded'`) == 2 })

	lost := uuid.New()
	h.exec(`insert into delivery (id, organization_id, webhook_id, event_id, event_type)
		values ($1, $2, $3, $4, 'call.started')`,
		lost, h.actor.OrganizationID, w.ID, uuid.New())
	h.exec(`insert into delivery_due (delivery_id, webhook_id, due_at) values ($1, $2, clock()), ($3, $2, clock())`,
		lost, w.ID, uuid.New())
	h.await("an end of it", func() bool { return h.count(`delivery_due`) == 0 })
	if got := scan[Status](h, `select status from delivery where id = $1`, lost); got != Failed {
		t.Errorf("it is %s", got)
	}
}

// Each resend is an attempt, however often a person requests it. It never makes a status
// worse, and does not change the endpoint's health.
func TestManualRetrySwallowed(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, status(http.StatusInternalServerError))
	w := h.at(rc.URL, "*")
	h.engine()
	h.emit(h.actor, 1)
	h.await("the first attempt", func() bool { return scan[int](h, `select attempts from delivery`) == 1 })
	h.await("the streak", func() bool { return scan[int](h, `select failures from webhook`) == 1 })
	d := scan[uuid.UUID](h, `select id from delivery`)
	resend := func(n int) {
		t.Helper()
		if _, err := h.Resend(t.Context(), h.actor, w.ID, d); err != nil {
			t.Fatal(err)
		}
		h.await(fmt.Sprintf("attempt %d", n), func() bool { return scan[int](h, `select attempts from delivery`) == n })
	}
	resend(2)
	resend(3)
	if n := h.count(
		`delivery d join delivery_due q on q.delivery_id = d.id and not q.manual and q.step = 1 and q.due_at = ` +
			`d.next_attempt_at where d.status = 'pending'`,
	); n != 1 {
		t.Error("the planned retry is lost")
	}
	if _, err := h.Pause(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	rc.answers(nil)
	resend(4)
	if n := h.count(`delivery where status = 'succeeded' and next_attempt_at is null`); n != 1 ||
		h.count(`delivery_due`) != 0 {
		t.Error("it succeeded, and is tried again nevertheless")
	}
	rc.answers(status(http.StatusInternalServerError))
	resend(5)
	if got := scan[Status](h, `select status from delivery`); got != Succeeded {
		t.Errorf("it is %s", got)
	}
	if got := scan[string](
		h, `select string_agg(case when manual then 'm' else 's' end, '' order by number) from delivery_attempt`,
	); got != "smmmm" {
		t.Errorf("attempts: %s", got)
	}
	h.await("the days", func() bool {
		return scan[int](h, `select sum(succeeded + failed)::int from webhook_day`) == 5
	})
	if got := scan[int](h, `select failures from webhook`); got != 1 {
		t.Errorf("%d failures", got)
	}
}

// An answer's bytes beyond the limits are neither stored nor a reason for a retry.
func TestOversizedResponseRetriedForEver(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		for i := range 100 {
			w.Header().Set(fmt.Sprintf("X-Header-%d", i), strings.Repeat("h", 500))
		}
		io.WriteString(w, strings.Repeat("\x00\xff", 5<<20))
	})
	h.at(rc.URL, "*")
	h.engine()
	h.emit(h.actor, 2)
	h.await("the results", func() bool { return h.count(`delivery where status = 'succeeded'`) == 2 })
	if n := len(rc.requests()); n != 2 {
		t.Errorf("%d requests", n)
	}
	if n := h.count(
		`delivery_attempt where length(response_body) = $1 and response_cut and length(response_headers::text) <= $2`,
		sender.MaxBody, 2*sender.MaxHeaders,
	); n != 2 {
		t.Error("it was not cut")
	}
}

// An answer of any bytes can be stored. A result that can't be written would block the
// other results of its batch.
func TestAnswersOfAnyBytesAreWrittenDown(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	answers := []string{
		"HTTP/1.1 200 \xff\r\nX-Bytes: \xff\xfe\xed\xa0\x80\\u0000\r\nX-Bytes: \"}\r\nContent-Length: " +
			"3\r\n\r\n\x00\xff\xc3",
		"HTTP/1.1 999\r\n\xc3: x\r\n\r\n",
		"HTTP/1.1 500 a\x00b\r\nX: a\x00b\r\n\r\n",
		"HTTP/1.1 503 Busy\r\nRetry-After: 99999999999999999999\r\nContent-Length: -1\r\n\r\n",
		"HTTP/1.1 429 Busy\r\nRetry-After: Tue, 99 Nov 99999 99:99:99 GMT\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n\x00",
		"HTTP/1.1 000 \r\n\r\n",
		"\x00\x00",
	}
	for _, answer := range answers {
		rc := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, answer)
			conn.Close()
		})
		h.at(rc.URL, "*")
	}
	h.emit(h.actor, 1) // one event, so that the answers come in one batch
	h.engine()
	h.await("all the results", func() bool { return h.count(`delivery_attempt`) >= len(answers) })
	for _, id := range scan[[]uuid.UUID](h, `select array_agg(id) from delivery`) {
		webhookID := scan[uuid.UUID](h, `select webhook_id from delivery where id = $1`, id)
		detail, err := h.DeliveryDetail(t.Context(), h.actor.OrganizationID, webhookID, id)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := json.Marshal(detail.Resource()); err != nil || !utf8.Valid(text) || len(detail.History) == 0 {
			t.Errorf("%d attempts, %v: %s", len(detail.History), err, text)
		}
	}
}

// A lease covers the wait for the start, the attempt and its recording. A row that waited
// too long is not started.
func TestLeaseShorterThanTimeout(t *testing.T) {
	t.Parallel()
	if lease < startWithin+sender.Timeout+writeTimeout {
		t.Error("a result may come when its lease is over")
	}
	rc := newReceiver(t, nil)
	s := &run{sender: sender.New(func() *http.Transport { return &http.Transport{} }, "test")}
	f := &slot{
		row:    row{payload: []byte("{}"), taken: time.Now().Add(-lease + sender.Timeout - time.Second)},
		target: &target{url: rc.URL},
	}
	if _, ok := s.deliver(f); ok || len(rc.requests()) != 0 {
		t.Error("an attempt was made that may outlast its lease")
	}

	b := newDispatcher(func(*slot) { t.Error("a row was begun that had waited for too long") })
	id := uuid.New()
	b.capacityFor(&target{webhookID: id}, 1)
	b.enqueue(takeRequest{webhooks: []uuid.UUID{id}, limits: []int32{1}}, []row{
		{webhookID: id, taken: time.Now().Add(-startWithin - time.Second)},
	})
	if n := len(b.takeReturns()); n != 1 || b.taken != 0 {
		t.Errorf("%d rows are given back", n)
	}
}

// PostgreSQL stops and starts again under load, as in an update.
func TestDatabaseRestartedUnderLoad(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts a server of its own")
	}
	dir, err := os.MkdirTemp("", "dw")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	h := newWorld(t) // skips without PostgreSQL
	options := postgres.EmbeddedOptions{Dir: dir, Log: slog.New(slog.DiscardHandler)}
	server, err := postgres.StartEmbedded(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Stop(context.Background())
		_ = os.RemoveAll(server.Home())
		_ = os.Remove(server.Home() + ".lock")
	})
	h.moveTo(server.URL())

	rc := newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n%10 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	h.at(rc.URL, "*")
	h.engine()
	const events = 1500
	h.emit(h.actor, events)
	for restarts := 1; restarts <= 2; restarts++ {
		h.await("work in progress", func() bool { return len(rc.requests()) > restarts*events/4 })
		if err := server.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if server, err = postgres.StartEmbedded(t.Context(), options); err != nil {
			t.Fatal(err)
		}
		h.db.Pool.Reset() // closes the test's own connections
	}
	// The skips end leases of attempts in progress, so a delivery may succeed while it is sent again. Between two skips
	// is time for the attempts, of which a delivery has ten.
	var skipped time.Time
	h.await("all of it", func() bool {
		if time.Since(skipped) > 500*time.Millisecond {
			h.skip(time.Minute)
			skipped = time.Now()
		}
		return h.count(`delivery where status = 'succeeded'`) == events && h.count(`delivery_due`) == 0
	})
	if n := len(rc.ids()); n != events {
		t.Errorf("%d events were received", n)
	}
}

// An engine uses no connection beyond its pool and its hub's two.
func TestPoolLargerThanMaxConnections(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	h.at(rc.URL, "*")
	h.engineWith(2)
	connections := func() int {
		return h.count(`pg_stat_activity where datname = current_database() and application_name = 'engine'`)
	}
	// The server may take a while to end the session in which the pool asked for its room.
	h.await("only the sessions that stay", func() bool { return connections() <= 4 })
	most := 0
	for range 5 {
		h.emit(h.actor, 100)
		most = max(most, connections())
	}
	h.await("all of it", func() bool { return h.count(`delivery where status = 'succeeded'`) == 500 })
	if most = max(most, connections()); most > 4 || most == 0 {
		t.Errorf("%d connections", most)
	}
}

// Two organizations may share an address, event types and subjects. Each signs with its
// own secrets.
func TestCrossTenantCollisions(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	h.engine()
	owners := map[string][][]byte{} // event → the secrets that must sign it
	for range 2 {
		h.actor = h.organization("UTC")
		w := h.at(rc.URL, "*")
		h.emit(h.actor, 20)
		secrets, err := openSecrets(h.vault, h.actor.OrganizationID, w.ID,
			scan[[]byte](h, `select secret from webhook where id = $1`, w.ID), nil)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := h.db.Pool.Query(t.Context(), `select event_id from delivery where webhook_id = $1`, w.ID)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil || len(ids) != 20 {
			t.Fatal(len(ids), err)
		}
		for _, id := range ids {
			owners[id.String()] = secrets
		}
	}
	h.await("all of it", func() bool { return h.count(`delivery where status = 'succeeded'`) == 40 })
	for _, l := range rc.requests() {
		at, _ := strconv.ParseInt(l.header.Get("Webhook-Timestamp"), 10, 64)
		if l.header.Get("Webhook-Signature") != sender.Sign(l.id(), at, l.body, owners[l.id()]...) {
			t.Error("signed for somebody else")
		}
	}
}

// The person who sends a test chooses the address and reads the answer. No test reaches
// an internal address, directly or by a redirect.
func TestTestButtonThatLeaksTheResponse(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	inside := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "classified")
	})
	outside := newReceiver(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, inside.URL, http.StatusTemporaryRedirect)
	})
	h.engine() // its guard permits 127.0.0.0/8
	for _, c := range []struct {
		url     string
		outcome sender.Outcome
	}{
		{"https://169.254.169.254/latest/meta-data", sender.OutcomeBlocked},
		{"https://[64:ff9b::a9fe:a9fe]/latest/meta-data", sender.OutcomeBlocked},
		{outside.URL, sender.OutcomeStatus},
	} {
		w := h.at(c.url, "call.*")
		d, err := h.Test(t.Context(), h.actor, w.ID, WebhookTest)
		if err != nil {
			t.Fatal(err)
		}
		h.await("the end of a test to "+c.url, func() bool {
			return h.count(`delivery where id = $1 and status = 'failed'`, d.ID) == 1
		})
		detail, err := h.DeliveryDetail(t.Context(), h.actor.OrganizationID, w.ID, d.ID)
		if err != nil {
			t.Fatal(err)
		}
		a := detail.Resource().History[0]
		if a.Outcome != c.outcome || (a.Response == nil) != (c.outcome == sender.OutcomeBlocked) ||
			c.outcome == sender.OutcomeBlocked && a.RemoteAddress != nil {
			t.Errorf("%s: %+v", c.url, a)
		}
		if a.Response != nil && strings.Contains(a.Response.Body, "classified") {
			t.Errorf("%s: it answered %q", c.url, a.Response.Body)
		}
	}
	if n := len(inside.requests()); n != 0 {
		t.Errorf("%d requests came inside", n)
	}
}

// Another attempt follows every failed attempt, whatever the cause, unless the endpoint
// answers 410.
func TestDNSErrorNotRetried(t *testing.T) {
	t.Parallel()
	for _, o := range sender.Outcomes {
		r := resultOf(&slot{}, sender.Attempt{Outcome: o, Status: http.StatusBadGateway}, 0.5)
		if r.again != (o != sender.OutcomeSucceeded) {
			t.Errorf("%s: again %t", o, r.again)
		}
	}
	if r := resultOf(&slot{}, sender.Attempt{Outcome: sender.OutcomeStatus, Status: http.StatusGone}, 0.5); r.again {
		t.Error("an endpoint that is gone is asked again")
	}
}
