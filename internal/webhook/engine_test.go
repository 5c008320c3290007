package webhook

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// receiver is an endpoint on loopback with configurable answers. It records the requests
// it receives.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []inbound
	answer func(n int, w http.ResponseWriter, r *http.Request) // the answer to the n-th request; nil: 200
}

// inbound is a received request.
type inbound struct {
	header http.Header
	body   []byte
	at     time.Time
}

func (l inbound) id() string { return l.header.Get("Webhook-Id") }

func newReceiver(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request)) *receiver {
	t.Helper()
	r := &receiver{answer: answer}
	r.Server = httptest.NewServer(r)
	t.Cleanup(func() {
		r.CloseClientConnections()
		r.Close()
	})
	return r
}

func (rc *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // a broken body fails its signature
	rc.mu.Lock()
	rc.got = append(rc.got, inbound{r.Header.Clone(), body, time.Now()})
	n := len(rc.got)
	answer := rc.answer
	rc.mu.Unlock()
	if answer != nil {
		answer(n, w, r)
	}
}

func (rc *receiver) answers(answer func(n int, w http.ResponseWriter, r *http.Request)) {
	rc.mu.Lock()
	defer rc.mu.Unlock()
	rc.answer = answer
}

func (rc *receiver) requests() []inbound {
	rc.mu.Lock()
	defer rc.mu.Unlock()
	return append([]inbound(nil), rc.got...)
}

// ids counts the requests by webhook-id.
func (rc *receiver) ids() map[string]int {
	all := map[string]int{}
	for _, l := range rc.requests() {
		all[l.id()]++
	}
	return all
}

func status(code int) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// engine runs an engine until stop is called or the test ends. Like a process, it has its
// own pool and hub.
func (h *world) engine() (stop func()) {
	h.t.Helper()
	return h.engineWith(6)
}

func (h *world) engineWith(connections int32) (stop func()) {
	h.t.Helper()
	local, err := guard.New([]string{"127.0.0.0/8", "localhost", "::1"})
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	pool, err := postgres.Open(ctx, postgres.Options{URL: h.db.URL, MaxConns: connections, Name: "engine"})
	if err != nil {
		h.t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(h.t.Output(), nil))
	hub := postgres.NewHub(ctx, postgres.HubOptions{Pool: pool, Log: log})
	h.hub = hub // the service shares the process of the latest engine
	engine := NewEngine(EngineOptions{
		Pool: pool, Hub: hub, Vault: h.vault, Transport: local.Transport, Version: "test", Log: log,
	})
	var running sync.WaitGroup
	running.Go(func() { _ = engine.Run(ctx) })
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			running.Wait()
			hub.Close()
			pool.Close()
		})
	}
	h.t.Cleanup(stop)
	return stop
}

// moveTo switches h to an empty database on another server.
func (h *world) moveTo(url string) {
	h.t.Helper()
	if err := postgres.Migrate(h.t.Context(), url); err != nil {
		h.t.Fatal(err)
	}
	pool, err := postgres.Open(h.t.Context(), postgres.Options{URL: url, MaxConns: 4})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(pool.Close)
	h.db = &pgtest.DB{Pool: pool, URL: url}
	h.pool = pool
	h.actor = h.organization("UTC")
}

// at makes an active webhook of the organization with a URL.
func (h *world) at(url string, events ...string) Webhook {
	h.t.Helper()
	w := h.webhook(events...)
	h.exec(`update webhook set url = $2 where id = $1`, w.ID, url)
	return w
}

// emit writes n events of the organization in one transaction, as a state change does.
func (h *world) emit(actor account.Actor, n int) {
	h.t.Helper()
	var out *Outbox
	err := postgres.InTx(h.t.Context(), h.db.Pool, func(tx pgx.Tx) (err error) {
		if out, err = Open(h.t.Context(), tx, actor.OrganizationID); err != nil {
			return err
		}
		for i := range n {
			err := out.Add(Event{
				OrganizationID: actor.OrganizationID, Type: CallCompleted, SubjectID: uuid.New(),
				Data: map[string]int{"n": i},
			})
			if err != nil {
				return err
			}
		}
		return out.Write(h.t.Context(), tx)
	})
	if err != nil {
		h.t.Fatal(err)
	}
	out.Wake(h.hub)
}

// await waits until a condition is true.
func (h *world) await(what string, so func() bool) {
	h.t.Helper()
	deadline := time.Now().Add(testwait.Limit)
	for !so() {
		if time.Now().After(deadline) {
			h.t.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// count counts the rows of a query. sql is the part of the query after "from".
func (h *world) count(sql string, args ...any) int {
	h.t.Helper()
	return scan[int](h, `select count(*) from `+sql, args...)
}

// skip moves the queue ahead by d: rows that are due within d are due now. It changes
// only this test's rows, so running engines need no new connections.
func (h *world) skip(d time.Duration) {
	h.t.Helper()
	h.exec(`
		update delivery_due q set due_at = q.due_at - make_interval(secs => $1)
		from (select delivery_id, manual from delivery_due
			where state in ('waiting', 'leased') for update skip locked) later
		where q.delivery_id = later.delivery_id and q.manual = later.manual`, d.Seconds())
}

// Committed events are delivered, signed and logged.
func TestDelivery(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Receipt", "42")
		io.WriteString(w, "thanks")
	})
	w := h.at(rc.URL+"/hook", "call.*")
	h.engine()
	h.emit(h.actor, 3)
	h.await("the results", func() bool { return h.count(`delivery where status = 'succeeded'`) == 3 })
	if n := h.count(`delivery_due`); n != 0 {
		t.Errorf("%d rows are left in the queue", n)
	}
	secret := scan[[]byte](h, `select secret from webhook where id = $1`, w.ID)
	secrets, err := openSecrets(h.vault, h.actor.OrganizationID, w.ID, secret, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range rc.requests() {
		id := uuid.MustParse(l.id())
		payload := scan[string](h, `select payload from event where id = $1`, id)
		if string(l.body) != payload || l.header.Get("Content-Type") != "application/json" ||
			l.header.Get("User-Agent") != "Dialwright/test" {
			t.Errorf("sent %s with %v", l.body, l.header)
		}
		if _, there := l.header["Idempotency-Key"]; there {
			t.Error("a header was sent that is meant for the transport")
		}
		d := scan[uuid.UUID](h, `select id from delivery where event_id = $1`, id)
		detail, err := h.DeliveryDetail(t.Context(), h.actor.OrganizationID, w.ID, d)
		if err != nil || len(detail.History) != 1 {
			t.Fatalf("%+v, %v", detail, err)
		}
		a := detail.History[0]
		if want := sender.Sign(l.id(), a.SignedAt, l.body, secrets...); a.Signature != want ||
			l.header.Get("Webhook-Signature") != want {
			t.Errorf("signature %s, want %s", l.header.Get("Webhook-Signature"), want)
		}
		if a.Outcome != sender.OutcomeSucceeded || *a.ResponseStatus != 200 || string(a.ResponseBody) != "thanks" ||
			a.ResponseHeaders["X-Receipt"] != "42" ||
			a.ResponseCut || a.Error != nil || a.RemoteAddress.String() != "127.0.0.1" || a.FirstByteMS == nil ||
			a.TLSMS != nil {
			t.Errorf("%+v", a)
		}
		if detail.Attempts != 1 || *detail.ResponseStatus != 200 || detail.NextAttemptAt != nil ||
			detail.DeliveredAt == nil {
			t.Errorf("%+v", detail)
		}
	}
}

// The engine also polls, so a lost wake-up only delays a delivery.
func TestALostWakeUpDelaysOnly(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	h.at(rc.URL, "*")
	h.engine()
	h.hub = postgres.LocalHub() // not the engine's
	for n := 1; n <= 2; n++ {
		h.emit(h.actor, 1)
		h.await("the delivery", func() bool { return len(rc.requests()) == n })
	}
}

// A result is ignored if another process has the row's lease. After the end of its lease,
// a result is not written at all.
func TestResultsOfALeaseThatIsOver(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w := h.webhook("*")
	h.emit(h.actor, 2)
	h.exec(`update delivery_due set state = 'leased', lease = 7, lost = 1`)
	rows, err := h.db.Pool.Query(t.Context(), `select delivery_id from delivery_due`)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil || len(ids) != 2 {
		t.Fatal(ids, err)
	}
	a := sender.Attempt{
		Outcome: sender.OutcomeSucceeded, Status: 200, Headers: []byte("{}"), Reconnected: true, Began: time.Now(),
	}
	s := &run{pool: h.db.Pool, log: slog.New(slog.DiscardHandler)}
	batch := func(taken time.Time, leases ...int64) (all []result) {
		for i, lease := range leases {
			all = append(all, result{
				row: row{deliveryID: ids[i], webhookID: w.ID, lease: lease, taken: taken}, to: &target{}, a: a,
				ended: time.Now(),
			})
		}
		return all
	}
	s.recordUntilDone(batch(time.Now().Add(-lease), 7, 7))
	if n := h.count(`delivery where attempts > 0`); n != 0 {
		t.Errorf("%d were written although their leases are over", n)
	}
	s.recordUntilDone(batch(time.Now(), 7, 8))
	if n := h.count(`delivery_due where delivery_id = $1 and state = 'leased' and lease = 7`, ids[1]); n != 1 ||
		h.count(`delivery_due`) != 1 {
		t.Error("the wrong row is gone")
	}
	if n := h.count(`delivery where status = 'succeeded'`); n != 1 || h.count(`delivery_attempt`) != 1 ||
		h.count(`delivery_attempt where reconnected`) != 1 {
		t.Errorf("%d succeeded", n)
	}
}

// An endpoint that hangs delays no other deliveries.
func TestAHungEndpointDelaysNobody(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	hanging := newReceiver(t, func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	healthy := newReceiver(t, nil)
	w := h.at(hanging.URL, "*")
	h.engine()
	h.emit(h.actor, 400)
	h.await("the hanging ones are under way", func() bool { return len(hanging.requests()) == firstWindow })
	h.actor = h.organization("UTC")
	h.at(healthy.URL, "*")
	h.emit(h.actor, 200)
	h.await("the healthy ones", func() bool { return len(healthy.ids()) == 200 })
	if n := h.count(`delivery where webhook_id = $1 and attempts > 0`, w.ID); n != 0 {
		t.Errorf("they came after %d of the hanging ones had ended", n)
	}
	if n := h.count(`delivery_due where webhook_id = $1 and state = 'leased'`, w.ID); n > firstWindow {
		t.Errorf("%d are taken for the hanging one", n)
	}
	hanging.CloseClientConnections() // so that the engine need not wait for the hanging requests
}

// Several engines share the work. Each delivery is made exactly once.
func TestSeveralEngines(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	const events, webhooks = 150, 4
	rc := newReceiver(t, nil)
	for i := range webhooks {
		h.at(fmt.Sprintf("%s/%d", rc.URL, i), "*")
	}
	for range 3 {
		h.engineWith(3)
	}
	var telling sync.WaitGroup
	for range 3 {
		telling.Go(func() {
			for range 10 {
				h.emit(h.actor, events/30)
			}
		})
	}
	telling.Wait()
	h.await("the results", func() bool { return h.count(`delivery where status = 'succeeded'`) == events*webhooks })
	for id, n := range rc.ids() {
		if n != webhooks {
			t.Errorf("event %s was sent %d times", id, n)
		}
	}
	if n := h.count(`delivery_attempt`); n != events*webhooks || h.count(`delivery_due`) != 0 {
		t.Errorf("%d attempts", n)
	}
}

// A stopped engine starts no more requests, finishes those in flight, and gives the other
// rows back at once.
func TestDrain(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	const events, quick = 800, 300
	release := make(chan struct{})
	rc := newReceiver(t, func(n int, _ http.ResponseWriter, _ *http.Request) {
		if n > quick {
			<-release
		}
	})
	h.at(rc.URL, "*")
	stop := h.engine()
	h.emit(h.actor, events)
	h.await("rows are taken ahead", func() bool {
		return h.count(`delivery where status = 'succeeded'`) == quick &&
			h.count(`delivery_due where state = 'leased'`) > 2*maxWindow
	})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		stop()
	}()
	h.await("the rest is given back", func() bool {
		return h.count(`delivery_due where state = 'leased'`) == len(rc.requests())-quick
	})
	select {
	case <-stopped:
		t.Error("it did not wait for what was under way")
	default:
	}
	close(release)
	<-stopped
	n := len(rc.requests())
	if done := h.count(`delivery where status = 'succeeded'`); done != n ||
		h.count(`delivery_due where state = 'ready' and lost = 0`) != events-n {
		t.Errorf("of %d that were sent %d are written down", n, done)
	}
	h.engine()
	h.await("the others", func() bool { return h.count(`delivery where status = 'succeeded'`) == events })
	if n := len(rc.requests()); n != events {
		t.Errorf("%d requests", n)
	}
}

// A payload that is too large to be read ahead is delivered too.
func TestLargePayloads(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	h.at(rc.URL, "*")
	h.emit(h.actor, 3)
	h.exec(`update event set payload = '{"data":"' || repeat('é', $1) || '"}'`, takeAhead)
	h.engine()
	h.await("the results", func() bool { return h.count(`delivery where status = 'succeeded'`) == 3 })
	for _, l := range rc.requests() {
		if string(l.body) != scan[string](h, `select payload from event where id = $1`, l.id()) {
			t.Error("another body was sent")
		}
	}
}

// A delivery that crashes every process that sends it gets a failed attempt after maxLost
// leases, then its retry.
func TestWhatEndsProcessesEnds(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	h.at(rc.URL, "*")
	h.emit(h.actor, 2)
	d := scan[uuid.UUID](h, `select id from delivery limit 1`)
	h.exec(`update delivery_due set lost = $2 where delivery_id = $1`, d, maxLost)
	h.engine()
	h.await("the other one", func() bool { return h.count(`delivery where status = 'succeeded'`) == 1 })
	h.await("the attempt that was not made", func() bool {
		return scan[int](h, `select attempts from delivery where id = $1`, d) == 1
	})
	if n := h.count(
		`delivery_due where delivery_id = $1 and step = 1 and lost = 0 and state = 'waiting'`, d,
	); n != 1 || len(rc.requests()) != 1 {
		t.Error("it is not planned again")
	}
	h.skip(time.Minute)
	h.await("its retry", func() bool { return h.count(`delivery where status = 'succeeded'`) == 2 })
}

// A webhook with an unreadable secret is skipped. The other webhooks get their
// deliveries.
func TestASecretThatDoesNotOpen(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	for range maxWalk / 64 {
		w := h.at(rc.URL, "*")
		h.exec(`update webhook set secret = 'x' where id = $1`, w.ID)
	}
	h.at(rc.URL, "*")
	h.emit(h.actor, 2)
	h.engine()
	h.await("the others", func() bool { return h.count(`delivery where status = 'succeeded'`) == 2 })
	if n := h.count(`delivery_due where state = 'ready'`); n != 2*maxWalk/64 || len(rc.requests()) != 2 {
		t.Errorf("%d are left", n)
	}
}

// After a long wait for a connection, rows are still young enough to be started.
func TestAPoolThatIsBusyMakesNoRowTooOld(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w := h.webhook("*")
	h.emit(h.actor, 1)
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: h.db.URL, MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	only, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var freed time.Time
	time.AfterFunc(100*time.Millisecond, func() {
		freed = time.Now()
		only.Release()
	})
	rows, _, err := (&run{pool: pool}).take(t.Context(), takeRequest{
		webhooks: []uuid.UUID{w.ID}, limits: []int32{1}, manual: []bool{false},
	})
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if early := freed.Sub(rows[0].taken); early > 0 {
		t.Errorf("taken %s before there was a connection", early)
	}
}

// A panic in an attempt makes it a failed attempt, and the process continues.
func TestAnAttemptThatPanics(t *testing.T) {
	t.Parallel()
	s := &run{
		sender: sender.New(func() *http.Transport {
			t := &http.Transport{}
			t.RegisterProtocol("https", roundTrip(func(*http.Request) (*http.Response, error) {
				panic("what an answer")
			}))
			return t
		}, "test"),
		log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	a, ok := s.deliver(&slot{
		row: row{payload: []byte("{}"), taken: time.Now()}, target: &target{url: "https://example.com/"},
	})
	if !ok || a.Outcome != sender.OutcomeProtocol || a.Problem != "Sending it failed" || a.Status != 0 ||
		a.URL != "https://example.com/" {
		t.Errorf("%t: %s, %q, status %d", ok, a.Outcome, a.Problem, a.Status)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
