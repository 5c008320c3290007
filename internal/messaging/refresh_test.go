package messaging

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// However many accounts can't be read, the others are.
func TestBrokenAccountsHoldNobodyUp(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	other := b.organization("Other")
	b.exec(`insert into messaging_connection (id, organization_id, name, account, credentials)
		select gen_random_uuid(), $1, 'broken', i, '' from generate_series(1000, 1099) i`, other.OrganizationID)
	b.connect(sandbox.Account250)
	b.Advance(refreshAge + time.Second)
	for range 3 {
		if err := b.svc.connections.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := b.count(`select count(*) from messaging_connection where read_at > clock() - interval '20 seconds'`); n != 1 {
		t.Error("an account was not read because of others")
	}
	if n := b.count(`select count(*) from messaging_connection where last_error is not null`); n < refreshMax {
		t.Errorf("of %d accounts is said that they can't be read", n)
	}
}

// However often it is asked, a read that failed ends the use of the one before.
func TestNothingIsReusedAfterAFailure(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	c := b.connect(sandbox.Account250)
	for range freeReads + 1 {
		if _, err := b.svc.connections.Quota(t.Context(), b.actor.OrganizationID); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.operator.SetTrouble("", sandbox.Trouble{Kind: sandbox.Down}); err != nil {
		t.Fatal(err)
	}
	if err := b.svc.connections.RefreshConnection(t.Context(), b.actor, c.ID); err == nil {
		t.Fatal("it could be read")
	}
	for range 2 {
		if _, err := b.svc.connections.Quota(t.Context(), b.actor.OrganizationID); fault.KindOf(err) != fault.BadGateway {
			t.Errorf("the operator is down, and the quota is told (%v)", err)
		}
	}
}
