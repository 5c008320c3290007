package people

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// beginSession gives the browser a fresh session with the token, and makes the browser a
// known device of a person who knows the password.
func (s *Server) beginSession(
	w http.ResponseWriter, r *http.Request, token string, session account.Session, remember bool,
) error {
	if !session.SingleSignOn {
		if err := s.rememberDevice(w, r, session.User.ID); err != nil {
			return err
		}
	}
	if err := s.Sessions.RenewToken(r.Context()); err != nil {
		return err
	}
	s.Sessions.RememberMe(r.Context(), remember)
	s.Sessions.SetDeadline(r.Context(), time.Now().Add(session.Most+frame.SessionRest))
	s.Sessions.Put(r.Context(), frame.SessionToken, token)
	s.Sessions.Put(r.Context(), frame.SessionUser, session.User.ID.String())
	s.Sessions.Put(r.Context(), frame.SessionOrganization, session.Organization.ID.String())
	if remember && !session.Stays { // the form cannot know the organization
		s.Toast(r, fmt.Sprintf("%s does not let people stay signed in. You are signed out after %s at most.",
			session.Organization.Name, ui.Plural(int(session.Most.Hours()), "hour")))
	}
	return nil
}

// deviceCookie proves that a browser has signed in before (account/device.go).
// Browsers keep a cookie for at most 400 days.
const (
	deviceCookie   = "dialwright_device"
	deviceLifetime = 400 * 24 * time.Hour
)

func (s *Server) device(r *http.Request) string {
	if c, err := r.Cookie(s.CookieName(deviceCookie)); err == nil {
		return c.Value
	}
	return ""
}

// rememberDevice makes the browser a known device of a person who has just proved their
// identity.
func (s *Server) rememberDevice(w http.ResponseWriter, r *http.Request, userID uuid.UUID) error {
	value, err := s.Accounts.RememberDevice(r.Context(), userID, s.device(r))
	if err != nil {
		return err
	}
	s.SetCookie(w, deviceCookie, value, deviceLifetime)
	return nil
}

// Needs admits members whose role has the right. Whoever has to set up two-step sign-in
// first is led there from every path, except those that factorFree names.
func (s *Server) Needs(right account.Right, path string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		session, ok := frame.Current(r)
		switch {
		case !ok:
			s.askToSignIn(w, r)
		case session.FactorNeeded && !slices.Contains(factorFree, path):
			s.leadToSecondFactor(w, r)
		case !session.Role.May(right):
			s.Fail(w, r, frame.ErrMissingRight(right))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// factorFree are the paths that a person needs to set up two-step sign-in, or to leave.
var factorFree = []string{
	"/profile/second-factor/new", "/profile/second-factor", "/organizations", "/organizations/{id}/switch", "/sign-out",
}

// leadToSecondFactor answers every other request of a person who has to set up two-step
// sign-in. Nothing was done. The page that they asked for is where they go afterwards.
func (s *Server) leadToSecondFactor(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Accept") == frame.EventStream {
		frame.StartStream(w)
		_ = frame.SayGone(w) // the error means that the browser has gone
		return
	}
	if r.Method == http.MethodGet && r.Header.Get("HX-Request") == "" {
		s.Sessions.Put(r.Context(), sessionAsked, r.URL.RequestURI())
	}
	goTo(w, r, "/profile/second-factor/new")
}

// goTo sends the browser to another page, also when a script of the page made the request.
func goTo(w http.ResponseWriter, r *http.Request, target string) {
	if r.Header.Get("HX-Request") != "" {
		w.Header().Set("HX-Redirect", target)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	http.Redirect(w, r, target, http.StatusSeeOther)
}

// askToSignIn sends a person to the sign-in page, which leads back to the requested page.
// A posted form gets the sign-in form as its answer. A live stream gets an event that
// makes its page load again.
func (s *Server) askToSignIn(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Accept") == frame.EventStream {
		frame.StartStream(w)
		_ = frame.SayGone(w) // the error means that the browser has gone
		return
	}
	needed, err := s.Accounts.SetupNeeded(r.Context())
	if err != nil {
		s.Fail(w, r, err)
		return
	}
	if needed {
		http.Redirect(w, r, "/setup", http.StatusSeeOther)
		return
	}
	if r.Method == http.MethodPost {
		if err := s.signInFirst(w, r); err != nil {
			s.Fail(w, r, err)
		}
		return
	}
	goTo(w, r, frame.WithNext("/sign-in", r.URL.RequestURI()))
}
