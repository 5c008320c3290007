package settings

import (
	"io"
	"net/http"
	"strconv"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

func (s *Server) ExportDoNotCall(w http.ResponseWriter, r *http.Request) error {
	_, filter, err := s.readDoNotCallFilter(r)
	if err != nil {
		return err
	}
	rows := s.Suppressions.Export(r.Context(), frame.SignedIn(r).Organization.ID, filter)
	return s.SendCSV(w, r, "do-not-call", suppression.ExportHeader,
		export.File{Rows: s.Noted(r, "do_not_call.exported", account.Object{Type: "do_not_call"}, rows)})
}

func (s *Server) NewDoNotCallImport(w http.ResponseWriter, r *http.Request) error {
	return frame.Render(w, r, http.StatusOK, views.DoNotCallImportPage(s.Chrome(r), views.DoNotCallImport{
		Region: frame.SignedIn(r).Organization.Region, Channel: bothChannels,
	}))
}

// ImportDoNotCall imports a file in two steps: the first shows its content, the second
// adds it to the list after the person agrees. The file is stored as an upload between
// the steps.
func (s *Server) ImportDoNotCall(w http.ResponseWriter, r *http.Request) error {
	done, err := frame.ParseListForm(r)
	if err != nil {
		return err
	}
	defer done()
	v := views.DoNotCallImport{
		Region: r.PostForm.Get("region"), Channel: r.PostForm.Get("channel"), Upload: r.PostForm.Get("upload"),
	}
	again := func(e ui.Errors) error {
		v.Errors, v.Upload = e, ""
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.DoNotCallImportPage(s.Chrome(r), v))
	}
	if file, header, err := r.FormFile("file"); err == nil && header.Size > 0 {
		defer file.Close()
		kept, err := s.Uploads.Keep(r.Context(), s.Actor(r), header.Filename, file)
		if kind := fault.KindOf(err); err != nil && (kind == fault.TooLarge || kind == fault.Unprocessable) {
			return again(ui.Errors{"file": err.Error()})
		}
		if err != nil {
			return err
		}
		v.Upload = kept.ID.String()
	}
	if v.Upload == "" {
		return again(ui.Errors{"file": "Choose a file"})
	}
	list, name, err := s.readDoNotCallFile(r, v)
	if fault.KindOf(err) == fault.Invalid || fault.KindOf(err) == fault.NotFound {
		errs := ui.ErrorsOf(err)
		if fault.KindOf(err) == fault.NotFound {
			errs = ui.Errors{"file": "The file was deleted. Choose it again"}
		}
		return again(errs)
	}
	if err != nil {
		return err
	}
	switch r.PostForm.Get("action") {
	case "problems":
		return s.SendCSV(w, r, "rows-to-fix", problemHeader, export.File{
			Rows: problemRows(list.Problems), Delimiter: list.Delimiter,
		})
	case "add":
		return s.addDoNotCallFile(w, r, v, list, again)
	}
	v.Name, v.Rows = name, list.Rows
	v.Numbers, v.Duplicates, v.Rejected = len(list.Numbers), list.Duplicates, len(list.Problems)
	for _, p := range list.Problems[:min(len(list.Problems), frame.PreviewWrong)] {
		v.Wrong = append(v.Wrong, views.DoNotCallWrong{Line: p.Line, Cell: p.Cell, Reason: ui.Capital(p.Reason)})
	}
	for _, n := range list.Numbers[:min(len(list.Numbers), 5)] {
		v.Sample = append(v.Sample, views.DoNotCallSample{Number: n.PhoneNumber.String(), Note: n.Note})
	}
	return frame.Render(w, r, http.StatusOK, views.DoNotCallImportPage(s.Chrome(r), v))
}

func (s *Server) readDoNotCallFile(r *http.Request, v views.DoNotCallImport) (*suppression.Import, string, error) {
	kept, file, err := s.Uploads.Open(r.Context(), s.Actor(r), v.Upload)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	list, err := suppression.ReadFile(io.Reader(file), v.Region)
	return list, kept.Name, err
}

func (s *Server) addDoNotCallFile(
	w http.ResponseWriter, r *http.Request, v views.DoNotCallImport, list *suppression.Import,
	again func(ui.Errors) error,
) error {
	if len(list.Numbers) == 0 {
		return again(ui.Errors{"file": "No row has a valid phone number"})
	}
	sum, err := s.Suppressions.AddAll(r.Context(), s.Actor(r), list.Entries(channelsOf(v.Channel)...))
	if fault.KindOf(err) == fault.Invalid && err != nil {
		return again(ui.ErrorsOf(err))
	}
	if err != nil {
		return err
	}
	err = s.Uploads.Drop(r.Context(), s.Actor(r), v.Upload)
	told := views.DoNotCallImported(v.Channel, sum.Numbers, len(list.Numbers)-sum.Numbers)
	return s.Done(w, r, err, told, doNotCallPath)
}

// problemHeader is the first row of a file of problemRows.
var problemHeader = []string{"row", "phone_number", "reason"}

// problemRows are the rows of a file that could not be read, for a file of their own.
func problemRows(problems []suppression.RowProblem) func(func([]string, error) bool) {
	return func(yield func([]string, error) bool) {
		for _, p := range problems {
			if !yield([]string{strconv.Itoa(p.Line), p.Cell, p.Reason}, nil) {
				return
			}
		}
	}
}
