package web

import (
	"errors"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views/ui"
)

// maxListForm bounds a form with a list of recipients, in bytes.
const maxListForm = 64 << 20

// formMemory is how much of an uploaded file stays in memory, in bytes. The rest waits on disk.
const formMemory = 8 << 20

// previewWrong is how many wrong lines of a list a page shows.
const previewWrong = 50

// newFormID marks a form, so that what it makes is made once, however often the
// form is sent.
func newFormID() string { return uuid.Must(uuid.NewV7()).String() }

// formID is the mark of the form that was sent; a new one where it has none.
func formID(r *http.Request) string {
	if id, err := uuid.Parse(r.PostForm.Get("id")); err == nil && id.Version() == 7 {
		return id.String()
	}
	return newFormID()
}

// saved ends a handler that changed something: the form again with what is
// wrong, or the list with a word about it.
func (s *server) saved(w http.ResponseWriter, r *http.Request, err error, done, path string, again func(ui.Errors) error) error {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Conflict, fault.BadGateway:
		if err != nil {
			return again(ui.ErrorsOf(err))
		}
	}
	if err != nil {
		return err
	}
	s.toast(r, done)
	return seeOther(w, r, path)
}

// optionalInt reads a field that may be empty.
func optionalInt(p *fault.Problems, path, value string) *int {
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

// optionalFloat reads a field that may be empty.
func optionalFloat(p *fault.Problems, path, value string) *float64 {
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

func optionalID(p *fault.Problems, path, value string) *uuid.UUID {
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

var errNoForm = fault.Invalidf("", "the form could not be read. Try again")

// parseListForm reads a form that may hold a file, and returns what cleans up.
func parseListForm(r *http.Request) (done func(), err error) {
	done = func() {
		if r.MultipartForm != nil {
			r.MultipartForm.RemoveAll() //nolint:errcheck // what stays is the system's to clean
		}
	}
	err = r.ParseMultipartForm(formMemory) //nolint:gosec // the route bounds the body
	if err != nil && !errors.Is(err, http.ErrNotMultipart) {
		done()
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge || errors.Is(err, multipart.ErrMessageTooLarge) {
			return nil, fault.New(fault.TooLarge, "The list is larger than %d MiB", maxListForm>>20)
		}
		return nil, errNoForm
	}
	if r.PostForm == nil {
		r.PostForm = url.Values{}
	}
	return done, nil
}
