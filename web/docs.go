package web

import (
	"io"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/layout"
	"github.com/dialwright/dialwright/web/frame"
)

// docs shows a page of the API reference, as Markdown if its name ends with .md. The page needs no sign-in and is the
// same for all visitors.
func (s *server) docs(w http.ResponseWriter, r *http.Request) error {
	slug, asMarkdown := strings.CutSuffix(chi.URLParam(r, "page"), ".md")
	if asMarkdown && slug == "index" {
		slug = ""
	}
	page := s.Reference.Page(slug)
	if page == nil {
		return frame.ErrNoPage
	}
	in := reference.LanguageOf(r.URL.Query().Get("language"))
	if asMarkdown {
		return sendText(w, "text/markdown; charset=utf-8", page.Markdown(in, s.docsBase()))
	}
	return frame.Render(w, r, http.StatusOK, views.ReferencePage(views.Reference{
		Docs:     s.docsShell(r, views.ReferencePath(slug)),
		All:      s.Reference,
		Page:     *page,
		BaseURL:  s.docsBase(),
		Language: in,
	}))
}

// searchDocs searches the API reference.
func (s *server) searchDocs(w http.ResponseWriter, r *http.Request) error {
	shell := s.docsShell(r, "/docs/search")
	shell.Query = strings.TrimSpace(r.URL.Query().Get("q"))
	return frame.Render(w, r, http.StatusOK, views.ReferenceSearch(shell, s.Reference.Search(shell.Query)))
}

// llms lists the pages of the reference for language models.
func (s *server) llms(w http.ResponseWriter, _ *http.Request) error {
	return sendText(w, "text/plain; charset=utf-8", s.Reference.Index(s.docsBase()))
}

func (s *server) docsShell(r *http.Request, path string) layout.Docs {
	shell := views.ReferenceDocs(s.Reference, path, reference.LanguageOf(r.URL.Query().Get("language")))
	shell.Theme = s.Theme(r)
	_, shell.SignedIn = frame.Current(r)
	return shell
}

func (s *server) docsBase() string { return strings.TrimRight(s.PublicURL, "/") }

func sendText(w http.ResponseWriter, mediaType, text string) error {
	w.Header().Set("Content-Type", mediaType)
	_, _ = io.WriteString(w, text) // the visitor may have left
	return nil
}
