package connection_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/page"
)

// The numbers that people see agree with the gate: who counts, how many messages wait,
// and when there is quota again.
func TestNumbers(t *testing.T) {
	t.Parallel()
	b := messagingtest.New(t, sandbox.Options{})
	b.StopClock()
	var now time.Time
	if err := b.Pool.QueryRow(t.Context(), `select clock()`).Scan(&now); err != nil {
		t.Fatal(err)
	}
	if all, err := b.Connections.Numbers(t.Context(), b.Actor.OrganizationID); err != nil || len(all) != 0 {
		t.Fatalf("an organization without numbers has %v (%v)", all, err)
	}
	b.Connect(sandbox.Account250)
	n := b.Number()
	if n.Limit != 250 || n.Used != 0 || n.Available() != 250 || n.FreesAt != nil || !n.Shared || n.Others ||
		n.Tier != "TIER_250" || n.Quality != "GREEN" {
		t.Errorf("a new number is %+v", n)
	}
	b.Exec(`insert into messaging_ledger (scope_id, phone_number, counted_at, asked_at)
		select $1, '+1312' || 5550000 + i, clock() - interval '24 hours' + i * interval '1 minute', clock()
			from generate_series(1, 250) i`, n.ScopeID)
	b.Exec(`update messaging_scope set recipients = 250 where id = $1`, n.ScopeID)
	b.Exec(`insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name,
		template_language, due_at, wait_reason)
		select gen_random_uuid(), $1, $2, $3, $1, '+1500', 't', 'en', clock(), case when i % 2 = 0 then 'quota' end
			from generate_series(1, 7) i`,
		b.Actor.OrganizationID, n.ID, n.ScopeID)
	n = b.Number()
	if n.Used != 250 || n.Available() != 0 || n.Planned != 7 {
		t.Errorf("a number that is used up is %+v", n)
	}
	if wait := n.FreesAt.Sub(now); wait <= 0 || wait > time.Minute {
		t.Errorf("it has room in %s, want within a minute", wait)
	}
	// A limit that was lowered has room only when as many have left.
	b.Exec(`update messaging_scope set tier_limit = 240 where id = $1`, n.ScopeID)
	if wait := b.Number().FreesAt.Sub(now); wait <= 10*time.Minute || wait > 11*time.Minute {
		t.Errorf("with ten too many it has room in %s, want within eleven minutes", wait)
	}
	b.Exec(`update messaging_scope set tier_limit = 250 where id = $1`, n.ScopeID)
	trouble := func(want connection.Trouble) {
		t.Helper()
		if got, err := b.Connections.Trouble(t.Context(), b.Actor.OrganizationID); err != nil || got != want {
			t.Errorf("the trouble is %+v (%v), want %+v", got, err, want)
		}
	}
	trouble(connection.Trouble{Exhausted: 1})
	b.Exec(`update messaging_connection set last_error = 'it failed', last_error_at = clock()`)
	trouble(connection.Trouble{Exhausted: 1, Failing: 1})
	b.Advance(2 * time.Minute)
	trouble(connection.Trouble{Failing: 1})
	if n = b.Number(); n.Available() < 1 || n.Available() > 3 {
		t.Errorf("after two minutes %d places are free", n.Available())
	}
	if other := b.NewOrganization("Other"); other.OrganizationID != b.Actor.OrganizationID {
		all, err := b.Connections.Numbers(t.Context(), other.OrganizationID)
		if err != nil || len(all) != 0 {
			t.Errorf("another organization sees %v (%v)", all, err)
		}
	}
}

// An organization sees only its own templates, and none of a disconnected account.
func TestTemplates(t *testing.T) {
	t.Parallel()
	b := messagingtest.New(t, sandbox.Options{})
	c := b.Connect(sandbox.Account250)
	ctx, org := t.Context(), b.Actor.OrganizationID
	seen := map[uuid.UUID]bool{}
	r := page.Request{Limit: 2}
	for {
		list, err := b.Connections.Templates(ctx, org, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range list.Data {
			if seen[found.ID] || found.Content.Body == "" || found.Connection == "" {
				t.Errorf("listed: %+v", found)
			}
			seen[found.ID] = true
		}
		if list.NextCursor == nil {
			break
		}
		r.Cursor = *list.NextCursor
	}
	if want := len(sandbox.StandardTemplates()); len(seen) != want {
		t.Errorf("%d templates are listed, want %d", len(seen), want)
	}
	var id uuid.UUID
	for id = range seen {
		break
	}
	if _, err := b.Connections.Template(
		ctx, b.NewOrganization("Other").OrganizationID, id,
	); fault.KindOf(err) != fault.NotFound {
		t.Errorf("another organization's template: %v", err)
	}
	if found, err := b.Connections.Template(ctx, org, id); err != nil || found.ID != id {
		t.Errorf("one's own: %+v (%v)", found, err)
	}
	if err := b.Connections.Disconnect(ctx, b.Actor, c.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Connections.Template(ctx, org, id); fault.KindOf(err) != fault.NotFound {
		t.Errorf("after its connection: %v", err)
	}
}

// A person who asks for a read gets the present state, or an error.
func TestRefreshConnection(t *testing.T) {
	t.Parallel()
	b := messagingtest.New(t, sandbox.Options{})
	c := b.Connect(sandbox.Account250)
	if err := b.Operator.SetTier(sandbox.Account250, "TIER_1K"); err != nil {
		t.Fatal(err)
	}
	if err := b.Connections.RefreshConnection(t.Context(), b.Actor, c.ID); err != nil {
		t.Fatal(err)
	}
	if n := b.Number(); n.Limit != 1000 {
		t.Errorf("the limit is %d", n.Limit)
	}
	if err := b.Operator.SetTrouble(sandbox.Account250, sandbox.Trouble{Kind: sandbox.Down}); err != nil {
		t.Fatal(err)
	}
	if err := b.Connections.RefreshConnection(t.Context(), b.Actor, c.ID); fault.KindOf(err) != fault.BadGateway {
		t.Errorf("with the operator down: %v", err)
	}
	if n := b.Number(); n.LastError == nil {
		t.Error("nobody is told why")
	}
	other := b.NewOrganization("Other")
	for what, err := range map[string]error{
		"a refresh":  b.Connections.RefreshConnection(t.Context(), other, c.ID),
		"a callback": second(b.Connections.Callback(t.Context(), other.OrganizationID, c.ID)),
	} {
		if fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s of another organization: %v", what, err)
		}
	}
	back, err := b.Connections.Callback(t.Context(), b.Actor.OrganizationID, c.ID)
	if err != nil || back.URL != b.Hooks.URL+"/hooks/whatsapp/"+c.ID.String() || back.VerifyToken == "" {
		t.Errorf("the callback is %+v (%v)", back, err)
	}
}

func second[T any](_ T, err error) error { return err }

// Resubscribe asks for the webhooks again.
func TestResubscribe(t *testing.T) {
	t.Parallel()
	b := messagingtest.New(t, sandbox.Options{})
	c := b.Connect(sandbox.Account250)
	subscribed := func() bool {
		t.Helper()
		c, err := b.Connections.Connection(t.Context(), b.Actor.OrganizationID, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		return c.Subscribed
	}
	if !subscribed() {
		t.Fatal("it does not send its webhooks to begin with")
	}
	if err := b.Connections.Resubscribe(t.Context()); err != nil || subscribed() {
		t.Errorf("it is not to be asked again: %v", err)
	}
	if err := b.Connections.Refresh(t.Context()); err != nil || !subscribed() {
		t.Errorf("it was not asked again: %v", err)
	}
}
