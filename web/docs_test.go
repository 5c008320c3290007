package web

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/reference"
)

var anchors = regexp.MustCompile(`href="(/docs[^"#?]*)(?:\?language=[a-z]+)?(?:#([^"]*))?"`)

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
				!strings.Contains(got.body, `id="request-`+o.ID) {
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
	v.get("/docs/nothing.md").want(http.StatusNotFound)
	v.get("/docs/").leads("/docs")

	// All links keep the language. An unknown language is the default.
	v.get("/docs/calls?language=go").want(http.StatusOK).has("package main", `href="/docs/calls#createCall"`,
		`href="/docs/campaigns?language=go"`, `href="/docs/calls?language=python#createCall"`).lacks("curl http")
	v.get("/docs/calls?language=cobol").want(http.StatusOK).has("curl http")

	// An object is described once, and the operations and events that return it link to it.
	if got := strings.Count(v.get("/docs/campaigns").body, `href="/docs/campaigns#campaign-object"`); got < 5 {
		t.Errorf("%d links to the campaign object", got)
	}
	v.get("/docs/events").has(`href="/docs/calls#call-object"`)

	v.get("/docs/search?q=create+campaign").want(http.StatusOK).has(`href="/docs/campaigns#createCampaign"`,
		"results for “create campaign”", `value="create campaign"`)
	v.get("/docs/search?q=zebra+%3Cb%3E&language=go").want(http.StatusOK).has("Nothing has all words of", "zebra <b>")
	v.get("/docs/search").want(http.StatusOK).has("Enter words to search for.")

	text := v.get("/llms.txt").want(http.StatusOK)
	for _, p := range r.Pages {
		text.has("/docs/" + p.File())
		if md := v.get("/docs/" + p.File()).want(http.StatusOK).has("# " + p.Title); md.header.Get("Content-Type") !=
			"text/markdown; charset=utf-8" {
			t.Errorf("%s is %s", p.File(), md.header.Get("Content-Type"))
		}
	}

	n := w.newTenant("Aster")
	n.as(n.admin).get("/docs").want(http.StatusOK).has("Dashboard").lacks("Sign in")
}
