package browsertest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/browsertest"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

// site has pages with and without faults.
func site(t *testing.T) http.Handler {
	t.Helper()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'")
		switch r.URL.Path {
		case "/wrong.js":
			fmt.Fprint(w, "console.error('told so'); throw new Error('thrown');")
		case "/wrong":
			fmt.Fprint(w, `<!doctype html><html><title>x</title><body><div style="color: red">styled</div>
				<img src="/none.png" width="3000" height="10"><input><script src="/wrong.js"></script></body></html>`)
		case "/planted.css":
			w.Header().Set("Content-Type", "text/css")
			fmt.Fprint(w, `body { color: #222; background: #fff } .faint { color: #333 } .menu { display: none }
				@media (max-width: 400px) {
					.menu { display: block }
					@media (prefers-color-scheme: dark) { .faint { color: #ccc } }
				}
				.tiny { width: 12px; height: 12px; padding: 0; margin: 0; border: 0; float: left }
				.gray { background: #999 } .clear { opacity: .3 }`)
		case "/planted", "/gray", "/clear", "/clean", "/tiny", "/named":
			body := map[string]string{
				"/tiny":    `<button class="tiny">A</button><button class="tiny">B</button>`,
				"/named":   `<p class="faint">Text</p><button class="menu">Menu</button>`,
				"/planted": `<p class="faint">Text</p><button class="menu"></button>`,
				"/gray":    `<p class="faint gray">Text</p>`,
				"/clear":   `<div class="clear"><p class="faint">Text</p></div>`,
				"/clean":   `<p class="faint" id="other">Other text</p>`,
			}[r.URL.Path]
			fmt.Fprint(w, `<!doctype html><html lang="en"><title>Planted</title><meta name="viewport" `+
				`content="width=device-width">
				<link rel="icon" href="data:,"><link rel="stylesheet" href="/planted.css"><main><h1>Planted</h1>`+
				body+`</main></html>`)
		case "/favicon.ico":
			w.WriteHeader(http.StatusNoContent)
		default:
			fmt.Fprint(
				w,
				`<!doctype html><html lang="en"><title>Fine</title><meta name="viewport" `+
					`content="width=device-width, initial-scale=1"><link rel="icon" `+
					`href="data:,"><main><h1>Fine</h1></main></html>`,
			)
		}
	})
}

// The checks find each kind of fault.
func TestChecksFindWhatIsWrong(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(site(t))
	t.Cleanup(server.Close)
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[2])

	tab.Go(server.URL + "/wrong")
	problems := strings.Join(tab.Problems(), "\n")
	for _, want := range []string{"told so", "thrown", "inline style", "violates the following"} {
		if !strings.Contains(problems, want) {
			t.Errorf("the console does not tell of %q:\n%s", want, problems)
		}
	}
	findings := strings.Join(tab.Axe(), "\n")
	for _, want := range []string{"html-has-lang", "image-alt", "label"} {
		if !strings.Contains(findings, want) {
			t.Errorf("axe does not tell of %q:\n%s", want, findings)
		}
	}
	if wide := tab.Overflow(); !slices.ContainsFunc(wide, func(s string) bool { return strings.Contains(s, "<img") }) {
		t.Errorf("the image that is too wide is not named: %q", wide)
	}

	tab.Go(server.URL + "/fine")
	tab.Problems() // the picture of the page's own tab is refused by this policy
	tab.Check("fine")
}

// A paint without a fault is not checked again. Another paint is: in another size or theme, on another
// background, or with transparency.
func TestEveryStateThatDiffersIsLookedAt(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(site(t))
	t.Cleanup(server.Close)
	tab := browsertest.Open(t).NewTab(t)
	findings := func(path string, view browsertest.View) string {
		tab.Emulate(view)
		tab.Go(server.URL + path)
		var rules []string
		for _, finding := range tab.Axe() {
			rule, _, _ := strings.Cut(finding, ":")
			rules = append(rules, rule)
		}
		slices.Sort(rules)
		return strings.Join(slices.Compact(rules), " ")
	}
	for range 2 { // a fault is found each time
		for _, c := range []struct {
			path string
			want [4]string // in the order of Views
		}{
			{"/clean", [4]string{"", "", "", "color-contrast"}},
			{"/named", [4]string{"", "", "", "color-contrast"}},
			{"/planted", [4]string{"", "", "button-name", "button-name color-contrast"}},
			{"/gray", [4]string{"color-contrast", "color-contrast", "color-contrast", "color-contrast"}},
			{"/clear", [4]string{"color-contrast", "color-contrast", "color-contrast", "color-contrast"}},
		} {
			for i, view := range browsertest.Views {
				if got := findings(c.path, view); got != c.want[i] {
					t.Errorf("%s, %s: found %q, want %q", c.path, view.Name, got, c.want[i])
				}
			}
		}
	}
}

// A second look at a page finds what only another view shows, and what the page got meanwhile.
func TestASecondLookFindsWhatIsNew(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(site(t))
	t.Cleanup(server.Close)
	tab := browsertest.Open(t).NewTab(t)
	look := func(when string, want ...string) {
		t.Helper()
		found := tab.Axe()
		if len(found) != len(want) {
			t.Errorf("%s: found %q, want %q", when, found, want)
		}
		for i := range min(len(found), len(want)) {
			if !strings.HasPrefix(found[i], want[i]+":") {
				t.Errorf("%s: found %q, want %q", when, found[i], want[i])
			}
		}
	}
	tab.Emulate(browsertest.Views[0])
	tab.Go(server.URL + "/planted")
	look("on a desktop")
	tab.Emulate(browsertest.Views[2])
	look("on a phone", "button-name")
	tab.Emulate(browsertest.Views[0])
	browsertest.Eval[any](tab, `document.querySelector("main").insertAdjacentHTML("beforeend", "<img src='data:,'>")`)
	look("after a change", "image-alt")
	tab.Go(server.URL + "/tiny")
	look("targets", "target-size", "target-size")
}

// Timers of a page don't run while its scripts are off, so a wait asks the page again
// and again.
func TestWaitWithoutScripts(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(site(t))
	t.Cleanup(server.Close)
	tab := browsertest.Open(t).NewTab(t)
	tab.Scripts(false)
	tab.Go(server.URL + "/")
	now := browsertest.Eval[float64](tab, "performance.now()")
	tab.WaitFor(fmt.Sprintf("performance.now() > %f", now+100))
}
