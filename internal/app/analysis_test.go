package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/webhook"
)

// A campaign calls a person on the sandbox. After the call, a language model analyzes it, and a webhook receives what
// it found.
func TestAnAnalysisOnTheSandbox(t *testing.T) {
	t.Parallel()
	received := make(chan []byte, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		received <- body
	}))
	t.Cleanup(receiver.Close)
	w := onSandbox(t, func(o *app.Options) {
		o.WebhookAllow = []string{"127.0.0.0/8"}
	})
	actor := account.System(w.OrganizationID)
	model, err := w.Models.Create(t.Context(), actor, connection.NewConnection{
		Name: "Sandbox", Provider: connection.Sandbox, Model: "sandbox",
	})
	if err != nil {
		t.Fatal(err)
	}
	agent, err := w.Projects.Agent(t.Context(), w.OrganizationID, w.AgentID)
	if err != nil {
		t.Fatal(err)
	}
	settings := project.AgentSettings{Name: agent.Name, Script: agent.Script}
	settings.Script.Analysis.ConnectionID = &model.ID
	if _, err := w.Projects.UpdateAgent(t.Context(), actor, w.AgentID, settings); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Projects.PublishAgent(t.Context(), actor, w.AgentID, project.Publishing{}); err != nil {
		t.Fatal(err)
	}
	_, _, err = w.Webhooks.Create(t.Context(), actor, webhook.Draft{
		ID: uuid.Must(uuid.NewV7()), Name: "Hook", URL: receiver.URL, Events: []string{string(webhook.CallAnalyzed)},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.campaign(t, []string{"+15005000001"})
	var e struct {
		Type string
		Data struct {
			ID       uuid.UUID
			Analysis call.Analysis
		}
	}
	select {
	case body := <-received:
		if err := json.Unmarshal(body, &e); err != nil {
			t.Fatal(err)
		}
	case <-time.After(testwait.Limit):
		t.Fatal("no event was delivered")
	}
	found := e.Data.Analysis.Fields["coming"]
	if a := e.Data.Analysis; e.Type != string(webhook.CallAnalyzed) || a.Status != conversation.Ready ||
		a.Method != call.ByModel || found.Value == nil || found.Quote == "" || a.Usage.InputTokens == 0 {
		t.Errorf("received %+v", e)
	}
	c, turns, err := w.Calls.Get(t.Context(), w.OrganizationID, e.Data.ID)
	if err != nil {
		t.Fatal(err)
	}
	if turns[found.Turn].Role != call.Recipient || c.Analysis.Summary != e.Data.Analysis.Summary {
		t.Errorf("the call has %+v, and the webhook received %+v", c.Analysis, e)
	}
}
