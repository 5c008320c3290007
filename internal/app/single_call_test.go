package app_test

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
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
