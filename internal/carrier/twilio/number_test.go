package twilio_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

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

// A number is set up with what it must do, and the account must have it.
func TestSetUpNumber(t *testing.T) {
	t.Parallel()
	sandboxed := sandbox.New(sandbox.Options{Token: sandboxToken, Log: slog.New(slog.DiscardHandler)})
	network := httptest.NewServer(sandboxed)
	t.Cleanup(network.Close)
	a := twilio.New(twilio.Config{PublicURL: "https://dial.example.com/"})
	account, ctx := twilio.Account{SID: accountSID, AuthToken: authToken, APIURL: network.URL}, t.Context()
	const number = "+13125550100"
	sandboxed.SetNumber(accountSID, number, url.Values{
		"VoiceUrl": {"https://old.example.com/"}, "VoiceMethod": {"GET"}, "TrunkSid": {"TK1"},
	})
	got, err := a.NumberDoes(ctx, account, number)
	if want := (carrier.NumberSetUp{
		VoiceURL: "https://old.example.com/", VoiceMethod: "GET", VoiceFallbackMethod: "POST",
		StatusCallbackMethod: "POST", TrunkSID: "TK1",
	}); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	connection := uuid.MustParse("01900000-0000-7000-8000-000000000001")
	must := a.NumberMustDo(connection, account)
	const base = "https://dial.example.com/hooks/twilio/01900000-0000-7000-8000-000000000001/incoming"
	if want := (carrier.NumberSetUp{
		VoiceURL: base + "#rc=5&rp=ct,rt,5xx", VoiceMethod: "POST",
		VoiceFallbackURL: base + "#rc=5&rp=ct,rt,5xx", VoiceFallbackMethod: "POST",
		StatusCallback: base + "/status#rc=5&rp=ct,rt,5xx", StatusCallbackMethod: "POST",
	}); must != want {
		t.Errorf("it must do %+v", must)
	}
	if got, err = a.SetUpNumber(ctx, account, number, must); err != nil || got != must {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = a.NumberDoes(ctx, account, number); err != nil || got != must {
		t.Errorf("then %+v, %v", got, err)
	}
	const lacking = "+15005431234" // calls from it are refused
	if _, err = a.NumberDoes(ctx, account, lacking); !errors.Is(err, carrier.ErrUnknownNumber) {
		t.Errorf("a number of nobody: %v", err)
	}
	if _, err = a.SetUpNumber(ctx, account, lacking, must); !errors.Is(err, carrier.ErrUnknownNumber) {
		t.Errorf("a number of nobody: %v", err)
	}
	account.AuthToken = "wrong"
	_, err = a.SetUpNumber(ctx, account, number, must)
	if e, ok := errors.AsType[*carrier.Error](err); !ok || e.Kind != carrier.Unusable || e.Code != "20003" {
		t.Errorf("a wrong token: %v", err)
	}
}

// Between the look and the change, a number may be released. Its resource is gone then.
func TestSetUpNumberThatIsGone(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"code": 20404, "message": "The requested resource was not found", "status": 404}`))
			return
		}
		_, _ = w.Write([]byte(`{"incoming_phone_numbers": [{"sid": "PN1", "phone_number": "+13125550100",
			"voice_url": null, "trunk_sid": null}]}`))
	}))
	t.Cleanup(server.Close)
	a := twilio.New(twilio.Config{PublicURL: "https://dial.example.com/"})
	_, err := a.SetUpNumber(t.Context(), twilio.Account{SID: accountSID, APIURL: server.URL}, "+13125550100",
		carrier.NumberSetUp{})
	if !errors.Is(err, carrier.ErrUnknownNumber) {
		t.Error(err)
	}
}
