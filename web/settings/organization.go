package settings

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

func (s *Server) Organization(w http.ResponseWriter, r *http.Request) error {
	v, err := s.organizationView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.OrganizationPage(s.Chrome(r), v))
}

func (s *Server) UpdateOrganization(w http.ResponseWriter, r *http.Request) error {
	v, err := s.organizationView(r)
	if err != nil {
		return err
	}
	v.Name, v.TimeZone, v.Region = r.PostFormValue("name"), r.PostFormValue("time_zone"), r.PostFormValue("region")
	_, err = s.Accounts.UpdateOrganization(r.Context(), s.Actor(r), account.OrganizationSettings{
		Name: v.Name, TimeZone: v.TimeZone, Region: v.Region, Revision: r.PostFormValue("revision"),
	})
	v.Revision = frame.Revision(r, err, v.Revision)
	return s.Saved(w, r, err, "Organization saved", organizationPath, func(e ui.Errors) error {
		v.Errors = e
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.OrganizationPage(s.Chrome(r), v))
	})
}
