package calls

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/web/frame"
)

func (s *Server) ConfirmDeleteCampaign(w http.ResponseWriter, r *http.Request) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	if err := c.Status.CheckDelete(); err != nil {
		return err
	}
	return s.Confirm(w, r, views.DeleteCampaign(c.ID.String(), c.Name, c.Status == campaign.Drafted, c.Total))
}

func (s *Server) DeleteCampaign(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Campaign")
	if err != nil {
		return err
	}
	return s.Done(w, r, s.Campaigns.Delete(r.Context(), s.Actor(r), id), "Campaign deleted", "/campaigns")
}
