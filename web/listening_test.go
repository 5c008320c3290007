package web

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/testwait"
)

// speaker is a carrier that is asked for the sound of calls.
type speaker struct {
	carrier.Carrier
	asked *atomic.Int64
	err   *atomic.Pointer[carrier.Error]
}

func (s speaker) Listen(context.Context, carrier.Listen) error {
	s.asked.Add(1)
	if err := s.err.Load(); err != nil {
		return err
	}
	return nil
}

// newAudibleCall makes a live call in which an agent with a language model talks, and to which people can listen.
func (n *tenant) newAudibleCall() uuid.UUID {
	n.w.t.Helper()
	n.w.wire(func(o *app.Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return tape{}, nil }
	})
	id := n.newModeledCall()
	n.w.exec(`update call set carrier_call_id = 'CA1' where id = $1`, id)
	return id
}

func TestListeningIn(t *testing.T) {
	t.Parallel()
	network := speaker{asked: &atomic.Int64{}, err: &atomic.Pointer[carrier.Error]{}}
	w := newWorld(t, func(o *app.Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return network, nil }
	})
	n := w.newTenant("Aster")
	id := n.newModeledCall()
	w.exec(`update call set carrier_call_id = 'CA1' where id = $1`, id)
	page, action, sound := "/live?call="+id.String(), "/calls/"+id.String()+"/listening", "/calls/"+id.String()+"/sound"
	heard := page + "&listening=yes"

	staff := n.as(n.staff)
	staff.get(page).want(http.StatusOK).lacks(action, "Join call")
	staff.get(heard).want(http.StatusOK).lacks("<audio")
	staff.get(sound).want(http.StatusForbidden)
	staff.post(action, nil).want(http.StatusForbidden)

	v := n.as(n.admin)
	v.get("/calls/"+id.String()).has("Join call", page)
	v.get(page).has(action, "Listen in").lacks("<audio")
	network.err.Store(&carrier.Error{Kind: carrier.Refused, Reason: "Twilio does not allow it"})
	v.post(action, nil).want(http.StatusUnprocessableEntity).
		has("The carrier did not send the sound of this call: Twilio does not allow it.", "Listen in").lacks("Go back")
	network.err.Store(nil)
	v.post(action, nil).leads(heard)
	v.get(heard).has(`src="`+sound+`"`, "Stop listening", "Nobody on the call hears you").lacks(action)
	if n := network.asked.Load(); n != 2 {
		t.Errorf("asked %d times", n)
	}
	v.get("/settings/audit-log").lacks("listened in")
	v.post("/calls/"+id.String()+"/notes", url.Values{"id": {uuid.NewString()}, "text": {"Ask"}, "listening": {"yes"}}).
		leads(heard)
	v.post("/calls/"+id.String()+"/notes", url.Values{"text": {""}, "listening": {"yes"}}).
		want(http.StatusUnprocessableEntity).has(`src="` + sound + `"`)

	// Another call of the list is not heard at once.
	other := n.newLiveCall()
	v.get(heard).has("/live?call=" + other.String() + `"`).lacks("/live?call=" + other.String() + "&amp;listening")

	first := v.sound(sound)
	testwait.Next(t, "the sound", first.begun)
	v.get("/settings/audit-log").has("listened in to a call")
	w.exec(`update call set status = 'completed', outcome = 'completed', ended_reason = 'completed', ended_by = 'agent',
		ended_at = clock() where id = $1`, id)
	testwait.Next(t, "the end of the sound", first.over)
	v.get(sound).want(http.StatusConflict)
	v.post(action, nil).want(http.StatusUnprocessableEntity).has("This call has ended")
	v.get(heard).has("This call has ended").lacks("Listen in")

	// Whoever is signed out hears no more.
	w.exec(`update call set carrier_call_id = 'CA2' where id = $1`, other)
	second := v.sound("/calls/" + other.String() + "/sound")
	testwait.Next(t, "the sound", second.begun)
	v.post("/sign-out", nil)
	testwait.Next(t, "the end of the sound", second.over)
}

// listener hears a call. Its channels are closed when the head of the sound has come, when the sound was loud for the
// first time, and when it has ended.
type listener struct{ begun, loud, over chan struct{} }

// sound begins to listen.
func (b *visitor) sound(path string) *listener {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.w.server.URL+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	client := *b.client
	client.Timeout = 0
	resp, err := client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	h := resp.Header
	if resp.StatusCode != http.StatusOK || h.Get("Content-Type") != "audio/wav" ||
		h.Get("Cache-Control") != "no-store" || h.Get("Content-Encoding") != "" {
		b.t.Fatalf("%s: %d %v", path, resp.StatusCode, h)
	}
	l := &listener{begun: make(chan struct{}), loud: make(chan struct{}), over: make(chan struct{})}
	b.t.Cleanup(func() { _ = resp.Body.Close() })
	go func() {
		defer close(l.over)
		in := bufio.NewReader(resp.Body)
		head, err := in.Peek(4)
		if err != nil || string(head) != "RIFF" {
			return
		}
		close(l.begun)
		_, _ = in.Discard(44)
		for sample, loud := make([]byte, 2), false; ; {
			if _, err := io.ReadFull(in, sample); err != nil {
				return
			}
			if s := int16(binary.LittleEndian.Uint16(sample)); !loud && (s > 1000 || s < -1000) {
				close(l.loud)
				loud = true
			}
		}
	}()
	return l
}

// A manager hears a call of the sandbox's network, through the adapter, until it ends.
func TestJourneyOfListeningIn(t *testing.T) {
	t.Parallel()
	w := newProductAt(t, 1)
	n := w.newTenant("Aster")
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Become(w.server.URL, n.as(n.admin).client.Jar.Cookies(w.origin()))
	tab.Go(w.server.URL + "/agents/" + n.agent.String() + "/call")
	tab.Fill("#to_number", "+15005000001")
	tab.Follow("main form button.btn-primary")
	tab.WaitFor(`document.querySelector("main").textContent.includes("Join call")`)
	tab.Follow(`main a[href^="/live?call="]`)
	const listen = `form[action$="/listening"] button`
	tab.Wait(listen)
	tab.Follow(listen)
	tab.Wait("#listening audio")
	tab.WaitFor(`(() => {
		const audio = document.querySelector("#listening audio");
		if (audio.paused) audio.play(); // a browser may wait for a click
		return audio.currentTime > 0.5;
	})()`)
	// The conversation goes on beside the player, which stays.
	tab.WaitFor(`document.querySelectorAll(".live-talk li, .live-talk article, .live-talk .turn").length > 0`)
	if !browsertest.Eval[bool](tab, `document.querySelector("#listening audio").error === null`) {
		t.Error("the player has an error")
	}
	// A tone is heard: both sides of the sandbox's calls sound while they speak.
	id := value[uuid.UUID](w, `select id from call`)
	testwait.Next(t, "a tone", n.as(n.admin).sound("/calls/"+id.String()+"/sound").loud)
	n.as(n.admin).post("/calls/"+id.String()+"/hang-up", nil)
	tab.WaitFor(`!document.querySelector("#listening p[role=status]").hidden`)
	for _, problem := range tab.Problems() {
		t.Error(problem)
	}
}
