package api

import (
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/dialwright/dialwright/internal/call"
)

// campaignAnswers answers GET /campaigns/{id}/answers.
func (a *api) campaignAnswers(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	found, err := a.Campaigns.Get(r.Context(), organization(r), id)
	if err != nil {
		return err
	}
	return a.answers(w, r, call.ResultFilter{CampaignID: &found.ID})
}

// agentAnswers answers GET /agents/{id}/answers.
func (a *api) agentAnswers(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Agent")
	if err != nil {
		return err
	}
	found, err := a.Projects.Agent(r.Context(), organization(r), id)
	if err != nil {
		return err
	}
	return a.answers(w, r, call.ResultFilter{AgentID: &found.ID})
}

// answers answers the results of a campaign or an agent in a period.
func (a *api) answers(w http.ResponseWriter, r *http.Request, f call.ResultFilter) error {
	q := queryOf(r)
	f.From, f.To = q.time("from", parseDay), q.time("to", parseDay)
	f.AgentVersion = q.integer("agent_version", 1, math.MaxInt32)
	f.Answers = q.pairs("answers")
	if !f.To.IsZero() {
		if f.To.Before(f.From) {
			q.problems.Addf("to", "must not be before from")
		}
		f.To = f.To.AddDate(0, 0, 1)
	}
	if err := q.err(); err != nil {
		return err
	}
	results, err := a.Calls.Results(r.Context(), organization(r), f)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, results.Resource())
}

func parseDay(s string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return t, errors.New("must be a date, such as 2026-11-20")
	}
	return t, nil
}
