package gate

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/testwait"
)

// Statuses of the operator are applied and emitted once, in any order, whether its answer
// was received or lost.
func TestStatusesOfTheOperator(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{Speed: 200})
	b.Connect(sandbox.Account250)
	b.Exec(
		`insert into webhook (id, organization_id, name, url, events, secret)
			values ($1, $2, 'all', '', '{message.*}', '')`,
		uuid.New(), b.Actor.OrganizationID,
	)
	want := map[int]messaging.Status{0: messaging.Read, 1: messaging.Sent, 2: messaging.Delivered, 3: messaging.Read,
		4: messaging.Read, 5: messaging.Delivered, 6: messaging.Failed, 7: messaging.Failed, 9: messaging.Sent,
		10: messaging.Failed, 11: messaging.Failed,
		61: messaging.Read, 63: messaging.Read, 64: messaging.Read, 66: messaging.Read, 60: messaging.Sending,
		62: messaging.Sending}
	for plan := range want {
		b.NewMessage(sandbox.Number250, messagingtest.Scripted(plan, 0))
	}
	for range 4 { // a number sends ten messages at once
		b.drain(b.svc)
	}
	for plan, status := range want {
		b.Eventually(1, `select count(*) from message where phone_number = $1 and status = $2`,
			messagingtest.Scripted(plan, 0), status)
	}
	if _, err := b.Operator.Await(t.Context(), func(s sandbox.State) bool { return s.Pending == 0 }); err != nil {
		t.Fatal(err)
	}
	for plan, status := range want {
		to := messagingtest.Scripted(plan, 0)
		if n := b.Count(`select count(*) from message where phone_number = $1 and status = $2`, to, status); n != 1 {
			t.Errorf("%s is not %s any more", to, status)
		}
		var events []string
		if err := b.Pool.QueryRow(t.Context(), `
			select coalesce(array_agg(e.type order by e.type), '{}') from event e join message m on m.id = e.subject_id
			where m.phone_number = $1 and e.payload::jsonb -> 'project_id' = 'null'`, to).Scan(&events); err != nil {
			t.Fatal(err)
		}
		expected := map[messaging.Status][]string{
			messaging.Sending: {}, messaging.Sent: {"message.sent"},
			messaging.Delivered: {"message.delivered", "message.sent"},
			messaging.Read:      {"message.delivered", "message.read", "message.sent"},
			messaging.Failed:    {"message.failed"},
		}[status]
		if status == messaging.Failed && plan < 10 {
			expected = []string{"message.failed", "message.sent"} // the message was accepted before
		}
		if !slices.Equal(events, expected) {
			t.Errorf("%s: told %v, want %v", to, events, expected)
		}
	}
	if n := b.Count(
		`select count(*) from do_not_call where channel = 'message' and source = 'message' and phone_number = $1`,
		messagingtest.Scripted(11, 0),
	); n != 1 {
		t.Error("who has stopped marketing messages is not on the list")
	}
	b.CheckLedgers()
}

// A recipient who answers "stop", or stops messages in the app, gets no more messages.
func TestARecipientStopsMessages(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{Speed: 200})
	b.Connect(sandbox.Account250)
	for _, plan := range []int{70, 71, 73} {
		b.NewMessage(sandbox.Number250, messagingtest.Scripted(plan, 0))
	}
	b.drain(b.svc)
	b.Eventually(2, `select count(*) from do_not_call where channel = 'message' and source = 'message'`)
	b.Eventually(1, `select count(*) from messaging_window where phone_number = $1`, messagingtest.Scripted(71, 0))
	if n := b.Count(`select count(*) from do_not_call where phone_number = $1`, messagingtest.Scripted(71, 0)); n > 0 {
		t.Error("who asks a question is on the list")
	}
	// These messages are queued without a check of the do-not-call list.
	b.Advance(time.Minute)
	b.Queue(sandbox.Number250, uuid.New(), messagingtest.Scripted(70, 0), messagingtest.Scripted(71, 0))
	b.drain(b.svc)
	if n := b.Count(
		`select count(*) from message where phone_number = $1 and status = 'failed' and attempts = 0`,
		messagingtest.Scripted(70, 0),
	); n != 1 {
		t.Error("somebody on the list was written to")
	}
	if n := b.Count(
		`select count(*) from message where phone_number = $1 and attempts = 1 and in_service_window`,
		messagingtest.Scripted(71, 0),
	); n != 1 {
		t.Error("a send within the service window is not noted as such")
	}
	_, err := b.svc.messages.Create(t.Context(), b.Pool, b.Actor, messaging.NewMessage{
		ExternalID: sandbox.Number250, To: messagingtest.Scripted(70, 0),
		Template: messaging.TemplateInput{Name: "heads_up", Language: "en_US"},
	})
	if err == nil || err.Error() != "The recipient is on the do-not-call list for messages" {
		t.Error(err)
	}
}

// The secret of a connection does not allow statuses of another organization's messages.
func TestAForeignStatusChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	m := b.NewMessage(sandbox.Number250, messagingtest.Scripted(9, 0))
	b.drain(b.svc)
	b.Actor = b.NewOrganization("Umbrella")
	theirs := b.Connect(sandbox.Account1K)
	err := b.svc.deliver(t.Context(), theirs.ID, []cloud.Event{
		cloud.Status{AccountID: sandbox.Account250, Reference: m.ID.String(), State: cloud.Read},
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := b.Count(`select count(*) from message where status = 'sent' and read_at is null`); n != 1 {
		t.Error("another organization's status was believed")
	}
}

// A refusal because of a number, a template or the credentials pauses it, shows the
// reason, and loses no message.
func TestRefusalsPause(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		plan  int
		table string
	}{{31, "messaging_number"}, {40, "messaging_connection"}, {52, "messaging_template"}} {
		t.Run(c.table, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.Connect(sandbox.Account250)
			b.NewMessage(sandbox.Number250, messagingtest.Scripted(c.plan, 0))
			b.drain(b.svc)
			if n := b.Count(
				`select count(*) from ` + c.table + ` where paused_until > clock() and paused_reason <> ''`,
			); n != 1 {
				t.Fatalf("%d are paused", n)
			}
			b.NewMessage(sandbox.Number250, messagingtest.Person(1))
			b.drain(b.svc)
			if got := b.Operator.State(); got.Requests != 1 {
				t.Errorf("%d requests", got.Requests)
			}
			if n := b.Count(`select count(*) from message where status = 'queued'`); n != 2 {
				t.Errorf("%d wait, want 2", n)
			}
			if n := b.Count(`select count(*) from audit_entry where action = $1`, c.table+".paused"); n != 1 {
				t.Errorf("%d entries in the audit log", n)
			}
			b.Exec(
				`update message set status = 'canceled', ended_at = clock(), due_at = null, wait_reason = null
					where phone_number = $1`,
				messagingtest.Scripted(c.plan, 0),
			)
			b.Advance(time.Hour + time.Second)
			b.drain(b.svc)
			if n := b.Count(`select count(*) from message where status = 'sent'`); n != 1 {
				t.Error("it does not go on after the pause")
			}
			if n := b.Count(`select count(*) from ` + c.table + ` where paused_reason is not null`); n > 0 &&
				c.table != "messaging_template" {
				t.Error("it is still said to be paused")
			}
			b.CheckLedgers()
		})
	}
}

// The events of a low or exhausted quota go to every organization that shares it.
func TestQuotaEvents(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{World: []sandbox.Portfolio{{ID: "900", Tier: "TIER_250",
		Accounts: []sandbox.Account{
			{
				ID: "10001",
				Numbers: []sandbox.Number{
					{ID: "20001", PhoneNumber: "+1 312-555-0122", Name: "Care"},
					{ID: "20002", PhoneNumber: "+1 312-555-0133", Name: "Offers"},
				},
			},
		}}}})
	b.Connect("10001")
	b.Exec(
		`insert into webhook (id, organization_id, name, url, events, secret)
			values ($1, $2, 'all', '', '{number.*}', '')`,
		uuid.New(), b.Actor.OrganizationID,
	)
	b.Fill("20001", 0, 224, time.Hour)
	for n, want := range []int{2, 2, 2} { // 225, 226, 227 of 250: one event for each number
		b.NewMessage("20001", messagingtest.Person(1000+n))
		b.drain(b.svc)
		if got := b.Count(`select count(*) from event where type = 'number.quota_low'`); got != want {
			t.Errorf("%d told after %d", got, 225+n)
		}
	}
	b.Queue("20002", uuid.New(), messagingtest.People(2000, 30)...)
	for range 5 {
		b.drain(b.svc)
	}
	if got := b.Count(`select count(*) from event where type = 'number.quota_exhausted'
		and payload::jsonb->'data' ?& array['external_id', 'name', 'tier', 'used_24h', 'available']
			and payload::jsonb->'data'->>'available' = '0'`); got != 2 {
		t.Errorf("%d are told that nothing is left", got)
	}
	if got := b.Count(`select count(*) from event where type = 'number.quota_low'`); got != 2 {
		t.Errorf("%d were told that it is low", got)
	}
	b.CheckLedgers()
}

// An outage of the operator loses no message and counts no recipient.
func TestAnOutage(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	b.Queue(sandbox.Number250, uuid.New(), messagingtest.People(0, 5)...)
	// Each of these messages is refused twice.
	b.Queue(sandbox.Number250, uuid.New(), messagingtest.Scripted(21, 0), messagingtest.Scripted(20, 0))
	for range 3 {
		b.drain(b.svc)
		b.Advance(time.Minute)
	}
	if n := b.Count(`select count(*) from message where status in ('sent', 'delivered', 'read')`); n != 7 {
		t.Errorf("%d of 7 were sent", n)
	}
	if n := b.Count(`select recipients from messaging_scope`); n != 7 {
		t.Errorf("%d recipients count, want 7", n)
	}

	b.Queue(sandbox.Number250, uuid.New(), messagingtest.People(10, 5)...)
	if err := b.svc.connections.Refresh(t.Context()); err != nil { // read the limit before the outage
		t.Fatal(err)
	}
	if err := b.Operator.SetTrouble("", sandbox.Trouble{Kind: sandbox.Refusing, Code: 131016}); err != nil {
		t.Fatal(err)
	}
	// A status of an earlier message may lock the scope for a moment.
	for deadline := time.Now().Add(testwait.Limit); b.once(b.svc) == 0 && time.Now().Before(deadline); {
	}
	if n := b.Count(
		`select count(*) from message
			where status = 'queued' and wait_reason = 'retry' and counted_at is null and error <> ''`,
	); n != 5 {
		t.Errorf("%d wait, want 5", n)
	}
	if n := b.Count(`select recipients from messaging_scope`); n != 7 {
		t.Errorf("%d recipients count, want 7", n)
	}
	if err := b.Operator.SetTrouble("", sandbox.Trouble{}); err != nil {
		t.Fatal(err)
	}
	b.Advance(time.Minute)
	b.drain(b.svc)
	if n := b.Count(`select count(*) from message where status in ('sent', 'delivered', 'read')`); n != 12 {
		t.Errorf("%d of 12 were sent", n)
	}
	b.CheckLedgers()
}

// A pause ends when the operator accepts a message over the paused number, connection or
// template.
func TestATemplateThatIsTakenAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	b.Exec(
		`update messaging_template set paused_reason = 'it was refused', paused_until = clock() + interval '1 hour'
			where name = 'heads_up'`,
	)
	b.NewMessage(sandbox.Number250, messagingtest.Person(1))
	b.drain(b.svc)
	if n := b.Count(`select count(*) from message where status = 'queued' and wait_reason = 'template'`); n != 1 {
		t.Fatal("the template is not paused")
	}
	b.Advance(time.Hour + time.Second)
	b.drain(b.svc)
	if n := b.Count(`select count(*) from messaging_template where paused_reason is not null`); n > 0 {
		t.Error("it is still said to be paused")
	}
	if n := b.Count(`select count(*) from audit_entry where action = 'messaging_template.resumed'`); n != 1 {
		t.Errorf("%d entries in the audit log", n)
	}
}

// A webhook that comes days late opens no service window, and closed windows are deleted.
func TestServiceWindows(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	c := b.Connect(sandbox.Account250)
	hear := func(from string, ago time.Duration) {
		t.Helper()
		err := b.svc.deliver(t.Context(), c.ID, []cloud.Event{cloud.Inbound{
			AccountID: sandbox.Account250, NumberID: sandbox.Number250, MessageID: "wamid.x", WaID: from,
			At: time.Now().Add(-ago)}})
		if err != nil {
			t.Fatal(err)
		}
	}
	hear("13125550001", 2*time.Minute)
	hear("13125550001", 30*time.Hour)
	hear("13125550002", 30*time.Hour)
	hear("13125550003", -time.Hour)
	if n := b.Count(
		`select count(*) from messaging_window where opened_at between clock() - interval '3 minutes' and clock()`,
	); n != 2 {
		t.Errorf("%d windows are open, want 2", n)
	}
	if err := b.svc.NewSender().clean(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := b.Count(`select count(*) from messaging_window`); n != 2 {
		t.Errorf("%d windows are kept, want 2", n)
	}
}

// A recipient who is added to the do-not-call list between admission and request gets no message.
func TestStoppedAtTheLastMoment(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	m := b.NewMessage(sandbox.Number250, messagingtest.Person(1))
	l := b.admitted(1)
	err := b.svc.messages.ApplyPreference(t.Context(), b.Actor.OrganizationID, cloud.Preference{
		WaID: strings.TrimPrefix(messagingtest.Person(1), "+"), Value: "stop",
	})
	if err != nil {
		t.Fatal(err)
	}
	b.svc.send(t.Context(), []sendable{l.sends[m.ID]})
	b.Advance(leaseTime + time.Second)
	if err := b.svc.NewSender().clean(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.drain(b.svc)
	if got := b.Operator.State(); got.Requests > 0 {
		t.Errorf("%d requests", got.Requests)
	}
	if got, err := b.svc.messages.Get(t.Context(), b.Actor.OrganizationID, m.ID); err != nil ||
		got.Status != messaging.Failed {
		t.Errorf("%+v, %v", got, err)
	}
	b.CheckLedgers()
}

// Each kind of refusal is counted separately.
func TestRefusalsAreCountedByTheirKind(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	m := b.NewMessage(sandbox.Number250, messagingtest.Scripted(12, 0))
	b.Exec(`update message set attempts = 150`) // the operator refused its number for a week
	for day := range nextTimes {
		b.drain(b.svc)
		want := messaging.Queued
		if day == nextTimes-1 {
			want = messaging.Failed
		}
		if got, err := b.svc.messages.Get(t.Context(), b.Actor.OrganizationID, m.ID); err != nil ||
			got.Status != want || got.Attempts != 151+day {
			t.Fatalf("day %d: %s after %d attempts (%v), want %s", day, got.Status, got.Attempts, err, want)
		}
		b.Advance(nextDay + time.Second)
	}
	b.CheckLedgers()
}

// An error of the product's database is not about the credentials, and pauses nothing.
func TestTroubleOfOurOwn(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	m := b.NewMessage(sandbox.Number250, messagingtest.Person(1))
	l := b.admitted(1)
	b.Exec(`alter table messaging_connection rename column credentials to unreadable`)
	b.process(b.Pool).send(t.Context(), []sendable{l.sends[m.ID]})
	b.Exec(`alter table messaging_connection rename column unreadable to credentials`)
	if n := b.Count(`select count(*) from messaging_connection where paused_reason is not null`); n > 0 {
		t.Error("the connection is paused")
	}
	if n := b.Count(`select count(*) from message where status = 'queued' and wait_reason = 'retry'`); n != 1 {
		t.Error("the message does not wait")
	}
	b.CheckLedgers()
}

// If templates cannot be read, known templates are still sent and quotas are still
// available.
func TestTemplatesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	b.API = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/message_templates") {
			http.Error(w, "broken", http.StatusInternalServerError)
			return
		}
		b.Operator.ServeHTTP(w, r)
	})
	b.Advance(10*time.Minute + time.Second) // templates are read again
	if err := b.svc.connections.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := b.Count(
		`select count(*) from messaging_connection
			where read_at > clock() - interval '20 seconds' and last_error is not null`,
	); n != 1 {
		t.Error("its numbers were not read, or nobody is told of the templates")
	}
	b.NewMessage(sandbox.Number250, messagingtest.Person(1))
	b.once(b.svc)
	if got := b.Operator.State(); got.Accepted != 1 {
		t.Errorf("%d were sent, want 1", got.Accepted)
	}
	if _, err := b.svc.connections.Quota(t.Context(), b.Actor.OrganizationID); err != nil {
		t.Error(err)
	}
}
