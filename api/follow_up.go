package api

import (
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/followup"
)

// newFollowUp is the body of POST /follow-ups.
type newFollowUp struct {
	CallID     string     `json:"call_id"`
	Reason     string     `json:"reason"`
	Note       string     `json:"note"`
	AssigneeID string     `json:"assignee_id" nullable:"true"`
	DueAt      *time.Time `json:"due_at" nullable:"true"`
}

func (a *api) createFollowUp(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	var body newFollowUp
	digest, err := readBody(w, r, maxBody, &body, &problems)
	if err != nil {
		return err
	}
	in := followup.NewFollowUp{Reason: body.Reason, Note: body.Note, DueAt: body.DueAt}
	if id := bodyID(&problems, "call_id", body.CallID); id != nil {
		in.CallID = *id
	} else if body.CallID == "" {
		problems.Addf("call_id", "required")
	}
	in.AssigneeID = bodyID(&problems, "assignee_id", body.AssigneeID)
	return a.create(w, r, creation{
		digest:  digest,
		refused: problems.Err(),
		work: func(tx pgx.Tx) (any, error) {
			f, err := a.FollowUps.Create(r.Context(), tx, actor(r), in)
			return f.Resource(), err
		},
		wake: a.FollowUps.Wake,
	})
}

// bodyID reads the ID of a field that may be empty.
func bodyID(p *fault.Problems, path, value string) *uuid.UUID {
	if value == "" {
		return nil
	}
	id, ok := check.ParseID(value)
	if !ok {
		p.Addf(path, "must be a UUID")
		return nil
	}
	return &id
}

// followUpChange is the body of PATCH /follow-ups/{id}. A null removes the assignee or the time.
type followUpChange struct {
	AssigneeID **string    `json:"assignee_id" nullable:"true"`
	DueAt      **time.Time `json:"due_at" nullable:"true"`
	Note       *string     `json:"note"`
}

func (a *api) updateFollowUp(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Follow-up")
	if err != nil {
		return err
	}
	var problems fault.Problems
	var body followUpChange
	if _, err := readBody(w, r, maxBody, &body, &problems); err != nil {
		return err
	}
	change := followup.Change{DueAt: body.DueAt, Note: body.Note}
	if body.AssigneeID != nil {
		var assignee *uuid.UUID
		if text := *body.AssigneeID; text != nil {
			if assignee = bodyID(&problems, "assignee_id", *text); *text == "" {
				problems.Addf("assignee_id", "must be a UUID or null")
			}
		}
		change.Assignee = &assignee
	}
	if err := problems.Err(); err != nil {
		return err
	}
	changed, err := a.FollowUps.Update(r.Context(), actor(r), id, change, func(old followup.FollowUp) error {
		return unmodified(r, old.Resource())
	})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}

// finishFollowUp takes an optional body.
func (a *api) finishFollowUp(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Follow-up")
	if err != nil {
		return err
	}
	var body followup.Finish
	if r.ContentLength != 0 {
		if err := readWhole(w, r, &body); err != nil {
			return err
		}
	}
	done, err := a.FollowUps.Finish(r.Context(), actor(r), id, body)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, done.Resource())
}

// followUpsToFinish is the body of POST /follow-ups/done.
type followUpsToFinish struct {
	IDs []string `json:"ids" max:"1000"`
}

// finishedFollowUps answers POST /follow-ups/done.
type finishedFollowUps struct {
	Data []followup.Finishing `json:"data"`
}

// finishFollowUps needs no idempotency key, because finishing a follow-up twice changes nothing.
func (a *api) finishFollowUps(w http.ResponseWriter, r *http.Request) error {
	var body followUpsToFinish
	if err := readChecked(w, r, &body, func() error { return followup.CheckFinishAll(body.IDs) }); err != nil {
		return err
	}
	data, err := a.FollowUps.FinishAll(r.Context(), actor(r), body.IDs)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, finishedFollowUps{data})
}

// none is the value of assignee_id and campaign_id for follow-ups that nobody has, and for calls without a campaign.
const none = "none"

func followUpFilter(q *query) followup.Filter {
	f := followup.Filter{
		Page:       q.page(),
		Statuses:   anyOf(q, "status", followup.Statuses),
		Kinds:      anyOf(q, "kind", followup.Kinds),
		ProjectID:  q.id("project_id"),
		CampaignID: q.id("campaign_id"),
		CallID:     q.id("call_id"),
		Answers:    q.pairs("answers"),
	}
	f.DueAfter, f.DueBefore = q.period("due")
	f.DoneAfter, f.DoneBefore = q.period("done")
	f.AssigneeID, f.Unassigned = q.idOrNone("assignee_id")
	return f
}
