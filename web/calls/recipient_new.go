package calls

import (
	"context"
	"io"
	"net/http"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// NewRecipients shows the form that adds recipients to a campaign.
func (s *Server) NewRecipients(w http.ResponseWriter, r *http.Request) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	return s.recipientsForm(w, r, http.StatusOK, c, views.RecipientsForm{}, nil)
}

func (s *Server) recipientsForm(
	w http.ResponseWriter, r *http.Request, status int, c campaign.Campaign, v views.RecipientsForm,
	list *recipientList,
) error {
	v.ID, v.Name, v.Total = c.ID.String(), c.Name, c.Total
	if c.Status.Terminal() {
		v.Ended = "This campaign is " + string(c.Status) + " and can no longer take recipients."
	}
	if list != nil {
		v.List = list.view
		f := campaign.Forecast{}
		if added := list.recipients(); added != nil {
			var err error
			f, err = s.Campaigns.ForecastAddition(r.Context(), c.OrganizationID, c.ID, &campaign.Addition{
				Recipients: added,
			})
			if err != nil {
				return err
			}
		}
		speaker, err := s.speakerOf(r, c.AgentID.String(), versionForm(c.AgentVersion))
		if err != nil {
			return err
		}
		v.Outlook = s.outlook(r, list, f, "", speaker, c.Variables)
	}
	return frame.Render(w, r, status, views.RecipientsFormPage(s.Chrome(r), v))
}

// AddRecipients handles the button that was pressed on the form.
func (s *Server) AddRecipients(w http.ResponseWriter, r *http.Request) error {
	done, err := frame.ParseListForm(r)
	if err != nil {
		return err
	}
	defer done()
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	action := r.PostForm.Get("action")
	speaker, err := s.speakerOf(r, c.AgentID.String(), versionForm(c.AgentVersion))
	if err != nil {
		return err
	}
	how := s.listReading(r, c.ProjectID.String())
	how.Wanted = wantedBy(speaker)
	read := func(ctx context.Context, open func() (io.ReadCloser, error), how intake.Reading) (*intake.File, error) {
		return s.Campaigns.ReadAddition(ctx, c.OrganizationID, c.ID, open, how)
	}
	list, err := s.readList(r, how, read, speaker)
	if err != nil {
		return err
	}
	v := views.RecipientsForm{}
	switch {
	case action == "replace":
		return s.recipientsForm(w, r, http.StatusOK, c, v, nil)
	case action == "rejected" && list.read != nil:
		return s.serveRejected(w, r, list, how, read)
	case list.problem != "":
		v.Errors = ui.Errors{"recipients": list.problem}
	case action != "check" && list.toCorrect(false) != "":
		v.Errors = ui.Errors{"recipients": list.toCorrect(false)}
	}
	if action == "check" {
		return s.recipientsForm(w, r, http.StatusOK, c, v, list)
	}
	if v.Errors != nil {
		return s.recipientsForm(w, r, http.StatusUnprocessableEntity, c, v, list)
	}
	added := list.read.Recipients.Len()
	_, err = s.Campaigns.Append(r.Context(), s.Actor(r), c.ID, &campaign.Addition{Recipients: list.read.Recipients})
	if err == nil {
		s.dropList(r, list.view.Upload)
		s.Toast(r, ui.Plural(added, "recipient")+" added")
		return frame.SeeOther(w, r, "/campaigns/"+c.ID.String())
	}
	// Nothing was added, so the form keeps the list.
	status := http.StatusUnprocessableEntity
	switch f := fault.As(err); {
	case f == nil:
		return err
	case f.Kind == fault.Conflict:
		status, v.Errors = http.StatusConflict, ui.Errors{"": f.Message}
	case f.Kind == fault.Unprocessable:
		v.Errors = ui.Errors{"recipients": refusal(err)}
	case f.Kind == fault.BadGateway:
		s.Log.Warn("a campaign's WhatsApp number could not be read", "request_id", frame.RequestID(r), "error", err)
		v.Errors = ui.Errors{"": noAnswerFromWhatsApp}
	case f.Kind == fault.Invalid || f.Kind == fault.Unavailable:
		v.Errors = ui.ErrorsOf(err)
	default:
		return err
	}
	return s.recipientsForm(w, r, status, c, v, list)
}

// noAnswerFromWhatsApp explains why a list is refused while WhatsApp is unreachable.
const noAnswerFromWhatsApp = "WhatsApp cannot be reached, so the quota is unknown. Try again in a moment."

// dropList deletes the stored upload of a list that is now in a campaign. If that fails,
// the upload expires later.
func (s *Server) dropList(r *http.Request, id string) {
	if err := s.Uploads.Drop(r.Context(), s.Actor(r), id); err != nil {
		s.Log.Warn("a list could not be dropped", "request_id", frame.RequestID(r), "error", err)
	}
}
