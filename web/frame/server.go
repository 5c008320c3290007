package frame

import (
	"net/http"

	"github.com/alexedwards/scs/v2"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
)

// Server contains the services of the process and the sessions of its visitors. Each
// package of pages embeds it. Make it with New.
type Server struct {
	*app.App
	Sessions *scs.SessionManager
}

// New makes the server that all pages of a dashboard share.
func New(a *app.App) *Server {
	s := &Server{App: a, Sessions: scs.New()}
	s.Sessions.Store = newStore(a.Pool, a.Accounts.Vault())
	s.Sessions.HashTokenInStore = true
	s.Sessions.Lifetime = account.SessionMost + SessionRest
	s.Sessions.Cookie.Name = s.CookieName("dialwright_session")
	s.Sessions.Cookie.HttpOnly = true
	s.Sessions.Cookie.SameSite = http.SameSiteLaxMode
	s.Sessions.Cookie.Secure = s.https()
	s.Sessions.Cookie.Persist = false // unless the person asks to stay signed in
	s.Sessions.ErrorFunc = func(w http.ResponseWriter, r *http.Request, err error) { s.Fail(w, r, err) }
	return s
}
