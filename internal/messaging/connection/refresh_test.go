package connection_test

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// Any number of broken accounts does not delay reads of the others.
func TestBrokenAccountsHoldNobodyUp(t *testing.T) {
	t.Parallel()
	b := messagingtest.New(t, sandbox.Options{})
	other := b.NewOrganization("Other")
	b.Exec(`insert into messaging_connection (id, organization_id, name, account, credentials)
		select gen_random_uuid(), $1, 'broken', i, '' from generate_series(1000, 1099) i`, other.OrganizationID)
	b.Connect(sandbox.Account250)
	b.Advance(connection.RefreshAge + time.Second)
	for range 3 {
		if err := b.Connections.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := b.Count(
		`select count(*) from messaging_connection where read_at > clock() - interval '20 seconds'`,
	); n != 1 {
		t.Error("an account was not read because of others")
	}
	if n := b.Count(
		`select count(*) from messaging_connection where last_error is not null`,
	); n < connection.RefreshMax {
		t.Errorf("of %d accounts is said that they can't be read", n)
	}
}

// After a failed read, no earlier read is reused, however many quotas are asked for.
func TestNothingIsReusedAfterAFailure(t *testing.T) {
	t.Parallel()
	b := messagingtest.New(t, sandbox.Options{})
	c := b.Connect(sandbox.Account250)
	for range connection.FreeReads + 1 {
		if _, err := b.Connections.Quota(t.Context(), b.Actor.OrganizationID); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Operator.SetTrouble("", sandbox.Trouble{Kind: sandbox.Down}); err != nil {
		t.Fatal(err)
	}
	if err := b.Connections.RefreshConnection(t.Context(), b.Actor, c.ID); err == nil {
		t.Fatal("it could be read")
	}
	for range 2 {
		if _, err := b.Connections.Quota(t.Context(), b.Actor.OrganizationID); fault.KindOf(err) != fault.BadGateway {
			t.Errorf("the operator is down, and the quota is told (%v)", err)
		}
	}
}
