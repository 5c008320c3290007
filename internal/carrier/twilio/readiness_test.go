package twilio

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// A wrong address, a wrong proxy and somebody else's server are told apart.
func TestReach(t *testing.T) {
	t.Parallel()
	account := Account{SID: "AC1", AuthToken: "token"}
	server := httptest.NewUnstartedServer(nil)
	base := "http://" + server.Listener.Addr().String()
	a := New(Config{
		PublicURL: base,
		Account:   func(context.Context, uuid.UUID) (Account, error) { return account, nil },
	})
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch prefix, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/"); prefix {
		case "hooks":
			a.Handler().ServeHTTP(w, r)
		case "moved":
			r.URL.Path = "/" + rest
			a.Handler().ServeHTTP(w, r)
		case "redirects":
			http.Redirect(w, r, "/"+rest, http.StatusPermanentRedirect)
		case "other":
			_, _ = w.Write([]byte("Welcome!"))
		default:
			http.NotFound(w, r)
		}
	})
	server.Start()
	t.Cleanup(server.Close)
	for path, want := range map[string]string{
		"":           "",
		"/moved":     "signatures do not match",
		"/redirects": "answered with status 308",
		"/other":     "another server answers",
		"/nothing":   "answered with status 404",
	} {
		at := account
		if path != "" {
			at.PublicURL = base + path
		}
		err := a.Reach(t.Context(), uuid.New(), at, true)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", path, err, want)
		}
	}
	for address, want := range map[string]string{
		base:                     "not an https address",
		"https://127.0.0.1":      "not a public address",
		"https://10.1.2.3":       "not a public address",
		"https://localhost:8080": "not a public address",
	} {
		at := account
		at.PublicURL = address
		if err := a.Reach(t.Context(), uuid.New(), at, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}
