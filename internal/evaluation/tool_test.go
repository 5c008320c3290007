package evaluation

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/call/line"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/tool"
)

// A tool of the organization is offered to the agent, but nobody asks its server: the case has the result.
func TestToolsAreNotRun(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a test asks the organization's server")
	}))
	t.Cleanup(server.Close)
	db := pgtest.New(t)
	vault, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	g, err := guard.New([]string{"127.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	tools := tool.New(tool.Options{Pool: db.Pool, Vault: vault, Guard: g, Version: "test"})
	s, connectionID := stageOn(t, db, tools)
	made, _, err := tools.Create(t.Context(), account.System(s.organization), tool.NewTool{
		Name: "opening_hours", Description: "Looks up when the clinic is open.", URL: server.URL,
		Parameters: json.RawMessage(`{"type":"object","properties":{"day":{"type":"string",
			"enum":["monday","tuesday"]}},"required":["day"]}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	script := agents("en", connectionID)["model"]
	held := *script.Model
	held.HTTPTools = []uuid.UUID{made.ID}
	script.Model = &held
	for result, want := range map[string]string{`{"open": "nine"}`: "nine", "": "ok: true"} {
		content := Content{
			Recipient: Persona{Steps: []Step{say("What are your opening hours on Tuesday?"), {Action: HangUp}}},
			Checks: []Check{
				{Kind: ToolCalled, Name: "opening_hours", Value: `{"day": "tuesday"}`},
				{Kind: Said, Value: want},
			},
		}
		if result != "" {
			content.ToolResults = map[string]json.RawMessage{"opening_hours": json.RawMessage(result)}
		}
		if err := (&CaseInput{Name: "A case", Content: content}).Validate(); err != nil {
			t.Fatal(err)
		}
		r, err := s.perform(t.Context(), "Robin", "Acme", script, content)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Passed() {
			t.Errorf("%+v\n%s", r.Findings, transcript(&r))
		}
	}
}

// All calls of one answer get their results, and the agent goes on.
func TestSeveralToolsAtOnce(t *testing.T) {
	t.Parallel()
	id := uuid.New()
	answers := []conversation.Thought{
		{Calls: []model.ToolCall{
			{ID: "1", Name: "look_up", Arguments: `{}`},
			{ID: "2", Name: "send_message", Arguments: `{"template":"hello","variables":{}}`},
		}},
		{Text: "Done."},
	}
	scene := Scene{
		Results: map[string]json.RawMessage{"look_up": json.RawMessage(`{"found": 1}`)},
		Mind: func(context.Context, conversation.State) line.Rehearsed {
			if len(answers) == 0 {
				return line.Rehearsed{Input: conversation.Unthought{}}
			}
			answer := answers[0]
			answers = answers[1:]
			return line.Rehearsed{Input: answer, FirstToken: time.Millisecond}
		},
	}
	script := agents("en", uuid.New())["model"]
	held := *script.Model
	held.HTTP = []conversation.HTTPTool{{ID: id, Name: "look_up", Parameters: json.RawMessage(`{"type":"object"}`)}}
	held.Messages = []conversation.MessageTemplate{{ID: id, Key: "hello", Name: "hello", Language: "en_US"}}
	script.Model = &held
	talk := scene.Begin(t.Context(), script, map[string]any{}, false)
	var got []string
	for _, m := range talk.State.Dialog.History {
		if m.Role == model.Result {
			got = append(got, m.Text)
		}
	}
	if want := []string{`{"found": 1}`, `{"ok":true}`}; !slices.Equal(got, want) {
		t.Errorf("the results are %q, want %q", got, want)
	}
	if len(talk.Tools) != 2 || talk.Tools[0].Name != "look_up" || talk.Tools[1].Name != "send_message" {
		t.Errorf("the tools are %+v", talk.Tools)
	}
	if last := talk.Turns[len(talk.Turns)-1]; last.Role != call.Agent || !strings.Contains(last.Text, "Done") {
		t.Errorf("the last turn is %+v", last)
	}
}

// Results are JSON that can be stored, by the names of tools.
func TestToolResultsOfACase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, result, want string }{
		{"look_up", `{"n": 12345678901234567890, "list": [1, null, "<a>"]}`, ""},
		{"look_up", `null`, ""},
		{"look up", `{}`, "tool_results: must have names of tools as keys"},
		{"look_up", `"` + "\\u0000" + `"`, "tool_results.look_up: must have no control character U+0000"},
		{"look_up", `[1e-99999]`, "tool_results.look_up: must have no control character U+0000 and no number"},
		{"look_up", `"` + strings.Repeat("x", 5000) + `"`, "tool_results.look_up: must have at most 5,000 bytes"},
	} {
		in := CaseInput{Name: "A case", Content: Content{
			Recipient:   Persona{Steps: []Step{say("Yes.")}},
			Checks:      []Check{{Kind: OptedOut}},
			ToolResults: map[string]json.RawMessage{c.name: json.RawMessage(c.result)},
		}}
		err := in.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.result, err, c.want)
		}
	}
}
