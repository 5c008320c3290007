package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/dialwright/dialwright/internal/browsertest"
)

// endpoint is a customer's receiver, broken until mend is called.
type endpoint struct {
	*httptest.Server
	mu     sync.Mutex
	mended bool
	heads  []http.Header
	bodies [][]byte
}

func newEndpoint(t *testing.T) *endpoint {
	t.Helper()
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // a body that broke off fails its signature
		e.mu.Lock()
		defer e.mu.Unlock()
		e.heads, e.bodies = append(e.heads, r.Header.Clone()), append(e.bodies, body)
		if !e.mended {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(`{"error": "maintenance"}`))
		}
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) mend() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.mended = true
}

// tests returns the received requests of test events.
func (e *endpoint) tests() (heads []http.Header, bodies [][]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, body := range e.bodies {
		if strings.Contains(string(body), `"webhook.test"`) {
			heads, bodies = append(heads, e.heads[i]), append(bodies, body)
		}
	}
	return heads, bodies
}

// A person connects a broken receiver, rotates its secret, and resends the failed
// deliveries after its repair.
func TestWebhookJourney(t *testing.T) {
	t.Parallel()
	w := newProduct(t)
	n := w.newTenant("Aster")
	receiver := newEndpoint(t)
	at := w.server.URL
	browser := browsertest.Open(t)
	tab := browser.NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Go(at + "/webhooks")
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	tab.WaitText("h2", "No webhooks yet")
	tab.Check("no webhooks")

	// The page shows the webhook's secret once.
	tab.Follow("a[href='/webhooks/new']")
	tab.Fill("#name", "EHR bridge")
	tab.Fill("#url", receiver.URL+"/dialwright")
	tab.Click("input[name=events][value='campaign.*']")
	tab.Follow(".form-foot button.btn-primary")
	tab.Check("a new secret")
	secretShown := func() string {
		return browsertest.Eval[string](tab, "document.querySelector('#secret-value').value")
	}
	first := secretShown()
	tab.Click("button[data-copy]")
	tab.WaitText("button[data-copy]", "C") // the button says "Copied", or explains how to copy
	tab.Follow(".secret-value a")
	tab.WaitText("h1", "EHR bridge")
	path := tab.Path()
	if text := tab.Text("main"); strings.Contains(text, first) || !strings.Contains(text, "Nothing has been sent yet") {
		t.Errorf("the page reads %s", text)
	}

	// A failed delivery appears without a reload.
	tab.Follow("a[href$='/test']")
	tab.Follow(".form-foot button.btn-primary")
	tab.WaitText(".toast", "Sending the test")
	browsertest.Eval[bool](tab, "window.loadedOnce = true")
	tab.WaitText("tbody", "503 Service Unavailable")
	// The test makes the webhook fail for ten minutes.
	w.exec(`update webhook set failing_since = clock() - interval '10 minutes', failures = 5`)
	n.newCampaign()
	tab.WaitText("tbody", "campaign.scheduled")
	tab.WaitText(".page-title .badge", "Failing since")
	tab.WaitText(".notice", "The endpoint answered 503")
	tab.WaitText(".legend", "Failed")
	if !browsertest.Eval[bool](tab, "window.loadedOnce === true") {
		t.Error("the page was loaded anew")
	}
	tab.Check("a failing webhook")
	tab.Screenshot("journey-webhook")

	// The rotation keeps the previous secret for another hour.
	tab.Follow("a[href$='/rotate-secret']")
	tab.Click("input[name=overlap][value='3600']")
	tab.Follow(".form-foot button.btn-primary")
	second := secretShown()
	tab.Follow(".secret-value a")
	tab.WaitText(".notice", "The secret was rotated")

	// The repaired receiver gets the failed deliveries again.
	receiver.mend()
	tab.Follow("tbody tr:last-child a.row-link")
	tab.WaitText("h1", "webhook.test")
	tab.WaitText(".code", "maintenance")
	tab.Check("a failed delivery")
	tab.Follow("form[action$='/resend'] button")
	tab.WaitText(".page-title .badge", "Succeeded")
	tab.WaitText("tbody", "200 OK")
	tab.Check("a delivery that succeeded")
	tab.Screenshot("journey-delivery")
	heads, bodies := receiver.tests()
	if len(heads) != 2 || heads[0].Get("Webhook-Id") != heads[1].Get("Webhook-Id") {
		t.Fatalf("the test was received as %v", heads)
	}
	again, body := heads[1], bodies[1]
	if first == second {
		t.Error("the secret is the same")
	}
	for _, secret := range []string{first, second} {
		verifier, err := standardwebhooks.NewWebhook(secret)
		if err == nil {
			err = verifier.Verify(body, again)
		}
		if err != nil {
			t.Errorf("the resent delivery: %v", err)
		}
	}
	if shown := tab.Text("[aria-labelledby=request] .code"); !strings.Contains(shown, again.Get("Webhook-Signature")) {
		t.Errorf("the page shows %s", shown)
	}

	// Deleting a webhook asks for confirmation.
	tab.Go(at + path)
	tab.Click("a[data-confirm]")
	tab.Wait("dialog #confirm-title")
	tab.Check("a question")
	tab.Click("dialog [data-keep]")
	for _, problem := range tab.Problems() {
		t.Errorf("at the end: %s", problem)
	}

	// The same in a browser without scripts, where a reload shows new deliveries.
	tab = browser.NewTab(t)
	tab.Scripts(false)
	tab.Emulate(browsertest.Views[2])
	tab.Go(at + path)
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	reload := func(wanted string) {
		t.Helper()
		tab.GoUntil(at+path, fmt.Sprintf(`document.querySelector("main").innerText.includes(%q)`, wanted))
	}
	tab.Follow("form[action$='/pause'] button")
	reload("Paused since")
	tab.Follow("form[action$='/resume'] button")
	tab.Follow(".form-foot button.btn-primary") // the form proposes to recover since the pause
	reload("Recovered events since")
	tab.Follow("a[href$='/delete']")
	tab.Follow("#confirm button.btn-destroy")
	if text := tab.Text("main"); !strings.Contains(text, "No webhooks yet") {
		t.Errorf("after deletion: %s", text)
	}
}
