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

	sent.Del("header_value")
	admin.post(path, sent).want(http.StatusSeeOther) // nothing changed
	if done, err := w.app.Lists.FetchDue(t.Context()); done != 0 || err != nil {
		t.Fatalf("%d lists were fetched without a reason: %v", done, err)
	}
	numbers.Store(10)
	admin.post(path+"/fetch", nil).want(http.StatusSeeOther)
	fetch()
	admin.get(lists).has("Held back", "The file has only 10 numbers, and the one before had 150", "Apply anyway")
	admin.get(path).has("Held back", "Apply anyway", "Fetch now")
	to := func(path string, sent url.Values, want string) {
		t.Helper()
		if at := admin.post(path, sent).want(http.StatusSeeOther).header.Get("Location"); at != want {
			t.Errorf("%s leads to %s, want %s", path, at, want)
		}
	}
	to(path+"/fetch", nil, lists)
	to(path+"/fetch", form("return", path), path)
	admin.get(path+"/apply").has("Apply Registry anyway?", "150 numbers", "Keep 150 numbers")
	to(path+"/apply", nil, path)
	fetch()
	admin.get(lists).has("Up to date")
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
	admin.post(path+"/remove", nil).want(http.StatusSeeOther)
	all.next("lists", "No subscribed lists")
}
