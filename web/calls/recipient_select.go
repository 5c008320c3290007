package calls

import (
	"net/http"
	"net/url"
	"time"

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
	followUpSelected   = "follow_up"
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
	action := r.PostForm.Get("action")
	chosen, matching := chosenOf(r, selected)
	back := frame.Anchored(selected.List, "recipients")
	if r.PostForm.Get("confirmed") == "" {
		switch action {
		case cancelSelected:
			return s.confirmSelected(w, r, c, selected, views.CancelRecipients)
		case followUpSelected:
			return s.confirmSelected(w, r, c, selected, views.FollowUpRecipients)
		}
	}
	switch action {
	case copySelected:
		return s.copySelected(w, r, c, selected)
	case prioritizeSelected:
		results, at, err := s.Campaigns.PrioritizeSelected(r.Context(), s.Actor(r), c.ID, chosen, matching)
		if err == nil && !at.IsZero() {
			undo := url.Values{"at": {at.UTC().Format(time.RFC3339Nano)}, "list": {selected.List}}
			s.Undoable(r, chosenWords(results, "called first"), "Undo",
				"/campaigns/"+c.ID.String()+"/recipients/unprioritize?"+undo.Encode())
			return frame.SeeOther(w, r, back)
		}
		return s.Done(w, r, err, chosenWords(results, "called first"), back)
	case cancelSelected:
		var results []campaign.ChosenResult
		if matching != nil {
			results, err = s.Campaigns.CancelMatching(r.Context(), s.Actor(r), c.ID, *matching)
		} else {
			results, err = s.Campaigns.CancelRecipients(r.Context(), s.Actor(r), c.ID, chosen)
		}
		return s.Done(w, r, err, chosenWords(results, "canceled"), back)
	case followUpSelected:
		result, err := s.Campaigns.FollowUpRecipients(r.Context(), s.Actor(r), c.ID, chosen, matching)
		return s.Done(w, r, err, followedUpWords(result), back)
	}
	return fault.Invalidf("action", "choose what to do with the selected recipients")
}

// chosenOf returns the selected recipients by their IDs, or by a filter, which is nil for IDs.
func chosenOf(r *http.Request, selected frame.Selection) (chosen campaign.Chosen, matching *campaign.RecipientOptions) {
	if selected.Matching {
		return chosen, new(selectedOf(r, selected))
	}
	for _, id := range selected.IDs {
		chosen.IDs = append(chosen.IDs, id.String())
	}
	return chosen, nil
}

// UnprioritizeRecipients undoes that selected recipients are called first.
func (s *Server) UnprioritizeRecipients(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Campaign")
	if err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339Nano, r.Form.Get("at"))
	if err != nil {
		return fault.Invalidf("at", "must be a time")
	}
	n, err := s.Campaigns.Unprioritize(r.Context(), s.Actor(r), id, at)
	list := frame.ReadSelection(r).List
	return s.Done(w, r, err, ui.Plural(n, "recipient")+" no longer called first", frame.Anchored(list, "recipients"))
}

// followedUpWords says what became of recipients who were to get a follow-up.
func followedUpWords(f campaign.FollowedUp) string {
	words := ui.Plural(f.Opened, "follow-up", "follow-ups") + " created"
	for _, skipped := range []struct {
		n   int
		why string
	}{
		{f.Already, "they have one already"}, {f.Waiting, "a call is left"},
		{f.Reached, "reached, opted out or canceled"}, {f.Uncalled, "never called"}, {f.Unknown, "no longer stored"},
	} {
		if skipped.n > 0 {
			words += ". " + ui.Count(skipped.n) + " skipped: " + skipped.why
		}
	}
	return words
}

// confirmSelected asks whether to do with the selected recipients what the question says.
func (s *Server) confirmSelected(
	w http.ResponseWriter, r *http.Request, c campaign.Campaign, selected frame.Selection,
	question func(id, name string, n int, sent []ui.HiddenField) views.Confirm,
) error {
	n := len(selected.IDs)
	if selected.Matching {
		var err error
		n, err = s.Campaigns.CountMatching(r.Context(), c.OrganizationID, c.ID, selectedOf(r, selected))
		if err != nil {
			return err
		}
	}
	return s.Confirm(w, r, question(c.ID.String(), c.Name, n, frame.SentAgain(r.PostForm)))
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
