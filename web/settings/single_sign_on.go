package settings

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/people"
)

const singleSignOnPath = signInPath + "/sso"

func (s *Server) SingleSignOn(w http.ResponseWriter, r *http.Request) error {
	v, err := s.singleSignOnView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.SingleSignOnPage(s.Chrome(r), v))
}

// singleSignOnView returns the page with the saved values, or with those to begin with.
func (s *Server) singleSignOnView(r *http.Request) (views.SingleSignOn, error) {
	organization := frame.SignedIn(r).Organization
	v := views.SingleSignOn{
		CallbackURL: account.CallbackURL(s.LinkURL+people.Callback, organization.ID),
		Address:     proposedAddress(organization.Name),
	}
	o, err := s.Accounts.SingleSignOn(r.Context(), organization.ID)
	if err != nil || o == nil {
		return v, err
	}
	v.Saved, v.SignInURL = true, s.LinkURL+"/sign-in/sso/"+o.Address
	v.Label, v.Issuer, v.ClientID, v.Address = o.Label, o.Issuer, o.ClientID, o.Address
	v.Domains, v.Creates = views.Lines(o.Domains), o.CreatesMembers
	v.RoleClaim, v.DefaultRole = o.RoleClaim, string(o.DefaultRole)
	v.Admins, v.Managers, v.Staff = views.Lines(o.AdminValues), views.Lines(o.ManagerValues), views.Lines(o.StaffValues)
	v.PasswordsOff, v.SignedInAt, v.Revision = o.PasswordsOff, frame.OrZero(o.SignedInAt), o.Mark()
	return v, nil
}

// proposedAddress proposes an address for an organization.
func proposedAddress(name string) string {
	address := strings.Trim(strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-"), "-")
	const most = 50
	return strings.Trim(address[:min(len(address), most)], "-")
}

func (s *Server) UpdateSingleSignOn(w http.ResponseWriter, r *http.Request) error {
	v, err := s.singleSignOnView(r)
	if err != nil {
		return err
	}
	current := v.Revision
	v.Label, v.Issuer, v.ClientID = r.PostFormValue("label"), r.PostFormValue("issuer"), r.PostFormValue("client_id")
	v.Address, v.Domains = r.PostFormValue("address"), r.PostFormValue("domains")
	v.Creates, v.PasswordsOff = r.PostFormValue("creates_members") != "", r.PostFormValue("passwords_off") != ""
	v.RoleClaim, v.DefaultRole = r.PostFormValue("role_claim"), r.PostFormValue("default_role")
	v.Admins, v.Managers = r.PostFormValue("admin_values"), r.PostFormValue("manager_values")
	v.Staff = r.PostFormValue("staff_values")
	err = s.Accounts.SetSingleSignOn(r.Context(), s.Actor(r), account.SingleSignOn{
		Label:    v.Label,
		Issuer:   v.Issuer,
		ClientID: v.ClientID,
		Secret:   r.PostFormValue("client_secret"),
		Address:  v.Address,
		Domains: strings.FieldsFunc(v.Domains, func(r rune) bool {
			return strings.ContainsRune(" ,;\r\n\t", r)
		}),
		CreatesMembers: v.Creates,
		RoleClaim:      v.RoleClaim,
		AdminValues:    strings.Split(v.Admins, "\n"),
		ManagerValues:  strings.Split(v.Managers, "\n"),
		StaffValues:    strings.Split(v.Staff, "\n"),
		DefaultRole:    account.Role(v.DefaultRole),
		PasswordsOff:   v.PasswordsOff,
		Revision:       r.PostFormValue("revision"),
	})
	v.Revision = frame.Revision(r, err, current)
	done := "Single sign-on saved"
	if !v.Saved {
		done = "Single sign-on is on. Sign in with it once, in another browser, to see that it works."
	}
	status := cmp.Or(frame.Statuses[fault.KindOf(err)].Status, http.StatusUnprocessableEntity)
	return s.Saved(w, r, err, done, singleSignOnPath, func(e ui.Errors) error {
		v.Errors = e
		return frame.Render(w, r, status, views.SingleSignOnPage(s.Chrome(r), v))
	})
}

func (s *Server) ConfirmRemoveSingleSignOn(w http.ResponseWriter, r *http.Request) error {
	question, err := s.removeSignOn(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, question)
}

func (s *Server) removeSignOn(r *http.Request) (views.Confirm, error) {
	organization := frame.SignedIn(r).Organization.ID
	o, err := s.Accounts.SingleSignOn(r.Context(), organization)
	if err != nil {
		return views.Confirm{}, err
	}
	if o == nil {
		return views.Confirm{}, frame.ErrNoPage
	}
	n, err := s.Accounts.MembersWithoutPassword(r.Context(), organization)
	return views.RemoveSignOn(o.Label, n), err
}

func (s *Server) RemoveSingleSignOn(w http.ResponseWriter, r *http.Request) error {
	question, err := s.removeSignOn(r)
	if err != nil {
		return err
	}
	err = s.Accounts.RemoveSingleSignOn(r.Context(), s.Actor(r))
	return s.Saved(w, r, err, "Single sign-on is off", signInPath, func(e ui.Errors) error {
		question.Errors = e
		return frame.Render(w, r, http.StatusConflict, views.ConfirmPage(s.Chrome(r), question))
	})
}
