package web

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/web/frame"
)

// docs shows a page of the API reference. The page needs no sign-in and is the same for
// all visitors.
func (s *server) docs(w http.ResponseWriter, r *http.Request) error {
	slug := chi.URLParam(r, "page")
	page := s.Reference.Page(slug)
	if page == nil {
		return frame.ErrNoPage
	}
	shell := views.ReferenceDocs(s.Reference, *page)
	shell.Theme, shell.Version = s.Theme(r), s.Reference.Version
	_, shell.SignedIn = frame.Current(r)
	return frame.Render(w, r, http.StatusOK, views.ReferencePage(views.Reference{
		Docs: shell, Page: *page, BaseURL: strings.TrimRight(s.PublicURL, "/"),
	}))
}
