package web

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

func TestRecipientsAreAdded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(
		`insert into do_not_call (id, organization_id, phone_number, source) values ($1, $2, '+15005550003', 'user')`,
		newID(), n.organization,
	)
	v := n.as(n.admin)
	campaign := v.multi("/campaigns", n.campaignForm(v, "recipients",
		"phone,external_id\n+15005550001,a-1\n+15005550002,\n"), "", nil).
		want(http.StatusSeeOther).header.Get("Location")
	path := campaign + "/recipients"
	v.get(campaign).has("Add recipients")
	n.as(n.staff).get(campaign).lacks("Add recipients")
	v.get(path+"/new").want(http.StatusOK).has("Add recipients", "Wellness", "2 recipients so far", "Choose a CSV file")

	const more = "phone,name,external_id\n+15005550002,Again,\n+15005550003,Opted,\n(500) " +
		"555-0004,New,\n+15005550005,Taken,a-1\nnone,Bad,\n"
	checked := v.multi(path, form("action", "check"), "more.csv", strings.NewReader(more)).want(http.StatusOK)
	checked.has("more.csv", "1 of 5 will be called", "2 skipped: 1 duplicate, 1 on the do-not-call list",
		"2 rows need fixing", "External_id: used by a recipient of this campaign",
		"Duplicate, will be skipped", "Now", "Add 3 recipients")
	data := kept(form(), checked)
	file := v.multi(path, changed(data, "action", "rejected"), "", nil).want(http.StatusOK)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.body, "\uFEFF"))).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][0] != "5" || rows[1][3] != "Taken" || rows[2][0] != "6" {
		t.Errorf("the file is %q: %v", file.body, err)
	}
	v.multi(path, data, "", nil).wrong("recipients", "2 invalid rows").has("more.csv")
	v.multi(path, form("recipients", ""), "", nil).wrong("recipients", "Paste a list")
	if got := w.count(`select count(*) from recipient`); got != 2 {
		t.Fatalf("checking made %d recipients", got)
	}
	v.multi(path, changed(data, "leave_out", "on"), "", nil).leads(campaign)
	v.get(campaign).has("3 more recipients added", "2 rows of the list had errors and were left out", "New",
		"+1 500 555 0004").lacks("Taken")
	if got := value[string](
		w, `select string_agg(status, ' ' order by phone_number, id) from recipient`,
	); got != "pending pending skipped skipped pending" {
		t.Errorf("the recipients are %s", got)
	}
	if w.uploads() != 0 {
		t.Error("the list is kept although it is in the campaign")
	}

	// A campaign that has ended refuses the list with an error, and the form keeps the
	// list.
	checked = v.multi(path, form("action", "check", "recipients", "+15005550011\n"), "", nil).want(http.StatusOK)
	w.exec(`update campaign set status = 'canceled', ended_at = clock(), dial_at = null where id = $1`,
		uuid.MustParse(strings.TrimPrefix(campaign, "/campaigns/")))
	ended := v.multi(path, kept(form(), checked), "", nil).want(http.StatusConflict).
		has("This campaign is canceled and can no longer take recipients", "Pasted list", "1 row")
	if ended.field("upload") != checked.field("upload") {
		t.Error("the list is lost")
	}
	v.get(path+"/new").want(http.StatusOK).
		has("This campaign is canceled and can no longer take recipients", "Duplicate campaign").
		lacks("Choose a CSV file")
	if got := w.count(`select count(*) from recipient`); got != 5 {
		t.Errorf("there are %d recipients", got)
	}
}
