package api

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/seal"
)

// world is the API as it is served, on its own database.
type world struct {
	*pgtest.DB
	t        testing.TB
	app      *app.App
	options  []func(*app.Options)
	accounts *account.Service
	server   *httptest.Server
	tapes    tapes // the carrier's recordings
	log      *logBuffer
}

func newWorld(t testing.TB) *world {
	t.Helper()
	return serve(t, pgtest.New(t))
}

// second returns another instance on the same database.
func (w *world) second() *world {
	w.t.Helper()
	pool, err := postgres.Open(w.t.Context(), postgres.Options{URL: w.URL, MaxConns: 4, Prepare: pgtest.Unlock})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(pool.Close)
	return serve(w.t, &pgtest.DB{Pool: pool, URL: w.URL})
}

func serve(t testing.TB, db *pgtest.DB) *world {
	t.Helper()
	w := &world{DB: db, t: t, log: &logBuffer{}}
	w.server = httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(w.server.Close)
	w.wire(func(o *app.Options) {
		o.Log = slog.New(slog.NewJSONHandler(w.log, nil))
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return &w.tapes, nil }
	})
	return w
}

// wire rebuilds the product with additional options.
func (w *world) wire(set ...func(*app.Options)) {
	w.t.Helper()
	w.options = append(w.options, set...)
	w.app = apptest.New(w.t, w.Pool, Reference, w.options...)
	w.accounts = w.app.Accounts
	w.server.Config.Handler = w.app.Handler(Handler(w.app), http.NotFoundHandler())
}

// logBuffer is a log that tests can read while it is written.
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

// tenant is an organization with one object of each kind.
type tenant struct {
	w            *world
	organization uuid.UUID
	key          string // has all scopes
	project      uuid.UUID
	agent        uuid.UUID
	connection   uuid.UUID
	number       uuid.UUID
}

func (w *world) newTenant(name string) *tenant {
	w.t.Helper()
	ctx := w.t.Context()
	o, err := w.accounts.CreateOrganization(ctx, account.OrganizationSettings{Name: name})
	if err != nil {
		w.t.Fatal(err)
	}
	n := &tenant{w: w, organization: o.ID, project: newID(), agent: newID(), connection: newID(), number: newID()}
	n.key = n.newKey()
	always, err := json.Marshal(hours.Always())
	if err != nil {
		w.t.Fatal(err)
	}
	w.exec(`insert into project (id, organization_id, name, time_zone, region, calling_hours)
		values ($1, $2, 'Reminders', 'America/New_York', 'US', $3)`, n.project, n.organization, always)
	w.exec(`insert into agent (id, organization_id, name, language, script)
		values ($1, $2, 'Robin', 'en-US',
			'{"language": "en-US", "greeting": "Hello.", "questions": [{"key": "ok", "ask": "Well?", "expect": "yes_no"}]}')`,
		n.agent, n.organization)
	_, err = w.app.Projects.PublishAgent(ctx, account.System(n.organization), n.agent, project.Publishing{})
	if err != nil {
		w.t.Fatal(err)
	}
	w.exec(`insert into connection (id, organization_id, kind, name, account, credentials)
		values ($1, $2, 'sandbox', 'Sandbox', 'AC1', '')`, n.connection, n.organization)
	w.exec(`insert into phone_number (id, organization_id, connection_id, phone_number, name)
		values ($1, $2, $3, '+15005559000', 'Main line')`, n.number, n.organization, n.connection)
	return n
}

// newAgent creates one more agent.
func (n *tenant) newAgent() uuid.UUID {
	n.w.t.Helper()
	a, err := n.w.app.Projects.CreateAgent(n.w.t.Context(), account.System(n.organization), project.AgentSettings{
		Name: "Another", Script: conversation.Script{Language: "en-US", Greeting: "Hello."},
	})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return a.ID
}

// connectedNumber is the number, with a connection whose credentials can be read.
func (n *tenant) connectedNumber() uuid.UUID {
	n.w.exec(`update connection set credentials = $2 where id = $1`, n.connection,
		apptest.Vault(n.w.t).Seal([]byte(`{}`), seal.Cell{
			Organization: n.organization, Table: "connection", Column: "credentials", Row: n.connection.String(),
		}))
	return n.number
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.Pool.Exec(w.t.Context(), sql, args...); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
}

// count returns the number that a query selects.
func (w *world) count(sql string, args ...any) int {
	w.t.Helper()
	var n int
	if err := w.Pool.QueryRow(w.t.Context(), sql, args...).Scan(&n); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
	return n
}

// newKey creates a key with these scopes, or with all scopes if there are none.
func (n *tenant) newKey(scopes ...account.Scope) string {
	n.w.t.Helper()
	_, value, err := n.w.accounts.CreateKey(n.w.t.Context(), account.System(n.organization), account.NewKey{
		Name: "Test", Scopes: scopes,
	})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return value
}

// refill opens a new window for every key, for tests of other subjects than the rate
// limit.
func (w *world) refill() { w.exec(`update api_key_use set requests = 0`) }

// campaign returns the body of POST /campaigns with all fields.
func (n *tenant) campaign() map[string]any {
	return map[string]any{
		"name": "Spring", "project_id": n.project, "agent_id": n.agent, "phone_number_id": n.number,
		"recipients": []any{
			map[string]any{"phone_number": "+15005550001", "name": "Ana", "external_id": "1",
				"timezone": "America/Sao_Paulo",
				"consent": map[string]any{
					"basis": "contract", "at": "2026-01-07T12:00:00Z", "source": "web form", "expires_at": nil,
				},
				"variables": map[string]any{"date": "Monday"},
				"metadata":  map[string]any{"visits": 3, "first": false, "from": "crm"}},
			map[string]any{"phone_number": "+15005550002"},
		},
		"expires_at": time.Now().Add(48 * time.Hour).Format(time.RFC3339),
		"calling_hours": map[string]any{
			"timezone": "recipient",
			"windows":  []any{map[string]any{"days": []string{"mon"}, "start": "00:00", "end": "24:00"}},
		},
		"retry": map[string]any{"max_attempts": 3, "delays_minutes": []int{0, 60}, "on": []string{"busy"},
			"outcome_delays_minutes": map[string]any{
				"busy": []int{5, 15}, "no_answer": nil, "voicemail": nil, "failed": nil,
			}},
		"variables": map[string]any{"clinic": "Okafor"}, "metadata": map[string]any{"source": "crm"},
	}
}

// numberPool returns the body of POST /number-pools, with a new phone number.
func (n *tenant) numberPool() object {
	n.w.t.Helper()
	id := newID()
	n.w.exec(`insert into phone_number (id, organization_id, connection_id, phone_number)
		select $1, $2, $3, '+1500555' || 8000 + count(*) from phone_number`, id, n.organization, n.connection)
	return object{"name": "Local numbers " + id.String(), "phone_number_ids": []string{id.String()}}
}

// newNumberPool creates a pool and returns its id and settings. It takes the tenant's number out of
// its pool, because a number is in one pool only.
func (n *tenant) newNumberPool() (id string, settings object) {
	n.w.t.Helper()
	n.w.exec(`update phone_number set number_pool_id = null where id = $1`, n.number)
	settings = n.numberPool()
	return n.do("POST", "/number-pools", settings).want(http.StatusCreated).get("id").(string), settings
}

// projectBody returns the body of POST /projects.
func (n *tenant) projectBody() object { return object{"name": "Project " + newID().String()} }

// newProject creates a project and returns its id.
func (n *tenant) newProject() string {
	n.w.t.Helper()
	return n.do("POST", "/projects", n.projectBody()).want(http.StatusCreated).get("id").(string)
}

// phoneNumber returns the body of POST /phone-numbers.
func (n *tenant) phoneNumber() object {
	n.w.t.Helper()
	added := n.w.count(`select count(*) from phone_number`)
	return object{"connection_id": n.connection.String(), "phone_number": fmt.Sprintf("+1500555%d", 7000+added)}
}

// newNumber adds a phone number and returns its id.
func (n *tenant) newNumber() string {
	n.w.t.Helper()
	return n.do("POST", "/phone-numbers", n.phoneNumber()).want(http.StatusCreated).get("id").(string)
}

// destination returns the body of POST /destinations.
func (n *tenant) destination() object {
	return object{"project_id": n.project.String(), "name": "Desk " + newID().String(), "phone_number": "+13125550161"}
}

// newDestination creates a destination and returns its id and settings.
func (n *tenant) newDestination() (id string, settings object) {
	n.w.t.Helper()
	settings = n.destination()
	return n.do("POST", "/destinations", settings).want(http.StatusCreated).get("id").(string), settings
}

// carrierConnection returns the body of POST /carrier-connections.
func (n *tenant) carrierConnection() object {
	return object{"carrier": "sandbox", "name": "Sandbox " + newID().String()}
}

// newCarrierConnection creates a connection to the sandbox and returns its id.
func (n *tenant) newCarrierConnection() string {
	n.w.t.Helper()
	return n.do("POST", "/carrier-connections", n.carrierConnection()).want(http.StatusCreated).get("id").(string)
}

// modelConnection returns the body of POST /model-connections.
func (n *tenant) modelConnection() object {
	return object{"name": "Sandbox " + newID().String(), "provider": "sandbox", "model": "sandbox"}
}

// newModelConnection creates a model connection and returns its id.
func (n *tenant) newModelConnection() string {
	n.w.t.Helper()
	return n.do("POST", "/model-connections", n.modelConnection()).want(http.StatusCreated).get("id").(string)
}

// tool returns the body of POST /tools.
func (n *tenant) tool() object {
	return object{
		"name":        "tool_" + strings.ReplaceAll(newID().String(), "-", "_"),
		"description": "Looks something up.", "url": "https://example.com/tool",
		"parameters": object{"type": "object", "properties": object{"day": object{"type": "string"}}},
	}
}

// followUp returns the body of POST /follow-ups, for a new call.
func (n *tenant) followUp() object {
	return object{"call_id": n.newCall("+15005550001").String(), "reason": "Has a question about the invoice"}
}

// newFollowUp creates a follow-up and returns its id.
func (n *tenant) newFollowUp() string {
	n.w.t.Helper()
	return n.do("POST", "/follow-ups", n.followUp()).want(http.StatusCreated).get("id").(string)
}

// newMember adds a member and returns the user's id.
func (n *tenant) newMember() string {
	n.w.t.Helper()
	id := newID()
	n.w.exec(insertMember, n.organization, id, time.Now())
	return id.String()
}

// insertMember adds a member with a new user: the organization, the user's id and the time.
const insertMember = `
	with added as (
		insert into app_user (id, email, name, password_hash)
		values ($2::uuid, $2::text || '@example.com', 'Ada Okafor', ''))
	insert into membership (organization_id, user_id, role, created_at) values ($1::uuid, $2::uuid, 'staff', $3)`

// newTool creates a tool and returns its id.
func (n *tenant) newTool() string {
	n.w.t.Helper()
	return n.do("POST", "/tools", n.tool()).want(http.StatusCreated).get("id").(string)
}

// newCampaign creates a campaign and returns its id.
func (n *tenant) newCampaign() string {
	n.w.t.Helper()
	a := n.do("POST", "/campaigns", n.campaign())
	a.want(http.StatusCreated)
	return a.get("id").(string)
}

// newCall makes a call that was answered and has ended, with two turns.
func (n *tenant) newCall(to string) uuid.UUID {
	n.w.t.Helper()
	id := newID()
	n.w.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
		carrier_call_id,
			own_number, person_number, status, outcome, ended_reason, ended_by, answered_by, ring_timeout_seconds,
				max_duration_seconds,
			variables, metadata, analysis, transcript_text, started_at, ringing_at, answered_at, ended_at, settled_at)
		values ($1, $2, $3, $4, $5, $6, 'sandbox', 'CA1', '+15005559000', $7, 'completed', 'completed', 'completed',
			'agent', 'human', 30, 600,
			'{"date": "Monday"}', '{"visits": 3}',
			'{"status": "ready", "summary": "Confirmed.", "answers": {"confirmed": true, "guests": 2, "note": "none"}, "sentiment": "neutral", "successful": true, "opt_out": false}',
			'Agent: Hello.', clock(), clock(), clock() + interval '3 seconds', clock() + interval '33 seconds',
				clock())`,
		id, n.organization, n.project, n.agent, n.number, n.connection, to)
	n.w.exec(`insert into call_turn (call_id, index, organization_id, role, text, start_ms, end_ms)
		values ($1, 0, $2, 'agent', 'Hello.', null, null), ($1, 1, $2, 'recipient', 'Hello yourself.', 1200, 1900)`, id,
		n.organization)
	return id
}

// newLiveCall is a call in which an agent with a language model talks.
func (n *tenant) newLiveCall() string {
	n.w.t.Helper()
	number := fmt.Sprintf("+1500556%04d", n.w.count(`select count(*) from call`))
	id := n.newCall(number).String()
	n.w.exec(`alter table call disable trigger call_move`) // the test revives a call
	n.w.exec(`update call set status = 'in_progress', ended_at = null, outcome = null, settled_at = null,
		ended_reason = null, ended_by = null, asked_at = clock(), carrier_call_id = null where id = $1`, id)
	n.w.exec(`insert into call_line (call_id, organization_id, instance_id, turns, script, state)
		values ($1, $2, gen_random_uuid(), 2, '{"model": {}}', '{"phase": "talking"}')`, id, n.organization)
	return id
}

// analyzes makes a model analyze the calls of the tenant's agent.
func (n *tenant) analyzes() {
	n.w.t.Helper()
	agent := "/agents/" + n.agent.String()
	n.do("PATCH", agent, object{"analysis": object{"connection_id": n.newModelConnection()}}).want(http.StatusOK)
	n.do("POST", agent+"/publish", nil).want(http.StatusOK)
}

// webhook returns the body of POST /webhooks.
func (n *tenant) webhook() object {
	return object{
		"name": "CRM", "url": "https://hooks.example.com/dialwright",
		"events": []string{"call.*", "campaign.completed"},
	}
}

// newWebhook creates a webhook and returns its id.
func (n *tenant) newWebhook() string {
	n.w.t.Helper()
	return n.do("POST", "/webhooks", n.webhook()).want(http.StatusCreated).get("id").(string)
}

// newDelivery makes a delivery that has failed twice, once without an answer.
func (n *tenant) newDelivery(webhook string) string {
	n.w.t.Helper()
	id, event := newID(), newID()
	n.w.exec(`insert into event (id, organization_id, type, subject_id, payload, created_at)
		values ($1, $2, 'call.started', $1, $3, clock())`, event, n.organization, `{"id": "`+event.String()+`",
		"type": "call.started", "timestamp": "2026-11-21T09:30:32.000Z",
		"organization_id": "`+n.organization.String()+`",
		"project_id": null, "data": {"external_id": "1", "name": "Support", "tier": 1000, "used_24h": 900,
		"available": 100}}`)
	n.w.exec(`insert into delivery (id, organization_id, webhook_id, event_id, event_type, status, attempts,
		response_status, error, duration_ms)
		values ($1, $2, $3, $4, 'call.started', 'failed', 2, 503, 'The endpoint answered 503 Service Unavailable', 12)`,
		id, n.organization, webhook, event)
	n.w.exec(`insert into delivery_attempt (delivery_id, number, url, signed_at, signature, outcome, error, dns_ms,
		duration_ms, started_at)
		values ($1, 1, 'https://hooks.example.com', 1795203500, 'v1,x', 'dns',
			'The host name hooks.example.com does not resolve', 11.5, 12, clock())`, id)
	n.w.exec(`insert into delivery_attempt (delivery_id, number, url, signed_at, signature, outcome, error,
		remote_address, response_status,
			response_headers, response_body, dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms, started_at)
		values ($1, 2, 'https://hooks.example.com', 1795203505, 'v1,x', 'status',
			'The endpoint answered 503 Service Unavailable', '192.0.2.7', 503,
			'{"Content-Type": "text/plain"}', 'Later', 1, 2, 3, 4, 12, clock())`, id)
	return id.String()
}

// newEvent pauses a new campaign, while the organization lists its events, and returns the id of the event.
func (n *tenant) newEvent() string {
	n.w.t.Helper()
	n.w.exec(`insert into event_reader (organization_id, read_at) values ($1, clock()) on conflict do nothing`,
		n.organization)
	campaign := n.newCampaign()
	n.do("POST", "/campaigns/"+campaign+"/pause", nil).want(http.StatusOK)
	var id string
	err := n.w.Pool.QueryRow(n.w.t.Context(), `
		select id::text from event where subject_id = $1 and type = 'campaign.paused'`, campaign).Scan(&id)
	if err != nil {
		n.w.t.Fatal(err)
	}
	return id
}

// request is a request to send. Its zero fields mean GET, no key, no body.
type request struct {
	method string
	path   string // below /api/v1
	header http.Header
	body   io.Reader
}

// do makes a request with the tenant's key. body is marshaled, unless it is a
// string or a reader.
func (n *tenant) do(method, path string, body any, header ...string) *answer {
	n.w.t.Helper()
	return n.w.do(method, path, n.key, body, header...)
}

func (w *world) do(method, path, key string, body any, header ...string) *answer {
	w.t.Helper()
	h := http.Header{}
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	r := request{method: method, path: path, header: h}
	switch b := body.(type) {
	case nil:
	case string:
		r.body = strings.NewReader(b)
	case io.Reader:
		r.body = b
	default:
		encoded, err := json.Marshal(b)
		if err != nil {
			w.t.Fatal(err)
		}
		r.body = bytes.NewReader(encoded)
	}
	return w.send(r)
}

// answer is an answer that was already checked against the description.
type answer struct {
	t      testing.TB
	what   string
	status int
	header http.Header
	body   string
}

var requestIDs sync.Map

func (w *world) send(r request) *answer {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), r.method, w.server.URL+"/api/v1"+r.path, r.body)
	if err != nil {
		w.t.Fatal(err)
	}
	if r.header != nil {
		req.Header = r.header
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatalf("%s %s: %v", r.method, r.path, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatalf("%s %s: %v", r.method, r.path, err)
	}
	a := &answer{
		t: w.t, what: r.method + " " + r.path, status: resp.StatusCode, header: resp.Header, body: string(body),
	}

	// Every answer has these headers, even for paths outside the description.
	required := map[string]string{
		"X-Request-Id": `^[0-9a-f-]{36}$`, "X-RateLimit-Limit": `^60$`, "X-RateLimit-Remaining": `^[0-9]+$`,
		"X-RateLimit-Reset": `^[0-9]{10}$`,
		"RateLimit":         `^"default";r=[0-9]+;t=[0-9]+$`, "RateLimit-Policy": `^"default";q=60;w=60$`,
		"Content-Type": `^application/json$`, "Cache-Control": `^no-store(, no-transform)?$`,
	}
	if resp.StatusCode == http.StatusOK && strings.HasSuffix(req.URL.Path, "/export") {
		required["Content-Type"] = `^text/csv; charset=utf-8; header=present$`
	}
	if resp.StatusCode < 300 && strings.HasSuffix(req.URL.Path, "/recording") {
		required["Content-Type"] = `^audio/wav$`
	}
	if resp.StatusCode == http.StatusNoContent {
		if delete(required, "Content-Type"); len(body) > 0 {
			w.t.Errorf("%s: a body: %s", a.what, body)
		}
	}
	for name, pattern := range required {
		if v := resp.Header.Values(name); len(v) != 1 || !regexp.MustCompile(pattern).MatchString(v[0]) {
			w.t.Errorf("%s: the header %s is %q", a.what, name, v)
		}
	}
	if _, again := requestIDs.LoadOrStore(resp.Header.Get("X-Request-Id"), true); again {
		w.t.Errorf("%s: X-Request-Id is not new", a.what)
	}
	described, err := http.NewRequest(r.method, "/api/v1"+r.path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	describedAPI(w.t).check(w.t, described, resp.StatusCode, resp.Header, body)
	return a
}

func (a *answer) want(status int) *answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: status %d, want %d: %s", a.what, a.status, status, clipped(a.body))
	}
	return a
}

// refused checks for an error of exactly this status and text.
func (a *answer) refused(status int, text string) *answer {
	a.t.Helper()
	want, err := encode(problem{text})
	if err != nil {
		a.t.Fatal(err)
	}
	if a.status != status || a.body != string(want) {
		a.t.Errorf("%s: got  %d %s\nwant %d %s", a.what, a.status, clipped(a.body), status, want)
	}
	return a
}

func clipped(s string) string {
	if len(s) > 500 {
		return s[:500] + "…"
	}
	return strings.TrimSpace(s)
}

// get follows names and indexes into the JSON body.
func (a *answer) get(path ...any) any {
	a.t.Helper()
	var v any
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		a.t.Fatalf("%s: %v", a.what, err)
	}
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.(map[string]any)[p]
		case int:
			v = v.([]any)[p]
		}
	}
	return v
}

// table returns the rows of an export, by the names of its columns.
func (a *answer) table() (rows []map[string]string) {
	a.t.Helper()
	all, err := csv.NewReader(strings.NewReader(a.want(http.StatusOK).body)).ReadAll()
	if err != nil {
		a.t.Fatalf("%s: %v", a.what, err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[all[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

// data returns the rows of a list.
func (a *answer) data() []any {
	a.t.Helper()
	return a.want(http.StatusOK).get("data").([]any)
}

func (a *answer) String() string { return fmt.Sprintf("%s: %d %s", a.what, a.status, a.body) }

func pageOf(limit int) page.Request { return page.Request{Limit: limit} }

// recordedBy serves one request without a network.
func recordedBy(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}

// newMessage makes a delivered message of a number that is no longer connected.
func (n *tenant) newMessage(to string) uuid.UUID {
	n.w.t.Helper()
	id, connection, number, scope := newID(), newID(), newID(), newID()
	n.w.exec(`insert into messaging_connection (id, organization_id, name, account, credentials, disconnected_at)
		values ($1, $2, 'WhatsApp', '10001', '', clock())`, connection, n.organization)
	n.w.exec(`insert into messaging_scope (id, kind, external_id) values ($1, 'number', $2)`, scope, scope.String())
	n.w.exec(`insert into messaging_number (id, organization_id, connection_id, scope_id, external_id, disconnected_at)
		values ($1, $2, $3, $4, '20001', clock())`, number, n.organization, connection, scope)
	n.w.exec(`insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name,
		template_language, status,
			operator_id, sent_at, delivered_at)
		values ($1, $2, $3, $4, $2, $5, 'heads_up', 'en_US', 'delivered', 'wamid.1', clock(), clock())`, id,
		n.organization, number, scope, to)
	return id
}

// newTemplate stores a WhatsApp template that the operator lists, and returns its id. Its account is the tenant's, or
// one without numbers.
func (n *tenant) newTemplate() string {
	n.w.t.Helper()
	n.w.exec(`insert into messaging_connection (id, organization_id, name, account, credentials)
		select $1::uuid, $2::uuid, 'Templates', $1::text, ''
		where not exists (
			select from messaging_connection where organization_id = $2 and disconnected_at is null)`,
		newID(), n.organization)
	id := newID()
	n.w.exec(`insert into messaging_template (id, organization_id, connection_id, name, language, status, category,
			content)
		select $1::uuid, $2, c.id, $1::text, 'en_US', 'APPROVED', 'UTILITY', $3
		from messaging_connection c where c.organization_id = $2 and c.disconnected_at is null limit 1`,
		id, n.organization, cloud.Template{
			Name: id.String(), Language: "en_US", Category: "UTILITY", Status: "APPROVED",
			Header: cloud.Header{Format: "TEXT", Text: "Hello {{1}}"}, Body: "We call on {{1}}.", Footer: "Bye",
			Buttons: []cloud.TemplateButton{{Type: "URL", Text: "Choose", URL: "https://example.com/{{1}}"}},
		})
	return id.String()
}

// recipientsOf returns the ids of the recipients of a campaign, the last one first.
func (n *tenant) recipientsOf(campaign string) (ids []string) {
	n.w.t.Helper()
	for _, row := range n.do("GET", "/campaigns/"+campaign+"/recipients", nil).want(http.StatusOK).data() {
		ids = append(ids, row.(map[string]any)["id"].(string))
	}
	return ids
}
