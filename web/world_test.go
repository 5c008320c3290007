package web

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/crypto/argon2"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/suppression/subscribed"
	"github.com/dialwright/dialwright/internal/webhook"
)

// world is a running dashboard with its own database.
type world struct {
	*pgtest.DB
	t        testing.TB
	app      *app.App
	options  []func(*app.Options)
	accounts *account.Service
	server   *httptest.Server
	operator *whatsapp.Operator // the operator of WhatsApp
	log      *logBuffer
	numbers  atomic.Int32 // how many phone numbers were made up
}

// freshNumber makes up a phone number that nobody else in this world has. Its last digits follow the prefix.
func (w *world) freshNumber(prefix string) string {
	return fmt.Sprintf("%s%0*d", prefix, len("+15025550100")-len(prefix), w.numbers.Add(1))
}

func newWorld(t testing.TB, set ...func(*app.Options)) *world {
	t.Helper()
	w := unstarted(t)
	operator, whatsApp := apptest.WhatsApp(t, slog.New(slog.DiscardHandler))
	w.operator = operator
	w.wire(append([]func(*app.Options){func(o *app.Options) {
		o.Log = slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		o.PublicURL = "http://" + w.server.Listener.Addr().String()
		o.WebhookAllow = []string{"127.0.0.0/8"}
		o.WhatsApp = whatsApp
	}}, set...)...)
	w.server.Start()
	t.Cleanup(w.server.Close)
	return w
}

// whatsappToken authorizes requests to the operator's accounts and signs its webhooks.
const whatsappToken = apptest.WhatsAppToken

// unstarted makes a world without a running server.
func unstarted(t testing.TB) *world {
	t.Helper()
	return &world{DB: pgtest.New(t), t: t, log: &logBuffer{}, server: httptest.NewUnstartedServer(nil)}
}

// wire makes the product again with additional options.
func (w *world) wire(set ...func(*app.Options)) {
	w.t.Helper()
	w.options = append(w.options, set...)
	w.app = apptest.New(w.t, w.Pool, api.Reference, w.options...)
	w.accounts = w.app.Accounts
	w.server.Config.Handler = w.app.Handler(api.Handler(w.app), Handler(w.app))
}

// logBuffer is a log that tests can read during writes.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.Pool.Exec(w.t.Context(), sql, args...); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
}

// value returns the result of a query for one value.
func value[T any](w *world, sql string, args ...any) T {
	w.t.Helper()
	var v T
	if err := w.Pool.QueryRow(w.t.Context(), sql, args...).Scan(&v); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
	return v
}

func (w *world) count(sql string, args ...any) int {
	w.t.Helper()
	return value[int](w, sql, args...)
}

// tenant is an organization with one object of each kind. The name of each object begins
// with the organization's name, so that a test can search a page for another
// organization's data.
type tenant struct {
	w            *world
	name         string
	organization uuid.UUID
	admin, staff person
	project      uuid.UUID
	agent        uuid.UUID
	connection   uuid.UUID
	number       uuid.UUID
}

type person struct {
	id    uuid.UUID
	email string
}

const password = "correct horse battery"

// passwordHash returns the hash of password, at a low cost for tests.
var passwordHash = sync.OnceValue(func() string {
	salt := []byte("salt of sixteen.")
	tag := argon2.IDKey([]byte(password), salt, 1, 64, 1, 32)
	return fmt.Sprintf("$argon2id$v=%d$m=64,t=1,p=1$%s$%s", argon2.Version,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(tag))
})

func (w *world) newTenant(name string) *tenant {
	w.t.Helper()
	n := &tenant{w: w, name: name, organization: newID(), project: newID(), agent: newID(), number: newID()}
	w.exec(`insert into organization (id, name, time_zone) values ($1, $2, 'America/Chicago')`, n.organization, name)
	n.admin, n.staff = n.newPerson("Ada", account.Admin), n.newPerson("Sam", account.Staff)
	always, err := json.Marshal(hours.Always())
	if err != nil {
		w.t.Fatal(err)
	}
	w.exec(`insert into project (id, organization_id, name, time_zone, region, calling_hours)
		values ($1, $2, $3, 'America/New_York', 'US', $4)`, n.project, n.organization, name+" reminders", always)
	w.exec(`insert into agent (id, organization_id, name, language, script) values ($1, $2, $3, 'en-US',
		'{"language": "en-US", "greeting": "Hello.", "questions": [{"key": "ok", "ask": "Well?", "expect": "yes_no"}]}')`,
		n.agent, n.organization, name+" Robin")
	_, err = w.app.Projects.PublishAgent(w.t.Context(), n.actor(), n.agent, project.Publishing{})
	if err != nil {
		w.t.Fatal(err)
	}
	line := project.NewConnection{
		Kind: project.Sandbox, ConnectionSettings: project.ConnectionSettings{Name: name + " line"},
	}
	if !w.app.HasSandbox {
		line.Kind, line.Account, line.Token = project.Twilio, "AC"+strings.Repeat("0", 32), "token"
	}
	connection, err := w.app.Projects.CreateConnection(w.t.Context(), n.actor(), line)
	if err != nil {
		w.t.Fatal(err)
	}
	n.connection = connection.ID
	w.exec(`insert into phone_number (id, organization_id, connection_id, phone_number, name)
		values ($1, $2, $3, '+15005559000', $4)`, n.number, n.organization, n.connection, name+" care line")
	return n
}

func (n *tenant) newPerson(first string, role account.Role) person {
	n.w.t.Helper()
	p := person{id: newID(), email: strings.ToLower(first+"."+n.name) + "@example.com"}
	n.w.exec(`insert into app_user (id, email, name, password_hash) values ($1, $2, $3, $4)`, p.id, p.email,
		n.name+" "+first, passwordHash())
	n.w.exec(`insert into membership (organization_id, user_id, role) values ($1, $2, $3)`, n.organization, p.id, role)
	return p
}

func (n *tenant) actor() account.Actor {
	return account.Actor{
		OrganizationID: n.organization, Kind: account.ByUser, ID: n.admin.id, Name: n.name + " Ada",
		Role: account.Admin,
	}
}

// newCampaign makes a campaign with one recipient that starts tomorrow.
func (n *tenant) newCampaign() uuid.UUID {
	n.w.t.Helper()
	list := &intake.List{}
	list.Add(intake.Recipient{PhoneNumber: "+15005550001", Name: n.name + " Olu"})
	tomorrow := time.Now().Add(24 * time.Hour)
	c, err := n.w.app.Campaigns.Create(n.w.t.Context(), n.actor(), &campaign.Draft{
		Name: n.name + " spring", ProjectID: n.project.String(), AgentID: n.agent.String(),
		PhoneNumberID: n.number.String(),
		Recipients:    list, ScheduledAt: &tomorrow,
	})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return c.ID
}

// canceledCampaign creates a campaign that ended before its first call.
func (n *tenant) canceledCampaign() uuid.UUID {
	n.w.t.Helper()
	id := n.newCampaign()
	if _, err := n.w.app.Campaigns.Cancel(n.w.t.Context(), n.actor(), id); err != nil {
		n.w.t.Fatal(err)
	}
	return id
}

// recipientPath returns the path of an action on the recipient of a new campaign.
func recipientPath(action string) func(*tenant) string {
	return func(n *tenant) string {
		n.w.t.Helper()
		id := n.newCampaign()
		list, err := n.w.app.Campaigns.Recipients(n.w.t.Context(), n.organization, id, campaign.RecipientOptions{})
		if err != nil {
			n.w.t.Fatal(err)
		}
		return "/campaigns/" + id.String() + "/recipients/" + list.Data[0].ID.String() + action
	}
}

// newFollowUp creates an open follow-up of a call.
func (n *tenant) newFollowUp() uuid.UUID {
	n.w.t.Helper()
	id := newID()
	n.w.exec(`insert into follow_up (id, organization_id, project_id, call_id, kind, reason)
		values ($1, $2, $3, $4, 'wants_human', 'Asked to talk to a person')`,
		id, n.organization, n.project, n.newCall())
	return id
}

// doneFollowUp creates a follow-up that is done.
func (n *tenant) doneFollowUp() uuid.UUID {
	n.w.t.Helper()
	id := n.newFollowUp()
	n.w.exec(`update follow_up set status = 'done', done_at = clock(), done_by = 'Ada' where id = $1`, id)
	return id
}

// newCall makes an answered call that has ended, with two turns.
func (n *tenant) newCall() uuid.UUID {
	n.w.t.Helper()
	id := newID()
	n.w.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
		carrier_call_id,
			own_number, person_number, recipient_name, status, outcome, ended_reason, ended_by, answered_by,
				ring_timeout_seconds, max_duration_seconds,
			analysis, transcript_text, asked_at, started_at, ringing_at, answered_at, ended_at, settled_at)
		values ($1, $2, $3, $4, $5, $6, 'sandbox', 'CA1', '+15005559000', '+15005550001', $7, 'completed', 'completed',
			'completed', 'agent', 'human', 30, 600,
			'{"status": "ready", "summary": "Confirmed.", "answers": {"ok": true}, "sentiment": "neutral", "successful": true, "opt_out": false}',
			'Agent: Hello.', clock(), clock(), clock(), clock() + interval '3 seconds', clock() + interval '97 seconds',
				clock())`,
		id, n.organization, n.project, n.agent, n.number, n.connection, n.name+" Olu")
	n.w.exec(`insert into call_turn (call_id, index, organization_id, role, text, start_ms, end_ms)
		values ($1, 0, $2, 'agent', 'Hello.', 0, 900), ($1, 1, $2, 'recipient', 'Hello yourself.', 1200, 1900)`, id,
		n.organization)
	return id
}

// newLiveCall makes a call that has not ended, to a number of its own.
func (n *tenant) newLiveCall() uuid.UUID {
	n.w.t.Helper()
	id := newID()
	n.w.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
		own_number, person_number,
			recipient_name, status, ring_timeout_seconds, max_duration_seconds, asked_at, started_at, ringing_at,
				answered_at)
		values ($1, $2, $3, $4, $5, $6, 'sandbox', '+15005559000', $7, $8, 'in_progress', 30, 600, clock(), clock(),
			clock(), clock())`,
		id, n.organization, n.project, n.agent, n.number, n.connection, n.w.freshNumber("+1500"), n.name+" Olu")
	return id
}

// newDestination is a destination of the tenant's project.
func (n *tenant) newDestination() uuid.UUID {
	n.w.t.Helper()
	id := newID()
	n.w.exec(`insert into destination (id, organization_id, project_id, name, phone_number, hours, mode, record,
			ring_timeout_seconds)
		values ($1, $2, $3, $4, '+13125550161', '{"timezone": "UTC", "windows": [
			{"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "start": "00:00", "end": "24:00"}]}', 'warm',
			false, 10)`, id, n.organization, n.project, n.name+" desk "+digits(id, 7))
	return id
}

// newModeledCall is a call in which an agent with a language model talks, with a destination for it.
func (n *tenant) newModeledCall() uuid.UUID {
	n.w.t.Helper()
	n.newDestination()
	id := n.newLiveCall()
	n.w.exec(`insert into call_line (call_id, organization_id, instance_id, script, state)
		values ($1, $2, gen_random_uuid(), '{"model": {}}', '{"phase": "talking"}')`, id, n.organization)
	return id
}

// newScheduledCall schedules a call that belongs to no campaign.
func (n *tenant) newScheduledCall() uuid.UUID {
	n.w.t.Helper()
	at := time.Date(2030, time.January, 1, 9, 0, 0, 0, time.UTC)
	made, err := n.w.app.Campaigns.Call(n.w.t.Context(), account.System(n.organization), &campaign.CallDrafts{
		Calls: []*campaign.CallDraft{{
			To: n.w.freshNumber("+1312555"), Name: n.name + " Olu", ProjectID: n.project.String(),
			AgentID: n.agent.String(), PhoneNumberID: n.number.String(), ScheduledAt: &at,
		}},
	})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return made[0].ID
}

// digits returns n decimal digits from the random end of an ID.
func digits(id uuid.UUID, n int) string {
	var b strings.Builder
	for _, c := range id[16-n:] {
		b.WriteByte('0' + c%10)
	}
	return b.String()
}

func (n *tenant) newKey(name string) (id uuid.UUID, key string) {
	n.w.t.Helper()
	k, key, err := n.w.accounts.CreateKey(n.w.t.Context(), n.actor(), account.NewKey{Name: n.name + " " + name})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return k.ID, key
}

func (n *tenant) newSuppression() uuid.UUID {
	n.w.t.Helper()
	id := newID()
	n.w.exec(`insert into do_not_call (id, organization_id, phone_number, source, note, created_by)
		values ($1, $2, $3, 'user', $4, $5)`, id, n.organization, n.w.freshNumber("+1501"), n.name+" asked",
		n.name+" Ada")
	return id
}

// newHeldBackList makes the only subscribed list, whose last file is held back.
func (n *tenant) newHeldBackList() uuid.UUID {
	n.w.t.Helper()
	id := n.newSubscribedList()
	n.w.exec(`update subscribed_list set shrunk = true, failures = 1, last_error = held.why, held_back = held.why,
			last_error_at = clock()
		from (select 'The file has no readable phone number' as why) held where id = $1`, id)
	return id
}

// newSubscribedList makes the only subscribed list. Its address does not answer.
func (n *tenant) newSubscribedList() uuid.UUID {
	n.w.t.Helper()
	n.w.exec(`delete from subscribed_list where organization_id = $1`, n.organization)
	l, err := n.w.app.Lists.Create(n.w.t.Context(), n.actor(), subscribed.Draft{
		Name: n.name + " registry", URL: "https://lists.example.com/numbers.csv?of=" + n.name,
		Channels: suppression.Channels, EveryHours: 24, HeaderName: "Authorization",
		HeaderValue: new("Bearer of " + n.name),
	})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return l.ID
}

func subscribedListForm(name string) url.Values {
	return form("name", name, "url", "https://lists.example.com/other.csv", "channel", "both", "every_hours", "24")
}

// newWebhook makes a webhook that subscribes to every event. Its address does not answer.
func (n *tenant) newWebhook() webhook.Webhook {
	n.w.t.Helper()
	w, _, err := n.w.app.Webhooks.Create(n.w.t.Context(), n.actor(), webhook.Draft{
		Name: n.name + " bridge", URL: "https://hooks.example.com/in?of=" + n.name, Events: []string{"*"},
	})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return w
}

// newDelivery makes a test event that waits for its delivery to a new webhook.
func (n *tenant) newDelivery() webhook.Delivery {
	n.w.t.Helper()
	d, err := n.w.app.Webhooks.Test(n.w.t.Context(), n.actor(), n.newWebhook().ID, webhook.WebhookTest)
	if err != nil {
		n.w.t.Fatal(err)
	}
	return d
}

// newWhatsApp connects the account with the limit of 250, after it disconnects an earlier
// connection.
func (n *tenant) newWhatsApp() connection.Connection {
	n.w.t.Helper()
	n.noWhatsApp()
	c, err := n.w.app.WhatsApp.CreateConnection(n.w.t.Context(), n.actor(), connection.NewConnection{
		Account:  whatsapp.Account250,
		Settings: connection.Settings{Name: n.name + " account", Token: whatsappToken, AppSecret: whatsappToken},
	})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return c
}

// noWhatsApp disconnects the organization's WhatsApp accounts.
func (n *tenant) noWhatsApp() uuid.UUID {
	n.w.t.Helper()
	list, err := n.w.app.WhatsApp.Connections(n.w.t.Context(), n.organization, page.Request{})
	if err != nil {
		n.w.t.Fatal(err)
	}
	for _, c := range list.Data {
		if err := n.w.app.WhatsApp.Disconnect(n.w.t.Context(), n.actor(), c.ID); err != nil {
			n.w.t.Fatal(err)
		}
	}
	return uuid.Nil
}

// newTemplate makes a template without variables, in a newly connected account.
func (n *tenant) newTemplate() uuid.UUID {
	n.w.t.Helper()
	return n.template(n.newWhatsApp(), "heads_up", "en_US")
}

func (n *tenant) template(c connection.Connection, name, language string) uuid.UUID {
	n.w.t.Helper()
	return value[uuid.UUID](
		n.w, `select id from messaging_template where connection_id = $1 and name = $2 and language = $3`, c.ID, name,
		language,
	)
}

// newMessage makes a message that waits to be sent.
func (n *tenant) newMessage() uuid.UUID {
	n.w.t.Helper()
	n.newWhatsApp()
	m, err := n.w.app.Messaging.Create(n.w.t.Context(), n.w.Pool, n.actor(), messaging.NewMessage{
		ExternalID: whatsapp.Number250, To: "+15005559000",
		Template: messaging.TemplateInput{Name: "heads_up", Language: "en_US"},
	})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return m.ID
}
