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
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/webhook"
)

// A campaign calls a person on the sandbox who asks for a human being. There is a follow-up, and a webhook receives it.
// A colleague finishes it, which the webhook receives too.
func TestAFollowUpOnTheSandbox(t *testing.T) {
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
	_, _, err := w.Webhooks.Create(t.Context(), actor, webhook.Draft{
		ID: uuid.Must(uuid.NewV7()), Name: "Hook", URL: receiver.URL, Events: []string{"follow_up.*"},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := w.campaign(t, []string{"+15005270001", "+15005000001"}) // one asks for a person, and one answers
	next := func(kind webhook.Type) followup.Resource {
		t.Helper()
		var e struct {
			Type webhook.Type
			Data followup.Resource
		}
		select {
		case body := <-received:
			if err := json.Unmarshal(body, &e); err != nil {
				t.Fatal(err)
			}
		case <-time.After(testwait.Limit):
			t.Fatalf("no %s was delivered", kind)
		}
		if e.Type != kind {
			t.Fatalf("%s was delivered, want %s", e.Type, kind)
		}
		return e.Data
	}
	opened := next(webhook.FollowUpCreated)
	if opened.Kind != followup.WantsHuman || opened.PhoneNumber != "+15005270001" || opened.Status != followup.Open ||
		opened.CampaignID == nil || *opened.CampaignID != c {
		t.Errorf("received %+v", opened)
	}
	note := "Called back"
	if _, err := w.FollowUps.Finish(t.Context(), actor, opened.ID, followup.Finish{Note: &note}); err != nil {
		t.Fatal(err)
	}
	if done := next(webhook.FollowUpDone); done.ID != opened.ID || done.Note != "Called back" || done.DoneAt == nil {
		t.Errorf("received %+v", done)
	}
	w.wait(t, "the settled calls", `select count(settled_at)::text from call`, "2")
	list, err := w.FollowUps.List(t.Context(), w.OrganizationID, followup.Filter{})
	if err != nil || len(list.Data) != 1 {
		t.Errorf("listed %+v, %v", list.Data, err)
	}
}
