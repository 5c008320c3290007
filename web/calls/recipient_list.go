package calls

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/upload"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const (
	previewColumns = 4
	pastedName     = "Pasted list"
)

// recipientList is the recipient list of a form: as sent, as stored and as read.
type recipientList struct {
	view    views.ListForm
	read    *intake.File // nil if the list is missing or unreadable
	problem string       // why the list has no recipient to call; empty if it has some
	agreed  bool         // the person saw the wrong rows and agreed to leave them out
}

// listReader reads a file of recipients for one kind of form.
type listReader func(ctx context.Context, open func() (io.ReadCloser, error), how intake.Reading) (*intake.File, error)

// readNew reads the list of a new campaign.
func readNew(_ context.Context, open func() (io.ReadCloser, error), how intake.Reading) (*intake.File, error) {
	file, err := open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return intake.Read(file, how)
}

// readList reads the list of a form: an uploaded file, else a pasted text, else the list
// that an earlier step stored. It stores a readable list for the next step. The error is
// never a fault of the list itself.
func (s *Server) readList(
	r *http.Request, how intake.Reading, read listReader, speaker followedAgent,
) (*recipientList, error) {
	ctx, actor, form := r.Context(), s.Actor(r), r.PostForm
	l := &recipientList{
		view: views.ListForm{Upload: form.Get("upload"), Pasted: form.Get("recipients")},
	}
	if form.Get("action") == "replace" {
		l.view = views.ListForm{}
		return l, s.Uploads.Drop(ctx, actor, form.Get("upload"))
	}
	fresh, err := s.keepList(r, l)
	if err != nil || l.problem != "" {
		return l, err
	}
	if l.view.Upload == "" {
		l.problem = "paste a list or choose a file"
		return l, nil
	}
	if !fresh { // the column choices were made for this file, perhaps beside another agent
		how.Header, how.Uses = saidOfColumns(form)
		how.Guess = form.Get("columns_of") != speaker.key
		l.view.LeaveOut = form.Get("leave_out") != ""
	}
	open := func() (io.ReadCloser, error) {
		file, content, err := s.Uploads.Open(ctx, actor, l.view.Upload)
		l.view.Name = file.Name
		return content, err
	}
	l.read, err = read(ctx, open, how)
	switch fault.KindOf(err) {
	case fault.Invalid:
		l.problem, err = ui.ErrorsOf(err).For("recipients"), nil
		if l.read == nil { // an unusable list does not stay stored
			if err := s.Uploads.Drop(ctx, actor, l.view.Upload); err != nil {
				return nil, err
			}
			l.view.Upload = ""
			return l, nil
		}
	case fault.NotFound:
		l.view.Upload = ""
		l.problem = fmt.Sprintf("the list was deleted after %d hours. Choose it again", int(upload.Lifetime.Hours()))
		return l, nil
	default:
		if err != nil {
			return nil, err
		}
	}
	l.view.Pasted = ""
	l.agreed = l.view.LeaveOut && form.Get("rejected") == strconv.Itoa(l.read.Rejected) && !fresh
	l.showColumns(speaker, how.Wanted)
	if l.problem == "" {
		l.view.Preview, err = s.preview(r, l.read)
	}
	return l, err
}

// keepList stores a list that was sent with the form, in place of the earlier list. fresh
// reports whether the form had one.
func (s *Server) keepList(r *http.Request, l *recipientList) (fresh bool, err error) {
	var content io.Reader
	name := pastedName
	file, header, err := r.FormFile("file")
	switch {
	case err == nil && header.Size > 0:
		defer file.Close()
		content, name = file, cmp.Or(header.Filename, "List")
	case strings.TrimSpace(l.view.Pasted) != "":
		content = strings.NewReader(l.view.Pasted)
	default:
		return false, nil
	}
	before := l.view.Upload
	kept, err := s.Uploads.Keep(r.Context(), s.Actor(r), name, content)
	switch f := fault.As(err); {
	case f != nil && f.Kind == fault.Unprocessable:
		l.problem = f.Message
		return true, nil
	case err != nil:
		return true, err
	}
	l.view.Upload = kept.ID.String()
	if before == "" {
		return true, nil
	}
	return true, s.Uploads.Drop(r.Context(), s.Actor(r), before)
}

// saidOfColumns returns the person's choices for the columns of a list. It returns
// nothing if the form had no such fields.
func saidOfColumns(form url.Values) (header *bool, uses []intake.Use) {
	for i := 0; form.Has("column." + strconv.Itoa(i)); i++ {
		uses = append(uses, intake.Use(form.Get("column."+strconv.Itoa(i))))
	}
	if uses == nil {
		return nil, nil
	}
	// Changing the header choice changes the names of the columns, and so invalidates the
	// earlier choices of their meaning.
	named := form.Get("header") != ""
	if before := form.Get("header_before"); before != "" && (before == "on") != named {
		uses = nil
	}
	return &named, uses
}

// format describes the format of a file. A file of one column needs no separator.
func format(list *intake.File) string {
	if len(list.Columns) < 2 {
		return list.Encoding
	}
	parted := map[rune]string{',': "commas", ';': "semicolons", '\t': "tabs", '|': "bars"}[list.Delimiter]
	return list.Encoding + ", separated by " + cmp.Or(parted, string(list.Delimiter))
}

// preview shows what will happen to the rows of a list.
func (s *Server) preview(r *http.Request, list *intake.File) (*views.Preview, error) {
	numbers := make([]phone.Number, 0, len(list.Sample))
	for _, row := range list.Sample {
		numbers = append(numbers, row.Read)
	}
	listed, err := suppression.Listed(r.Context(), s.Pool, frame.SignedIn(r).Organization.ID, suppression.Voice,
		numbers)
	if err != nil {
		return nil, err
	}
	consentRequired, err := s.Calling.ConsentRequired(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil {
		return nil, err
	}
	names := list.Variables()
	shownColumns := min(len(names), previewColumns)
	v := &views.Preview{Rows: list.Rows, Rejected: list.Rejected, Columns: names[:shownColumns]}
	v.Named = len(list.NameColumns()) > 0
	for _, row := range list.Sample {
		shown := views.PreviewRow{
			Line: row.Line, Typed: row.Number, Number: ui.Phone(row.Read.String()), Name: row.Name, State: "ready",
			Cells: row.Variables[:shownColumns],
		}
		switch _, ok := listed[row.Read]; {
		case ok:
			shown.State, shown.Check = "skipped", "On the do-not-call list, will be skipped"
		case row.Duplicate:
			shown.State, shown.Check = "skipped", "Duplicate, will be skipped"
		case consentRequired && !row.Consented:
			shown.State, shown.Check = "skipped", "No consent, will be skipped"
		}
		v.Sample = append(v.Sample, shown)
	}
	for _, wrong := range list.Problems[:min(len(list.Problems), frame.PreviewWrong)] {
		v.Wrong = append(v.Wrong, views.PreviewRow{
			Line: wrong.Line, Typed: wrong.Number, Name: wrong.Name, State: "rejected",
			Check: ui.Capital(wrong.Reason),
		})
	}
	return v, nil
}

// serveRejected answers with a file of the rejected rows, each unchanged and with its
// reason. The person can correct the file and upload it.
func (s *Server) serveRejected(
	w http.ResponseWriter, r *http.Request, l *recipientList, how intake.Reading, read listReader,
) error {
	how.Header, how.Uses = &l.read.Header, nil
	header := []string{"row", "reason"}
	for _, c := range l.read.Columns {
		how.Uses = append(how.Uses, c.Choice())
		header = append(header, cmp.Or(c.Header, c.Name))
	}
	stop := errors.New("no more rows are asked for")
	rows := func(yield func([]string, error) bool) {
		how.Reject = func(p intake.RowProblem, cells []string) error {
			if !yield(append([]string{strconv.Itoa(p.Line), p.Reason}, cells...), nil) {
				return stop
			}
			return nil
		}
		open := func() (io.ReadCloser, error) {
			_, content, err := s.Uploads.Open(r.Context(), s.Actor(r), l.view.Upload)
			return content, err
		}
		if _, err := read(r.Context(), open, how); err != nil && !errors.Is(err, stop) {
			yield(nil, err)
		}
	}
	return export.Serve(w, export.File{
		Name: "rows-to-fix.csv", Header: header, Rows: iter.Seq2[[]string, error](rows), Spreadsheet: true,
		Delimiter: l.read.Delimiter,
	})
}

// toCorrect explains why a list with wrong rows is refused. It is empty if the wrong rows
// may be left out. A draft leaves them out and says so, because nobody is called yet.
func (l *recipientList) toCorrect(asDraft bool) string {
	switch {
	case l.read == nil || l.read.Rejected == 0:
		return ""
	case l.read.Recipients.Len() == 0:
		return "no row is valid. Fix the list and replace it"
	case !l.agreed && !asDraft:
		if l.read.Rejected == 1 {
			return "1 invalid row. Replace the list or skip it"
		}
		return ui.Plural(l.read.Rejected, "invalid row") + ". Replace the list or skip them"
	}
	return ""
}

// leftOut tells of the wrong rows that a draft does not have, "" if there are none.
func (l *recipientList) leftOut() string {
	if l.read == nil || l.read.Rejected == 0 {
		return ""
	}
	if l.read.Rejected == 1 {
		return fmt.Sprintf("Row %d was left out because it is invalid. Correct it and add it to the draft",
			l.read.Problems[0].Line)
	}
	var lines []string
	for _, p := range l.read.Problems[:min(3, len(l.read.Problems))] {
		lines = append(lines, strconv.Itoa(p.Line))
	}
	if more := l.read.Rejected - len(lines); more > 0 {
		lines = append(lines, ui.Count(more)+" more")
	}
	return "Rows " + english.List(lines) +
		" were left out because they are invalid. Correct them and add them to the draft"
}

// given reports whether the form has a list, readable or not.
func (l *recipientList) given() bool {
	return l.view.Upload != "" || l.view.Pasted != "" || l.read != nil
}

// recipients returns the recipients to submit, or nil if there are none.
func (l *recipientList) recipients() *intake.List {
	if l.read == nil || l.problem != "" {
		return nil
	}
	return l.read.Recipients
}

// outlook describes what will happen to the list of a form.
func (s *Server) outlook(
	r *http.Request, l *recipientList, f campaign.Forecast, start string, sp followedAgent, set json.RawMessage,
) *views.Outlook {
	if l.recipients() == nil {
		return nil
	}
	v := s.foreseen(r, f, start, sp, set)
	v.Rows, v.Rejected = l.read.Rows, l.read.Rejected
	return v
}

// foreseen describes what will happen to recipients. start is when their campaign starts, as it was typed. sp is their
// agent, and set are variables that the campaign has for everybody.
func (s *Server) foreseen(
	r *http.Request, f campaign.Forecast, start string, sp followedAgent, set json.RawMessage,
) *views.Outlook {
	v := &views.Outlook{
		Called: f.Called, Duplicates: f.Duplicates, DoNotCall: f.DoNotCall, NoConsent: f.NoConsent,
		Calls: f.Calls, Late: f.Late, TooFar: f.TooFar, Refused: refusedList(f.Refused),
		Lacking: s.lackingValues(r, f.Lacking, sp, set),
	}
	for _, d := range f.Dated {
		if text, _ := sp.said(d.Name, nil); text != "" {
			v.Dated = append(v.Dated, views.DatedValue{Name: d.Name, Example: d.Example})
		}
	}
	clock := s.Clock(r)
	if !f.First.IsZero() {
		theirs := ui.Clock{Now: clock.Now, Zone: clock.Zone}
		if zone, err := time.LoadLocation(f.FirstZone); err == nil && !f.Scheduled {
			theirs.Zone = zone
		}
		switch {
		case f.Scheduled && start == "" && !f.First.After(clock.Now):
			v.First = "Now"
		case f.Scheduled:
			v.First = theirs.When(f.First) + " " + theirs.Abbreviation(f.First)
		case f.ByTheirs:
			v.First = theirs.When(f.First) + " in the recipients' time"
		default:
			v.First = theirs.When(f.First) + " " + theirs.Abbreviation(f.First)
		}
	}
	if !f.Last.IsZero() {
		v.Last = "about " + clock.When(f.Last) + " " + clock.Abbreviation(f.Last)
	}
	if f.PerCall > 0 {
		v.PerCall = "Assumes calls of " + ui.Wait(f.PerCall)
		if !f.Guessed {
			v.PerCall = "Based on your average call of " + ui.Wait(f.PerCall)
		}
	}
	if q := f.Quota; q != nil {
		v.Quota = &views.OutlookQuota{
			Name: cmp.Or(frame.OrNone(q.Name), q.ExternalID), Needed: f.Recipients, Available: q.Available(),
			Used: q.Used, Tier: q.Tier,
		}
	}
	return v
}
