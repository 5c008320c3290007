package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/static"
	"github.com/dialwright/dialwright/web/alerts"
	"github.com/dialwright/dialwright/web/calls"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/messages"
	"github.com/dialwright/dialwright/web/overview"
	"github.com/dialwright/dialwright/web/people"
	"github.com/dialwright/dialwright/web/search"
	"github.com/dialwright/dialwright/web/settings"
	"github.com/dialwright/dialwright/web/webhooks"
)

// server is the dashboard: the shared parts of its pages, and its routes.
type server struct {
	*frame.Server
	messages *messages.Server
	webhooks *webhooks.Server
	people   *people.Server
	alerts   *alerts.Server
	calls    *calls.Server
	settings *settings.Server
	search   *search.Server
	overview *overview.Server
	pages    chi.Router
}

func newServer(a *app.App) *server {
	s := &server{Server: frame.New(a)}
	s.people = people.New(s.Server, s.takesForm)
	s.alerts = alerts.New(s.Server)
	s.messages = messages.New(s.Server)
	s.webhooks = webhooks.New(s.Server)
	s.calls = calls.New(s.Server)
	s.settings = settings.New(s.Server, s.messages)
	s.search = search.New(s.Server, s.calls)
	s.overview = overview.New(s.Server, s.alerts, s.calls)
	s.pages = s.routes()
	return s
}

// takesForm reports whether a form can be posted to a path.
func (s *server) takesForm(path string) bool {
	return s.pages.Match(chi.NewRouteContext(), http.MethodPost, path)
}

// Handler serves every page and its files.
func Handler(a *app.App) http.Handler {
	s := newServer(a)
	sameOrigin := http.NewCrossOriginProtection()
	if u, err := url.Parse(a.PublicURL); err == nil && u.Host != "" {
		// A proxy may forward another Host than the browser sees.
		if err := sameOrigin.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
			a.Log.Warn("public URL is no origin", "error", err)
		}
	}
	sameOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Fail(w, r, errCrossOrigin)
	}))

	pages := s.Sessions.LoadAndSave(s.Identify(sameOrigin.Handler(s.pages)))
	files := s.Handle(serveStatic)
	return s.Observe(secure(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Files are the same for all visitors and need no session.
		if strings.HasPrefix(r.URL.Path, static.Prefix) {
			files.ServeHTTP(w, r)
			return
		}
		if to, ok := leftSettings(r.URL); ok {
			frame.Observed(r).Route = "/settings/*"
			http.Redirect(w, r, to, http.StatusPermanentRedirect)
			return
		}
		pages.ServeHTTP(w, r)
	})))
}

// leftSettings returns the address of a page that was in the settings once, so that bookmarks
// and links in old messages still work.
func leftSettings(u *url.URL) (string, bool) {
	rest, _ := strings.CutPrefix(u.Path, "/settings")
	for _, list := range []string{"/agents", "/phone-numbers", "/number-pools", "/do-not-call"} {
		if rest == list || strings.HasPrefix(rest, list+"/") {
			return (&url.URL{Path: rest, RawQuery: u.RawQuery}).String(), rest != u.Path
		}
	}
	return "", false
}
