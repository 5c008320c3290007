package sandbox

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
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
