package api

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
)

// The log shows every decision, page by page, newest first.
func TestCampaignLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	list := append(people(3), object{"phone_number": people(1)[0].(object)["phone_number"]})
	id := n.do("POST", "/campaigns", n.body(object{
		"scheduled_at": "2030-01-01T09:00:00Z", "expires_at": nil, "recipients": list,
	})).want(http.StatusCreated).get("id").(string)
	path := "/campaigns/" + id
	n.do("POST", path+"/pause", nil).want(http.StatusOK)
	n.do("POST", path+"/resume", nil).want(http.StatusOK)
	n.do("POST", path+"/cancel", nil).want(http.StatusOK)
	w.exec(`insert into campaign_log_entry (id, organization_id, campaign_id, kind, actor_kind, actor_name, data)
		values (gen_random_uuid(), $1, $2, 'waiting', 'system', 'Dialwright',
			'{"waiting": [{"reason": "retry", "recipients": 2, "until": "2030-01-01T10:00:00.000Z"}], "until": "2030-01-01T10:00:00Z"}'),
		       (gen_random_uuid(), $1, $2, 'calls_not_placed', 'system', 'Dialwright',
			'{"calls": 3, "reason": "carrier_busy"}')`, n.organization, id)

	type row struct{ kind, actor, message string }
	var got []row
	cursor := ""
	for range 10 {
		a := n.do("GET", path+"/log?limit=2&cursor="+url.QueryEscape(cursor), nil).want(http.StatusOK)
		for _, data := range a.data() {
			e := data.(map[string]any)
			actor := e["actor"].(map[string]any)
			got = append(got, row{e["type"].(string), fmt.Sprint(actor["kind"]), e["message"].(string)})
			if e["type"] == "created" {
				if skipped := e["skipped"].(map[string]any); fmt.Sprintf(
					"%v %v %v %v", e["recipients"], skipped["duplicate"], skipped["do_not_call"], e["until"],
				) != "4 1 0 2030-01-01T09:00:00.000Z" {
					t.Errorf("%v", e)
				}
			}
		}
		if a.get("next_cursor") == nil {
			break
		}
		cursor = a.get("next_cursor").(string)
	}
	want := []row{
		{"created", "api_key", "Created with 4 recipients, scheduled for 2030-01-01 09:00 UTC. 1 skipped: duplicate"},
		{"paused", "api_key", "Paused. Calls in progress continue"},
		{"resumed", "api_key", "Resumed"},
		{"canceled", "api_key", "Canceled. 3 recipients will not be called"},
		{"waiting", "system", "Waiting: 2 for their next attempt. Next call at 2030-01-01 10:00 UTC"},
		{
			"calls_not_placed", "system",
			"3 calls could not be placed: the carrier connection had too many calls at once. They will be retried " +
				"and do not count as attempts",
		},
	}
	slices.SortStableFunc(got, func(a, b row) int { // the database wrote two entries at the same moment
		return slices.Index(want, a) - slices.Index(want, b)
	})
	if !slices.Equal(got, want) {
		t.Errorf("the log has\n%v\nwant\n%v", got, want)
	}

	other := w.newTenant("Borealis")
	other.do("GET", path+"/log", nil).refused(http.StatusNotFound, "Campaign not found")
	n.do("GET", "/campaigns/nonsense/log", nil).refused(http.StatusNotFound, "Campaign not found")
	n.do("GET", path+"/log?limit=0", nil).want(http.StatusBadRequest)

	w.refill()
	w.exec(`alter table recipient disable trigger recipient_move`) // the test writes states that no call led to
	w.exec(
		`update recipient set status = 'failed', outcome = 'busy' where campaign_id = $1 and name = (select min(name)
			from recipient where campaign_id = $1) and status = 'canceled'`,
		id,
	)
	all := len(n.do("GET", path+"/recipients", nil).want(http.StatusOK).data())
	busy := len(n.do("GET", path+"/recipients?outcome=busy", nil).want(http.StatusOK).data())
	both := len(n.do("GET", path+"/recipients?outcome=busy&status=canceled", nil).want(http.StatusOK).data())
	if all != 4 || busy == 0 || busy == all || both != 0 {
		t.Errorf("%d recipients, %d of them were busy, %d busy and canceled", all, busy, both)
	}
	n.do("GET", path+"/recipients?outcome=asleep", nil).want(http.StatusBadRequest)
}
