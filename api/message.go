package api

import (
	"encoding/json"
	"net/http"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
)

// quotas is the body of GET /campaigns/quota: the one list that is no page.
type quotas struct {
	Numbers []messaging.QuotaResource `json:"numbers"`
}

func (a *api) quota(w http.ResponseWriter, r *http.Request) error {
	all, err := a.Messaging.Quota(r.Context(), organization(r))
	if err != nil {
		return err
	}
	answer := quotas{Numbers: make([]messaging.QuotaResource, len(all))}
	for i, q := range all {
		answer.Numbers[i] = q.Resource()
	}
	return send(w, r, http.StatusOK, answer)
}

// newMessage is the body of POST /messages. What its values may be is
// messaging.Service.Create's to say.
type newMessage struct {
	ExternalID string      `json:"external_id"`
	ToNumber   string      `json:"to_number"`
	Template   newTemplate `json:"template"`
}

type newTemplate struct {
	Name      string          `json:"name"`
	Language  string          `json:"language"`
	Variables json.RawMessage `json:"variables"`
}

func (a *api) createMessage(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	var body newMessage
	digest, err := readBody(w, r, maxBody, &body, &problems)
	if err != nil {
		return err
	}
	return a.create(w, r, creation{
		digest:  digest,
		refused: problems.Err(),
		work: func(tx pgx.Tx) (any, error) {
			m, err := a.Messaging.Create(r.Context(), tx, actor(r), messaging.NewMessage{
				ExternalID: body.ExternalID, To: body.ToNumber,
				Template: body.Template.Name, Language: body.Template.Language, Variables: body.Template.Variables,
			})
			return m.Resource(), err
		},
		wake: a.Messaging.Wake,
	})
}

func messageFilter(q *query) messaging.Filter {
	return messaging.Filter{
		Page:       q.page(),
		CampaignID: q.id("campaign_id"),
		Statuses:   anyOf(q, "status", messaging.Statuses),
		To:         q.number("to_number"),
	}
}
