package twilio_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
)

// Numbers returns the numbers of an account that can place calls, with their names.
func TestNumbers(t *testing.T) {
	t.Parallel()
	account := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/2010-04-01/Accounts/"+accountSID+"/IncomingPhoneNumbers.json" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(`{"incoming_phone_numbers": [
			{"phone_number": "+13125550100", "friendly_name": "Care line", "capabilities": {"voice": true, "sms": ` +
			`true}},
			{"phone_number": "+13125550101", "friendly_name": "Texts", "capabilities": {"voice": false, "sms": true}}
		], "page_size": 200}`))
	}))
	t.Cleanup(account.Close)
	network := httptest.NewServer(sandbox.New(sandbox.Options{Token: sandboxToken, Log: slog.New(slog.DiscardHandler)}))
	t.Cleanup(network.Close)
	a := twilio.New(twilio.Config{PublicURL: "https://dial.example.com/"})

	got, err := a.Numbers(t.Context(), twilio.Account{SID: accountSID, AuthToken: "right", APIURL: account.URL})
	if want := []carrier.Number{{PhoneNumber: "+13125550100", Name: "Care line"}}; err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	got, err = a.Numbers(t.Context(), twilio.Account{SID: accountSID, AuthToken: authToken, APIURL: network.URL})
	if err != nil || len(got) != 3 || got[0].PhoneNumber != "+15005559000" || got[0].Name == "" {
		t.Errorf("the sandbox has %+v, %v", got, err)
	}
	_, err = a.Numbers(t.Context(), twilio.Account{SID: accountSID, AuthToken: "wrong", APIURL: network.URL})
	if e, ok := errors.AsType[*carrier.Error](err); !ok || e.Kind != carrier.Unusable {
		t.Errorf("a wrong token: %v", err)
	}
}
