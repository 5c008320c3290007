package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/static"
	"github.com/dialwright/dialwright/web"
)

// Every response tells browsers not to guess content types and, behind https, to keep using https.
func TestHeadersOfEverySurface(t *testing.T) {
	t.Parallel()
	in := newDemo(t, pgtest.New(t).URL, t.TempDir())
	options := in.options()
	for publicURL, want := range map[string]string{
		"https://calls.example.com": "max-age=31536000", "http://localhost:8080": "",
	} {
		options.PublicURL = publicURL
		a, err := app.New(options)
		if err != nil {
			t.Fatal(err)
		}
		h := a.Handler(api.Handler(a), web.Handler(a))
		for _, path := range []string{
			"/healthz", "/readyz", "/sign-in", "/nothing", static.Path("app.css"), "/docs", "/api/v1/calls", "/api/v2",
			"/openapi.yaml",
			"/hooks/twilio/nothing", "/hooks/whatsapp/nothing",
		} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			if got := w.Header().Values("X-Content-Type-Options"); len(got) != 1 || got[0] != "nosniff" {
				t.Errorf("%s: X-Content-Type-Options is %q", path, got)
			}
			if got := w.Header().Get("Strict-Transport-Security"); got != want {
				t.Errorf("%s at %s: Strict-Transport-Security is %q", path, publicURL, got)
			}
		}
	}
}
