package people

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/google/uuid"
	"golang.org/x/text/language"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/peer"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/layout"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

func (s *Server) SignInForm(w http.ResponseWriter, r *http.Request) error {
	if _, ok := frame.Current(r); ok {
		return frame.SeeOther(w, r, frame.OwnPath(r.URL.Query().Get("next")))
	}
	if needed, err := s.Accounts.SetupNeeded(r.Context()); err != nil {
		return err
	} else if needed {
		return frame.SeeOther(w, r, "/setup")
	}
	return s.signInPage(w, r, http.StatusOK, views.SignIn{
		Email:  r.URL.Query().Get("email"),
		Next:   frame.OwnPath(r.URL.Query().Get("next")),
		Notice: ui.Notice{Text: s.Sessions.PopString(r.Context(), frame.SessionToast)},
	})
}

func (s *Server) signInPage(w http.ResponseWriter, r *http.Request, status int, v views.SignIn) error {
	offer, err := s.Accounts.SignInOffer(r.Context())
	if err != nil {
		return err
	}
	v.SignOn, v.StayDays = offer.SignOn, offer.StayDays
	v.Host = s.host()
	return frame.Render(w, r, status, views.SignInPage(s.signInShell(r, "/sign-in", v.Next, v.LateForm), v))
}

// SignIn renews the session's token, so that a token planted before is worthless.
func (s *Server) SignIn(w http.ResponseWriter, r *http.Request) error {
	v := views.SignIn{
		Email:    r.PostFormValue("email"),
		Remember: r.PostFormValue("remember") != "",
		Next:     frame.OwnPath(r.PostFormValue("next")),
		LateForm: s.carriedForm(r),
	}
	if v.LateForm != "" {
		v.Notice = lateNotice
		if session, ok := frame.Current(r); ok && r.PostForm.Get("signed_in") != "" { // in another tab
			return s.goOn(w, r, session, v.Next, v.LateForm)
		}
	}
	client := s.client(r)
	client.Stay = v.Remember
	token, session, err := s.Accounts.SignIn(r.Context(), v.Email, r.PostFormValue("password"), client)
	if step, ok := errors.AsType[*account.SecondStep](err); ok {
		return s.askForCode(w, r, step, v)
	}
	if err != nil {
		f := fault.As(err)
		if f == nil {
			return err
		}
		if e, ok := errors.AsType[*account.SignOnRequired](err); ok && v.LateForm == "" {
			return s.signOnInstead(w, r, e, v.Next)
		}
		s.logRefusedSignIn(r, f)
		v.Error = f.Message
		frame.RetryAfter(w, f)
		return s.signInPage(w, r, frame.Statuses[f.Kind].Status, v)
	}
	if err := s.beginSession(w, r, token, session, v.Remember); err != nil {
		return err
	}
	return s.goOn(w, r, session, v.Next, v.LateForm)
}

// signInShell is the shell of a step of the sign-in. Without scripts, a change of theme
// loads the page again, which would lose a late form.
func (s *Server) signInShell(r *http.Request, path, next, lateForm string) layout.Bare {
	b := s.Bare(r, "Sign in")
	b.Path = frame.WithNext(path, next)
	if lateForm != "" {
		b.Path = ""
	}
	return b
}

// logRefusedSignIn logs the account of a refused sign-in and the client's address, and
// nothing that was typed.
func (s *Server) logRefusedSignIn(r *http.Request, f *fault.Error) {
	told := []any{"request_id", frame.RequestID(r), "address", s.client(r).Address, "error", f}
	if failed, ok := errors.AsType[*account.FailedSignIn](f); ok && failed.UserID != uuid.Nil {
		told = append(told, "account", failed.UserID)
	}
	s.Log.Warn("sign-in refused", told...)
}

func (s *Server) SignOut(w http.ResponseWriter, r *http.Request) error {
	if err := s.Accounts.SignOut(
		r.Context(), s.Sessions.GetString(r.Context(), frame.SessionToken), s.client(r),
	); err != nil {
		return err
	}
	if err := s.Sessions.Destroy(r.Context()); err != nil {
		return err
	}
	if next := frame.OwnPath(r.PostForm.Get("next")); next != "/" {
		return frame.SeeOther(w, r, next)
	}
	s.Toast(r, "You are signed out.")
	return frame.SeeOther(w, r, "/sign-in")
}

func (s *Server) client(r *http.Request) account.Client {
	return account.Client{Address: peer.Address(r, s.TrustedProxies), Agent: r.UserAgent(), Device: s.device(r)}
}

// host returns the server's host, as the address bar shows it.
func (s *Server) host() string {
	u, err := url.Parse(s.PublicURL)
	if err != nil {
		return ""
	}
	return u.Host
}

func (s *Server) SetUpForm(w http.ResponseWriter, r *http.Request) error {
	if needed, err := s.Accounts.SetupNeeded(r.Context()); err != nil {
		return err
	} else if !needed { // the address of the set-up may still stand in the history
		http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
		return nil
	}
	v := views.SetUp{Code: r.URL.Query().Get("code"), TimeZone: "UTC", Region: browserRegion(r), Fresh: true}
	if v.Code != "" {
		if err := s.Accounts.CheckSetup(r.Context(), v.Code); err != nil {
			if fault.KindOf(err) != fault.Forbidden {
				return err
			}
			v.Errors = ui.Errors{"code": fault.As(err).Message}
		}
	}
	return frame.Render(w, r, http.StatusOK, views.SetUpPage(s.linked(r, "Set up this server", "code", v.Code), v))
}

// browserRegion returns the country of the browser's preferred languages, or "US" if they
// name none.
func browserRegion(r *http.Request) string {
	tags, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err == nil && len(tags) > 0 {
		if region, confidence := tags[0].Region(); confidence > language.No && phone.KnownRegion(region.String()) {
			return region.String()
		}
	}
	return "US"
}

func (s *Server) SetUp(w http.ResponseWriter, r *http.Request) error {
	v := views.SetUp{
		Code: r.PostFormValue("code"), Organization: r.PostFormValue("organization"),
		TimeZone: r.PostFormValue("time_zone"),
		Region:   r.PostFormValue("region"), Name: r.PostFormValue("name"), Email: r.PostFormValue("email"),
	}
	password := r.PostFormValue("password")
	_, _, err := s.Accounts.CompleteSetup(r.Context(), v.Code, account.Setup{
		Organization: account.OrganizationSettings{Name: v.Organization, TimeZone: v.TimeZone, Region: v.Region},
		User:         account.NewUser{Name: v.Name, Email: v.Email, Password: password},
	})
	chrome := s.linked(r, "Set up this server", "code", v.Code)
	switch fault.KindOf(err) {
	case fault.Invalid:
		v.Errors = formErrors(err, map[string]string{
			"organization.name": "organization", "organization.time_zone": "time_zone", "organization.region": "region",
		})
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.SetUpPage(chrome, v))
	case fault.Forbidden:
		v.Errors = ui.Errors{"code": fault.As(err).Message}
		return frame.Render(w, r, http.StatusForbidden, views.SetUpPage(chrome, v))
	}
	if err != nil {
		return err
	}
	token, session, err := s.Accounts.SignIn(r.Context(), v.Email, password, s.client(r))
	if err != nil {
		return err
	}
	if err := s.beginSession(w, r, token, session, false); err != nil {
		return err
	}
	return frame.SeeOther(w, r, "/")
}

// formErrors returns the problems of an error under the form's field names. names maps
// the domain's paths to the form's names where the two differ.
func formErrors(err error, names map[string]string) ui.Errors {
	e := ui.ErrorsOf(err)
	for path, name := range names {
		if message, ok := e[path]; ok {
			delete(e, path)
			e[name] = message
		}
	}
	return e
}
