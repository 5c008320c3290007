package gate

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/testwait"
)

// At the limit, messages to recipients in the window are sent. Messages to other recipients wait
// until the oldest recipients leave the window, and no message is lost.
func TestTheGateKeepsToTheLimit(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	lane := uuid.New()
	b.Fill(sandbox.Number250, 0, 100, 20*time.Hour)
	b.Fill(sandbox.Number250, 100, 145, 10*time.Hour)
	b.Queue(sandbox.Number250, lane, messagingtest.People(0, 5)...)    // in the window
	b.Queue(sandbox.Number250, lane, messagingtest.People(300, 20)...) // not in the window
	b.drain(b.svc)

	if got := b.Operator.State(); got.Accepted != 10 {
		t.Errorf("the operator has taken %d, want 5 in the window and 5 more", got.Accepted)
	}
	if n := b.Count(`select recipients from messaging_scope`); n != 250 {
		t.Errorf("%d recipients are counted, want 250", n)
	}
	// 5 of the oldest recipients got another message. The other 95 leave in 4 hours, and the 15
	// waiting messages are due then.
	if n := b.Count(`select count(*) from message where status = 'queued' and wait_reason = 'quota'
		and due_at between clock() + interval '3 hours 59 minutes' and clock() + interval '4 hours'`); n != 15 {
		t.Errorf("%d wait for about 4 hours, want 15", n)
	}
	b.CheckLedgers()

	b.Advance(4*time.Hour + time.Second)
	b.Operator.Advance(4*time.Hour + time.Second)
	b.drain(b.svc)
	if got := b.Operator.State(); got.Accepted != 25 {
		t.Errorf("the operator has taken %d of 25", got.Accepted)
	}
	if n := b.Count(`select recipients from messaging_scope`); n != 250-95+15 {
		t.Errorf("%d recipients are counted, want %d", n, 250-95+15)
	}
	b.CheckLedgers()
}

// A failed send frees quota at once, and the message that has waited longest gets it.
func TestAFailedSendMakesRoom(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	b.Fill(sandbox.Number250, 0, 249, time.Hour)
	refused := messagingtest.Scripted(10, 0)
	b.Queue(sandbox.Number250, uuid.New(), refused, messagingtest.Person(300), messagingtest.Person(301))
	b.drain(b.svc)
	b.drain(b.svc)
	if n := b.Count(
		`select count(*) from message
			where phone_number = $1 and status = 'failed' and counted_at is null and error_code = 131026`,
		refused,
	); n != 1 {
		t.Error("the refused message did not fail")
	}
	if n := b.Count(
		`select count(*) from message where phone_number = $1 and sent_at is not null`, messagingtest.Person(300),
	); n != 1 {
		t.Error("the next in the row was not sent in its place")
	}
	if n := b.Count(
		`select count(*) from message where phone_number = $1 and wait_reason = 'quota'`, messagingtest.Person(301),
	); n != 1 {
		t.Error("the last one does not wait")
	}
	b.CheckLedgers()
}

// A message that waits for quota no longer needs it when another message adds its recipient to the
// window.
func TestASecondMessageNeedsNoSlot(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	b.Fill(sandbox.Number250, 0, 1, 23*time.Hour)
	b.Fill(sandbox.Number250, 1, 249, time.Hour)
	first, second := uuid.New(), uuid.New()
	b.Queue(sandbox.Number250, first, messagingtest.People(300, 3)...)
	b.drain(b.svc)
	b.Queue(sandbox.Number250, second, messagingtest.Person(400), messagingtest.Person(300))
	b.drain(b.svc)
	if n := b.Count(`select count(*) from message where wait_reason = 'quota'`); n != 5 {
		t.Fatalf("%d wait, want 5", n)
	}
	b.Advance(time.Hour + time.Second)
	b.drain(b.svc) // there is quota for one recipient: for the first message
	b.Advance(pairGap)
	b.drain(b.svc)
	b.CheckLedgers()
	if n := b.Count(
		`select count(*) from message where sent_at is not null and phone_number = $1`, messagingtest.Person(300),
	); n != 2 {
		t.Error("the second message to one recipient waits for a slot")
	}
	if n := b.Count(
		`select count(distinct phone_number) from message where sent_at is not null and phone_number >= $1`,
		messagingtest.Person(300),
	); n != 1 {
		t.Errorf("%d recipients were added, want 1", n)
	}
}

// After a failed send, the recipient counts as of the send before it.
func TestAFailureFallsBackToTheSendBefore(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	b.Fill(sandbox.Number250, 0, 1, 20*time.Hour)
	m := b.NewMessage(sandbox.Number250, messagingtest.Person(0))
	b.drain(b.svc)
	if n := b.Count(`select count(*) from messaging_ledger where counted_at > clock() - interval '1 minute'`); n != 1 {
		t.Error("a second send does not move the recipient forward")
	}
	if _, err := b.svc.messages.Move(t.Context(), messaging.Move{
		ID: m.ID, Update: messaging.UpdateFailed, Code: 131026,
	}); err != nil {
		t.Fatal(err)
	}
	if n := b.Count(`select count(*) from messaging_ledger where counted_at < clock() - interval '19 hours'`); n != 1 {
		t.Error("the recipient does not count as of the first send")
	}
	b.CheckLedgers()
}

// Lanes take turns, however many messages a lane has.
func TestLanesTakeTurns(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	b.Fill(sandbox.Number250, 0, 240, time.Hour)
	large, small := uuid.New(), uuid.New()
	b.Queue(sandbox.Number250, large, messagingtest.People(1000, 200)...)
	b.drain(b.svc) // 10 are sent, 190 wait
	b.Queue(sandbox.Number250, small, messagingtest.People(2000, 3)...)
	b.NewMessage(sandbox.Number250, messagingtest.Person(3000))
	b.drain(b.svc) // all these messages wait
	if n := b.Count(`select count(*) from message where wait_reason = 'quota'`); n != 194 {
		t.Fatalf("%d wait, want 194", n)
	}
	// One statement, because the pass for a status that arrives meanwhile removes what has left the window.
	b.Exec(`
		with left_it as (
			update messaging_ledger set counted_at = clock() - interval '25 hours' where phone_number in (
				select phone_number from messaging_ledger order by counted_at limit 6)
			returning phone_number, counted_at)
		update message m set counted_at = l.counted_at from left_it l where l.phone_number = m.phone_number`)
	b.drain(b.svc)
	// The lanes get 3, 2 and 1 of the six available. Another pass begins with another turn.
	for lane, want := range map[uuid.UUID]int{large: 10 + 2, small: 1, b.Actor.OrganizationID: 1} {
		if n := b.Count(`select count(*) from message
			where lane = $1 and sent_at is not null and phone_number >= '+13122001000'`, lane); n < want {
			t.Errorf("%d of a lane were sent, want %d or more", n, want)
		}
	}
	b.CheckLedgers()
}

// A lowered limit stops the gate until enough recipients have left the window.
func TestALowerLimit(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account1K)
	b.Fill(sandbox.Number1K, 0, 260, 10*time.Hour)
	b.Fill(sandbox.Number1K, 260, 100, time.Hour)
	if err := b.Operator.SetTier(sandbox.Account1K, "TIER_250"); err != nil {
		t.Fatal(err)
	}
	b.Exec(`update messaging_connection set read_at = null`)
	b.Queue(sandbox.Number1K, uuid.New(), messagingtest.People(1000, 2)...)
	b.drain(b.svc)
	if got := b.Operator.State(); got.Accepted != 0 {
		t.Errorf("%d were sent beyond the limit", got.Accepted)
	}
	// 111 recipients must leave before the first message may be sent.
	if n := b.Count(
		`select count(*) from message
			where due_at between clock() + interval '13 hours 59 minutes' and clock() + interval '14 hours'`,
	); n != 2 {
		t.Errorf("%d wait for 14 hours, want 2", n)
	}
	q, err := b.svc.connections.Quota(t.Context(), b.Actor.OrganizationID)
	if err != nil || len(q) != 1 || q[0].Tier != 250 || q[0].Used != 360 || q[0].Available() != 0 {
		t.Errorf("%+v, %v", q, err)
	}
	b.CheckLedgers()
}

// A recipient gets at most one message in six seconds.
func TestPairs(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	for range 3 {
		b.NewMessage(sandbox.Number250, messagingtest.Person(1))
	}
	b.drain(b.svc)
	for want := 1; want <= 3; want++ {
		if got := b.Operator.State().Accepted; got != want {
			t.Errorf("%d were sent, want %d", got, want)
		}
		b.Advance(pairGap)
		b.drain(b.svc)
	}
	b.CheckLedgers()
}

func TestPace(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{1, 7, 20, 80, 1000} {
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		var at *time.Time
		var sent []time.Time
		for range 3000 { // passes, a millisecond apart
			p := paceOf(rate, at, now)
			for range p.budget() {
				p.take()
				sent = append(sent, now)
			}
			if p.taken {
				at = &p.at
				if ready := p.ready(); p.budget() == 0 && !ready.After(now) {
					t.Fatalf("rate %d: not ready, and ready at %v", rate, ready)
				}
			}
			now = now.Add(time.Millisecond)
		}
		for i := range sent {
			j, _ := slices.BinarySearchFunc(sent, sent[i].Add(time.Second), time.Time.Compare)
			if n := j - i; n > rate {
				t.Fatalf("rate %d: %d in a second", rate, n)
			}
		}
		if len(sent) < rate*2 {
			t.Errorf("rate %d: only %d in three seconds", rate, len(sent))
		}
	}
}

// A transaction that is creating a message keeps its number connected and in its scope,
// and stops no pass.
func TestCreatingLeavesTheGateAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	c := b.Connect(sandbox.Account250)
	first := b.NewMessage(sandbox.Number250, messagingtest.Person(1))
	tx, err := b.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	second, err := b.svc.messages.Create(t.Context(), tx, b.Actor, messaging.NewMessage{
		ExternalID: sandbox.Number250, To: messagingtest.Person(2),
		Template: messaging.TemplateInput{Name: "heads_up", Language: "en_US"},
	})
	if err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
	defer cancel()
	scopes, err := b.svc.ready(ctx)
	if err != nil || len(scopes) != 1 {
		t.Fatal(scopes, err)
	}
	l, err := b.svc.admit(ctx, scopes[0], 10)
	if err != nil || len(l.sends) != 1 || l.sends[first.ID].id != first.ID {
		t.Fatalf("admitted while a message is being created: %v, %v", l, err)
	}

	gone := make(chan error, 1)
	go func() { gone <- b.svc.connections.Disconnect(ctx, b.Actor, c.ID) }()
	for b.Count(
		`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
	) == 0 {
		select {
		case err := <-gone:
			t.Fatalf("disconnected while a message is being created: %v", err)
		case <-ctx.Done():
			t.Fatal(ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if err := <-gone; err != nil {
		t.Fatal(err)
	}
	if _, err := b.svc.messages.Create(ctx, b.Pool, b.Actor, messaging.NewMessage{
		ExternalID: sandbox.Number250, To: messagingtest.Person(3),
		Template: messaging.TemplateInput{Name: "heads_up", Language: "en_US"},
	}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("created on a disconnected number: %v", err)
	}
	if m, err := b.svc.messages.Get(ctx, b.Actor.OrganizationID, second.ID); err != nil ||
		m.Status != messaging.Queued {
		t.Errorf("%+v, %v", m, err)
	}
}
