package web

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func (s *server) organization(w http.ResponseWriter, r *http.Request) error {
	v, err := s.organizationView(r)
	if err != nil {
		return err
	}
	return render(w, r, http.StatusOK, views.OrganizationPage(s.chrome(r), v))
}

func (s *server) updateOrganization(w http.ResponseWriter, r *http.Request) error {
	v, err := s.organizationView(r)
	if err != nil {
		return err
	}
	v.Name, v.TimeZone, v.Region = r.PostFormValue("name"), r.PostFormValue("time_zone"), r.PostFormValue("region")
	_, err = s.Accounts.UpdateOrganization(r.Context(), s.actor(r), account.OrganizationSettings{
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
