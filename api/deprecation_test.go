package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/dialwright/dialwright/internal/account"
)

// Every answer of a deprecated route to a valid key announces the deprecation, in the
// form that the description promises.
func TestADeprecatedRouteSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	since, sunset := time.Unix(1796083200, 0), time.Date(2028, 11, 30, 0, 0, 0, 0, time.UTC)
	a := &api{App: w.app, router: chi.NewRouter()}
	a.router.Use(a.observe, a.authenticate)
	a.router.Get("/api/v1/old", a.deprecated(deprecation{since, sunset}, a.need(account.CallsRead, a.listCalls)))
	a.router.Get("/api/v1/older", a.deprecated(deprecation{since: since}, a.need(account.CallsRead, a.listCalls)))

	_, example, _ := strings.Cut(string(Description), "    Deprecation: @")
	example, _, _ = strings.Cut("Deprecation: @"+example, "    ```")
	for path, want := range map[string]int{
		"/old": http.StatusOK, "/old?limit=x": http.StatusBadRequest, "/older": http.StatusOK,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+n.key)
		got := recordedBy(a.router, r)
		if got.Code != want {
			t.Errorf("%s: %d %s", path, got.Code, got.Body)
		}
		for _, name := range []string{"Deprecation", "Sunset", "Link"} {
			line := name + ": " + got.Header().Get(name) + "\n"
			if path == "/older" && name == "Sunset" {
				if got.Header().Get(name) != "" {
					t.Errorf("%s: %s", path, line)
				}
			} else if !strings.Contains(strings.ReplaceAll(example, "    ", ""), line) {
				t.Errorf("%s: %q is not as the description has it:\n%s", path, line, example)
			}
		}
	}
	if got := n.do("GET", "/calls", nil).want(http.StatusOK); got.header.Get("Deprecation") != "" {
		t.Error("a route that is not deprecated says it is")
	}
}
