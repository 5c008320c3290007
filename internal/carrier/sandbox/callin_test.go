package sandbox

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// A caller hears the phone ring while processes that stop leave the call to another one. Then the line opens.
func TestACallerRingsOn(t *testing.T) {
	t.Parallel()
	p := newProduct(t, "en-US")
	n := open(t, Options{Speed: 30})
	var asked, answered atomic.Int32
	stopping := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("From") != "+13125550142" || r.FormValue("To") != "+13125550100" {
			t.Errorf("asked about %v", r.Form)
		}
		if n.Dials()[0].Status != "ringing" {
			answered.Add(1)
		}
		next := p.URL + "/voice"
		if asked.Add(1) < 3 {
			next = "http://" + r.Host + "/again"
		}
		fmt.Fprintf(w, `<Response><Pause length="1"/><Redirect method="POST">%s#rc=5</Redirect></Response>`, next)
	}))
	t.Cleanup(stopping.Close)
	sid, err := n.CallIn(CallIn{
		Account: account, From: "+13125550142", To: "+13125550100",
		VoiceURL: stopping.URL, StatusURL: p.URL + "/status",
	})
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the end", func() bool { return n.Dials()[0].EndedAt != nil && len(p.told()) > 0 })
	d := n.Dials()[0]
	if d.CallSID != sid || d.Status != "completed" || d.Sessions != 1 || asked.Load() != 3 || answered.Load() > 0 {
		t.Errorf("asked %d times, %d of them after the answer: %+v", asked.Load(), answered.Load(), d)
	}
}

// The network says of whom no server has heard: of one whose call fails, and of one who has hung up long before.
func TestACallerWhomNobodyHears(t *testing.T) {
	t.Parallel()
	var heard atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if heard.Add(1) > 2 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		fmt.Fprint(w, `<Response><Reject reason="busy"/></Response>`)
	}))
	t.Cleanup(server.Close)
	n := open(t, Options{Speed: 30, RetryFor: time.Nanosecond})
	call := func(caller string) {
		t.Helper()
		calls := len(n.Dials())
		_, err := n.CallIn(CallIn{
			Account: account, From: "+13125550142", To: "+13125550100", Caller: caller, VoiceURL: server.URL,
		})
		if err != nil {
			t.Fatal(err)
		}
		await(t, "the end", func() bool { return n.Dials()[calls].EndedAt != nil })
	}
	call("")
	call("hangs_up_at_once")
	await(t, "the second request", func() bool { return heard.Load() == 2 })
	call("")
	call("hangs_up_at_once")
	await(t, "the last request", func() bool { return n.Dials()[3].Unheard })
	for i, want := range []struct {
		status  string
		unheard bool
	}{{"busy", false}, {"no-answer", false}, {"failed", true}, {"no-answer", true}} {
		if d := n.Dials()[i]; d.Status != want.status || d.Unheard != want.unheard {
			t.Errorf("call %d: %+v", i+1, d)
		}
	}
}
