package web

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
)

// rowsOf counts the rows of the first table of a page.
func rowsOf(v *shown) int {
	_, table, _ := strings.Cut(v.body, "<tbody")
	table, _, _ = strings.Cut(table, "</tbody>")
	return strings.Count(table, "<tr")
}

func TestCallList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	v.get("/calls").want(http.StatusOK).has("No calls yet").lacks("New campaign")
	n.as(n.admin).get("/calls").has("No calls yet", "New campaign")

	ended, live := n.newCall(), n.newLiveCall()
	w.exec(`update call set recipient_name = $2 where id = $1`, live, `Live <b>"one"</b>`)
	busy := n.newCall()
	w.exec(`alter table call disable trigger call_move`) // the test writes invented history
	w.exec(`update call set outcome = 'busy', status = 'busy', answered_by = null, answered_at = null, analysis = null,
		transcript_text = '',
		recipient_name = 'Busy one', person_number = '+13125550142', ended_reason = 'busy',
			created_at = '2026-03-08T05:59:59.999Z' where id = $1`, busy)
	all := v.get("/calls").want(http.StatusOK).
		has("Aster Olu", "Confirmed.", "1:34", "Busy one", `Live <b>"one"</b>`, "In progress")
	if strings.Contains(all.body, "<b>\"one\"") || rowsOf(all) != 3 {
		t.Errorf("%d rows: %s", rowsOf(all), all.words())
	}
	_ = ended
	campaign := n.newCampaign()
	w.exec(`update call set campaign_id = $2 where id = $1`, ended, campaign)

	w.exec(`update recipient set phone_number = '+13125550142'
		where id = (select id from recipient where campaign_id = $1 order by id limit 1)`, campaign)

	for query, want := range map[string]string{
		"outcome=live":                          "Live",
		"outcome=busy":                          "Busy one",
		"outcome=completed":                     "Aster Olu",
		"answered_by=human":                     "Aster Olu",
		"to_number=" + "%28312%29+555-0142":     "Busy one", // as dialed in the country
		"to_number=%2B13125550142":              "Busy one",
		"to_number=0142":                        "Busy one",
		"to_number=312555":                      "Busy one", // too short for a number that can be called
		"to_number=%28312%29+555":               "Busy one",
		"to_number=911":                         "none",
		"to_number=312555&outcome=busy":         "Busy one",
		"to_number=312555&outcome=completed":    "none",
		"campaign_id=" + campaign.String():      "Aster Olu",
		"after=2026-03-07&before=2026-03-07":    "Busy one", // the last millisecond of the day
		"agent_id=" + n.agent.String():          "",
		"agent_version=7":                       "", // the agent's chip was removed, the version was its own
		"after=2026-03-08&before=2026-03-08":    "none",
		"outcome=voicemail":                     "none",
		"campaign_id=" + newID().String():       "none",
		"campaign_id=none&outcome=busy":         "Busy one",
		"outcome=live&to_number=%2B13125550142": "none",
	} {
		got := v.get("/calls?" + query).want(http.StatusOK)
		switch want {
		case "":
			if rowsOf(got) != 3 {
				t.Errorf("%s: %d rows", query, rowsOf(got))
			}
		case "none":
			got.has("No call matches these filters", "Clear filters")
		default:
			if got.has(want); rowsOf(got) != 1 {
				t.Errorf("%s: %d rows: %s", query, rowsOf(got), got.words())
			}
		}
	}
	v.get("/calls?to_number=312-555").has("Number 312-555")
	if rows := strings.Count(v.get("/calls/export?to_number=0142").want(http.StatusOK).body, "Busy one"); rows != 1 {
		t.Errorf("the export has %d rows", rows)
	}
	v.get("/calls?campaign_id="+campaign.String()+"&after=2026-03-07").
		has("Campaign Aster spring", "From 7 Mar 2026", "Clear")

	// A malformed filter shows an error at its field, and the field keeps its text.
	for query, c := range map[string]struct{ at, message, kept string }{
		"to_number=call+me":   {"to_number", "Must be a phone number, or three or more digits", `value="call me"`},
		"to_number=42":        {"to_number", "Must be a phone number, or three or more digits", `value="42"`},
		"after=yesterday":     {"after", "Must be a date", `value="yesterday"`},
		"before=2026-02-30":   {"before", "Must be a date", `value="2026-02-30"`},
		"campaign_id=nothing": {"campaign_id", "Unknown", ""},
		"outcome=weather":     {"outcome", "Must be one of", ""},
		"answered_by=nobody":  {"answered_by", "Must be one of", ""},
		"min_duration=long":   {"min_duration", "Must be a number of seconds", ""},
	} {
		// The page must not report an empty result, because no search took place.
		v.get("/calls?"+query).want(http.StatusUnprocessableEntity).
			has(c.kept, "Fix or clear the highlighted filter", "Clear filters").
			lacks("No call matches", "Remove filter:").wrong(c.at, c.message)
	}
	v.get("/calls?cursor=nonsense").want(http.StatusUnprocessableEntity).
		has("These filters cannot be used.", "Cursor: not a valid cursor").
		lacks("No call matches", "Correct the filter")
}

// A long list of calls has several pages. Each call is on one page, and the links keep
// the filters.
func TestCallPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
		own_number, person_number, recipient_name,
			status, outcome, ended_reason, ring_timeout_seconds, max_duration_seconds, created_at, ended_at, settled_at)
		select gen_random_uuid(), $1, $2, $3, $4, $5, 'sandbox', '+15005559000', '+15005550001', 'Recipient ' || i,
			'busy', 'busy', 'busy', 30, 600, clock() - i / 2 * interval '1 second', clock(), clock()
		from generate_series(1, 10000) i`, n.organization, n.project, n.agent, n.number, n.connection)
	v := n.as(n.staff)
	seen := map[string]bool{}
	path := "/calls?outcome=busy"
	for range 3 {
		page := v.get(path).want(http.StatusOK).has("Outcome Busy")
		if rowsOf(page) != 25 {
			t.Fatalf("%s has %d rows", path, rowsOf(page))
		}
		for _, link := range page.links() {
			if id, err := uuid.Parse(strings.TrimPrefix(link, "GET /calls/")); err == nil {
				if seen[id.String()] {
					t.Errorf("call %s is on two pages", id)
				}
				seen[id.String()] = true
			}
		}
		path = pathOf(t, page, "Older")
		if u, err := url.Parse(path); err != nil || u.Query().Get("outcome") != "busy" {
			t.Fatalf("the older ones are at %s", path)
		}
	}
	if len(seen) != 75 {
		t.Errorf("three pages show %d calls", len(seen))
	}
	if newest := pathOf(t, v.get(path), "Newest"); newest != "/calls?outcome=busy" {
		t.Errorf("the newest are at %s", newest)
	}
}

func TestCallPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	id := n.newCall()
	w.exec(
		`insert into call_turn (call_id, index, organization_id, role, text, interrupted)
			values ($1, 2, $2, 'agent', '<script>alert(1)</script>', true)`,
		id, n.organization,
	)
	w.exec(`update call set call_reason = 'Your visit' where id = $1`, id)
	page := v.get("/calls/" + id.String()).want(http.StatusOK)
	page.has("Call reason Your visit", "Aster Olu", "+1 500 555 0001", "Completed", "1:34 talk time", "Confirmed.",
		"Hello yourself.",
		"interrupted", "<script>alert(1)</script>",
		"Answers", "Well? Yes", "Sentiment Neutral", "Asked not to be called No", "Queued", "Dialed",
		"Ended by the agent",
		"By a person", id.String(), "Sandbox", "CST").
		lacks("End call", "sse-connect")
	if strings.Contains(page.body, "<script>alert") {
		t.Error("what was said is run")
	}

	w.exec(`update call set analysis = analysis #- '{answers,ok}' where id = $1`, id)
	v.get("/calls/" + id.String()).has("Result Sentiment Neutral").lacks("Answers")

	withheld := n.newLiveCall()
	w.exec(`update call set direction = 'inbound', reception = '{}', person_number = '', recipient_name = '',
		number_withheld = true where id = $1`, withheld)
	for _, path := range []string{"/calls/" + withheld.String(), "/calls", "/live?call=" + withheld.String(),
		"/calls/" + withheld.String() + "/follow-ups/new"} {
		v.get(path).want(http.StatusOK).has("Number withheld").lacks("Erased number")
	}
	w.exec(`update call set number_withheld = false where id = $1`, withheld)
	v.get("/calls/" + withheld.String()).has("Erased number").lacks("Number withheld")

	live := n.newLiveCall()
	v.get("/calls/"+live.String()).has("End call", "Words appear here when they have been said").lacks("Answers")
	v.get("/calls/"+live.String()+"/hang-up").has("End this call?", "Keep call")
	v.post("/calls/"+live.String()+"/hang-up", nil).leads("/calls/" + live.String())
	v.get("/calls/" + live.String()).has("Ending the call").lacks("/hang-up")
	if by := value[string](w, `select actor_name from audit_entry where action = 'call.ended'`); by != "Aster Sam" {
		t.Errorf("the call was ended by %q", by)
	}
	v.post("/calls/"+id.String()+"/hang-up", nil).want(http.StatusUnprocessableEntity).
		has("has already ended.", "Aster Olu", `role="alert"`).lacks("Go back")

	hasty := n.newCall()
	w.exec(`alter table call disable trigger call_move`) // the test writes invented history
	w.exec(`update call set direction = 'inbound', reception = '{}', status = 'no_answer', outcome = 'no_answer',
		ended_reason = 'no_answer', ended_by = 'recipient', answered_at = null, analysis = null where id = $1`, hasty)
	w.exec(`delete from call_turn where call_id = $1`, hasty)
	v.get("/calls/"+hasty.String()).want(http.StatusOK).
		has("The caller hung up before the call was answered.", "No answer, the caller hung up").
		lacks("Nobody answered")

	// The call is the last of two attempts at a recipient who never answered.
	campaign := n.newCampaign()
	recipient := value[uuid.UUID](w, `select id from recipient where campaign_id = $1`, campaign)
	var attempts [2]uuid.UUID
	for i := range attempts {
		attempts[i] = n.newCall()
		w.exec(`update call set status = 'no_answer', outcome = 'no_answer', ended_reason = 'no_answer',
			answered_at = null, answered_by = null, analysis = null,
			recipient_name = '', campaign_id = $2, recipient_id = $3, attempt = $4 where id = $1`, attempts[i],
			campaign, recipient, i+1)
		w.exec(`delete from call_turn where call_id = $1`, attempts[i])
	}
	second := v.get("/calls/"+attempts[1].String()).
		has("+1 500 555 0001", "No answer", "Nobody answered, so nothing was said", "Attempt 2 of 2", "Aster spring",
			"Other calls to this recipient", "Attempt 1")
	if got := second.links(); !strings.Contains(strings.Join(got, "\n"), "GET /calls/"+attempts[0].String()) {
		t.Errorf("the other attempt can't be reached: %v", got)
	}

	// A call that rang nobody is no attempt.
	for _, reason := range call.NotPlacedReasons {
		w.exec(`update call set status = 'canceled', outcome = 'canceled', ended_reason = $2 where id = $1`,
			attempts[1], reason)
		v.get("/calls/" + attempts[1].String()).has("Not an attempt: no phone rang").lacks("Attempt 2 of 2")
	}
	v.get("/calls/"+attempts[0].String()).has("Other calls to this recipient", "Not an attempt").lacks("Attempt 2")

	// The recipient calls back.
	w.exec(`update call set direction = 'inbound', reception = '{}', resumes_recipient_id = $2, status = 'completed',
		outcome = 'completed', ended_reason = 'completed' where id = $1`, id, recipient)
	v.get("/calls/"+id.String()).has("Continued a call of Aster spring", "Other calls to this recipient", "Attempt 1").
		lacks("Completed a recipient")
	v.get("/calls/" + attempts[0].String()).has("Inbound")
	w.exec(`update recipient set last_call_id = $2, answered_call_id = $2, status = 'completed', outcome = 'completed'
		where id = $1`, recipient, id)
	v.get("/calls/" + id.String()).has("Completed a recipient of Aster spring")
	v.get("/campaigns/" + campaign.String()).has("the person called back")

	// A deleted campaign has no page, but its calls have theirs.
	w.exec(`update campaign set kind = 'deleted' where id = $1`, campaign)
	for _, one := range []uuid.UUID{id, attempts[0]} {
		page := v.get("/calls/" + one.String()).want(http.StatusOK).has("Aster spring")
		if got := page.links(); strings.Contains(strings.Join(got, "\n"), campaign.String()) {
			t.Errorf("the page of a deleted campaign is offered: %v", got)
		}
	}
}

func TestCampaignPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/campaigns").want(http.StatusOK).
		has("No campaigns yet", "First campaign", "+1 500 555 9000", "Aster Robin, English (US)")
	n.as(n.staff).get("/campaigns").has("No campaigns yet").lacks("/campaigns/new", "/agents/new")
	id := n.newCampaign()
	path := "/campaigns/" + id.String()
	v.get("/campaigns").has("Aster spring", "Aster reminders", "Scheduled", "Starts", "0 of 1")
	v.get("/campaigns?status=scheduled").has("Aster spring")
	v.get("/campaigns?status=running").has("No running campaigns")
	v.get("/campaigns?status=weather").want(http.StatusUnprocessableEntity)

	v.get(path).has("Aster spring", "Scheduled", "0 of 1 recipient done", "Aster Olu", "Pending", "Pause",
		"Cancel campaign").lacks(">Resume<")
	n.as(n.staff).get(path).has("Aster spring").lacks("/pause", "/cancel")
	v.post(path+"/pause", nil).leads(path)
	v.get(path).has("Campaign paused. Calls in progress continue.", "Paused", path+
		"/resume", `action="`+path+`/resume"`).lacks(path + "/pause")
	v.post(path+"/pause", nil) // a second click has no effect
	w.exec(`update campaign set pause_reason = 'Twilio refused 20 calls in a row' where id = $1`, id)
	v.get(path).has("Campaign paused automatically", "Twilio refused 20 calls in a row")
	v.get("/").has("Needs attention", "Twilio refused 20 calls in a row")
	v.post(path+"/resume", nil).leads(path)
	v.get(path).has("Campaign resumed", "Scheduled").lacks("paused automatically")

	w.exec(`update campaign set status = 'running', started_at = clock(), waiting = $2 where id = $1`, id,
		`[{"reason": "calling_hours", "recipients": 1, "until": "`+time.Now().Add(90*time.Minute).UTC().
			Format("2006-01-02T15:04:05.000Z")+`"}]`)
	v.get(path).has("Nothing is being dialed right now", "1 waits for their calling hours, until", "in 1 h 30 min",
		"Next call at", "Calling hours: ")
	v.get("/campaigns").has("Next call at")
	opens := time.Now().Add(48 * time.Hour).UTC()
	there, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	at := opens.Format("2006-01-02T15:04:05.000Z")
	w.exec(`update campaign set waiting = $2 where id = $1`, id,
		`[{"reason": "calling_hours", "recipients": 14, "until": "`+at+`", "by_time_zone": [
		{"time_zones": ["Asia/Tokyo"], "recipients": 9, "until": "`+at+
			`"}, {"time_zones": ["Atlantic/Azores", "Europe/Lisbon"], "recipients": 3, "until": "`+at+`"}]}]`)
	v.get(path).has("14 wait for their calling hours, first at", "9 in Asia/Tokyo, closed until "+opens.In(there).
		Format("2 Jan")+", "+opens.In(there).Format("15:04")+" their time",
		"3 in Atlantic/Azores and Europe/Lisbon, closed until", "2 in other time zones",
		"Not the cause: simultaneous calls (0 of 10), pace (1 per second), carrier.")
	w.exec(`update campaign set waiting = $2 where id = $1`, id,
		`[{"reason": "connection_pace", "recipients": 1, "until": "`+at+`"}]`)
	v.get(path).has("Not the cause: simultaneous calls (0 of 10).").lacks("in other time zones")

	v.get(path+"/cancel").has("Cancel “Aster spring”?", "1 recipient will not be called", "Keep campaign",
		"cannot be undone")
	none := "/campaigns/" + n.newCampaign().String() + "/cancel"
	w.exec(`update campaign set failed = total where id = $1`, strings.Split(none, "/")[2])
	v.get(none).has("No recipient is waiting for a call.").lacks("will not be called")
	v.post(path+"/cancel", nil).leads(path)
	v.get(path).has("Campaign canceled", "Canceled", "1 of 1 recipient done").
		lacks(path+"/cancel", path+"/pause", "Nothing is being dialed")
	for _, move := range []string{"pause", "resume", "cancel"} {
		got := v.post(path+"/"+move, nil)
		if got.status != http.StatusUnprocessableEntity && got.status != http.StatusSeeOther {
			t.Errorf("%s of a canceled campaign: %d", move, got.status)
		}
	}

	// The list shows ten thousand recipients page by page, filtered by state.
	w.exec(`insert into recipient (id, organization_id, campaign_id, phone_number, name, zone_source, status)
		select ('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, $1, $2, '+1500' || lpad(i::text, 7,
			'0'), 'Recipient ' || i, 'number',
			case when i % 2 = 0 then 'failed' else 'completed' end
		from generate_series(1, 10000) i`, n.organization, id)
	w.exec(`update campaign set total = total + 10000, completed = 5000, failed = 5000 where id = $1`, id)
	first := v.get(path+"?status=failed").has("5,000", "10,001 of 10,001 recipients done")
	if rowsOf(first) != 25 {
		t.Errorf("%d rows", rowsOf(first))
	}
	later := v.get(pathOf(t, first, "Later")).want(http.StatusOK).has("Recipient 52").lacks("Recipient 50 ")
	if !strings.HasSuffix(pathOf(t, later, "First"), path+"?status=failed#recipients") {
		t.Errorf("the first are at %s", pathOf(t, later, "First"))
	}
	v.get(path + "?status=weather").want(http.StatusUnprocessableEntity)
	v.get(path + "?cursor=nonsense").want(http.StatusUnprocessableEntity)
}

// The search finds words of transcripts and marks them, and the list can be exported.
func TestCallSearchAndExport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	other, id := n.newCall(), n.newCall()
	w.exec(
		`update call set transcript_text = E'Agent: Hello.\nRecipient: Was <i>that</i> refunded?',
			recipient_name = '=cmd' where id = $1`,
		id,
	)
	found := v.get("/calls?q=refund").want(http.StatusOK).has("The person said refund", "Best match")
	if rowsOf(found) != 1 || !strings.Contains(found.body, "<mark>refunded</mark>") ||
		strings.Contains(found.body, "<i>") {
		t.Errorf("%d rows: %s", rowsOf(found), found.words())
	}
	v.get("/calls?q=refund&sort=relevance").want(http.StatusOK).has("Best matches among the newest")
	v.get("/calls?q=voucher").want(http.StatusOK).has("No person said these words", "Search all words")
	v.get("/calls?q=voucher&said_by=anyone").want(http.StatusOK).
		has("No transcript contains these words", "Clear filters")
	v.get("/calls?q=the").want(http.StatusUnprocessableEntity).wrong("q", "Contains only words that are too common").
		has(`value="the"`)
	v.get("/calls?sort=relevance").want(http.StatusOK)
	v.get("/calls?min_duration=60").want(http.StatusOK).has("Talk time 1 minute or more")
	v.get("/calls?min_duration=x").want(http.StatusUnprocessableEntity)

	file := v.get("/calls/export?q=refund").want(http.StatusOK)
	text, marked := strings.CutPrefix(file.body, "\ufeff")
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !marked || len(all) != 2 || all[1][0] != id.String() || all[1][4] != "'=cmd" {
		t.Errorf("%v: %s", err, text)
	}
	if file = v.get("/calls/export").want(http.StatusOK); !strings.Contains(file.body, other.String()) {
		t.Error(file.body)
	}
	v.get("/calls/export?to_number=call+me").want(http.StatusUnprocessableEntity)

	campaign := n.newCampaign()
	v.get("/campaigns/" + campaign.String()).has("Export CSV")
	if file = v.get("/campaigns/" + campaign.String() + "/recipients/export").want(
		http.StatusOK,
	); !strings.Contains(file.body, "phone_number,name,") || strings.Count(file.body, "\r\n") != 2 {
		t.Error(file.body)
	}
	// The export uses the filters of the page.
	v.get("/campaigns/" + campaign.String() + "?q=%2B1").has("Export CSV").has("/recipients/export?q=%2B1")
	for _, none := range []string{"outcome=busy", "q=nobody"} {
		if file = v.get("/campaigns/" + campaign.String() + "/recipients/export?" + none).want(
			http.StatusOK,
		); strings.Count(file.body, "\r\n") != 1 {
			t.Errorf("%s: %s", none, file.body)
		}
	}
	v.get("/campaigns/" + newID().String() + "/recipients/export").want(http.StatusNotFound)
	v.get("/campaigns/" + campaign.String() + "/recipients/export?status=gone").want(http.StatusUnprocessableEntity)
}

// A scheduled call says what it waits for, and can be canceled.
func TestAScheduledCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	path := "/calls/" + n.newScheduledCall().String()
	v := n.as(n.admin)
	v.get(path).want(http.StatusOK).has("Scheduled", "Starts", path+"/cancel").lacks("/hang-up", "This call waits")
	v.get(path+"/cancel").has("Cancel this call?", "Keep call")
	v.post(path+"/cancel", nil).leads(path)
	v.get(path).has("Canceled", "Canceled by Acme Ada", "Was to start").lacks("canceled by").lacks(path + "/cancel")
}
