package web

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/dialwright/dialwright/views"
)

// docs is a page of the API's reference. It needs nobody signed in and is the
// same for everybody.
func (s *server) docs(w http.ResponseWriter, r *http.Request) error {
	slug := chi.URLParam(r, "page")
	page := s.Reference.Page(slug)
	if page == nil {
		return errNoPage
	}
	shell := views.ReferenceDocs(s.Reference, *page)
	shell.Theme, shell.Version = s.theme(r), s.Reference.Version
	_, shell.SignedIn = current(r)
	return render(w, r, http.StatusOK, views.ReferencePage(views.Reference{
		Docs: shell, Page: *page, BaseURL: strings.TrimRight(s.PublicURL, "/"),
	}))
}
