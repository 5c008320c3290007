package calls

import (
	"net/http"
	"slices"

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
	keys, err := s.Calls.ExportedAnswers(r.Context(), frame.SignedIn(r).Organization.ID, filter)
	if err != nil {
		return err
	}
	rows := s.Calls.Export(r.Context(), frame.SignedIn(r).Organization.ID, filter, keys...)
	header := append(slices.Clip(call.ExportHeader), call.AnswerColumns(keys)...)
	return s.SendCSV(w, r, "calls", header, export.File{
		Rows: s.Noted(r, "calls.exported", account.Object{Type: "call"}, rows),
	})
}

func (s *Server) ExportRecipients(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Campaign")
	if err != nil {
		return err
	}
	organization := frame.SignedIn(r).Organization.ID
	keys, err := s.Calls.AnswerKeys(r.Context(), organization, call.ResultFilter{CampaignID: &id})
	if err != nil {
		return err
	}
	rows := s.Campaigns.Export(r.Context(), organization, id, recipientOptions(r.URL.Query()), keys...)
	of := account.Object{Type: "campaign", ID: id}
	header := append(slices.Clip(campaign.ExportHeader), call.AnswerColumns(keys)...)
	return s.SendCSV(w, r, "recipients", header, export.File{
		Rows: s.Noted(r, "recipients.exported", of, rows),
	})
}
