package calls

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// searchEvery is the interval at which a live page repeats a search. A search may read
// the whole list.
const searchEvery = 15 * time.Second

// recipientPage is a page of a campaign's recipients, as last read.
type recipientPage struct {
	list page.List[campaign.Recipient]
	at   time.Time
}

// recipients reads the requested page of recipients into v. kept is the page that a live
// part showed last; it is nil on the first reading.
func (s *Server) recipients(r *http.Request, c campaign.Campaign, v *views.Campaign, kept *recipientPage) error {
	q := r.URL.Query()
	o := recipientOptions(q)
	v.State, v.Outcome, v.Intent, v.Search = q.Get("status"), q.Get("outcome"), q.Get("intent"), o.Search
	v.IntentOptions, v.Given = intentOptions(), views.AnswerFilter(o.Answers)
	if kept == nil {
		kept = &recipientPage{}
	}
	if v.Search == "" && len(v.Given) == 0 || s.Now().Sub(kept.at) >= searchEvery {
		o.Page = frame.PageOf(r)
		o.Page.Forward = true
		list, err := s.Campaigns.Recipients(r.Context(), c.OrganizationID, c.ID, o)
		if wrong := answerErrors(err); wrong.For("answer") != "" {
			v.Errors, v.EventsHref, err = wrong, "", nil
		}
		if err != nil {
			return err
		}
		kept.list, kept.at = list, s.Now()
	}
	v.Cut = kept.list.HasMore && len(kept.list.Data) < page.DefaultLimit
	v.Pager = frame.Pager(r, kept.list.NextCursor, "In the order they were added")
	v.Pager.Forward = true
	if v.Cut && len(kept.list.Data) > 0 {
		v.Pager.Line = "There may be more further down the list"
	}
	v.Pager.NewerHref = frame.Anchored(v.Pager.NewerHref, "recipients")
	v.Pager.OlderHref = frame.Anchored(v.Pager.OlderHref, "recipients")
	if err := s.selectRecipients(r, c, v); err != nil {
		return err
	}
	var err error
	v.Filters, err = s.SavedFiltersAt(r, account.RecipientFilters, "/campaigns/"+c.ID.String(), "recipients")
	if err != nil {
		return err
	}
	v.Recipients, err = s.recipientRows(r.Context(), c.OrganizationID, s.Clock(r), c, kept.list.Data)
	if err != nil {
		return err
	}
	return s.recipientColumns(r, c, v, kept.list.Data)
}

// recipientColumns adds the columns that the person chose, and what is in them.
func (s *Server) recipientColumns(
	r *http.Request, c campaign.Campaign, v *views.Campaign, list []campaign.Recipient,
) (err error) {
	back := frame.Anchored(frame.WithParam(r.URL, "", ""), "recipients")
	if v.Columns, err = s.Columns(r, account.RecipientColumns, back); err != nil {
		return err
	}
	var given map[uuid.UUID]map[string]string
	keys := views.AnswerKeys(v.Columns.Chosen)
	if len(keys) > 0 && len(list) > 0 {
		if given, err = s.Campaigns.Answers(r.Context(), c.OrganizationID, list); err != nil {
			return err
		}
	}
	for i, n := range list {
		row := &v.Recipients[i]
		row.ExternalID, row.Created = frame.OrNone(n.ExternalID), n.CreatedAt
		if n.Intent != nil {
			row.Intent = ui.Intent(string(*n.Intent))
		}
		row.Answers = map[string]string{}
		for _, key := range keys {
			if answer, ok := given[n.ID][key]; ok {
				row.Answers[key] = AnswerText(answer)
				if answer == "true" || answer == "false" { // all answers come as text
					row.Answers[key] = answerWords(answer)
				}
			}
		}
	}
	return nil
}

// recipientOf returns the campaign and the recipient of the path.
func (s *Server) recipientOf(r *http.Request) (campaign.Campaign, campaign.Recipient, error) {
	c, err := s.campaignOf(r)
	if err != nil {
		return c, campaign.Recipient{}, err
	}
	id, err := frame.ParseID(frame.PathParam(r, "recipient_id"), "Recipient")
	if err != nil {
		return c, campaign.Recipient{}, err
	}
	n, err := s.Campaigns.Recipient(r.Context(), c.OrganizationID, c.ID, id)
	return c, n, err
}

func (s *Server) ConfirmCancelRecipient(w http.ResponseWriter, r *http.Request) error {
	c, n, err := s.recipientOf(r)
	if err != nil {
		return err
	}
	called := n.Status == campaign.RecipientDialing || n.Status == campaign.RecipientInProgress
	return s.Confirm(w, r, views.CancelRecipient(c.ID.String(), c.Name, n.ID.String(),
		cmp.Or(n.Name, ui.Reached(n.PhoneNumber)), called))
}

func (s *Server) CancelRecipient(w http.ResponseWriter, r *http.Request) error {
	return s.changeRecipient(w, r, s.Campaigns.CancelRecipient, "Recipient canceled")
}

func (s *Server) PrioritizeRecipient(w http.ResponseWriter, r *http.Request) error {
	return s.changeRecipient(w, r, s.Campaigns.PrioritizeRecipient, "Recipient will be called first")
}

// changeRecipient changes the recipient of the path and shows the campaign.
func (s *Server) changeRecipient(
	w http.ResponseWriter, r *http.Request,
	change func(ctx context.Context, by account.Actor, campaignID, id uuid.UUID) (campaign.Recipient, error),
	done string,
) error {
	id, err := frame.PathID(r, "Campaign")
	if err != nil {
		return err
	}
	recipientID, err := frame.ParseID(frame.PathParam(r, "recipient_id"), "Recipient")
	if err != nil {
		return err
	}
	_, err = change(r.Context(), s.Actor(r), id, recipientID)
	return s.Done(w, r, err, done, "/campaigns/"+id.String()+"#recipients")
}

// recipientOptions reads the filters of the recipients. The filter of outcomes also
// offers opt-outs. Of the completed recipients, those with a message on voicemail have a
// tab of their own.
func recipientOptions(q url.Values) campaign.RecipientOptions {
	o := campaign.RecipientOptions{
		Statuses: page.Only(campaign.RecipientStatus(q.Get("status"))),
		Intents:  page.Only(conversation.Intent(q.Get("intent"))),
		Search:   strings.TrimSpace(q.Get("q")),
		Answers:  answerPairs(answersOf(q), q.Get("question"), strings.TrimSpace(q.Get("answer"))),
	}
	if outcome := q.Get("outcome"); outcome == views.OptedOut {
		o.OptedOut = true
	} else {
		o.Outcomes = page.Only(call.Outcome(outcome))
	}
	without := len(o.Outcomes) == 0 && !o.OptedOut
	switch state := q.Get("status"); {
	case state == views.MessageLeft:
		o.Statuses = []campaign.RecipientStatus{campaign.RecipientCompleted}
		if without {
			o.Outcomes = []call.Outcome{call.OutcomeVoicemail}
		}
	case state == string(campaign.RecipientCompleted) && without:
		o.Outcomes = []call.Outcome{call.OutcomeCompleted}
	}
	return o
}

// Consent describes the legal basis of calling a person, where it comes from, and its dates.
func Consent(clock ui.Clock, basis string, source *string, at, expires *time.Time) string {
	basis = ui.Sentence(basis)
	if source != nil {
		basis += ", " + *source
	}
	if at != nil {
		basis += ", given " + clock.Date(*at)
	}
	if expires != nil {
		basis += ", until " + clock.Date(*expires)
	}
	return basis
}
