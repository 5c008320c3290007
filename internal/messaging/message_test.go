package messaging_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/google/uuid"
)

// A message belongs to the day, in the organization's zone, on which the operator
// accepted it or it failed.
func TestHistory(t *testing.T) {
	t.Parallel()
	b := messagingtest.New(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	n := b.Number()
	b.Exec(`update organization set time_zone = 'Pacific/Auckland' where id = $1`, b.Actor.OrganizationID)
	add := func(status, sent, ended string) {
		t.Helper()
		b.Exec(`insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name,
			template_language, status, sent_at, ended_at)
			select $1, $2, $3, $4, $2, '+1500', 't', 'en', $5, midnight + nullif($6, '')::interval,
				midnight + nullif($7, '')::interval
			from (select date_trunc('day',
				clock() at time zone 'Pacific/Auckland') at time zone 'Pacific/Auckland' as midnight) k`,
			uuid.Must(uuid.NewV7()), b.Actor.OrganizationID, n.ID, n.ScopeID, status, sent, ended)
	}
	add("delivered", "0 s", "")
	add("read", "0 s", "")
	add("sent", "-1 ms", "")
	add("failed", "-1 ms", "1 s")
	add("failed", "", "0 s")
	add("read", "-13 days", "")
	add("read", "-13 days -1 ms", "")
	add("canceled", "", "0 s")
	days, err := b.Messages.History(t.Context(), b.Actor.OrganizationID)
	if err != nil {
		t.Fatal(err)
	}
	if len(days) != messaging.HistoryDays {
		t.Fatalf("%d days", len(days))
	}
	for i, want := range map[int][3]int{0: {1, 0, 0}, 1: {0, 0, 0}, 12: {0, 1, 1}, 13: {2, 0, 1}} {
		if d := days[i]; [3]int{d.Delivered, d.Sent, d.Failed} != want {
			t.Errorf("day %d is %+v, want %v", i, d, want)
		}
	}
}

// Two requests with one ID make one message.
func TestCreateOnce(t *testing.T) {
	t.Parallel()
	b := messagingtest.New(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	n := messaging.NewMessage{
		ID: uuid.Must(uuid.NewV7()), ExternalID: sandbox.Number250, To: "+15005559000",
		Template: messaging.TemplateInput{Name: "heads_up", Language: "en_US", Variables: json.RawMessage(`{}`)},
	}
	m, err := b.Messages.Create(context.Background(), b.Pool, b.Actor, n)
	if err != nil || m.ID != n.ID {
		t.Fatalf("message %s (%v)", m.ID, err)
	}
	if _, err := b.Messages.Create(context.Background(), b.Pool, b.Actor, n); fault.KindOf(err) != fault.Conflict {
		t.Errorf("the second: %v", err)
	}
	for _, f := range []struct {
		filter messaging.Filter
		want   int
	}{
		{messaging.Filter{}, 1},
		{
			messaging.Filter{
				Template: "heads_up", NumberID: &m.NumberID,
				Statuses: []messaging.Status{messaging.Failed, messaging.Queued}, To: "+15005559000",
			},
			1,
		},
		{messaging.Filter{Template: "other"}, 0}, {messaging.Filter{NumberID: &n.ID}, 0},
	} {
		list, err := b.Messages.List(t.Context(), b.Actor.OrganizationID, f.filter)
		if err != nil || len(list.Data) != f.want {
			t.Errorf("%+v finds %d (%v), want %d", f.filter, len(list.Data), err, f.want)
		}
	}
}
