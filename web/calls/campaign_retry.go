package calls

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/web/frame"
)

func (s *Server) ConfirmRetryCampaign(w http.ResponseWriter, r *http.Request) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	if !c.Status.Terminal() { // its page no longer offers this
		return frame.SeeOther(w, r, "/campaigns/"+c.ID.String())
	}
	unreached, err := s.Campaigns.CountUnreached(r.Context(), c.OrganizationID, c.ID)
	if err != nil {
		return err
	}
	again, name, err := s.Campaigns.Repeated(r.Context(), c.OrganizationID, c.ID)
	if err != nil {
		return err
	}
	v := views.Retry{ID: c.ID.String(), Name: c.Name, FormID: frame.NewFormID(), Unreached: unreached}
	if again != uuid.Nil {
		v.Again, v.AgainName = again.String(), name
	}
	return s.Confirm(w, r, views.RetryCampaign(v))
}

// RetryCampaign makes a draft, because a person looks at its times before it starts.
func (s *Server) RetryCampaign(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Campaign")
	if err != nil {
		return err
	}
	again := &campaign.Repetition{ID: uuid.MustParse(frame.FormID(r)), AsDraft: true}
	made, err := s.Campaigns.Repeat(r.Context(), s.Actor(r), id, again)
	if fault.KindOf(err) == fault.Conflict {
		// The form was sent twice. The first request made this campaign.
		first, getErr := s.Campaigns.Get(r.Context(), frame.SignedIn(r).Organization.ID, again.ID)
		if getErr == nil {
			return frame.SeeOther(w, r, "/campaigns/"+first.ID.String())
		}
	}
	return s.Done(w, r, err, "Draft created", "/campaigns/"+made.ID.String())
}
