package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	token   = "a token for tests"
	account = "AC0123456789abcdef0123456789abcdef"
)

var accountToken = AccountToken(token, account)

// request sends a REST request to the network or to its witness.
func request(t *testing.T, n *Network, method, path string, form url.Values) (int, map[string]any) {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth(account, accountToken)
	if strings.HasPrefix(path, "/sandbox/") {
		r.SetBasicAuth("", token)
	}
	w := httptest.NewRecorder()
	n.ServeHTTP(w, r)
	var body map[string]any
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
	}
	return w.Code, body
}

func dial(t *testing.T, n *Network, to string, more url.Values) (int, map[string]any) {
	t.Helper()
	form := url.Values{"To": {to}, "From": {"+14155550100"}, "Url": {"http://127.0.0.1:9/voice#rc=5"}}
	for k, v := range more {
		form[k] = v
	}
	return request(t, n, http.MethodPost, "/2010-04-01/Accounts/"+account+"/Calls.json", form)
}

func open(t *testing.T, o Options) *Network {
	t.Helper()
	o.Token = token
	n := New(o)
	t.Cleanup(n.Close)
	return n
}

func TestDialRequests(t *testing.T) {
	t.Parallel()
	n := open(t, Options{})
	for name, c := range map[string]struct {
		to   string
		more url.Values
		code float64 // 0: accepted
	}{
		"good":             {"+15005021234", nil, 0},
		"no number":        {"12345", nil, 21211},
		"reserved refusal": {"+15005081234", nil, 21217},
		"bad from":         {"+15005021234", url.Values{"From": {"x"}}, 21212},
		"bad url":          {"+15005021234", url.Values{"Url": {"ftp://x"}}, 21205},
	} {
		status, body := dial(t, n, c.to, c.more)
		if c.code == 0 && (status != 201 || body["sid"] == "" || body["status"] == "completed") ||
			c.code != 0 && (status != 400 || body["code"] != c.code) {
			t.Errorf("%s: %d %v", name, status, body)
		}
	}
	dials := n.Dials()
	if len(dials) != 5 {
		t.Fatalf("%d dials remembered", len(dials))
	}
	for i, d := range dials {
		if d.Number != i+1 || d.AnsweredAt == nil || d.ReceivedAt.IsZero() || (d.Refused == "") == (d.CallSID == "") {
			t.Errorf("dial %+v", d)
		}
	}
}

func TestAuthorization(t *testing.T) {
	t.Parallel()
	n := open(t, Options{})
	const calls, state = "/2010-04-01/Accounts/" + account + "/Calls.json", "/sandbox/state"
	for name, c := range map[string]struct {
		path, user, password string
		status               int
	}{
		"the account":                        {calls, account, accountToken, 200},
		"no password":                        {calls, account, "", 401},
		"a wrong password":                   {calls, account, accountToken + "x", 401},
		"the token of the sandbox":           {calls, account, token, 401},
		"the token of another account":       {calls, account, AccountToken(token, "ACother"), 401},
		"another account":                    {"/2010-04-01/Accounts/ACother/Calls.json", account, accountToken, 401},
		"the witness":                        {state, "", token, 200},
		"the witness, no password":           {state, "", "", 401},
		"the witness, a wrong password":      {"/sandbox/dials", "", token + "x", 401},
		"the witness, a token of an account": {state, account, accountToken, 401},
	} {
		r := httptest.NewRequest(http.MethodGet, c.path, nil)
		r.SetBasicAuth(c.user, c.password)
		w := httptest.NewRecorder()
		if n.ServeHTTP(w, r); w.Code != c.status || c.status == 401 && !strings.Contains(w.Body.String(), "20003") {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a network without a token")
		}
	}()
	New(Options{})
}

func TestListAndUpdate(t *testing.T) {
	t.Parallel()
	n := open(t, Options{})
	calls := "/2010-04-01/Accounts/" + account + "/Calls"
	_, first := dial(t, n, "+15005021234", nil)
	_, second := dial(t, n, "+15005021234", url.Values{"From": {"+14155550199"}})
	_, third := dial(t, n, "+15005029999", nil)
	list := func(query string) string {
		_, body := request(t, n, http.MethodGet, calls+".json?"+query, nil)
		var sids []string
		for _, c := range body["calls"].([]any) {
			sids = append(sids, c.(map[string]any)["sid"].(string))
		}
		return strings.Join(sids, " ")
	}
	sid := func(c map[string]any) string { return c["sid"].(string) }
	for query, want := range map[string]string{
		"":                                      sid(third) + " " + sid(second) + " " + sid(first),
		"To=%2B15005021234":                     sid(second) + " " + sid(first),
		"To=%2B15005021234&From=%2B14155550100": sid(first),
		"To=%2B15005021234&PageSize=1":          sid(second),
		"Status=completed":                      "",
	} {
		if got := list(query); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
	if status, body := request(t, n, http.MethodGet, calls+"/CAunknown.json", nil); status != 404 ||
		body["code"] != 20404.0 {
		t.Errorf("unknown call: %d %v", status, body)
	}
	if status, _ := request(t, n, http.MethodPost, calls+"/"+sid(first)+".json", url.Values{
		"Status": {"paused"},
	}); status != 400 {
		t.Errorf("unknown status: %d", status)
	}
	if status, _ := request(t, n, http.MethodPost, calls+"/"+sid(first)+".json", url.Values{
		"Status": {"canceled"},
	}); status != 200 {
		t.Errorf("cancel: %d", status)
	}
	if _, err := n.Await(t.Context(), func(s State) bool { return s.Live == 2 }); err != nil {
		t.Fatal(err)
	}
	if got := list("Status=canceled"); got != sid(first) {
		t.Errorf("canceled: %s", got)
	}
	if status, body := request(t, n, http.MethodPost, calls+"/"+sid(first)+".json", url.Values{
		"Status": {"completed"},
	}); status != 400 || body["code"] != 21220.0 {
		t.Errorf("hang up an ended call: %d %v", status, body)
	}
	// A call that is not ringing yet has no start time, so no filter on the start time matches it.
	if got := list("StartTime%3E=" + time.Now().UTC().Add(24*time.Hour).Format(time.DateOnly)); got != "" {
		t.Errorf("started tomorrow: %s", got)
	}
}

// A dial request is recorded and counted as unanswered while its answer is delayed.
func TestHeldAnswers(t *testing.T) {
	t.Parallel()
	n := open(t, Options{})
	r := httptest.NewRequest(http.MethodPut, "/sandbox/answer-delay?ms=3600000", nil)
	r.SetBasicAuth("", token)
	w := httptest.NewRecorder()
	if n.ServeHTTP(w, r); w.Code != 204 {
		t.Fatal(w.Code, w.Body)
	}
	server := httptest.NewServer(n)
	defer server.Close()
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost,
		server.URL+"/2010-04-01/Accounts/"+account+"/Calls.json",
		strings.NewReader(url.Values{
			"To": {"+15005021234"}, "From": {"+14155550100"}, "Url": {"http://127.0.0.1:9/x"},
		}.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth(account, accountToken)
	conn := make(chan struct{})
	go func() {
		res, err := (&http.Client{}).Do(req)
		if err == nil {
			res.Body.Close()
		}
		close(conn)
	}()
	if _, err := n.Await(t.Context(), func(s State) bool {
		return s.Unanswered == 1 && s.Dials == 1 && s.Live == 1
	}); err != nil {
		t.Fatal(err)
	}
	if d := n.Dials(); d[0].AnsweredAt != nil || d[0].CallSID == "" {
		t.Errorf("held: %+v", d[0])
	}
	server.CloseClientConnections() // the requester dies
	<-conn
	if _, err := n.Await(t.Context(), func(s State) bool { return s.Unanswered == 0 }); err != nil {
		t.Fatal(err)
	}
	if d := n.Dials(); d[0].AnsweredAt != nil {
		t.Errorf("answered to nobody: %+v", d[0])
	}
	if status, _ := request(t, n, http.MethodPut, "/sandbox/answer-delay?ms=0", nil); status != 204 {
		t.Error(status)
	}
}

// Memory is bounded: only the newest ended calls are kept.
func TestForgets(t *testing.T) {
	t.Parallel()
	n := open(t, Options{Keep: 100, Speed: 1e6})
	for i := range 500 {
		dial(t, n, fmt.Sprintf("+1500501%04d", i), nil) // busy
	}
	if _, err := n.Await(t.Context(), func(s State) bool { return s.Live == 0 }); err != nil {
		t.Fatal(err)
	}
	dial(t, n, "+15005081234", nil)
	n.Mu.Lock()
	n.forget()
	n.Mu.Unlock()
	dials := n.Dials()
	if len(dials) != 100 || dials[99].Number != 501 || n.State().Dials != 501 {
		t.Errorf("%d kept, the last is %d", len(dials), dials[len(dials)-1].Number)
	}
	if len(n.calls) > 100 {
		t.Errorf("%d calls kept", len(n.calls))
	}
}

// A callback without a successful answer is repeated. A 4xx is final.
func TestCallbacksAreRepeated(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]int{}
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		status := r.PostForm.Get("CallStatus")
		mu.Lock()
		defer mu.Unlock()
		seen[status]++
		switch {
		case status == "initiated":
			w.WriteHeader(http.StatusNotFound)
		case seen[status] < 3:
			w.WriteHeader(http.StatusBadGateway)
		case status == "busy" && seen[status] == 3:
			close(done)
		}
		if sign(accountToken, "http://"+r.Host+r.URL.RequestURI(), r.PostForm) != r.Header.Get("X-Twilio-Signature") {
			t.Error("signature")
		}
	}))
	defer server.Close()
	n := open(t, Options{Speed: 100})
	dial(t, n, "+15005011234", url.Values{
		"StatusCallback": {server.URL + "/status?x=1#rc=5"}, "StatusCallbackEvent": {"initiated", "completed"},
	})
	<-done
	n.Close()
	mu.Lock()
	defer mu.Unlock()
	if seen["initiated"] != 1 || seen["busy"] != 3 || seen["ringing"] != 0 {
		t.Errorf("seen %v", seen)
	}
}

func TestTwiMLIsReadStrictly(t *testing.T) {
	t.Parallel()
	for document, ok := range map[string]bool{
		`<?xml version="1.0"?><Response><Hangup/></Response>`:                               true,
		`<Response></Response>`:                                                             true,
		`<Response><Pause/><Connect><ConversationRelay url="ws://x"/></Connect></Response>`: true,
		`<Response><Connect><Stream url="ws://x"/></Connect></Response>`:                    false,
		`<Response><Dial>+1</Dial></Response>`:                                              false,
		`<html></html>`:                                                                     false,
		`not XML`:                                                                           false,
	} {
		if _, err := parseTwiML([]byte(document)); (err == nil) != ok {
			t.Errorf("%s: %v", document, err)
		}
	}
}
