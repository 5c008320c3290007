package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/app"
)

// A connection is created with credentials that Twilio accepts, changed field by field, and removed. No answer and no
// entry of the audit log contains a secret.
func TestCarrierConnections(t *testing.T) {
	t.Parallel()
	const (
		account = "AC0123456789abcdef0123456789abcdef"
		key     = "SK0123456789abcdef0123456789abcdef"
		token   = "right-token-0001"
		next    = "right-token-0002"
		secret  = "right-secret-0001"
	)
	twilio := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if _, password, _ := r.BasicAuth(); !strings.HasPrefix(password, "right-") {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"code": 20003, "message": "Authenticate"}`))
			return
		}
		_, _ = w.Write([]byte(`{}`))
	}))
	t.Cleanup(twilio.Close)
	w := newWorld(t)
	w.wire(func(o *app.Options) { o.TwilioURL = twilio.URL })
	n := w.newTenant("Acme")
	const path = "/carrier-connections"

	body := object{"carrier": "twilio", "name": " Main ", "account": account, "token": token, "relay_rate": "0.070"}
	with := func(field string, value any) object {
		changed := object{field: value}
		for name, v := range body {
			if name != field {
				changed[name] = v
			}
		}
		return changed
	}
	for text, refused := range map[string]object{
		"carrier: must be twilio or sandbox; name: required": {},
		"account: must be an Account SID: AC and 32 hexadecimal digits; token: required; name: required": {
			"carrier": "twilio",
		},
		"region: must be us1, ie1 or au1":                  with("region", "mars"),
		"api_secret: required with an API key":             with("api_key", key),
		"max_concurrency: must be between 1 and 100,000":   with("max_concurrency", 0),
		"calls_per_second: must be between 0.01 and 1,000": with("calls_per_second", 0),
	} {
		n.do("POST", path, refused).refused(http.StatusBadRequest, text)
	}
	wrong := n.do("POST", path, with("token", "wrong-token")).want(http.StatusBadRequest)
	if !strings.Contains(wrong.body, "token: ") || strings.Contains(wrong.body, "wrong-token") {
		t.Errorf("refused credentials: %s", wrong.body)
	}

	created := n.do("POST", path, body).want(http.StatusCreated)
	for field, want := range map[string]any{
		"carrier": "twilio", "name": "Main", "account": account, "region": "us1", "api_key": nil,
		"calls_per_second": 1.0, "max_concurrency": nil, "detection_rate": nil, "relay_rate": "0.07",
		"previous_token_until": nil,
	} {
		if got := created.get(field); got != want {
			t.Errorf("%s is %v, want %v", field, got, want)
		}
	}
	n.do("POST", path, body).refused(http.StatusConflict, "This account is already connected")

	id := path + "/" + created.get("id").(string)
	read := n.do("GET", id, nil).want(http.StatusOK)
	n.do("PATCH", id, json.RawMessage(read.body)).want(http.StatusOK) // the whole object may be sent back
	for text, refused := range map[string]object{
		"carrier: cannot be changed":              {"carrier": "sandbox"},
		"account: cannot be changed":              {"account": strings.ToUpper(account)},
		"region: cannot be changed":               {"region": "ie1"},
		"name: required":                          {"name": ""},
		"api_secret: required with a new API key": {"api_key": key},
		"api_key: required with a secret":         {"api_secret": secret},
		"relay_rate: must be a number with at most 6 decimals, such as 0.0075": {"relay_rate": "much"},
	} {
		n.do("PATCH", id, refused).refused(http.StatusBadRequest, text)
	}
	changed := n.do("PATCH", id, object{
		"token": next, "api_key": key, "api_secret": secret, "max_concurrency": 20, "relay_rate": nil,
	}, "If-Match", read.header.Get("ETag")).want(http.StatusOK)
	if changed.get("api_key") != key || changed.get("max_concurrency") != 20.0 || changed.get("name") != "Main" ||
		changed.get("relay_rate") != nil || changed.get("previous_token_until") == nil {
		t.Errorf("changed: %s", changed.body)
	}
	n.do("PATCH", id, object{"name": "Late"}, "If-Match", read.header.Get("ETag")).
		want(http.StatusPreconditionFailed)
	n.do("PATCH", id, object{"token": "wrong-token"}).want(http.StatusBadRequest)
	kept := n.do("PATCH", id, object{"name": "Main account"}).want(http.StatusOK)
	if kept.get("api_key") != key || kept.get("max_concurrency") != 20.0 {
		t.Errorf("a change of the name: %s", kept.body)
	}
	if got := n.do("PATCH", id, object{"api_key": nil}).want(http.StatusOK).get("api_key"); got != nil {
		t.Errorf("the API key is %v", got)
	}

	var log string
	err := w.Pool.QueryRow(t.Context(), `select string_agg(e::text, ' ') from audit_entry e`).Scan(&log)
	if err != nil {
		t.Fatal(err)
	}
	shown := created.body + changed.body + kept.body + n.do("GET", path, nil).body + log + w.log.String()
	for _, hidden := range []string{token, next, secret} {
		if strings.Contains(shown, hidden) {
			t.Errorf("%s is shown", hidden)
		}
	}

	number := n.do("POST", "/phone-numbers", object{
		"connection_id": created.get("id"), "phone_number": "+13125550107",
	}).want(http.StatusCreated).get("id").(string)
	n.do("DELETE", id, nil).
		refused(http.StatusConflict, "Connection Main account is used by 1 phone number: +13125550107")
	n.do("DELETE", "/phone-numbers/"+number, nil).want(http.StatusNoContent)
	n.do("DELETE", id, nil).want(http.StatusNoContent)
	n.do("GET", id, nil).refused(http.StatusNotFound, "Connection not found")
	n.do("PATCH", id, object{"name": "x"}).refused(http.StatusNotFound, "Connection not found")

	twilio.Close()
	n.do("POST", path, body).want(http.StatusBadGateway)

	w.wire(func(o *app.Options) { o.Sandbox = app.Sandbox{} })
	n.do("POST", path, n.carrierConnection()).
		refused(http.StatusBadRequest, "carrier: this server runs without the sandbox")
}
