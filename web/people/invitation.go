package people

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/layout"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// Invitation shows the page behind the link of an invitation.
func (s *Server) Invitation(w http.ResponseWriter, r *http.Request) error {
	return s.invitationPage(w, r, http.StatusOK, r.URL.Query().Get("token"), "", nil)
}

func (s *Server) invitationPage(
	w http.ResponseWriter, r *http.Request, status int, token, name string, e ui.Errors,
) error {
	o, err := s.Accounts.Offer(r.Context(), token)
	if err != nil {
		return s.linkOver(w, r, err)
	}
	v := views.Offer{
		Token: token, Organization: o.Organization, Email: o.Email, Role: string(o.Role), InvitedBy: o.InvitedBy,
		HasAccount: o.HasAccount,
		Name:       name, Errors: e,
	}
	if session, ok := frame.Current(r); ok {
		v.SignedIn, v.BySignOn = session.User.Email, session.SingleSignOn
	}
	if o.SignOn != nil {
		v.SignOnLabel, v.SignOnPath = o.SignOn.Label, signOnPath(o.SignOn.Address, "/", o.Email)
		v.NoPassword = o.SignOn.PasswordsOff && o.Role != account.Admin
	}
	frame.ShowsSecret(w) // the address is a secret
	return frame.Render(w, r, status, views.InvitationPage(s.linked(r, "Invitation", "token", token), v))
}

// AcceptInvitation creates the account of the invited person and signs them in.
func (s *Server) AcceptInvitation(w http.ResponseWriter, r *http.Request) error {
	link, name := r.PostForm.Get("token"), r.PostForm.Get("name")
	token, session, err := s.Accounts.AcceptInvitation(r.Context(), link, name, r.PostForm.Get("password"), s.client(r))
	if e, ok := errors.AsType[*account.SignOnRequired](err); ok {
		return s.signOnInstead(w, r, e, "/")
	}
	if kind := fault.KindOf(err); kind == fault.Invalid || kind == fault.Conflict {
		return s.invitationPage(w, r, frame.Statuses[kind].Status, link, name, ui.ErrorsOf(err))
	}
	if err != nil {
		return s.linkOver(w, r, err)
	}
	return s.Done(w, r, s.beginSession(w, r, token, session, false), "Welcome to "+session.Organization.Name, "/")
}

// JoinOrganization accepts an invitation for the signed-in account.
func (s *Server) JoinOrganization(w http.ResponseWriter, r *http.Request) error {
	token := r.PostForm.Get("token")
	o, err := s.Accounts.Offer(r.Context(), token)
	if err != nil {
		return s.linkOver(w, r, err)
	}
	if err := s.Accounts.JoinOrganization(r.Context(), frame.SignedIn(r), token, s.client(r)); err != nil {
		if e, ok := errors.AsType[*account.SignOnRequired](err); ok {
			return s.signOnInstead(w, r, e, "/")
		}
		return s.linkOver(w, r, err)
	}
	s.Sessions.Put(r.Context(), frame.SessionOrganization, o.OrganizationID.String())
	s.Toast(r, "Welcome to "+o.Organization)
	return frame.SeeOther(w, r, "/")
}

// linkOver explains why a link that was sent to a person no longer works. The page
// existed for them, so the answer is more than "not found".
func (s *Server) linkOver(w http.ResponseWriter, r *http.Request, err error) error {
	if fault.KindOf(err) != fault.NotFound {
		return err
	}
	failure := views.Failure{
		Title: "This link no longer works", Text: fault.As(err).Message + ".", RequestID: frame.RequestID(r),
		BackHref: "/", BackLabel: "Go to sign-in",
	}
	if _, ok := frame.Current(r); ok {
		failure.BackLabel = "Go to the overview"
	}
	frame.ShowsSecret(w)
	return frame.Render(w, r, http.StatusNotFound, views.BareFailurePage(s.Bare(r, failure.Title), failure))
}

// linked returns the frame of a page that a link with a secret opens. The page's forms carry the secret, so the address
// of the answer to a form lacks it.
func (s *Server) linked(r *http.Request, title, parameter, secret string) layout.Bare {
	b := s.Bare(r, title)
	if secret != "" {
		b.Path = r.URL.Path + "?" + url.Values{parameter: {secret}}.Encode()
	}
	return b
}

func (s *Server) NewPasswordForm(w http.ResponseWriter, r *http.Request) error {
	return s.newPasswordPage(w, r, http.StatusOK, r.URL.Query().Get("token"), nil)
}

func (s *Server) newPasswordPage(w http.ResponseWriter, r *http.Request, status int, token string, e ui.Errors) error {
	user, err := s.Accounts.ResetOf(r.Context(), token)
	if err != nil {
		return s.linkOver(w, r, err)
	}
	frame.ShowsSecret(w) // the address is a secret
	chrome := s.linked(r, "New password", "token", token)
	return frame.Render(w, r, status, views.NewPasswordPage(chrome, views.NewPassword{
		Token: token, Email: user.Email, Errors: e,
	}))
}

func (s *Server) NewPassword(w http.ResponseWriter, r *http.Request) error {
	token := r.PostForm.Get("token")
	user, err := s.Accounts.UseResetLink(r.Context(), token, r.PostForm.Get("password"), s.client(r))
	if fault.KindOf(err) == fault.Invalid {
		return s.newPasswordPage(w, r, http.StatusUnprocessableEntity, token, ui.ErrorsOf(err))
	}
	if err != nil {
		return s.linkOver(w, r, err)
	}
	// A person with the link is known to the organization. Strangers who guess passwords
	// must not delay their sign-in.
	err = s.rememberDevice(w, r, user.ID)
	return s.Done(w, r, err, "Password changed. Sign in with your new password.", "/sign-in")
}

// ListOrganizations shows the person's organizations, to switch between them.
func (s *Server) ListOrganizations(w http.ResponseWriter, r *http.Request) error {
	session := frame.SignedIn(r)
	list, err := s.Accounts.Memberships(r.Context(), session.User.ID)
	if err != nil {
		return err
	}
	var v views.Organizations
	for _, m := range list {
		if session.SingleSignOn && m.OrganizationID != session.Organization.ID {
			continue // the provider vouches for the person in its own organization only
		}
		v.Rows = append(v.Rows, views.OrganizationRow{
			ID: m.OrganizationID.String(), Name: m.Organization, Role: string(m.Role),
			Current: m.OrganizationID == session.Organization.ID,
		})
	}
	return frame.Render(w, r, http.StatusOK, views.OrganizationsPage(s.Chrome(r), v))
}

func (s *Server) SwitchOrganization(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Organization")
	if err != nil {
		return err
	}
	err = s.Accounts.SwitchOrganization(r.Context(), frame.SignedIn(r), id)
	if e, ok := errors.AsType[*account.SignOnRequired](err); ok {
		return s.signOnInstead(w, r, e, "/")
	}
	if err != nil {
		return err
	}
	s.Sessions.Put(r.Context(), frame.SessionOrganization, id.String())
	return frame.SeeOther(w, r, "/")
}
