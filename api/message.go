package api

import (
	"net/http"

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
	return send(w, http.StatusOK, answer)
}
