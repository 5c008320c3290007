package messaging

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
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

// Templates that can't be read keep nobody from sending those that are known,
// nor from learning what may be sent.
func TestTemplatesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/message_templates") {
			http.Error(w, "broken", http.StatusInternalServerError)
			return
		}
		b.operator.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	c := b.connect(sandbox.Account250)
	b.svc.connections.client = cloud.New(cloud.Options{GraphURL: server.URL})
	b.svc.connections.forget(c.ID)
	b.Advance(listAge + time.Second)
	if err := b.svc.connections.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := b.count(`select count(*) from messaging_connection where read_at > clock() - interval '20 seconds' and last_error is not null`); n != 1 {
		t.Error("its numbers were not read, or nobody is told of the templates")
	}
	b.newMessage(sandbox.Number250, person(1))
	b.once(b.svc)
	if got := b.operator.State(); got.Accepted != 1 {
		t.Errorf("%d were sent, want 1", got.Accepted)
	}
	if _, err := b.svc.connections.Quota(t.Context(), b.actor.OrganizationID); err != nil {
		t.Error(err)
	}
}
