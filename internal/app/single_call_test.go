package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/testwait"
)

// Calls of their own over the sandbox's network, from the request to the end of the last attempt.
func TestOwnCallsOnTheSandbox(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	drafts := &campaign.CallDrafts{Batch: true}
	numbers := []string{"+15005000001", "+15005010001", "+15005030001"}
	for _, number := range numbers {
		drafts.Calls = append(drafts.Calls, &campaign.CallDraft{
			To: number, Name: "Anna", ProjectID: w.ProjectID.String(), AgentID: w.AgentID.String(),
			PhoneNumberID: w.PhoneNumberID.String(),
			Retry:         &campaign.RetryInput{MaxAttempts: new(2), DelaysMinutes: []int{0}, On: []string{"busy"}},
		})
	}
	made, err := w.Campaigns.Call(t.Context(), account.System(w.OrganizationID), drafts)
	if err != nil {
		t.Fatal(err)
	}
	// end returns a call when it is settled.
	end := func(c call.Call) call.Call {
		t.Helper()
		for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
			var settled bool
			err := w.Pool.QueryRow(t.Context(),
				`select exists (select from call where id = $1 and settled_at is not null)`, c.ID).Scan(&settled)
			if err != nil || time.Since(began) > testwait.Limit {
				t.Fatal(err)
			}
			if !settled {
				continue
			}
			got, _, err := w.Calls.Get(t.Context(), w.OrganizationID, c.ID)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
	}
	for i, want := range []call.Outcome{call.OutcomeCompleted, call.OutcomeBusy, call.OutcomeVoicemail} {
		got := end(made[i])
		if got.Outcome != want || got.CampaignID != nil || (got.NextCallID != nil) != (want == call.OutcomeBusy) {
			t.Errorf("%s: %s, next %v", numbers[i], got.Outcome, got.NextCallID)
		}
		if want == call.OutcomeCompleted && got.TranscriptText == "" {
			t.Error("nothing was said")
		}
		if got.NextCallID == nil {
			continue
		}
		next := end(call.Call{ID: *got.NextCallID})
		if next.Attempt != 2 || *next.FirstCallID != made[i].ID || next.NextCallID != nil {
			t.Errorf("the second attempt: %+v", next)
		}
	}
}

// A person who is erased is not called, and nothing of the scheduled call tells who it was.
func TestErasedOwnCalls(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	tomorrow := time.Now().Add(24 * time.Hour)
	const number = "+15005000077"
	made, err := w.Campaigns.Call(t.Context(), account.System(w.OrganizationID), &campaign.CallDrafts{
		Calls: []*campaign.CallDraft{{
			To: number, Name: "Anna Quist", ExternalID: "quist-7", ProjectID: w.ProjectID.String(),
			AgentID: w.AgentID.String(), PhoneNumberID: w.PhoneNumberID.String(), ScheduledAt: &tomorrow,
			Variables: []byte(`{"who": "Quist"}`),
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	erased, err := w.Erasures.Request(t.Context(), account.System(w.OrganizationID), number)
	if err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); erased.CompletedAt == nil; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > testwait.Limit {
			t.Fatal("the erasure does not end")
		}
		if err := w.Erasures.Work(t.Context()); err != nil {
			t.Fatal(err)
		}
		if erased, err = w.Erasures.Get(t.Context(), w.OrganizationID, erased.ID); err != nil {
			t.Fatal(err)
		}
	}
	c, _, err := w.Calls.Get(t.Context(), w.OrganizationID, made[0].ID)
	if err != nil || c.EndedReason != call.ReasonDoNotCall || c.PersonNumber+c.RecipientName != "" ||
		c.ExternalID != nil || string(c.Variables) != "{}" {
		t.Errorf("%+v, %v", c, err)
	}
	var left int
	err = w.Pool.QueryRow(t.Context(), `
		select (select count(*) from recipient r where r::text like '%Quist%' or phone_number = $1) +
		       (select count(*) from event e where e::text like '%Quist%')`, number).Scan(&left)
	if err != nil || left > 0 {
		t.Errorf("%d rows tell who it was, %v", left, err)
	}
}

// Scheduled calls to a person who is put on the do-not-call list, or opts out while calling us, are canceled at once.
// The event says why.
func TestAnOptOutCancelsScheduledCalls(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	actor := account.System(w.OrganizationID)
	w.exec(t, `insert into webhook (id, organization_id, name, url, secret, events)
		values (gen_random_uuid(), $1, 'All', '', '', '{*}')`, w.OrganizationID)
	_, key, err := w.Accounts.CreateKey(t.Context(), actor, account.NewKey{Name: "CRM"})
	if err != nil {
		t.Fatal(err)
	}
	api := api.Handler(w.App)
	request := func(method, path, body string, status int) (answer struct {
		ID          string
		Status      call.Status
		EndedReason call.Reason `json:"ended_reason"`
	}) {
		t.Helper()
		r := httptest.NewRequestWithContext(t.Context(), method, "/api/v1"+path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("Content-Type", "application/json")
		got := httptest.NewRecorder()
		api.ServeHTTP(got, r)
		if err := json.Unmarshal(got.Body.Bytes(), &answer); err != nil || got.Code != status {
			t.Fatalf("%s %s: %d %s", method, path, got.Code, got.Body)
		}
		return answer
	}
	schedule := func(number string) string {
		t.Helper()
		return request("POST", "/calls", fmt.Sprintf(`{"project_id": %q, "agent_id": %q, "phone_number_id": %q,
			"to": %q, "scheduled_at": %q}`, w.ProjectID, w.AgentID, w.PhoneNumberID, number,
			time.Now().Add(24*time.Hour).UTC().Format(time.RFC3339)), http.StatusCreated).ID
	}
	canceled := func(id string) {
		t.Helper()
		for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
			w.exec(t, `update api_key_use set requests = 0`)
			c := request("GET", "/calls/"+id, "", http.StatusOK)
			var told []string
			if err := w.Pool.QueryRow(t.Context(), `
				select array(select type from event
				             where subject_id = $1 and payload::jsonb #>> '{data,ended_reason}' = 'do_not_call')`, id).
				Scan(&told); err != nil {
				t.Fatal(err)
			}
			if c.Status == call.Canceled && c.EndedReason == call.ReasonDoNotCall && len(told) == 1 {
				return
			}
			if time.Since(began) > testwait.Limit {
				t.Fatalf("the call is %s, %s, and %v were told", c.Status, c.EndedReason, told)
			}
		}
	}
	const first, second, third, other = "+15005000081", "+15005000082", "+15005000083", "+15005000084"
	one, two, three, free := schedule(first), schedule(second), schedule(third), schedule(other)
	again := schedule(first)
	request("POST", "/do-not-call", `{"phone_number": "`+first+`"}`, http.StatusCreated)
	canceled(one)
	canceled(again)
	request("POST", "/do-not-call/batch",
		`{"entries": [{"phone_number": "`+second+`"}, {"phone_number": "`+other+`", "channel": "message"}]}`,
		http.StatusOK)
	canceled(two)
	err = w.Projects.CallInSandbox(t.Context(), actor, w.PhoneNumberID, project.SandboxCall{
		From: third, Caller: "presses_9",
	})
	if err != nil {
		t.Fatal(err)
	}
	canceled(three)
	if c := request("GET", "/calls/"+free, "", http.StatusOK); c.Status != call.StatusScheduled {
		t.Errorf("the call to another number is %s", c.Status)
	}
}

// A call of its own and a scheduled one that was canceled are in the costs, the figures and the export, and lose their
// words when the project's days are over.
func TestOwnCallsAreReportedAndForgotten(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	actor := account.System(w.OrganizationID)
	later := time.Now().Add(time.Hour)
	draft := func(number, external string, at *time.Time) *campaign.CallDraft {
		return &campaign.CallDraft{
			To: number, ExternalID: external, ProjectID: w.ProjectID.String(), AgentID: w.AgentID.String(),
			PhoneNumberID: w.PhoneNumberID.String(), ScheduledAt: at,
		}
	}
	made, err := w.Campaigns.Call(t.Context(), actor, &campaign.CallDrafts{Batch: true, Calls: []*campaign.CallDraft{
		draft("+15005000001", "talked", nil), draft("+15005000002", "canceled", &later),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Campaigns.CancelCall(t.Context(), actor, made[1].ID); err != nil {
		t.Fatal(err)
	}
	w.wait(t, "settled calls", `select count(settled_at)::text from call`, "2")
	w.network.Elapse(6 * time.Minute)
	w.db.Advance(6 * time.Minute)
	w.wait(t, "known costs", `select count(cost)::text from call where status = 'completed'`, "1")

	for _, group := range call.CostGroups {
		totals, err := w.Calls.Costs(t.Context(), w.OrganizationID, call.CostFilter{GroupBy: []call.CostGroup{group}})
		if err != nil || len(totals) != 1 || totals[0].Amount != "0.014" || totals[0].Calls != 1 ||
			totals[0].CompletedCalls != 1 || totals[0].CampaignID != nil {
			t.Errorf("costs by %s: %+v, %v", group, totals, err)
		}
	}
	hours, err := w.Calls.Hours(t.Context(), w.OrganizationID, call.Scope{}, time.Now().Add(-48*time.Hour),
		time.Now().Add(48*time.Hour))
	var sum call.Figures
	for _, h := range hours {
		sum.Add(h.Figures)
	}
	if err != nil || sum.Completed != 1 || sum.Placed != 1 || sum.Reached != 1 || sum.TalkTime <= 0 {
		t.Errorf("figures: %+v, %v", sum, err)
	}
	for _, scope := range []call.Scope{{ProjectID: &w.ProjectID}, {AgentID: &w.AgentID}} { // a call of its own has both
		own, err := w.Calls.Hours(t.Context(), w.OrganizationID, scope, time.Now().Add(-48*time.Hour),
			time.Now().Add(48*time.Hour))
		if err != nil || !slices.Equal(own, hours) {
			t.Errorf("figures of %+v: %+v, %v", scope, own, err)
		}
	}
	number, err := w.Calls.NumberStatsOf(t.Context(), w.OrganizationID, w.PhoneNumberID)
	if err != nil || number.Week.Placed != 1 || number.Week.Reached != 1 {
		t.Errorf("the number's figures: %+v, %v", number, err)
	}
	exported := func() map[string]map[string]string {
		t.Helper()
		rows := map[string]map[string]string{}
		for row, err := range w.Calls.Export(t.Context(), w.OrganizationID, call.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			columns := map[string]string{}
			for i, name := range call.ExportHeader {
				columns[name] = row[i]
			}
			rows[columns["external_id"]] = columns
		}
		return rows
	}
	rows := exported()
	if len(rows) != 2 || rows["talked"]["cost"] != "0.014" || rows["talked"]["campaign_id"] != "" ||
		rows["talked"]["transcript_text"] == "" || rows["talked"]["first_call_id"] != made[0].ID.String() ||
		rows["canceled"]["ended_reason"] != "canceled_by_user" {
		t.Errorf("exported: %v", rows)
	}

	w.exec(t, `update project set transcript_days = 30`)
	w.db.Advance(31 * 24 * time.Hour)
	if err := w.Calls.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows := exported(); rows["talked"]["transcript_text"] != "" || rows["talked"]["outcome"] != "completed" ||
		rows["talked"]["cost"] != "0.014" {
		t.Errorf("after 30 days: %v", rows["talked"])
	}
	_, turns, err := w.Calls.Get(t.Context(), w.OrganizationID, made[0].ID)
	if err != nil || len(turns) > 0 {
		t.Errorf("%d turns are kept, %v", len(turns), err)
	}
}
