package api

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// Rows are added while a client walks a list: newer rows, rows with the time of other
// rows, and rows whose transaction began before the walk and commits during it. Each row
// that existed before is on one page, and no row is on two pages. The test covers every
// list with a cursor in the description, and new lists automatically.
func TestListsAreStable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	campaign, hook := n.newCampaign(), n.newWebhook()
	pool, _ := n.newNumberPool()
	destination, _ := n.newDestination()
	talk := n.newCall("+15005550001").String()
	live := n.newLiveCall()
	n.analyzes()
	analyzed := n.do("POST", "/calls/"+talk+"/analyses", nil).want(http.StatusAccepted).get("id").(string)
	noted := n.do("POST", "/calls/"+live+"/notes", object{"text": "The nurse comes at four"}).
		want(http.StatusCreated).get("id").(string)
	// Events are listed with the oldest first and without an end. internal/webhook tests that none is skipped.
	walked := map[string]bool{"/events": true}
	copies := 0
	for _, list := range []struct {
		path, table, template string
		own                   string // columns that each copy sets, as JSON; {n} is a different number in each copy
	}{
		{"/campaigns", "campaign", campaign, `{}`},
		{"/campaigns/" + campaign + "/recipients", "recipient", "", `{"external_id": null}`},
		{"/campaigns/" + campaign + "/log", "campaign_log_entry", "", `{}`},
		{"/calls", "call", n.newCall("+15005550001").String(), `{"transcript_text": "Agent: Hello there."}`},
		{"/calls?outcome=completed&answered_by=human", "call", n.newCall("+15005550002").String(), `{}`},
		{"/calls?q=hello", "call", n.newCall("+15005550003").String(), `{"transcript_text": "Agent: Hello you."}`},
		{"/calls/" + talk + "/analyses", "call_analysis", analyzed, `{"number": {n}, "status": "failed"}`},
		{"/calls/" + live + "/notes", "call_note", noted, `{"number": {n}}`},
		{"/messages", "message", n.newMessage("+15005550001").String(), `{"operator_id": null}`},
		{"/webhooks", "webhook", hook, `{}`},
		{"/webhooks/" + hook + "/deliveries", "delivery", n.newDelivery(hook), `{}`},
		{"/do-not-call", "do_not_call", n.newDoNotCall(), `{"phone_number": "+1500{n}"}`},
		{"/do-not-call?channel=voice", "do_not_call", n.newDoNotCall(), `{"phone_number": "+1500{n}"}`},
		{"/erasures", "erasure", n.newErasure(), `{"number_hash": "\\x{n}0"}`},
		{"/projects", "project", n.project.String(), `{"name": "{n}"}`},
		{"/agents", "agent", n.agent.String(), `{"published_version_id": null}`},
		{"/agents/" + n.agent.String() + "/versions", "agent_version", "", `{"number": {n}}`},
		{"/agents/" + n.agent.String() + "/test-cases", "agent_test_case",
			n.newTestCase(n.agent.String()), `{"name": "{n}"}`},
		{"/agents/" + n.agent.String() + "/test-runs", "agent_test_run", n.newTestRun(n.agent.String()), `{}`},
		{"/number-pools", "number_pool", pool, `{"name": "{n}"}`},
		{"/destinations", "destination", destination, `{"name": "{n}"}`},
		{"/whatsapp/connections", "messaging_connection", n.newWhatsApp(), `{"account": "{n}"}`},
		{"/carrier-connections", "connection", n.newCarrierConnection(), `{"account": "AC{n}"}`},
		{"/model-connections", "model_connection", n.newModelConnection(), `{"name": "{n}"}`},
		{"/follow-ups", "follow_up", n.newFollowUp(), `{}`},
		{"/follow-ups?status=open,done&kind=manual", "follow_up", n.newFollowUp(), `{}`},
		{"/members", "membership", n.newMember(), `{}`},
		{"/whatsapp/templates", "messaging_template", n.newTemplate(), `{"name": "{n}"}`},
		{"/tools", "tool", n.newTool(), `{"name": "{n}"}`},
		{"/phone-numbers", "phone_number", n.number.String(), `{"phone_number": "+1500{n}"}`},
	} {
		ids := strings.NewReplacer(campaign, "{id}", hook, "{id}", talk, "{id}", live, "{id}", n.agent.String(), "{id}")
		pattern, _, _ := strings.Cut(ids.Replace(list.path), "?")
		walked[pattern] = true
		if list.template == "" {
			column, id := "campaign_id", campaign
			if list.table == "agent_version" {
				column, id = "agent_id", n.agent.String()
			}
			if err := w.Pool.QueryRow(
				t.Context(), `select id::text from `+list.table+` where `+column+` = $1 limit 1`, id,
			).Scan(&list.template); err != nil {
				t.Fatal(err)
			}
		}
		now, columns := time.Now().Truncate(time.Millisecond), w.Columns(list.table)
		insert := func(at time.Time) (string, string, []any) {
			id := uuid.Must(uuid.NewV7())
			copies++
			if list.table == "membership" { // it has no id of its own, and each copy needs a user
				return id.String(), insertMember, []any{n.organization, id, at}
			}
			own := strings.ReplaceAll(list.own, "{n}", fmt.Sprint(6_000_000+copies))
			return id.String(), `insert into ` + list.table + ` (` + columns + `) select ` + columns +
					` from (select (jsonb_populate_record(r, jsonb_build_object(
					'id', $2::uuid, 'created_at', $3::timestamptz)
				|| case when $5 = 'delivery' then jsonb_build_object('event_id',
					$2::uuid) else '{}' end || $4::jsonb)).* from ` + list.table + ` r where id = $1) copy`,
				[]any{list.template, id, at, own, list.table}
		}
		old := map[string]int{}
		for i := range 14 { // several rows at each moment
			id, sql, args := insert(now.Add(-time.Duration(i/4) * time.Minute))
			w.exec(sql, args...)
			old[id] = 0
		}
		began, err := w.Pool.Begin(t.Context()) // the transaction begins before the walk
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			_, sql, args := insert(now.Add(-time.Duration(i) * time.Minute))
			if _, err := began.Exec(t.Context(), sql, args...); err != nil {
				t.Fatal(err)
			}
		}
		sep := "?"
		if u, err := url.Parse(list.path); err == nil && u.RawQuery != "" {
			sep = "&"
		}
		seen, cursor := map[string]int{}, ""
		for pages := 0; ; pages++ {
			a := n.do("GET", fmt.Sprintf("%s%slimit=5&cursor=%s", list.path, sep, cursor), nil).want(http.StatusOK)
			for _, row := range a.data() {
				seen[row.(map[string]any)["id"].(string)]++
			}
			next := a.get("next_cursor")
			if next == nil {
				break
			}
			if pages > 200 {
				t.Fatalf("%s: no end", list.path)
			}
			cursor = url.QueryEscape(next.(string))
			if pages == 1 {
				if err := began.Commit(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if pages < 5 {
				for _, at := range []time.Time{time.Now(), now, now.Add(-time.Minute), now.Add(-time.Hour)} {
					_, sql, args := insert(at)
					w.exec(sql, args...)
				}
			}
		}
		for id := range old {
			if seen[id] != 1 {
				t.Errorf("%s: a row that was there is listed %d times", list.path, seen[id])
			}
		}
		for id, times := range seen {
			if times > 1 {
				t.Errorf("%s: %s is listed %d times", list.path, id, times)
			}
		}
		_ = began.Rollback(t.Context()) // has no effect after the commit
		w.refill()
	}
	for path, item := range describedAPI(t).doc.Paths.Map() {
		if item.Get != nil && item.Get.Parameters.GetByInAndName("query", "cursor") != nil && !walked[path] {
			t.Errorf("%s is a list that was not walked", path)
		}
	}
}
