package twilio_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
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

// Numbers reads every page of a list, and stops after a thousand numbers.
func TestPagesOfNumbers(t *testing.T) {
	t.Parallel()
	for _, has := range []int{1, 2, 7} {
		var asked []string
		account := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			page := len(asked)
			asked = append(asked, r.URL.RequestURI()) // one request at a time
			next := "null"
			if page+1 < has {
				next = fmt.Sprintf(`"%s?PageSize=200&Page=%d&PageToken=PAPN%d"`, r.URL.Path, page+1, page)
			}
			fmt.Fprintf(w, `{"incoming_phone_numbers": [{"phone_number": "+1312555010%d", "capabilities": `+
				`{"voice": true}}], "next_page_uri": %s}`, page, next)
		}))
		t.Cleanup(account.Close)
		a := twilio.New(twilio.Config{PublicURL: "https://dial.example.com/"})
		got, err := a.Numbers(t.Context(), twilio.Account{SID: accountSID, AuthToken: "right", APIURL: account.URL})
		want := min(has, 5)
		if err != nil || len(got) != want || len(asked) != want ||
			got[want-1].PhoneNumber[11:] != strconv.Itoa(want-1) {
			t.Fatalf("of %d pages: %+v by %v, %v", has, got, asked, err)
		}
		if want > 1 && !strings.HasSuffix(asked[1], "/IncomingPhoneNumbers.json?PageSize=200&Page=1&PageToken=PAPN0") {
			t.Errorf("the second request is %s", asked[1])
		}
	}
}
