package gate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// Two organizations whose numbers share a portfolio create, cancel and send through two processes
// while the clock moves. Sometimes a process dies. The test compares the operator's record with a
// simple model: there are never more recipients within 24 hours than the limit, no message is sent
// twice, and every message that should be sent is sent.
func TestTheOperatorNeverSeesMoreThanItsLimit(t *testing.T) {
	t.Parallel()
	const tier, steps, actors, deeds = 50, 10, 4, 6
	world := []sandbox.Portfolio{{ID: "900", Tier: "TIER_50", Accounts: []sandbox.Account{
		{ID: "10001", Numbers: []sandbox.Number{{ID: "20001", PhoneNumber: "+1 312-555-0122", Name: "Care"}}},
		{ID: "10002", Numbers: []sandbox.Number{{ID: "20002", PhoneNumber: "+1 312-555-0133", Name: "Offers"}}},
	}}}
	b := newBench(t, sandbox.Options{World: world, Speed: 500})
	g := &game{bench: b, other: b.NewOrganization("Umbrella"), second: b.NewPool()}
	g.processes = []*Service{b.svc, b.process(g.second)}
	g.connect()

	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	// At the start, both organizations queue more messages than the limit allows.
	b.Queue("20001", uuid.New(), messagingtest.People(500, tier)...)
	b.Queue("20002", uuid.New(), messagingtest.People(600, tier)...)
	for step := range steps {
		g.deaf.Store(step%2 == 0)
		var acting sync.WaitGroup
		for actor := range actors {
			chance := rand.New(rand.NewPCG(seed, uint64(step*actors+actor)))
			acting.Go(func() {
				for range deeds {
					g.act(chance)
				}
			})
		}
		acting.Wait()
		chance := rand.New(rand.NewPCG(seed, uint64(1_000_000+step)))
		g.advance(time.Duration(chance.Int64N(int64(7 * time.Hour))))
	}
	g.deaf.Store(false)
	for step := 0; g.open() > 0; step++ {
		if step > 60 {
			t.Fatalf("%d messages have come to no end", g.open())
		}
		for _, s := range g.processes {
			g.work(s)
		}
		g.advance(5 * time.Hour)
	}
	if _, err := b.Operator.Await(t.Context(), func(s sandbox.State) bool { return s.Pending == 0 }); err != nil {
		t.Fatal(err)
	}
	g.judge(tier)
	b.CheckLedgers()
}

// game is the world of the property test.
type game struct {
	*bench
	other     account.Actor
	processes []*Service
	second    *pgxpool.Pool // pool of the second process

	standing sync.RWMutex // locked while the clock moves
	deaf     atomic.Bool  // webhooks are refused, and come again later

	mu      sync.Mutex
	created []uuid.UUID
}

// connect connects the accounts, one for each organization. Webhooks alternate between the
// processes.
func (g *game) connect() {
	g.T.Helper()
	hooks := []http.Handler{g.processes[0].Hook(), g.processes[1].Hook()}
	var turn atomic.Int64
	g.Receive = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.standing.RLock() // a transaction keeps the clock from its start
		defer g.standing.RUnlock()
		if g.deaf.Load() {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		hooks[turn.Add(1)%2].ServeHTTP(w, r)
	})
	for i, actor := range []account.Actor{g.Actor, g.other} {
		number := fmt.Sprint(10001 + i)
		_, err := g.svc.connections.CreateConnection(g.T.Context(), actor, connection.NewConnection{Account: number,
			Settings: connection.Settings{Name: number, Token: messagingtest.Token, AppSecret: messagingtest.Token}})
		if err != nil {
			g.T.Fatal(err)
		}
	}
}

// plans lists possible outcomes of a message (sandbox.Operator).
var plans = []int{2, 3, 4, 5, 6, 7, 9, 10, 20, 21, 22, 60, 61, 62, 63, 64, 66}

// act performs a random action.
func (g *game) act(chance *rand.Rand) {
	svc := g.processes[chance.IntN(len(g.processes))]
	switch n := chance.IntN(20); {
	case n < 8:
		g.create(svc, chance)
	case n < 9:
		g.cancel(svc, chance)
	case n < 13:
		g.die(svc, chance)
	default:
		g.work(svc)
	}
}

func (g *game) create(svc *Service, chance *rand.Rand) {
	actor, number := g.Actor, "20001"
	if chance.IntN(2) == 0 {
		actor, number = g.other, "20002"
	}
	for range 1 + chance.IntN(5) {
		to := messagingtest.Person(chance.IntN(120))
		if chance.IntN(4) == 0 {
			to = messagingtest.Scripted(plans[chance.IntN(len(plans))], chance.IntN(10))
		}
		m, err := svc.messages.Create(g.T.Context(), svc.pool, actor, messaging.NewMessage{
			ExternalID: number, To: to, Template: messaging.TemplateInput{Name: "heads_up", Language: "en_US"},
		})
		if err != nil {
			g.T.Error(err)
			return
		}
		g.mu.Lock()
		g.created = append(g.created, m.ID)
		g.mu.Unlock()
	}
}

func (g *game) cancel(svc *Service, chance *rand.Rand) {
	g.mu.Lock()
	n := len(g.created)
	var id uuid.UUID
	if n > 0 {
		id = g.created[chance.IntN(n)]
	}
	g.mu.Unlock()
	for _, actor := range []account.Actor{g.Actor, g.other} {
		_, _ = svc.messages.Cancel(g.T.Context(), actor, id) // another organization's message, or in flight
	}
}

// work performs the work of a living process.
func (g *game) work(svc *Service) {
	if err := svc.connections.Refresh(g.T.Context()); err != nil {
		g.T.Error(err)
	}
	if err := svc.NewSender().clean(g.T.Context()); err != nil {
		g.T.Error(err)
	}
	g.look(svc, func(l *pass) {
		for _, m := range l.sends {
			svc.send(g.T.Context(), []sendable{m})
		}
	})
}

func (g *game) look(svc *Service, then func(*pass)) {
	scopes, err := svc.ready(g.T.Context())
	if err != nil {
		g.T.Error(err)
	}
	for _, id := range scopes {
		l, err := svc.admit(g.T.Context(), id, 20)
		switch {
		case errors.Is(err, messaging.ErrBusy):
		case err != nil:
			g.T.Error(err)
		default:
			then(l)
		}
	}
}

// die performs the work of a process that is killed: after the admission, after the announcement of
// the request, or after the operator has accepted the message.
func (g *game) die(svc *Service, chance *rand.Rand) {
	at := chance.IntN(4)
	g.look(svc, func(l *pass) {
		for _, m := range l.sends {
			if at == 0 {
				return
			}
			asked, err := svc.ask(g.T.Context(), []sendable{m})
			if err != nil {
				g.T.Error(err)
			}
			if _, ok := asked[m.id]; !ok || at == 1 {
				continue
			}
			to, err := svc.connections.Account(g.T.Context(), m.route.ConnectionID)
			if err != nil {
				g.T.Error(err)
				continue
			}
			_, _ = to.Send(g.T.Context(), m.message) // the killed process does not receive the answer
		}
	})
}

// advance moves every clock.
func (g *game) advance(d time.Duration) {
	g.standing.Lock()
	defer g.standing.Unlock()
	g.Operator.Advance(d)
	g.Advance(d)
	g.second.Reset()
}

// open returns how many messages are queued or being sent. A message that the operator has only
// accepted is not open, because no further status may come.
func (g *game) open() int {
	g.T.Helper()
	return g.Count(`select count(*) from message where status in ('queued', 'sending')`)
}

// judge compares the operator's record with the model.
func (g *game) judge(tier int) {
	g.T.Helper()
	type record struct {
		to       string
		status   messaging.Status
		accepted int
	}
	rows, err := g.Pool.Query(context.Background(), `select id, phone_number, status from message`)
	if err != nil {
		g.T.Fatal(err)
	}
	messages := map[string]*record{}
	for rows.Next() {
		var id uuid.UUID
		r := &record{}
		if err := rows.Scan(&id, &r.to, &r.status); err != nil {
			g.T.Fatal(err)
		}
		messages[id.String()] = r
	}
	var counting []sandbox.Send // sends that count for the operator: no failure was reported
	accepted := 0
	for _, s := range g.Operator.Sends() {
		if !s.Accepted {
			continue
		}
		accepted++
		messages[s.Reference].accepted++
		arrived := slices.Contains(s.Told, "delivered") || slices.Contains(s.Told, "read")
		if arrived || !slices.Contains(s.Told, "failed") {
			counting = append(counting, s)
		}
	}
	most := 0
	for i, s := range counting {
		within := map[string]bool{}
		for j := i; j >= 0 && s.At.Sub(counting[j].At) < messaging.Window; j-- {
			within[counting[j].Recipient] = true
		}
		most = max(most, len(within))
		if len(within) > tier {
			g.T.Fatalf("at %v the operator had %d recipients within 24 hours, and allows %d", s.At, len(within), tier)
		}
	}
	for id, m := range messages {
		switch {
		case m.accepted > 1:
			g.T.Errorf("message %s to %s was sent %d times", id, m.to, m.accepted)
		case m.accepted == 1 && m.status == messaging.Canceled,
			m.accepted == 0 && (m.status == messaging.Sent || m.status == messaging.Delivered ||
				m.status == messaging.Read):
			g.T.Errorf("message %s to %s is %s, and the operator has taken %d", id, m.to, m.status, m.accepted)
		case m.accepted == 1 && m.to[:5] == "+1312" && m.status != messaging.Delivered && m.status != messaging.Read:
			g.T.Errorf("message %s to %s was delivered, and is %s", id, m.to, m.status)
		}
	}
	lost := g.Count(
		`select count(*) from message where phone_number like '+1312%' and status = 'failed' and asked_at is null`,
	)
	if lost > 0 {
		g.T.Errorf("%d messages failed without having been sent", lost)
	}
	g.T.Logf("%d messages, %d accepted, at most %d of %d recipients within 24 hours", len(messages), accepted, most,
		tier)
	// Messages with an unknown outcome count for the product, but may not count for the operator.
	if most < tier*9/10 {
		g.T.Errorf("the limit was never nearly reached: %d of %d", most, tier)
	}
}
