package api

import (
	"encoding/json"
	"net/http"
	"testing"
)

// A phone number is added to a connection, changed field by field, and removed.
func TestPhoneNumbers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, stranger := w.newTenant("Acme"), w.newTenant("Other")

	added := n.do("POST", "/phone-numbers", object{
		"connection_id": n.connection.String(), "phone_number": "(312) 555-0107", "name": " Front desk ",
		"calls_per_second": 0.5,
	}).want(http.StatusCreated)
	for field, want := range map[string]any{
		"phone_number": "+13125550107", "name": "Front desk", "carrier": "sandbox", "calls_per_second": 0.5,
		"connection_id": n.connection.String(), "max_concurrency": nil, "messaging_external_id": nil,
		"number_pool_id": nil,
	} {
		if got := added.get(field); got != want {
			t.Errorf("%s is %v, want %v", field, got, want)
		}
	}
	for text, body := range map[string]object{
		"connection_id: required; phone_number: required": {},
		"connection_id: no such connection": {
			"connection_id": stranger.connection.String(), "phone_number": "+13125550108",
		},
		"phone_number: not a valid phone number": {
			"connection_id": n.connection.String(), "phone_number": "12",
		},
		"max_concurrency: must be between 1 and 100,000; calls_per_second: must be between 0.01 and 1,000": {
			"connection_id": n.connection.String(), "phone_number": "+13125550108", "max_concurrency": 0,
			"calls_per_second": 2000,
		},
		"messaging_external_id: no such WhatsApp number": {
			"connection_id": n.connection.String(), "phone_number": "+13125550108", "messaging_external_id": "20001",
		},
	} {
		n.do("POST", "/phone-numbers", body).refused(http.StatusBadRequest, text)
	}
	n.do("POST", "/phone-numbers", object{"connection_id": n.connection.String(), "phone_number": "+13125550107"}).
		refused(http.StatusConflict, "This phone number is already in use")

	path := "/phone-numbers/" + added.get("id").(string)
	read := n.do("GET", path, nil).want(http.StatusOK)
	n.do("PATCH", path, json.RawMessage(read.body)).want(http.StatusOK) // the whole object may be sent back
	changed := n.do("PATCH", path, object{"max_concurrency": 3, "calls_per_second": nil},
		"If-Match", read.header.Get("ETag")).want(http.StatusOK)
	if changed.get("name") != "Front desk" || changed.get("max_concurrency") != 3.0 ||
		changed.get("calls_per_second") != nil {
		t.Errorf("changed: %s", changed.body)
	}
	n.do("PATCH", path, object{"name": "Late"}, "If-Match", read.header.Get("ETag")).
		want(http.StatusPreconditionFailed)
	for text, body := range map[string]object{
		"phone_number: cannot be changed":                {"phone_number": "+13125550109"},
		"carrier: cannot be changed":                     {"carrier": "twilio"},
		"connection_id: cannot be changed":               {"connection_id": stranger.connection.String()},
		"number_pool_id: cannot be changed":              {"number_pool_id": newID().String()},
		"max_concurrency: must be between 1 and 100,000": {"max_concurrency": 0},
	} {
		n.do("PATCH", path, body).refused(http.StatusBadRequest, text)
	}

	n.newCampaign()
	n.do("DELETE", "/phone-numbers/"+n.number.String(), nil).refused(http.StatusConflict,
		"Phone number +15005559000 is used by 1 campaign that has not ended: Spring")
	n.do("DELETE", path, nil).want(http.StatusNoContent)
	n.do("GET", path, nil).refused(http.StatusNotFound, "Phone number not found")
	n.do("PATCH", path, object{"name": "x"}).refused(http.StatusNotFound, "Phone number not found")
	n.do("POST", "/phone-numbers", object{"connection_id": n.connection.String(), "phone_number": "+13125550107"}).
		want(http.StatusCreated) // a removed number may be added again

	// The API shows no number without voice, so it changes none.
	w.exec(`update phone_number set voice = false where id = $1`, stranger.number)
	stranger.do("PATCH", "/phone-numbers/"+stranger.number.String(), object{"name": "x"}).
		refused(http.StatusNotFound, "Phone number not found")
}
