package web

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var sortLink = regexp.MustCompile(`class="sortable[^>]*><a href="([^"]*)"`)

// inOrder fails unless the page contains the names in this order.
func (v *shown) inOrder(names ...string) *shown {
	v.t.Helper()
	at := make([]int, len(names))
	for i, name := range names {
		at[i] = strings.Index(v.body, ">"+name+"<")
	}
	if !slices.IsSorted(at) || at[0] < 0 {
		v.t.Errorf("%s: %q stand at %v", v.what, names, at)
	}
	return v
}

func TestListsAreSorted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	for _, name := range []string{"line 10", "Zoë", "line 2"} {
		v.post("/settings/projects", form("name", name, "time_zone", "America/Denver", "region", "US", "calling_hours",
			"always")).leads("/settings/projects")
	}
	const projects = "/settings/projects"
	newest := v.get(projects).want(http.StatusOK).inOrder("line 2", "Zoë", "line 10").
		has(`aria-sort="descending"><a href="/settings/projects?sort=created"`)
	if strings.Count(newest.body, "aria-sort") != 1 {
		t.Error("it has several orders")
	}
	// The list sorts text as people read it. The column's link reverses the order, and
	// the link of the default order has no parameter.
	v.get(projects+"?sort=name").inOrder("line 2", "line 10", "Zoë").
		has(`aria-sort="ascending"><a href="/settings/projects?sort=-name"`, `href="/settings/projects">Created`)
	v.get(projects+"?sort=-name").inOrder("Zoë", "line 10", "line 2").
		has(`aria-sort="descending"><a href="/settings/projects?sort=name"`)
	for _, unknown := range []string{"greeting", "-", "--name", "NAME"} {
		v.get(projects+"?sort="+unknown).want(http.StatusOK).inOrder("line 2", "Zoë", "line 10")
	}

	// The link keeps the other parameters of the address.
	v.get("/settings/api-keys?revoked=1&sort=used").want(http.StatusOK)
	n.newKey("Export")
	v.get("/settings/api-keys?sort=name").want(http.StatusOK).has(`href="/settings/api-keys?sort=-used"`)

	// A list of several pages keeps the order of its pages.
	for i := range 101 {
		w.exec(`insert into project (id, organization_id, name, time_zone, region, calling_hours, created_at)
			select gen_random_uuid(), organization_id, $1, time_zone, region, calling_hours,
				created_at - interval '1 day' from project where name = 'Zoë'`, fmt.Sprintf("more %03d", i))
	}
	v.get(projects+"?sort=name").want(http.StatusOK).has("Newest first", "Older", ">Zoë<").
		lacks("aria-sort", "sort=-name")

	// Each sortable list sorts by each of its columns.
	n.newWebhook()
	for _, list := range []string{
		"/agents", "/phone-numbers", "/settings/integrations", "/settings/members",
		"/settings/api-keys", "/webhooks",
	} {
		links := sortLink.FindAllStringSubmatch(v.get(list).want(http.StatusOK).body, -1)
		if len(links) < 2 {
			t.Errorf("%s has %d columns to sort by", list, len(links))
		}
		for _, link := range links {
			v.get(html.UnescapeString(link[1])).want(http.StatusOK).has("aria-sort")
		}
	}
}
