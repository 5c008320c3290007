package dialer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/gate"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/seal"
)

// bench is an organization with everything a campaign needs.
type bench struct {
	*pgtest.DB
	svc         *campaign.Service
	actor       account.Actor
	project     uuid.UUID
	agent       uuid.UUID
	connection  uuid.UUID
	number      uuid.UUID
	network     *network
	calls       *call.Service
	calling     *Service
	messages    *messaging.Service
	connections *connection.Service
	gate        *gate.Service
	dialer      *Dialer
	settler     *Settler
	checks      *predial.Service // of the process that was made last
	operator    string           // the URL of whatsapp
	real        bool             // the servers take the operator for a real one
}

func newBench(t testing.TB) *bench {
	t.Helper()
	return benchOn(t, pgtest.New(t))
}

// benchOn creates one more organization in a database.
func benchOn(t testing.TB, db *pgtest.DB) *bench {
	t.Helper()
	b := &bench{DB: db}
	b.connectWhatsApp(cloud.Options{}, true)
	b.svc = b.service()
	n := db.NewTenant(t, "Acme", "+15005550000", "{}")
	b.actor = account.Actor{
		OrganizationID: n.OrganizationID,
		Kind:           account.ByUser,
		ID:             uuid.New(),
		Name:           "Ada",
		Role:           account.Admin,
	}
	b.project, b.agent, b.connection, b.number = n.ProjectID, n.AgentID, n.ConnectionID, n.PhoneNumberID
	b.network = &network{live: map[uuid.UUID]string{}, dialed: map[string]int{}}
	b.calls, b.dialer, b.settler = b.process(db.Pool)
	b.calling = New(Options{Pool: db.Pool, Hub: postgres.LocalHub(), Calls: b.calls})
	return b
}

// service returns the campaign service.
func (b *bench) service() *campaign.Service {
	return campaign.New(campaign.Options{Pool: b.Pool, Hub: postgres.LocalHub(), WhatsApp: b.connections})
}

// connectWhatsApp creates the messaging services.
func (b *bench) connectWhatsApp(o cloud.Options, off bool) {
	vault, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		panic(err) // the key has the right size
	}
	hub, log := postgres.LocalHub(), slog.New(slog.DiscardHandler)
	b.messages = messaging.New(messaging.Options{Pool: b.Pool, Hub: hub, Log: log, Off: off, Simulated: !b.real})
	b.connections = connection.New(connection.Options{
		Pool:     b.Pool,
		Vault:    vault,
		Hub:      hub,
		Log:      log,
		Messages: b.messages,
		Client:   cloud.New(o),
	})
	b.gate = gate.New(gate.Options{
		Pool:        b.Pool,
		Hub:         hub,
		Log:         log,
		Messages:    b.messages,
		Connections: b.connections,
	})
}

// process returns the services of another process with its own pool.
func (b *bench) process(pool *pgxpool.Pool) (*call.Service, *Dialer, *Settler) {
	log, hub := slog.New(slog.DiscardHandler), postgres.LocalHub()
	b.checks = newChecks(pool)
	calls := call.New(call.Options{
		Checks:   b.checks,
		Pool:     pool,
		Hub:      hub,
		Log:      log,
		Carriers: func(context.Context, uuid.UUID) (carrier.Carrier, error) { return b.network, nil },
	})
	dialer := NewDialer(LoopOptions{Pool: pool, Hub: hub, Calls: calls, Log: log})
	return calls, dialer, NewSettler(LoopOptions{Pool: pool, Hub: hub, Calls: calls, Log: log})
}

// network is the carrier of a bench. It accepts every call unless answer is set, and records its
// requests.
type network struct {
	carrier.Recordings // never asked for a recording
	carrier.Listening
	carrier.Prices

	answer func(carrier.Placement) error // nil: accept the call

	mu      sync.Mutex
	live    map[uuid.UUID]string // numbers of calls in progress
	dialed  map[string]int       // requests per number
	over    []uuid.UUID          // calls whose end was told
	most    int                  // most calls in progress at one time
	hangups []uuid.UUID          // hang-up requests
}

func (n *network) Place(_ context.Context, p carrier.Placement) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.answer != nil {
		if err := n.answer(p); err != nil {
			return "", err
		}
	}
	n.dialed[p.To]++
	n.live[p.CallID] = p.To
	n.most = max(n.most, len(n.live))
	return "CA" + p.CallID.String(), nil
}

func (n *network) Hangup(_ context.Context, ref carrier.Ref) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hangups = append(n.hangups, ref.CallID)
	return nil
}

// hungUp returns the calls with a hang-up request.
func (n *network) hungUp() []uuid.UUID {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.hangups)
}

// Lookup knows the calls in progress, so that none is lost when the machine is slow to tell how they go on.
func (n *network) Lookup(_ context.Context, ref carrier.Ref) (carrier.Report, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, ok := n.live[ref.CallID]; ok {
		return carrier.Report{CarrierCallID: "CA" + ref.CallID.String(), Phase: carrier.Waiting}, nil
	}
	if slices.Contains(n.over, ref.CallID) {
		return carrier.Report{}, errors.New("the end of the call is being told")
	}
	return carrier.Report{}, carrier.ErrUnknownCall
}

// up returns the calls in progress, ordered by ID.
func (n *network) up() []uuid.UUID {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.SortedFunc(maps.Keys(n.live), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
}

func (n *network) dials(number string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.dialed[number]
}

// dial runs one pass over everything that is due, and waits until the claimed calls are
// placed.
func (b *bench) dial(t testing.TB) {
	t.Helper()
	b.dialWith(t, b.dialer)
}

func (b *bench) dialWith(t testing.TB, d *Dialer) {
	t.Helper()
	if _, err := d.round(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	d.placing.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, f := range d.failing {
		if f.backoff != (loop.Backoff{}) { // else it was left alone, because another transaction had its row
			t.Fatalf("the pass over campaign %s failed", id)
		}
	}
}

// ends returns the carrier events of a call that ends with an outcome.
func ends(outcome call.Outcome) []carrier.Event {
	switch outcome {
	case call.OutcomeCompleted:
		return []carrier.Event{
			{Kind: carrier.Answered}, {Kind: carrier.Detected, AnsweredBy: carrier.Human},
			{Kind: carrier.Ended, Outcome: carrier.Completed},
		}
	case call.OutcomeVoicemail:
		return []carrier.Event{
			{Kind: carrier.Answered}, {Kind: carrier.Detected, AnsweredBy: carrier.Machine},
			{Kind: carrier.Ended, Outcome: carrier.Completed},
		}
	case call.OutcomeBusy:
		return []carrier.Event{{Kind: carrier.Ended, Outcome: carrier.Busy}}
	case call.OutcomeNoAnswer:
		return []carrier.Event{{Kind: carrier.Ringing}, {Kind: carrier.Ended, Outcome: carrier.NoAnswer}}
	case call.OutcomeFailed:
		return []carrier.Event{{Kind: carrier.Ended, Outcome: carrier.Failed}}
	}
	panic("no events for " + outcome)
}

// tell delivers carrier events of a call.
func (b *bench) tell(t testing.TB, id uuid.UUID, events ...carrier.Event) {
	t.Helper()
	connection := value[uuid.UUID](t, b, `select connection_id from call where id = $1`, id)
	for _, e := range events {
		e.ConnectionID, e.CallID, e.CarrierCallID, e.At = connection, id, "CA"+id.String(), time.Now()
		if e.Kind == carrier.Ended {
			b.network.mu.Lock()
			delete(b.network.live, id)
			b.network.over = append(b.network.over, id)
			b.network.mu.Unlock()
		}
		if err := b.calls.Deliver(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
}

// endAll ends every call in progress.
func (b *bench) endAll(t testing.TB, outcome call.Outcome) {
	t.Helper()
	for _, id := range b.network.up() {
		b.tell(t, id, ends(outcome)...)
	}
}

// settle settles all ended calls.
func (b *bench) settle(t testing.TB) {
	t.Helper()
	for {
		n, err := b.settler.batch(context.Background())
		if _, locked := errors.AsType[*lockedError](err); locked || lockTimedOut(err) {
			continue // as after a rest: what the test does beside has the row
		}
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

func (b *bench) get(t testing.TB, id uuid.UUID) campaign.Campaign {
	t.Helper()
	c, err := b.svc.Get(context.Background(), b.actor.OrganizationID, id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// recipients returns the recipients of a campaign by number.
func (b *bench) recipients(t testing.TB, id uuid.UUID) map[string]campaign.Recipient {
	t.Helper()
	all := map[string]campaign.Recipient{}
	o := campaign.RecipientOptions{Page: page.Request{Limit: page.MaxLimit}}
	for {
		list, err := b.svc.Recipients(context.Background(), b.actor.OrganizationID, id, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.Data {
			all[r.PhoneNumber] = r
		}
		if !list.HasMore {
			return all
		}
		o.Page.Cursor = *list.NextCursor
	}
}

// checkCounters compares the counters of a campaign with its rows in one snapshot.
func (b *bench) checkCounters(t testing.TB, id uuid.UUID) (c campaign.Campaign) {
	t.Helper()
	ctx := context.Background()
	err := pgx.BeginTxFunc(ctx, b.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) (err error) {
		if c, err = b.svc.In(tx).Get(ctx, b.actor.OrganizationID, id); err != nil {
			return err
		}
		var rows campaign.Counters
		statuses := map[campaign.RecipientStatus]*int{
			campaign.RecipientPending: &rows.Pending, campaign.RecipientDialing: &rows.Dialing,
			campaign.RecipientInProgress: &rows.InProgress,
			campaign.RecipientCompleted:  &rows.Completed, campaign.RecipientFailed: &rows.Failed,
			campaign.RecipientSkipped:  &rows.Skipped,
			campaign.RecipientCanceled: &rows.Canceled, campaign.RecipientExpired: &rows.Expired,
		}
		var status campaign.RecipientStatus
		var n int
		counts, err := tx.Query(ctx, `
			select case when status = 'dialing' and exists (
			         select from call where call.id = recipient.last_call_id and call.answered_at is not null)
			       then 'in_progress' else status end, count(*)
			from recipient where campaign_id = $1 group by 1`, id)
		if err != nil {
			return err
		}
		if _, err := pgx.ForEachRow(counts, []any{&status, &n}, func() error {
			*statuses[status] = n
			rows.Total += n
			return nil
		}); err != nil {
			return err
		}
		if c.Counters() != rows {
			t.Errorf("counters %+v, rows %+v", c.Counters(), rows)
		}
		err = tx.QueryRow(ctx, `
			select count(*) from recipient where campaign_id = $1 and status = 'completed' and outcome = 'voicemail'`,
			id).Scan(&n)
		if err != nil {
			return err
		}
		if c.CompletedByVoicemail != n {
			t.Errorf("%d recipients completed by voicemail, rows say %d", c.CompletedByVoicemail, n)
		}
		var placed, answered int
		err = tx.QueryRow(ctx, `
			select count(*) filter (where asked_at is not null and (settled_at is null or not ended_reason = any($2))),
				count(answered_at)
			from call where campaign_id = $1`,
			id, call.NotPlacedReasons).Scan(&placed, &answered)
		if c.CallsPlaced != placed || c.CallsAnswered != answered {
			t.Errorf("%d calls placed and %d answered, rows say %d and %d", c.CallsPlaced, c.CallsAnswered, placed,
				answered)
		}
		if err != nil {
			return err
		}
		var watched campaign.Compliance
		err = tx.QueryRow(ctx, `
			select count(*) filter (where not by_machine), count(*) filter (where ended_reason = 'opted_out'),
			       count(*) filter (where not by_machine and (ended_reason in ('line_failed', 'server_restart')
				or (
			           not exists (select from call_turn t where t.call_id = call.id and t.role = 'agent')
			           and (ended_by is distinct from 'recipient' or ended_at - answered_at >= interval '2 s')))),
			       count(*) filter (where ended_at - answered_at <= interval '6 s')
			from call, lateral (select outcome = 'voicemail' or ended_reason = 'line_failed'
				and answered_by is not distinct from 'machine' as by_machine) m
			where campaign_id = $1 and answered_at is not null and settled_at is not null`, id).Scan(
			&watched.AnsweredByPerson, &watched.OptedOut, &watched.Abandoned, &watched.ShortCalls)
		if err != nil {
			return err
		}
		if c.Compliance() != watched {
			t.Errorf("compliance %+v, rows say %+v", c.Compliance(), watched)
		}
		outcomes, err := b.svc.In(tx).Outcomes(ctx, b.actor.OrganizationID, id)
		if err != nil {
			return err
		}
		counted := map[call.Outcome]int{}
		var outcome call.Outcome
		const wasPlaced = `asked_at is not null and (ended_reason = any($2)) is not true`
		counts, err = tx.Query(ctx, `select outcome, count(*) from call
			where campaign_id = $1 and ended_at is not null and `+wasPlaced+` group by 1`, id, call.NotPlacedReasons)
		if err != nil {
			return err
		}
		if _, err := pgx.ForEachRow(counts, []any{&outcome, &n}, func() error {
			counted[outcome] = n
			return nil
		}); err != nil {
			return err
		}
		if !maps.Equal(outcomes, counted) {
			t.Errorf("outcomes %v, rows say %v", outcomes, counted)
		}
		intents, err := b.svc.In(tx).IntentCounts(ctx, b.actor.OrganizationID, id)
		if err != nil {
			return err
		}
		wanted := map[conversation.Intent]int{}
		var intent conversation.Intent
		counts, err = tx.Query(
			ctx, `select intent, count(*) from call where campaign_id = $1 and intent is not null group by 1`, id,
		)
		if err != nil {
			return err
		}
		if _, err := pgx.ForEachRow(counts, []any{&intent, &n}, func() error {
			wanted[intent] = n
			return nil
		}); err != nil {
			return err
		}
		if !maps.Equal(intents, wanted) {
			t.Errorf("intents %v, rows say %v", intents, wanted)
		}
		var hours, ended int
		err = tx.QueryRow(ctx, `
			select (select coalesce(sum(completed + no_answer + voicemail + busy + failed + canceled), 0)
				from call_hour where campaign_id = $1),
			       (select count(*) from call where campaign_id = $1 and settled_at is not null and `+wasPlaced+`)`,
			id, call.NotPlacedReasons).
			Scan(&hours, &ended)
		if err == nil && hours != ended {
			t.Errorf("%d placed calls in the hours of the campaign, %d are settled", hours, ended)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (b *bench) exec(t testing.TB, sql string, args ...any) {
	t.Helper()
	if _, err := b.Pool.Exec(context.Background(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// value reads one value.
func value[T any](t testing.TB, b *bench, sql string, args ...any) T {
	t.Helper()
	rows, _ := b.Pool.Query(context.Background(), sql, args...)
	v, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// paceAt returns when the next call may start by the pace of the only row of a table.
func (b *bench) paceAt(t testing.TB, table string) time.Time {
	t.Helper()
	return value[time.Time](t, b, `
		select greatest(p.last_at + coalesce(make_interval(secs => 1 / o.calls_per_second), '0'), p.rest_until)
		from pace p join `+table+` o on o.id = p.id`)
}

// rest suspends call starts of the connection for a while, and returns the end of the
// rest.
func (b *bench) rest(t testing.TB, d time.Duration) time.Time {
	t.Helper()
	if err := b.dialer.rest(t.Context(), b.connection, d); err != nil {
		t.Fatal(err)
	}
	return value[time.Time](t, b, `select rest_until from pace where id = $1`, b.connection)
}

// draft returns a campaign with n recipients of the sandbox's reserved block.
func (b *bench) draft(n int) *campaign.Draft { return b.draftFrom(0, n) }

// draftFrom is draft with other numbers, beginning with the one at first.
func (b *bench) draftFrom(first, n int) *campaign.Draft {
	d := &campaign.Draft{
		Name: "Spring", ProjectID: b.project.String(), AgentID: b.agent.String(), PhoneNumberID: b.number.String(),
		Recipients: &intake.List{},
	}
	for i := first; i < first+n; i++ {
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(i), Name: fmt.Sprintf("Person %d", i)})
	}
	return d
}

// testNumber returns the i-th of 10,000,000 different possible numbers.
func testNumber(i int) string { return fmt.Sprintf("+1312%07d", 2000000+i) }

func (b *bench) create(t testing.TB, d *campaign.Draft) campaign.Campaign {
	t.Helper()
	c, err := b.svc.Create(t.Context(), b.actor, d)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ptr[T any](v T) *T { return &v }
