package api

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/page"
)

func (a *api) listCampaignLog(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	q := queryOf(r)
	p := q.page()
	if err := q.err(); err != nil {
		return err
	}
	list, err := a.Campaigns.Log(r.Context(), organization(r), id, p)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, page.Map(list, campaign.LogEntry.Resource))
}
