package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const callsPath = "/2010-04-01/Accounts/" + account + "/Calls"

// standing is a speed at which nothing happens after the dial request.
const standing = 1e-6

func TestAccountsNeedTheirOwnTokens(t *testing.T) {
	t.Parallel()
	n := open(t, Options{})
	const other = "XX0123456789abcdef0123456789abcdef"
	for name, c := range map[string]struct{ account, user, password string }{
		"another user":      {account, "someone", accountToken},
		"not an account":    {other, other, AccountToken(token, other)},
		"the empty account": {other, "", AccountToken(token, "")},
	} {
		r := httptest.NewRequest(http.MethodGet, "/2010-04-01/Accounts/"+c.account+"/Calls.json", nil)
		r.SetBasicAuth(c.user, c.password)
		w := httptest.NewRecorder()
		if n.ServeHTTP(w, r); w.Code != http.StatusUnauthorized || strings.Contains(w.Body.String(), `"message":""`) {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

// refusedAs reports whether an answer is an error in Twilio's form.
func refusedAs(body map[string]any, status, code int) bool {
	message, _ := body["message"].(string)
	return body["status"] == float64(status) && body["code"] == float64(code) && message != "" &&
		body["more_info"] == fmt.Sprintf("https://www.twilio.com/docs/errors/%d", code)
}

// onlyPage reports whether an answer is the only page of a list, in Twilio's form.
func onlyPage(body map[string]any) bool {
	next, ok := body["next_page_uri"]
	return body["page"] == 0.0 && body["page_size"] == 50.0 && ok && next == nil
}

func TestMethods(t *testing.T) {
	t.Parallel()
	n := open(t, Options{Speed: standing})
	_, body := dial(t, n, "+15005021234", nil)
	path := callsPath + "/" + fmt.Sprint(body["sid"])
	const base = "/2010-04-01/Accounts/" + account
	for _, path := range []string{
		callsPath + ".json", path + ".json", path + "/Recordings.json", base + "/Recordings/RE1.wav",
		base + "/IncomingPhoneNumbers.json",
	} {
		r := httptest.NewRequest(http.MethodPut, path, nil)
		r.SetBasicAuth(account, accountToken)
		w := httptest.NewRecorder()
		if n.ServeHTTP(w, r); w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	n := open(t, Options{Speed: standing})
	_, queued := dial(t, n, "+15005021234", nil)
	_, lost := dial(t, n, "+15005091234", nil) // accepted, and unknown afterwards
	for _, c := range []struct {
		method, path string
		form         url.Values
		status, code int
	}{
		{http.MethodPost, callsPath + ".json", url.Values{"To": {"+15005021234"}}, 400, 21212},
		{http.MethodPost, callsPath + "/CAunknown.json", url.Values{"Status": {"completed"}}, 404, 20404},
		{http.MethodPost, callsPath + "/" + fmt.Sprint(queued["sid"]) + ".json", nil, 400, 20001},
		{http.MethodGet, callsPath + "/" + fmt.Sprint(lost["sid"]) + ".json", nil, 404, 20404},
	} {
		status, body := request(t, n, c.method, c.path, c.form)
		if status != c.status || !refusedAs(body, status, c.code) {
			t.Errorf("%s %s %v: %d %v", c.method, c.path, c.form, status, body)
		}
	}
	for address, valid := range map[string]bool{
		"https://x.example/voice": true, "http://x.example": true, "http:///voice": false, "x.example/voice": false,
		"ftp://x.example": false, "http://%zz": false, "": false,
	} {
		if _, body := dial(t, n, "+15005021234", url.Values{"Url": {address}}); refusedAs(body, 400, 21205) == valid {
			t.Errorf("%q: %v", address, body)
		}
	}
	for reason, valid := range map[string]bool{
		" ~Your visit!": true, strings.Repeat("a", 64): true, "": true, strings.Repeat("a", 65): false,
		"Ihr Termin für Montag": false, "two\nlines": false, "del\x7f": false,
	} {
		status, body := dial(t, n, "+15005021234", url.Values{"CallReason": {reason}})
		if refusedAs(body, 400, 20001) == valid || (status == http.StatusCreated) != valid {
			t.Errorf("call reason %q: %d %v", reason, status, body)
		}
	}
	for to, code := range map[string]int{"12345": 21211, "+15005081234": 21217} {
		if _, body := dial(t, n, to, nil); !refusedAs(body, 400, code) {
			t.Errorf("%s: %v", to, body)
		}
	}

	r := httptest.NewRequest(http.MethodPost, callsPath+".json", strings.NewReader("To=%zz"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth(account, accountToken)
	w := httptest.NewRecorder()
	before := n.State().Dials
	n.ServeHTTP(w, r)
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || !refusedAs(body, 400, 20001) ||
		n.State().Dials != before {
		t.Errorf("a body that is no form: %d %s", w.Code, w.Body)
	}
	n.Close()
	if status, body := dial(t, n, "+15005021234", nil); status != 503 || !refusedAs(body, 503, 20503) {
		t.Errorf("after the end of the network: %d %v", status, body)
	}
}

// A call that has not begun to ring has the fields that Twilio gives it.
func TestTheResourceOfACall(t *testing.T) {
	t.Parallel()
	n := open(t, Options{Speed: standing})
	_, body := dial(t, n, "+15005021234", nil)
	sid := fmt.Sprint(body["sid"])
	if !regexp.MustCompile(`^CA[0-9a-f]{32}$`).MatchString(sid) {
		t.Errorf("the sid is %q", sid)
	}
	if _, err := time.Parse(time.RFC1123Z, fmt.Sprint(body["date_created"])); err != nil {
		t.Error(err)
	}
	want := map[string]any{
		"sid": sid, "account_sid": account, "api_version": "2010-04-01", "to": "+15005021234", "from": "+14155550100",
		"status": "queued", "direction": "outbound-api", "date_created": body["date_created"], "start_time": nil,
		"end_time": nil, "duration": nil, "answered_by": nil, "queue_time": "0", "price": nil, "price_unit": "USD",
	}
	_, fetched := request(t, n, http.MethodGet, callsPath+"/"+sid+".json", nil)
	_, listed := request(t, n, http.MethodGet, callsPath+".json", nil)
	all := listed["calls"].([]any)
	for what, got := range map[string]any{"the answer": body, "fetched": fetched, "listed": all[0]} {
		if !reflect.DeepEqual(got, any(want)) {
			t.Errorf("%s: %v", what, got)
		}
	}
	if len(all) != 1 || !onlyPage(listed) {
		t.Errorf("%v", listed)
	}
}

func TestPagesOfCalls(t *testing.T) {
	t.Parallel()
	n := open(t, Options{Speed: standing})
	dial(t, n, "+15005091234", nil) // unknown after its acceptance
	for i := range 60 {
		dial(t, n, fmt.Sprintf("+1500502%04d", i), nil)
	}
	for query, want := range map[string]int{
		"": 50, "?PageSize=1": 1, "?PageSize=0": 50, "?PageSize=-1": 50, "?PageSize=x": 50, "?PageSize=60": 60,
		"?PageSize=1000": 1000, "?PageSize=1001": 50,
	} {
		_, body := request(t, n, http.MethodGet, callsPath+".json"+query, nil)
		if n := len(body["calls"].([]any)); body["page_size"] != float64(want) || n != min(want, 60) {
			t.Errorf("%q: %d calls on a page of %v", query, n, body["page_size"])
		}
	}
	const other = "AC00000000000000000000000000000000"
	r := httptest.NewRequest(http.MethodGet, "/2010-04-01/Accounts/"+other+"/Calls.json", nil)
	r.SetBasicAuth(other, AccountToken(token, other))
	w := httptest.NewRecorder()
	if n.ServeHTTP(w, r); w.Code != 200 || !strings.Contains(w.Body.String(), `"calls":[]`) {
		t.Errorf("another account: %d %s", w.Code, w.Body)
	}
}

// The day of a call's start is within the bounds that name it.
func TestCallsOfADay(t *testing.T) {
	t.Parallel()
	n := open(t, Options{Speed: 100})
	_, body := dial(t, n, "+15005021234", url.Values{"Timeout": {"3600"}})
	await(t, "ringing", func() bool { return n.Dials()[0].Status == "ringing" })
	_, body = request(t, n, http.MethodGet, callsPath+"/"+fmt.Sprint(body["sid"])+".json", nil)
	started, err := time.Parse(time.RFC1123Z, fmt.Sprint(body["start_time"]))
	if err != nil {
		t.Fatal(err)
	}
	day := func(days int) string { return started.UTC().AddDate(0, 0, days).Format(time.DateOnly) }
	for query, want := range map[string]int{
		"StartTime=" + day(0): 1, "StartTime=" + day(1): 0, "StartTime=" + day(-1): 0,
		"StartTime%3E=" + day(0): 1, "StartTime%3E=" + day(1): 0, "StartTime%3E=" + day(-1): 1,
		"StartTime%3C=" + day(0): 1, "StartTime%3C=" + day(1): 1, "StartTime%3C=" + day(-1): 0,
	} {
		_, body := request(t, n, http.MethodGet, callsPath+".json?"+query, nil)
		if got := len(body["calls"].([]any)); got != want {
			t.Errorf("%s: %d calls, want %d", query, got, want)
		}
	}
}

// "canceled" ends only a call that nobody has answered.
func TestACallThatIsAnsweredIsNotCanceled(t *testing.T) {
	t.Parallel()
	p := newProduct(t, "en-US")
	n := open(t, Options{Speed: 30})
	_, body := dial(t, n, "+15005121234", url.Values{"Url": {p.URL + "/voice"}})
	await(t, "the answer", func() bool { return n.Dials()[0].Status == "in-progress" })
	sid := fmt.Sprint(body["sid"])
	n.Mu.Lock()
	c := n.calls[sid]
	n.Mu.Unlock()
	for _, wanted := range []string{"canceled", "completed"} {
		status, body := request(t, n, http.MethodPost, callsPath+"/"+sid+".json", url.Values{"Status": {wanted}})
		if hungUp := c.ctx.Err() != nil; status != 200 || body["sid"] != sid || hungUp != (wanted == "completed") {
			t.Errorf("%s: %d %v, hung up: %t", wanted, status, body, hungUp)
		}
	}
}

func TestNumbersOfAnAccount(t *testing.T) {
	t.Parallel()
	_, body := request(t, open(t, Options{}), http.MethodGet,
		"/2010-04-01/Accounts/"+account+"/IncomingPhoneNumbers.json", nil)
	var want []any
	for i := range 3 {
		want = append(want, map[string]any{
			"sid":           fmt.Sprintf("PN0000000000000000000001500555900%d", i),
			"account_sid":   account,
			"phone_number":  fmt.Sprintf("+1500555900%d", i),
			"friendly_name": fmt.Sprintf("Sandbox line %d", i+1),
			"capabilities":  map[string]any{"voice": true},
			"voice_url":     "", "voice_method": "POST", "voice_fallback_url": "", "voice_fallback_method": "POST",
			"status_callback": "", "status_callback_method": "POST", "voice_application_sid": "", "trunk_sid": "",
		})
	}
	if !reflect.DeepEqual(body["incoming_phone_numbers"], any(want)) || !onlyPage(body) {
		t.Errorf("%v", body)
	}
}

// The network forgets ended dials when it remembers an eighth more than it has to keep.
func TestDialsAreForgotten(t *testing.T) {
	t.Parallel()
	n := open(t, Options{Keep: 80, Speed: standing})
	_, live := dial(t, n, "+15005021234", nil)
	for i := 2; i <= 100; i++ {
		dial(t, n, fmt.Sprintf("+1500508%04d", i), nil) // refused
		want := i
		if i > 90 {
			want = 80 + i - 91
		}
		if got := len(n.Dials()); got != want {
			t.Fatalf("%d of %d dials are remembered, want %d", got, i, want)
		}
	}
	// A call that has not ended is never forgotten.
	if status, _ := request(t, n, http.MethodGet, callsPath+"/"+fmt.Sprint(live["sid"])+".json", nil); status != 200 ||
		n.Dials()[0].Number != 1 {
		t.Errorf("the live call: %d", status)
	}
	if n := open(t, Options{Keep: -1}); n.keep != 20_000 {
		t.Errorf("a network keeps %d dials", n.keep)
	}
	if n := open(t, Options{Keep: 1}); n.keep != 1 {
		t.Errorf("a network keeps %d dials instead of 1", n.keep)
	}
}

// A callback is given up when its time is over.
func TestACallbackIsGivenUp(t *testing.T) {
	t.Parallel()
	var attempts atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		attempts.Add(1)
		w.WriteHeader(http.StatusBadGateway)
	}))
	defer server.Close()
	givenUp := make(signal)
	n := open(t, Options{Speed: standing, RetryFor: time.Nanosecond, Log: slog.New(givenUp)})
	dial(t, n, "+15005011234", url.Values{"StatusCallback": {server.URL}, "StatusCallbackEvent": {"initiated"}})
	<-givenUp
	if got := attempts.Load(); got != 2 {
		t.Errorf("given up after %d attempts", got)
	}
}

// signal is a log that closes itself with its first line.
type signal chan struct{}

func (s signal) Enabled(context.Context, slog.Level) bool  { return true }
func (s signal) Handle(context.Context, slog.Record) error { close(s); return nil }
func (s signal) WithAttrs([]slog.Attr) slog.Handler        { return s }
func (s signal) WithGroup(string) slog.Handler             { return s }
