package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
)

func (a *api) createCall(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	draft := &campaign.CallDraft{}
	digest, err := readBody(w, r, maxBody, draft, &problems)
	if err != nil {
		return err
	}
	return a.schedule(w, r, digest, &problems, &campaign.CallDrafts{Calls: []*campaign.CallDraft{draft}})
}

// newCalls is the body of POST /calls/batch.
type newCalls struct {
	Calls []*campaign.CallDraft `json:"calls" max:"1000"`
}

func (a *api) createCalls(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	var body newCalls
	digest, err := readBody(w, r, maxList, &body, &problems)
	if err != nil {
		return err
	}
	return a.schedule(w, r, digest, &problems, &campaign.CallDrafts{Calls: body.Calls, Batch: true})
}

// callsAnswer answers POST /calls/batch.
type callsAnswer struct {
	Data []call.Resource `json:"data"`
}

func (a *api) schedule(
	w http.ResponseWriter, r *http.Request, digest []byte, problems *fault.Problems, drafts *campaign.CallDrafts,
) error {
	problems.Also(drafts.Check(a.Now()))
	refused := problems.Err()
	if refused == nil {
		refused = a.Campaigns.AskReadinessOfCalls(r.Context(), organization(r), drafts)
	}
	return a.create(w, r, creation{
		digest:  digest,
		refused: refused,
		work: func(tx pgx.Tx) (any, error) {
			made, err := a.Campaigns.In(tx).Call(r.Context(), actor(r), drafts)
			if err != nil {
				return nil, err
			}
			if !drafts.Batch {
				return a.Calls.Detail(made[0], nil), nil
			}
			answer := callsAnswer{Data: make([]call.Resource, len(made))}
			for i, c := range made {
				answer.Data[i] = a.Calls.Resource(c)
			}
			return answer, nil
		},
		wake: a.Campaigns.Wake,
	})
}

func (a *api) getCallSettings(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Call")
	if err != nil {
		return err
	}
	settings, err := a.Campaigns.SettingsOfCall(r.Context(), organization(r), id)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, settings)
}

// callChange is the body of PATCH /calls/{id}. A client may send back the settings that it read.
type callChange struct {
	campaign.CallChange

	// These are read-only.
	To            *string  `json:"to"`
	ProjectID     *string  `json:"project_id"`
	AgentID       *string  `json:"agent_id"`
	PhoneNumberID **string `json:"phone_number_id" nullable:"true"`
	NumberPoolID  **string `json:"number_pool_id" nullable:"true"`
}

// readOnly refuses other values of the fields that no client changes.
func (b callChange) readOnly(c call.Call, settings campaign.Campaign) error {
	var p fault.Problems
	refuseChanges(&p, "Cancel the call and schedule a new one",
		kept("to", b.To, c.PersonNumber),
		keptID("project_id", b.ProjectID, c.ProjectID),
		keptID("agent_id", b.AgentID, settings.AgentID),
		keptOrNull("phone_number_id", b.PhoneNumberID, settings.PhoneNumberID),
		keptOrNull("number_pool_id", b.NumberPoolID, settings.NumberPoolID),
	)
	return p.Err()
}

func (a *api) updateCall(w http.ResponseWriter, r *http.Request) error {
	var body callChange
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	return a.changeCall(func(ctx context.Context, by account.Actor, id uuid.UUID) error {
		return a.Campaigns.UpdateCall(ctx, by, id, body.CallChange, func(c call.Call, s campaign.Campaign) error {
			if err := unmodified(r, a.Calls.Detail(c, nil)); err != nil {
				return err
			}
			return body.readOnly(c, s)
		})
	})(w, r)
}

// callsToCancel is the body of POST /calls/cancel.
type callsToCancel struct {
	IDs []string `json:"ids" max:"1000"`
}

// canceledCalls answers POST /calls/cancel.
type canceledCalls struct {
	Data []campaign.Cancellation `json:"data"`
}

// cancelCalls needs no idempotency key, because canceling a call twice changes nothing.
func (a *api) cancelCalls(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	var body callsToCancel
	if _, err := readBody(w, r, maxBody, &body, &problems); err != nil {
		return err
	}
	problems.Also(campaign.CheckCancellation(body.IDs))
	if err := problems.Err(); err != nil {
		return err
	}
	data, err := a.Campaigns.CancelCalls(r.Context(), actor(r), body.IDs)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, canceledCalls{data})
}

// newNote is the body of POST /calls/{id}/notes.
type newNote struct {
	Text string `json:"text"`
}

func (a *api) addNote(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Call")
	if err != nil {
		return err
	}
	var problems fault.Problems
	var body newNote
	digest, err := readBody(w, r, maxBody, &body, &problems)
	if err != nil {
		return err
	}
	return a.create(w, r, creation{
		digest:  digest,
		refused: problems.Err(),
		work: func(tx pgx.Tx) (any, error) {
			n, err := a.Calls.AddNote(r.Context(), tx, actor(r), call.NewNote{CallID: id, Text: body.Text})
			return n.Resource(), err
		},
		wake: func() { a.Calls.WakeLine(id) },
	})
}

// callTransfer is the body of POST /calls/{id}/transfer.
type callTransfer struct {
	DestinationID string `json:"destination_id"`
}

func (a *api) transferCall(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	var body callTransfer
	if _, err := readBody(w, r, maxBody, &body, &problems); err != nil {
		return err
	}
	destination := bodyID(&problems, "destination_id", body.DestinationID)
	if body.DestinationID == "" {
		problems.Addf("destination_id", "required")
	}
	if err := problems.Err(); err != nil {
		return err
	}
	return a.changeCall(func(ctx context.Context, by account.Actor, id uuid.UUID) error {
		return a.Calls.TakeOver(ctx, by, id, *destination)
	})(w, r)
}

// changeCall answers the call after a change.
func (a *api) changeCall(change func(context.Context, account.Actor, uuid.UUID) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := pathID(r, "Call")
		if err != nil {
			return err
		}
		if err := change(r.Context(), actor(r), id); err != nil {
			return err
		}
		c, turns, err := a.Calls.Get(r.Context(), organization(r), id)
		if err != nil {
			return err
		}
		return send(w, r, http.StatusOK, a.Calls.Detail(c, turns))
	}
}
