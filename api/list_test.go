package api

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/webhook"
)

// The cursors of a list lead through all its rows, each row once, newest first.
func TestPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	const rows = 7
	var campaigns, calls, webhooks, deliveries []string
	for i := range rows {
		campaigns = append(campaigns, n.newCampaign())
		calls = append(calls, n.newCall(fmt.Sprintf("+1500555000%d", i)).String())
		webhooks = append(webhooks, n.newWebhook())
		deliveries = append(deliveries, n.newDelivery(webhooks[0]))
	}
	// Some rows have the same time.
	w.exec(`update call set created_at = '2026-01-01' where id in (select id from call order by id limit 4)`)
	slices.Reverse(campaigns)
	slices.Reverse(calls)
	slices.Reverse(webhooks)
	slices.Reverse(deliveries)

	for path, want := range map[string][]string{"/campaigns": campaigns, "/calls": calls, "/webhooks": webhooks,
		"/webhooks/" + webhooks[rows-1] + "/deliveries": deliveries} {
		for _, limit := range []int{1, 3, 7, 100} {
			var got []string
			cursor := ""
			for range rows + 1 {
				a := n.do("GET", fmt.Sprintf("%s?limit=%d&cursor=%s", path, limit, cursor), nil)
				data := a.data()
				for _, row := range data {
					got = append(got, row.(map[string]any)["id"].(string))
				}
				next := a.get("next_cursor")
				if a.get("has_more") != (next != nil) || len(data) > limit {
					t.Errorf("%v", a)
				}
				if next == nil {
					break
				}
				cursor = url.QueryEscape(next.(string))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s by %d: got %v, want %v", path, limit, got, want)
			}
			w.refill()
		}
	}
}

func TestEmptyLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	w.exec(`delete from phone_number`)
	w.exec(`delete from connection`)
	w.exec(`delete from agent`)
	w.exec(`delete from project`)
	for _, path := range []string{"/campaigns", "/calls", "/phone-numbers",
		"/number-pools", "/destinations", "/carrier-connections", "/model-connections", "/tools", "/members",
		"/follow-ups", "/whatsapp/connections",
		"/projects", "/agents", "/webhooks"} {
		if a := n.do("GET", path, nil).want(
			http.StatusOK,
		); a.body != `{"data":[],"has_more":false,"next_cursor":null}`+"\n" {
			t.Errorf("%v", a)
		}
	}
}

func TestMalformedParameters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	campaign, hook := n.newCampaign(), n.newWebhook()
	types := strings.Trim(strings.ReplaceAll(fmt.Sprint(webhook.Types()), " ", ", "), "[]")
	const (
		limit  = "limit: must be an integer between 1 and 1,000"
		cursor = "cursor: not a valid cursor"
		when   = ": must be an RFC 3339 time such as 2026-11-21T09:30:00Z"
		status = "status: must be one of draft, scheduled, running, paused, completed, canceled, failed, not "
	)
	lists := []string{"/campaigns", "/campaigns/" + campaign + "/recipients", "/calls", "/phone-numbers",
		"/number-pools", "/destinations", "/carrier-connections", "/model-connections", "/tools", "/members",
		"/follow-ups", "/projects", "/agents", "/whatsapp/connections",
		"/agents/" + n.agent.String() + "/versions", "/agents/" + n.agent.String() + "/test-cases",
		"/agents/" + n.agent.String() + "/test-runs", "/webhooks", "/webhooks/" + hook + "/deliveries", "/do-not-call",
		"/calls/" + n.newCall("+15005550001").String() + "/analyses",
		"/calls/" + n.newCall("+15005550001").String() + "/notes",
		"/erasures"}
	for _, path := range lists {
		for query, want := range map[string]string{
			"limit=0": limit, "limit=1001": limit, "limit=-1": limit, "limit=ten": limit, "limit=1.5": limit,
			"limit=%2B5x":                limit,
			"limit=99999999999999999999": limit, "limit=": "limit: must not be empty",
			"limit=5&limit=6": "limit: given twice",
			"cursor=x":        cursor, "cursor=AAAA": cursor, "cursor=%00": cursor,
			"created_after=yesterday": "created_after" + when, "created_before=2026-11-21": "created_before" + when,
			"created_after=1&limit=0&cursor=x": "created_after" + when + "; " + limit + "; " + cursor,
			"limit=%zz":                        "the query string is malformed",
		} {
			n.do("GET", path+"?"+query, nil).refused(http.StatusBadRequest, want)
		}
		w.refill()
		n.do("GET", path+"?cursor=", nil).want(http.StatusOK)
		a := n.do("GET", path+"?Limit=5&cursr=x&nonsense=1", nil).want(http.StatusBadRequest)
		if !strings.HasPrefix(a.get("error").(string), "Limit: unknown parameter, did you mean limit?; "+
			"cursr: unknown parameter, did you mean cursor?; nonsense: unknown parameter, must be one of ") {
			t.Errorf("%s: %s", path, a.body)
		}
	}
	for query, want := range map[string]string{
		"/campaigns?status=asleep": status + `"asleep"`, "/campaigns?status=Running": status + `"Running"`,
		"/campaigns?status=":                      "status: must not be empty",
		"/campaigns?status=running,asleep":        status + `"asleep"`,
		"/campaigns?status=running&status=asleep": status + `"asleep"`,
		"/campaigns?status=running,":              "status: must not be empty",
		"/campaigns?status=running,%20paused":     status + `" paused"`,
		"/campaigns?project_id=x":                 "project_id: must be a UUID",
		"/campaigns/" + campaign + "/recipients?status=gone": "status: must be one of pending, dialing, " +
			"in_progress, completed, failed, skipped, canceled, expired, not \"gone\"",
		"/calls?status=gone": "status: must be one of scheduled, queued, ringing, " +
			"in_progress, completed, busy, no_answer, failed, canceled, not \"gone\"",
		"/calls?outcome=gone": "outcome: must be one of completed, no_answer, " +
			"voicemail, busy, failed, canceled, not \"gone\"",
		"/calls?answered_by=gone": "answered_by: must be one of human, machine, " +
			"unknown, not \"gone\"",
		"/calls?campaign_id=1&agent_id=2&" +
			"phone_number_id=3": "agent_id: must be a UUID; phone_number_id: must be a UUID; campaign_id: must be a " +
			"UUID",
		"/calls?to_number=555-0100":            "to_number: not a valid phone number. Use E.164, such as +13125550142",
		"/calls?min_duration=-1":               "min_duration: must be an integer between 0 and 86,400",
		"/calls?min_duration=1&min_duration=2": "min_duration: given twice",
		"/calls?q=%00":                         "q: must be valid text",
		"/calls?q=":                            "q: must not be empty",
		"/calls?q=" + strings.Repeat("a", 201) +
			"&sort=name": "sort: must be one of newest, relevance, not \"name\"; q: must have at most 200 characters",
		"/calls?sort=relevance": "sort: relevance requires q",
		"/calls/export?status=gone&created_after=1&q=%00": "created_after" + when +
			"; status: must be one of scheduled, queued, ringing, in_progress, completed, busy, no_answer, " +
			"failed, canceled, not \"gone\"; q: must be valid text",
		"/campaigns/" + campaign + "/recipients/export?status=gone": "status: must be one of pending, dialing, " +
			"in_progress, completed, failed, skipped, canceled, expired, not \"gone\"",
		"/webhooks/" + hook + "/deliveries?status=gone&event_type=call.*": "status: must be one of pending, " +
			"succeeded, failed, not \"gone\"; " +
			"event_type: must be one of " + types + `, not "call.*"`,
		"/do-not-call?channel=fax&source=rumor": "channel: must be one of voice, message, not \"fax\"; " +
			"source: must be one of call, deceased, wrong_person, campaign, user, api, import, " +
			"message, erasure, not \"rumor\"",
		"/do-not-call?phone_number=555-0100": "phone_number: not a valid phone number. Use E.164, such as +13125550142",
		"/calls?cursor=x&status=gone&min_duration=x": cursor + "; " +
			"status: must be one of scheduled, queued, ringing, in_progress, completed, busy, no_answer, " +
			"failed, canceled, not \"gone\"; min_duration: must be an integer between 0 and 86,400",
	} {
		n.do("GET", query, nil).refused(http.StatusBadRequest, want)
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	paused, scheduled := n.newCampaign(), n.newCampaign()
	n.do("POST", "/campaigns/"+paused+"/pause", nil).want(http.StatusOK)
	w.exec(`update campaign set created_at = '2026-03-01T12:00:00Z' where id = $1`, paused)
	reached, busy := n.newCall("+15005550001"), n.newCall("+15005550002")
	w.exec(`alter table call disable trigger call_move`) // the test writes states that no call led to
	w.exec(`update call set status = 'busy', outcome = 'busy', answered_by = null, answered_at = null,
		campaign_id = $2, ended_reason = 'busy',
		created_at = '2026-03-01T12:00:00Z' where id = $1`, busy, paused)

	ids := func(path string) []string {
		var found []string
		for _, row := range n.do("GET", path, nil).data() {
			found = append(found, row.(map[string]any)["id"].(string))
		}
		return found
	}
	r, b := reached.String(), busy.String()
	for path, want := range map[string][]string{
		"/campaigns?status=paused":                                {paused},
		"/campaigns?status=running":                               nil,
		"/campaigns?project_id=" + n.project.String():             {scheduled, paused},
		"/campaigns?project_id=" + newID().String():               nil,
		"/campaigns?created_after=2026-03-01T12:00:00Z":           {scheduled},
		"/campaigns?created_after=2026-03-01T11:59:59.999Z":       {scheduled, paused},
		"/campaigns?created_before=2026-03-01T13:00:00.001+01:00": {paused},
		"/campaigns?created_before=2026-03-01T12:00:00Z":          nil,
		"/campaigns?created_before=2026-03-01T12:00:00.0001Z":     {paused},
		"/calls?campaign_id=" + paused:                            {b},
		"/calls?campaign_id=" + scheduled:                         nil,
		"/calls?campaign_id=none":                                 {r},
		"/calls?campaign_id=none&outcome=busy":                    nil,
		"/calls?agent_id=" + n.agent.String():                     {r, b},
		"/calls?phone_number_id=" + n.number.String():             {r, b},
		"/calls?status=busy":                                      {b},
		"/calls?status=queued":                                    nil,
		"/calls?outcome=completed":                                {r},
		"/calls?answered_by=human":                                {r},
		"/calls?answered_by=machine":                              nil,
		"/calls?to_number=%2B15005550002":                         {b},
		"/calls?to_number=+15005550002":                           {b},
		"/calls?min_duration=30":                                  {r},
		"/calls?min_duration=31":                                  nil,
		"/calls?min_duration=0":                                   {r, b},
		"/calls?created_after=2026-03-02T00:00:00Z":               {r},
		"/calls?created_before=2026-03-02T00:00:00Z&limit=1":      {b},
		"/calls?status=completed&outcome=completed&answered_by=human&to_number=%2B15005550001&min_duration=1&" +
			"agent_id=" + n.agent.String(): {r},
	} {
		if got := ids(path); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
	w.refill()
	for query, want := range map[string]int{
		"status=pending": 2, "status=completed": 0, "status=in_progress": 0,
		"created_before=2100-01-01T00:00:00Z": 2, "created_after=2100-01-01T00:00:00Z": 0,
		"created_before=2026-01-01T00:00:00Z": 0, "created_after=2026-01-01T00:00:00Z": 2,
	} {
		if got := len(ids("/campaigns/" + paused + "/recipients?" + query)); got != want {
			t.Errorf("recipients?%s: %d, want %d", query, got, want)
		}
	}
}

// A campaign is shown as it was requested, with defaults filled in.
func TestACampaignIsShownAsItWasAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	body := n.campaign()
	body["call_reason"] = "Your visit on Monday"
	a := n.do("POST", "/campaigns", body).want(http.StatusCreated)
	for _, field := range []string{
		"name", "project_id", "agent_id", "phone_number_id", "calling_hours", "retry", "variables", "metadata",
		"call_reason",
	} {
		if got, want := fmt.Sprint(a.get(field)), fmt.Sprint(jsonOf(t, body[field])); got != want {
			t.Errorf("%s: got %s, want %s", field, got, want)
		}
	}
	if want := `"calling_hours":{"timezone":"recipient","windows":[{"days":["mon"],"start":"00:00",` +
		`"end":"24:00"}]}`; !strings.Contains(a.body, want) {
		t.Errorf("the order of names is not the documented one: %s", a.body)
	}
	if got := n.do("GET", "/campaigns/"+a.get("id").(string), nil).want(http.StatusOK); got.body != a.body {
		t.Errorf("read again: %v", got)
	}

	smallest := n.do("POST", "/campaigns", object{"name": "Spring", "project_id": n.project, "agent_id": n.agent,
		"phone_number_id": n.number,
		"recipients":      []any{object{"phone_number": "+15005550001"}},
		"scheduled_at":    nil, "expires_at": nil, "messaging": nil, "call_reason": nil}).want(http.StatusCreated)
	for field, want := range map[string]any{"max_concurrency": 10.0, "calls_per_second": 1.0,
		"voicemail_action":     "hang_up",
		"ring_timeout_seconds": 30.0, "max_duration_seconds": 600.0, "expires_at": nil, "call_reason": nil,
		"status": "scheduled"} {
		if got := smallest.get(field); got != want {
			t.Errorf("%s: got %v, want %v", field, got, want)
		}
	}
	row := n.do("GET", "/campaigns/"+a.get("id").(string)+"/recipients", nil).data()[1]
	for field, want := range body["recipients"].([]any)[0].(object) {
		if field == "consent" {
			want = object{
				"basis": "contract", "at": "2026-01-07T12:00:00.000Z", "source": "web form", "expires_at": nil,
			}
		}
		if got := row.(object)[field]; fmt.Sprint(got) != fmt.Sprint(jsonOf(t, want)) {
			t.Errorf("%s: got %v, want %v", field, got, want)
		}
	}
}

func TestMovesOfACampaign(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	a := n.do("POST", "/campaigns", n.body(object{"scheduled_at": time.Now().Add(time.Hour)})).want(http.StatusCreated)
	path := "/campaigns/" + a.get("id").(string)
	for _, move := range []struct{ verb, want string }{
		{"resume", "This campaign is scheduled and cannot be resumed"},
		{"pause", ""}, {"pause", "This campaign is paused and cannot be paused"}, {"resume", ""},
		{"cancel", ""}, {"cancel", "This campaign is canceled and cannot be canceled"},
		{"pause", "This campaign is canceled and cannot be paused"},
		{"resume", "This campaign is canceled and cannot be resumed"},
	} {
		a := n.do("POST", path+"/"+move.verb, nil)
		if move.want != "" {
			a.refused(http.StatusConflict, move.want)
			continue
		}
		if got := n.do("GET", path, nil).want(http.StatusOK); a.want(http.StatusOK).body != got.body {
			t.Errorf("%s answers %v, then it is %v", move.verb, a, got)
		}
	}
	// An unexpected body is ignored.
	n.do("POST", "/campaigns/"+n.newCampaign()+"/pause", "{not JSON").want(http.StatusOK)
}
