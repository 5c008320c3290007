package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
)

// A form that is sent when the session has ended is kept, sealed, until its
// sender has signed in again. Then it is shown, in its page where that can be
// (refill.go), and sent again by a click: never by itself, because signing in is no
// consent to what was on the page before.
// Only a form of this site is kept (requests from other sites are refused before
// they get here), only for the person whose session it was, and no secrets.

const (
	maxKept       = 1 << 20 // bytes of names and values
	maxKeptFields = 2000
	maxKeptLost   = 100
)

// keptForm is what is stored.
type keptForm struct {
	Action string // path and query that it was sent to
	From   string // path and query of the page it was on
	Fields []keptField
	Lost   []string // names of what was not kept
}

type keptField struct{ Name, Value string }

// secretField tells of names whose values are never kept.
var secretField = regexp.MustCompile(`(?i)password|secret|token|ticket|credential|^code$`)

// marks are fields that nobody typed.
var marks = []string{"id", "action", "next", "mark"}

// keep stores what was posted and returns the path to come back to; "" when
// there is nothing that anybody would miss.
func (s *server) keep(r *http.Request, from string) (string, error) {
	user, err := uuid.Parse(s.sessions.GetString(r.Context(), sessionUser))
	if err != nil {
		return "", nil // nobody was signed in at this browser
	}
	organization, err := uuid.Parse(s.sessions.GetString(r.Context(), sessionOrganization))
	if err != nil {
		return "", nil
	}
	form := keptForm{Action: r.URL.RequestURI(), From: from}
	if err := form.read(r); err != nil {
		return "", nil // it can't be read, or is too long
	}
	if !slices.ContainsFunc(form.Fields, func(f keptField) bool { return f.Value != "" && !slices.Contains(marks, f.Name) }) {
		return "", nil
	}
	sealed, err := json.Marshal(form)
	if err != nil {
		return "", fmt.Errorf("encode a kept form: %w", err)
	}
	id, err := s.Accounts.KeepForm(r.Context(), organization, user, sealed)
	if fault.KindOf(err) == fault.NotFound {
		return "", nil // a member no longer
	}
	if err != nil {
		return "", err
	}
	return s.places(form, id.String())[0], nil
}

var errTooLong = errors.New("the form is too long to be kept")

// read takes the fields in the order they were sent in, as far as that is known.
func (f *keptForm) read(r *http.Request) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("read a form: %w", err)
	}
	if kind != "multipart/form-data" {
		r.Body = http.MaxBytesReader(nil, r.Body, maxKept)
		if err := r.ParseForm(); err != nil {
			return fmt.Errorf("read a form: %w", err)
		}
		names := make([]string, 0, len(r.PostForm))
		for name := range r.PostForm {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			for _, value := range r.PostForm[name] {
				if err := f.add(name, value); err != nil {
					return err
				}
			}
		}
		return nil
	}
	parts, err := r.MultipartReader()
	if err != nil {
		return fmt.Errorf("read a form: %w", err)
	}
	left := int64(maxKept)
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a form: %w", err)
		}
		name := part.FormName()
		if left -= int64(len(name)); left < 0 {
			return errTooLong
		}
		if part.FileName() != "" {
			if err := f.lose(name); err != nil {
				return err
			}
			continue
		}
		value, err := io.ReadAll(io.LimitReader(part, left+1))
		if err != nil {
			return fmt.Errorf("read a form: %w", err)
		}
		if int64(len(value)) > left { // a long list; what else was typed is short
			err = f.lose(name)
		} else {
			left -= int64(len(value))
			err = f.add(name, string(value))
		}
		if err != nil {
			return err
		}
	}
}

func (f *keptForm) add(name, value string) error {
	if secretField.MatchString(name) {
		if value == "" {
			return nil
		}
		return f.lose(name)
	}
	if len(f.Fields) == maxKeptFields {
		return errTooLong
	}
	f.Fields = append(f.Fields, keptField{name, value})
	return nil
}

// lose notes the name of what is not kept. Few are, of any form of ours.
func (f *keptForm) lose(name string) error {
	if name == "" || slices.Contains(f.Lost, name) {
		return nil
	}
	if len(f.Lost) == maxKeptLost {
		return errTooLong
	}
	f.Lost = append(f.Lost, name)
	return nil
}

// kept shows a form that was kept, to be sent again.
func (s *server) kept(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Form")
	if err != nil {
		return err
	}
	form, err := s.keptForm(r, id)
	if err != nil {
		return err
	}
	v := views.Kept{Action: form.Action, BackHref: ours(form.From)}
	for _, f := range form.Fields {
		v.Fields = append(v.Fields, views.KeptField{Name: f.Name, Value: f.Value, Typed: typed(f)})
	}
	v.Lost = form.Lost
	showsSecret(w)
	return render(w, r, http.StatusOK, views.KeptPage(s.chrome(r), v))
}

// typed tells of fields that a person would know again: no marks, and no ids of
// what was chosen from a list.
func typed(f keptField) bool {
	if f.Value == "" || slices.Contains(marks, f.Name) {
		return false
	}
	_, err := uuid.Parse(f.Value)
	return err != nil
}

// postedFrom is the page of ours that a form was on; "" when it is not known.
func postedFrom(r *http.Request) string {
	from, err := url.Parse(r.Referer())
	if err != nil || from.Host != r.Host {
		return ""
	}
	return from.RequestURI()
}
