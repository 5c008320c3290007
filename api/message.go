package api

import (
	"net/http"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
)

// quotas is the body of GET /campaigns/quota, the only list without pages.
type quotas struct {
	Numbers []messaging.QuotaResource `json:"numbers"`
}

func (a *api) quota(w http.ResponseWriter, r *http.Request) error {
	all, err := a.WhatsApp.Quota(r.Context(), organization(r))
	if err != nil {
		return err
	}
	answer := quotas{Numbers: make([]messaging.QuotaResource, len(all))}
	for i, q := range all {
		answer.Numbers[i] = q.Resource()
	}
	return send(w, r, http.StatusOK, answer)
}

func (a *api) createMessage(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	var body messaging.NewMessage
	digest, err := readBody(w, r, maxBody, &body, &problems)
	if err != nil {
		return err
	}
	return a.create(w, r, creation{
		digest:  digest,
		refused: problems.Err(),
		work: func(tx pgx.Tx) (any, error) {
			m, err := a.Messaging.Create(r.Context(), tx, actor(r), body)
			return m.Resource(), err
		},
		wake: a.Messaging.Wake,
	})
}

// newMessages is the body of POST /messages/batch.
type newMessages struct {
	Messages []messaging.NewMessage `json:"messages" max:"1000"`
}

// messagesAnswer answers POST /messages/batch.
type messagesAnswer struct {
	Data []messaging.Resource `json:"data"`
}

func (a *api) createMessages(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	var body newMessages
	digest, err := readBody(w, r, maxList, &body, &problems)
	if err != nil {
		return err
	}
	return a.create(w, r, creation{
		digest:  digest,
		refused: problems.Err(),
		work: func(tx pgx.Tx) (any, error) {
			made, err := a.Messaging.CreateBatch(r.Context(), tx, actor(r), body.Messages)
			if err != nil {
				return nil, err
			}
			answer := messagesAnswer{Data: make([]messaging.Resource, len(made))}
			for i, m := range made {
				answer.Data[i] = m.Resource()
			}
			return answer, nil
		},
		wake: a.Messaging.Wake,
	})
}

func messageFilter(q *query) messaging.Filter {
	f := messaging.Filter{
		Page:       q.page(),
		CampaignID: q.id("campaign_id"),
		Statuses:   anyOf(q, "status", messaging.Statuses),
		To:         q.number("to_number"),
	}
	f.SentAfter, f.SentBefore = q.period("sent")
	return f
}
