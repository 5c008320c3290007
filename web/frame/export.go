package frame

import (
	"errors"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/export"
)

// ExportHref links to the export of a list with the same filters. The export covers all
// pages of the list.
func ExportHref(r *http.Request) string {
	u := url.URL{Path: r.URL.Path + "/export", RawQuery: r.URL.RawQuery}
	return WithParams(&u, "cursor", "", "sort", "")
}

// Noted returns rows whose export is recorded in the audit log, along with whether
// filters were set.
func (s *Server) Noted(
	r *http.Request, action string, of account.Object, rows iter.Seq2[[]string, error],
) iter.Seq2[[]string, error] {
	return export.Noted(rows, func() error {
		return s.Accounts.Note(r.Context(), s.Actor(r), action, of, map[string]any{"filtered": r.URL.RawQuery != ""})
	})
}

// SendCSV answers with a file for a spreadsheet, with today's date in its name. If a row
// fails, SendCSV aborts the connection, so that the browser reports a failed download.
func (s *Server) SendCSV(w http.ResponseWriter, r *http.Request, what string, header []string, f export.File) error {
	clock := s.Clock(r)
	f.Name, f.Header, f.Spreadsheet = what+"-"+clock.Now.In(clock.Zone).Format(time.DateOnly)+".csv", header, true
	err := export.Serve(w, f)
	if cut, broken := errors.AsType[*export.CutError](err); broken {
		if r.Context().Err() == nil { // a canceled request means that the browser has disconnected
			s.Log.Error("export broke off", "request_id", RequestID(r), "route", RoutePattern(r), "error", cut)
		}
		panic(http.ErrAbortHandler)
	}
	return err
}
