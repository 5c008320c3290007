package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestRecipientsOneByOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	w.exec(`insert into do_not_call (id, organization_id, phone_number, source)
		values (gen_random_uuid(), $1, '+13122000099', 'user')`, n.organization)
	list := people(4)
	for i := range list {
		list[i].(object)["external_id"] = fmt.Sprint("e-", i)
	}
	id := n.do("POST", "/campaigns", n.body(object{
		"scheduled_at": "2030-01-01T09:00:00Z", "expires_at": nil, "recipients": list,
	})).want(http.StatusCreated).get("id").(string)
	path := "/campaigns/" + id + "/recipients"
	of := func(external string) (id string) {
		t.Helper()
		return n.do("GET", path+"?external_id="+external, nil).want(http.StatusOK).get("data", 0, "id").(string)
	}
	one := path + "/" + of("e-0")

	// A recipient that comes back as it was read changes nothing.
	read := n.do("GET", one, nil).want(http.StatusOK)
	if again := n.do("PATCH", one, read.body).want(http.StatusOK); again.body != read.body ||
		w.count(`select count(*) from audit_entry where action = 'campaign.recipients_updated'`) != 0 {
		t.Errorf("a recipient that came back: %s", again.body)
	}
	changed := n.do("PATCH", one, object{
		"phone_number": "+13122000055", "name": "Ana", "external_id": "e-9", "timezone": "America/Sao_Paulo",
		"variables": object{"date": "Tuesday"}, "metadata": object{"visits": 4.0},
	}, "If-Match", read.header.Get("ETag")).want(http.StatusOK)
	for field, want := range map[string]any{
		"phone_number": "+13122000055", "name": "Ana", "external_id": "e-9", "timezone": "America/Sao_Paulo",
		"status": "pending", "next_attempt_at": "2030-01-07T03:00:00.000Z",
	} {
		if got := changed.get(field); got != want {
			t.Errorf("%s is %v, want %v", field, got, want)
		}
	}
	if fmt.Sprint(changed.get("variables"), changed.get("metadata")) != "map[date:Tuesday] map[visits:4]" {
		t.Errorf("%s", changed.body)
	}
	n.do("PATCH", one, object{"name": "Eva"}, "If-Match", read.header.Get("ETag")).want(http.StatusPreconditionFailed)
	n.do("PATCH", one, object{"timezone": "Mars", "phone_number": "+1312"}).want(http.StatusBadRequest)
	n.do("PATCH", one, object{"consent": object{"basis": "x"}}).
		refused(http.StatusBadRequest, "consent: cannot be changed")
	n.do("PATCH", one, object{"phone_number": "+13122000099"}).
		refused(http.StatusUnprocessableEntity, "phone_number: this number is on the do-not-call list")
	n.do("PATCH", one, object{"external_id": "e-1"}).
		refused(http.StatusConflict, "external_id: used by another recipient of this campaign")
	n.do("PATCH", path+"/nothing", object{"name": "Eva"}).refused(http.StatusNotFound, "Recipient not found")
	n.do("PATCH", "/campaigns/nothing/recipients/x", object{}).refused(http.StatusNotFound, "Campaign not found")

	// Many: those who can be changed are.
	second := of("e-1")
	many := n.do("PATCH", path, object{"recipients": []object{
		{"id": second, "external_id": "e-8", "phone_number": "+13122000056"},
		{"external_id": "e-2", "name": "Bo", "phone_number": "+13122000056"},
		{"external_id": "e-3", "variables": object{"date": "Monday"}},
		{"external_id": "e-7", "name": "Nobody"},
		{"external_id": "e-9"},
	}}).want(http.StatusOK)
	var results []string
	for _, row := range many.data() {
		r := row.(map[string]any)
		text, _ := r["error"].(string)
		results = append(results, strings.TrimSpace(fmt.Sprint(r["external_id"], " ", r["result"], " ", text)))
	}
	if got, want := strings.Join(results, "; "), "e-1 updated; e-2 refused phone_number: used by another recipient of "+
		"this campaign; e-3 updated; e-7 unknown; e-9 unchanged"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	n.do("PATCH", path, object{"recipients": []object{{"id": second, "name": "Ana"}, {"external_id": "e-8"}}}).
		refused(http.StatusBadRequest, "recipients[1].id: names the same recipient as recipients[0]")
	n.do("PATCH", path, object{"recipients": []object{{"name": "Ana"}, {"id": second, "timezone": "Mars"}}}).
		refused(http.StatusBadRequest,
			"recipients[0].id: id or external_id is required; "+
				"recipients[1].timezone: must be a time zone such as America/Chicago")
	n.do("PATCH", path, object{"recipients": []object{}}).
		refused(http.StatusBadRequest, "recipients: at least one is required")

	// First, and canceled.
	first := n.do("POST", path+"/"+second+"/prioritize", nil).want(http.StatusOK)
	if first.get("prioritized_at") == nil {
		t.Errorf("%s", first.body)
	}
	canceled := n.do("POST", one+"/cancel", nil).want(http.StatusOK)
	if canceled.get("status") != "canceled" || canceled.get("canceled_at") == nil ||
		canceled.get("next_attempt_at") != nil {
		t.Errorf("%s", canceled.body)
	}
	n.do("POST", one+"/cancel", nil).
		refused(http.StatusConflict, "This recipient is canceled and can no longer be canceled")
	n.do("POST", one+"/prioritize", nil).
		refused(http.StatusConflict, "This recipient is canceled and can no longer be prioritized")
	n.do("PATCH", one, object{"name": "Eva"}).
		refused(http.StatusConflict, "This recipient is canceled and can no longer be changed")
	n.do("POST", path+"/x/cancel", nil).refused(http.StatusNotFound, "Recipient not found")
	n.do("POST", path+"/cancel", object{}).
		refused(http.StatusBadRequest, "ids: ids or external_ids must name at least one recipient")
	n.do("POST", path+"/cancel", object{"ids": make([]string, 600), "external_ids": make([]string, 401)}).
		refused(http.StatusBadRequest, "ids: ids and external_ids together must have at most 1,000 elements")
	chosen := object{"ids": []string{second, "x"}, "external_ids": []string{"e-2", "e-3", "e-9", "e-77"}}
	for _, c := range []struct{ action, want string }{
		{"prioritize", "prioritized unknown prioritized prioritized already_ended unknown"},
		{"cancel", "canceled unknown canceled canceled already_ended unknown"},
		{"cancel", "already_ended unknown already_ended already_ended already_ended unknown"},
	} {
		var got []string
		for _, row := range n.do("POST", path+"/"+c.action, chosen).want(http.StatusOK).data() {
			got = append(got, row.(map[string]any)["result"].(string))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v", c.action, got)
		}
	}
	c := n.do("GET", "/campaigns/"+id, nil).want(http.StatusOK)
	if c.get("status") != "completed" || c.get("counters", "canceled") != 4.0 || len(c.get("waiting").([]any)) != 0 {
		t.Errorf("%s", c.body)
	}
	var messages []string
	for _, row := range n.do("GET", "/campaigns/"+id+"/log", nil).want(http.StatusOK).data() {
		messages = append(messages, row.(map[string]any)["message"].(string))
	}
	log := strings.Join(messages, "; ")
	for _, want := range []string{"4 recipients canceled", "3 recipients moved to the front", "3 recipients changed"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log says %s", log)
		}
	}
	if n := len(n.do("GET", path+"?status=canceled", nil).want(http.StatusOK).data()); n != 4 {
		t.Errorf("%d are listed as canceled", n)
	}
}
