package web

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net/http"
	"net/url"
	"strings"
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
	staff.get(page).want(http.StatusOK).lacks(action, "Listen in")
	staff.get(heard).want(http.StatusOK).lacks("<audio")
	staff.get(sound).want(http.StatusForbidden)
	staff.post(action, nil).want(http.StatusForbidden)

	v := n.as(n.admin)
	v.get("/calls/"+id.String()).has("Listen in", page)
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
	v.post("/calls/"+id.String()+"/notes", form("id", uuid.NewString(), "text", "Ask", "return", heard)).leads(heard)
	v.post("/calls/"+id.String()+"/notes", form("text", "", "return", heard)).
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

// What a person does on the page of live calls leads back to it, with its filters and its player, also when it comes
// too late.
func TestActionsOnLiveLeadBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newAudibleCall()
	v, of := n.as(n.admin), "/calls/"+id.String()
	page := "/live?call=" + id.String() + "&direction=outbound&project_id=" + n.project.String()
	heard := "/live?call=" + id.String() + "&direction=outbound&listening=yes&project_id=" + n.project.String()

	button := of + "/hang-up?return=" + url.QueryEscape(page)
	v.get(page).has(`name="return" value="`+heard+`"`, button)
	v.post(of+"/listening", form("return", heard)).leads(heard)
	v.get(heard).has("<audio", `href="`+page+`"`, "Stop listening")
	v.post(of+"/notes", form("id", uuid.NewString(), "text", "Ask", "return", heard)).leads(heard)
	v.post(of+"/notes", form("text", "", "return", heard)).want(http.StatusUnprocessableEntity).
		has("<audio", `name="return" value="`+heard+`"`)

	desk := form("destination_id", n.newDestination().String(), "return", heard)
	v.post(of+"/transfer", desk).leads(heard)
	v.get(heard).has("Transferring the call", "<audio")
	v.post(of+"/transfer", desk).leads(heard)
	v.get(heard).has("being transferred already")

	w.exec(`update call set carrier_call_id = null where id = $1`, id) // no carrier is asked to hang up
	button = of + "/hang-up?return=" + url.QueryEscape(heard)
	v.get(button).has("End this call?", `href="`+heard+`"`, `action="`+button+`"`)
	v.post(button, nil).leads(heard)
	v.get(heard).has("Ending the call", "Ending")
	w.exec(`update call set status = 'completed', outcome = 'completed', ended_reason = 'completed', ended_by = 'agent',
		ended_at = clock() where id = $1`, id)
	v.post(button, nil).leads(heard)
	v.get(heard).has("has already ended")
	v.post(of+"/hang-up?return=//evil.example", nil).want(http.StatusUnprocessableEntity)
}

// Whoever opens the page to listen in reads there why nothing is heard.
func TestWhyNothingIsHeard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	n.newAudibleCall()
	id := n.newRingingCall()
	v, page := n.as(n.admin), "/live?call="+id.String()+"&listening=yes"
	const playing = "You hear the agent"
	state := func(set, want string) {
		t.Helper()
		w.exec(`update call set `+set+` where id = $1`, id)
		v.get(page).has(want).lacks("<audio", playing, "/listening\"")
	}
	state(`changed_at = clock()`, "The sound starts when the call is answered.")
	w.exec(`update call set status = 'in_progress', answered_at = clock() where id = $1`, id)
	v.get(page).has("<audio", playing)
	transfer(n, id, "no_answer")
	v.get(page).has("<audio", playing)
	transfer(n, id, "taken")
	state(`changed_at = clock()`, "The sound has ended because the call was transferred.")
	w.exec(`update call_transfer set state = 'declined', ended_at = clock() where state = 'taken'`)
	v.get(page).has("<audio", playing)
	state(`hang_up_at = clock()`, "The sound has ended because the call is ending.")
	const ended = `status = 'completed', outcome = 'completed', ended_reason = 'completed', ended_by = 'agent',
		ended_at = clock()`
	w.exec(`update call_transfer set state = 'ended' where state = 'declined'`)
	state(ended, "The sound has ended because the call was transferred.")
	w.exec(`delete from call_transfer`)
	state(ended, "The sound has ended because the call has ended.")

	id = n.newRingingCall()
	page = "/live?call=" + id.String() + "&listening=yes"
	state(`status = 'no_answer', outcome = 'no_answer', ended_reason = 'no_answer', ended_by = 'carrier',
		ended_at = clock()`, "There was no sound because nobody answered the call.")
	v.get("/live?call=" + id.String()).lacks("There was no sound")
}

// newRingingCall is a call that the carrier rings.
func (n *tenant) newRingingCall() uuid.UUID {
	n.w.t.Helper()
	id := newID()
	n.w.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
			carrier_call_id, own_number, person_number, recipient_name, status, ring_timeout_seconds,
			max_duration_seconds, asked_at, started_at, ringing_at)
		values ($1, $2, $3, $4, $5, $6, 'sandbox', 'CA1', '+15005559000', $7, $8, 'ringing', 30, 600, clock(),
			clock(), clock())`,
		id, n.organization, n.project, n.agent, n.number, n.connection, n.w.freshNumber("+1500"), n.name+" Olu")
	return id
}

// transfer gives a call another transfer, which is in a state.
func transfer(n *tenant, id uuid.UUID, state string) {
	n.w.t.Helper()
	n.w.exec(`insert into call_transfer (call_id, number, organization_id, destination_id, destination, mode, recorded,
			language, state, ended_at)
		select $1, 1 + (select count(*) from call_transfer where call_id = $1), $2, $3, 'Front desk', 'cold', false,
			'en-US', $4, case when $4 <> 'taken' then clock() end`, id, n.organization, n.newDestination(), state)
}

// A page that was opened to listen in plays the sound once the call is answered. When a transfer takes the call away,
// the player ends by itself, and the page says why.
func TestJourneyOfTheSoundOfACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	n.newAudibleCall()
	id := n.newRingingCall()
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Become(w.server.URL, n.as(n.admin).client.Jar.Cookies(w.origin()))
	tab.Go(w.server.URL + "/live?call=" + id.String() + "&listening=yes")
	tab.WaitText("#listening", "The sound starts when the call is answered.")
	w.exec(`update call set status = 'in_progress', answered_at = clock() where id = $1`, id)
	tab.Wait("#listening audio")
	tab.WaitText("#listening", "You hear the agent")
	transfer(n, id, "taken")
	tab.WaitText("#listening", "The sound has ended because the call was transferred.")
	if text := tab.Text("#listening"); strings.Contains(text, "You hear") {
		t.Errorf("the page says %q", text)
	}
	// The call comes back to the agent.
	w.exec(`update call_transfer set state = 'no_answer', ended_at = clock()`)
	tab.Wait("#listening audio")
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
	tab := n.listening(t)
	// The conversation goes on beside the player, which stays.
	tab.WaitFor(`document.querySelectorAll(".live-talk li, .live-talk article, .live-talk .turn").length > 0`)
	if !browsertest.Eval[bool](tab, `document.querySelector("#listening audio").error === null`) {
		t.Error("the player has an error")
	}
	// A tone is heard: both sides of the sandbox's calls sound while they speak.
	id := value[uuid.UUID](w, `select id from call`)
	testwait.Next(t, "a tone", n.as(n.admin).sound("/calls/"+id.String()+"/sound").loud)
	// The person who listens ends the call, stays on the page, and reads there how the sound ended.
	heard := tab.Path()
	tab.Click(`a[href^="/calls/` + id.String() + `/hang-up"]`)
	tab.Wait("dialog #confirm button")
	tab.Follow("dialog #confirm button")
	tab.WaitText(".toast", "Ending the call")
	if got := tab.Path(); got != heard {
		t.Errorf("the end of the call leads to %s, not %s", got, heard)
	}
	tab.WaitText("#listening", "The sound has ended because the call has ended.")
	if text := tab.Text("#listening"); strings.Contains(text, "You hear") {
		t.Errorf("the page says %q", text)
	}
	if asked := browsertest.Eval[int](tab, `performance.getEntriesByType("resource").filter(
		(r) => r.name.endsWith("/sound")).length`); asked > 0 {
		t.Errorf("the page asks for the sound of a call that ends, %d times", asked)
	}
	for _, problem := range tab.Problems() {
		// The page before may ask for more of a sound that has just ended.
		if !strings.Contains(problem, "409") || !strings.Contains(problem, "/sound") {
			t.Error(problem)
		}
	}
}

// listening is a tab in which a person places a call of the sandbox's network, and hears it.
func (n *tenant) listening(t *testing.T) *browsertest.Tab {
	t.Helper()
	w := n.w
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Become(w.server.URL, n.as(n.admin).client.Jar.Cookies(w.origin()))
	tab.Go(w.server.URL + "/agents/" + n.agent.String() + "/call")
	tab.Fill("#to_number", "+15005000001")
	tab.Follow("main form button.btn-primary")
	tab.WaitFor(`document.querySelector("main").textContent.includes("Listen in")`)
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
	return tab
}

// A manager who listens transfers the call. The sound goes on until the transfer takes the call away, and the page says
// so.
func TestJourneyOfListeningUntilATransfer(t *testing.T) {
	t.Parallel()
	w := newProductAt(t, 1)
	n := w.newTenant("Aster")
	desk := n.newDestination()
	tab := n.listening(t)
	heard := tab.Path()
	tab.Wait(`form[action$="/transfer"]`)
	browsertest.Eval[bool](tab, `(document.querySelector("[name=destination_id]").value = "`+desk.String()+`") !== ""`)
	tab.Follow(`form[action$="/transfer"] button`)
	tab.WaitText(".toast", "Transferring the call")
	if got := tab.Path(); got != heard {
		t.Errorf("the transfer leads to %s, not %s", got, heard)
	}
	tab.WaitText("#listening", "The sound has ended because the call was transferred.")
	for _, problem := range tab.Problems() {
		t.Error(problem)
	}
}
