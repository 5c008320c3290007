package settings

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/oidc"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const signInPath = "/settings/sign-in"

func (s *Server) SignIn(w http.ResponseWriter, r *http.Request) error {
	v, err := s.signInView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.SignInPolicyPage(s.Chrome(r), v))
}

// signInView returns the page with the saved values.
func (s *Server) signInView(r *http.Request) (views.SignInPolicy, error) {
	organization := frame.SignedIn(r).Organization.ID
	p, err := s.Accounts.SignInPolicy(r.Context(), organization)
	if err != nil {
		return views.SignInPolicy{}, err
	}
	v := views.SignInPolicy{
		SecondFactorRequired: p.SecondFactorRequired,
		IdleMinutes:          strconv.Itoa(p.SessionIdleMinutes),
		Hours:                strconv.Itoa(p.SessionHours),
		StayDays:             strconv.Itoa(p.SessionStayDays),
		Revision:             p.Mark(),
	}
	o, err := s.Accounts.SignOnOf(r.Context(), organization)
	if o != nil {
		v.SignOn, v.SignOnHost, v.SignOnOnly = o.Label, oidc.Host(o.Issuer), o.PasswordsOff
	}
	return v, err
}

func (s *Server) UpdateSignIn(w http.ResponseWriter, r *http.Request) error {
	v, err := s.signInView(r)
	if err != nil {
		return err
	}
	current := v.Revision
	v.SecondFactorRequired = r.PostFormValue("second_factor_required") != ""
	v.IdleMinutes, v.Hours = r.PostFormValue("session_idle_minutes"), r.PostFormValue("session_hours")
	v.StayDays = r.PostFormValue("session_stay_days")
	var p fault.Problems
	policy := account.SignInPolicy{
		SecondFactorRequired: v.SecondFactorRequired,
		SessionIdleMinutes:   number(&p, "session_idle_minutes", v.IdleMinutes),
		SessionHours:         number(&p, "session_hours", v.Hours),
		SessionStayDays:      number(&p, "session_stay_days", v.StayDays),
		Revision:             r.PostFormValue("revision"),
	}
	if err = p.Err(); err == nil {
		err = s.Accounts.SetSignInPolicy(r.Context(), s.Actor(r), policy)
	}
	v.Revision = frame.Revision(r, err, current)
	return s.Saved(w, r, err, "Sign-in rules saved", signInPath, func(e ui.Errors) error {
		v.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.SignInPolicyPage(s.Chrome(r), v))
	})
}

// number reads a whole number from a field that must not be empty.
func number(p *fault.Problems, path, value string) int {
	if n := frame.OptionalInt(p, path, value); n != nil {
		return *n
	}
	if strings.TrimSpace(value) == "" {
		p.Addf(path, "required")
	}
	return 0
}
