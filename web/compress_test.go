package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/static"
)

// The server compresses pages and files only for clients that accept compression.
func TestCompression(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.newTenant("Aster")
	for path, want := range map[string]string{
		"/sign-in": "</html>", static.Path("app.css"): ".btn", static.Path("js/app.js"): "use strict",
	} {
		for _, accept := range []string{"gzip, deflate, br", "", "identity"} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.server.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", accept)
			answer, err := (&http.Transport{DisableCompression: true}).RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			var body io.Reader = answer.Body
			compressed := answer.Header.Get("Content-Encoding") == "gzip"
			if compressed {
				if body, err = gzip.NewReader(answer.Body); err != nil {
					t.Fatal(err)
				}
			}
			text, err := io.ReadAll(body)
			if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(text), want) {
				t.Errorf("%s for %q: %s, %v, %d bytes", path, accept, answer.Status, err, len(text))
			}
			if compressed != strings.Contains(accept, "gzip") {
				t.Errorf("%s for %q: compressed is %t", path, accept, compressed)
			}
			if compressed && !strings.Contains(strings.Join(answer.Header.Values("Vary"), ", "), "Accept-Encoding") {
				t.Errorf("%s: a cache can't tell that it is compressed", path)
			}
			_ = answer.Body.Close()
		}
	}
}

// A page with a secret is not compressed. Beside text of another person, its compressed
// length would reveal the secret (the BREACH attack).
func TestAPageWithASecretIsNotCompressed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	b.header.Set("Accept-Encoding", "gzip")
	for what, v := range map[string]*shown{
		"an API key": b.post("/settings/api-keys", form("name", "Export")).want(http.StatusCreated),
		"an invitation": b.post("/settings/members/invite", form("email", "ines@example.com", "role", "staff")).
			want(http.StatusCreated),
		"a TOTP secret": b.get("/profile/second-factor/new").want(http.StatusOK),
		"a webhook's secret": b.post("/webhooks",
			form("name", "Bridge", "url", "https://hooks.example.com", "all_events", "1")).want(http.StatusCreated),
	} {
		if !v.uncached() || v.header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %v", what, v.header)
		}
	}
	if v := b.get("/settings/api-keys"); v.header.Get("Content-Encoding") != "gzip" {
		t.Errorf("a page without secrets: %v", v.header)
	}
}
