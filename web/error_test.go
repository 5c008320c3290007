package web

import (
	"net/http"
	"testing"
)

// Each error page shows the request's ID, which the header and the log share, and a next
// step.
func TestErrorPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	admin, staff := n.as(n.admin), n.as(n.staff)
	check := func(v *shown, status int, words ...string) {
		t.Helper()
		v.want(status).has(words...)
		id := v.header.Get("X-Request-Id")
		if id == "" || v.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: headers %v", v.what, v.header)
		}
		v.has(id)
	}
	check(admin.get("/nowhere"), http.StatusNotFound, "Page not found", "Go to overview")
	check(admin.get("/campaigns/"+newID().String()), http.StatusNotFound, "Campaign not found", "Go to overview")
	check(staff.get("/settings/audit-log"), http.StatusForbidden, "Only admins", "See what each role may do")
	check(w.newVisitor().get("/nowhere"), http.StatusNotFound, "Page not found", "Go to sign-in")
	w.exec(`alter table audit_entry rename to away`)
	check(admin.get("/settings/audit-log"), http.StatusInternalServerError, "Something went wrong on our side",
		"Try again", `href="/settings/audit-log"`)
	if v := admin.get("/settings/audit-log?kind=x"); v.status != http.StatusInternalServerError {
		t.Error(v.status)
	} else {
		v.lacks("away", "audit_entry", "relation")
	}
	// The link to try again leads to a page of this site, whatever path was requested.
	w.exec(`alter table user_session rename to gone`)
	admin.get("//evil.example/x").want(http.StatusInternalServerError).has("Try again").lacks(`href="//evil.example`)
}
