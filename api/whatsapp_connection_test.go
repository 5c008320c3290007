package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// An account is connected with credentials that WhatsApp accepts, changed, and disconnected. No answer and no entry of
// the audit log contains a secret.
func TestWhatsAppConnections(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	const path = "/whatsapp/connections"
	n.do("POST", path, n.whatsAppAccount()).
		refused(http.StatusServiceUnavailable, "Messaging channel not configured")
	w.whatsapp([]sandbox.Portfolio{{Tier: "TIER_1K", Accounts: []sandbox.Account{freeAccount}}})

	n.do("POST", path, object{}).refused(http.StatusBadRequest,
		"account: must be a WhatsApp Business Account ID: digits only; name: required; token: required; "+
			"app_secret: required")
	wrong := n.whatsAppAccount()
	wrong["token"] = "wrong-token"
	if a := n.do("POST", path, wrong).want(http.StatusBadRequest); !strings.Contains(a.body, "token: ") {
		t.Errorf("refused credentials: %s", a.body)
	}
	connected := n.do("POST", path, n.whatsAppAccount()).want(http.StatusCreated)
	if connected.get("name") != "Clinic" || connected.get("account") != freeAccount.ID ||
		connected.get("subscribed") != true || connected.get("read_at") == nil {
		t.Errorf("connected: %s", connected.body)
	}
	n.do("POST", path, n.whatsAppAccount()).
		refused(http.StatusConflict, "This WhatsApp Business Account is already connected")

	id := path + "/" + connected.get("id").(string)
	read := n.do("GET", id, nil).want(http.StatusOK)
	n.do("PATCH", id, json.RawMessage(read.body)).want(http.StatusOK) // the whole object may be sent back
	for text, body := range map[string]object{
		"account: cannot be changed": {"account": "10001"},
		"name: required":             {"name": " "},
		"token: must have at most 1000 printable characters without spaces": {"token": "a b"},
	} {
		n.do("PATCH", id, body).refused(http.StatusBadRequest, text)
	}
	changed := n.do("PATCH", id, object{"name": "Main"}, "If-Match", read.header.Get("ETag")).want(http.StatusOK)
	if changed.get("name") != "Main" {
		t.Errorf("changed: %s", changed.body)
	}
	n.do("PATCH", id, object{"name": "Late"}, "If-Match", read.header.Get("ETag")).
		want(http.StatusPreconditionFailed)
	n.do("PATCH", id, object{"token": "wrong-token"}).want(http.StatusBadRequest)
	n.do("PATCH", id, object{"token": "system-user-token"}).want(http.StatusOK)

	var log string
	err := w.Pool.QueryRow(t.Context(), `select string_agg(e::text, ' ') from audit_entry e`).Scan(&log)
	if err != nil {
		t.Fatal(err)
	}
	if shown := connected.body + changed.body + n.do("GET", path, nil).body + log; strings.Contains(
		shown, "system-user-token",
	) {
		t.Errorf("the token is shown: %s", shown)
	}
	n.do("DELETE", id, nil).want(http.StatusNoContent)
	n.do("GET", id, nil).refused(http.StatusNotFound, "Connection not found")
	n.do("PATCH", id, object{"name": "x"}).refused(http.StatusNotFound, "Connection not found")
	n.do("DELETE", id, nil).refused(http.StatusNotFound, "Connection not found")
	n.do("POST", path, n.whatsAppAccount()).want(http.StatusCreated) // it can be connected again
}
