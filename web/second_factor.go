package web

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// What the session of somebody holds who has shown the password and not yet the
// code.
const (
	sessionStep     = "step"
	sessionRemember = "remember"
)

// issuer is how an authenticator app names this server.
func (s *server) issuer() string {
	if host := s.host(); host != "" {
		return "Dialwright " + host
	}
	return "Dialwright"
}

func (s *server) secondFactorForm(w http.ResponseWriter, r *http.Request) error {
	session := signedIn(r)
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

func (s *server) factorIsOn(w http.ResponseWriter, r *http.Request) error {
	s.toast(r, "Two-step sign-in is already on")
	return seeOther(w, r, "/profile")
}

// secondFactorPage shows the secret of an enrolment.
func (s *server) secondFactorPage(w http.ResponseWriter, r *http.Request, status int, e account.Enrolment, errors ui.Errors) error {
	showsSecret(w)
	c := s.chrome(r)
	c.Path = "/profile/second-factor/new"
	return render(w, r, status, views.SetUpFactorPage(c, views.SetUpFactor{URI: e.URI, Secret: e.Secret, Ticket: e.Ticket, Errors: errors}))
}

// turnOnSecondFactor answers with the recovery codes: the only time they are
// seen.
func (s *server) turnOnSecondFactor(w http.ResponseWriter, r *http.Request) error {
	session, ticket := signedIn(r), r.PostForm.Get("ticket")
	codes, err := s.Accounts.ConfirmSecondFactor(r.Context(), session, s.actor(r), ticket, r.PostForm.Get("code"), r.PostForm.Get("password"))
	kind := fault.KindOf(err)
	if err == nil {
		return s.recoveryCodes(w, r, codes)
	}
	if kind != fault.Invalid && kind != fault.Conflict && kind != fault.RateLimited {
		return err
	}
	// The secret of one that is on is shown no more.
	if f, failed := s.Accounts.SecondFactor(r.Context(), session.User.ID); failed != nil {
		return failed
	} else if f.On {
		return s.factorIsOn(w, r)
	}
	retryAfter(w, fault.As(err))
	// The same QR code again, or a new one where that is too old.
	e, again := s.Accounts.ContinueSecondFactor(r.Context(), session.User, s.issuer(), ticket)
	if fault.KindOf(again) == fault.Conflict {
		e, again = s.Accounts.BeginSecondFactor(r.Context(), session.User, s.issuer())
	}
	if again != nil {
		return again
	}
	return s.secondFactorPage(w, r, statuses[kind].status, e, ui.ErrorsOf(err))
}

func (s *server) recoveryCodes(w http.ResponseWriter, r *http.Request, codes []string) error {
	showsSecret(w)
	c := s.chrome(r)
	c.Path = "/profile"
	return render(w, r, http.StatusCreated, views.RecoveryCodesPage(c, codes))
}

func (s *server) renewCodesForm(w http.ResponseWriter, r *http.Request) error {
	return render(w, r, http.StatusOK, views.AskPasswordPage(s.chrome(r), views.RenewRecoveryCodes(nil)))
}

func (s *server) renewCodes(w http.ResponseWriter, r *http.Request) error {
	codes, err := s.Accounts.RenewRecoveryCodes(r.Context(), signedIn(r), s.actor(r), r.PostForm.Get("password"))
	if err != nil {
		return s.passwordRefused(w, r, err, views.RenewRecoveryCodes)
	}
	return s.recoveryCodes(w, r, codes)
}

func (s *server) turnOffForm(w http.ResponseWriter, r *http.Request) error {
	return render(w, r, http.StatusOK, views.AskPasswordPage(s.chrome(r), views.TurnOffFactor(nil)))
}

func (s *server) turnOffSecondFactor(w http.ResponseWriter, r *http.Request) error {
	if err := s.Accounts.TurnOffSecondFactor(r.Context(), signedIn(r), s.actor(r), r.PostForm.Get("password")); err != nil {
		return s.passwordRefused(w, r, err, views.TurnOffFactor)
	}
	s.toast(r, "Two-step sign-in is off")
	return seeOther(w, r, "/profile")
}

func (s *server) passwordRefused(w http.ResponseWriter, r *http.Request, err error, ask func(ui.Errors) views.AskPassword) error {
	switch kind := fault.KindOf(err); kind {
	case fault.Invalid, fault.Conflict, fault.RateLimited:
		retryAfter(w, fault.As(err))
		c := s.chrome(r)
		c.Path = "/profile"
		return render(w, r, statuses[kind].status, views.AskPasswordPage(c, ask(ui.ErrorsOf(err))))
	}
	return err
}

// askForCode goes on to the second step of a sign-in. What was shown so far is
// kept under a fresh token, so that one planted before is worthless. A late form
// travels in the page, so the answer is the page itself.
func (s *server) askForCode(w http.ResponseWriter, r *http.Request, step *account.SecondStep, v views.SignIn) error {
	if err := s.sessions.RenewToken(r.Context()); err != nil {
		return err
	}
	s.sessions.Put(r.Context(), sessionStep, step.Ticket)
	s.sessions.Put(r.Context(), sessionRemember, v.Remember)
	if v.LateForm == "" {
		return seeOther(w, r, withNext("/sign-in/code", v.Next))
	}
	return s.codePage(w, r, http.StatusOK, views.SignInCode{Next: v.Next, LateForm: v.LateForm})
}

func (s *server) codeForm(w http.ResponseWriter, r *http.Request) error {
	next := ours(r.URL.Query().Get("next"))
	if _, ok := current(r); ok {
		return seeOther(w, r, next)
	}
	if s.sessions.GetString(r.Context(), sessionStep) == "" {
		return seeOther(w, r, withNext("/sign-in", next))
	}
	return s.codePage(w, r, http.StatusOK, views.SignInCode{Next: next})
}

func (s *server) codePage(w http.ResponseWriter, r *http.Request, status int, v views.SignInCode) error {
	shell := s.signInShell(r, "/sign-in/code", v.Next, v.LateForm)
	return render(w, r, status, views.SignInCodePage(shell, v))
}

func (s *server) signInWithCode(w http.ResponseWriter, r *http.Request) error {
	next, late := ours(r.PostForm.Get("next")), s.carriedForm(r)
	client := s.client(r)
	client.Stay = s.sessions.GetBool(r.Context(), sessionRemember)
	token, session, err := s.Accounts.SignInWithCode(r.Context(), s.sessions.GetString(r.Context(), sessionStep), r.PostForm.Get("code"), client)
	switch kind := fault.KindOf(err); {
	case err == nil:
	case kind == fault.Unauthenticated:
		s.sessions.Remove(r.Context(), sessionStep)
		if late != "" {
			v := views.SignIn{
				Host: s.host(), Next: next, LateForm: late, Notice: lateNotice, Error: fault.As(err).Message,
			}
			return render(w, r, http.StatusUnauthorized, views.SignInPage(s.signInShell(r, "/sign-in", next, late), v))
		}
		s.toast(r, fault.As(err).Message)
		return seeOther(w, r, withNext("/sign-in", next))
	case kind == fault.Invalid, kind == fault.RateLimited:
		f := fault.As(err)
		s.logRefusedSignIn(r, f)
		retryAfter(w, f)
		v := views.SignInCode{Next: next, Error: f.Message, LateForm: late}
		if kind == fault.Invalid {
			v.Error = ui.Capital(f.Fields[0].Message)
		}
		return s.codePage(w, r, statuses[kind].status, v)
	default:
		return err
	}
	s.sessions.Remove(r.Context(), sessionStep)
	s.sessions.Remove(r.Context(), sessionRemember)
	if err := s.beginSession(w, r, token, session, client.Stay); err != nil {
		return err
	}
	return s.goOn(w, r, session, next, late)
}
