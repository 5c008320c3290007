package web

import (
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/erasure"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/upload"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/static"
)

// Deps is what the dashboard works with. All but Reference and TrustedProxies is required.
type Deps struct {
	Pool         *pgxpool.Pool // of the session store
	Hub          *postgres.Hub
	Accounts     *account.Service
	Projects     *project.Service
	Suppressions *suppression.Service
	Erasures     *erasure.Service
	Campaigns    *campaign.Service
	Calls        *call.Service
	Webhooks     *webhook.Service
	Messaging    *messaging.Service
	Uploads      *upload.Service

	Reference      *reference.Reference // what /docs shows; nil: nothing
	PublicURL      string               // how browsers reach us; decides whether cookies are Secure
	Sandbox        bool                 // a sandbox is there to make connections to
	TrustedProxies []netip.Prefix
	Version        string
	Log            *slog.Logger

	// Closing is closed when the server shuts down: live streams end, and the
	// browsers open them at another instance. Nil never closes.
	Closing <-chan struct{}
}

type server struct {
	Deps
	sessions *scs.SessionManager
	pages    chi.Router
	now      func() time.Time
	closing  <-chan struct{}
}

// Handler serves every page, and the files they load.
func Handler(d Deps) http.Handler {
	s := &server{Deps: d, now: time.Now, sessions: scs.New(), closing: d.Closing}
	s.sessions.Store = newStore(d.Pool, d.Accounts.Vault())
	s.sessions.HashTokenInStore = true
	s.sessions.Lifetime = account.SessionMost + sessionRest
	s.sessions.Cookie.Name = s.cookieName("dialwright_session")
	s.sessions.Cookie.HttpOnly = true
	s.sessions.Cookie.SameSite = http.SameSiteLaxMode
	s.sessions.Cookie.Secure = s.https()
	s.sessions.Cookie.Persist = false // unless one asks to stay signed in
	s.sessions.ErrorFunc = func(w http.ResponseWriter, r *http.Request, err error) { s.fail(w, r, err) }

	s.pages = s.routes()
	sameOrigin := http.NewCrossOriginProtection()
	if u, err := url.Parse(d.PublicURL); err == nil && u.Host != "" {
		// A proxy may pass us another Host than the browser sees.
		if err := sameOrigin.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
			d.Log.Warn("public URL is no origin", "error", err)
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
