package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/dialwright/dialwright/internal/account"
)

// bearer sends a key with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b != "" {
		r.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(r)
}

// assistant connects a client of the Model Context Protocol.
func (w *world) assistant(key string) *mcp.ClientSession {
	w.t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(w.t.Context(),
		&mcp.StreamableClientTransport{
			Endpoint: w.server.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer(key)},
			MaxRetries: -1, DisableStandaloneSSE: true,
		}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = session.Close() })
	return session
}

func toolsOf(t *testing.T, session *mcp.ClientSession) (names []string) {
	t.Helper()
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	return names
}

// use calls a tool and returns its answer, or its refusal.
func use(t *testing.T, session *mcp.ClientSession, name string, arguments any) (object, string) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		return nil, text
	}
	var answer object
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%s: %v: %s", name, err, text)
	}
	if structured, _ := result.StructuredContent.(map[string]any); structured["id"] != answer["id"] {
		t.Errorf("%s: the structured content is %v", name, structured)
	}
	return answer, ""
}

func TestAssistant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Umbrella")
	s := w.assistant(n.key)

	names := toolsOf(t, s)
	if len(names) != len(chosen) {
		t.Errorf("the tools are %q", names)
	}
	if me, why := use(t, s, "whoami", nil); why != "" || me["organization"].(map[string]any)["name"] != "Acme" {
		t.Errorf("%v, %s", me, why)
	}

	body := n.ownCall()
	body["idempotency_key"] = "once"
	first, why := use(t, s, "create_call", body)
	if why != "" {
		t.Fatal(why)
	}
	if again, why := use(t, s, "create_call", body); why != "" || again["id"] != first["id"] {
		t.Errorf("again: %v, %s", again["id"], why)
	}
	if got, why := use(t, s, "get_call", object{"id": first["id"]}); why != "" || got["status"] != "scheduled" {
		t.Errorf("%v, %s", got, why)
	}
	listed, why := use(t, s, "list_calls", object{"status": []string{"scheduled", "canceled"}, "limit": 5})
	if calls, _ := listed["data"].([]any); why != "" || len(calls) != 1 {
		t.Errorf("%v, %s", listed, why)
	}
	if found, why := use(t, s, "list_calls", object{"metadata": object{"source": "crm"}}); why != "" ||
		len(found["data"].([]any)) != 0 {
		t.Errorf("%v, %s", found, why)
	}

	for _, c := range []struct {
		session   *mcp.ClientSession
		tool      string
		arguments any
		want      string
	}{
		{w.assistant(other.key), "get_call", object{"id": first["id"]}, "404: Call not found"},
		{s, "get_call", object{}, "id: is required"},
		{s, "create_call", object{"to": "Ana"}, "400: to: "},
		{s, "create_call", object{"number": "Ana"}, `400: number: unknown field`},
		{s, "list_calls", object{"stauts": "completed"}, `stauts: unknown parameter`},
		{s, "get_campaign", object{"id": "../calls"}, "404: Campaign not found"},
	} {
		if _, why := use(t, c.session, c.tool, c.arguments); !strings.Contains(why, c.want) {
			t.Errorf("%s %v: %q, want %q", c.tool, c.arguments, why, c.want)
		}
	}
	if canceled, why := use(t, s, "cancel_call", object{"id": first["id"]}); why != "" ||
		canceled["ended_by_name"] != "Test" {
		t.Errorf("%v, %s", canceled, why)
	}
}

// A key has the tools of its scopes, and its messages count as requests.
func TestAssistantIsAKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	s := w.assistant(n.newKey(account.CallsRead))
	if names := toolsOf(t, s); !slices.Equal(names, []string{"get_call", "list_calls", "whoami"}) {
		t.Errorf("the tools are %q", names)
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "create_call", Arguments: n.ownCall()}); err == nil {
		t.Error("a tool beyond the key's scopes was called")
	}
	var refused error
	for used := 0; used < account.RateLimit && refused == nil; used++ {
		_, refused = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "whoami"})
	}
	if refused == nil || !strings.Contains(refused.Error(), "Too Many Requests") {
		t.Errorf("no rate limit: %v", refused)
	}
	w.refill()
	for _, key := range []string{"", "dw_wrong"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.server.URL+"/mcp",
			strings.NewReader(`{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		answer, err := bearer(key).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusUnauthorized || answer.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%q: %d, %q", key, answer.StatusCode, answer.Header.Get("WWW-Authenticate"))
		}
	}
}

// The tools are described well enough for a model, and briefly enough for its context.
func TestAssistantTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.assistant(w.newTenant("Acme").key)
	size := 0
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		size += len(encoded)
		t.Logf("%s: %d bytes", tool.Name, len(encoded))
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(schema), "$ref") || tool.Title == "" || tool.Description == "" {
			t.Errorf("%s: %s", tool.Name, encoded)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("tool.json", value); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Compile("tool.json"); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
	}
	if size > 100_000 {
		t.Errorf("the tools have %d bytes", size)
	}
}
