package web

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/export"
)

func (s *server) exportCalls(w http.ResponseWriter, r *http.Request) error {
	filter, err := s.callFilter(r, callsView(r))
	if err != nil {
		return err
	}
	filter.Sort = ""
	rows := s.Calls.Export(r.Context(), signedIn(r).Organization.ID, filter)
	return s.sendCSV(w, r, "calls", call.ExportHeader, export.File{Rows: s.noted(r, "calls.exported", account.Object{Type: "call"}, rows)})
}

func (s *server) exportRecipients(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	rows := s.Campaigns.Export(r.Context(), signedIn(r).Organization.ID, id, recipientOptions(r.URL.Query()))
	of := account.Object{Type: "campaign", ID: id}
	return s.sendCSV(w, r, "recipients", campaign.ExportHeader, export.File{Rows: s.noted(r, "recipients.exported", of, rows)})
}
