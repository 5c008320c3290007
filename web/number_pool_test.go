package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/page"
)

// An admin creates a pool and a campaign that calls from it.
func TestNumberPoolForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	v := n.as(n.admin)
	path := "/number-pools"
	good := form("name", "Local", "strategy", "nearest", "phone_number_ids", n.number.String(), "max_daily_calls", "",
		"rest.below_percent", "", "rest.calls", "", "rest.hours", "")
	v.get(path + "/new").want(http.StatusOK).has("Rotation")
	for _, c := range []struct{ field, value, path, want string }{
		{"name", "", "name", "Required"},
		{"max_daily_calls", "many", "max_daily_calls", "Must be a whole number"},
		{"rest.below_percent", "8", "rest.calls", "Must be between 1 and 1,000"},
	} {
		v.post(path, changed(good, c.field, c.value)).wrong(c.path, c.want)
	}
	twice := changed(good)
	twice["phone_number_ids"] = []string{"x", "y"}
	v.post(path, twice).wrong("phone_number_ids", "No such").has(`aria-invalid="true"`).lacks("2 fields")
	v.post(path, good).want(http.StatusSeeOther)
	v.get("/phone-numbers").want(http.StatusOK).has("Local", "Nearest number", "Pool: Local")
	pools, err := w.app.Projects.NumberPools(t.Context(), n.organization, page.Request{})
	if err != nil || len(pools.Data) != 1 {
		t.Fatal(pools, err)
	}
	id := pools.Data[0].ID.String()
	v.get(path + "/" + id).want(http.StatusOK)
	v.post(path+"/"+id, changed(good, "max_daily_calls", "50")).want(http.StatusSeeOther)
	number := "/phone-numbers/" + n.number.String()
	facts := []string{`href="` + path + "/" + id + `"`, "0 of 50", "– in 7 days, – in 30 days", "Not resting"}
	v.get(number).want(http.StatusOK).has(facts...)
	v.post(number, form("max_concurrency", "many")).wrong("max_concurrency", "Must be a whole number").has(facts...)

	data := n.campaignForm(v, "phone_number_id", "pool:"+id)
	created := v.multi("/campaigns", data, "", nil).want(http.StatusSeeOther).header.Get("Location")
	v.get(created).want(http.StatusOK).has("From the pool Local")
	copied := v.get("/campaigns/new?from=" + strings.TrimPrefix(created, "/campaigns/")).want(http.StatusOK)
	if !strings.Contains(copied.body, `value="pool:`+id+`" selected`) {
		t.Error("the copy of the campaign does not call from the pool")
	}
	v.multi("/campaigns", n.campaignForm(v, "phone_number_id", "pool:x"), "", nil).
		wrong("phone_number_id", "No such number pool")
	v.post(path+"/"+id+"/remove", nil).want(http.StatusConflict)
	w.exec(`update campaign set status = 'canceled', ended_at = clock()`)
	v.get(path + "/" + id + "/remove").want(http.StatusOK)
	v.post(path+"/"+id+"/remove", nil).want(http.StatusSeeOther)
}
