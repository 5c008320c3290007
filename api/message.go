package api

import (
	"encoding/json"
	"net/http"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/page"
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
	answer, err := a.once(r, digest, problems.Err(), func(tx pgx.Tx) (int, any, error) {
		m, err := a.Messaging.Create(r.Context(), tx, actor(r), messaging.NewMessage{
			ExternalID: body.ExternalID, To: body.ToNumber,
			Template: body.Template.Name, Language: body.Template.Language, Variables: body.Template.Variables,
		})
		return http.StatusCreated, m.Resource(), err
	})
	if err != nil {
		return err
	}
	if answer.Status == http.StatusCreated && !answer.Replayed {
		a.Messaging.Wake()
	}
	return sendOnce(w, r, answer)
}

func (a *api) listMessages(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	p := q.page()
	f := messaging.Filter{CampaignID: q.id("campaign_id"), Statuses: anyOf(q, "status", messaging.Statuses), To: q.number("to_number")}
	if err := q.err(); err != nil {
		return err
	}
	list, err := a.Messaging.List(r.Context(), organization(r), f, p)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, page.Map(list, messaging.Message.Resource))
}

func (a *api) getMessage(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Message")
	if err != nil {
		return err
	}
	m, err := a.Messaging.Get(r.Context(), organization(r), id)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, m.Resource())
}
