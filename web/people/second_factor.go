package people

import (
	"errors"
	"net/http"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// Keys of the session between the password and the code of a sign-in.
const (
	sessionStep     = "step"
	sessionRemember = "remember"
)

// sessionAsked is the page that a person asked for before they had to set up two-step sign-in.
const sessionAsked = "asked"

// issuer returns the name of this server in an authenticator app.
func (s *Server) issuer() string {
	if host := s.host(); host != "" {
		return "Dialwright " + host
	}
	return "Dialwright"
}

func (s *Server) SecondFactorForm(w http.ResponseWriter, r *http.Request) error {
	session := frame.SignedIn(r)
	f, err := s.Accounts.SecondFactor(r.Context(), session.User.ID)
	if err != nil {
		return err
	}
	if f.On {
		return s.factorIsOn(w, r)
	}
	e, err := s.Accounts.BeginSecondFactor(r.Context(), session.User, s.issuer())
	if err != nil {
		return err
	}
	return s.secondFactorPage(w, r, http.StatusOK, e, nil)
}

func (s *Server) factorIsOn(w http.ResponseWriter, r *http.Request) error {
	s.Toast(r, "Two-step sign-in is already on")
	return frame.SeeOther(w, r, "/profile")
}

// secondFactorPage shows the secret of an enrollment.
func (s *Server) secondFactorPage(
	w http.ResponseWriter, r *http.Request, status int, e account.Enrollment, errors ui.Errors,
) error {
	v := views.SetUpFactor{URI: e.URI, Secret: e.Secret, Ticket: e.Ticket, Errors: errors}
	if session := frame.SignedIn(r); session.FactorNeeded {
		v.RequiredBy = session.Organization.Name
	}
	return frame.RenderSecret(s.Server, w, r, status, "/profile/second-factor/new", views.SetUpFactorPage, v)
}

// TurnOnSecondFactor answers with the recovery codes, which no later page shows.
func (s *Server) TurnOnSecondFactor(w http.ResponseWriter, r *http.Request) error {
	session, ticket := frame.SignedIn(r), r.PostForm.Get("ticket")
	codes, err := s.Accounts.ConfirmSecondFactor(r.Context(), session, s.Actor(r), ticket, r.PostForm.Get("code"),
		r.PostForm.Get("password"))
	kind := fault.KindOf(err)
	if err == nil {
		return s.recoveryCodes(w, r, codes)
	}
	if kind != fault.Invalid && kind != fault.Conflict && kind != fault.RateLimited {
		return err
	}
	// The page must not show the secret of a second factor that is already on.
	if f, failed := s.Accounts.SecondFactor(r.Context(), session.User.ID); failed != nil {
		return failed
	} else if f.On {
		return s.factorIsOn(w, r)
	}
	frame.RetryAfter(w, fault.As(err))
	// The page shows the same QR code again, or a new code if the first has expired.
	e, again := s.Accounts.ContinueSecondFactor(r.Context(), session.User, s.issuer(), ticket)
	if fault.KindOf(again) == fault.Conflict {
		e, again = s.Accounts.BeginSecondFactor(r.Context(), session.User, s.issuer())
	}
	if again != nil {
		return again
	}
	return s.secondFactorPage(w, r, frame.Statuses[kind].Status, e, ui.ErrorsOf(err))
}

func (s *Server) recoveryCodes(w http.ResponseWriter, r *http.Request, codes []string) error {
	v := views.RecoveryCodes{Codes: codes, Next: "/profile"}
	if frame.SignedIn(r).FactorNeeded {
		v.Next = frame.OwnPath(s.Sessions.PopString(r.Context(), sessionAsked))
	}
	return frame.RenderSecret(s.Server, w, r, http.StatusCreated, "/profile", views.RecoveryCodesPage, v)
}

func (s *Server) RenewCodesForm(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.AskPasswordPage(s.Chrome(r), views.RenewRecoveryCodes(nil)))
}

func (s *Server) RenewCodes(w http.ResponseWriter, r *http.Request) error {
	codes, err := s.Accounts.RenewRecoveryCodes(r.Context(), frame.SignedIn(r), s.Actor(r), r.PostForm.Get("password"))
	if err != nil {
		return s.passwordRefused(w, r, err, views.RenewRecoveryCodes)
	}
	return s.recoveryCodes(w, r, codes)
}

func (s *Server) TurnOffForm(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.AskPasswordPage(s.Chrome(r), views.TurnOffFactor(nil)))
}

func (s *Server) TurnOffSecondFactor(w http.ResponseWriter, r *http.Request) error {
	if err := s.Accounts.TurnOffSecondFactor(
		r.Context(), frame.SignedIn(r), s.Actor(r), r.PostForm.Get("password"),
	); err != nil {
		return s.passwordRefused(w, r, err, views.TurnOffFactor)
	}
	s.Toast(r, "Two-step sign-in is off")
	return frame.SeeOther(w, r, "/profile")
}

func (s *Server) passwordRefused(
	w http.ResponseWriter, r *http.Request, err error, ask func(ui.Errors) views.AskPassword,
) error {
	switch kind := fault.KindOf(err); kind {
	case fault.Invalid, fault.Conflict, fault.RateLimited:
		frame.RetryAfter(w, fault.As(err))
		c := s.Chrome(r)
		c.Path = "/profile"
		return frame.Render(w, r, frame.Statuses[kind].Status, views.AskPasswordPage(c, ask(ui.ErrorsOf(err))))
	}
	return err
}

// askForCode begins the second step of a sign-in. The session keeps the result of the
// first step under a fresh token, so that a token planted before is worthless. A late
// form travels in the page, so the answer is the page itself.
func (s *Server) askForCode(w http.ResponseWriter, r *http.Request, step *account.SecondStep, v views.SignIn) error {
	if err := s.Sessions.RenewToken(r.Context()); err != nil {
		return err
	}
	s.Sessions.Put(r.Context(), sessionStep, step.Ticket)
	s.Sessions.Put(r.Context(), sessionRemember, v.Remember)
	if v.LateForm == "" {
		return frame.SeeOther(w, r, frame.WithNext("/sign-in/code", v.Next))
	}
	return s.codePage(w, r, http.StatusOK, views.SignInCode{Next: v.Next, LateForm: v.LateForm})
}

func (s *Server) CodeForm(w http.ResponseWriter, r *http.Request) error {
	next := frame.OwnPath(r.URL.Query().Get("next"))
	if _, ok := frame.Current(r); ok {
		return frame.SeeOther(w, r, next)
	}
	if s.Sessions.GetString(r.Context(), sessionStep) == "" {
		return frame.SeeOther(w, r, frame.WithNext("/sign-in", next))
	}
	return s.codePage(w, r, http.StatusOK, views.SignInCode{Next: next})
}

func (s *Server) codePage(w http.ResponseWriter, r *http.Request, status int, v views.SignInCode) error {
	shell := s.signInShell(r, "/sign-in/code", v.Next, v.LateForm)
	return frame.Render(w, r, status, views.SignInCodePage(shell, v))
}

func (s *Server) SignInWithCode(w http.ResponseWriter, r *http.Request) error {
	next, late := frame.OwnPath(r.PostForm.Get("next")), s.carriedForm(r)
	client := s.client(r)
	client.Stay = s.Sessions.GetBool(r.Context(), sessionRemember)
	token, session, err := s.Accounts.SignInWithCode(r.Context(), s.Sessions.GetString(r.Context(), sessionStep),
		r.PostForm.Get("code"), client)
	if e, ok := errors.AsType[*account.SignOnRequired](err); ok {
		s.Sessions.Remove(r.Context(), sessionStep)
		return s.signOnInstead(w, r, e, next)
	}
	switch kind := fault.KindOf(err); {
	case err == nil:
	case kind == fault.Unauthenticated:
		s.Sessions.Remove(r.Context(), sessionStep)
		if late != "" {
			return s.signInPage(w, r, http.StatusUnauthorized, views.SignIn{
				Next: next, LateForm: late, Notice: lateNotice, Error: fault.As(err).Message,
			})
		}
		s.Toast(r, fault.As(err).Message)
		return frame.SeeOther(w, r, frame.WithNext("/sign-in", next))
	case kind == fault.Invalid, kind == fault.RateLimited:
		f := fault.As(err)
		s.logRefusedSignIn(r, f)
		frame.RetryAfter(w, f)
		v := views.SignInCode{Next: next, Error: f.Message, LateForm: late}
		if kind == fault.Invalid {
			v.Error = ui.Capital(f.Fields[0].Message)
		}
		return s.codePage(w, r, frame.Statuses[kind].Status, v)
	default:
		return err
	}
	s.Sessions.Remove(r.Context(), sessionStep)
	s.Sessions.Remove(r.Context(), sessionRemember)
	if err := s.beginSession(w, r, token, session, client.Stay); err != nil {
		return err
	}
	return s.goOn(w, r, session, next, late)
}
