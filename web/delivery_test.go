package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// attempt adds an attempt to a delivery. The status 0 means that it got no response.
func (n *tenant) attempt(
	delivery uuid.UUID, number int, outcome sender.Outcome, status int, headers string, body []byte, cut bool,
) {
	n.w.t.Helper()
	problem := map[sender.Outcome]string{
		sender.OutcomeSucceeded: "", sender.OutcomeTimeout: "No answer within 15 s",
	}[outcome]
	if status >= 300 {
		problem = "The endpoint answered 503 Service Unavailable"
	}
	n.w.exec(`insert into delivery_attempt (delivery_id, number, manual, url, signed_at, signature, outcome, error,
		remote_address, response_status,
			response_headers, response_body, response_cut, dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms,
				started_at)
		values ($1, $2, $2 > 3, 'https://hooks.example.com/attempt/' || $2::int, 1795203500 + $2,
			'v1,signature' || $2::int, $3, nullif($4, ''),
			case when $5 > 0 then '203.0.113.80'::inet end, nullif($5, 0), nullif($6, '')::jsonb, $7, $8, 12.4,
			case when $5 > 0 then 48.2 end, case when $5 > 0 then 96.7 end, case when $5 > 0 then 1931.0 end, 2104,
				clock())`,
		delivery, number, outcome, problem, status, headers, body, cut)
}

func TestDeliveryPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	hook := n.newWebhook()
	id := n.pastDelivery(hook, "call.completed", webhook.Failed, time.Hour)
	path := pagePath(hook) + "/deliveries/" + id.String()
	event := value[uuid.UUID](w, `select event_id from delivery where id = $1`, id)
	w.exec(`update delivery set attempts = 5 where id = $1`, id)
	n.attempt(id, 1, sender.OutcomeStatus, 503, `{"Content-Type": "application/json", "Retry-After": "300"}`,
		[]byte(`{"error":"<i>down</i>"}`), false)
	n.attempt(id, 2, sender.OutcomeTimeout, 0, "", nil, false)
	n.attempt(id, 3, sender.OutcomeStatus, 503, `{}`, []byte("Größ\xc3"), true) // truncated inside a character
	n.attempt(id, 4, sender.OutcomeStatus, 503, `{}`, []byte{0x89, 'P', 'N', 'G', 0}, false)
	n.attempt(id, 5, sender.OutcomeStatus, 503, `{}`, nil, false)

	newest := v.get(path).want(http.StatusOK).
		has("call.completed", "Failed", "5 attempts", "Attempt 5", "Resent", "webhook-id: "+event.String(), id.String(),
			"webhook-timestamp: 1795203505", "webhook-signature: v1,signature5",
			"POST https://hooks.example.com/attempt/5", "The response has no body", path+"/resend")
	first := v.get(path+"?attempt=1").want(http.StatusOK).
		has("POST https://hooks.example.com/attempt/1", "webhook-signature: v1,signature1", "retry-after: 300",
			"<i>down</i>",
			"Timing of attempt 1", "12 ms", "48 ms", "97 ms", "1.9 s", "203.0.113.80").lacks("existing connection")
	if strings.Contains(newest.body, "<b>Olu") || !strings.Contains(newest.body, "&lt;b&gt;Olu&lt;/b&gt;") ||
		strings.Contains(first.body, "<i>down") {
		t.Error("a body is markup")
	}
	v.get(path+"?attempt=2").has("Timed out", "No response. No answer within 15 s.", "Timing of attempt 2")
	v.get(path+"?attempt=3").has("Größ", "First 16 KiB").lacks("\ufffd")
	v.get(path + "?attempt=4").has("5 bytes of binary data not shown")
	w.exec(`update delivery_attempt set reconnected = true where delivery_id = $1 and number = 3`, id)
	v.get(path + "?attempt=3").has("so the request went over a new one")
	v.get(path + "?attempt=1").lacks("so the request went over a new one")
	v.get(path + "?attempt=99").want(http.StatusOK).has("Timing of attempt 5")

	// The page truncates a long body.
	w.exec(`update event set payload = '{"x":"' || repeat('ä', 100000) || '"}' where id = $1`, event)
	if got := v.get(path).want(http.StatusOK).has("It has 200,008 bytes"); len(got.body) > 300_000 ||
		strings.Contains(got.body, "\ufffd") {
		t.Errorf("the page has %d bytes", len(got.body))
	}

	// Staff may resend a delivery, once at a time, even while the webhook is inactive.
	w.exec(`update webhook set is_active = false, inactive_since = clock() where id = $1`, hook.ID)
	v.post(path+"/resend", nil).leads(path)
	v.get(path).has("Resending", `sse-connect="`+path+`/events"`).lacks(path + `/resend"`)
	v.post(path+"/resend", nil).leads(path)
	v.get(path).has("Already resending")
	if queued := w.count(`select count(*) from delivery_due where delivery_id = $1`, id); queued != 1 {
		t.Errorf("%d attempts are queued", queued)
	}

	// A delivery that succeeded stays successful if resending it fails.
	w.exec(`update delivery set status = 'succeeded', delivered_at = clock() where id = $1`, id)
	v.get(pagePath(hook)).has("Succeeded. Resent: 503 Service Unavailable")

	// A delivery is found only below its own webhook, and a webhook only in its own
	// organization.
	other := n.newWebhook()
	v.get(pagePath(other) + "/deliveries/" + id.String()).want(http.StatusNotFound)
	v.post(pagePath(other)+"/deliveries/"+id.String()+"/resend", nil).want(http.StatusNotFound)
	for _, nonsense := range []string{"nonsense", newID().String()} {
		v.get(pagePath(hook) + "/deliveries/" + nonsense).want(http.StatusNotFound)
	}
}

func TestWebhookStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	hook := n.newWebhook()
	path := pagePath(hook)
	s := v.listen(path + "/events?status=failed")
	if e := s.next("webhook", "Active", "No deliveries match"); strings.Contains(e.data, "/events") {
		t.Errorf("the part leads to the stream: %s", e.data)
	}
	id := n.pastDelivery(hook, "call.completed", webhook.Failed, time.Hour)
	s.next("webhook", "503 Service Unavailable", id.String(), "Recover")
	w.exec(`update webhook set failing_since = clock() - interval '6 minutes', failures = 3 where id = $1`, hook.ID)
	s.next("webhook", "Failing since", "The endpoint answered 503")
	w.exec(`insert into webhook_recovery (id, organization_id, webhook_id, since, until, at, created_by)
		select $1, $2, $3, k.t - interval '100 minutes', k.t, k.t - interval '50 minutes', 'Ada'
			from (select clock() as t) k`, newID(), n.organization, hook.ID)
	s.next("webhook", "50% checked")
	if err := w.app.Webhooks.Delete(t.Context(), n.actor(), hook.ID); err != nil {
		t.Fatal(err)
	}
	s.ended()
}

// The links of a part that a stream sends lead to the page.
func TestWebhookStreamHasMorePages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	hook := n.newWebhook()
	for i := range page.DefaultLimit + 1 {
		n.pastDelivery(hook, "call.completed", webhook.Failed, time.Duration(i)*time.Minute)
	}
	path := pagePath(hook)
	s := n.as(n.admin).listen(path + "/events?status=failed")
	if e := s.next("webhook", `href="`+path+`?cursor=`); strings.Contains(e.data, "/events") {
		t.Errorf("the part leads to the stream: %s", e.data)
	}
}

func TestDeliveryStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	hook := n.newWebhook()
	id := n.pastDelivery(hook, "call.completed", webhook.Pending, time.Hour)
	path := pagePath(hook) + "/deliveries/" + id.String()
	w.exec(`update delivery set attempts = 0, response_status = null, error = null where id = $1`, id)
	if page := v.get(path).want(http.StatusOK).has(
		"No attempt yet",
	); !strings.Contains(page.body, `sse-connect="`+path+`/events"`) {
		t.Error("the page does not listen")
	}
	s := v.listen(path + "/events")
	s.next("delivery", "No attempt yet", "No attempt yet")
	n.attempt(id, 1, sender.OutcomeStatus, 503, `{}`, []byte("down"), false)
	w.exec(
		`update delivery set attempts = 1, response_status = 503,
			error = 'The endpoint answered 503 Service Unavailable' where id = $1`,
		id,
	)
	s.next("delivery", "1 of 10 attempts", "down")
	w.exec(
		`update delivery set status = 'succeeded', response_status = 200, error = null, attempts = 2,
			delivered_at = clock(), next_attempt_at = null where id = $1`,
		id,
	)
	s.next("delivery", "Succeeded", "2 attempts")
	s.next("end")
	s.ended()
	v.get(path).lacks("sse-connect")
}
