package frame

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/dialwright/dialwright/internal/fault"
)

// A form may lack something to choose, such as a project. Its button for that sends the form with the field "make",
// the page that makes what is missing. The form is kept, sealed and for its sender only, as an upload is. The page
// leads back to the form, which shows again what was typed, with the new thing to choose. The same way leads from a
// list of first steps to a form and back.

// makeField is the field that a button for what is missing sends.
const makeField = "make"

// maxKeptForm bounds a kept form in bytes. Its list of recipients is kept apart.
const maxKeptForm = 1 << 20

// ReturnTo is the page of this site that a form leads to when it is saved, as the form or the address of its page says.
// It is empty if nothing says so.
func ReturnTo(r *http.Request) string {
	to := r.URL.Query().Get("return")
	if r.PostForm.Has("return") {
		to = r.PostForm.Get("return")
	}
	if OwnPath(to) != to {
		return ""
	}
	return to
}

// Detours answers a press of a button for what is missing. All else is for next. back returns the page with the form.
func (s *Server) Detours(back func(*http.Request) string, next HandlerFunc) HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.PostForm.Has(makeField) {
			return s.Detour(w, r, back(r))
		}
		return next(w, r)
	}
}

// Detour keeps the form that was posted and leads to the page that makes what it lacks. Back is the page with the form.
func (s *Server) Detour(w http.ResponseWriter, r *http.Request, back string) error {
	target := r.PostForm.Get(makeField)
	if OwnPath(target) != target || !strings.HasSuffix(target, "/new") {
		return ErrNoForm
	}
	r.PostForm.Del(makeField)
	kept, err := s.keepForm(r, r.PostForm)
	if err != nil {
		return err
	}
	return SeeOther(w, r, target+"?return="+url.QueryEscape(back+kept))
}

// DetourTo keeps the form that was posted and leads to a page whose form is filled in. It leads back to the page back.
func (s *Server) DetourTo(w http.ResponseWriter, r *http.Request, back, target string, form url.Values) error {
	r.PostForm.Del("action")
	kept, err := s.keepForm(r, r.PostForm)
	if err != nil {
		return err
	}
	return s.FilledIn(w, r, back+kept, target, form)
}

// FilledIn leads to a page whose form is filled in. It leads back to the page back.
func (s *Server) FilledIn(w http.ResponseWriter, r *http.Request, back, target string, form url.Values) error {
	form.Set("return", back)
	filled, err := s.keepForm(r, form)
	if err != nil {
		return err
	}
	return SeeOther(w, r, target+filled)
}

// keepForm keeps a form and returns the query of a page that shows it again.
func (s *Server) keepForm(r *http.Request, form url.Values) (query string, err error) {
	kept, err := s.Uploads.Keep(r.Context(), s.Actor(r), "Form", strings.NewReader(form.Encode()))
	return "?kept=" + kept.ID.String(), err
}

// Restored reports whether the address of a form names a kept form, and makes it r.PostForm. A form that is no longer
// kept opens anew.
func (s *Server) Restored(r *http.Request) (bool, error) {
	id := r.URL.Query().Get("kept")
	if id == "" {
		return false, nil
	}
	_, content, err := s.Uploads.Open(r.Context(), s.Actor(r), id)
	if fault.KindOf(err) == fault.NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer content.Close()
	text, err := io.ReadAll(io.LimitReader(content, maxKeptForm))
	if err != nil {
		return false, fmt.Errorf("read a kept form: %w", err)
	}
	form, err := url.ParseQuery(string(text))
	if err != nil { // another upload of the same person
		return false, nil
	}
	r.PostForm = form
	return true, nil
}
