package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Staff review a call on its page and many in the list, undo it, and find them again with saved filters.
func TestReviewOfCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Birch")
	first, second, foreign := n.newCall().String(), n.newCall().String(), other.newCall().String()
	v := n.as(n.staff)

	page := "/calls/" + first
	v.get(page).want(http.StatusOK).has(`action="`+page+`/review"`, "Only members see it")
	v.post(page+"/review", url.Values{"tags": {"Billing, " + strings.Repeat("x", 41)}, "note": {"Rude"}}).
		want(http.StatusUnprocessableEntity).has("Must have at most 40 characters", "Rude", "Billing, xxx")
	v.post(page+"/review", url.Values{"tags": {"Complaint, Billing"}, "note": {"Rude"}, "reviewed": {"on"}}).leads(page)
	v.get(page).has(`value="Billing, Complaint"`, "Rude", "By Aster Sam",
		"Reviewed by Aster Sam", "Tags: Billing, Complaint", "Note: Rude") // the last line is for paper
	v.get("/calls?reviewed=yes").has(first, "#Billing").lacks(second)
	v.get("/calls?tag=Complaint").has(first).lacks(second)
	v.get("/calls?reviewed=maybe").want(http.StatusUnprocessableEntity)

	const list = "/calls?select=yes"
	v.get(list).want(http.StatusOK).has(`name="id" type="checkbox" value="`+second+`"`, `action="/calls/review"`).
		lacks("sse-connect")
	post := func(form url.Values) {
		t.Helper()
		form.Set("list", list)
		v.post("/calls/review", form).leads(list)
	}
	post(url.Values{"action": {"review"}})
	v.get(list).has("Select at least one call")
	post(url.Values{"action": {"review"}, "id": {first, second, foreign, "nonsense"}})
	shown := v.get(list).has("1 call marked as reviewed", "Undo")
	if got := w.count(`select count(*) from call_review where reviewed_at is not null`); got != 2 {
		t.Errorf("%d calls are reviewed", got)
	}
	_, undo, _ := strings.Cut(shown.body, `action="/calls/review?`)
	undo, _, _ = strings.Cut(undo, `"`)
	v.post("/calls/review?"+strings.ReplaceAll(undo, "&amp;", "&"), nil).leads(list)
	if got := w.count(`select count(*) from call_review where reviewed_at is not null`); got != 1 {
		t.Errorf("%d calls are reviewed after the undo", got)
	}
	post(url.Values{"action": {"tag"}, "id": {first}})
	v.get(list).has("Enter one tag")
	post(url.Values{"action": {"tag"}, "tag": {"Follow up"}, "id": {first, second}})
	v.get(list).has("2 calls tagged", "#Follow up")
	v.post("/calls/review", url.Values{"action": {"burn"}, "list": {list}}).want(http.StatusUnprocessableEntity)

	// The filters get a name, without the number.
	v.post("/saved-filters", url.Values{
		"list": {"/calls"}, "name": {"Tagged"}, "query": {"tag=Follow+up&to_number=%2B15005550001"},
	}).leads("/calls?tag=Follow+up")
	v.get("/calls?tag=Follow+up").has("Filter saved", "Tagged", "Delete saved filter")
	v.post("/saved-filters", url.Values{"list": {"/calls"}, "name": {""}, "query": {"tag=x"}}).
		want(http.StatusUnprocessableEntity).has("required")
	v.post("/saved-filters", url.Values{"list": {"/settings"}, "name": {"x"}, "query": {"tag=x"}}).
		want(http.StatusUnprocessableEntity)
	n.as(n.admin).get("/calls").lacks("Tagged")
	id := value[string](w, `select id::text from saved_filter`)
	n.as(n.admin).post("/saved-filters/"+id+"/delete", nil).want(http.StatusNotFound)
	v.post("/saved-filters/"+id+"/delete", nil).leads("/calls?tag=Follow+up")
	v.get("/calls").has("Saved filter deleted").lacks("Tagged")
}

// A review that is refused comes back with everything typed, also if the page meanwhile has no form of a review.
func TestRefusedReviewIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	path := "/calls/" + n.newLiveCall().String()
	v.post(path+"/review", form("tags", "Billing, Kestrel", "note", "Very rude", "reviewed", "on")).
		want(http.StatusUnprocessableEntity).
		has("Call has not ended yet", `value="Billing, Kestrel"`, "Very rude", "Save review").
		lacks("Go back", "sse-connect")
}

// All calls that match the filters are reviewed, also those on other pages, and it can be undone. One that has ended
// since the list was opened is not reviewed: nobody has seen it.
func TestAllCallsThatMatchAreReviewed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Birch")
	var last string
	for range 28 {
		last = n.newCall().String()
	}
	n.newLiveCall()
	other.newCall()
	w.exec(`update call set ended_at = clock() - interval '1 second' where ended_at is not null`)
	v := n.as(n.staff)
	const back = "/calls?outcome=completed&select=yes"
	v.get("/calls?outcome=busy&select=yes").lacks("that match")
	v.get("/calls?select=yes").want(http.StatusOK).has("All 28 that match, on all pages")
	list := v.get(back).want(http.StatusOK).has("All 28 that match, on all pages")
	send := func(pairs ...string) *shown {
		t.Helper()
		return v.post("/calls/review", form(append(pairs, "list", back, "matching", "on")...))
	}
	until := list.field("until")
	w.exec(`update call set ended_at = clock() + interval '1 second' where id = $1`, last)
	reviewed := func(want int, condition string) {
		t.Helper()
		if got := w.count(`select count(*) from call_review where ` + condition); got != want {
			t.Errorf("%d calls with %s, want %d", got, condition, want)
		}
	}
	send("action", "review").want(http.StatusUnprocessableEntity)
	send("action", "burn", "until", until).want(http.StatusUnprocessableEntity)
	reviewed(0, "true")
	send("action", "review", "until", until).leads(back)
	undo := v.get(back).has("27 calls marked as reviewed").undo("/calls/review?")
	reviewed(27, "reviewed_at is not null")
	other.as(other.staff).post(undo, nil).leads(back)
	reviewed(27, "reviewed_at is not null")
	v.post(undo, nil).leads(back)
	v.get(back).has("27 calls marked as not reviewed")
	reviewed(0, "reviewed_at is not null")
	v.post(undo, nil).leads(back)
	v.get(back).has("Nothing to undo")
	send("action", "tag", "tag", "VIP", "until", until).leads(back)
	undo = v.get(back).has("27 calls tagged").undo("/calls/review?")
	v.post(undo, nil).leads(back)
	v.get(back).has("27 calls untagged")
	reviewed(0, "cardinality(tags) > 0")
	if got := w.count(`select count(*) from audit_entry where action = 'call.reviewed'`); got != 4 {
		t.Errorf("%d entries in the audit log", got)
	}
	n.as(n.admin).get("/settings/audit-log").has("marked 27 calls as reviewed", "marked 27 calls as not reviewed",
		"tagged 27 calls “VIP”", "removed the tag “VIP” from 27 calls")
}
