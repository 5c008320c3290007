package calls

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/web/frame"
)

func (s *Server) ExportCalls(w http.ResponseWriter, r *http.Request) error {
	filter, err := s.callFilter(r, callsView(r))
	if err != nil {
		return err
	}
	filter.Sort = ""
	rows := s.Calls.Export(r.Context(), frame.SignedIn(r).Organization.ID, filter)
	return s.SendCSV(w, r, "calls", call.ExportHeader, export.File{
		Rows: s.Noted(r, "calls.exported", account.Object{Type: "call"}, rows),
	})
}

func (s *Server) ExportRecipients(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Campaign")
	if err != nil {
		return err
	}
	rows := s.Campaigns.Export(r.Context(), frame.SignedIn(r).Organization.ID, id, recipientOptions(r.URL.Query()))
	of := account.Object{Type: "campaign", ID: id}
	return s.SendCSV(w, r, "recipients", campaign.ExportHeader, export.File{
		Rows: s.Noted(r, "recipients.exported", of, rows),
	})
}
