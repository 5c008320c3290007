package calls

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// checkedMost is how many recipients the page of a draft checks whenever it is opened. The check of more takes as long
// as a person notices, so they ask for it.
const checkedMost = 5000

// testRowsMost is how many recipients of a draft a test call offers, besides those whose texts lack a value.
const testRowsMost = 8

// beforeStart checks a draft as the form of a new campaign does, and offers recipients for a test call.
func (s *Server) beforeStart(r *http.Request, c campaign.Campaign) (*views.CampaignForm, error) {
	v := s.storedEdit(r, c).CampaignForm
	v.ID = c.ID.String()
	speaker, err := s.speakerOf(r, v.AgentID, v.Version)
	if err != nil || c.Total == 0 {
		return &v, err
	}
	var lacking []intake.Lacking
	if c.Total > checkedMost && r.URL.Query().Get("check") == "" {
		v.Unchecked = c.Total
	} else if lacking, err = s.checkDraft(r, c, speaker, &v); err != nil {
		return nil, err
	}
	if speaker.ID == uuid.Nil || !frame.May(r, account.ManageAgents) {
		return &v, nil
	}
	rows, err := s.draftRows(r, c, testRowsMost, "")
	if err != nil {
		return nil, err
	}
	offered := map[uuid.UUID]bool{}
	for _, n := range rows {
		offered[n.ID] = true
		v.TestRows = append(v.TestRows, ui.Option{Value: n.ID.String(), Label: cmp.Or(n.Name, ui.Phone(n.PhoneNumber))})
	}
	for _, l := range missed(lacking, c.Variables) {
		rows, err := s.draftRows(r, c, 1, l.Number.String())
		if err != nil {
			return nil, err
		}
		for _, n := range rows {
			if !offered[n.ID] {
				offered[n.ID] = true
				label := lackingLabel(cmp.Or(n.Name, ui.Phone(n.PhoneNumber)), l)
				v.TestRows = append(v.TestRows, ui.Option{Value: n.ID.String(), Label: label})
			}
		}
	}
	return &v, nil
}

// lackingLabel is how a choice of rows tells a recipient without a value.
func lackingLabel(who string, l intake.Lacking) string { return who + ", without {{" + l.Name + "}}" }

// checkDraft says what would happen to the recipients of a draft, and returns the values that they lack.
func (s *Server) checkDraft(
	r *http.Request, c campaign.Campaign, speaker followedAgent, v *views.CampaignForm,
) ([]intake.Lacking, error) {
	f, err := s.Campaigns.ForecastDraft(r.Context(), c, wantedBy(speaker, v.Messaging.Values()...))
	if err != nil {
		return nil, err
	}
	v.Outlook = s.foreseen(r, f, v.ScheduledAt, speaker, c.Variables)
	v.Outlook.Rows = c.Total
	return f.Lacking, nil
}

// draftRows are the first recipients of a draft, or those with a number.
func (s *Server) draftRows(
	r *http.Request, c campaign.Campaign, most int, number string,
) ([]campaign.Recipient, error) {
	list, err := s.Campaigns.Recipients(r.Context(), c.OrganizationID, c.ID, campaign.RecipientOptions{
		Page:        page.Request{Limit: most, Forward: true},
		Statuses:    []campaign.RecipientStatus{campaign.RecipientPending},
		PhoneNumber: number,
	})
	return list.Data, err
}

// testRow is the recipient that was chosen for a test call, or the first one. Errors: NotFound; Conflict for a draft
// that has nobody to call.
func (s *Server) testRow(r *http.Request, c campaign.Campaign) (campaign.Recipient, error) {
	if text := r.PostFormValue("test_row"); text != "" {
		id, err := frame.ParseID(text, "Recipient")
		if err != nil {
			return campaign.Recipient{}, err
		}
		return s.Campaigns.Recipient(r.Context(), c.OrganizationID, c.ID, id)
	}
	rows, err := s.draftRows(r, c, 1, "")
	if err != nil {
		return campaign.Recipient{}, err
	}
	if len(rows) == 0 {
		return campaign.Recipient{}, fault.Conflictf("The draft has nobody to call. Add recipients first")
	}
	return rows[0], nil
}

// TestDraft leads to a call to the person's own phone with the values of a recipient of a draft, and back to the draft.
func (s *Server) TestDraft(w http.ResponseWriter, r *http.Request) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	if c.Status != campaign.Drafted {
		return fault.Conflictf("This campaign is no draft any more. Call yourself from the page of its agent")
	}
	n, err := s.testRow(r, c)
	if err != nil {
		return err
	}
	variables := map[string]string{}
	for _, given := range []json.RawMessage{c.Variables, n.Variables} {
		if err := json.Unmarshal(given, &variables); err != nil {
			return fmt.Errorf("read the variables of a recipient of campaign %s: %w", c.ID, err)
		}
	}
	v, back := s.storedEdit(r, c).CampaignForm, "/campaigns/"+c.ID.String()
	return s.FilledIn(w, r, back, "/agents/"+v.AgentID+"/call", testCallForm(v, n.Name, variables))
}
