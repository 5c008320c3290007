package web

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/browsertest"
)

// notPages are what is asked for by GET and is a stream or a file.
var notPages = regexp.MustCompile(`/(events|export|recording)$`)

// tops are the pages that nothing stands above, and their tabs.
var tops = []string{"/", "/campaigns", "/calls", "/messaging", "/messaging/templates", "/messaging/messages", "/webhooks", "/profile", "/organizations"}

func TestMain(m *testing.M) { browsertest.Main(m) }

// TestEveryPage visits every page there is, once as an admin and once as staff, as
// the router serves it, at every size and in every theme: what TestPages of package
// views does with made-up data, of more kinds, without the server.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	n.newCall()
	n.newSuppression()
	all := visits()
	browser := browsertest.Open(t)
	// One after the other: what is visited is made anew for each, and some of it
	// takes the place of what was there.
	for _, role := range []struct {
		name   string
		person person
	}{{"admin", n.admin}, {"staff", n.staff}} {
		t.Run(role.name, func(t *testing.T) {
			tab := browser.NewTab(t)
			tab.Go(w.server.URL + "/sign-in")
			tab.Fill("#email", role.person.email)
			tab.Fill("#password", password)
			tab.Follow("form[action='/sign-in'] button.btn-primary")
			titles := map[string]string{}
			for _, line := range (&server{}).table() {
				v := all["GET "+line.path]
				if line.method != http.MethodGet || v.only != "" || notPages.MatchString(line.path) || line.role == admin && role.name == "staff" {
					continue
				}
				path := line.path
				if v.path != nil {
					path = v.path(n)
				}
				for i, view := range browsertest.Views {
					tab.Emulate(view)
					if i == 0 {
						tab.Go(w.server.URL + path)
						title := checkPlace(t, tab, line.path)
						if other := titles[title]; other != "" {
							t.Errorf("%s has the title of %s: %s", line.path, other, title)
						}
						titles[title] = line.path
					}
					if name := line.path + " " + view.Name; view.Dark {
						tab.CheckTheme(name)
					} else {
						tab.Check(name)
					}
				}
			}
		})
	}
}

// checkPlace wants a page to say what it is and where: by its title, which it
// returns, its one heading of the first level, and the way to it.
func checkPlace(t *testing.T, tab *browsertest.Tab, page string) (title string) {
	t.Helper()
	title = browsertest.Eval[string](tab, "document.title")
	if name, found := strings.CutSuffix(title, " · Dialwright"); !found || name == "" {
		t.Errorf("%s has the title %q", page, title)
	}
	if headings := browsertest.Eval[[]string](tab, "[...document.querySelectorAll('h1')].map((h) => h.textContent.trim())"); len(headings) != 1 || headings[0] == "" {
		t.Errorf("%s has the headings %q", page, headings)
	}
	way := browsertest.Eval[[]string](tab, "[...document.querySelectorAll('.crumbs li')].map((step) => (step.querySelector('[aria-current=page]') ? '* ' : '') + step.textContent.trim())")
	switch {
	case slices.Contains(tops, page):
	case len(way) < 2, !strings.HasPrefix(way[len(way)-1], "* "):
		t.Errorf("the way to %s is %q", page, way)
	}
	return title
}
