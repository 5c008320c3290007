package cell_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/cell"
)

// fakeSite answers with its number, the path and the body that it got.
type fakeSite struct {
	number       int
	keys, people []string
	err          error // of every question
	asked        int   // questions about keys
}

func (s *fakeSite) site() cell.Site {
	return cell.Site{
		Number: s.number,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			fmt.Fprintf(w, "%d %s %s", s.number, r.URL.RequestURI(), body)
		}),
		Ready:     func(context.Context) error { return s.err },
		HasPeople: func(context.Context) (bool, error) { return len(s.people) > 0, s.err },
		KnowsKey: func(_ context.Context, header string, _ netip.Addr) (bool, error) {
			s.asked++
			return slices.Contains(s.keys, strings.TrimPrefix(header, "Bearer ")), s.err
		},
		KnowsEmail: func(_ context.Context, email string) (bool, error) {
			return slices.Contains(s.people, email), s.err
		},
	}
}

func newRouter(t *testing.T, closed []int, sites ...*fakeSite) *cell.Router {
	t.Helper()
	r := cell.NewRouter(cell.RouterOptions{
		PublicURL: "https://dial.example.com", Vault: newVault(t), Log: slog.New(slog.DiscardHandler),
	})
	all := make([]cell.Site, len(sites))
	for i, s := range sites {
		all[i] = s.site()
	}
	r.Serve(all, closed)
	return r
}

func key(cell int, rest string) string { return fmt.Sprintf("ik_live_%04x%s", cell, rest) }

func ask(r http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	return w
}

// A key is served in its cell, also one from before there were cells, and is asked for once.
func TestAKeyFindsItsCell(t *testing.T) {
	t.Parallel()
	old := key(0xbeef, "old")
	one := &fakeSite{number: 1, keys: []string{old, key(1, "a")}}
	two := &fakeSite{number: 2, keys: []string{key(2, "b")}}
	r := newRouter(t, nil, two, one)
	for value, want := range map[string]string{
		old: "1 /api/v1/me ", key(1, "a"): "1 /api/v1/me ", key(2, "b"): "2 /api/v1/me ",
		key(2, "unknown"): "1 /api/v1/me ",
	} {
		for range 2 {
			if w := ask(r, "GET", "/api/v1/me", "", "Authorization", "Bearer "+value); w.Body.String() != want {
				t.Errorf("%s: %q, want %q", value, w.Body, want)
			}
		}
	}
	before := two.asked
	ask(r, "GET", "/mcp", "", "Authorization", "Bearer "+key(2, "b"))
	if two.asked != before {
		t.Error("the cell of a known key was asked again")
	}
}

// A cell that is away takes its own keys along, and nobody else's.
func TestACellThatIsAwayLeavesTheOthers(t *testing.T) {
	t.Parallel()
	one := &fakeSite{number: 1, keys: []string{key(1, "a")}, people: []string{"ann@example.com"}}
	two := &fakeSite{number: 2, err: errors.New("away")}
	r := newRouter(t, []int{3}, one, two)
	for value, want := range map[string]int{
		key(1, "a"): http.StatusOK, key(2, "b"): http.StatusServiceUnavailable,
		key(3, "c"): http.StatusServiceUnavailable,
	} {
		w := ask(r, "POST", "/api/v1/calls", `{}`, "Authorization", "Bearer "+value)
		if w.Code != want {
			t.Errorf("%s: %d %s", value, w.Code, w.Body)
		}
		if want != http.StatusOK && (w.Header().Get("Retry-After") == "" ||
			!strings.HasPrefix(w.Body.String(), `{"error":`)) {
			t.Errorf("%s: %v %s", value, w.Header(), w.Body)
		}
	}
	for path, want := range map[string]int{
		"/healthz": 200, "/readyz": 200, "/sign-in": 200, "/c/1/hooks/x": 200, "/c/3/hooks/x": 503, "/c/4/hooks/x": 404,
	} {
		if w := ask(r, "GET", path, ""); w.Code != want {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := ask(r, "GET", "/calls", "", "Cookie", "__Host-dialwright_cell=3"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a page of a cell that is away: %d", w.Code)
	}
	w := ask(r, "POST", "/sign-in", "email=ann%40example.com", "Content-Type", "application/x-www-form-urlencoded")
	if w.Body.String() != "1 /sign-in email=ann%40example.com" {
		t.Errorf("sign-in: %d %q", w.Code, w.Body)
	}
	if w := ask(newRouter(t, []int{1}), "GET", "/readyz", ""); w.Code != http.StatusServiceUnavailable {
		t.Errorf("without a cell it is ready: %d", w.Code)
	}
}

// A person signs in where they are known. The cell of somebody unknown is always the same, in every process.
func TestASignInFindsItsCell(t *testing.T) {
	t.Parallel()
	sites := []*fakeSite{
		{number: 1, people: []string{"both@example.com"}},
		{number: 2, people: []string{"ann@example.com", "both@example.com"}},
	}
	r, other := newRouter(t, nil, sites...), newRouter(t, nil, sites...)
	cellOf := func(r http.Handler, email, cookie string) string {
		w := ask(r, "POST", "/sign-in", url.Values{"email": {email}, "password": {"x"}}.Encode(), "Cookie", cookie)
		number, _, _ := strings.Cut(w.Body.String(), " ")
		if c := w.Result().Cookies(); len(c) != 1 || c[0].Value != number || !c[0].Secure || !c[0].HttpOnly {
			t.Errorf("%s: cell %s, and the browser keeps %v", email, number, c)
		}
		return number
	}
	if got := cellOf(r, " Ann@Example.com", ""); got != "2" {
		t.Errorf("Ann is in cell %s", got)
	}
	if got := cellOf(r, "both@example.com", ""); got != "1" {
		t.Errorf("the first of two is cell %s", got)
	}
	if got := cellOf(r, "both@example.com", "__Host-dialwright_cell=2"); got != "2" {
		t.Errorf("the last of two is cell %s", got)
	}
	used := map[string]bool{}
	for i := range 40 {
		email := fmt.Sprintf("nobody%d@example.com", i)
		used[cellOf(r, email, "")] = true
		if cellOf(r, email, "") != cellOf(other, email, "") {
			t.Errorf("%s: two processes choose differently, which tells that nobody knows it", email)
		}
	}
	if len(used) != 2 {
		t.Error("all that nobody knows lead to one cell, which tells them from the others")
	}
	large := "email=ann%40example.com&late=" + strings.Repeat("x", 100_000)
	if w := ask(r, "POST", "/sign-in", large); !strings.HasSuffix(w.Body.String(), large) {
		t.Error("a large form was cut")
	}
}

// A browser that comes by a link of a cell stays in it.
func TestALinkLeadsIntoItsCell(t *testing.T) {
	t.Parallel()
	one := &fakeSite{number: 1}
	two := &fakeSite{number: 2, people: []string{"ann@example.com"}}
	r := newRouter(t, nil, one, two)
	if w := ask(r, "GET", "/", ""); w.Body.String() != "2 / " {
		t.Errorf("a visitor comes to %q, although nobody is in cell 1", w.Body)
	}
	w := ask(r, "GET", "/c/1/invitation?token=x", "")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/invitation?token=x" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	cookie := w.Result().Cookies()[0]
	if w := ask(r, "GET", "/invitation?token=x", "", "Cookie", cookie.Name+"="+cookie.Value); w.Body.String() !=
		"1 /invitation?token=x " {
		t.Errorf("it went on to %q", w.Body)
	}
	if w := ask(r, "POST", "/c/2/hooks/twilio/x?y=z", "body"); w.Body.String() != "2 /hooks/twilio/x?y=z body" {
		t.Errorf("a callback came to %q", w.Body)
	}
	if w := ask(r, "POST", "/hooks/twilio/x", "body", "Cookie", "__Host-dialwright_cell=2"); w.Body.String() !=
		"1 /hooks/twilio/x body" {
		t.Errorf("a callback from before the cells came to %q", w.Body)
	}
	if w := ask(newRouter(t, []int{1}, two), "POST", "/hooks/twilio/x", ""); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a callback for a cell that is away: %d", w.Code)
	}
	for _, path := range []string{"/c/", "/c/x/", "/c/01/hooks/", "/c/-1/hooks/", "/c/0/hooks/"} {
		if w := ask(r, "GET", path, ""); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := ask(r, "POST", "/c/2/sign-out", ""); w.Code != http.StatusNotFound {
		t.Errorf("a form by a link: %d", w.Code)
	}
}

// No link of a cell leads to another server.
func FuzzNamedPath(f *testing.F) {
	for _, rest := range []string{
		"", "/", "/evil.example", `\evil.example`, "//evil.example", "..//evil", "%2f%2fevil",
	} {
		f.Add(rest)
	}
	r := cell.NewRouter(cell.RouterOptions{PublicURL: "https://dial.example.com", Log: slog.New(slog.DiscardHandler)})
	r.Serve([]cell.Site{(&fakeSite{number: 1}).site()}, nil)
	base := &url.URL{Scheme: "https", Host: "dial.example.com", Path: "/"}
	f.Fuzz(func(t *testing.T, rest string) {
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.URL.Path = cell.Prefix + "1/" + rest
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		to := w.Header().Get("Location")
		if to == "" {
			return
		}
		target, err := base.Parse(to)
		if err != nil || target.Host != base.Host || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`) {
			t.Errorf("%q leads to %q (%v)", rest, to, err)
		}
	})
}
