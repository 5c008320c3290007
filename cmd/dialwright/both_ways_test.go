package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
	model "github.com/dialwright/dialwright/internal/model/sandbox"
)

// wayCall is a call as the API prints it.
type wayCall struct {
	ID          string
	ToNumber    string `json:"to_number"`
	Status      string
	EndedReason string `json:"ended_reason"`
	EndedByName string `json:"ended_by_name"`
	Transfer    *struct{ State string }
	Resumes     *struct {
		CampaignID  string `json:"campaign_id"`
		RecipientID string `json:"recipient_id"`
		Completed   bool
	}
	TranscriptText string `json:"transcript_text"`
}

// A complete server is called: an integrator sets its number up at the carrier, a recipient whom the campaign did not
// reach calls back and answers, and a person who calls and opts out is not called at the time that was planned.
func TestPeopleCallAServer(t *testing.T) {
	t.Parallel()
	n := newSandboxed(t)
	agent := n.api.create("/agents", map[string]any{
		"name": "Robin", "language": "en-US", "greeting": "Hello, this is Acme.",
		"questions": []any{map[string]any{"key": "well", "ask": "Are you well?", "expect": "yes_no"}},
	})
	path := "/phone-numbers/" + n.number.ID.String() + "/inbound"
	var done any
	n.api.do(http.MethodPut, path, map[string]any{"action": "agent", "agent_id": agent}, &done)
	var plan struct{ Revision string }
	n.api.do(http.MethodGet, path+"/set-up", nil, &plan)
	n.api.do(http.MethodPost, path+"/set-up", map[string]any{"revision": plan.Revision}, &done)
	credentials, err := n.in.Projects.Credentials(n.ctx, n.number.ConnectionID)
	n.must(err)
	callIn := func(from, caller string) wayCall {
		t.Helper()
		n.must(sandbox.RequestCallIn(n.ctx, n.in.sandboxURL, n.in.sandboxToken, sandbox.CallIn{
			Account: credentials.Account, From: from, To: n.number.PhoneNumber.String(), Caller: caller,
		}))
		n.await(`select exists (select from call where person_number = $1 and direction = 'inbound'
			and settled_at is not null)`, from)
		var found struct{ Data []wayCall }
		n.api.do(http.MethodGet, "/calls?direction=inbound&limit=1", nil, &found)
		return found.Data[0]
	}

	const missed, planned = "+15005020001", "+13125550143"
	campaign := n.api.create("/campaigns", map[string]any{
		"name": "Spring", "project_id": n.project.ID, "agent_id": agent, "phone_number_id": n.number.ID,
		"recipients": []any{map[string]any{"phone_number": missed, "name": "Carla"}},
	})
	n.await(`select ended_at is not null from campaign where id = $1`, campaign)
	recipient := func() (r struct{ ID, Status string }) {
		t.Helper()
		var found struct{ Data []struct{ ID, Status string } }
		n.api.do(http.MethodGet, "/campaigns/"+campaign+"/recipients", nil, &found)
		return found.Data[0]
	}
	if r := recipient(); r.Status != "failed" {
		t.Fatalf("the recipient is %s", r.Status)
	}
	in, r := callIn(missed, "answers"), recipient()
	if in.EndedReason != "completed" || in.Resumes == nil || !in.Resumes.Completed || in.Resumes.RecipientID != r.ID ||
		in.Resumes.CampaignID != campaign || r.Status != "completed" {
		t.Errorf("the recipient is %s after %+v", r.Status, in)
	}

	own := n.api.create("/calls", map[string]any{
		"project_id": n.project.ID, "agent_id": agent, "phone_number_id": n.number.ID, "to": planned,
		"scheduled_at": time.Now().Add(24 * time.Hour),
	})
	if in := callIn(planned, "says_stop"); in.EndedReason != "opted_out" {
		t.Errorf("the caller who says stop: %+v", in)
	}
	var canceled wayCall
	n.api.do(http.MethodGet, "/calls/"+own, nil, &canceled)
	if canceled.Status != "canceled" {
		t.Errorf("the planned call is %s", canceled.Status)
	}
}

// An integrator joins live calls of a complete server: a note for the agent is spoken, a call is transferred, and one
// is ended. The people say nothing, so the calls last as long as the agent waits.
func TestLiveCallsAreJoined(t *testing.T) {
	t.Parallel()
	n := newSandboxed(t)
	connection, err := n.in.Models.Create(n.ctx, n.actor, modelconn.NewConnection{
		Provider: modelconn.Sandbox, Name: "Stand-in", Model: model.Model,
	})
	n.must(err)
	desk := n.api.create("/destinations", map[string]any{
		"project_id": n.project.ID, "name": "Front desk", "phone_number": "+15005700001",
	})
	agent := n.api.create("/agents", map[string]any{
		"name": "Clara", "kind": "model", "language": "en-US", "greeting": "Hello, this is Acme.", "nudges": 3,
		"questions": []any{map[string]any{"key": "well", "ask": "Are you well?", "expect": "yes_no"}},
		"model":     map[string]any{"connection_id": connection.ID, "instructions": "Ask whether they are well."},
	})
	// joined places calls until one lasts as long as it takes to join it, because the machine may be slow.
	tries := 0
	joined := func(join func(id string) (done bool)) (c wayCall) {
		t.Helper()
		for {
			tries++
			id := n.api.create("/calls", map[string]any{
				"project_id": n.project.ID, "agent_id": agent, "phone_number_id": n.number.ID,
				"to": fmt.Sprintf("+1500512%04d", tries),
			})
			n.await(`select exists (select from call_turn where call_id = $1 and role = 'agent')
				or exists (select from call where id = $1 and ended_at is not null)`, id)
			done := join(id)
			n.await(`select exists (select from call where id = $1 and settled_at is not null)`, id)
			if done {
				n.api.do(http.MethodGet, "/calls/"+id, nil, &c)
				return c
			}
		}
	}
	posted := func(id, action string, body any) bool {
		t.Helper()
		var answer any
		return n.api.ask(http.MethodPost, "/calls/"+id+action, body, &answer) != http.StatusConflict
	}
	c := joined(func(id string) bool {
		if !posted(id, "/notes", map[string]any{"text": "Tell her the nurse comes at four"}) {
			return false
		}
		n.await(`select exists (select from call_turn where call_id = $1 and role = 'agent' and text like '%at four%')
			or exists (select from call where id = $1 and ended_at is not null)`, id)
		return posted(id, "/hang-up", nil)
	})
	if c.EndedReason != "ended_by_user" || c.EndedByName != "Integration" ||
		!strings.Contains(c.TranscriptText, "Agent: The nurse comes at four.") {
		t.Errorf("the call with a note: %+v", c)
	}
	c = joined(func(id string) bool { return posted(id, "/transfer", map[string]any{"destination_id": desk}) })
	if c.EndedReason != "transferred" || c.Transfer == nil || c.Transfer.State != "ended" ||
		!strings.Contains(c.TranscriptText, "Front desk took the call") {
		t.Errorf("the call that was taken over: %+v", c)
	}
}
