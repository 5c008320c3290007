package twilio_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/carriertest"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/testwait"
)

func connect(apiURL, token string) carrier.Carrier {
	a := twilio.New(twilio.Config{PublicURL: "https://dial.example.com/"})
	return a.Carrier(uuid.Must(uuid.NewV7()), twilio.Account{SID: accountSID, AuthToken: token, APIURL: apiURL})
}

func placement() carrier.Placement {
	return carrier.Placement{
		CallID: uuid.Must(uuid.NewV7()), From: carriertest.From, To: "+15005001234",
		RingTimeout: 30 * time.Second, MaxDuration: 600 * time.Second,
	}
}

func TestPlaceSaysWhatIsCertain(t *testing.T) {
	t.Parallel()
	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if status == http.StatusTooManyRequests {
				w.Header().Set("Retry-After", "3")
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	for name, c := range map[string]struct {
		handler    http.HandlerFunc
		kind       carrier.ErrorKind
		code       string
		connection bool
	}{
		"bad number": {
			answer(
				400,
				`{"code":21211,"message":"The 'To' number +15005001234 is not a valid phone number.","status":400}`,
			),
			carrier.Refused, "21211", false,
		},
		"unknown refusal": {
			answer(400, `{"code":29999,"message":"Call to +15005001234 refused"}`), carrier.Refused, "29999", false,
		},
		"credentials": {answer(401, `{"code":20003,"message":"Authenticate"}`), carrier.Unusable, "20003", true},
		"suspended": {
			answer(403, `{"code":20005,"message":"Account not active"}`), carrier.Unusable, "20005", true,
		},
		"calling number": {
			answer(400, `{"code":21210,"message":"From not verified"}`), carrier.Unusable, "21210", false,
		},
		"unknown account": {answer(404, `{"code":20404,"message":"not found"}`), carrier.Unusable, "20404", true},
		"too many": {
			answer(429, `{"code":20429,"message":"Too Many Requests"}`), carrier.Throttled, "20429", false,
		},
		"too many, no body": {answer(429, ``), carrier.Throttled, "http_429", false},
		"server error":      {answer(500, `oops`), carrier.Ambiguous, "http_500", true},
		"unavailable":       {answer(503, `{"code":20503,"message":"x"}`), carrier.Ambiguous, "20503", true},
		"bad gateway":       {answer(502, `<html>`), carrier.Ambiguous, "http_502", true},
		"accepted, no sid":  {answer(201, `{}`), carrier.Ambiguous, "no_sid", true},
		"accepted, no JSON": {answer(201, `<html>`), carrier.Ambiguous, "unreadable", true},
		"redirected": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusNotModified)
		}, carrier.Unusable, "http_304", true},
		"sent elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, carrier.Unusable, "http_307", true},
		"hung up on": {func(http.ResponseWriter, *http.Request) {
			panic(http.ErrAbortHandler)
		}, carrier.Ambiguous, "network", true},
		"answer cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			w.WriteHeader(http.StatusCreated)
			fmt.Fprint(w, "{")
			panic(http.ErrAbortHandler)
		}, carrier.Ambiguous, "network", true},
		"refused, cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, "{")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, carrier.Refused, "http_400", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requests := make(chan struct{}, 10)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests <- struct{}{}
				c.handler(w, r)
			}))
			defer server.Close()
			_, err := connect(server.URL, authToken).Place(t.Context(), placement())
			checkError(t, err, c.kind, c.code, c.connection)
			if len(requests) != 1 {
				t.Errorf("%d requests", len(requests))
			}
			if e, _ := errors.AsType[*carrier.Error](err); c.kind == carrier.Throttled && e.Code == "20429" &&
				e.RetryAfter != 3*time.Second {
				t.Errorf("retry after %v", e.RetryAfter)
			}
		})
	}
}

// What a refusal is about decides what follows: for the account, for a country, for the
// calling number or for the number called.
func TestWhatARefusalConcerns(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		body   string
		want   carrier.Error
	}{
		"trial account": {400, `{"code":21219,"message":"unverified"}`, carrier.Error{
			Kind: carrier.Unusable, Concern: carrier.ConcernAccount, Code: "21219",
			Reason: "a Twilio trial account calls only verified numbers",
		}},
		"credentials": {401, `{"code":20003,"message":"Authenticate"}`, carrier.Error{
			Kind: carrier.Unusable, Concern: carrier.ConcernAccount, Code: "20003",
			Reason: "Twilio does not accept the credentials",
		}},
		"bare 401": {401, ``, carrier.Error{
			Kind: carrier.Unusable, Concern: carrier.ConcernAccount, Code: "http_401",
			Reason: "Twilio does not accept the credentials",
		}},
		"bare 403": {403, `<html>`, carrier.Error{
			Kind: carrier.Unusable, Code: "http_403", Reason: "Twilio answered with status 403",
		}},
		"401 with an unknown code": {401, `{"code":29998,"message":"Not today"}`, carrier.Error{
			Kind: carrier.Unusable, Code: "29998", Reason: "Not today",
		}},
		"403 with an unknown code": {403, `{"code":29999,"message":"Calls are suspended"}`, carrier.Error{
			Kind: carrier.Unusable, Code: "29999", Reason: "Calls are suspended",
		}},
		"404 without words": {404, `{"code":29997}`, carrier.Error{
			Kind: carrier.Unusable, Code: "29997", Reason: "Twilio reported error 29997",
		}},
		"country": {400, `{"code":21215,"message":"not authorized"}`, carrier.Error{
			Kind: carrier.Refused, Concern: carrier.ConcernCountry, Code: "21215",
			Reason: "the Twilio account may not call this country or region",
		}},
		"country, as a 403": {403, `{"code":21408,"message":"not enabled"}`, carrier.Error{
			Kind: carrier.Refused, Concern: carrier.ConcernCountry, Code: "21408",
			Reason: "the Twilio account may not call this country or region",
		}},
		"calling number": {400, `{"code":21210,"message":"not yet verified"}`, carrier.Error{
			Kind: carrier.Unusable, Concern: carrier.ConcernCaller, Code: "21210",
			Reason: "the calling number is not verified with the Twilio account",
		}},
		"recipient": {400, `{"code":29996,"message":"This one never"}`, carrier.Error{
			Kind: carrier.Refused, Concern: carrier.ConcernRecipient, Code: "29996", Reason: "This one never",
		}},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(test.status)
			fmt.Fprint(w, test.body)
		}))
		_, err := connect(server.URL, authToken).Place(t.Context(), placement())
		server.Close()
		if got, ok := errors.AsType[*carrier.Error](err); !ok || *got != test.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Requests name the product, which helps Twilio's support.
func TestRequestsNameTheProduct(t *testing.T) {
	t.Parallel()
	agents := make(chan string, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agents <- r.UserAgent()
		fmt.Fprint(w, `{}`)
	}))
	defer server.Close()
	a := twilio.New(twilio.Config{PublicURL: "https://dial.example.com/", UserAgent: "dialwright/1.2.3"})
	account := twilio.Account{SID: accountSID, AuthToken: authToken, APIURL: server.URL}
	if err := a.Check(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	_, _ = a.Carrier(uuid.Nil, account).OpenRecording(t.Context(), "RE0123456789abcdef0123456789abcdef", "")
	for range 2 {
		if got := <-agents; got != "dialwright/1.2.3" {
			t.Errorf("User-Agent %q", got)
		}
	}
}

func TestRegionsHaveAddresses(t *testing.T) {
	t.Parallel()
	for region, want := range map[string]string{
		"us1": "https://api.twilio.com", "ie1": "https://api.dublin.ie1.twilio.com",
		"au1": "https://api.sydney.au1.twilio.com",
	} {
		if got := twilio.RegionURL(region); got != want {
			t.Errorf("%s: %s", region, got)
		}
	}
}

func checkError(t *testing.T, err error, kind carrier.ErrorKind, code string, connection bool) {
	t.Helper()
	e, ok := errors.AsType[*carrier.Error](err)
	if !ok || e.Kind != kind || e.Code != code || e.Reason == "" {
		t.Fatalf("got %#v (%v), want kind %v code %s", e, err, kind, code)
	}
	if carrier.Connection(err) != connection {
		t.Errorf("counts against the connection: %v", !connection)
	}
	if text := err.Error() + e.Reason; strings.Contains(text, "5005001234") || strings.Contains(text, authToken) ||
		strings.Contains(text, accountSID) {
		t.Errorf("the error tells too much: %s", text)
	}
}

func TestPlaceWithoutAConnectionIsCertain(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + l.Addr().String()
	_ = l.Close()
	for name, url := range map[string]string{
		"refused": address, "no such host": "http://nowhere.invalid",
		"no TLS": strings.Replace(address, "http", "https", 1), "no address": "::",
	} {
		_, err := connect(url, authToken).Place(t.Context(), placement())
		if carrier.KindOf(err) != carrier.Unusable || !carrier.Connection(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The address has https, but the server has no TLS, so the handshake fails.
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, err = connect(strings.Replace(server.URL, "http", "https", 1), authToken).Place(t.Context(), placement())
	if carrier.KindOf(err) != carrier.Unusable {
		t.Errorf("handshake: %v", err)
	}
}

// A server that restarted between two requests leaves a stale connection in the pool. The adapter
// must still know for certain that nothing was sent.
func TestPlaceOverAStaleConnectionIsCertain(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"sid":"CA1"}`)
	}))
	c := connect(server.URL, authToken)
	if _, err := c.Place(t.Context(), placement()); err != nil {
		t.Fatal(err)
	}
	server.Close()
	// When the pool has noticed the close, the next request opens a new connection.
	var err error
	for range 100 {
		if _, err = c.Place(t.Context(), placement()); carrier.KindOf(err) == carrier.Unusable {
			return
		}
	}
	t.Fatalf("got %v", err)
}

func TestPlaceTimeoutIsAmbiguousAndTheCallIsFound(t *testing.T) {
	t.Parallel()
	network := sandbox.New(sandbox.Options{Token: sandboxToken, Speed: 50})
	defer network.Close()
	server := httptest.NewServer(network)
	defer server.Close()
	network.DelayAnswers(time.Hour)
	c := connect(server.URL, authToken)
	p := placement()
	p.To = "+15005021234"
	before := time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() {
		_, err := c.Place(ctx, p)
		result <- err
	}()
	if _, err := network.Await(ctx, func(s sandbox.State) bool { return s.Unanswered == 1 }); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(testwait.Limit)
	for network.Dials()[0].CallSID == "" { // the network records a request before it makes the call
		if time.Now().After(deadline) {
			t.Fatal("the network has made no call")
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	err := <-result
	checkError(t, err, carrier.Ambiguous, "network", true)
	report, err := c.Lookup(t.Context(), carrier.Ref{CallID: p.CallID, From: p.From, To: p.To, PlacedAfter: before})
	if err != nil || report.CarrierCallID == "" {
		t.Fatalf("lookup: %+v, %v", report, err)
	}
	dials := network.Dials()
	if len(dials) != 1 || dials[0].CallSID != report.CarrierCallID ||
		!strings.Contains(dials[0].URL, p.CallID.String()) {
		t.Errorf("dials %+v", dials)
	}

	network.DelayAnswers(0)
	expiring := testwait.NewDeadline(t.Context())
	blocked := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm() // otherwise the server does not notice that the client is gone
		expiring.Pass()
		<-r.Context().Done()
	}))
	defer blocked.Close()
	_, err = connect(blocked.URL, authToken).Place(expiring, placement())
	checkError(t, err, carrier.Ambiguous, "timeout", true)
}

func TestWrongToken(t *testing.T) {
	t.Parallel()
	network := sandbox.New(sandbox.Options{Token: sandboxToken})
	defer network.Close()
	server := httptest.NewServer(network)
	defer server.Close()
	c := connect(server.URL, "another token")
	_, err := c.Place(t.Context(), placement())
	checkError(t, err, carrier.Unusable, "20003", true)
	if _, err := c.Lookup(t.Context(), carrier.Ref{CarrierCallID: "CA1"}); carrier.KindOf(err) != carrier.Unusable ||
		errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("lookup: %v", err)
	}
	if dials := network.Dials(); len(dials) != 0 {
		t.Errorf("dials %+v", dials)
	}
}

func TestPlaceRequest(t *testing.T) {
	t.Parallel()
	var form url.Values
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		form = r.PostForm
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"sid":"CA1"}`)
	}))
	defer server.Close()
	p := placement()
	p.CallReason = "Your appointment on Monday"
	timeout, speech := 20, 3000
	p.RingTimeout, p.Detection = 29500*time.Millisecond, carrier.Detection{
		Mode: carrier.DetectBeep, TimeoutSeconds: &timeout, SpeechThresholdMS: &speech,
	}
	if sid, err := connect(server.URL, authToken).Place(t.Context(), p); err != nil || sid != "CA1" {
		t.Fatal(sid, err)
	}
	for name, want := range map[string]string{
		"To": p.To, "From": p.From, "Timeout": "30", "TimeLimit": "600", "MachineDetection": "DetectMessageEnd",
		"AsyncAmd": "true", "MachineDetectionTimeout": "20", "MachineDetectionSpeechThreshold": "3000",
		"MachineDetectionSpeechEndThreshold": "", "MachineDetectionSilenceTimeout": "",
		"CallReason": "Your appointment on Monday",
	} {
		if form.Get(name) != want {
			t.Errorf("%s = %q", name, form.Get(name))
		}
	}
	if got := form["StatusCallbackEvent"]; len(got) != 4 {
		t.Errorf("events %v", got)
	}
	for _, name := range []string{"Url", "StatusCallback", "AsyncAmdStatusCallback"} {
		if a := form.Get(name); !strings.HasPrefix(a, "https://dial.example.com/hooks/twilio/") ||
			!strings.Contains(a, p.CallID.String()) {
			t.Errorf("%s = %q", name, a)
		}
	}

	p.Detection = carrier.Detection{Mode: carrier.DetectFast}
	if _, err := connect(server.URL, authToken).Place(t.Context(), p); err != nil ||
		form.Get("MachineDetection") != "Enable" {
		t.Error(form, err)
	}
	p.CallReason, p.Detection = "", carrier.Detection{Mode: carrier.DetectOff, TimeoutSeconds: &timeout}
	if _, err := connect(server.URL, authToken).Place(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if form.Has("CallReason") {
		t.Errorf("CallReason = %q", form["CallReason"])
	}
	for name := range form {
		if strings.Contains(name, "Machine") || strings.Contains(name, "Amd") {
			t.Errorf("without detection: %s = %q", name, form.Get(name))
		}
	}
}
