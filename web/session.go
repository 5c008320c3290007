package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/peer"
	"github.com/dialwright/dialwright/views/ui"
)

// What the scs session holds: the token of our own user_session row, what to
// tell on the next page, and who it was.
const (
	sessionToken = "token"
	sessionToast = "toast"
	// The user and the organization of the session, for when its row is gone: a late
	// form is offered to nobody else.
	sessionUser         = "user"
	sessionOrganization = "organization"
)

// sessionRest is how long the browser's session outlives the person's, so that the
// sender of a late form is known.
const sessionRest = 24 * time.Hour

type sessionKey struct{}

// identify looks up who is signed in. The row is read on every request, so a
// session that was revoked or a role that was changed holds at once.
func (s *server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if session, ok, err := s.authenticate(r); err != nil {
			s.fail(w, r, err)
			return
		} else if ok {
			observed(r).organization = session.Organization.ID.String()
			r = withSession(r, session)
		}
		next.ServeHTTP(w, r)
	})
}

func withSession(r *http.Request, session account.Session) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), sessionKey{}, session))
}

// authenticate is ok when somebody is signed in.
func (s *server) authenticate(r *http.Request) (session account.Session, ok bool, err error) {
	token := s.sessions.GetString(r.Context(), sessionToken)
	if token == "" {
		return session, false, nil
	}
	session, err = s.Accounts.Authenticate(r.Context(), token)
	if fault.KindOf(err) == fault.Unauthenticated {
		return session, false, nil
	}
	return session, err == nil, err
}

// current is who is signed in; ok is false on the pages that need nobody.
func current(r *http.Request) (account.Session, bool) {
	session, ok := r.Context().Value(sessionKey{}).(account.Session)
	return session, ok
}

// signedIn is current for handlers behind a role.
func signedIn(r *http.Request) account.Session {
	session, _ := current(r)
	return session
}

// actor is the signed-in person, acting from where the request came.
func (s *server) actor(r *http.Request) account.Actor {
	return signedIn(r).Actor(peer.Address(r, s.TrustedProxies))
}

// cookieName is the name of a cookie as browsers see it. Over https the prefix
// keeps other hosts of the domain from setting it (RFC 6265bis §4.1.3.2).
func (s *server) cookieName(name string) string {
	if s.https() {
		return "__Host-" + name
	}
	return name
}

func (s *server) setCookie(w http.ResponseWriter, name, value string, lifetime time.Duration) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever browsers come by https
		Name:     s.cookieName(name),
		Value:    value,
		Path:     "/",
		MaxAge:   int(lifetime.Seconds()),
		SameSite: http.SameSiteLaxMode,
		Secure:   s.https(),
		HttpOnly: true,
	})
}

// https tells whether browsers reach this server by https.
func (s *server) https() bool { return strings.HasPrefix(s.PublicURL, "https://") }

// toast is told on the next page this browser loads, which may be much later: it
// holds nothing of the people who are called, because no erasure reaches it.
func (s *server) toast(r *http.Request, text string) { s.sessions.Put(r.Context(), sessionToast, text) }

// undoable is toast with a way back: a form without fields. It stays until it is
// closed.
func (s *server) undoable(r *http.Request, text, undo, action string) {
	s.sessions.Put(r.Context(), sessionToast, strings.Join([]string{text, undo, action}, toastSeparator))
}

// toastSeparator stands in no words and in no path.
const toastSeparator = "\x1f"

// readToast is what toast or undoable left for this page.
func readToast(kept string) ui.Toast {
	t := ui.Toast{Text: kept}
	if parts := strings.Split(kept, toastSeparator); len(parts) == 3 {
		t.Text, t.Undo, t.UndoAction = parts[0], parts[1], parts[2]
	}
	return t
}

var errNotAdmin = fault.New(fault.Forbidden, "Only admins can do this. Ask an admin to do it or to make you an admin.")

// withNext is a page that leads on to next.
func withNext(path, next string) string {
	if next == "" || next == "/" {
		return path
	}
	return path + "?next=" + url.QueryEscape(next)
}

// ours returns path when it is a path of this site to go on to, else "/".
// Browsers read a backslash as a slash, and two slashes as another host.
func ours(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") {
		return "/"
	}
	if u, err := url.Parse(path); err != nil || u.Host != "" || u.Scheme != "" {
		return "/"
	}
	return path
}
