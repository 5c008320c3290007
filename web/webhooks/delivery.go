package webhooks

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/webhook/sender"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// DeliveryRow makes a row of a list of deliveries.
func DeliveryRow(w webhook.Webhook, d webhook.Delivery) views.DeliveryRow {
	row := views.DeliveryRow{
		ID: d.ID.String(), EventType: string(d.EventType), Test: d.IsTest, State: deliveryState(w, d),
		Attempts: d.Attempts, Most: webhook.Scheduled(),
		TookMS: -1, Created: d.CreatedAt,
	}
	if d.DurationMS != nil {
		row.TookMS = float64(*d.DurationMS)
	}
	return row
}

func deliveryState(w webhook.Webhook, d webhook.Delivery) views.DeliveryState {
	s := views.DeliveryState{
		Status: string(d.Status), Resending: d.Resending, Held: !w.IsActive, Next: frame.OrZero(d.NextAttemptAt),
	}
	if d.Attempts > 0 {
		s.Result = result(d.ResponseStatus, d.Error)
	}
	if d.Status == webhook.Succeeded && d.Error != nil { // the delivery succeeded earlier; resending it failed
		s.Result = "Succeeded. Resent: " + s.Result
	}
	return s
}

// result describes the result of an attempt: its HTTP status, or its error if it got no
// response.
func result(status *int, problem *string) string {
	if status != nil {
		return strings.TrimSpace(strconv.Itoa(*status) + " " + http.StatusText(*status))
	}
	return frame.OrNone(problem)
}

// deliveryIDs reads the IDs of the webhook and the delivery from the path.
func deliveryIDs(r *http.Request) (webhookID, id uuid.UUID, err error) {
	if webhookID, err = frame.PathID(r, "Webhook"); err != nil {
		return uuid.Nil, uuid.Nil, err
	}
	id, err = frame.ParseID(frame.PathParam(r, "delivery_id"), "Delivery")
	return webhookID, id, err
}

func (s *Server) Delivery(w http.ResponseWriter, r *http.Request) error {
	v, err := s.deliveryView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.DeliveryPage(s.Chrome(r), v))
}

// bodyMost bounds the part of a body that the page shows, in bytes. Layout and colors
// multiply its size on the page.
const bodyMost = 128 << 10

// deliveryView reads everything on a delivery's page.
func (s *Server) deliveryView(r *http.Request) (views.Delivery, error) {
	webhookID, id, err := deliveryIDs(r)
	if err != nil {
		return views.Delivery{}, err
	}
	w, err := s.Webhooks.Get(r.Context(), frame.SignedIn(r).Organization.ID, webhookID)
	if err != nil {
		return views.Delivery{}, err
	}
	d, err := s.Webhooks.DeliveryDetail(r.Context(), w.OrganizationID, webhookID, id)
	if err != nil {
		return views.Delivery{}, err
	}
	v := views.Delivery{
		WebhookID: webhookID.String(), Webhook: w.Name, ID: id.String(), EventID: d.EventID.String(),
		EventType: string(d.EventType), Test: d.IsTest,
		State: deliveryState(w, d.Delivery), Count: d.Attempts, Most: webhook.Scheduled(), URL: w.URL,
		Body: d.Payload, BodySize: len(d.Payload), Created: d.CreatedAt, Delivered: frame.OrZero(d.DeliveredAt),
		ListQuery: frame.ListQuery(r),
	}
	if len(v.Body) > bodyMost {
		v.Body = strings.ToValidUTF8(v.Body[:bodyMost], "")
	}
	if d.Resending || d.Status == webhook.Pending && w.IsActive {
		v.EventsHref = frame.EventsHref(r.URL)
	}
	wanted := r.URL.Query().Get("attempt")
	for i, a := range slices.Backward(d.History) {
		v.Attempts = append(v.Attempts, deliveryAttempt(a))
		if strconv.Itoa(a.Number) == wanted {
			v.Shown = len(d.History) - 1 - i
		}
	}
	return v, nil
}

func deliveryAttempt(a webhook.Attempt) views.DeliveryAttempt {
	v := views.DeliveryAttempt{
		Number: a.Number, Manual: a.Manual, At: a.StartedAt, Succeeded: a.Outcome == sender.OutcomeSucceeded,
		Error:  frame.OrNone(a.Error),
		Result: outcomeWords(a), TookMS: float64(a.DurationMS), URL: a.URL, SignedAt: a.SignedAt,
		Signature: a.Signature,
		Cut:       a.ResponseCut, Again: a.Reconnected, Phases: phases(a),
	}
	if a.RemoteAddress != nil {
		v.Address = frame.Unmapped(*a.RemoteAddress)
	}
	if a.ResponseStatus != nil {
		v.Status = result(a.ResponseStatus, nil)
	}
	for name, value := range a.ResponseHeaders {
		v.Headers = append(v.Headers, ui.Header{Name: strings.ToLower(name), Value: value})
	}
	slices.SortFunc(v.Headers, func(a, b ui.Header) int { return strings.Compare(a.Name, b.Name) })
	if body, text := textOf(a.ResponseBody, a.ResponseCut); text {
		v.Body = body
	} else {
		v.Binary = len(a.ResponseBody)
	}
	return v
}

// textOf returns a body as text; ok is false for a binary body. A truncated body may end
// inside a character.
func textOf(body []byte, cut bool) (text string, ok bool) {
	for i := 0; cut && i < utf8.UTFMax && !utf8.Valid(body); i++ {
		body = body[:max(len(body)-1, 0)]
	}
	if !utf8.Valid(body) || slices.Contains(body, 0) {
		return "", false
	}
	return string(body), true
}

// outcomeWords names the class of an attempt's outcome.
func outcomeWords(a webhook.Attempt) string {
	switch a.Outcome {
	case sender.OutcomeTimeout:
		return "Timed out"
	case sender.OutcomeDNS:
		return "Name not found"
	case sender.OutcomeConnect:
		return "No connection"
	case sender.OutcomeTLS:
		return "No secure connection"
	case sender.OutcomeBlocked:
		return "Address not allowed"
	case sender.OutcomeProtocol:
		return "Invalid response"
	}
	return result(a.ResponseStatus, a.Error)
}

// phases splits the duration of an attempt. The last phase covers the remaining work,
// such as writing the request and reading the response.
func phases(a webhook.Attempt) []ui.Phase {
	rest := float64(a.DurationMS)
	of := func(name string, ms *float32) ui.Phase {
		if ms == nil {
			return ui.Phase{Name: name, MS: -1}
		}
		rest -= float64(*ms)
		return ui.Phase{Name: name, MS: float64(*ms)}
	}
	split := []ui.Phase{
		of("DNS lookup", a.DNSMS), of(views.PhaseConnect, a.ConnectMS), of("TLS", a.TLSMS),
		of("First byte", a.FirstByteMS),
	}
	return append(split, ui.Phase{Name: "Rest", MS: max(rest, 0)})
}

// ResendDelivery requests one more attempt. A second request during the first attempt is
// no error.
func (s *Server) ResendDelivery(w http.ResponseWriter, r *http.Request) error {
	webhookID, id, err := deliveryIDs(r)
	if err != nil {
		return err
	}
	_, err = s.Webhooks.Resend(r.Context(), s.Actor(r), webhookID, id)
	switch {
	case fault.KindOf(err) == fault.Conflict:
		s.Toast(r, "Already resending")
	case err != nil:
		return err
	default:
		s.Toast(r, "Resending")
	}
	path := webhooksPath + "/" + webhookID.String() + "/deliveries/" + id.String()
	return frame.SeeOther(w, r, views.FromList(path, frame.ListQuery(r)))
}

func (s *Server) DeliveryEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "delivery", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.deliveryView(r)
		return views.DeliveryLive(s.LiveChrome(r, "/webhooks/"+v.WebhookID+"/deliveries/"+v.ID),
			v), v.EventsHref == "", err
	})
}

// ResendDeliveries resends the selected deliveries of a webhook, or all failed or retrying ones that the filter
// lets pass.
func (s *Server) ResendDeliveries(w http.ResponseWriter, r *http.Request) error {
	webhookID, err := frame.PathID(r, "Webhook")
	if err != nil {
		return err
	}
	selected := frame.ReadSelection(r)
	if selected.None() {
		return s.NothingSelected(w, r, selected, "delivery")
	}
	chosen := webhook.Chosen{IDs: selected.IDs}
	if selected.Matching {
		var ok bool
		if chosen, ok = allOf(selected.ListRequest(r).URL.Query()); !ok {
			return fault.Invalidf("", "Only failed or retrying deliveries can be resent all at once. Show them first")
		}
	}
	resent, err := s.Webhooks.ResendAll(r.Context(), s.Actor(r), webhookID, chosen)
	return s.Done(w, r, err, resentWords(resent), frame.Anchored(selected.List, "deliveries"))
}

// resentWords says how many deliveries are resent, and why the others are not.
func resentWords(r webhook.Resent) string {
	words := "Resending " + ui.Plural(r.Resent, "delivery", "deliveries")
	if r.Waiting > 0 {
		words += ". " + ui.Count(r.Waiting) + " skipped: already being resent"
	}
	if r.Gone > 0 {
		words += ". " + ui.Count(r.Gone) + " skipped: no longer stored"
	}
	return words
}
