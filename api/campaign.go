package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
)

// newCampaign is the body of POST /campaigns. campaign.Draft documents its values. The
// recipients are decoded one at a time.
type newCampaign struct {
	campaign.Draft
	Recipients    each[intake.Recipient] `json:"recipients" max:"100000"`
	RecipientsURL string                 `json:"recipients_url" nullable:"true"`
}

func (a *api) createCampaign(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	list := &intake.List{}
	var refused error
	body := newCampaign{Recipients: addTo(list)}
	digest, err := readBody(w, r, maxList, &body, &problems)
	if err != nil {
		return err
	}
	draft := &body.Draft
	draft.Recipients = list
	if a.fetched(&problems, recipientsURL, &body.RecipientsURL, "recipients", list.Len() > 0) && problems.Len() == 0 {
		err := a.fetchDraft(r.Context(), organization(r), draft, body.RecipientsURL)
		if err != nil && !refusedFile(err) {
			return err
		}
		refused = err
	}
	if refused == nil {
		problems.Also(draft.Check(a.Now()))
		refused = problems.Err()
	}
	if refused == nil {
		refused = a.Campaigns.AskQuota(r.Context(), organization(r), draft)
	}
	if refused == nil {
		refused = a.Campaigns.AskReadiness(r.Context(), organization(r), draft)
	}

	return a.create(w, r, creation{
		digest:  digest,
		refused: refused,
		work: func(tx pgx.Tx) (any, error) {
			c, err := a.Campaigns.In(tx).Create(r.Context(), actor(r), draft)
			return c.Resource(), err
		},
		wake: a.Campaigns.Wake,
	})
}

// retryCampaign creates a campaign with the recipients that another one did not reach. Its body is optional.
func (a *api) retryCampaign(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	var problems fault.Problems
	again := &campaign.Repetition{}
	digest := []byte{}
	if r.ContentLength != 0 {
		if digest, err = readBody(w, r, maxBody, again, &problems); err != nil {
			return err
		}
	}
	refused := problems.Err()
	if refused == nil {
		refused = a.Campaigns.AskRepetition(r.Context(), organization(r), id, again)
	}
	return a.create(w, r, creation{
		digest:  digest,
		refused: refused,
		work: func(tx pgx.Tx) (any, error) {
			c, err := a.Campaigns.In(tx).Repeat(r.Context(), actor(r), id, again)
			return c.Resource(), err
		},
		wake: a.Campaigns.Wake,
	})
}

// campaignChange is the body of PATCH /campaigns/{id}. A client may send back the whole campaign that it read.
type campaignChange struct {
	campaign.Change

	// These are read-only.
	ID        *string    `json:"id"`
	ProjectID *string    `json:"project_id"`
	Status    *string    `json:"status"`
	RetryOf   **string   `json:"retry_of_campaign_id" nullable:"true"`
	CreatedAt *time.Time `json:"created_at"`

	// These change with every call, so they are ignored.
	EndedReason json.RawMessage `json:"ended_reason" nullable:"true"`
	PauseReason json.RawMessage `json:"pause_reason" nullable:"true"`
	Waiting     json.RawMessage `json:"waiting"`
	Counters    json.RawMessage `json:"counters"`
	Calls       json.RawMessage `json:"calls"`
	Compliance  json.RawMessage `json:"compliance"`
	StartedAt   json.RawMessage `json:"started_at" nullable:"true"`
	EndedAt     json.RawMessage `json:"ended_at" nullable:"true"`
	UpdatedAt   json.RawMessage `json:"updated_at"`
}

// readOnly refuses other values of the fields that no client changes.
func (b campaignChange) readOnly(c campaign.Campaign) error {
	old := c.Resource()
	var p fault.Problems
	refuseChanges(&p, "Create a new campaign",
		keptID("id", b.ID, old.ID),
		keptID("project_id", b.ProjectID, old.ProjectID),
		keptOrNull("retry_of_campaign_id", b.RetryOf, old.RetryOfCampaignID),
	)
	if kept("status", b.Status, string(old.Status)).changed {
		p.Addf("status", "cannot be changed here. Pause, resume or cancel the campaign")
	}
	refuseChanges(&p, "", keptTime("created_at", b.CreatedAt, c.CreatedAt))
	return p.Err()
}

func (a *api) updateCampaign(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	var body campaignChange
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	changed, err := a.Campaigns.Update(r.Context(), actor(r), id, body.Change, func(c campaign.Campaign) error {
		if err := unmodified(r, c.Resource()); err != nil {
			return err
		}
		return body.readOnly(c)
	})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}

// addTo adds every recipient to a list. A recipient with a problem is only partly read
// and still takes an index of the list.
func addTo(list *intake.List) each[intake.Recipient] {
	return func(r *intake.Recipient, _ bool) { list.Add(*r) }
}

// resumption is the optional body of POST /campaigns/{id}/resume and /start.
type resumption struct {
	NotReadyReason string `json:"not_ready_reason" nullable:"true"`
}

func (a *api) resumeCampaign(w http.ResponseWriter, r *http.Request) error {
	return resume(w, r, a.Campaigns.ResumeAnyway)
}

func (a *api) startCampaign(w http.ResponseWriter, r *http.Request) error {
	return resume(w, r, a.Campaigns.Start)
}

// resume answers a request that has a campaign call, with an optional body.
func resume(w http.ResponseWriter, r *http.Request,
	do func(context.Context, account.Actor, uuid.UUID, string) (campaign.Campaign, error),
) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	var body resumption
	if r.ContentLength != 0 {
		if err := readWhole(w, r, &body); err != nil {
			return err
		}
	}
	calling, err := do(r.Context(), actor(r), id, body.NotReadyReason)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, calling.Resource())
}

func (a *api) setBudget(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	var problems fault.Problems
	budget := &campaign.Budget{}
	if _, err := readBody(w, r, maxBody, budget, &problems); err != nil {
		return err
	}
	var own fault.Problems
	budget.Check(&own, "")
	problems.Also(own.Err())
	if err := problems.Err(); err != nil {
		return err
	}
	changed, err := a.Campaigns.SetBudget(r.Context(), actor(r), id, budget, func(c campaign.Campaign) error {
		return unmodified(r, c.Resource())
	})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}

// moreRecipients is the body of POST /campaigns/{id}/recipients.
type moreRecipients struct {
	Recipients    each[intake.Recipient] `json:"recipients" max:"100000"`
	RecipientsURL string                 `json:"recipients_url" nullable:"true"`
}

func (a *api) appendRecipients(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	more := &campaign.Addition{}
	digest, refused, err := a.readAddition(w, r, id, more)
	if err != nil {
		return err
	}
	if refused == nil {
		refused = a.Campaigns.AskQuotaFor(r.Context(), organization(r), id, more)
	}

	return a.create(w, r, creation{
		digest:  digest,
		refused: refused,
		work: func(tx pgx.Tx) (any, error) {
			c, err := a.Campaigns.In(tx).Append(r.Context(), actor(r), id, more)
			return c.Resource(), err
		},
		wake: a.Campaigns.Wake,
	})
}

// readAddition reads the recipients of a body, and returns its SHA-256 and what is wrong with them.
func (a *api) readAddition(
	w http.ResponseWriter, r *http.Request, campaignID uuid.UUID, more *campaign.Addition,
) (digest []byte, refused, err error) {
	if isCSV(r) {
		digest, err = readCSV(w, r, func(file io.Reader) error {
			more.Recipients, err = a.recipientFile(r.Context(), organization(r), campaignID, file)
			return err
		})
		if refusedFile(err) {
			return digest, err, nil
		}
		return digest, nil, err
	}
	var problems fault.Problems
	more.Recipients = &intake.List{}
	body := moreRecipients{Recipients: addTo(more.Recipients)}
	if digest, err = readBody(w, r, maxList, &body, &problems); err != nil {
		return nil, nil, err
	}
	if a.fetched(&problems, recipientsURL, &body.RecipientsURL, "recipients", more.Recipients.Len() > 0) {
		if refused = problems.Err(); refused == nil {
			more.Recipients, refused = a.fetchRecipients(r.Context(), organization(r), campaignID, body.RecipientsURL)
		}
		if refused != nil && !refusedFile(refused) {
			return nil, nil, refused
		}
		return digest, refused, nil
	}
	problems.Also(more.Check())
	return digest, problems.Err(), nil
}

func campaignFilter(q *query) campaign.ListOptions {
	o := campaign.ListOptions{
		Page:      q.page(),
		Statuses:  anyOf(q, "status", campaign.Statuses),
		ProjectID: q.id("project_id"),
	}
	o.StartedAfter, o.StartedBefore = q.period("started")
	o.EndedAfter, o.EndedBefore = q.period("ended")
	o.UpdatedAfter, o.UpdatedBefore = q.period("updated")
	return o
}

// recipientFilter reads the filters that a list of recipients and its export share.
func recipientFilter(q *query) campaign.RecipientOptions {
	return campaign.RecipientOptions{
		Statuses: anyOf(q, "status", campaign.RecipientStatuses),
		Outcomes: anyOf(q, "outcome", call.Outcomes),
		Intents:  anyOf(q, "intent", conversation.Intents),

		ExternalID:  q.text("external_id"),
		PhoneNumber: q.number("phone_number"),
		Metadata:    q.pairs("metadata"),
		Answers:     q.pairs("answers"),
	}
}

func recipientPage(q *query) campaign.RecipientOptions {
	pages := q.page()
	o := recipientFilter(q)
	o.Page = pages
	return o
}

func (a *api) getRecipient(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	recipientID, _ := check.ParseID(r.PathValue("recipient_id")) // a malformed ID is like an unknown one
	found, err := a.Campaigns.Recipient(r.Context(), organization(r), id, recipientID)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, found.Resource())
}

func (a *api) exportRecipients(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	q := queryOf(r)
	o := recipientFilter(q)
	o.Page.CreatedAfter, o.Page.CreatedBefore = q.created()
	if err := q.err(); err != nil {
		return err
	}
	keys, err := a.Calls.AnswerKeys(r.Context(), organization(r), call.ResultFilter{CampaignID: &id})
	if err != nil {
		return err
	}
	return a.sendCSV(w, r, "recipients.exported", account.Object{Type: "campaign", ID: id}, export.File{
		Name: "recipients.csv", Header: append(slices.Clip(campaign.ExportHeader), call.AnswerColumns(keys)...),
		Rows: a.Campaigns.Export(r.Context(), organization(r), id, o, keys...),
	})
}
