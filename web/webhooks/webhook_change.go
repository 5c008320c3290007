package webhooks

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// everyEvent subscribes a webhook to all events.
const everyEvent = "*"

func (s *Server) NewWebhook(w http.ResponseWriter, r *http.Request) error {
	v := views.WebhookForm{Mark: frame.NewFormID(), AllEvents: true, Families: eventFamilies(nil)}
	return s.showForm(w, r, http.StatusOK, v, webhook.Filters{}, nil)
}

// showForm answers with the form of a webhook. form is what was sent; nil: nothing was.
func (s *Server) showForm(
	w http.ResponseWriter, r *http.Request, status int, v views.WebhookForm, stored webhook.Filters, form url.Values,
) (err error) {
	if v.Filters, err = s.filterChoices(r, stored, form); err != nil {
		return err
	}
	return frame.Render(w, r, status, views.WebhookFormPage(s.Chrome(r), v))
}

// eventFamilies returns the events of the form, grouped by their noun. A test event
// reaches a webhook regardless of its subscription, so the form offers it only if the API
// has chosen it for this webhook.
func eventFamilies(chosen []string) []views.EventFamily {
	var families []views.EventFamily
	for _, kind := range webhook.Catalog() {
		name := string(kind.Type)
		if kind.Type == webhook.WebhookTest && !slices.Contains(chosen, name) {
			continue
		}
		noun, _, _ := strings.Cut(name, ".")
		if len(families) == 0 || families[len(families)-1].Noun != noun {
			families = append(families, views.EventFamily{Noun: noun, Checked: slices.Contains(chosen, noun+".*")})
		}
		last := &families[len(families)-1]
		last.Types = append(last.Types, views.EventChoice{
			Type: name, Description: kind.Description, Checked: slices.Contains(chosen, name),
		})
	}
	return families
}

// readWebhookForm reads the fields and the subscribed events. A family stands for all its
// types. A form that chooses all events as well as single ones is refused.
func readWebhookForm(form url.Values) (v views.WebhookForm, events []string) {
	chosen := form["events"]
	v = views.WebhookForm{
		Name: form.Get("name"), URL: form.Get("url"), AllEvents: form.Get("all_events") == "1",
		Families: eventFamilies(chosen), Headers: form.Get("headers"), DropHeaders: form.Get("drop_headers") != "",
	}
	if v.AllEvents && len(chosen) > 0 {
		v.Errors = ui.Errors{"events": "choose “Selected events” above, or clear these boxes"}
	}
	if v.AllEvents {
		return v, []string{everyEvent}
	}
	for _, e := range chosen {
		if noun, _, ok := strings.Cut(e, "."); ok && e != noun+".*" && slices.Contains(chosen, noun+".*") {
			continue
		}
		events = append(events, e)
	}
	return v, events
}

// CreateWebhook answers with the secret, which no later page shows. Loading the answer
// again asks the browser to post again, which neither makes another webhook nor shows the
// secret again.
func (s *Server) CreateWebhook(w http.ResponseWriter, r *http.Request) error {
	v, events := readWebhookForm(r.PostForm)
	v.Mark = frame.FormID(r)
	again := func(e ui.Errors) error {
		v.Errors = e
		return s.showForm(w, r, http.StatusUnprocessableEntity, v, webhook.Filters{}, r.PostForm)
	}
	if v.Errors != nil {
		return again(v.Errors)
	}
	var problems fault.Problems
	draft := webhook.Draft{
		ID: uuid.MustParse(v.Mark), Name: v.Name, URL: v.URL, Events: events,
		Headers: frame.Headers(&problems, v.Headers), Filters: filterInput(r.PostForm),
	}
	problems.Also(s.Webhooks.Check(&draft))
	if err := problems.Err(); err != nil {
		return again(ui.ErrorsOf(err))
	}
	hook, secret, err := s.Webhooks.Create(r.Context(), s.Actor(r), draft)
	switch fault.KindOf(err) {
	case fault.Conflict:
		s.Toast(
			r, "This webhook was already created, and its secret was shown then. If you lost it, rotate the secret.",
		)
		return frame.SeeOther(w, r, webhooksPath)
	case fault.Invalid, fault.Unprocessable:
		return again(ui.ErrorsOf(err))
	}
	if err != nil {
		return err
	}
	shown := views.WebhookSecret{ID: hook.ID.String(), Name: hook.Name, Secret: secret}
	return frame.RenderSecret(
		s.Server, w, r, http.StatusCreated, webhooksPath+"/"+shown.ID, views.WebhookSecretPage, shown,
	)
}

func (s *Server) VerifyDelivery(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.VerifyPage(s.Chrome(r)))
}

func (s *Server) EditWebhook(w http.ResponseWriter, r *http.Request) error {
	hook, err := s.hook(r)
	if err != nil {
		return err
	}
	v := views.WebhookForm{
		ID: hook.ID.String(), Name: hook.Name, Known: hook.Name, URL: hook.URL,
		AllEvents: slices.Contains(hook.Events, everyEvent), Families: eventFamilies(hook.Events),
		HeaderNames: hook.HeaderNames,
	}
	return s.showForm(w, r, http.StatusOK, v, hook.Filters, nil)
}

func (s *Server) UpdateWebhook(w http.ResponseWriter, r *http.Request) error {
	hook, err := s.hook(r)
	if err != nil {
		return err
	}
	v, events := readWebhookForm(r.PostForm)
	v.ID, v.Known, v.HeaderNames = hook.ID.String(), hook.Name, hook.HeaderNames
	again := func(e ui.Errors) error {
		v.Errors = e
		return s.showForm(w, r, http.StatusUnprocessableEntity, v, hook.Filters, r.PostForm)
	}
	if v.Errors != nil {
		return again(v.Errors)
	}
	if events == nil {
		events = []string{} // an empty list, which is refused; nil would leave the events unchanged
	}
	var problems fault.Problems
	filters := filterInput(r.PostForm)
	change := webhook.Change{Name: &v.Name, URL: &v.URL, Events: &events, Filters: &filters}
	if headers := frame.Headers(&problems, v.Headers); v.DropHeaders || len(headers) > 0 {
		change.Headers = &headers
	}
	if err := problems.Err(); err != nil {
		problems.Also(s.Webhooks.CheckChange(&change))
		return again(ui.ErrorsOf(problems.Err()))
	}
	_, err = s.Webhooks.Update(r.Context(), s.Actor(r), hook.ID, change, nil)
	return s.Saved(w, r, err, "Webhook saved", pagePath(hook), again)
}

func (s *Server) PauseWebhook(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Webhook")
	if err != nil {
		return err
	}
	hook, err := s.Webhooks.Pause(r.Context(), s.Actor(r), id)
	if err != nil {
		return err
	}
	s.Undoable(r, "Webhook paused", "Resume", pagePath(hook)+"/resume")
	return frame.SeeOther(w, r, pagePath(hook))
}

// ResumeWebhook leads to the recovery form, because resuming clears the start of the
// outage. The address of the form carries that start.
func (s *Server) ResumeWebhook(w http.ResponseWriter, r *http.Request) error {
	before, err := s.hook(r)
	if err != nil {
		return err
	}
	hook, err := s.Webhooks.Resume(r.Context(), s.Actor(r), before.ID)
	if err != nil {
		return err
	}
	if before.IsActive {
		return frame.SeeOther(w, r, pagePath(hook))
	}
	s.Toast(r, "Webhook active. Missed events are not sent automatically.")
	return frame.SeeOther(w, r, pagePath(hook)+"/recover?inactive="+url.QueryEscape(before.InactiveSince.UTC().
		Format(time.RFC3339Nano)))
}

func (s *Server) TestForm(w http.ResponseWriter, r *http.Request) error {
	hook, err := s.hook(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.TestWebhookPage(s.Chrome(r), testForm(hook, webhook.WebhookTest)))
}

// testForm offers every event type, webhook.test first.
func testForm(hook webhook.Webhook, chosen webhook.Type) views.TestWebhookForm {
	v := views.TestWebhookForm{
		ID: hook.ID.String(), Name: hook.Name, EventType: string(chosen),
		EventTypes: []string{string(webhook.WebhookTest)},
	}
	for _, t := range webhook.Types() {
		if t != webhook.WebhookTest {
			v.EventTypes = append(v.EventTypes, string(t))
		}
	}
	return v
}

func (s *Server) TestWebhook(w http.ResponseWriter, r *http.Request) error {
	hook, err := s.hook(r)
	if err != nil {
		return err
	}
	t := webhook.Type(r.PostForm.Get("event_type"))
	_, err = s.Webhooks.Test(r.Context(), s.Actor(r), hook.ID, t)
	return s.Saved(w, r, err, "Sending the test", pagePath(hook), func(e ui.Errors) error {
		v := testForm(hook, t)
		v.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.TestWebhookPage(s.Chrome(r), v))
	})
}

// recoverMost is the longest reach of a recovery. It leaves one minute for the difference
// between two machines' clocks.
const recoverMost = 30*24*time.Hour - time.Minute

// readRecoverForm reads the values that the empty form and the sent form share.
func (s *Server) readRecoverForm(r *http.Request, inactive string) (views.RecoverForm, webhook.Webhook, error) {
	hook, err := s.hook(r)
	v := views.RecoverForm{ID: hook.ID.String(), Name: hook.Name, Since: "day"}
	if at, err := time.Parse(time.RFC3339Nano, inactive); err == nil && s.Now().Sub(at) < recoverMost &&
		!at.After(s.Now()) {
		v.Since, v.Inactive = "inactive", at
	}
	return v, hook, err
}

func (s *Server) RecoverForm(w http.ResponseWriter, r *http.Request) error {
	v, _, err := s.readRecoverForm(r, r.URL.Query().Get("inactive"))
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.RecoverPage(s.Chrome(r), v))
}

func (s *Server) RecoverWebhook(w http.ResponseWriter, r *http.Request) error {
	v, hook, err := s.readRecoverForm(r, r.PostForm.Get("inactive"))
	if err != nil {
		return err
	}
	v.Since, v.At = r.PostForm.Get("since"), r.PostForm.Get("at")
	again := func(e ui.Errors) error {
		if m, ok := e["since"]; ok && v.Since == "time" {
			e = ui.Errors{"at": m}
		}
		v.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.RecoverPage(s.Chrome(r), v))
	}
	since, problem := s.recoverSince(r, v)
	if problem != nil {
		return again(problem)
	}
	_, err = s.Webhooks.Recover(r.Context(), s.Actor(r), hook.ID, since)
	return s.Saved(w, r, err, "Recovery started", pagePath(hook), again)
}

// recoverSince returns the chosen start of a recovery.
func (s *Server) recoverSince(r *http.Request, v views.RecoverForm) (since time.Time, problem ui.Errors) {
	switch {
	case v.Since == "hour":
		return s.Now().Add(-time.Hour), nil
	case v.Since == "day":
		return s.Now().AddDate(0, 0, -1), nil
	case v.Since == "month":
		return s.Now().Add(-recoverMost), nil
	case v.Since == "inactive" && !v.Inactive.IsZero():
		return v.Inactive, nil
	case v.Since == "time":
		at, err := time.ParseInLocation("2006-01-02T15:04", v.At, s.Clock(r).Zone)
		if err != nil {
			return time.Time{}, ui.Errors{"at": "Choose a date and time"}
		}
		return at, nil
	}
	return time.Time{}, ui.Errors{"since": "Choose a period"}
}

func (s *Server) RotateForm(w http.ResponseWriter, r *http.Request) error {
	hook, err := s.hook(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.RotatePage(s.Chrome(r), views.RotateForm{
		ID: hook.ID.String(), Mark: hook.SecretMark, Name: hook.Name,
		Overlap: strconv.Itoa(int(webhook.DefaultOverlap.Seconds())),
	}))
}

// RotateSecret answers with the new secret, as CreateWebhook does with the first.
func (s *Server) RotateSecret(w http.ResponseWriter, r *http.Request) error {
	hook, err := s.hook(r)
	if err != nil {
		return err
	}
	v := views.RotateForm{
		ID: hook.ID.String(), Mark: r.PostForm.Get("mark"), Name: hook.Name, Overlap: r.PostForm.Get("overlap"),
	}
	now := hook.SecretMark
	refused := func(message string) error {
		v.Mark, v.Errors = now, ui.Errors{"overlap": message}
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.RotatePage(s.Chrome(r), v))
	}
	seconds, err := strconv.Atoi(v.Overlap)
	if err != nil || seconds < 0 || seconds > int(webhook.MaxOverlap.Seconds()) {
		return refused("Choose an overlap")
	}
	hook, secret, err := s.Webhooks.RotateSecretOf(r.Context(), s.Actor(r), hook.ID, time.Duration(seconds)*time.Second,
		v.Mark)
	switch fault.KindOf(err) {
	case fault.Conflict:
		s.Toast(r, "The secret was already rotated, and the new one was shown then. If you lost it, rotate again.")
		return frame.SeeOther(w, r, webhooksPath+"/"+v.ID)
	case fault.Invalid:
		return refused("Choose an overlap and try again. The form was incomplete.")
	}
	if err != nil {
		return err
	}
	shown := views.WebhookSecret{
		ID: v.ID, Name: hook.Name, Secret: secret, Rotated: true, Until: frame.OrZero(hook.PreviousSecretUntil),
	}
	return frame.RenderSecret(
		s.Server, w, r, http.StatusOK, webhooksPath+"/"+shown.ID, views.WebhookSecretPage, shown,
	)
}

func (s *Server) ConfirmDeleteWebhook(w http.ResponseWriter, r *http.Request) error {
	hook, err := s.hook(r)
	if err != nil {
		return err
	}
	health, err := s.Webhooks.Health(r.Context(), hook.OrganizationID, hook.ID)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.DeleteWebhook(hook.ID.String(), hook.Name, health.Waiting, webhook.MaxWaiting))
}

func (s *Server) DeleteWebhook(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Webhook")
	if err != nil {
		return err
	}
	return s.Done(w, r, s.Webhooks.Delete(r.Context(), s.Actor(r), id), "Webhook deleted", webhooksPath)
}
