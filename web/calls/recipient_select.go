package calls

import (
	"context"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// Values of the field action of the form about the selected recipients of a campaign.
const (
	cancelSelected     = "cancel"
	prioritizeSelected = "prioritize"
	copySelected       = "copy"
)

// selectRecipients adds what can be selected to the page of a campaign.
func (s *Server) selectRecipients(r *http.Request, c campaign.Campaign, v *views.Campaign) error {
	v.SelectHref, v.PlainHref = frame.SelectHrefs(r)
	if !v.Selecting || len(v.Errors) > 0 {
		return nil
	}
	n, err := s.Campaigns.CountMatching(r.Context(), c.OrganizationID, c.ID, recipientOptions(r.URL.Query()))
	v.Matching = n
	return err
}

// selectedOf returns the selected recipients as a filter.
func selectedOf(r *http.Request, selected frame.Selection) campaign.RecipientOptions {
	if selected.Matching {
		return recipientOptions(selected.ListRequest(r).URL.Query())
	}
	return campaign.RecipientOptions{IDs: selected.IDs}
}

// SelectedRecipients does what was chosen with the selected recipients of a campaign. What cannot be undone is asked
// first.
func (s *Server) SelectedRecipients(w http.ResponseWriter, r *http.Request) error {
	c, err := s.campaignOf(r)
	if err != nil {
		return err
	}
	selected := frame.ReadSelection(r)
	if selected.None() {
		return s.NothingSelected(w, r, selected, "recipient")
	}
	var change func() ([]campaign.ChosenResult, error)
	done := "canceled"
	switch r.PostForm.Get("action") {
	case copySelected:
		return s.copySelected(w, r, c, selected)
	case prioritizeSelected:
		change, done = s.changeOf(r, c, selected, s.Campaigns.PrioritizeRecipients, s.Campaigns.PrioritizeMatching),
			"called first"
	case cancelSelected:
		if r.PostForm.Get("confirmed") == "" {
			return s.confirmCancelSelected(w, r, c, selected)
		}
		change = s.changeOf(r, c, selected, s.Campaigns.CancelRecipients, s.Campaigns.CancelMatching)
	default:
		return fault.Invalidf("action", "choose what to do with the selected recipients")
	}
	results, err := change()
	return s.Done(w, r, err, chosenWords(results, done), frame.Anchored(selected.List, "recipients"))
}

// changeRecipients changes recipients of a campaign that are named or described.
type changeRecipients[T any] func(
	ctx context.Context, by account.Actor, campaignID uuid.UUID, which T,
) ([]campaign.ChosenResult, error)

// changeOf returns the change of selected recipients: of those with the IDs, or of those that match.
func (s *Server) changeOf(
	r *http.Request, c campaign.Campaign, selected frame.Selection,
	chosen changeRecipients[campaign.Chosen], matching changeRecipients[campaign.RecipientOptions],
) func() ([]campaign.ChosenResult, error) {
	return func() ([]campaign.ChosenResult, error) {
		if selected.Matching {
			return matching(r.Context(), s.Actor(r), c.ID, selectedOf(r, selected))
		}
		ids := make([]string, len(selected.IDs))
		for i, id := range selected.IDs {
			ids[i] = id.String()
		}
		return chosen(r.Context(), s.Actor(r), c.ID, campaign.Chosen{IDs: ids})
	}
}

// confirmCancelSelected asks whether to cancel the selected recipients.
func (s *Server) confirmCancelSelected(
	w http.ResponseWriter, r *http.Request, c campaign.Campaign, selected frame.Selection,
) error {
	n := len(selected.IDs)
	if selected.Matching {
		var err error
		n, err = s.Campaigns.CountMatching(r.Context(), c.OrganizationID, c.ID, selectedOf(r, selected))
		if err != nil {
			return err
		}
	}
	return s.Confirm(w, r, views.CancelRecipients(c.ID.String(), c.Name, n, frame.SentAgain(r.PostForm)))
}

// chosenWords says what became of selected recipients. done is what was done with those who waited for a call.
func chosenWords(results []campaign.ChosenResult, done string) string {
	counts := map[campaign.RecipientResult]int{}
	for _, one := range results {
		counts[one.Result]++
	}
	changed := counts[campaign.RecipientWasCanceled] + counts[campaign.RecipientWasPrioritized]
	words := ui.Plural(changed, "recipient") + " " + done
	if n := counts[campaign.RecipientBeingCalled]; n > 0 && done == "canceled" {
		words += ". " + ui.Count(n) + " on a call now, and not called again"
	} else if n > 0 {
		words += ". " + ui.Count(n) + " skipped: being called"
	}
	if n := counts[campaign.RecipientAlreadyEnded]; n > 0 {
		words += ". " + ui.Count(n) + " skipped: no call was left"
	}
	if n := counts[campaign.RecipientUnknown]; n > 0 {
		words += ". " + ui.Count(n) + " skipped: no longer stored"
	}
	return words
}

// copySelected opens the form of a new campaign with the settings of this one and the selected recipients.
func (s *Server) copySelected(
	w http.ResponseWriter, r *http.Request, c campaign.Campaign, selected frame.Selection,
) error {
	v, err := s.duplicateForm(r, c.ID.String())
	if err != nil {
		return err
	}
	// The list is read as that of a form which was sent with these fields.
	r.PostForm = url.Values{"agent_id": {v.AgentID}, "from": {v.From}}
	rows := s.Campaigns.Export(r.Context(), c.OrganizationID, c.ID, selectedOf(r, selected))
	if err := s.keepCopy(r, "Selected recipients of "+c.Name, rows); err != nil {
		return err
	}
	r.PostForm.Set("columns_of", followedKey(v.AgentID, v.Version)) // the versions that the copy follows
	speaker, err := s.speakerOf(r, v.AgentID, v.Version)
	if err != nil {
		return err
	}
	how := s.listReading(r, v.ProjectID)
	how.Wanted = wantedBy(speaker, v.Messaging.Values()...)
	list, err := s.readList(r, how, readNew, speaker)
	if err != nil {
		return err
	}
	v.List = list.view
	if list.problem != "" {
		v.Errors = ui.Errors{"recipients": list.problem}
	}
	draft, err := s.campaignDraft(r, v, ui.Errors{})
	if err != nil {
		return err
	}
	draft.Recipients = list.recipients()
	return s.campaignForm(w, r, http.StatusOK, v, list, draft)
}
