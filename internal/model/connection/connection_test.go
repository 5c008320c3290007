package connection_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/migrations"
)

const key = "sk-secret-of-the-model"

type world struct {
	*connection.Service
	t               *testing.T
	db              *pgtest.DB
	actor, stranger account.Actor
}

// newWorld makes a service that reaches the given hosts of this machine.
func newWorld(t *testing.T, hosts ...string) *world {
	t.Helper()
	w := &world{t: t, db: pgtest.New(t)}
	w.actor = account.System(w.db.NewTenant(t, "Acme", "+15005550000", "{}").OrganizationID)
	w.stranger = account.System(w.db.NewTenant(t, "Elsewhere", "+15005550009", "{}").OrganizationID)
	w.Service = w.process(connection.Options{}, hosts...)
	return w
}

// process makes the service of another process.
func (w *world) process(o connection.Options, hosts ...string) *connection.Service {
	w.t.Helper()
	vault, err := seal.NewVault(bytes.Repeat([]byte{7}, seal.MasterKeySize))
	if err != nil {
		w.t.Fatal(err)
	}
	o.Pool, o.Vault = w.db.Pool, vault
	if o.Guard, err = guard.NewModels(hosts); err != nil {
		w.t.Fatal(err)
	}
	return connection.New(o)
}

func (w *world) create(n connection.NewConnection) connection.Connection {
	w.t.Helper()
	c, err := w.Create(w.t.Context(), w.actor, n)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) get(id uuid.UUID) connection.Connection {
	w.t.Helper()
	c, err := w.Get(w.t.Context(), w.actor.OrganizationID, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) model(s *connection.Service, id uuid.UUID) connection.Client {
	w.t.Helper()
	m, err := s.Model(w.t.Context(), w.actor.OrganizationID, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.db.Pool.Exec(w.t.Context(), sql, args...); err != nil {
		w.t.Fatal(err)
	}
}

func openAI() connection.NewConnection {
	return connection.NewConnection{
		Provider: connection.OpenAICompatible, Name: "OpenAI", URL: "https://api.example.com/v1", Key: key,
		Model: "gpt-small", InputPrice: "0.40", CachedInputPrice: "0.1", OutputPrice: "1.6", Currency: "USD",
	}
}

func wantFault(t *testing.T, err error, kind fault.Kind, text string) {
	t.Helper()
	if fault.KindOf(err) != kind || err.Error() != text {
		t.Errorf("got %v, want %s", err, text)
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "vllm.internal:8000")
	for want, spoil := range map[string]func(*connection.NewConnection){
		"provider: must be openai_compatible, anthropic or sandbox": func(n *connection.NewConnection) {
			n.Provider = "x"
		},
		"name: required":  func(n *connection.NewConnection) { n.Name = " " },
		"model: required": func(n *connection.NewConnection) { n.Model = "" },
		"url: required":   func(n *connection.NewConnection) { n.URL = "" },
		"url: must be a public address (others are only for hosts within the operator's DIALWRIGHT_MODEL_HOSTS)": func(
			n *connection.NewConnection,
		) {
			n.URL = "https://10.0.0.5:8000/v1"
		},
		"url: must be an https URL (http is only for hosts within the operator's DIALWRIGHT_MODEL_HOSTS)": func(
			n *connection.NewConnection,
		) {
			n.URL = "http://api.example.com/v1"
		},
		"url: must not contain a query (?)": func(n *connection.NewConnection) { n.URL += "?a=b" },
		"url: must end before /chat/completions": func(n *connection.NewConnection) {
			n.URL += "/chat/completions/"
		},
		"key: must have at most 1,000 printable characters without spaces": func(n *connection.NewConnection) {
			n.Key = "a b"
		},
		"streams: must be between 1 and 10,000": func(n *connection.NewConnection) { n.Streams = new(int) },
		"input_price: must be a number with at most 6 decimals, such as 0.0075": func(n *connection.NewConnection) {
			n.InputPrice = "cheap"
		},
		"currency: required with a price": func(n *connection.NewConnection) { n.Currency = "" },
		"output_price: required with another price; 0 if it costs nothing": func(n *connection.NewConnection) {
			n.OutputPrice = ""
		},
		"input_price: required with another price; 0 if it costs nothing": func(n *connection.NewConnection) {
			n.InputPrice = ""
		},
		"url: must be empty: the sandbox is part of this server": func(n *connection.NewConnection) {
			n.Provider, n.Model, n.Key = connection.Sandbox, sandbox.Model, ""
		},
		"key: must be empty: the sandbox needs none": func(n *connection.NewConnection) {
			n.Provider, n.Model, n.URL = connection.Sandbox, sandbox.Model, ""
		},
		"key: required": func(n *connection.NewConnection) {
			n.Provider, n.Key = connection.Anthropic, ""
		},
		"model: must be a model of the sandbox, such as sandbox": func(n *connection.NewConnection) {
			n.Provider, n.URL, n.Key = connection.Sandbox, "", ""
		},
	} {
		n := openAI()
		spoil(&n)
		_, err := w.Create(t.Context(), w.actor, n)
		wantFault(t, err, fault.Invalid, want)
	}
}

func TestConnections(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "vllm.internal:8000")
	ctx := t.Context()
	c := w.create(openAI())
	if c.Streams != 20 || !c.HasKey || c.InputPrice != "0.4" || c.OutputPrice != "1.6" || c.Currency != "USD" {
		t.Errorf("%+v", c)
	}
	local := w.create(connection.NewConnection{
		Provider: connection.OpenAICompatible, Name: "Ours", URL: "http://vllm.internal:8000/v1/", Model: "qwen",
	})
	if local.HasKey || local.URL != "http://vllm.internal:8000/v1" || local.InputPrice != "" {
		t.Errorf("%+v", local)
	}
	claude := w.create(connection.NewConnection{
		Provider: connection.Anthropic, Name: "Anthropic", Key: key, Model: "claude",
	})
	if claude.URL != connection.AnthropicURL {
		t.Errorf("%+v", claude)
	}
	box := w.create(connection.NewConnection{
		Provider: connection.Sandbox, Name: "Sandbox", Model: sandbox.Model,
	})
	if box.URL != "" || box.HasKey {
		t.Errorf("%+v", box)
	}
	list, err := w.List(ctx, w.actor.OrganizationID, page.Request{Limit: 10})
	if err != nil || len(list.Data) != 4 || list.Data[0].ID != box.ID {
		t.Errorf("%+v, %v", list, err)
	}

	// Two active connections have no common name, whatever the case of its letters.
	for range 2 {
		_, err = w.Create(ctx, w.actor, connection.NewConnection{
			Provider: connection.Sandbox, Name: "OPENAI", Model: sandbox.Model,
		})
		wantFault(t, err, fault.Conflict, "Another model connection is named OPENAI")
		if f := fault.As(err).Fields; len(f) != 1 || f[0].Path != "name" {
			t.Errorf("%+v", f)
		}
	}
	_, err = w.Update(ctx, w.actor, box.ID, connection.Change{Name: new("Ours")}, nil)
	wantFault(t, err, fault.Conflict, "Another model connection is named Ours")
	if _, err := w.Create(ctx, w.stranger, openAI()); err != nil {
		t.Error(err)
	}

	// Another organization sees and changes nothing.
	const notFound = "Model connection not found"
	stranger := w.stranger.OrganizationID
	_, err = w.Get(ctx, stranger, c.ID)
	wantFault(t, err, fault.NotFound, notFound)
	_, err = w.Service.Model(ctx, stranger, c.ID)
	wantFault(t, err, fault.NotFound, notFound)
	_, err = w.Check(ctx, w.stranger, c.ID)
	wantFault(t, err, fault.NotFound, notFound)
	_, err = w.Update(ctx, w.stranger, c.ID, connection.Change{Name: new("Mine")}, nil)
	wantFault(t, err, fault.NotFound, notFound)
	wantFault(t, w.TryAgain(ctx, w.stranger, c.ID), fault.NotFound, notFound)
	wantFault(t, w.Deactivate(ctx, w.stranger, c.ID), fault.NotFound, notFound)
	if list, err := w.List(ctx, stranger, page.Request{Limit: 10}); err != nil || len(list.Data) != 1 {
		t.Errorf("%+v, %v", list, err)
	}

	// A key is never sent to a server that it was not entered for.
	_, err = w.Update(ctx, w.actor, c.ID, connection.Change{URL: new("https://evil.example.com/v1")}, nil)
	wantFault(t, err, fault.Invalid, "key: enter the value again because the server changed")
	_, err = w.Update(ctx, w.actor, c.ID, connection.Change{URL: new("https://api.example.com:8443/v1")}, nil)
	wantFault(t, err, fault.Invalid, "key: enter the value again because the server changed")
	changed, err := w.Update(ctx, w.actor, c.ID, connection.Change{
		Name: new("Renamed"), URL: new("https://api.example.com/v2"), Key: new(""), Streams: new(50),
		InputPrice: new(""), CachedInputPrice: new(""), OutputPrice: new(""),
	}, nil)

	if err != nil || changed.Name != "Renamed" || !changed.HasKey || changed.Streams != 50 || changed.Currency != "" ||
		changed.Model != c.Model {
		t.Errorf("%+v, %v", changed, err)
	}
	if _, err := w.Update(ctx, w.actor, c.ID, connection.Change{
		URL: new("https://other.example.com/v1"), Key: new(key + "2"),
	}, nil); err != nil {
		t.Error(err)
	}

	// The key is only stored sealed, and nowhere else.
	var dump string
	if err := w.db.Pool.QueryRow(ctx, `
		select (select string_agg(c::text || encode(c.key, 'escape'), ' ') from model_connection c)
			|| (select string_agg(a::text, ' ') from audit_entry a)`).Scan(&dump); err != nil ||
		strings.Contains(dump, key) || strings.Contains(fmt.Sprintf("%+v", changed), key) {
		t.Errorf("the key is in the clear, %v", err)
	}

	// A connection that an agent uses stays.
	for _, field := range []string{"connection_id", "fallback_connection_id"} {
		w.exec(`update agent set script = jsonb_build_object('model', jsonb_build_object($2::text, $3::text))
			where organization_id = $1`, w.actor.OrganizationID, field, c.ID)
		var agent string
		if err := w.db.Pool.QueryRow(ctx, `select name from agent where organization_id = $1`,
			w.actor.OrganizationID).Scan(&agent); err != nil {
			t.Fatal(err)
		}
		wantFault(t, w.Deactivate(ctx, w.actor, c.ID), fault.Conflict,
			"Connection Renamed is used by 1 agent: "+agent)
	}
	w.exec(`update agent set script = '{}'`)
	if err := w.Deactivate(ctx, w.actor, c.ID); err != nil {
		t.Error(err)
	}
	wantFault(t, w.Deactivate(ctx, w.actor, c.ID), fault.NotFound, notFound)
	_, err = w.Service.Model(ctx, w.actor.OrganizationID, c.ID)
	wantFault(t, err, fault.NotFound, notFound)
	var kept int
	if err := w.db.Pool.QueryRow(ctx, `select octet_length(key) from model_connection where id = $1`, c.ID).
		Scan(&kept); err != nil || kept != 0 {
		t.Errorf("%d bytes of the key are kept, %v", kept, err)
	}
	actions, err := postgres.Collect(ctx, w.db.Pool, pgx.RowTo[string], `
		select action from audit_entry where object_id = $1 order by id`, c.ID)
	want := []string{
		"model_connection.created", "model_connection.updated", "model_connection.updated",
		"model_connection.deactivated",
	}
	if err != nil || !slices.Equal(actions, want) {
		t.Errorf("audited %v, %v", actions, err)
	}
}

// server is a model server on this machine. It counts connections and keeps the keys that it sees.
type server struct {
	host        string
	connections atomic.Int32
	keys        chan string
}

func newServer(t *testing.T, answer http.HandlerFunc) *server {
	t.Helper()
	s := &server{keys: make(chan string, 100)}
	h := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.keys <- r.Header.Get("Authorization")
		answer(w, r)
	}))
	h.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.connections.Add(1)
		}
	}
	h.Start()
	t.Cleanup(h.Close)
	s.host = strings.TrimPrefix(h.URL, "http://")
	return s
}

func (s *server) connection() connection.NewConnection {
	n := openAI()
	n.Name, n.URL = uuid.NewString(), "http://"+s.host+"/v1"
	return n
}

const answered = `data: {"model":"gpt-small-2","choices":[{"delta":{"content":"working"},"finish_reason":"stop"}]}` +
	"\n\ndata: [DONE]\n\n"

func works(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answered) }

// ask requests one answer and returns its words.
func ask(ctx context.Context, m model.Model) (text string, last error) {
	for d, err := range m.Stream(ctx, model.Request{Messages: []model.Message{{Role: model.User, Text: "Hello?"}}}) {
		if words, ok := d.(model.Text); ok {
			text += string(words)
		}
		last = err
	}
	return text, last
}

// The client of a connection stays warm, and every process uses a change at once.
func TestModel(t *testing.T) {
	t.Parallel()
	s := newServer(t, works)
	w := newWorld(t, s.host)
	ctx := t.Context()
	c := w.create(s.connection())
	other := w.process(connection.Options{}, s.host)
	m := w.model(w.Service, c.ID)
	if err := m.Prewarm(ctx); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if text, err := ask(ctx, w.model(w.Service, c.ID)); text != "working" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
	}
	if n := s.connections.Load(); n != 1 {
		t.Errorf("%d connections for one warm client", n)
	}
	change := connection.Change{Name: new("Ours"), Key: new("sk-next")}
	if _, err := other.Update(ctx, w.actor, c.ID, change, nil); err != nil {
		t.Fatal(err)
	}
	next := w.model(w.Service, c.ID)
	if _, err := ask(ctx, next); err != nil || next.Connection.Name != "Ours" {
		t.Errorf("%+v, %v", next.Connection, err)
	}
	if text, err := ask(ctx, m); text != "working" || err != nil { // an engine may hold it for a turn
		t.Errorf("the older client: %q, %v", text, err)
	}
	for i, want := range []string{key, key, key, key, "sk-next", key} {
		if got := <-s.keys; got != "Bearer "+want {
			t.Errorf("request %d was made with %q, want %q", i, got, want)
		}
	}
	if err := other.Deactivate(ctx, w.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	_, err := w.Service.Model(ctx, w.actor.OrganizationID, c.ID)
	wantFault(t, err, fault.NotFound, "Model connection not found")
}

// What the guard refuses is not reached, even by a row from the time when it was allowed, and not by a
// redirect.
func TestRefusedAddresses(t *testing.T) {
	t.Parallel()
	inside := newServer(t, works)
	redirects := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+inside.host+"/v1/chat/completions", http.StatusTemporaryRedirect)
	})
	w := newWorld(t, inside.host, redirects.host)
	was, leads := w.create(inside.connection()), w.create(redirects.connection())
	now := w.process(connection.Options{}, redirects.host)
	for c, want := range map[*connection.Connection]string{
		&was:   "The address of the model server is refused: 127.0.0.1 may not be reached",
		&leads: "The model server answered with status 307",
	} {
		if _, err := ask(t.Context(), w.model(now, c.ID)); err == nil || err.Error() != want ||
			model.KindOf(err) != model.Unusable {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if n := inside.connections.Load(); n != 0 {
		t.Errorf("reached %d times", n)
	}
}

// What a connection is to blame for counts until it works. While nothing changes, nothing is written.
func TestHealth(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	c := w.create(openAI())
	m := w.model(w.Service, c.ID)
	fail := func(err error, want int) {
		t.Helper()
		if err := m.Failed(ctx, err); err != nil {
			t.Fatal(err)
		}
		if got := w.get(c.ID).Failures; got != want {
			t.Errorf("%d failures after %v, want %d", got, err, want)
		}
	}
	refused := &model.Error{
		Kind: model.Unusable, Reason: "The model server does not accept the key", Code: "invalid_api_key",
	}
	fail(refused, 1)
	fail(&model.Error{Kind: model.Unavailable, Reason: "The model server answered with status 500"}, 2)
	fail(&model.Error{Kind: model.Throttled, Reason: "The model server has too many requests"}, 2)
	pauses := func(want bool) {
		t.Helper()
		var got bool
		if err := w.db.Pool.QueryRow(ctx, `select coalesce(throttled_until > clock() + interval '30 minutes', false)
			from model_connection where id = $1`, c.ID).Scan(&got); err != nil || got != want {
			t.Errorf("it pauses: %t, %v", got, err)
		}
	}
	pauses(false)
	fail(&model.Error{Kind: model.Throttled, RetryAfter: time.Hour}, 2)
	fail(&model.Error{Kind: model.Throttled, RetryAfter: time.Second}, 2)
	pauses(true)
	fail(&model.Error{Kind: model.TooLong}, 2)
	fail(&model.Error{Kind: model.Invalid}, 2)
	fail(context.Canceled, 2)
	fail(context.DeadlineExceeded, 2)
	fail(refused, 3)
	fail(refused, 4)
	if w.get(c.ID).Failing() {
		t.Error("it fails too early")
	}
	fail(fmt.Errorf("answer a turn: %w", refused), 5)
	got := w.get(c.ID)
	if !got.Failing() || *got.LastError != "The model server does not accept the key (invalid_api_key)" ||
		got.LastErrorAt == nil || got.LastSuccessAt != nil {
		t.Errorf("%+v", got.Health)
	}
	if err := w.TryAgain(ctx, w.actor, c.ID); err != nil || w.get(c.ID).Failures != 0 || w.get(c.ID).LastError == nil {
		t.Errorf("%+v, %v", w.get(c.ID).Health, err)
	}

	pauses(false)

	row := func() (version string) {
		t.Helper()
		if err := w.db.Pool.QueryRow(ctx, `select xmin::text from model_connection where id = $1`, c.ID).
			Scan(&version); err != nil {
			t.Fatal(err)
		}
		return version
	}
	worked := func(writes bool) {
		t.Helper()
		before := row()
		if err := m.Worked(ctx); err != nil {
			t.Fatal(err)
		}
		if (row() != before) != writes {
			t.Errorf("a success writes: %t", !writes)
		}
		if got := w.get(c.ID); got.Failures != 0 || got.LastSuccessAt == nil {
			t.Errorf("%+v", got.Health)
		}
	}
	worked(true)
	worked(false)
	fail(refused, 1)
	worked(true)
	w.db.Advance(11 * time.Minute)
	worked(true)
	worked(false)

	// What was made with older settings says nothing about the new ones. New settings begin anew.
	fail(refused, 1)
	if _, err := w.Update(ctx, w.actor, c.ID, connection.Change{Name: new("Renamed")}, nil); err != nil {
		t.Fatal(err)
	}
	fail(refused, 1)
	m = w.model(w.Service, c.ID)
	fail(refused, 2)
	if _, err := w.Update(ctx, w.actor, c.ID, connection.Change{Model: new("gpt-large")}, nil); err != nil {
		t.Fatal(err)
	}
	if got := w.get(c.ID); got.Failures != 0 || got.LastError != nil || got.LastSuccessAt != nil {
		t.Errorf("%+v", got.Health)
	}
}

// A check says how fast the model is and whether it can call tools, or why it does not answer.
func TestCheck(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), `"tools"`) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"auto tool choice requires --enable-auto-tool-choice"}}`)
			return
		}
		works(w, r)
	})
	page := newServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html>")
	})
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	w := newWorld(t, s.host, page.host, gone.Addr().String())
	ctx := t.Context()
	box := httptest.NewServer(sandbox.New(sandbox.Options{Speed: 20}))
	t.Cleanup(box.Close)
	patient := w.process(connection.Options{SandboxURL: box.URL + "/v1", CheckTime: time.Minute}, s.host, page.host,
		gone.Addr().String())
	check := func(with *connection.Service, c connection.Connection) (connection.Result, connection.Connection) {
		t.Helper()
		r, err := with.Check(ctx, w.actor, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		got := w.get(c.ID)
		if got.CheckedAt == nil || (r.Error == "") != (got.CheckError == nil) ||
			r.Error != "" && r.Error != *got.CheckError {
			t.Errorf("%+v is kept as %+v", r, got.Health)
		}
		return r, got
	}
	onBox := func(name string) connection.Connection {
		return w.create(connection.NewConnection{Provider: connection.Sandbox, Name: uuid.NewString(), Model: name})
	}
	r, got := check(patient, onBox("sandbox"))
	if r.Error != "" || r.FirstToken < 15*time.Millisecond || r.Total <= r.FirstToken || !r.ToolCalls ||
		r.Model != "sandbox" || *got.FirstTokenMS != int(r.FirstToken.Milliseconds()) || !*got.ToolCalls ||
		got.LastSuccessAt == nil {
		t.Errorf("%+v, %+v", r, got.Health)
	}
	for name, want := range map[string]struct {
		text    string
		counted bool
	}{
		"sandbox-429":             {"The model server has too many requests (rate_limit_exceeded)", false},
		"sandbox-429-retry-after": {"The model server has too many requests (rate_limit_exceeded)", false},
		"sandbox-quota":           {"The account at the model server has used up its quota (insufficient_quota)", true},
		"sandbox-401":             {"The model server does not accept the key (invalid_api_key)", true},
		"sandbox-500":             {"The model server answered with status 500 (server_error)", true},
		"sandbox-error":           {"The model server answered with status 503 (server_error)", true},
		"sandbox-cut":             {"The answer of the model server broke off", true},
		"sandbox-refusal":         {"The model refused to answer", false},
	} {
		c := onBox(name)
		if r, got := check(patient, c); r.Error != want.text || (got.Failures == 1) != want.counted {
			t.Errorf("%s: %q, %d failures", name, r.Error, got.Failures)
		}
	}
	if r, _ := check(patient, onBox("sandbox-broken-json")); r.Error != "" || r.ToolCalls {
		t.Errorf("%+v", r)
	}
	hasty := w.process(connection.Options{SandboxURL: box.URL + "/v1", CheckTime: 100 * time.Millisecond}, s.host)
	for _, name := range []string{"sandbox-silent", "sandbox-stall"} {
		r, got := check(hasty, onBox(name))
		if r.Error != "The model did not answer within 0.1 seconds" || got.Failures != 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}

	if r, _ := check(patient, w.create(s.connection())); r.Error != "" || r.ToolCalls || r.Model != "gpt-small-2" {
		t.Errorf("without tools: %+v", r)
	}
	down := s.connection()
	down.URL = "http://" + gone.Addr().String()
	sealed := w.create(s.connection())
	w.exec(`update model_connection set key = '\x0102' where id = $1`, sealed.ID)
	for want, c := range map[string]connection.Connection{
		"The server at the address does not answer with an event stream": w.create(page.connection()),
		"The model server refused the connection":                        w.create(down),
		"The stored key can't be read. Enter it again":                   sealed,
	} {
		if r, got := check(patient, c); r.Error != want || got.Failures != 1 {
			t.Errorf("got %+v, want %s", r, want)
		}
	}
	const none = "This server runs without the sandbox. Start it with --sandbox"
	if r, _ := check(w.Service, onBox("sandbox")); r.Error != none {
		t.Errorf("%+v", r)
	}

	// A check that works ends the failures. A person who leaves learns nothing, and nothing counts.
	c := onBox("sandbox")
	w.exec(`update model_connection set failures = 7, last_error = 'down' where id = $1`, c.ID)
	left, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := patient.Check(left, w.actor, c.ID); !errors.Is(err, context.Canceled) || w.get(c.ID).Failures != 7 {
		t.Errorf("%v, %+v", err, w.get(c.ID).Health)
	}
	if _, got := check(patient, c); got.Failures != 0 {
		t.Errorf("%+v", got.Health)
	}
}

// The stored URL of a connection leads to no other path than it says.
func TestURLsEndBeforeThePath(t *testing.T) {
	t.Parallel()
	var path string
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.Path
		works(w, r)
	})
	w := newWorld(t, s.host)
	n := s.connection()
	n.URL += "//"
	c := w.create(n)
	if _, err := url.Parse(c.URL); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(t.Context(), w.model(w.Service, c.ID)); err != nil || path != "/v1/chat/completions" {
		t.Errorf("%s, %v", path, err)
	}
}

// Connections that had the same name before it had to be unique are told apart.
func TestFormerNamesAreToldApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	w.exec(`drop index model_connection_name_unique`)
	first, second := w.create(openAI()), w.create(openAI())
	up, err := migrations.FS.ReadFile("000090_model_connection_name.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	w.exec(string(up))
	if got := w.get(first.ID).Name; got != "OpenAI" {
		t.Errorf("the first is named %s", got)
	}
	if got, want := w.get(second.ID).Name, "OpenAI (2, "+second.ID.String()[:8]+")"; got != want {
		t.Errorf("the second is named %s, want %s", got, want)
	}
	_, err = w.Create(ctx, w.actor, openAI())
	wantFault(t, err, fault.Conflict, "Another model connection is named OpenAI")
}
