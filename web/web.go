package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/alexedwards/scs/v2"
	"github.com/go-chi/chi/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/static"
)

type server struct {
	*app.App
	sessions *scs.SessionManager
	pages    chi.Router

	// takesForm reports whether a form can be posted to a path.
	takesForm func(path string) bool
}

func newServer(a *app.App) *server {
	s := &server{App: a, sessions: scs.New()}
	s.sessions.Store = newStore(a.Pool, a.Accounts.Vault())
	s.sessions.HashTokenInStore = true
	s.sessions.Lifetime = account.SessionMost + sessionRest
	s.sessions.Cookie.Name = s.cookieName("dialwright_session")
	s.sessions.Cookie.HttpOnly = true
	s.sessions.Cookie.SameSite = http.SameSiteLaxMode
	s.sessions.Cookie.Secure = s.https()
	s.sessions.Cookie.Persist = false // unless one asks to stay signed in
	s.sessions.ErrorFunc = func(w http.ResponseWriter, r *http.Request, err error) { s.fail(w, r, err) }
	s.takesForm = func(path string) bool { return s.pages.Match(chi.NewRouteContext(), http.MethodPost, path) }
	s.pages = s.routes()
	return s
}

// Handler serves every page, and the files they load.
func Handler(a *app.App) http.Handler {
	s := newServer(a)
	sameOrigin := http.NewCrossOriginProtection()
	if u, err := url.Parse(a.PublicURL); err == nil && u.Host != "" {
		// A proxy may pass us another Host than the browser sees.
		if err := sameOrigin.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
			a.Log.Warn("public URL is no origin", "error", err)
		}
	}
	sameOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.fail(w, r, errCrossOrigin) }))

	pages := s.sessions.LoadAndSave(s.identify(sameOrigin.Handler(s.pages)))
	files := s.handle(serveStatic)
	return s.observe(secure(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Files are the same for everybody: no session is looked up for them.
		if strings.HasPrefix(r.URL.Path, static.Prefix) {
			files.ServeHTTP(w, r)
			return
		}
		pages.ServeHTTP(w, r)
	})))
}
