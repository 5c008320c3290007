package web

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// stream is a client of a live part.
type stream struct {
	t      testing.TB
	events chan event // closed when the server ends the stream
}

type event struct{ name, data string }

func (b *visitor) listen(path string) *stream {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	b.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.w.server.URL+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	client := *b.client
	client.Timeout = 0
	resp, err := client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	if got := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || got != "text/event-stream" {
		b.t.Fatalf("%s: %d %s", path, resp.StatusCode, got)
	}
	s := &stream{t: b.t, events: make(chan event, 100)}
	go func() {
		defer close(s.events)
		defer resp.Body.Close()
		var e event
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				e.name = value
			case "data":
				e.data += value + "\n"
			case "":
				s.events <- e
				e = event{}
			}
		}
	}()
	return s
}

// next waits for an event with the name and the texts.
func (s *stream) next(name string, texts ...string) event {
	s.t.Helper()
	select {
	case e, open := <-s.events:
		if !open {
			s.t.Fatalf("the stream ended, want %s", name)
		}
		if e.name != name {
			s.t.Fatalf("event %q, want %q", e.name, name)
		}
		for _, text := range texts {
			if words := plain(e.data); !strings.Contains(words, text) && !strings.Contains(e.data, text) {
				s.t.Errorf("%s lacks %q: %s", name, text, words)
			}
		}
		return e
	case <-time.After(testwait.Limit):
		s.t.Fatalf("no event %s", name)
	}
	return event{}
}

// ended waits for the server to end the stream without another event.
func (s *stream) ended() {
	s.t.Helper()
	select {
	case e, open := <-s.events:
		if open {
			s.t.Fatalf("event %q, want the end: %s", e.name, plain(e.data))
		}
	case <-time.After(testwait.Limit):
		s.t.Fatal("the stream goes on")
	}
}

func TestCampaignStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newCampaign()
	w.exec(`update campaign set status = 'running', started_at = clock() where id = $1`, id)
	v := n.as(n.admin)
	path := "/campaigns/" + id.String()
	if page := v.get(path).want(http.StatusOK); !strings.Contains(page.body, `sse-connect="`+path+`/events"`) {
		t.Error("the page does not listen")
	}
	s := v.listen(path + "/events")
	const count = `<span class="count" id="running-count" title="`
	s.next("campaign", "0 of 1 recipient done", "Running", path+"/pause", count+`1 running" hx-swap-oob="true">1<`)

	w.exec(`update campaign set completed = 1, calls_placed = 1, calls_answered = 1 where id = $1`, id)
	w.exec(`update recipient set status = 'dialing' where campaign_id = $1`, id)
	w.exec(`update recipient set status = 'completed', outcome = 'completed', attempts = 1 where campaign_id = $1`, id)
	s.next("campaign", "1 of 1 recipient done", "100.0%")
	w.exec(`update campaign set status = 'completed', ended_reason = 'finished', ended_at = clock() where id = $1`, id)
	s.next("campaign", "Completed", "Ended", count+`0 running" hidden hx-swap-oob="true">`)
	s.next("end")
	s.ended()
	v.get(path).lacks("sse-connect", path+"/pause", "Finished.")
	// A stream of a finished campaign shows its end and closes.
	late := v.listen(path + "/events")
	late.next("campaign", "1 of 1 recipient done")
	late.next("end")
	late.ended()
}

// The menu of an open page counts one campaign less when it ends.
func TestMenuCountsRunningCampaigns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Become(w.server.URL, n.as(n.staff).client.Jar.Cookies(w.origin()))
	for _, page := range []string{"/campaigns/%s", "/campaigns", "/"} {
		id := n.newCampaign()
		w.exec(`update campaign set status = 'running', started_at = clock() where id = $1`, id)
		tab.Go(w.server.URL + strings.Replace(page, "%s", id.String(), 1))
		if got := tab.Text("#running-count"); got != "1" {
			t.Errorf("%s: the menu counts %q", page, got)
		}
		w.exec(`update campaign set status = 'completed', ended_reason = 'finished', ended_at = clock() where id = $1`,
			id)
		tab.WaitFor(`document.querySelector("#running-count").hidden`)
	}
}

// The stream of a campaign has the filter and the page number of the recipients on its
// page.
func TestCampaignStreamKeepsTheFilter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newCampaign()
	v := n.as(n.admin)
	path := "/campaigns/" + id.String()
	if page := v.get(path + "?status=failed").want(http.StatusOK).lacks("Aster Olu"); !strings.Contains(
		page.body, `sse-connect="`+path+`/events?status=failed"`,
	) {
		t.Errorf("the page listens for something else: %s", page.body)
	}
	e := v.listen(path+"/events?status=failed").next("campaign", "No failed recipients")
	if strings.Contains(e.data, "/events#") || strings.Contains(e.data, "/events?") {
		t.Errorf("the part leads to the stream: %s", e.data)
	}
	e = v.listen(path+"/events").next("campaign", "Aster Olu", `href="`+path+`?select=yes#recipients"`)
	if strings.Contains(e.data, "/events") {
		t.Errorf("the part leads to the stream: %s", e.data)
	}
}

func TestCallStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newLiveCall()
	v := n.as(n.staff)
	s := v.listen("/calls/" + id.String() + "/events")
	s.next("call", "In progress", "Words appear here when they have been said", "/hang-up")
	w.exec(
		`insert into call_turn (call_id, index, organization_id, role, text)
			values ($1, 0, $2, 'agent', 'Hello, <b>this</b> is Robin.')`,
		id, n.organization,
	)
	if e := s.next("call", "Hello, &lt;b&gt;this&lt;/b&gt; is Robin."); strings.Contains(e.data, "<b>this") {
		t.Error("what was said is markup")
	}
	w.exec(
		`update call set status = 'completed', outcome = 'completed', ended_reason = 'completed', ended_by = 'agent',
			ended_at = answered_at + interval '65 seconds' where id = $1`,
		id,
	)
	e := s.next("call", "Completed", "Ended by the agent", "1:05")
	if strings.Contains(e.data, "/hang-up") {
		t.Error("an ended call can be ended")
	}
	s.next("end")
	s.ended()
}

// The newest page of the calls is live, with the filters of the page. Older pages and
// searches of transcripts are not.
func TestCallsStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	listens := func(path, stream string) {
		t.Helper()
		body := v.get(path).want(http.StatusOK).body
		if got := strings.Contains(body, "sse-connect"); got != (stream != "") {
			t.Errorf("%s listens: %v", path, got)
		} else if got && !strings.Contains(body, `sse-connect="`+stream+`"`) {
			t.Errorf("%s does not listen to %s", path, stream)
		}
	}
	listens("/calls", "/calls/events")
	s := v.listen("/calls/events")
	s.next("calls", "No calls yet")
	w.newTenant("Borealis").newCall()
	id := n.newLiveCall()
	if e := s.next("calls", "Aster Olu", "In progress"); strings.Contains(e.data, "Borealis") {
		t.Error("the stream tells of another organization")
	}
	live := v.listen("/calls/events?outcome=live")
	live.next("calls", "In progress")
	w.exec(`update call set status = 'completed', outcome = 'completed', ended_reason = 'completed', ended_by = 'agent',
		ended_at = answered_at + interval '65 seconds' where id = $1`, id)
	s.next("calls", "Completed", "1:05")
	live.next("calls", "No call matches these filters")

	for range 30 {
		n.newCall()
	}
	listens("/calls?outcome=completed", "/calls/events?outcome=completed")
	listens("/calls?q=refund", "")
	page := v.get("/calls")
	older := pathOf(t, page, "Older")
	listens(older, "")
	e := v.listen("/calls/events").next("calls", "Older")
	if strings.Contains(e.data, "/calls/events") {
		t.Errorf("the part leads to the stream: %s", e.data)
	}
	late := v.listen(strings.Replace(older, "/calls", "/calls/events", 1))
	late.next("calls")
	late.next("end")
	late.ended()
}

// The page of live calls lists those that have not ended, with the last words, and shows the chosen one beside them.
func TestLivePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	v.get("/live").want(http.StatusOK).has("No live calls").lacks("Aster Olu")
	s := v.listen("/live/events")
	s.next("live", "No live calls")
	ended, foreign := n.newCall(), w.newTenant("Borealis").newLiveCall()
	id := n.newLiveCall()
	e := s.next("live", "Aster Olu", "In progress", "/live?call="+id.String())
	if strings.Contains(e.data, "Borealis") ||
		strings.Contains(e.data, ended.String()) {
		t.Errorf("the list has other calls: %s", plain(e.data))
	}
	w.exec(`insert into call_turn (call_id, index, organization_id, role, text) values
		($1, 0, $2, 'agent', 'Hello, this is Robin.'), ($1, 1, $2, 'recipient', 'Who is <b>this</b>?'),
		($1, 2, $2, 'system', 'Pressed 4')`, id, n.organization)
	if e := s.next("live", "Aster: Who is <b>this</b>?"); strings.Contains(e.data, "<b>this") {
		t.Error("what was said is markup")
	}

	path := "/live?call=" + id.String()
	page := v.get(path).want(http.StatusOK).has("Hello, this is Robin.", "Pressed 4", "/calls/"+id.String()+"/hang-up")
	if !strings.Contains(page.body, `sse-connect="/live/events?call=`+id.String()+`"`) {
		t.Error("the page does not listen with its choice")
	}
	chosen := v.listen("/live/events?call=" + id.String())
	chosen.next("live", "Hello, this is Robin.", "/live?call="+id.String())
	w.exec(`update call set hang_up_at = clock() where id = $1`, id)
	if e := chosen.next("live", "Ending"); strings.Contains(e.data, "/hang-up") {
		t.Error("the end can be asked for twice")
	}
	w.exec(`update call set status = 'completed', outcome = 'completed', ended_reason = 'ended_by_user',
		ended_by = 'system', ended_at = clock() where id = $1`, id)
	chosen.next("live", "This call has ended", "Completed")
	v.get("/live").lacks("Aster Olu")

	other := n.newLiveCall()
	for query, found := range map[string]bool{
		"direction=outbound": true, "direction=inbound": false, "project_id=" + n.project.String(): true,
		"project_id=" + other.String(): false, "campaign_id=" + other.String(): false,
	} {
		if page := v.get("/live?" + query).want(http.StatusOK); strings.Contains(page.body, "Aster Olu") != found {
			t.Errorf("%s finds the call: %v", query, !found)
		}
	}
	v.get("/live?direction=up").want(http.StatusUnprocessableEntity).has("Fix or clear the highlighted filter")
	v.get("/live?project_id=x&campaign_id=y").want(http.StatusUnprocessableEntity)
	for _, wrong := range []string{foreign.String(), "x"} {
		v.get("/live?call=" + wrong).want(http.StatusNotFound)
	}
}

// An admin adds a note for an agent with a language model, once, however often the form is sent. Until the agent knows
// it, the page says so.
func TestLiveNote(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newModeledCall()
	page, action, author := "/live?call="+id.String(), "/calls/"+id.String()+"/notes", "Aster Ada"
	v := n.as(n.admin)
	n.as(n.staff).get(page).want(http.StatusOK).lacks(action)
	v.get("/live?call=" + n.newLiveCall().String()).want(http.StatusOK).lacks("/notes")
	s := v.listen("/live/events?call=" + id.String())
	first := s.next("live", action)
	sent := url.Values{"id": {valueOf(t, first.data, "id")}, "text": {"Tell her the nurse comes at four"}}
	v.post(action, url.Values{"text": {""}}).want(http.StatusUnprocessableEntity).has("Required").lacks("sse-connect")
	for range 2 {
		v.post(action, sent).leads(page)
	}
	if got := w.count(`select count(*) from call_note where call_id = $1 and author = $2`, id, author); got != 1 {
		t.Errorf("%d notes", got)
	}
	second := s.next("live", "Note by "+author+": Tell her the nurse comes at four", "Not with the agent yet")
	if valueOf(t, second.data, "id") == sent.Get("id") {
		t.Error("the next note has the ID of the last one")
	}
	w.exec(`update call_note set given_at = clock() where call_id = $1`, id)
	if e := s.next("live", "The agent uses it the next time it speaks."); strings.Contains(e.data, "Not with") {
		t.Error("the agent knows the note, and the page says that it does not")
	}
	v.post(action, url.Values{"text": {"The nurse is here"}}).leads(page)
	s.next("live", "The nurse is here", "Not with the agent yet")
	w.exec(`update call_note set used_at = clock() where call_id = $1 and number = 1`, id)
	if e := s.next("live", "The nurse is here"); strings.Contains(e.data, "it speaks.") {
		t.Error("a note that was used still waits")
	}
	w.exec(`update call set hang_up_at = clock() where id = $1`, id)
	if e := s.next("live", "Ending"); strings.Contains(e.data, action) {
		t.Error("a note can be added to a call that ends")
	}
	v.post(action, url.Values{"text": {"Too late"}}).want(http.StatusUnprocessableEntity).has("about to end")
	const unused = "Notes that were not used"
	v.get("/calls/" + id.String()).want(http.StatusOK).lacks(unused)
	w.exec(`update call set status = 'completed', outcome = 'completed', ended_reason = 'ended_by_user',
		ended_by = 'system', ended_at = clock() where id = $1`, id)
	for _, ended := range []string{page, "/calls/" + id.String()} {
		v.get(ended).want(http.StatusOK).
			has("Note by "+author+": The nurse is here", "The call ended before the agent could use it.").
			lacks("comes at four")
	}
	w.exec(`update call_note set text = '' where call_id = $1`, id)
	v.get("/calls/"+id.String()).want(http.StatusOK).lacks(unused, "before the agent could use it")
}

// An admin takes a call over. A call that nobody talks in, and one that is being transferred, is not offered.
func TestLiveTransfer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newModeledCall()
	page, action := "/live?call="+id.String(), "/calls/"+id.String()+"/transfer"
	n.as(n.staff).get(page).want(http.StatusOK).lacks(action)
	n.as(n.staff).get("/calls/" + id.String()).want(http.StatusOK).lacks(page)
	v := n.as(n.admin)
	v.get(page).want(http.StatusOK).has(action, "Aster desk", "Choose a destination")
	v.get("/calls/" + id.String()).want(http.StatusOK).has(page)
	v.post(action, form("destination_id", "", "text", "Her nurse is Kim")).
		wrong("destination_id", "Choose a destination").has("Transfer to", "Transfer call", `value="Her nurse is Kim"`,
		"Words appear here when they have been said").lacks("Go back", "sse-connect")
	v.post(action, nil).wrong("destination_id", "Choose a destination")
	chosen := n.newDestination().String()
	if kept := v.post("/calls/"+id.String()+"/notes", form("text", "", "destination_id", chosen)).
		wrong("text", "Required"); !kept.chosen("destination_id", chosen) {
		t.Error("a note that was refused forgets the destination")
	}
	foreign := w.newTenant("Borealis").newDestination()
	v.post(action, form("destination_id", foreign.String())).wrong("destination_id", "No such destination")
	sent := url.Values{"destination_id": {n.newDestination().String()}}
	v.post(action, sent).leads(page)
	v.get(page).has("Transferring the call").lacks(action)
	sent.Set("text", "Her nurse is Kim")
	v.post(action, sent).want(http.StatusUnprocessableEntity).
		has("The call is being transferred already", `value="Her nurse is Kim"`).lacks("Go back", "Transfer call")
	stored := w.count(`select count(*) from call_note where call_id = $1 and destination_id is not null`, id)
	if stored != 1 {
		t.Errorf("%d take-overs", stored)
	}
	w.exec(`delete from call_note where call_id = $1`, id)
	v.get(page).has(action)
	w.exec(`update call_line set state = jsonb_set(state, '{phase}', '"waiting"') where call_id = $1`, id)
	v.get(page).lacks(action)
}

// valueOf is the value of the field with a name.
func valueOf(t *testing.T, html, name string) string {
	t.Helper()
	_, after, _ := strings.Cut(html, `name="`+name+`" value="`)
	value, _, found := strings.Cut(after, `"`)
	if !found {
		t.Fatalf("there is no field %s", name)
	}
	return value
}

func TestOverviewStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	n.newCampaign()
	v := n.as(n.staff)
	s := v.listen("/events")
	s.next("overview", "Aster spring", "No calls yet")
	n.newCall()
	s.next("overview", "Aster Olu", "Confirmed.", "1:34")
	w.newTenant("Borealis").newCall()
	n.newLiveCall()
	if e := s.next("overview", "In progress"); strings.Contains(e.data, "Borealis") {
		t.Error("the stream tells of another organization")
	}
}

// A stream ends with its session, and follows changes of the person's role.
func TestStreamEndsWithTheSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newCampaign()
	second := n.newPerson("Eve", account.Admin)
	path := "/campaigns/" + id.String() + "/events"

	s := n.as(second).listen(path)
	if e := s.next("campaign"); !strings.Contains(e.data, "/pause") {
		t.Fatal("an admin may not pause")
	}
	if err := w.accounts.SetRole(t.Context(), n.actor(), second.id, account.Staff); err != nil {
		t.Fatal(err)
	}
	if e := s.next("campaign"); strings.Contains(e.data, "/pause") {
		t.Error("whose role was changed still sees what it may not do")
	}
	if err := w.accounts.RemoveMember(t.Context(), n.actor(), second.id); err != nil {
		t.Fatal(err)
	}
	s.next("gone")
	s.next("end")
	s.ended()

	v := n.as(n.admin)
	s = v.listen(path)
	s.next("campaign")
	v.post("/sign-out", nil)
	s.next("gone")
	s.next("end")
	s.ended()
	// A stream that opens after the session's end closes at once.
	s = v.listen(path)
	s.next("gone")
	s.next("end")
	s.ended()
}

// An idle stream sends no event, and a shutdown ends open streams.
func TestStreamEndsWithTheServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	call, campaign := n.newLiveCall(), n.newCampaign()
	v := n.as(n.admin)
	var streams []*stream
	for name, path := range map[string]string{
		"overview": "/events", "campaign": "/campaigns/" + campaign.String() + "/events",
		"call": "/calls/" + call.String() + "/events",
	} {
		s := v.listen(path)
		s.next(name)
		streams = append(streams, s)
	}
	// Two readings of another stream give these streams the time for two readings as
	// well.
	other := n.as(n.admin).listen("/events")
	other.next("overview")
	n.newCall() // changes only the overview
	other.next("overview")
	for _, s := range streams {
		for len(s.events) > 0 {
			if e := <-s.events; e.name != "overview" {
				t.Errorf("%s is sent although nothing changed: %s", e.name, plain(e.data))
			}
		}
	}
	w.app.Drain(t.Context())
	for _, s := range streams {
		for range s.events {
		}
	}
	other.ended()
}
