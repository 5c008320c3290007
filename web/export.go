package web

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/export"
)

// exportHref is the file of what a list shows, on all its pages.
func exportHref(r *http.Request) string {
	u := url.URL{Path: r.URL.Path + "/export", RawQuery: r.URL.RawQuery}
	return withParams(&u, "cursor", "", "sort", "")
}

func (s *server) exportCalls(w http.ResponseWriter, r *http.Request) error {
	filter, err := s.callFilter(r, callsView(r))
	if err != nil {
		return err
	}
	filter.Sort = ""
	return s.sendCSV(w, r, "calls", call.ExportHeader, export.File{Rows: s.Calls.Export(r.Context(), signedIn(r).Organization.ID, filter)})
}

func (s *server) exportRecipients(w http.ResponseWriter, r *http.Request) error {
	rows := s.Campaigns.Export(r.Context(), signedIn(r).Organization.ID, pathParam(r, "id"), recipientOptions(r.URL.Query()))
	return s.sendCSV(w, r, "recipients", campaign.ExportHeader, export.File{Rows: rows})
}

// sendCSV answers with a file for a spreadsheet, named after today. When it can't be
// sent to its end the connection is broken off, so that the browser reports a
// failed download.
func (s *server) sendCSV(w http.ResponseWriter, r *http.Request, what string, header []string, f export.File) error {
	clock := s.clock(r)
	f.Name, f.Header, f.Spreadsheet = what+"-"+clock.Now.In(clock.Zone).Format(time.DateOnly)+".csv", header, true
	err := export.Serve(w, f)
	if cut, broken := errors.AsType[*export.CutError](err); broken {
		if r.Context().Err() == nil { // else it is the browser that went away
			s.Log.Error("export broke off", "request_id", requestID(r), "route", routePattern(r), "error", cut)
		}
		panic(http.ErrAbortHandler)
	}
	return err
}
