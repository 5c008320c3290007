package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/webhook"
)

// integrator uses the API of a server with a key of one organization.
type integrator struct {
	t   *testing.T
	ctx context.Context
	url string
	key string
}

// do sends a request that succeeds, and decodes the answer.
func (i *integrator) do(method, path string, body, answer any) {
	i.t.Helper()
	if status := i.ask(method, path, body, answer); status == http.StatusConflict {
		i.t.Fatalf("%s %s: %d: %v", method, path, status, answer)
	}
}

// ask sends a request, decodes the answer and returns its status, which is a success or a conflict.
func (i *integrator) ask(method, path string, body, answer any) (status int) {
	i.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		i.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(i.ctx, method, i.url+"/api/v1"+path, bytes.NewReader(text))
	if err != nil {
		i.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+i.key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		i.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err = io.ReadAll(res.Body)
	if err == nil && res.StatusCode == http.StatusConflict {
		return res.StatusCode
	}
	if err != nil || res.StatusCode >= 300 {
		i.t.Fatalf("%s %s: %s, %v: %s", method, path, res.Status, err, text)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		i.t.Fatalf("%s %s: %v: %s", method, path, err, text)
	}
	return res.StatusCode
}

// create creates a resource and returns its ID.
func (i *integrator) create(path string, body map[string]any) string {
	i.t.Helper()
	var made struct{ ID string }
	i.do(http.MethodPost, path, body, &made)
	return made.ID
}

// sandboxed is a complete server with the sandbox, and an organization on it.
type sandboxed struct {
	t       *testing.T
	ctx     context.Context
	db      *pgtest.DB
	in      *instance
	actor   account.Actor
	api     *integrator
	project project.Project
	number  project.PhoneNumber
}

func newSandboxed(t *testing.T) *sandboxed {
	t.Helper()
	db := pgtest.New(t)
	return onSandbox(t, db, runSandboxed(t, db, "20"))
}

// onSandbox makes an organization on a database of a server.
func onSandbox(t *testing.T, db *pgtest.DB, in *instance) *sandboxed {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
	t.Cleanup(cancel)
	n := &sandboxed{t: t, ctx: ctx, db: db, in: in}
	o, err := n.in.Accounts.CreateOrganization(ctx, account.OrganizationSettings{
		Name: "Acme", TimeZone: "UTC", Region: "US",
	})
	n.must(err)
	n.actor = account.System(o.ID)
	_, key, err := n.in.Accounts.CreateKey(ctx, n.actor, account.NewKey{Name: "Integration"})
	n.must(err)
	n.api = &integrator{t: t, ctx: ctx, url: n.in.localURL, key: key}
	n.project, err = n.in.Projects.CreateProject(ctx, n.actor, project.Settings{
		Name: "Calls", TimeZone: "UTC", Region: "US", CallingHours: hours.Always(),
	})
	n.must(err)
	network, err := n.in.Projects.CreateConnection(ctx, n.actor, project.NewConnection{
		Kind: project.Sandbox, ConnectionSettings: project.ConnectionSettings{Name: "Sandbox"},
	})
	n.must(err)
	n.number, err = n.in.Projects.CreatePhoneNumber(ctx, n.actor, project.NewPhoneNumber{
		ConnectionID:   network.ID,
		PhoneNumber:    "+13125550100",
		NumberSettings: project.NumberSettings{Name: "Main line", Voice: true},
	})
	n.must(err)
	return n
}

func (n *sandboxed) must(err error) {
	n.t.Helper()
	if err != nil {
		n.t.Fatal(err)
	}
}

// await waits until a query returns true. A key of the API may not ask as often.
func (n *sandboxed) await(query string, args ...any) {
	n.t.Helper()
	for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
		var is bool
		n.must(n.db.Pool.QueryRow(n.ctx, query, args...).Scan(&is))
		if is {
			return
		}
	}
}

// transferredCall is a call as the API prints it.
type transferredCall struct {
	ID          string                              `json:"id"`
	CampaignID  string                              `json:"campaign_id"`
	ToNumber    string                              `json:"to_number"`
	Outcome     call.Outcome                        `json:"outcome"`
	EndedReason call.Reason                         `json:"ended_reason"`
	EndedBy     call.Party                          `json:"ended_by"`
	Transfer    *struct{ State call.TransferState } `json:"transfer"`
	Analysis    struct {
		Answers map[string]any
		Summary string
	} `json:"analysis"`
	Transcript []struct{ Role, Text string } `json:"transcript"`
}

// A complete server transfers calls: an integrator creates destinations, agents and campaigns, the dialer calls, and
// the people of the sandbox do what their numbers say.
func TestCampaignsTransferCalls(t *testing.T) {
	t.Parallel()
	n := newSandboxed(t)
	ctx, api, must := n.ctx, n.api, n.must
	_, _, err := n.in.Webhooks.Create(ctx, n.actor, webhook.Draft{
		Name: "CRM", URL: "https://hooks.example.invalid", Events: []string{string(webhook.CallTransferred)},
	})
	must(err)

	desk := func(name, number, mode, fallback string) string {
		d := map[string]any{
			"project_id": n.project.ID, "name": name, "phone_number": number, "mode": mode, "ring_timeout_seconds": 10,
		}
		if fallback != "" {
			d["fallback_id"] = fallback
		}
		if strings.HasPrefix(number, "sip:") {
			delete(d, "phone_number")
			d["sip_address"] = number
		}
		return api.create("/destinations", d)
	}
	takes := desk("Front desk", "+15005700001", "warm", "")
	declines := desk("Nurse", "sip:+15005710001@example.com", "warm", "")
	away := desk("Night desk", "+15005720001", "warm", "")
	busy := desk("Office", "+15005730001", "cold", takes)
	keyless := desk("Doctor", "+15005770001", "warm", "")

	const asks, leaves, hangsUp, nine, stop, refuses = "27", "64", "65", "66", "67", "00"
	type want struct {
		state     call.TransferState
		reason    call.Reason
		by        call.Party
		dialed    int
		turns     []string
		followUps []string
		optedOut  bool
		event     bool
	}
	tests := map[string]struct {
		to, recipient string
		rule          bool
		want          want
	}{
		"taken": {takes, asks, false, want{
			state: call.TransferEnded, reason: call.ReasonTransferred, by: call.ByAgent, dialed: 1, event: true,
			turns: []string{"Transfer to Front desk", "Front desk took the call"},
		}},
		"hung up on": {takes, hangsUp, false, want{
			state: call.TransferEnded, reason: call.ReasonTransferred, by: call.ByRecipient, dialed: 1, event: true,
			turns: []string{"Front desk took the call"},
		}},
		"declined": {declines, asks, false, want{
			state: call.TransferDeclined, reason: call.ReasonCallBack, by: call.ByAgent, dialed: 1,
			turns:     []string{"Nurse declined the call", "I am sorry, Nurse can't be reached right now."},
			followUps: []string{"transfer_failed"},
		}},
		"not answered": {away, asks, false, want{
			state: call.TransferNoAnswer, reason: call.ReasonCallBack, by: call.ByAgent, dialed: 1,
			turns:     []string{"Night desk did not answer", "I am sorry, Night desk can't be reached right now."},
			followUps: []string{"transfer_failed"},
		}},
		"fallback": {busy, asks, false, want{
			state: call.TransferEnded, reason: call.ReasonTransferred, by: call.ByAgent, dialed: 2, event: true,
			turns: []string{"Office was busy", "Transfer to Front desk", "Front desk took the call"},
		}},
		"left during the whisper": {takes, leaves, false, want{
			state: call.TransferCanceled, reason: call.ReasonHungUp, by: call.ByRecipient, dialed: 1,
			turns:     []string{"The recipient hung up before Front desk took the call"},
			followUps: []string{"transfer_failed"},
		}},
		"opted out by key": {takes, nine, false, want{
			state: call.TransferCanceled, reason: call.ReasonOptedOut, by: call.ByAgent, optedOut: true,
		}},
		"opted out in words": {takes, stop, false, want{
			state: call.TransferCanceled, reason: call.ReasonOptedOut, by: call.ByAgent, optedOut: true,
		}},
		"after an answer": {keyless, refuses, true, want{
			state: call.TransferNoAnswer, reason: call.ReasonCompleted, by: call.ByAgent, dialed: 1,
			turns:     []string{"Doctor did not answer", "Shall somebody call you back?", "Are you well?"},
			followUps: []string{"transfer_failed"},
		}},
	}
	campaigns := map[string]string{} // names by ID
	for i, name := range slices.Sorted(maps.Keys(tests)) {
		test := tests[name]
		first := map[string]any{
			"key": "pain", "ask": "On a scale from 0 to 10, how much does it hurt?", "expect": "number",
		}
		settings := map[string]any{"destinations": []string{test.to}, "human_id": test.to}
		if test.rule {
			first["branches"] = []any{map[string]any{"destination_id": test.to, "at_most": 10}}
		}
		agent := api.create("/agents", map[string]any{
			"name": name, "language": "en-US", "greeting": "Hello, this is Acme.", "transfer": settings,
			"questions": []any{first, map[string]any{"key": "well", "ask": "Are you well?", "expect": "yes_no"}},
		})
		id := api.create("/campaigns", map[string]any{
			"name": name, "project_id": n.project.ID, "agent_id": agent, "phone_number_id": n.number.ID,
			"calls_per_second": 100, "recipients": []any{map[string]any{
				"phone_number": fmt.Sprintf("+15005%s%04d", test.recipient, 27+i), "name": "Ada",
			}},
		})
		campaigns[id] = name
	}
	n.await(`select count(*) = $1 and count(*) = count(settled_at) from call`, len(tests))

	var list struct{ Data []transferredCall }
	api.do(http.MethodGet, "/calls?limit=100", nil, &list)
	var work struct {
		Data []struct {
			Kind, Status string
			CallID       string `json:"call_id"`
		}
	}
	api.do(http.MethodGet, "/follow-ups?limit=100", nil, &work)
	var stopped struct {
		Data []struct {
			PhoneNumber string `json:"phone_number"`
		}
	}
	api.do(http.MethodGet, "/do-not-call?limit=100", nil, &stopped)
	dials := n.in.sandbox.network.Dials()
	if len(list.Data) != len(tests) {
		t.Errorf("%d calls, want %d", len(list.Data), len(tests))
	}
	for _, one := range list.Data {
		name := campaigns[one.CampaignID]
		want := tests[name].want
		api.do(http.MethodGet, "/calls/"+one.ID, nil, &one)
		var said, kinds []string
		for _, turn := range one.Transcript {
			said = append(said, turn.Text)
		}
		all := strings.Join(said, "\n")
		if one.Transfer == nil {
			t.Errorf("%s: not transferred, %s:\n%s", name, one.EndedReason, all)
			continue
		}
		if one.Transfer.State != want.state || one.EndedReason != want.reason || one.EndedBy != want.by ||
			one.Outcome != call.OutcomeCompleted {
			t.Errorf("%s: %s, %s by %s, %s:\n%s", name, one.Transfer.State, one.EndedReason, one.EndedBy, one.Outcome,
				all)
		}
		rest := all
		for _, turn := range want.turns {
			_, after, found := strings.Cut(rest, turn)
			if !found {
				t.Errorf("%s: the transcript lacks %q, or it comes too early:\n%s", name, turn, all)
				break
			}
			rest = after
		}
		for _, f := range work.Data {
			if f.CallID == one.ID {
				kinds = append(kinds, f.Kind)
			}
		}
		if slices.Sort(kinds); !slices.Equal(kinds, want.followUps) {
			t.Errorf("%s: follow-ups %v, want %v", name, kinds, want.followUps)
		}
		if strings.HasPrefix(one.Analysis.Summary, conversation.Connected) != want.event {
			t.Errorf("%s: summary %q", name, one.Analysis.Summary)
		}
		listed := false
		for _, s := range stopped.Data {
			listed = listed || s.PhoneNumber == one.ToNumber
		}
		if listed != want.optedOut {
			t.Errorf("%s: on the do-not-call list: %t", name, listed)
		}
		var events int
		must(n.db.Pool.QueryRow(ctx, `select count(*) from event where subject_id = $1 and type = $2`,
			uuid.MustParse(one.ID), webhook.CallTransferred).Scan(&events))
		if events != 0 != want.event || events > 1 {
			t.Errorf("%s: %d events", name, events)
		}
		d := dials[slices.IndexFunc(dials, func(d sandbox.Dial) bool { return d.To == one.ToNumber })]
		if len(d.Transfers) != want.dialed {
			t.Errorf("%s: dialed %+v", name, d.Transfers)
			continue
		}
		for i, leg := range d.Transfers {
			last := i == len(d.Transfers)-1
			if leg.From != n.number.PhoneNumber.String() || !leg.Ringing || leg.Alone ||
				leg.Connected != (last && want.state.Connected()) {
				t.Errorf("%s: dialed %+v", name, leg)
			}
		}
		if _, well := one.Analysis.Answers["well"]; well != tests[name].rule {
			t.Errorf("%s: the answers are %v", name, one.Analysis.Answers)
		}
	}
}
