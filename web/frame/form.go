package frame

import (
	"cmp"
	"errors"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/person"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/views/ui"
)

// MaxListForm bounds a form with a list of recipients, in bytes.
const MaxListForm = 64 << 20

// formMemory is how much of an uploaded file stays in memory, in bytes. The rest waits on disk.
const formMemory = 8 << 20

// PreviewWrong is how many wrong lines of a list a page shows.
const PreviewWrong = 50

// NewFormID makes the ID of a form. The object that the form creates gets this ID, so a
// form that is sent twice creates one object.
func NewFormID() string { return uuid.Must(uuid.NewV7()).String() }

// FormID returns the ID of the form that was sent, or a new ID if the form has none.
func FormID(r *http.Request) string {
	if id, err := uuid.Parse(r.PostForm.Get("id")); err == nil && id.Version() == 7 {
		return id.String()
	}
	return NewFormID()
}

// Saved answers a change. A refused change shows the form again with its errors. A
// successful change leads to path, with done as a toast. Any other error is returned.
func (s *Server) Saved(
	w http.ResponseWriter, r *http.Request, err error, done, path string, again func(ui.Errors) error,
) error {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Conflict, fault.Stale, fault.BadGateway:
		if err != nil {
			return again(ui.ErrorsOf(err))
		}
	}
	return s.Done(w, r, err, done, path)
}

// Refusal is what a page says beside a button whose action was refused, such as the start of a campaign without
// recipients. It is empty for nil, and for errors that have a page of their own.
func Refusal(err error) string {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Conflict, fault.Stale, fault.Unprocessable, fault.BadGateway, fault.Unavailable:
		for _, message := range ui.ErrorsOf(err).Rest() {
			return ui.Capital(message)
		}
	}
	return ""
}

// At is a request for the page at an address of this site, for the answer to a form that shows this page again.
func At(r *http.Request, address string) *http.Request {
	page, u := r.Clone(r.Context()), *r.URL
	u.Path, u.RawQuery, _ = strings.Cut(address, "?")
	page.URL = &u
	return page
}

// Revision is the revision of a form that is shown again after err: the current one if somebody else has changed what
// the form is about, because the form now says so, else the one that it was sent with.
func Revision(r *http.Request, err error, current string) string {
	if fault.KindOf(err) == fault.Stale {
		return current
	}
	return r.PostForm.Get("revision")
}

// Done ends a change whose page shows no errors. A successful change leads to ReturnTo, or else to path, with done as a
// toast. An error is returned.
func (s *Server) Done(w http.ResponseWriter, r *http.Request, err error, done, path string) error {
	if err != nil {
		return err
	}
	if account.NothingChanged(r.Context()) {
		done = "Nothing changed"
	}
	s.Toast(r, done)
	return SeeOther(w, r, cmp.Or(ReturnTo(r), path))
}

// OptionalInt reads a whole number from a field that may be empty.
func OptionalInt(p *fault.Problems, path, value string) *int {
	value = strings.TrimSpace(value)
	if value == "" {
		return nil
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		p.Addf(path, "must be a whole number")
		return nil
	}
	return &n
}

// OptionalFloat reads a number from a field that may be empty.
func OptionalFloat(p *fault.Problems, path, value string) *float64 {
	value = strings.TrimSpace(value)
	if value == "" {
		return nil
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		p.Addf(path, "must be a number")
		return nil
	}
	return &n
}

// OptionalID reads the ID of a field that may be empty.
func OptionalID(p *fault.Problems, path, value string) *uuid.UUID {
	if value == "" {
		return nil
	}
	id, ok := check.ParseID(value)
	if !ok {
		p.Addf(path, "unknown")
		return nil
	}
	return &id
}

// NumberOrPart reads a filter by a phone number: a whole one in E.164, or else the part of one.
func NumberOrPart(r *http.Request, p *fault.Problems, path, value string) (number string, part person.Part) {
	region := SignedIn(r).Organization.Region
	if n, err := phone.ParseNational(value, region); err == nil {
		return n.String(), nil
	}
	if part = person.ReadPart(value, region); len(part) == 0 {
		p.Addf(path, "must be a phone number, or three or more digits of one")
	}
	return "", part
}

// ErrNoForm refuses a form whose body is malformed.
var ErrNoForm = fault.Invalidf("", "the form could not be read. Try again")

// ParseListForm reads a form that may contain a file. The caller calls done after its use.
func ParseListForm(r *http.Request) (done func(), err error) {
	done = func() {
		if r.MultipartForm != nil {
			r.MultipartForm.RemoveAll() //nolint:errcheck // the system deletes the remaining temporary files
		}
	}
	err = r.ParseMultipartForm(formMemory) //nolint:gosec // the route bounds the body
	if err != nil && !errors.Is(err, http.ErrNotMultipart) {
		done()
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge ||
			errors.Is(err, multipart.ErrMessageTooLarge) {
			return nil, fault.New(fault.TooLarge, "The list is larger than %d MiB", MaxListForm>>20)
		}
		return nil, ErrNoForm
	}
	if r.PostForm == nil {
		r.PostForm = url.Values{}
	}
	return done, nil
}
