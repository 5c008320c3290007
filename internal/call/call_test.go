package call

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/webhook"
)

// world is a database with one organization that can make calls, and the carrier of these calls.
type world struct {
	tb      testing.TB
	db      *pgtest.DB
	calls   *Service
	network *network
	claim   Claim // a call of this organization; set PersonNumber
}

func newWorld(tb testing.TB) *world {
	tb.Helper()
	db := pgtest.New(tb)
	w := &world{tb: tb, db: db, network: &network{calls: map[string]carrier.Report{}}}
	w.calls = w.instance()
	w.claim = w.tenant("Acme", "+12025550100")
	return w
}

// instance returns a Service for another process on the same database.
func (w *world) instance(options ...func(*Options)) *Service {
	o := Options{
		Pool:     w.db.Pool,
		Hub:      postgres.LocalHub(),
		Log:      slog.New(slog.DiscardHandler),
		Carriers: func(context.Context, uuid.UUID) (carrier.Carrier, error) { return w.network, nil },
	}
	for _, set := range options {
		set(&o)
	}
	return New(o)
}

// tenant creates an organization with everything that a call refers to.
func (w *world) tenant(name, from string) Claim {
	w.tb.Helper()
	t := w.db.NewTenant(w.tb, name, from, pgtest.Script)
	return Claim{
		OrganizationID:  t.OrganizationID,
		ProjectID:       t.ProjectID,
		AgentID:         t.AgentID,
		PhoneNumberID:   t.PhoneNumberID,
		ConnectionID:    t.ConnectionID,
		Attempt:         1,
		Carrier:         "sandbox",
		OwnNumber:       from,
		RecipientName:   "Ada",
		VoicemailAction: HangUp,
		RingTimeout:     30 * time.Second,
		MaxDuration:     10 * time.Minute,
		Variables:       json.RawMessage(`{"name":"Ada"}`),
	}
}

func (w *world) exec(sql string, args ...any) {
	w.tb.Helper()
	if _, err := w.db.Pool.Exec(w.tb.Context(), sql, args...); err != nil {
		w.tb.Fatal(err)
	}
}

// queue claims one call to a number.
func (w *world) queue(to string) Claimed {
	w.tb.Helper()
	c := w.claim
	c.PersonNumber = to
	queued, refused := w.queueAll(c)
	if len(queued) != 1 || len(refused) != 0 {
		w.tb.Fatalf("queued %d, refused %d", len(queued), len(refused))
	}
	return queued[0]
}

func (w *world) queueAll(claims ...Claim) (queued []Claimed, refused []Claim) {
	w.tb.Helper()
	err := postgres.InTx(w.tb.Context(), w.db.Pool, func(tx pgx.Tx) (err error) {
		queued, refused, err = w.calls.Queue(w.tb.Context(), tx, claims)
		return err
	})
	if err != nil {
		w.tb.Fatal(err)
	}
	return queued, refused
}

func (w *world) get(id uuid.UUID) Call {
	w.tb.Helper()
	c, _, err := w.calls.Get(w.tb.Context(), w.claim.OrganizationID, id)
	if err != nil {
		w.tb.Fatal(err)
	}
	return c
}

func (w *world) place(c Claimed) Result {
	w.tb.Helper()
	r, err := w.calls.Place(w.tb.Context(), c)
	if err != nil {
		w.tb.Fatal(err)
	}
	return r
}

func (w *world) deliver(c Claimed, e carrier.Event) {
	w.tb.Helper()
	e.ConnectionID, e.CallID = c.ConnectionID, c.ID
	if e.At.IsZero() {
		e.At = time.Now()
	}
	if err := w.calls.Deliver(w.tb.Context(), e); err != nil {
		w.tb.Fatal(err)
	}
}

// talking queues and places a call that is then answered.
func (w *world) talking(to string) Claimed {
	w.tb.Helper()
	c := w.queue(to)
	w.place(c)
	w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: "CA001"})
	return c
}

// hadLine gives a call a line that is closed.
func (w *world) hadLine(c Claimed) {
	w.tb.Helper()
	w.exec(`insert into call_line (call_id, organization_id, closed_at, held) values ($1, $2, clock(), false)`,
		c.ID, c.OrganizationID)
}

func (w *world) reconcile() {
	w.tb.Helper()
	for range 10 {
		n, err := w.calls.Reconcile(w.tb.Context())
		if err != nil {
			w.tb.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
	w.tb.Fatal("the reconciler never comes to rest")
}

func (w *world) settle() []Ended {
	w.tb.Helper()
	var all []Ended
	err := postgres.InTx(w.tb.Context(), w.db.Pool, func(tx pgx.Tx) error {
		calls, err := w.calls.Unsettled(w.tb.Context(), tx, 100)
		if err != nil {
			return err
		}
		all = calls
		out, err := webhook.Open(w.tb.Context(), tx, w.claim.OrganizationID)
		if err != nil {
			return err
		}
		if err := w.calls.MarkSettled(w.tb.Context(), tx, calls, out); err != nil {
			return err
		}
		if err := out.Write(w.tb.Context(), tx); err != nil {
			return err
		}
		return w.calls.Tally(w.tb.Context(), tx, calls)
	})
	if err != nil {
		w.tb.Fatal(err)
	}
	return all
}

// network is a carrier that the test controls.
type network struct {
	carrier.Recordings
	carrier.Listening
	carrier.Prices

	mu      sync.Mutex
	place   func(carrier.Placement) (string, error) // nil: accept
	placed  []carrier.Placement
	hungUp  []carrier.Ref
	looked  []carrier.Ref
	calls   map[string]carrier.Report // by the carrier's id
	lookErr error
}

func (n *network) Place(_ context.Context, p carrier.Placement) (string, error) {
	n.mu.Lock()
	n.placed = append(n.placed, p)
	id := fmt.Sprintf("CA%03d", len(n.placed))
	f := n.place
	n.mu.Unlock()
	if f != nil {
		return f(p)
	}
	n.report(id, carrier.Report{Phase: carrier.Waiting})
	return id, nil
}

func (n *network) report(id string, r carrier.Report) {
	n.mu.Lock()
	defer n.mu.Unlock()
	r.CarrierCallID = id
	n.calls[id] = r
}

func (n *network) Hangup(_ context.Context, ref carrier.Ref) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hungUp = append(n.hungUp, ref)
	return nil
}

func (n *network) Lookup(_ context.Context, ref carrier.Ref) (carrier.Report, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.looked = append(n.looked, ref)
	if n.lookErr != nil {
		return carrier.Report{}, n.lookErr
	}
	r, ok := n.calls[ref.CarrierCallID]
	if !ok {
		return carrier.Report{}, fmt.Errorf("look up: %w", carrier.ErrUnknownCall)
	}
	return r, nil
}

func (n *network) count() (placed, hungUp, looked int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.placed), len(n.hungUp), len(n.looked)
}

func TestCallFromClaimToSettlement(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.queue("+12025550199")
	if got := w.get(c.ID); got.Status != Queued || got.StartedAt != nil || string(got.Variables) != `{"name": "Ada"}` {
		t.Fatalf("after Queue: %+v", got)
	}
	if r := w.place(c); r.Placed != PlacedAccepted {
		t.Fatalf("Place: %v", r)
	}
	w.deliver(c, carrier.Event{Kind: carrier.Ringing, CarrierCallID: "CA001"})
	w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: "CA001"})
	w.hadLine(c)
	w.deliver(c, carrier.Event{Kind: carrier.Detected, CarrierCallID: "CA001", AnsweredBy: carrier.Human})
	w.deliver(c, carrier.Event{
		Kind: carrier.Ended, CarrierCallID: "CA001", Outcome: carrier.Completed, Duration: 12 * time.Second,
	})
	got := w.get(c.ID)
	if got.Status != Completed || got.Outcome != OutcomeCompleted || got.AnsweredBy != Human ||
		got.EndedReason != ReasonHungUp {
		t.Fatalf("after the end: %+v", got)
	}
	for name, at := range map[string]*time.Time{
		"started": got.StartedAt, "ringing": got.RingingAt, "answered": got.AnsweredAt, "ended": got.EndedAt,
	} {
		if at == nil {
			t.Errorf("%s_at is missing", name)
		}
	}
	settled := w.settle()
	if len(settled) != 1 || settled[0].ID != c.ID || settled[0].Outcome != OutcomeCompleted {
		t.Fatalf("settled %+v", settled)
	}
	if again := w.settle(); len(again) != 0 {
		t.Fatalf("settled twice: %+v", again)
	}
}

func TestDeliverKnowsOnlyItsOwnCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.tenant("Other", "+12025550101")
	c := w.queue("+12025550199")
	w.place(c)
	for name, e := range map[string]carrier.Event{
		"another connection": {ConnectionID: other.ConnectionID, CallID: c.ID},
		"no such call":       {ConnectionID: c.ConnectionID, CallID: uuid.Must(uuid.NewV7())},
		"another leg":        {ConnectionID: c.ConnectionID, CallID: c.ID, CarrierCallID: "CA999"},
	} {
		e.Kind, e.Outcome = carrier.Ended, carrier.Busy
		if err := w.calls.Deliver(t.Context(), e); !errors.Is(err, carrier.ErrUnknownCall) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := w.get(c.ID); got.Status != Queued {
		t.Errorf("status %s", got.Status)
	}
}

// A call keeps the name with which its agent spoke when the agent is renamed.
func TestACallKeepsTheNameOfItsAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.queue("+12025550199")
	name := func() string {
		got, _, err := w.calls.Get(t.Context(), c.OrganizationID, c.ID)
		if err != nil || got.AgentName == nil {
			t.Fatalf("%+v, %v", got.AgentName, err)
		}
		return *got.AgentName
	}
	before := name()
	w.exec(`update agent set name = 'Renamed' where id = $1`, c.AgentID)
	if got := name(); got != before || got == "Renamed" {
		t.Errorf("the call names its agent %q, not %q", got, before)
	}
	got, _, err := w.calls.Get(t.Context(), c.OrganizationID, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if r := w.calls.Resource(got); r.AgentName == nil || *r.AgentName != before {
		t.Errorf("the API names the agent %v, not %q", r.AgentName, before)
	}
	for row, err := range w.calls.Export(t.Context(), c.OrganizationID, Filter{}) {
		if err != nil || row[slices.Index(ExportHeader, "agent_name")] != before {
			t.Errorf("the export has %q, %v", row, err)
		}
	}
}

func TestQueueRefusesNumbersInACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.queue("+12025550199")
	a, b := w.claim, w.claim
	a.PersonNumber, b.PersonNumber = "+12025550199", "+12025550198"
	queued, refused := w.queueAll(a, b, b)
	if len(queued) != 1 || queued[0].PersonNumber != b.PersonNumber || len(refused) != 2 {
		t.Fatalf("queued %d, refused %d", len(queued), len(refused))
	}
	// Another organization may call the same number at the same time.
	other := w.tenant("Other", "+12025550101")
	other.PersonNumber = a.PersonNumber
	if queued, _ := w.queueAll(other); len(queued) != 1 {
		t.Fatal("another organization was refused")
	}
	// The number is free again as soon as the call has ended.
	w.deliver(first, carrier.Event{Kind: carrier.Ended, Outcome: carrier.NoAnswer})
	if queued, _ := w.queueAll(a); len(queued) != 1 {
		t.Fatal("refused after the end")
	}
}
