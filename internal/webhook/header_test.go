package webhook

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/fault"
)

// An organization's own headers go with each delivery. Nobody reads them: not in the database, the log of attempts or
// the audit log, and not by a new URL.
func TestHeaders(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	seen := make(chan http.Header, 3)
	rc := newReceiver(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		seen <- r.Header
		w.WriteHeader(http.StatusNoContent)
	})
	const key = "Bearer gateway-key"
	w, _, err := h.Create(t.Context(), h.actor, Draft{
		Name: "CRM", URL: "https://example.com/hook", Events: []string{"*"},
		Headers: map[string]string{"Authorization": key, "X-Tenant": "acme"},
	})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"Authorization", "X-Tenant"}
	if !slices.Equal(w.HeaderNames, names) {
		t.Errorf("the names are %v", w.HeaderNames)
	}
	if sealed := scan[[]byte](h, `select headers from webhook`); bytes.Contains(sealed, []byte(key)) {
		t.Error("the headers are stored as they are")
	}
	h.exec(`update webhook set url = $1`, rc.URL)
	stop := h.engine()
	h.emit(h.actor, 1)
	h.await("the delivery", func() bool { return h.count(`delivery where status = 'succeeded'`) == 1 })
	if got := <-seen; got.Get("Authorization") != key || got.Get("X-Tenant") != "acme" || got.Get("Webhook-Id") == "" {
		t.Errorf("sent %v", got)
	}
	for _, table := range []string{"delivery_attempt", "delivery", "audit_entry", "event"} {
		if n := h.count(table + ` r where r::text like '%gateway-key%'`); n > 0 {
			t.Errorf("%s has the value of a header", table)
		}
	}

	other, same := "https://other.example.com/hook", "https://example.com/hook/2"
	h.exec(`update webhook set url = 'https://example.com/hook'`)
	_, err = h.Update(t.Context(), h.actor, w.ID, Change{URL: &other}, nil)
	h.refused(err, fault.Invalid, "headers: enter the value again because the server changed")
	if _, err = h.Update(t.Context(), h.actor, w.ID, Change{URL: &same, Names: &names}, nil); err != nil {
		t.Error(err)
	}
	changed, err := h.Update(t.Context(), h.actor, w.ID, Change{
		URL: &other, Headers: &map[string]string{"X-Key": "other-key"},
	}, nil)

	if err != nil || !slices.Equal(changed.HeaderNames, []string{"X-Key"}) {
		t.Errorf("%v, %v", changed.HeaderNames, err)
	}
	_, err = h.Update(t.Context(), h.actor, w.ID, Change{Names: &names}, nil)
	h.refused(err, fault.Invalid, "header_names: cannot be changed, only headers")
	h.exec(`update webhook set url = $1`, rc.URL)
	h.emit(h.actor, 1)
	if got := <-seen; got.Get("X-Key") != "other-key" || got.Get("Authorization") != "" {
		t.Errorf("sent %v after the change", got)
	}
	if _, err = h.Update(t.Context(), h.actor, w.ID, Change{Headers: &map[string]string{}}, nil); err != nil {
		t.Fatal(err)
	}
	h.emit(h.actor, 1)
	if got := <-seen; got.Get("X-Key") != "" {
		t.Errorf("sent %v after the removal", got)
	}
	stop()

	for name, want := range map[string]string{
		"Host":       "headers.Host: is set by the request itself",
		"webhook-id": "headers.webhook-id: is set by the request itself",
		"a b":        "headers: enter a header name, such as Authorization",
	} {
		_, _, err := h.Create(t.Context(), h.actor, Draft{
			Name: "x", URL: same, Events: []string{"*"}, Headers: map[string]string{name: "x"},
		})
		h.refused(err, fault.Invalid, want)
	}
	data := scan[string](h, `select string_agg(data::text, ' ') from audit_entry`)
	if !strings.Contains(data, "X-Key") {
		t.Errorf("the audit log has no name: %s", data)
	}
}
