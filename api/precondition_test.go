package api

import (
	"net/http"
	"strings"
	"testing"
)

// tagged returns the path whose ETag a change of a path compares with If-Match.
func tagged(path string) string { return strings.TrimSuffix(path, "/budget") }

// Every change of a resource is refused if the resource is no longer the one that the client read, and made if it is.
// The test covers new routes automatically.
func TestEveryChangeHonorsIfMatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	n.writes()
	for _, route := range routes(t) {
		method, pattern, _ := strings.Cut(route, " ")
		if method != http.MethodPut && method != http.MethodPatch {
			continue
		}
		if describedAPI(t).doc.Paths.Find(pattern).GetOperation(method).Responses.Value("412") == nil {
			t.Errorf("%s: the description has no 412", route)
		}
		_, path, body := n.prepared(route)
		current := n.do("GET", tagged(path), nil).want(http.StatusOK)
		tag := current.header.Get("ETag")
		status := func(tag string, want int) {
			t.Helper()
			if a := n.do(method, path, body, "If-Match", tag); a.status != want {
				t.Errorf("%s with If-Match: %s: %v, want %d", route, tag, a, want)
			}
		}
		status(`W/"old"`, http.StatusPreconditionFailed)
		if after := n.do("GET", tagged(path), nil); after.body != current.body {
			t.Errorf("%s: a refused change made %s of %s", route, after.body, current.body)
		}
		if pattern == "/campaigns/{id}/recipients" { // many resources have no tag in common
			status(tag, http.StatusPreconditionFailed)
		} else {
			status(`"other", `+tag, http.StatusOK)
		}
		status("*", http.StatusOK)
		w.refill()
	}
}
