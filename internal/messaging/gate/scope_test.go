package gate

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// If the token may no longer see an account's portfolio, its numbers keep the shared limit, while
// they stay connected and after they are connected again.
func TestAPortfolioThatIsNoLongerNamed(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	c := b.Connect(sandbox.Account250)
	b.Fill(sandbox.Number250, 0, 100, time.Hour)
	b.HidePortfolios()
	if err := b.svc.connections.RefreshConnection(t.Context(), b.Actor, c.ID); err != nil {
		t.Fatal(err)
	}
	if n := b.Number(); !n.Shared || n.Used != 100 {
		t.Errorf("the number is %+v", n)
	}

	if err := b.svc.connections.Disconnect(t.Context(), b.Actor, c.ID); err != nil {
		t.Fatal(err)
	}
	b.Connect(sandbox.Account250)
	if n := b.Number(); !n.Shared || n.Used != 100 {
		t.Errorf("connected anew, the number is %+v", n)
	}
	b.CheckLedgers()
}

// Messages that were sent while the portfolio of a number was unknown count for the
// portfolio when it becomes known, with and without a new connection.
func TestAPortfolioThatBecomesKnown(t *testing.T) {
	t.Parallel()
	for _, reconnects := range []bool{false, true} {
		b := newBench(t, sandbox.Options{})
		naming := b.Operator
		b.HidePortfolios()
		c := b.Connect(sandbox.Account250)
		if n := b.Number(); n.Shared {
			t.Fatalf("the number is %+v", n)
		}
		b.Fill(sandbox.Number250, 0, 250, time.Hour)
		if reconnects {
			if err := b.svc.connections.Disconnect(t.Context(), b.Actor, c.ID); err != nil {
				t.Fatal(err)
			}
		}
		b.Operator = naming
		if reconnects {
			b.Connect(sandbox.Account250)
		} else {
			if err := b.svc.connections.RefreshConnection(t.Context(), b.Actor, c.ID); err != nil {
				t.Fatal(err)
			}
		}
		if n := b.Number(); !n.Shared || n.Used != 250 {
			t.Errorf("reconnects %v: the number is %+v", reconnects, n)
		}
		b.Queue(sandbox.Number250, uuid.New(), messagingtest.Person(1000))
		b.drain(b.svc)
		if got := b.Operator.State(); got.Accepted != 0 {
			t.Errorf("reconnects %v: %d were sent beyond the limit", reconnects, got.Accepted)
		}
		b.CheckLedgers()
	}
}

// A number with a limit of 0 is listed, and its messages wait.
func TestALimitOfNobody(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	if err := b.Operator.SetTier(sandbox.Account250, "TIER_0"); err != nil {
		t.Fatal(err)
	}
	q, err := b.svc.connections.Quota(t.Context(), b.Actor.OrganizationID)
	if err != nil || len(q) != 1 || q[0].Tier != 0 || q[0].Available() != 0 {
		t.Fatalf("%+v, %v", q, err)
	}
	b.Queue(sandbox.Number250, uuid.New(), messagingtest.People(0, 3)...)
	b.drain(b.svc)
	if n := b.Count(`select count(*) from message where status = 'queued' and wait_reason = 'quota'`); n != 3 {
		t.Errorf("%d wait, want 3", n)
	}
	if got := b.Operator.State(); got.Accepted != 0 {
		t.Errorf("%d were sent", got.Accepted)
	}
	b.CheckLedgers()
}

// A stored count that differs from the ledger is found and corrected.
func TestACountThatIsWrong(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	b.Fill(sandbox.Number250, 0, 20, 25*time.Hour)
	b.Fill(sandbox.Number250, 20, 5, time.Hour)
	for _, wrong := range []int{0, 3, 400} {
		b.Exec(`update messaging_scope set recipients = $1`, wrong)
		if err := b.svc.NewSender().clean(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := b.Count(`select recipients from messaging_scope`); n != 5 {
			t.Errorf("instead of %d it is %d, want 5", wrong, n)
		}
		b.CheckLedgers()
	}
}
