package webhooks

import (
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/web/frame"
)

const webhooksPath = "/webhooks"

// pagePath returns the path of the page of a webhook.
func pagePath(w webhook.Webhook) string { return webhooksPath + "/" + w.ID.String() }

func (s *Server) ListWebhooks(w http.ResponseWriter, r *http.Request) error {
	organization := frame.SignedIn(r).Organization.ID
	list, err := s.Webhooks.List(r.Context(), organization, page.Request{Limit: webhook.MaxWebhooks})
	if err != nil {
		return err
	}
	shares, err := s.Webhooks.AttemptCounts(r.Context(), organization)
	if err != nil {
		return err
	}
	v := views.Webhooks{
		Days: webhook.HealthDays, Most: webhook.MaxWebhooks, BaseURL: s.PublicURL, SendsMail: s.Alerts.Sends(),
	}
	for _, hook := range list.Data {
		row := views.WebhookRow{
			ID: hook.ID.String(), Name: hook.Name, URL: hook.URL, Events: hook.Events, State: webhookState(hook),
			Succeeded: shares[hook.ID].Succeeded, Failed: shares[hook.ID].Failed,
			Last: frame.OrZero(hook.LastSuccessAt),
		}
		if at := frame.OrZero(hook.LastFailureAt); at.After(row.Last) {
			row.Last = at
		}
		v.Rows = append(v.Rows, row)
	}
	v.Order, _ = frame.Sorted(r, webhooksPath, nil, v.Rows, "name",
		frame.ByText("name", func(w views.WebhookRow) string { return w.Name }),
		frame.ByAmount("state", func(w views.WebhookRow) int { return w.State.Trouble() }),
		frame.ByAmount("share", func(w views.WebhookRow) float64 {
			return frame.Share(w.Succeeded, w.Succeeded+w.Failed)
		}),
		frame.ByTime("sent", func(w views.WebhookRow) time.Time { return w.Last }))
	return frame.Render(w, r, http.StatusOK, views.WebhooksPage(s.Chrome(r), v))
}

func webhookState(w webhook.Webhook) views.WebhookState {
	state := views.WebhookState{
		Active: w.IsActive, Disabled: frame.OrNone(w.DisabledReason), InactiveSince: frame.OrZero(w.InactiveSince),
	}
	if w.IsFailing {
		state.FailingSince = frame.OrZero(w.FailingSince)
	}
	return state
}

// hook reads the webhook that the path names.
func (s *Server) hook(r *http.Request) (webhook.Webhook, error) {
	id, err := frame.PathID(r, "Webhook")
	if err != nil {
		return webhook.Webhook{}, err
	}
	return s.Webhooks.Get(r.Context(), frame.SignedIn(r).Organization.ID, id)
}

func (s *Server) Webhook(w http.ResponseWriter, r *http.Request) error {
	v, err := s.webhookView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.WebhookPage(s.Chrome(r), v))
}

// webhookView reads everything on a webhook's page.
func (s *Server) webhookView(r *http.Request) (views.Webhook, error) {
	w, err := s.hook(r)
	if err != nil {
		return views.Webhook{}, err
	}
	q := r.URL.Query()
	v := views.Webhook{
		ID: w.ID.String(), Name: w.Name, URL: w.URL, Events: w.Events, State: webhookState(w), Created: w.CreatedAt,
		CreatedBy:   w.CreatedBy,
		LastSuccess: frame.OrZero(w.LastSuccessAt), DisableAt: frame.OrZero(w.DisabledAt()),
		PreviousUntil: frame.OrZero(w.PreviousSecretUntil),
		Status:        q.Get("status"), EventType: q.Get("event_type"), AsTable: q.Get("days") == "table",
	}
	v.EventsHref = frame.EventsHref(r.URL)
	if v.Selecting = q.Get("select") == "yes" && frame.May(r, account.ResendDeliveries); v.Selecting {
		v.EventsHref = "" // what is selected stays
	}
	v.SelectHref, v.PlainHref = frame.SelectHrefs(r)
	v.ListQuery = q.Encode()
	for _, t := range webhook.Types() {
		v.EventTypes = append(v.EventTypes, string(t))
	}
	if v.Filters, err = s.filterWords(r, w.Filters); err != nil {
		return v, err
	}
	v.SavedFilters, err = s.SavedFiltersAt(r, account.DeliveryFilters, pagePath(w), "deliveries")
	if err != nil {
		return v, err
	}
	if err := s.webhookHealth(r, w, &v); err != nil {
		return v, err
	}
	return v, s.webhookDeliveries(r, w, &v)
}

// webhookHealth adds the health of the endpoint, and a recovery that runs or ended in the
// last 24 hours.
func (s *Server) webhookHealth(r *http.Request, w webhook.Webhook, v *views.Webhook) error {
	ctx, clock := r.Context(), s.Clock(r)
	health, err := s.Webhooks.Health(ctx, w.OrganizationID, w.ID)
	if err != nil {
		return err
	}
	v.Median, v.P95, v.Timed = health.Median, health.P95, health.Sampled > 0
	for _, d := range health.Days {
		y, m, day := d.Date.Date()
		v.Days = append(v.Days, views.WebhookDay{
			Date: time.Date(y, m, day, 12, 0, 0, 0, clock.Zone), Succeeded: d.Succeeded, Failed: d.Failed,
		})
	}
	recovery, err := s.Webhooks.LatestRecovery(ctx, w.OrganizationID, w.ID)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if recovery.FinishedAt == nil || clock.Now.Sub(*recovery.FinishedAt) < 24*time.Hour {
		v.Recovery = &views.Recovery{
			Since: recovery.Since, Percent: percentDone(recovery), Retried: recovery.Retried, Added: recovery.Added,
			By: recovery.CreatedBy, Finished: frame.OrZero(recovery.FinishedAt),
		}
	}
	return nil
}

// percentDone returns how much of its period a recovery has scanned, in percent.
func percentDone(r webhook.Recovery) int {
	whole, done := r.Until.Sub(r.Since), r.At.Sub(r.Since)
	if r.FinishedAt != nil || whole <= 0 {
		return 100
	}
	return int(100 * min(max(done.Seconds()/whole.Seconds(), 0), 1))
}

// webhookDeliveries adds the list of deliveries, whether any failed apart from tests, and
// the last failure.
func (s *Server) webhookDeliveries(r *http.Request, w webhook.Webhook, v *views.Webhook) error {
	ctx := r.Context()
	list, err := s.Webhooks.Deliveries(ctx, w.OrganizationID, w.ID, webhook.DeliveryFilter{
		Page: frame.PageOf(r), Statuses: statuses(v.Status), Retrying: v.Status == views.Retrying,
		EventTypes: page.Only(webhook.Type(v.EventType)),
	})
	if err != nil {
		return err
	}
	for _, d := range list.Data {
		v.Deliveries = append(v.Deliveries, DeliveryRow(w, d))
	}
	v.Pager = frame.Pager(r, list.NextCursor, "Newest first")
	v.Pager.NewerHref = frame.Anchored(v.Pager.NewerHref, "deliveries")
	v.Pager.OlderHref = frame.Anchored(v.Pager.OlderHref, "deliveries")

	if chosen, ok := allOf(r.URL.Query()); ok && v.Selecting {
		if v.Matching, err = s.Webhooks.CountChosen(ctx, w.OrganizationID, w.ID, chosen); err != nil {
			return err
		}
	}
	failed, err := s.Webhooks.Deliveries(ctx, w.OrganizationID, w.ID, webhook.DeliveryFilter{
		Statuses: []webhook.Status{webhook.Failed}, Page: page.Request{Limit: glance},
	})
	if err != nil {
		return err
	}
	for _, d := range failed.Data {
		v.HasFailed = v.HasFailed || !d.IsTest
	}
	if w.IsFailing {
		v.LastFailure, err = s.lastFailure(r, w)
	}
	return err
}

// statuses returns the status of a filter, or none for Retrying, which is none of the API's.
func statuses(of string) []webhook.Status {
	if of == views.Retrying {
		return nil
	}
	return page.Only(webhook.Status(of))
}

// allOf returns the deliveries that a list shows, on all of its pages. ok tells that they can be resent together.
func allOf(list url.Values) (c webhook.Chosen, ok bool) {
	status := list.Get("status")
	c = webhook.Chosen{
		Failed: status == string(webhook.Failed), Retrying: status == views.Retrying,
		EventTypes: page.Only(webhook.Type(list.Get("event_type"))),
	}
	return c, c.Failed || c.Retrying
}

// glance is how many of the newest deliveries are searched for an example.
const glance = 10

// lastFailure returns the newest error among the latest deliveries, or "" if none has an
// error.
func (s *Server) lastFailure(r *http.Request, w webhook.Webhook) (string, error) {
	list, err := s.Webhooks.Deliveries(r.Context(), w.OrganizationID, w.ID, webhook.DeliveryFilter{
		Page: page.Request{Limit: glance},
	})
	if err != nil {
		return "", err
	}
	for _, d := range list.Data {
		if d.Error != nil {
			return *d.Error, nil
		}
	}
	return "", nil
}

func (s *Server) WebhookEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "webhook", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.webhookView(r)
		return views.WebhookLive(s.LiveChrome(r, "/webhooks/"+v.ID), v), false, err
	})
}
