package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/internal/webhook"
)

// hook returns n's webhook as JSON, with some fields replaced. A nil value leaves its
// field out.
func (n *tenant) hook(replaced object) string {
	n.w.t.Helper()
	body := n.webhook()
	for name, v := range replaced {
		if body[name] = v; v == nil {
			delete(body, name)
		}
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		n.w.t.Fatal(err)
	}
	return string(encoded)
}

// badWebhooks are values that neither a new webhook nor a change may have.
func badWebhooks() map[string]object {
	anything := "must be one of " + strings.Join(webhook.Subscribable(), ", ")
	const private = "url: must be a public address (others are only for hosts within the operator's " +
		"DIALWRIGHT_WEBHOOK_ALLOW)"
	return map[string]object{
		"name: required":                         {"name": " "},
		"name: must have at most 100 characters": {"name": strings.Repeat("x", 101)},
		"name: must be a string":                 {"name": 7},
		"url: required":                          {"url": ""},
		"url: must be a string":                  {"url": []string{}},
		"url: must be an https URL such as https://example.com": {
			"url": "ftp://example.com",
		},
		"url: must be an https URL (http is only for hosts within the operator's DIALWRIGHT_WEBHOOK_ALLOW)": {
			"url": "http://example.com",
		},
		private:                            {"url": "https://192.168.1.7/hook"},
		private + " ":                      {"url": "https://[::ffff:169.254.169.254]/latest"},
		private + "  ":                     {"url": "https://localhost/"},
		"events: at least one is required": {"events": []string{}},
		"events: must be an array":         {"events": "*"},
		"events[1]: must be a string":      {"events": []any{"*", 1}},
		"events[0]: " + anything:           {"events": []string{"call.began"}},
		"events[0]: " + anything + "; events[2]: not an event type": {"events": []string{"", "*", "CALL.STARTED"}},
		"evnets: unknown field, did you mean":                       {"evnets": true},
	}
}

func TestBadWebhooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	path := "/webhooks/" + n.newWebhook()
	before := n.do("GET", path, nil).want(http.StatusOK).body
	for want, bad := range badWebhooks() {
		t.Run(want, func(t *testing.T) {
			want := strings.TrimSpace(want)
			for method, at := range map[string]string{"POST": "/webhooks", "PATCH": path} {
				body := bad
				if method == "POST" {
					body = n.webhook()
					maps.Copy(body, bad)
				}
				a := n.do(method, at, body).want(http.StatusBadRequest)
				if got := a.get("error").(string); got != want &&
					!(strings.HasSuffix(want, "mean") && strings.HasPrefix(got, want)) {
					t.Errorf("%s: got %s", method, got)
				}
			}
		})
		w.refill()
	}
	for body, want := range map[string]string{
		"":   "the body is empty: a JSON object is expected",
		"{}": "name: required; url: required; events: at least one is required",
		`{"name": 1, "url": "x"}`: "name: must be a string; url: must be an https URL such as " +
			"https://example.com; events: at least one is required",
		n.hook(object{"secret": "x"}): "secret: unknown field, must be one of name, url, events, filters, headers",
		n.hook(nil)[:20]:              "not valid JSON: it ends too early",
	} {
		n.do("POST", "/webhooks", body).refused(http.StatusBadRequest, want)
	}
	n.do("POST", "/webhooks", strings.Repeat(" ", maxBody+1)).
		refused(http.StatusRequestEntityTooLarge, "The body is larger than the limit of 1 MiB")
	if got := w.count(`select count(*) from webhook`); got != 1 {
		t.Errorf("%d webhooks", got)
	}
	if after := n.do("GET", path, nil).body; after != before {
		t.Errorf("it was %s and is %s", before, after)
	}
}

// Only the answers of creation and rotation contain the secret.
func TestAWebhooksSecretIsShownOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	form := regexp.MustCompile(`^whsec_[A-Za-z0-9+/]{43}=$`)
	a := n.do("POST", "/webhooks", n.webhook(), "Idempotency-Key", "once").want(http.StatusCreated)
	again := n.do("POST", "/webhooks", n.webhook(), "Idempotency-Key", "once").want(http.StatusCreated)
	first := a.get("secret").(string)
	if !form.MatchString(first) || again.get("secret") == first || again.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("%v\n%v", a, again)
	}
	if kept := w.count(`select count(*) from idempotency_key`); kept != 0 {
		t.Errorf("%d answers are kept", kept)
	}
	path := "/webhooks/" + a.get("id").(string)
	without := a.get().(object)
	delete(without, "secret")
	for _, shown := range []any{
		n.do("GET", path, nil).get(), n.do("GET", "/webhooks", nil).data()[1],
		n.do("PATCH", path, "{}").want(http.StatusOK).get(),
	} {
		got, _ := json.Marshal(shown)
		want, _ := json.Marshal(without)
		if string(got) != string(want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}

	secrets := []string{first}
	for _, body := range []string{"", "{}", `{"overlap_seconds": 0}`, `{"overlap_seconds": 604800}`} {
		r := n.do("POST", path+"/rotate-secret", body).want(http.StatusOK)
		secret := r.get("secret").(string)
		if !form.MatchString(secret) || slices.Contains(secrets, secret) {
			t.Errorf("%v", r)
		}
		secrets = append(secrets, secret)
	}
	for body, want := range map[string]string{
		`{"overlap_seconds": -1}`:                  "overlap_seconds: must be between 0 and 604,800",
		`{"overlap_seconds": 604801}`:              "overlap_seconds: must be between 0 and 604,800",
		`{"overlap_seconds": 9223372036854775807}`: "overlap_seconds: must be between 0 and 604,800",
		`{"overlap_seconds": "1"}`:                 "overlap_seconds: must be an integer",
		`{"overlap_seconds": null}`:                "overlap_seconds: must not be null",
		`{"overlap": 1}`:                           "overlap: unknown field, did you mean overlap_seconds?",
		`[]`:                                       "the body must be an object",
	} {
		n.do("POST", path+"/rotate-secret", body).refused(http.StatusBadRequest, want)
	}
	for _, secret := range secrets {
		if strings.Contains(w.log.String(), secret[6:]) {
			t.Error("a secret is in the log")
		}
	}
	if strings.Contains(w.log.String(), "hooks.example.com") {
		t.Error("a URL is in the log")
	}
}

func TestPatchAWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	created := n.do("POST", "/webhooks", n.webhook()).want(http.StatusCreated)
	path := "/webhooks/" + created.get("id").(string)

	// A client can send back the webhook that it read or created.
	whole := created.get().(object)
	a := n.do("PATCH", path, whole).want(http.StatusOK)
	delete(whole, "secret")
	if got, want := a.get(), any(whole); jsonText(t, got) != jsonText(t, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for body, want := range map[string]object{
		`{"name": "ERP"}`: {"name": "ERP"}, `{"url": "https://example.org"}`: {"url": "https://example.org"},
		`{"events": ["*", "*"]}`: {"events": []any{"*"}}, `{"is_active": false}`: {"is_active": false},
		`{}`: {},
	} {
		before := n.do("GET", path, nil).get().(object)
		maps.Copy(before, want)
		a := n.do("PATCH", path, body).want(http.StatusOK)
		if jsonText(t, a.get()) != jsonText(t, before) || n.do("GET", path, nil).body != a.body {
			t.Errorf("%s: got %s, want %v", body, a.body, before)
		}
	}
	for body, want := range map[string]string{
		`{"id": "` + newID().String() + `", "created_at": "2026-01-01T00:00:00Z", "secret": ` +
			`"whsec_"}`: "id: cannot be changed; created_at: cannot be changed; secret: cannot be changed, only " +
			"rotated",
		`{"created_at": "yesterday"}`: "created_at: must be an RFC 3339 time such as 2026-11-21T09:30:00Z",
		`{"is_active": "no"}`:         "is_active: must be true or false",
		`{"name": null, "url": null, "events": null, "is_active": null, "id": null, "secret": null, "created_at": ` +
			`null}`: "name: must not be null; " +
			"url: must not be null; events: must not be null; is_active: must not be null; id: must not be null; " +
			"secret: must not be null; created_at: must not be null",
		`{"name": 7, "url": "ftp://example.com", "events": []}`: "name: must be a string; " +
			"url: must be an https URL such as https://example.com; events: at least one is required",
	} {
		n.do("PATCH", path, body).refused(http.StatusBadRequest, want)
	}
	n.do("DELETE", path, nil).want(http.StatusNoContent)
	for method, body := range map[string]string{"GET": "", "PATCH": "{}", "DELETE": ""} {
		n.do(method, path, body).refused(http.StatusNotFound, "Webhook not found")
	}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheEleventhWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	ids := make([]string, 10)
	for i := range ids {
		ids[i] = n.newWebhook()
	}
	n.do("POST", "/webhooks", n.webhook()).
		refused(http.StatusUnprocessableEntity, "Webhook limit reached: at most 10 per organization")
	n.do("DELETE", "/webhooks/"+ids[3], nil).want(http.StatusNoContent)
	n.newWebhook()
}

func TestDeliveriesOfAWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	hook := n.newWebhook()
	path := "/webhooks/" + hook
	failed := n.newDelivery(hook)
	tested := n.do("POST", path+"/test", nil).want(http.StatusCreated)
	if tested.get("status") != "pending" || tested.get("event_type") != "webhook.test" ||
		tested.get("next_attempt_at") == nil {
		t.Errorf("%v", tested)
	}
	one := n.do("GET", path+"/deliveries/"+tested.get("id").(string), nil).want(http.StatusOK)
	var event object
	if err := json.Unmarshal([]byte(one.get("body").(string)), &event); err != nil {
		t.Fatal(err)
	}
	if jsonText(t, event["data"]) != jsonText(t, n.do("GET", path, nil).get()) || event["id"] != one.get("event_id") {
		t.Errorf("the event is %v", event)
	}
	// A test of any other type sends the example of the description.
	sample := n.do("POST", path+"/test", `{"event_type": "recipient.skipped"}`).want(http.StatusCreated)
	one = n.do("GET", path+"/deliveries/"+sample.get("id").(string), nil).want(http.StatusOK)
	var skipped object
	if err := json.Unmarshal([]byte(one.get("body").(string)), &skipped); err != nil {
		t.Fatal(err)
	}
	payloadIsDescribed(t, "recipient.skipped", skipped)
	if skipped["type"] != "recipient.skipped" || skipped["id"] != one.get("event_id") ||
		skipped["data"].(map[string]any)["skip_reason"] != "do_not_call" {
		t.Errorf("the event is %v", skipped)
	}
	n.do("POST", path+"/test", `{"event_type": "call.exploded"}`).
		refused(http.StatusBadRequest, "event_type: must be one of "+strings.Join(typeNames(), ", "))
	n.do("POST", path+"/test", "{not JSON").want(http.StatusBadRequest)
	w.exec(`delete from delivery where id = $1`, sample.get("id"))

	for query, want := range map[string][]string{
		"":                         {tested.get("id").(string), failed},
		"?status=failed":           {failed},
		"?status=succeeded":        nil,
		"?event_type=call.started": {failed},
		"?event_type=webhook.test&status=pending": {tested.get("id").(string)},
		"?created_before=2026-01-01T00:00:00Z":    nil,
	} {
		var got []string
		for _, row := range n.do("GET", path+"/deliveries"+query, nil).data() {
			got = append(got, row.(object)["id"].(string))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", query, got, want)
		}
	}
	// A delivery is found only under its own webhook.
	elsewhere, stranger := n.newWebhook(), w.newTenant("Other")
	for _, foreign := range []string{n.newDelivery(elsewhere), stranger.newDelivery(stranger.newWebhook())} {
		n.do("GET", path+"/deliveries/"+foreign, nil).refused(http.StatusNotFound, "Delivery not found")
		n.do("POST", path+"/deliveries/"+foreign+"/resend", nil).refused(http.StatusNotFound, "Delivery not found")
	}
	detail := n.do("GET", path+"/deliveries/"+failed, nil).want(http.StatusOK)
	if detail.get("history", 0, "response") != nil || detail.get("history", 1, "response", "body") != "Later" ||
		detail.get("history", 1, "request", "headers", "webhook-id") != detail.get("event_id") {
		t.Errorf("%v", detail)
	}
	resent := n.do("POST", path+"/deliveries/"+failed+"/resend", nil).want(http.StatusOK)
	if resent.get("status") != "failed" || resent.get("next_attempt_at") == nil {
		t.Errorf("%v", resent)
	}
	n.do("POST", path+"/deliveries/"+failed+"/resend", nil).
		refused(http.StatusConflict, "Delivery is being resent already")
}

func TestRecoverAWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	path := "/webhooks/" + n.newWebhook()
	for body, want := range map[string]string{
		"": "the body is empty: a JSON object is expected", "{}": "since: required",
		`{"since": null}`:                   "since: must not be null",
		`{"since": "yesterday"}`:            "since: must be an RFC 3339 time such as 2026-11-21T09:30:00Z",
		`{"since": "2125-01-01T00:00:00Z"}`: "since: must not be in the future",
		`{"since": "2025-01-01T00:00:00Z"}`: "since: must be within the last 30 days",
	} {
		n.do("POST", path+"/recover", body).refused(http.StatusBadRequest, want)
	}
	since := object{"since": time.Now().Add(-time.Hour)}
	n.do("PATCH", path, `{"is_active": false}`).want(http.StatusOK)
	n.do("POST", path+"/recover", since).refused(http.StatusConflict, "Webhook is inactive and cannot be recovered")
	n.do("PATCH", path, `{"is_active": true}`).want(http.StatusOK)
	begun := n.do("POST", path+"/recover", since).want(http.StatusCreated)
	if begun.get("status") != "running" || n.do("GET", path+"/recover", nil).want(http.StatusOK).body != begun.body {
		t.Errorf("%v", begun)
	}
	n.do("POST", path+"/recover", since).refused(http.StatusConflict, "Webhook is being recovered already")
	w.exec(`update webhook_recovery set finished_at = clock(), at = until, retried = 3`)
	if done := n.do("GET", path+"/recover", nil).want(http.StatusOK); done.get("status") != "finished" ||
		done.get("retried") != 3.0 {
		t.Errorf("%v", done)
	}
}

func TestEventTypes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	types := n.do("GET", "/event-types?limit=1", nil).data()
	if len(types) != len(webhook.Catalog()) || types[0].(object)["type"] != "campaign.scheduled" ||
		types[0].(object)["description"] == "" {
		t.Errorf("%v", types)
	}

	// Each links to its schema in the served description.
	published, err := reference.Publish(Description, w.app.PublicURL+"/api/v1")
	if err != nil {
		t.Fatal(err)
	}
	var description any
	if err := json.Unmarshal(published.JSON, &description); err != nil {
		t.Fatal(err)
	}
	for _, kind := range types {
		file, pointer, _ := strings.Cut(kind.(object)["schema_url"].(string), "#/")
		at := description
		for step := range strings.SplitSeq(pointer, "/") {
			at, _ = at.(object)[strings.ReplaceAll(step, "~1", "/")].(object)
		}
		schema, _ := at.(object)
		name, _ := schema["properties"].(object)["type"].(object)["const"].(string)
		if file != w.app.PublicURL+"/openapi.json" || schema["type"] != "object" || name != kind.(object)["type"] {
			t.Errorf("%v leads to %v of %s", kind, schema, file)
		}
	}
}

func typeNames() []string {
	var names []string
	for _, t := range webhook.Types() {
		names = append(names, string(t))
	}
	return names
}
