package people

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/oidc"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const signOnsPath = "/sign-in/sso"

// Callback is the path to which account.CallbackURL adds the organization.
const Callback = signOnsPath + "/callback/"

// signOnPath returns the page with the single sign-on of an organization.
func signOnPath(address, next, email string) string {
	path := frame.WithNext(signOnsPath+"/"+url.PathEscape(address), next)
	if email == "" {
		return path
	}
	if !strings.Contains(path, "?") {
		return path + "?email=" + url.QueryEscape(email)
	}
	return path + "&email=" + url.QueryEscape(email)
}

func (s *Server) FindSignOnForm(w http.ResponseWriter, r *http.Request) error {
	return s.findSignOnPage(w, r, http.StatusOK, views.FindSignOn{Next: frame.OwnPath(r.URL.Query().Get("next"))})
}

func (s *Server) findSignOnPage(w http.ResponseWriter, r *http.Request, status int, v views.FindSignOn) error {
	return frame.Render(w, r, status, views.FindSignOnPage(s.signInShell(r, signOnsPath, v.Next, ""), v))
}

// FindSignOn leads to the single sign-on of an organization, and never to its provider: an organization names its
// domains itself, so people see by its name where they are about to sign in.
func (s *Server) FindSignOn(w http.ResponseWriter, r *http.Request) error {
	v := views.FindSignOn{Find: strings.TrimSpace(r.PostForm.Get("find")), Next: frame.OwnPath(r.PostForm.Get("next"))}
	found, err := s.Accounts.FindSignOns(r.Context(), v.Find)
	if err != nil {
		return err
	}
	email := v.Find
	if !strings.Contains(email, "@") {
		email = ""
	}
	switch {
	case v.Find == "":
		v.Error = "required"
	case len(found) == 0:
		v.Error = "no organization with single sign-on is known by this. Check the spelling, or ask your admin for " +
			"the address of your sign-in page"
	case len(found) == 1:
		return frame.SeeOther(w, r, signOnPath(found[0].Address, v.Next, email))
	default:
		for _, o := range found {
			v.Found = append(v.Found, views.SignOnLink{
				Organization: o.Organization,
				Label:        o.Label,
				Host:         oidc.Host(o.Issuer),
				Href:         signOnPath(o.Address, v.Next, email),
			})
		}
		return s.findSignOnPage(w, r, http.StatusOK, v)
	}
	return s.findSignOnPage(w, r, http.StatusUnprocessableEntity, v)
}

// SignOn shows the single sign-on of an organization.
func (s *Server) SignOn(w http.ResponseWriter, r *http.Request) error {
	o, err := s.Accounts.SignOnAt(r.Context(), r.PathValue("address"))
	if err != nil {
		return err
	}
	return s.signOnPage(w, r, http.StatusOK, o, frame.OwnPath(r.URL.Query().Get("next")), nil)
}

func (s *Server) signOnPage(
	w http.ResponseWriter, r *http.Request, status int, o account.SignOn, next string, f *fault.Error,
) error {
	path := signOnPath(o.Address, next, r.URL.Query().Get("email"))
	page, query, asked := strings.Cut(path, "?")
	v := views.SignOn{
		Organization: o.Organization,
		Label:        o.Label,
		Host:         oidc.Host(o.Issuer),
		Start:        page + "/start",
		Next:         next,
		PasswordsOff: o.PasswordsOff,
		Notice:       ui.Notice{Text: s.Sessions.PopString(r.Context(), frame.SessionToast)},
	}
	if asked {
		v.Start += "?" + query
	}
	if f != nil {
		v.Error = f.Message
	}
	b := s.Bare(r, "Sign in to "+o.Organization)
	b.Path = path
	return frame.Render(w, r, status, views.SignOnPage(b, v))
}

// signOnInstead leads a person whose password the organization refuses to its single sign-on.
func (s *Server) signOnInstead(w http.ResponseWriter, r *http.Request, e *account.SignOnRequired, next string) error {
	s.Toast(r, fault.As(e).Message+".")
	return frame.SeeOther(w, r, signOnPath(e.Address, next, ""))
}

// StartSignOn leads to the provider. Only a click on our own page starts a sign-in: another site could otherwise sign
// a browser in to an organization of its choice, without a word.
func (s *Server) StartSignOn(w http.ResponseWriter, r *http.Request) error {
	address, next := r.PathValue("address"), frame.OwnPath(r.URL.Query().Get("next"))
	email := r.URL.Query().Get("email")
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return frame.SeeOther(w, r, signOnPath(address, next, email))
	}
	if len(next) > maxNext {
		next = "/"
	}
	start, err := s.Accounts.BeginSingleSignOn(r.Context(), address, s.LinkURL+Callback, next, email)
	if err != nil {
		return s.signOnFailed(w, r, err, next, func() (*account.SignOn, error) {
			o, err := s.Accounts.SignOnAt(r.Context(), address)
			return &o, err
		})
	}
	s.forgetSignOns(w, r)
	s.SetCookie(w, signOnCookie(start.State), start.Ticket, account.SignOnLifetime)
	return frame.SeeOther(w, r, start.URL)
}

// maxNext bounds the path to go on to, so that a ticket fits a cookie.
const maxNext = 1500

// signOnCookies begins the names of the cookies with tickets: one for each sign-in, so that two tabs don't disturb
// each other.
const (
	signOnCookies    = "dialwright_sso_"
	maxSignOnCookies = 3
)

// signOnCookie returns the name of the cookie of a sign-in.
func signOnCookie(state string) string {
	for _, r := range state {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return signOnCookies // of no sign-in
		}
	}
	return signOnCookies + state[:min(len(state), 12)]
}

// forgetSignOns deletes the tickets of sign-ins that were not completed, once they are several, so that the browser's
// requests stay small.
func (s *Server) forgetSignOns(w http.ResponseWriter, r *http.Request) {
	var names []string
	prefix := s.CookieName(signOnCookies)
	for _, c := range r.Cookies() {
		if strings.HasPrefix(c.Name, prefix) {
			names = append(names, signOnCookies+strings.TrimPrefix(c.Name, prefix))
		}
	}
	if len(names) < maxSignOnCookies {
		return
	}
	for _, name := range names {
		s.SetCookie(w, name, "", -1)
	}
}

// FinishSignOn is where the provider sends the browser back to.
func (s *Server) FinishSignOn(w http.ResponseWriter, r *http.Request) error {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return frame.ErrNoPage
	}
	q := r.URL.Query()
	name := signOnCookie(q.Get("state"))
	ticket := ""
	if c, err := r.Cookie(s.CookieName(name)); err == nil {
		ticket = c.Value
		s.SetCookie(w, name, "", -1)
	}
	answer := oidc.Answer{State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss"), Error: q.Get("error")}
	token, session, next, err := s.Accounts.FinishSingleSignOn(
		r.Context(), id, ticket, s.LinkURL+Callback, answer, s.client(r))
	next = frame.OwnPath(next)
	if err != nil {
		return s.signOnFailed(w, r, err, next, func() (*account.SignOn, error) {
			return s.Accounts.SignOnOf(r.Context(), id)
		})
	}
	if err := s.beginSession(w, r, token, session, false); err != nil {
		return err
	}
	return frame.SeeOther(w, r, next)
}

// signOnFailed shows why a sign-in failed on the page that starts it again. Nothing of the provider's address is in
// the browser's history then.
func (s *Server) signOnFailed(
	w http.ResponseWriter, r *http.Request, failed error, next string, of func() (*account.SignOn, error),
) error {
	f := fault.As(failed)
	if f == nil || f.Kind == fault.NotFound {
		return failed
	}
	s.logRefusedSignIn(r, f)
	o, err := of()
	if err != nil {
		return err
	}
	if o == nil {
		return failed
	}
	return s.signOnPage(w, r, frame.Statuses[f.Kind].Status, *o, next, f)
}
