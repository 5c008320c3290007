package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/static"
)

// Pages and files are compressed for whoever takes that, and only then.
func TestCompression(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.newTenant("Aster")
	for path, want := range map[string]string{"/sign-in": "</html>", static.Path("app.css"): ".btn", static.Path("js/app.js"): "use strict"} {
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
