package frame

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// PathParam returns a parameter of the path.
func PathParam(r *http.Request, name string) string { return chi.URLParam(r, name) }

// PathID reads {id} from the path. A malformed ID is NotFound, like an unknown ID.
func PathID(r *http.Request, resource string) (uuid.UUID, error) {
	return ParseID(chi.URLParam(r, "id"), resource)
}

// ParseID reads an ID. A malformed ID is NotFound.
func ParseID(value, resource string) (uuid.UUID, error) {
	id, ok := check.ParseID(value)
	if !ok {
		return uuid.Nil, fault.NotFoundf(resource)
	}
	return id, nil
}

// Pager links a page of a list to the next older page and to the newest page. A cursor
// leads in one direction only.
func Pager(r *http.Request, next *string, line string) ui.Pager {
	return pagerAt(r.URL, next, line)
}

// pagerAt is Pager for a list whose address differs from the page that shows it.
func pagerAt(list *url.URL, next *string, line string) ui.Pager {
	p := ui.Pager{Line: line}
	if list.Query().Get("cursor") != "" {
		p.NewerHref = WithParam(list, "cursor", "")
	}
	if next != nil {
		p.OlderHref = WithParam(list, "cursor", *next)
	}
	return p
}

// WithParam returns u with one query parameter set, or removed if value is "".
func WithParam(u *url.URL, name, value string) string {
	q := u.Query()
	q.Del(name)
	if value != "" {
		q.Set(name, value)
	}
	if len(q) == 0 {
		return u.Path
	}
	return u.Path + "?" + q.Encode()
}

// WithParams is WithParam for several parameters, as pairs of a name and a value.
func WithParams(u *url.URL, pairs ...string) string {
	changed := *u
	q := changed.Query()
	for i := 0; i < len(pairs); i += 2 {
		q.Del(pairs[i])
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	changed.RawQuery = q.Encode()
	return WithParam(&changed, "", "")
}

// ListQuery returns the query of the list that a page was opened from, as the address of the page or its form says. It
// is empty if nothing says so.
func ListQuery(r *http.Request) string {
	sent := r.URL.Query().Get("filter")
	if r.PostForm.Has("filter") {
		sent = r.PostForm.Get("filter")
	}
	query, err := url.ParseQuery(sent)
	if err != nil {
		return ""
	}
	return query.Encode()
}

// SelectHrefs returns the addresses of a list in which rows can be selected, and of the same list without.
func SelectHrefs(r *http.Request) (selecting, plain string) {
	return WithParam(r.URL, "select", "yes"), WithParam(r.URL, "select", "")
}

// Confirm asks for confirmation of an irreversible action, on a page of its own. With
// scripts, the same question appears as a dialog. Both answers lead to ReturnTo, if there is one.
func (s *Server) Confirm(w http.ResponseWriter, r *http.Request, v views.Confirm) error {
	if to := ReturnTo(r); to != "" {
		v.Question.Action, v.Question.Back = views.Returning(v.Question.Action, to), to
	}
	return Render(w, r, http.StatusOK, views.ConfirmPage(s.Chrome(r), v))
}

// Anchored links to a part of a page.
func Anchored(href, id string) string {
	if href == "" {
		return ""
	}
	return href + "#" + id
}

// PageOf reads the requested page of a list from the query.
func PageOf(r *http.Request) page.Request { return page.Request{Cursor: r.URL.Query().Get("cursor")} }
