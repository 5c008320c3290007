package web

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func (s *server) organization(w http.ResponseWriter, r *http.Request) error {
	o := signedIn(r).Organization
	return render(w, r, http.StatusOK, views.OrganizationPage(s.chrome(r), views.Organization{
		ID: o.ID.String(), Name: o.Name, TimeZone: o.TimeZone, Region: o.Region,
	}))
}

func (s *server) updateOrganization(w http.ResponseWriter, r *http.Request) error {
	v := views.Organization{
		ID:   signedIn(r).Organization.ID.String(),
		Name: r.PostFormValue("name"), TimeZone: r.PostFormValue("time_zone"), Region: r.PostFormValue("region"),
	}
	_, err := s.Accounts.UpdateOrganization(r.Context(), s.actor(r), account.OrganizationSettings{
		Name: v.Name, TimeZone: v.TimeZone, Region: v.Region,
	})
	if fault.KindOf(err) == fault.Invalid {
		v.Errors = ui.ErrorsOf(err)
		return render(w, r, http.StatusUnprocessableEntity, views.OrganizationPage(s.chrome(r), v))
	}
	if err != nil {
		return err
	}
	s.toast(r, "Organization saved")
	return seeOther(w, r, "/settings/organization")
}
