package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestRetryCampaign(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	list := people(11)
	for i := range list {
		list[i].(object)["external_id"] = fmt.Sprint("e-", i)
		list[i].(object)["variables"] = object{"date": fmt.Sprint("day ", i)}
		list[i].(object)["consent"] = object{"basis": "form", "at": "2026-01-07T12:00:00Z"}
	}
	body := n.body(object{
		"name": "Spring", "scheduled_at": "2030-01-01T09:00:00Z", "expires_at": "2030-02-01T09:00:00Z",
		"recipients": list, "metadata": object{"wave": 1.0}, "retry": object{"max_attempts": 3}, "max_concurrency": 7,
		"budget": object{"amount": "50", "currency": "USD"},
	})
	created := n.do("POST", "/campaigns", body).want(http.StatusCreated)
	id := created.get("id").(string)
	path := "/campaigns/" + id
	n.do("POST", path+"/retry", nil).
		refused(http.StatusConflict, "This campaign is scheduled. Its recipients can be called again when it has ended")
	of := func(i int) string {
		return n.do("GET", fmt.Sprintf("%s/recipients?external_id=e-%d", path, i), nil).get("data", 0, "id").(string)
	}
	n.do("POST", path+"/recipients/"+of(0)+"/cancel", nil).want(http.StatusOK) // has paid
	set := func(i int, status, outcome string) {
		w.exec(`update recipient set status = 'dialing', attempts = 1, due_at = null, wait_reason = null
			where campaign_id = $1 and external_id = $2`, id, fmt.Sprint("e-", i))
		w.exec(`update recipient set status = $3, outcome = $4 where campaign_id = $1 and external_id = $2`,
			id, fmt.Sprint("e-", i), status, outcome)
	}
	set(1, "completed", "completed")
	set(2, "failed", "busy")
	set(3, "failed", "no_answer")
	set(4, "failed", "failed")
	set(5, "failed", "voicemail")
	set(6, "completed", "voicemail") // with a message
	set(7, "failed", "no_answer")
	w.exec(`update recipient set opted_out = true where campaign_id = $1 and external_id = 'e-7'`, id)
	set(10, "failed", "failed")
	unused := n.newCall("+15005550010") // not in service
	w.exec(`update call set ended_reason = 'invalid_number' where id = $1`, unused)
	w.exec(`update recipient set last_call_id = $2 where campaign_id = $1 and external_id = 'e-10'`, id, unused)
	w.exec(`update recipient set phone_number = '', name = '', external_id = null
		where campaign_id = $1 and external_id = 'e-4'`, id) // erased
	w.exec(`update campaign set completed = 2, failed = 6 where id = $1`, id)
	n.do("POST", path+"/cancel", nil).want(http.StatusOK)
	w.exec(`insert into do_not_call (id, organization_id, phone_number, source)
		select gen_random_uuid(), organization_id, phone_number, 'user' from recipient
		where campaign_id = $1 and external_id = 'e-3'`, id)

	again := n.do("POST", path+"/retry", nil, "Idempotency-Key", "again").want(http.StatusCreated)
	if got := n.do("POST", path+"/retry", nil, "Idempotency-Key", "again").want(http.StatusCreated); got.body !=
		again.body || got.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("repeated: %v", got)
	}
	for field, want := range map[string]any{
		"name": "Spring (retry)", "retry_of_campaign_id": id, "expires_at": nil, "status": "scheduled",
		"agent_id": created.get("agent_id"), "phone_number_id": created.get("phone_number_id"), "max_concurrency": 7.0,
	} {
		if got := again.get(field); got != want {
			t.Errorf("%s is %v, want %v", field, got, want)
		}
	}
	for _, field := range []string{"retry", "metadata", "variables", "calling_hours", "intents", "detection", "budget",
		"messaging"} {
		if !sameValue(t, again.get(field), created.get(field)) {
			t.Errorf("%s is %v, want %v", field, again.get(field), created.get(field))
		}
	}
	called := func(campaign *answer) string {
		t.Helper()
		var got []string
		rows := n.do("GET", "/campaigns/"+campaign.get("id").(string)+"/recipients", nil).want(http.StatusOK).data()
		for _, row := range rows {
			r := row.(map[string]any)
			got = append(got, strings.TrimPrefix(r["external_id"].(string), "e-")+" "+r["status"].(string))
			if r["variables"].(map[string]any)["date"] != "day "+strings.TrimPrefix(r["external_id"].(string), "e-") ||
				r["consent"].(map[string]any)["at"] != "2026-01-07T12:00:00.000Z" {
				t.Errorf("%v", r)
			}
		}
		slices.Reverse(got)
		return strings.Join(got, ", ")
	}
	if got := called(again); got != "2 pending, 3 skipped, 5 pending, 8 pending, 9 pending" {
		t.Errorf("called are %s", got)
	}

	some := n.do("POST", path+"/retry", object{
		"name": "Second round", "outcomes": []string{"busy", "not_called"}, "draft": true,
		"scheduled_at": "2030-03-01T09:00:00Z", "expires_at": "2030-04-01T09:00:00Z",
	}).want(http.StatusCreated)
	if got := called(some); got != "2 pending, 8 pending, 9 pending" {
		t.Errorf("called are %s", got)
	}
	if some.get("status") != "draft" || some.get("name") != "Second round" ||
		some.get("scheduled_at") != "2030-03-01T09:00:00.000Z" || some.get("expires_at") != "2030-04-01T09:00:00.000Z" {
		t.Errorf("%s", some.body)
	}
	n.do("PATCH", "/campaigns/"+some.get("id").(string), some.body).want(http.StatusOK)
	n.do("POST", path+"/retry", object{"outcomes": []string{"completed"}}).want(http.StatusBadRequest)
	w.exec(`update recipient set opted_out = true where campaign_id = $1`, id)
	n.do("POST", path+"/retry", object{}).refused(http.StatusConflict, "Nobody of the campaign is left to call again")
	n.do("POST", "/campaigns/nothing/retry", nil).refused(http.StatusNotFound, "Campaign not found")
	w.exec(`update agent set deactivated_at = clock() where id = $1`, created.get("agent_id"))
	w.exec(`update recipient set opted_out = false where campaign_id = $1`, id)
	n.do("POST", path+"/retry", nil).
		refused(http.StatusConflict, "The campaign can't be repeated: agent_id: no such agent")
}
