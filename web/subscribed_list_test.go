package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// A list is added, fetched, held back when its file shrinks, applied anyway and removed, and its numbers follow.
func TestSubscribedListFollowsItsFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	admin := n.as(n.admin)
	var numbers atomic.Int32
	numbers.Store(150)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		fmt.Fprintln(w, "phone")
		for i := range numbers.Load() {
			fmt.Fprintf(w, "+1312555%04d\n", i)
		}
	}))
	t.Cleanup(server.Close)
	fetch := func() {
		t.Helper()
		if done, err := w.app.Lists.FetchDue(t.Context()); done != 1 || err != nil {
			t.Fatalf("%d lists were fetched: %v", done, err)
		}
	}
	const lists = "/do-not-call/lists"
	sent := form("name", "Registry", "url", server.URL, "channel", "voice", "every_hours", "6", "header_name",
		"Authorization", "header_value", "Bearer wrong")
	admin.post(lists, sent).want(http.StatusSeeOther)
	admin.get(lists).has("Registry", "Not fetched yet")
	fetch()
	page := admin.get(lists).has("Failing", "401")
	path := pathOf(t, page, "Registry")
	if form := admin.get(path).has("Leave empty to keep the current value"); strings.Contains(form.body, "Bearer") {
		t.Error("the form shows the value of the header")
	}
	sent.Set("header_value", "Bearer secret")
	admin.post(path, sent).want(http.StatusSeeOther)
	fetch()
	admin.get(lists).has("Up to date", "150")
	admin.get("/do-not-call?q=%2B13125550007").has("+1 312 555 0007", "Registry")

	// The list is a source of the do-not-call list.
	admin.post("/do-not-call", form("phone_number", "+13125559999", "channel", "voice")).want(http.StatusSeeOther)
	id := strings.TrimPrefix(path, lists+"/")
	admin.get(path).has("/do-not-call?source=" + id)
	admin.get("/do-not-call?source="+id).has("+1 312 555 0149", `value="`+id+`" selected`).
		lacks("+1 312 555 9999")
	admin.get("/do-not-call?source="+newID().String()).has("+1 312 555 9999", "+1 312 555 0149")
	exported := admin.get("/do-not-call/export?source=" + id).want(http.StatusOK)
	if strings.Count(exported.body, "import") != 150 || strings.Contains(exported.body, "+13125559999") {
		t.Error("the export has other numbers than those of the list")
	}

	sent.Del("header_value")
	admin.post(path, sent).want(http.StatusSeeOther) // nothing changed
	if done, err := w.app.Lists.FetchDue(t.Context()); done != 0 || err != nil {
		t.Fatalf("%d lists were fetched without a reason: %v", done, err)
	}
	numbers.Store(10)
	admin.post(path+"/fetch", nil).want(http.StatusSeeOther)
	fetch()
	const held = "The file has only 10 numbers, and the one before had 150. "
	admin.get(lists).has("Held back", held+"The last applied file stays in effect.", "Apply anyway")
	admin.get(path).has("Held back. "+held, "Apply anyway", "Fetch now")
	if err := w.app.Alerts.Watch(t.Context()); err != nil {
		t.Fatal(err)
	}
	const once = "The last applied file stays in effect."
	if alerts := admin.get("/alerts").has(held + once); strings.Count(alerts.body, once) != 1 {
		t.Error("an alert says twice that the numbers stay")
	}
	to := func(path string, sent url.Values, want string) {
		t.Helper()
		if at := admin.post(path, sent).want(http.StatusSeeOther).header.Get("Location"); at != want {
			t.Errorf("%s leads to %s, want %s", path, at, want)
		}
	}
	to(path+"/fetch", nil, lists)
	to(path+"/fetch", form("return", path), path)
	admin.get(path+"/apply").lacks("stay", "The last fetch failed").
		has("Apply the file of Registry?", held+"Dialwright fetches", "up to 150 of them")
	w.exec(`update subscribed_list set last_error = 'The server of the file answered 502'`)
	admin.get(path+"/apply").has(held, "The last fetch failed: The server of the file answered 502.")
	to(path+"/apply", nil, path)
	fetch()
	admin.get(lists).has("Up to date")
	admin.get(path + "/apply").has("Nothing to apply").lacks("Apply file")
	admin.post(path+"/apply", nil).want(http.StatusConflict)
	admin.post("/do-not-call", form("phone_number", "+13125550003", "channel", "voice")).want(http.StatusSeeOther)
	admin.get(path+"/remove").has("9 numbers leave", "1 number stays because it was also added in another way")
	staff := n.as(n.staff)
	staff.get(lists).has("Registry")
	read := staff.get(path).want(http.StatusOK).has("Up to date", "10", "Every 6 hours", "127.0.0.1").
		lacks("Fetch now", "Save list", "Remove list", "Authorization")
	if strings.Contains(read.body, server.URL) {
		t.Error("staff see the address, which may contain a secret")
	}
	staff.post(path+"/fetch", nil).want(http.StatusForbidden)
	staff.post(path+"/remove", nil).want(http.StatusForbidden)
	admin.post(path+"/remove", nil).want(http.StatusSeeOther)
	admin.get(lists).has("No subscribed lists", "9 numbers left the do-not-call list")
	admin.get("/do-not-call").has("+1 312 555 0003").lacks("+1 312 555 0004")
}

// The pages show a fetch while they are open.
func TestSubscribedListPagesAreLive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	admin := n.as(n.admin)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "phone\n+13125550001\n+13125550002\ncall me")
	}))
	t.Cleanup(server.Close)
	const lists = "/do-not-call/lists"
	admin.post(lists, form("name", "Registry", "url", server.URL, "channel", "voice", "every_hours", "6")).
		want(http.StatusSeeOther)
	page := admin.get(lists).want(http.StatusOK)
	path := pathOf(t, page, "Registry")
	for _, at := range []string{lists, path} {
		if page := admin.get(at); !strings.Contains(page.body, `sse-connect="`+at+`/events"`) {
			t.Errorf("%s is not live", at)
		}
	}
	all, one := admin.listen(lists+"/events"), n.as(n.staff).listen(path+"/events")
	if e := all.next("lists", "Not fetched yet", "Soon"); strings.Contains(e.data, "/events") {
		t.Errorf("the part leads to the stream: %s", e.data)
	}
	one.next("list", "Not fetched yet", "Soon")
	w.exec(`update subscribed_list set fetch_until = clock() + interval '1 minute'`)
	all.next("lists", "Fetching")
	one.next("list", "Fetching")
	w.exec(`update subscribed_list set fetch_until = null, last_error = 'The server is away', last_error_at = clock(),
		failures = 1, due_at = clock() + interval '1 hour'`)
	all.next("lists", "Failing", "The server is away")
	one.next("list", "Failing", "The server is away")
	admin.post(path+"/fetch", nil).want(http.StatusSeeOther)
	all.next("lists", "Soon")
	if done, err := w.app.Lists.FetchDue(t.Context()); done != 1 || err != nil {
		t.Fatalf("%d lists were fetched: %v", done, err)
	}
	for !strings.Contains(all.next("lists").data, "Up to date") { // it may see the fetch itself
	}
	admin.get(lists).has("1 row could not be read")
	admin.get(path).has("1 row could not be read")
	for fetched := one.next("list"); !strings.Contains(fetched.data, "call me"); fetched = one.next("list") {
		if strings.Contains(fetched.data, "Up to date") {
			t.Fatalf("the page lacks the row: %s", fetched.data)
		}
	}
	admin.post(path+"/remove", nil).want(http.StatusSeeOther)
	all.next("lists", "No subscribed lists")
}

// A list shows which rows of its file could not be read, without phone numbers, and has them as a file.
func TestSubscribedListShowsRowsToFix(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	admin := n.as(n.admin)
	var file atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, file.Load())
	}))
	t.Cleanup(server.Close)
	fetch := func() {
		t.Helper()
		w.exec(`update subscribed_list set due_at = clock()`)
		if done, err := w.app.Lists.FetchDue(t.Context()); done != 1 || err != nil {
			t.Fatalf("%d lists were fetched: %v", done, err)
		}
	}
	const lists = "/do-not-call/lists"
	admin.post(lists, form("name", "Registry", "url", server.URL, "channel", "voice", "every_hours", "6")).
		want(http.StatusSeeOther)
	path := pathOf(t, admin.get(lists), "Registry")
	admin.get(path).lacks("Rows that need fixing")
	file.Store("phone\n+13125550001\n+1 312 555 0199 or mobile\n" + strings.Repeat("me\n", 10))
	fetch()
	admin.get(lists).has(path + "#s-wrong")
	for _, v := range []*visitor{admin, n.as(n.staff)} {
		v.get(path).has("11 rows could not be read", "…99 or mobile", "A phone number cannot contain letters",
			"1 more row is in the download.", path+"/rows").lacks("555 0199")
		v.get(path+"/rows").want(http.StatusOK).has("row,phone_number,reason", "3,…99 or mobile,", "13,me,")
	}
	file.Store("phone\n+13125550001\n" + strings.Repeat("me\n", 1001))
	fetch()
	admin.get(path).has("The download has the first 1,000 of 1,001 rows.")
	if got := admin.get(path + "/rows"); strings.Count(got.body, ",me,") != 1000 {
		t.Errorf("%d rows", strings.Count(got.body, ",me,"))
	}
}

// The page says how many lists there may be, and has no form for one more.
func TestSubscribedListLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	admin := n.as(n.admin)
	const lists = "/do-not-call/lists"
	admin.get(lists).has("You can have up to 10 lists.")
	for i := range 10 {
		admin.get(lists + "/new").has(`name="url"`)
		admin.post(lists, form("name", fmt.Sprint("Registry ", i), "url", "https://example.com/numbers.csv", "channel",
			"voice", "every_hours", "24")).want(http.StatusSeeOther)
		if i == 0 {
			admin.get(lists).has("You can have up to 10 lists.", "Add list")
		}
	}
	const full = "You have reached the limit of 10 lists. Remove one to add another."
	admin.get(lists).has(full).lacks("Add list")
	admin.get(lists + "/new").want(http.StatusOK).has(full).lacks(`name="url"`)
	admin.post(lists, form("name", "Eleven", "url", "https://example.com/numbers.csv", "channel", "voice",
		"every_hours", "24")).want(http.StatusUnprocessableEntity)
}
