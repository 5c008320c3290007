package frame

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/peer"
	"github.com/dialwright/dialwright/views/ui"
)

// Keys of the browser's session: the token of the user_session row, and the toast of the
// next page.
const (
	SessionToken = "token"
	SessionToast = "toast"
	// The user and the organization, which remain after the row is deleted. A late form
	// is offered only to this user.
	SessionUser         = "user"
	SessionOrganization = "organization"
)

// SessionRest is how long the browser's session outlives the person's session. During
// that time the sender of a late form is known.
const SessionRest = 24 * time.Hour

type sessionKey struct{}

// Identify looks up the signed-in person. It reads the row on every request, so a revoked
// session or a changed role takes effect at once.
func (s *Server) Identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if session, ok, err := s.authenticate(r); err != nil {
			s.Fail(w, r, err)
			return
		} else if ok {
			Observed(r).Organization = session.Organization.ID.String()
			r = WithSession(r, session)
		}
		next.ServeHTTP(w, r)
	})
}

// WithSession returns r as a request of the session, for SignedIn and Actor.
func WithSession(r *http.Request, session account.Session) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), sessionKey{}, session))
}

// authenticate reads the session. ok is false if nobody is signed in.
func (s *Server) authenticate(r *http.Request) (session account.Session, ok bool, err error) {
	token := s.Sessions.GetString(r.Context(), SessionToken)
	if token == "" {
		return session, false, nil
	}
	session, err = s.Accounts.Authenticate(r.Context(), token)
	if fault.KindOf(err) == fault.Unauthenticated {
		return session, false, nil
	}
	return session, err == nil, err
}

// StillMay reports whether the session of a request that takes long still exists, with a right.
func (s *Server) StillMay(r *http.Request, right account.Right) (bool, error) {
	session, ok, err := s.authenticate(r)
	return ok && May(WithSession(r, session), right), err
}

// Current returns the session of the signed-in person. ok is false if nobody is signed in.
func Current(r *http.Request) (account.Session, bool) {
	session, ok := r.Context().Value(sessionKey{}).(account.Session)
	return session, ok
}

// SignedIn is Current for handlers behind a role.
func SignedIn(r *http.Request) account.Session {
	session, _ := Current(r)
	return session
}

// May reports whether the signed-in person has a right.
func May(r *http.Request, right account.Right) bool { return SignedIn(r).Role.May(right) }

// Actor returns the signed-in person as an actor, with the client's address.
func (s *Server) Actor(r *http.Request) account.Actor {
	return SignedIn(r).Actor(peer.Address(r, s.TrustedProxies))
}

// CookieName returns the name of a cookie in the browser. Over https, the prefix keeps
// other hosts of the domain from setting it (RFC 6265bis §4.1.3.2).
func (s *Server) CookieName(name string) string {
	if s.https() {
		return "__Host-" + name
	}
	return name
}

// SetCookie sets a cookie under its CookieName. Scripts cannot read it.
func (s *Server) SetCookie(w http.ResponseWriter, name, value string, lifetime time.Duration) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever browsers come by https
		Name:     s.CookieName(name),
		Value:    value,
		Path:     "/",
		MaxAge:   int(lifetime.Seconds()),
		SameSite: http.SameSiteLaxMode,
		Secure:   s.https(),
		HttpOnly: true,
	})
}

// https reports whether browsers reach this server by https.
func (s *Server) https() bool { return strings.HasPrefix(s.PublicURL, "https://") }

// Toast shows text on the next page that this browser loads, which may be much later.
// The text must contain no data of recipients, because an erasure does not delete
// toasts.
func (s *Server) Toast(r *http.Request, text string) { s.Sessions.Put(r.Context(), SessionToast, text) }

// Undoable is Toast with an undo button, which posts an empty form to action. The toast
// stays until the person closes it.
func (s *Server) Undoable(r *http.Request, text, undo, action string) {
	s.Sessions.Put(r.Context(), SessionToast, strings.Join([]string{text, undo, action}, toastSeparator))
}

// toastSeparator separates the parts of a stored toast. No text and no path contains it.
const toastSeparator = "\x1f"

// readToast parses a toast that Toast or Undoable stored.
func readToast(kept string) ui.Toast {
	t := ui.Toast{Text: kept}
	if parts := strings.Split(kept, toastSeparator); len(parts) == 3 {
		t.Text, t.Undo, t.UndoAction = parts[0], parts[1], parts[2]
	}
	return t
}

// ErrMissingRight refuses a page to a person whose role lacks its right.
func ErrMissingRight(right account.Right) error { return missingRights[right] }

func isMissingRight(f *fault.Error) bool {
	for _, refusal := range missingRights {
		if f == refusal {
			return true
		}
	}
	return false
}

var missingRights = refusals()

func refusals() map[account.Right]*fault.Error {
	all := map[account.Right]*fault.Error{}
	for _, line := range account.Rights() {
		who := "Only admins can do this."
		if slices.Contains(line.Roles, account.Manager) {
			who = "Only admins and managers can do this."
		}
		all[line.Right] = fault.New(fault.Forbidden, "%s Ask an admin to do it or to change your role.", who)
	}
	return all
}

// WithNext returns path with next as its query parameter, the page to open afterwards.
func WithNext(path, next string) string {
	if next == "" || next == "/" {
		return path
	}
	return path + "?next=" + url.QueryEscape(next)
}

// OwnPath returns path if it is a path of this site, and "/" otherwise. Browsers read a
// backslash as a slash, and two slashes as another host.
func OwnPath(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") {
		return "/"
	}
	if u, err := url.Parse(path); err != nil || u.Host != "" || u.Scheme != "" {
		return "/"
	}
	return path
}
