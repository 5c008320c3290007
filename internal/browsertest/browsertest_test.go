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

// The checks are worth nothing unless they find what is wrong.
func TestChecksFindWhatIsWrong(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'")
		switch r.URL.Path {
		case "/wrong.js":
			fmt.Fprint(w, "console.error('told so'); throw new Error('thrown');")
		case "/wrong":
			fmt.Fprint(w, `<!doctype html><html><title>x</title><body><div style="color: red">styled</div>
				<img src="/none.png" width="3000" height="10"><input><script src="/wrong.js"></script></body></html>`)
		case "/favicon.ico":
			w.WriteHeader(http.StatusNoContent)
		default:
			fmt.Fprint(
				w,
				`<!doctype html><html lang="en"><title>Fine</title><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><main><h1>Fine</h1></main></html>`,
			)
		}
	}))
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
