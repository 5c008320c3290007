package web

import (
	"net/http"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/browsertest"
)

// notPages matches GET routes that answer with a stream or a file.
var notPages = regexp.MustCompile(`/(events|export|recording|rows|sound)$`)

// tops are the pages at the top of the hierarchy, and their tabs.
var tops = []string{
	"/", "/alerts", "/campaigns", "/calls", "/live", "/follow-ups", "/messaging", "/messaging/templates",
	"/messaging/messages", "/agents", "/phone-numbers", "/do-not-call", "/search", "/analysis", "/webhooks", "/profile",
	"/organizations",
}

func TestMain(m *testing.M) { browsertest.Main(m) }

// seat is a dashboard with a signed-in person. Each visit makes new data for its page and
// may replace the data of the page before, so a seat visits one page at a time.
type seat struct {
	tab    *browsertest.Tab
	tenant *tenant
}

func newSeat(t *testing.T, tabs *browsertest.Tabs, as func(*tenant) person) *seat {
	t.Helper()
	w := newWorld(t)
	n := w.newTenant("Aster")
	n.newCall()
	n.newSuppression()
	tab := tabs.Borrow(t)
	tab.Go(w.server.URL + "/sign-in")
	tab.Fill("#email", as(n).email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	return &seat{tab: tab, tenant: n}
}

// TestEveryPage visits every page of the router as an admin and as staff, at every size
// and in every theme: staff see each size in the theme that the admin does not see it in. TestPages
// of package views does the same without the server, with more kinds of invented data.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	tabs := browsertest.Open(t).Tabs(t)
	for pair, role := range []struct {
		name string
		role account.Role
		as   func(*tenant) person
	}{
		{"admin", account.Admin, func(n *tenant) person { return n.admin }},
		{"staff", account.Staff, func(n *tenant) person { return n.staff }},
	} {
		t.Run(role.name, func(t *testing.T) {
			t.Parallel()
			lines := slices.DeleteFunc((&server{}).table(), func(line route) bool {
				seen := visits()["GET "+line.path]
				return line.method != http.MethodGet || seen.only != "" || notPages.MatchString(line.path) ||
					seen.want == http.StatusSeeOther || // the target has a visit of its own
					line.right != anybody && !role.role.May(line.right)
			})
			var mu sync.Mutex
			titles := map[string]string{}
			seats := max(runtime.GOMAXPROCS(0)/2, 1) // each seat visits as both roles at a time
			for i := range seats {
				t.Run(strconv.Itoa(i), func(t *testing.T) {
					t.Parallel()
					s := newSeat(t, tabs, role.as)
					for at := i; at < len(lines); at += seats {
						title := s.check(t, lines[at].path, browsertest.Opposites(pair))
						mu.Lock()
						if other := titles[title]; other != "" {
							t.Errorf("%s has the title of %s: %s", lines[at].path, other, title)
						}
						titles[title] = lines[at].path
						mu.Unlock()
					}
				})
			}
		})
	}
}

// check visits the page of a route and returns its title.
func (s *seat) check(t *testing.T, pattern string, views []browsertest.View) (title string) {
	t.Helper()
	path := pattern
	if v := visits()["GET "+pattern]; v.path != nil {
		path = v.path(s.tenant)
	}
	for i, view := range s.tab.Nearest(views) {
		s.tab.Emulate(view)
		if i == 0 {
			s.tab.Go(s.tenant.w.server.URL + path)
			title = checkPlace(t, s.tab, pattern)
		}
		s.tab.Check(pattern + " " + view.Name)
	}
	return title
}

// checkPlace requires a title, one heading of the first level, and a navigation path to
// the page. It returns the title.
func checkPlace(t *testing.T, tab *browsertest.Tab, page string) (title string) {
	t.Helper()
	title = browsertest.Eval[string](tab, "document.title")
	if name, found := strings.CutSuffix(title, " · Dialwright"); !found || name == "" {
		t.Errorf("%s has the title %q", page, title)
	}
	if headings := browsertest.Eval[[]string](
		tab, "[...document.querySelectorAll('h1')].map((h) => h.textContent.trim())",
	); len(headings) != 1 || headings[0] == "" {
		t.Errorf("%s has the headings %q", page, headings)
	}
	way := browsertest.Eval[[]string](tab,
		"[...document.querySelectorAll('.crumbs li')].map((step) => (step.querySelector('[aria-current=page]') ? '* "+
			"' : '') + step.textContent.trim())")
	switch {
	case slices.Contains(tops, page):
	case len(way) < 2, !strings.HasPrefix(way[len(way)-1], "* "):
		t.Errorf("the way to %s is %q", page, way)
	}
	return title
}
