package api

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
)

func TestDrafts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	empty := object{"draft": true, "expires_at": nil, "recipients": nil}
	made := n.do("POST", "/campaigns", n.body(empty)).want(http.StatusCreated)
	path := "/campaigns/" + made.get("id").(string)
	if made.get("status") != "draft" || len(made.get("waiting").([]any)) != 0 {
		t.Errorf("created: %s", made.body)
	}
	n.do("POST", path+"/start", nil).
		refused(http.StatusConflict, "The campaign has nobody to call. Add recipients, then start it")
	n.do("POST", path+"/pause", nil).refused(http.StatusConflict, "Campaign is a draft and cannot be paused")
	n.do("POST", path+"/recipients", object{"recipients": people(2)}).want(http.StatusCreated)
	n.do("PATCH", path, object{"name": "Ready", "scheduled_at": "2030-01-01T09:00:00Z"}).want(http.StatusOK)
	if n := w.count(`select count(*) from campaign where dial_at is not null`); n != 0 {
		t.Error("the dialer looks at a draft")
	}
	started := n.do("POST", path+"/start", nil).want(http.StatusOK)
	if started.get("status") != "scheduled" || started.get("waiting", 0, "recipients") != 2.0 ||
		w.count(`select count(*) from campaign where dial_at is not null`) != 1 {
		t.Errorf("started: %s", started.body)
	}
	n.do("POST", path+"/start", nil).refused(http.StatusConflict, "Campaign is scheduled and cannot be started")
	var log []any
	for _, entry := range n.do("GET", path+"/log", nil).data() {
		log = append(log, entry.(map[string]any)["message"])
	}
	if want := []any{
		"Draft scheduled for 2030-01-01 09:00 UTC", "Changed: name and start time", "2 more recipients added",
		"Created as a draft with 0 recipients",
	}; !sameValue(t, log, want) {
		t.Errorf("the log says %v", log)
	}
	now := n.do("POST", "/campaigns", n.body(object{"draft": true})).want(http.StatusCreated).get("id").(string)
	n.do("POST", "/campaigns/"+now+"/start", nil).want(http.StatusOK)
	if n := w.count(`select count(*) from campaign where id = $1 and dial_at <= clock()`, now); n != 1 {
		t.Error("a draft does not start now")
	}
	n.do("POST", "/campaigns", n.body(object{"expires_at": nil, "recipients": nil})).
		refused(http.StatusBadRequest, "recipients: at least one is required")
}

func TestDeleteCampaign(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	draft := n.do("POST", "/campaigns", n.body(object{"draft": true})).want(http.StatusCreated).get("id").(string)
	n.do("DELETE", "/campaigns/"+draft, nil).want(http.StatusNoContent)
	if n := w.count(`select count(*) from campaign`) + w.count(`select count(*) from recipient`); n != 0 {
		t.Errorf("%d rows of a deleted draft", n)
	}

	id := n.newCampaign()
	path := "/campaigns/" + id
	n.do("DELETE", path, nil).
		refused(http.StatusConflict, "Campaign is scheduled and cannot be deleted. Cancel it first")
	var called uuid.UUID
	if err := w.Pool.QueryRow(t.Context(), `select id from recipient where campaign_id = $1 order by id limit 1`, id).
		Scan(&called); err != nil {
		t.Fatal(err)
	}
	call := n.newCall("+15005550001")
	w.exec(`update call set campaign_id = $1, recipient_id = $2 where id = $3`, id, called, call)
	w.exec(`update recipient set last_call_id = $2 where id = $1`, called, call)
	n.do("POST", path+"/cancel", nil).want(http.StatusOK)
	w.exec(`update call set settled_at = null where id = $1`, call)
	n.do("DELETE", path, nil).
		refused(http.StatusConflict, "Calls of the campaign have not ended. Delete it when they have")
	w.exec(`update call set settled_at = clock() where id = $1`, call)
	n.do("DELETE", path, nil).want(http.StatusNoContent)
	for _, gone := range []string{path, path + "/log", path + "/recipients"} {
		n.do("GET", gone, nil).want(http.StatusNotFound)
	}
	n.do("POST", path+"/cancel", nil).want(http.StatusNotFound)
	n.do("DELETE", path, nil).want(http.StatusNotFound)
	if list := n.do("GET", "/campaigns", nil).data(); len(list) != 0 {
		t.Errorf("the list shows %v", list)
	}
	if n.do("GET", "/calls/"+call.String(), nil).want(http.StatusOK).get("campaign_id") != id ||
		w.count(`select count(*) from recipient`) != 1 {
		t.Error("the call or its recipient is gone, or another recipient is not")
	}
}
