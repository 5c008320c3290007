package web

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/reference"
)

var anchors = regexp.MustCompile(`href="(/docs[^"#]*)(?:#([^"]*))?"`)

// The reference can be read without signing in, and all its links work.
func TestDocs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.app.Reference
	v := w.newVisitor()
	bodies := map[string]string{}
	for _, p := range r.Pages {
		path := strings.TrimSuffix("/docs/"+p.Slug, "/")
		got := v.get(path).want(http.StatusOK).has("<h1>"+p.Title+"</h1>", "Sign in")
		bodies[path] = got.body
		if policy := got.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s: the policy is %q", path, policy)
		}
		for _, o := range p.Operations {
			got.has(`id="`+o.ID+`"`, o.Scope, "/api/v1"+o.Path)
			if !slices.ContainsFunc(o.Responses, reference.Response.OK) ||
				!strings.Contains(got.body, `id="curl-`+o.ID) {
				t.Errorf("%s has no command", o.ID)
			}
		}
	}
	links := 0
	for path, body := range bodies {
		for _, m := range anchors.FindAllStringSubmatch(body, -1) {
			links++
			if to, ok := bodies[m[1]]; !ok || m[2] != "" && !strings.Contains(to, `id="`+m[2]+`"`) {
				t.Errorf("%s: %s leads nowhere", path, m[0])
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links", links)
	}
	v.get("/docs/nothing").want(http.StatusNotFound)
	v.get("/docs/").leads("/docs")

	n := w.newTenant("Aster")
	n.as(n.admin).get("/docs").want(http.StatusOK).has("Dashboard").lacks("Sign in")
}
