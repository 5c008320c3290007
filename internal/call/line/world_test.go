package line

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/tool"
	"github.com/dialwright/dialwright/internal/webhook"
)

// Constants of package call.
const (
	silentAfter = 60 * time.Second
	lineGrace   = 30 * time.Second
)

// world is a database with one organization that can make calls, a process that runs their lines,
// and a carrier.
type world struct {
	tb       testing.TB
	db       *pgtest.DB
	calls    *call.Service
	reader   *call.Service // its connections are never cut
	lines    *Service
	network  *network
	carriers func(context.Context, uuid.UUID) (carrier.Carrier, error) // nil: network
	models   *connection.Service                                       // nil: no process asks a model
	tools    *tool.Service
	whatsapp *messagingtest.Bench // nil: no process sends messages
	hooks    string               // on a sandbox: the address of the number's callbacks
	claim    call.Claim           // a call of this organization; set PersonNumber
}

func newWorld(tb testing.TB) *world {
	tb.Helper()
	w := &world{tb: tb, db: pgtest.New(tb), network: &network{}}
	w.use(w.instance())
	w.reader = w.calls
	w.claim = w.tenant("Acme", "+12025550100")
	return w
}

// instance returns a Service for another process on the same database. No write, model or outage takes too long for its
// agents because this machine is slow. A test of that shortens the times that it needs.
func (w *world) instance(options ...func(*Options)) *Service {
	o := Options{
		Pool: w.db.Pool, Hub: postgres.LocalHub(), Models: w.models, Tools: w.tools,
		Log: slog.New(slog.DiscardHandler),
	}
	if w.whatsapp != nil {
		o.Messages, o.Templates = w.whatsapp.Services(w.db.Pool)
	}
	for _, set := range options {
		set(&o)
	}
	o.Calls = w.callsAt(o)
	s := New(o)
	s.outage.fill, s.outage.most, s.outage.keep = testwait.Limit, testwait.Limit, testwait.Limit
	s.patience = patience{
		filler: testwait.Limit, hedge: testwait.Limit, sorry: testwait.Limit, most: testwait.Limit,
		stall: testwait.Limit,
	}
	return s
}

func (w *world) callsAt(o Options) *call.Service {
	carriers := w.carriers
	if carriers == nil {
		carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return w.network, nil }
	}
	return call.New(call.Options{Pool: o.Pool, Hub: o.Hub, Log: o.Log, Carriers: carriers})
}

// connected returns an instance that other processes wake.
func (w *world) connected() *Service {
	hub := postgres.NewHub(context.Background(), postgres.HubOptions{
		Pool: w.db.Pool, Log: slog.New(slog.DiscardHandler),
	})
	w.tb.Cleanup(hub.Close)
	return w.instance(func(o *Options) { o.Hub = hub })
}

// use makes the world's methods use this instance.
func (w *world) use(s *Service) { w.lines, w.calls = s, s.calls }

// tenant creates an organization with everything that a call refers to.
func (w *world) tenant(name, from string) call.Claim {
	w.tb.Helper()
	t := w.db.NewTenant(w.tb, name, from, pgtest.Script)
	return call.Claim{
		OrganizationID:  t.OrganizationID,
		ProjectID:       t.ProjectID,
		AgentID:         t.AgentID,
		PhoneNumberID:   t.PhoneNumberID,
		ConnectionID:    t.ConnectionID,
		Attempt:         1,
		Carrier:         "sandbox",
		OwnNumber:       from,
		RecipientName:   "Ada",
		VoicemailAction: call.HangUp,
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
func (w *world) queue(to string) call.Claimed {
	w.tb.Helper()
	c := w.claim
	c.PersonNumber = to
	queued, refused := w.queueAll(c)
	if len(queued) != 1 || len(refused) != 0 {
		w.tb.Fatalf("queued %d, refused %d", len(queued), len(refused))
	}
	return queued[0]
}

func (w *world) queueAll(claims ...call.Claim) (queued []call.Claimed, refused []call.Claim) {
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

func (w *world) get(id uuid.UUID) call.Call {
	w.tb.Helper()
	c, _, err := w.reader.Get(w.tb.Context(), w.claim.OrganizationID, id)
	if err != nil {
		w.tb.Fatal(err)
	}
	return c
}

func (w *world) turns(id uuid.UUID) []call.Turn {
	w.tb.Helper()
	_, turns, err := w.reader.Get(w.tb.Context(), w.claim.OrganizationID, id)
	if err != nil {
		w.tb.Fatal(err)
	}
	return turns
}

func (w *world) place(c call.Claimed) {
	w.tb.Helper()
	if _, err := w.calls.Place(w.tb.Context(), c); err != nil {
		w.tb.Fatal(err)
	}
}

func (w *world) deliver(c call.Claimed, e carrier.Event) {
	w.tb.Helper()
	e.ConnectionID, e.CallID = c.ConnectionID, c.ID
	if e.At.IsZero() {
		e.At = time.Now()
	}
	if err := w.lines.Deliver(w.tb.Context(), e); err != nil {
		w.tb.Fatal(err)
	}
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

func (w *world) settle() []call.Ended {
	w.tb.Helper()
	var all []call.Ended
	err := postgres.InTx(w.tb.Context(), w.db.Pool, func(tx pgx.Tx) (err error) {
		if all, err = w.calls.Unsettled(w.tb.Context(), tx, 100); err != nil {
			return err
		}
		out, err := webhook.Open(w.tb.Context(), tx, w.claim.OrganizationID)
		if err != nil {
			return err
		}
		if err := w.calls.MarkSettled(w.tb.Context(), tx, all, out); err != nil {
			return err
		}
		if err := out.Write(w.tb.Context(), tx); err != nil {
			return err
		}
		return w.calls.Tally(w.tb.Context(), tx, all)
	})
	if err != nil {
		w.tb.Fatal(err)
	}
	return all
}

// network is a carrier that accepts every call and reports the status that the test sets.
type network struct {
	carrier.Recordings
	carrier.Listening
	carrier.Prices

	mu             sync.Mutex
	placed, hungUp int
	status         carrier.Report // of every call
}

func (n *network) Place(context.Context, carrier.Placement) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.placed++
	return fmt.Sprintf("CA%03d", n.placed), nil
}

func (n *network) Hangup(context.Context, carrier.Ref) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hungUp++
	return nil
}

func (n *network) Lookup(_ context.Context, ref carrier.Ref) (carrier.Report, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	report := n.status
	report.CarrierCallID = ref.CarrierCallID
	return report, nil
}
