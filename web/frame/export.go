package frame

import (
	"errors"
	"io"
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
	f.Name, f.Header, f.Spreadsheet = s.fileName(r, what, ".csv"), header, true
	return s.whole(r, export.Serve(w, f))
}

// SendJSON answers with the JSON that write writes, as SendCSV does with a table.
func (s *Server) SendJSON(w http.ResponseWriter, r *http.Request, what string, write func(io.Writer) error) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", export.Attachment(s.fileName(r, what, ".json")))
	out := export.NewWriter(w)
	err := s.whole(r, out.Failed(write(out)))
	if err != nil {
		h.Del("Content-Disposition") // the browser shows the error page
	}
	return err
}

func (s *Server) fileName(r *http.Request, what, extension string) string {
	clock := s.Clock(r)
	return what + "-" + clock.Now.In(clock.Zone).Format(time.DateOnly) + extension
}

// whole returns the error of a file of which nothing was sent. If a part of the file was sent, whole aborts the
// connection.
func (s *Server) whole(r *http.Request, err error) error {
	if cut, broken := errors.AsType[*export.CutError](err); broken {
		if r.Context().Err() == nil { // a canceled request means that the browser has disconnected
			s.Log.Error("export broke off", "request_id", RequestID(r), "route", RoutePattern(r), "error", cut)
		}
		panic(http.ErrAbortHandler)
	}
	return err
}
