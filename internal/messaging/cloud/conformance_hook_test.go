package cloud_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

func TestStatuses(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	w.listen(t, sandbox.Account250)
	w.product.mu.Lock()
	w.product.failing = 3 // failed deliveries are repeated
	w.product.mu.Unlock()
	want := map[string][]cloud.State{
		"00": {cloud.Sent, cloud.Delivered, cloud.Read},
		"01": {cloud.Sent},
		"02": {cloud.Sent, cloud.Delivered},
		"03": {cloud.Sent, cloud.Read},
		"04": {cloud.Delivered, cloud.Read, cloud.Sent, cloud.Read, cloud.Delivered, cloud.Sent},
		"05": {cloud.Sent, cloud.Delivered, cloud.Failed},
		"06": {cloud.Sent, cloud.Failed},
		"07": {cloud.Failed},
		"08": {cloud.Failed},
		"09": nil,
	}
	for outcome := range want {
		if _, err := w.account(sandbox.Account250).Send(t.Context(), to("+15005559"+outcome+"0", outcome)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.operator.Await(t.Context(), func(s sandbox.State) bool { return s.Pending == 0 }); err != nil {
		t.Fatal(err)
	}
	events := w.product.await(t, func([]cloud.Event) bool { return true })
	for outcome, states := range want {
		if got := statuses(events, outcome); !slices.Equal(got, states) {
			t.Errorf("%s: told %v", outcome, got)
		}
	}
	at := map[cloud.State]time.Time{}
	for _, e := range events {
		s := e.(cloud.Status)
		if (s.State == cloud.Failed) != (s.Failure != nil) {
			t.Errorf("%+v", s)
		}
		if s.State != cloud.Failed && (s.Pricing.Category != "utility" || !s.Pricing.Billable) {
			t.Errorf("pricing %+v", s.Pricing)
		}
		codes := map[string]struct {
			code  int
			class cloud.Class
		}{
			"05": {131000, cloud.Retry}, "06": {131026, cloud.Permanent}, "07": {131049, cloud.RetryNextDay},
			"08": {132015, cloud.StopTemplate},
		}
		if f := s.Failure; f != nil && (f.Code != codes[s.Reference].code || f.Class != codes[s.Reference].class) {
			t.Errorf("%s: %+v", s.Reference, f)
		}
		if s.Reference == "04" {
			if before, twice := at[s.State]; twice && !before.Equal(s.At) {
				t.Errorf("%s is told with two times", s.State)
			}
			at[s.State] = s.At
		}
	}
	if !at[cloud.Sent].Before(at[cloud.Delivered]) || !at[cloud.Delivered].Before(at[cloud.Read]) {
		t.Errorf("the times are out of order as well: %v", at)
	}
}

func TestReplies(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	w.listen(t, sandbox.Account250)
	sent := map[string]string{}
	for _, outcome := range []string{"70", "71", "72", "73"} {
		m := to("+15005559"+outcome+"0", outcome)
		m.Template, m.Components = "appointment", []cloud.Component{{Type: "body", Parameters: []cloud.Parameter{
			{Type: "text", Name: "time", Text: "noon"}, {Type: "text", Name: "first_name", Text: "Ana"},
			{Type: "text", Name: "day", Text: "Monday"},
		}}}
		accepted, err := w.account(sandbox.Account250).Send(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		sent[outcome] = accepted.MessageID
	}
	if _, err := w.operator.Await(t.Context(), func(s sandbox.State) bool { return s.Pending == 0 }); err != nil {
		t.Fatal(err)
	}
	if err := w.operator.Receive(sandbox.Number250, "+15005551234", "Hello?"); err != nil {
		t.Fatal(err)
	}
	wants := map[string]cloud.Event{}
	for digits, e := range map[string]cloud.Inbound{
		"15005559700": {Kind: "text", Text: "STOP", ReplyTo: sent["70"], Name: "Recipient 9700"},
		"15005559710": {
			Kind: "text", Text: "Is Thursday possible as well?", ReplyTo: sent["71"], Name: "Recipient 9710",
		},
		"15005559720": {
			Kind: "button", Text: "I will come", Payload: "I will come", ReplyTo: sent["72"], Name: "Recipient 9720",
		},
		"15005551234": {Kind: "text", Text: "Hello?", Name: "Recipient 1234"},
	} {
		e.AccountID, e.NumberID, e.WaID = sandbox.Account250, sandbox.Number250, digits
		wants[digits] = e
	}
	wants["15005559730"] = cloud.Preference{
		AccountID: sandbox.Account250, NumberID: sandbox.Number250, WaID: "15005559730",
		Category: "marketing_messages", Value: "stop",
	}
	w.product.await(t, func(events []cloud.Event) bool {
		missing := len(wants)
		for _, e := range events {
			var digits string
			switch got := e.(type) {
			case cloud.Inbound:
				digits = got.WaID
				if got.MessageID == "" || got.At.IsZero() {
					t.Errorf("%+v", got)
				}
				got.MessageID, got.At = "", time.Time{}
				e = got
			case cloud.Preference:
				digits = got.WaID
				got.At = time.Time{}
				e = got
			default:
				continue
			}
			if e != wants[digits] {
				t.Errorf("got %+v, want %+v", e, wants[digits])
			}
			missing--
		}
		return missing == 0
	})
}

func TestOtherUpdates(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	w.listen(t, sandbox.Account250)
	if err := w.operator.SetTemplateStatus(sandbox.Account250, "heads_up", "en_US", "PAUSED"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.account(sandbox.Account250).Send(
		t.Context(), to("+15005551234", "x"),
	); cloud.ClassOf(err) != cloud.StopTemplate {
		t.Errorf("a paused template: %v", err)
	}
	if err := w.operator.SetQuality(sandbox.Number250, "RED"); err != nil {
		t.Fatal(err)
	}
	if numbers, err := w.account(sandbox.Account250).Numbers(t.Context()); err != nil || numbers[0].Quality != "RED" {
		t.Errorf("%+v, %v", numbers, err)
	}
	for _, e := range w.product.await(t, func(events []cloud.Event) bool { return len(events) == 2 }) {
		switch e := e.(type) {
		case cloud.TemplateUpdate:
			if e.AccountID != sandbox.Account250 || e.Name != "heads_up" || e.Language != "en_US" ||
				e.Status != "PAUSED" || e.Reason != "" || e.TemplateID == "" {
				t.Errorf("%+v", e)
			}
		case cloud.QualityUpdate:
			if e.AccountID != sandbox.Account250 || e.PhoneNumber != "+13125550122" || e.Kind != "DOWNGRADE" {
				t.Errorf("%+v", e)
			}
		default:
			t.Errorf("%+v", e)
		}
	}
}

func TestSubscribe(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	account := w.account(sandbox.Account250)
	for name, c := range map[string]struct{ callback, token string }{
		"another verify token": {w.callback, "another"},
		"an unknown connection": {
			strings.Replace(w.callback, w.callback[len(w.callback)-12:], "000000000000", 1), verifyToken,
		},
		"nobody there": {"http://127.0.0.1:1/x", verifyToken},
		"no address":   {"x", verifyToken},
	} {
		err := account.Subscribe(t.Context(), c.callback, c.token)
		if e, _ := errors.AsType[*cloud.Error](err); e == nil || e.Code != 2200 || e.Class != cloud.Permanent {
			t.Errorf("%s: %v", name, err)
		}
		if err := w.operator.SetCallback(t.Context(), sandbox.Account250, c.callback, c.token); err == nil {
			t.Errorf("%s: configured", name)
		}
	}
	// A callback address alone gets no webhooks, because the app is not subscribed to the account.
	if err := w.operator.SetCallback(t.Context(), sandbox.Account1K, w.callback, verifyToken); err != nil {
		t.Fatal(err)
	}
	m := to("+15005009010", "none")
	m.NumberID = sandbox.Number1K
	if _, err := account.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if _, err := w.operator.Await(t.Context(), func(s sandbox.State) bool { return s.Pending == 0 }); err != nil {
		t.Fatal(err)
	}

	// If the account has its own address, its messages go there. All other webhooks go to the app's
	// address, and this app has none.
	if err := account.Subscribe(t.Context(), w.callback, verifyToken); err != nil {
		t.Fatal(err)
	}
	if err := w.operator.SetTier(sandbox.Account250, "TIER_1K"); err != nil {
		t.Fatal(err)
	}
	if _, err := account.Send(t.Context(), to("+15005009010", "one")); err != nil {
		t.Fatal(err)
	}
	if events := w.product.await(t, func(events []cloud.Event) bool {
		return len(events) > 0
	}); len(events) != 1 || len(statuses(events, "one")) != 1 {
		t.Errorf("%+v", events)
	}
}

func TestHook(t *testing.T) {
	t.Parallel()
	w := open(t, sandbox.Options{})
	for name, c := range map[string]struct {
		method, address, signature, body string
		status                           int
	}{
		"no signature":       {http.MethodPost, w.callback, "", `{}`, 403},
		"another signature":  {http.MethodPost, w.callback, "sha256=00", `{}`, 403},
		"unknown connection": {http.MethodPost, w.callback[:len(w.callback)-12] + "000000000000", "", `{}`, 404},
		"no connection":      {http.MethodPost, w.callback + "x", "", `{}`, 404},
		"another method":     {http.MethodPut, w.callback, "", `{}`, 405},
		"no verify token":    {http.MethodGet, w.callback + "?hub.mode=subscribe&hub.challenge=1", "", ``, 403},
		"verify token": {
			http.MethodGet,
			w.callback + "?hub.mode=subscribe&hub.challenge=1&hub.verify_token=" +
				strings.ReplaceAll(verifyToken, " ", "+"),
			"", ``, 200,
		},
		"too large": {http.MethodPost, w.callback, "sha256=00", strings.Repeat(" ", 4<<20+1), 413},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, c.address, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Hub-Signature-256", c.signature)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != c.status {
			t.Errorf("%s: %d", name, res.StatusCode)
		}
	}
}
