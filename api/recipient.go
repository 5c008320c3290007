package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
)

// recipientChange is the body of PATCH /campaigns/{id}/recipients/{recipient_id}. A client may send back the whole
// recipient that it read.
type recipientChange struct {
	campaign.RecipientChange

	// These are read-only.
	ID         *string           `json:"id"`
	CampaignID *string           `json:"campaign_id"`
	Consent    **json.RawMessage `json:"consent" nullable:"true"`
	CreatedAt  *time.Time        `json:"created_at"`

	// These change with every call, so they are ignored.
	Status        json.RawMessage `json:"status"`
	Attempts      json.RawMessage `json:"attempts"`
	NextAttemptAt json.RawMessage `json:"next_attempt_at" nullable:"true"`
	LastCallID    json.RawMessage `json:"last_call_id" nullable:"true"`
	Outcome       json.RawMessage `json:"outcome" nullable:"true"`
	Intent        json.RawMessage `json:"intent" nullable:"true"`
	SkipReason    json.RawMessage `json:"skip_reason" nullable:"true"`
	SkipDetail    json.RawMessage `json:"skip_detail" nullable:"true"`
	PrioritizedAt json.RawMessage `json:"prioritized_at" nullable:"true"`
	CanceledAt    json.RawMessage `json:"canceled_at" nullable:"true"`
}

// readOnly refuses other values of the fields that no client changes.
func (b recipientChange) readOnly(r campaign.Recipient) error {
	old := r.Resource()
	var p fault.Problems
	for _, field := range []struct {
		name    string
		changed bool
	}{
		{"id", b.ID != nil && *b.ID != old.ID.String()},
		{"campaign_id", b.CampaignID != nil && *b.CampaignID != old.CampaignID.String()},
		{"consent", b.Consent != nil && !campaign.SameJSON(*b.Consent, old.Consent)},
		{"created_at", b.CreatedAt != nil && !b.CreatedAt.Equal(r.CreatedAt)},
	} {
		if field.changed {
			p.Addf(field.name, "cannot be changed")
		}
	}
	return p.Err()
}

func (a *api) updateRecipient(w http.ResponseWriter, r *http.Request) error {
	var body recipientChange
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	return a.changeRecipient(func(
		ctx context.Context, by account.Actor, campaignID, id uuid.UUID,
	) (campaign.Recipient, error) {
		return a.Campaigns.UpdateRecipient(ctx, by, campaignID, id, body.RecipientChange,
			func(before campaign.Recipient) error {
				if err := unmodified(r, before.Resource()); err != nil {
					return err
				}
				return body.readOnly(before)
			})
	})(w, r)
}

// changeRecipient answers the recipient of the path after a change.
func (a *api) changeRecipient(
	change func(ctx context.Context, by account.Actor, campaignID, id uuid.UUID) (campaign.Recipient, error),
) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := pathID(r, "Campaign")
		if err != nil {
			return err
		}
		recipientID, _ := check.ParseID(r.PathValue("recipient_id")) // a malformed ID is like an unknown one
		changed, err := change(r.Context(), actor(r), id, recipientID)
		if err != nil {
			return err
		}
		return send(w, r, http.StatusOK, changed.Resource())
	}
}

// chosenRecipients is the body of POST /campaigns/{id}/recipients/cancel and …/prioritize.
type chosenRecipients struct {
	IDs         []string `json:"ids" max:"1000"`
	ExternalIDs []string `json:"external_ids" max:"1000"`
}

// chosenAnswer says what became of each recipient.
type chosenAnswer[T any] struct {
	Data []T `json:"data"`
}

// changeRecipients changes many recipients. It needs no idempotency key, because a repeated change changes nothing.
func (a *api) changeRecipients(
	change func(context.Context, account.Actor, uuid.UUID, campaign.Chosen) ([]campaign.ChosenResult, error),
) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := pathID(r, "Campaign")
		if err != nil {
			return err
		}
		var problems fault.Problems
		var body chosenRecipients
		if _, err := readBody(w, r, maxBody, &body, &problems); err != nil {
			return err
		}
		chosen := campaign.Chosen(body)
		problems.Also(chosen.Check())
		if err := problems.Err(); err != nil {
			return err
		}
		data, err := change(r.Context(), actor(r), id, chosen)
		if err != nil {
			return err
		}
		return send(w, r, http.StatusOK, chosenAnswer[campaign.ChosenResult]{data})
	}
}

// recipientEdits is the body of PATCH /campaigns/{id}/recipients.
type recipientEdits struct {
	Recipients []campaign.RecipientEdit `json:"recipients" max:"1000"`
}

func (a *api) updateRecipients(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	if tags := r.Header.Values("If-Match"); len(tags) > 0 && !hasTag(tags, "") { // only * matches no tag
		return fault.New(fault.Stale, "Many recipients have no tag in common. Change each by its ID to send If-Match")
	}
	var problems fault.Problems
	var body recipientEdits
	if _, err := readBody(w, r, maxList, &body, &problems); err != nil {
		return err
	}
	problems.Also(campaign.CheckEdits(body.Recipients))
	if err := problems.Err(); err != nil {
		return err
	}
	data, err := a.Campaigns.UpdateRecipients(r.Context(), actor(r), id, body.Recipients)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, chosenAnswer[campaign.EditResult]{data})
}
