package web

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

func pathParam(r *http.Request, name string) string { return chi.URLParam(r, name) }

// pathID reads {id}. A malformed one is as unknown as any other: NotFound.
func pathID(r *http.Request, resource string) (uuid.UUID, error) {
	return parseID(chi.URLParam(r, "id"), resource)
}

func parseID(value, resource string) (uuid.UUID, error) {
	id, ok := check.ParseID(value)
	if !ok {
		return uuid.Nil, fault.NotFoundf(resource)
	}
	return id, nil
}

// pager leads from a page of a list to the next older one, and back to the
// newest: a cursor only goes one way.
func pager(r *http.Request, next *string, line string) ui.Pager {
	return pagerAt(r.URL, next, line)
}

// pagerAt is pager for a list that is shown elsewhere than at its own address.
func pagerAt(list *url.URL, next *string, line string) ui.Pager {
	p := ui.Pager{Line: line}
	if list.Query().Get("cursor") != "" {
		p.NewerHref = withParam(list, "cursor", "")
	}
	if next != nil {
		p.OlderHref = withParam(list, "cursor", *next)
	}
	return p
}

// withParam is u with one query parameter set, or removed when value is "".
func withParam(u *url.URL, name, value string) string {
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

// withParams is withParam for several: a name, its value, and so on.
func withParams(u *url.URL, pairs ...string) string {
	changed := *u
	q := changed.Query()
	for i := 0; i < len(pairs); i += 2 {
		q.Del(pairs[i])
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	changed.RawQuery = q.Encode()
	return withParam(&changed, "", "")
}

// confirm asks before something that can't be undone, on a page of its own; the
// script shows the same question as a dialog.
func (s *server) confirm(w http.ResponseWriter, r *http.Request, v views.Confirm) error {
	return render(w, r, http.StatusOK, views.ConfirmPage(s.chrome(r), v))
}

// anchored links to a part of a page.
func anchored(href, id string) string {
	if href == "" {
		return ""
	}
	return href + "#" + id
}

// pageOf is the part of a list that the query asks for.
func pageOf(r *http.Request) page.Request { return page.Request{Cursor: r.URL.Query().Get("cursor")} }
