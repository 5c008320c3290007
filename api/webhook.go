package api

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/compress"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/internal/webhook"
)

// createWebhook answers with the secret, which only this answer and the answer of a
// rotation contain. It ignores an Idempotency-Key, because a stored answer would contain
// the secret.
func (a *api) createWebhook(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	var draft webhook.Draft
	if _, err := readBody(w, r, maxBody, &draft, &problems); err != nil {
		return err
	}
	problems.Also(a.Webhooks.Check(&draft))
	if err := problems.Err(); err != nil {
		return err
	}
	created, secret, err := a.Webhooks.Create(r.Context(), actor(r), draft)
	if err != nil {
		return err
	}
	compress.ShowsSecret(w)
	return send(w, r, http.StatusCreated, created.Resource().WithSecret(secret))
}

func (a *api) updateWebhook(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Webhook")
	if err != nil {
		return err
	}
	var problems fault.Problems
	var change webhook.Change
	if _, err := readBody(w, r, maxBody, &change, &problems); err != nil {
		return err
	}
	problems.Also(a.Webhooks.CheckChange(&change))
	if err := problems.Err(); err != nil {
		return err
	}
	changed, err := a.Webhooks.Update(r.Context(), actor(r), id, change, func(old webhook.Webhook) error {
		return unmodified(r, old.Resource())
	})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}

// secretRotation is the optional body of POST /webhooks/{id}/rotate-secret.
type secretRotation struct {
	OverlapSeconds *int `json:"overlap_seconds"`
}

func (a *api) rotateSecret(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Webhook")
	if err != nil {
		return err
	}
	var body secretRotation
	if r.ContentLength != 0 {
		if err := readWhole(w, r, &body); err != nil {
			return err
		}
	}
	overlap := webhook.DefaultOverlap
	if s := body.OverlapSeconds; s != nil {
		// The bounds prevent an overflow. The domain refuses invalid values within them.
		overlap = time.Duration(min(max(*s, -1), int(2*webhook.MaxOverlap/time.Second))) * time.Second
	}
	rotated, secret, err := a.Webhooks.RotateSecret(r.Context(), actor(r), id, overlap)
	if err != nil {
		return err
	}
	compress.ShowsSecret(w)
	return send(w, r, http.StatusOK, rotated.Resource().WithSecret(secret))
}

// webhookTest is the optional body of POST /webhooks/{id}/test.
type webhookTest struct {
	EventType webhook.Type `json:"event_type"`
}

func (a *api) testWebhook(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Webhook")
	if err != nil {
		return err
	}
	body := webhookTest{EventType: webhook.WebhookTest}
	if r.ContentLength != 0 {
		if err := readWhole(w, r, &body); err != nil {
			return err
		}
	}
	d, err := a.Webhooks.Test(r.Context(), actor(r), id, body.EventType)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, d.Resource())
}

// newRecovery is the body of POST /webhooks/{id}/recover.
type newRecovery struct {
	Since *time.Time `json:"since"`
}

func (a *api) recoverWebhook(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Webhook")
	if err != nil {
		return err
	}
	var body newRecovery
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	if body.Since == nil {
		return fault.Invalidf("since", "required")
	}
	recovery, err := a.Webhooks.Recover(r.Context(), actor(r), id, *body.Since)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, recovery.Resource())
}

func deliveryFilter(q *query) webhook.DeliveryFilter {
	return webhook.DeliveryFilter{
		Page:       q.page(),
		Statuses:   anyOf(q, "status", webhook.Statuses),
		EventTypes: anyOf(q, "event_type", webhook.Types()),
	}
}

func (a *api) getDelivery(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Webhook")
	if err != nil {
		return err
	}
	d, err := a.Webhooks.DeliveryDetail(r.Context(), organization(r), id, deliveryID(r))
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, d.Resource())
}

func (a *api) resendDelivery(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Webhook")
	if err != nil {
		return err
	}
	d, err := a.Webhooks.Resend(r.Context(), actor(r), id, deliveryID(r))
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, d.Resource())
}

// deliveryID reads the {delivery_id} of a route. A malformed ID becomes the ID of no
// delivery, so that an unknown webhook is reported first.
func deliveryID(r *http.Request) uuid.UUID {
	id, _ := check.ParseID(r.PathValue("delivery_id"))
	return id
}

// eventType is an entry of the catalog with the addresses of what describes it.
type eventType struct {
	webhook.KindResource
	SchemaURL string `json:"schema_url"`
	DocsURL   string `json:"docs_url"`
}

// listEventTypes answers the catalog of events on one page, and ignores the parameters of
// pages.
func (a *api) listEventTypes(w http.ResponseWriter, r *http.Request) error {
	all := page.List[webhook.Kind]{Data: webhook.Catalog()}
	return send(w, r, http.StatusOK, page.Map(all, func(k webhook.Kind) eventType {
		return eventType{
			KindResource: k.Resource(),
			SchemaURL:    a.PublicURL + reference.EventSchema(string(k.Type)),
			DocsURL:      a.PublicURL + reference.EventDocs(string(k.Type)),
		}
	}))
}

// listEvents answers the events after a cursor, and waits for the first if the request says so. A shutdown
// ends the wait.
func (a *api) listEvents(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	f := webhook.EventFilter{
		Page:  q.pageOnly(),
		Types: anyOf(q, "type", webhook.Types()),
		About: webhook.About{
			ProjectID:  q.id("project_id"),
			CampaignID: q.id("campaign_id"),
			AgentID:    q.id("agent_id"),
		},
		Closing: a.Closing,
	}
	// What follows is no filter: a cursor is valid with another start and wait.
	f.Start = oneOf(q, "start", webhook.Starts)
	delete(q.asked, "start")
	if seconds := q.integer("wait", 0, int(webhook.MaxWait/time.Second)); seconds != nil {
		f.Wait = time.Duration(*seconds) * time.Second
	}
	delete(q.asked, "wait")
	if err := q.err(); err != nil {
		return err
	}
	events, err := a.Webhooks.Events(r.Context(), organization(r), f)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, events)
}
