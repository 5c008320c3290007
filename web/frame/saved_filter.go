package frame

import (
	"net/http"
	"slices"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// savedLists are the lists whose filters can be saved.
var savedLists = []string{"/calls", "/follow-ups", "/messaging/messages"}

// SavedFilters returns the saved filters of the person for a list, which is shown with the filters of the request.
func (s *Server) SavedFilters(r *http.Request, list string) (views.SavedFilters, error) {
	v := views.SavedFilters{List: list, Query: account.FilterQuery(r.URL.Query())}
	saved, err := s.Accounts.SavedFilters(r.Context(), s.Actor(r), list)
	if err != nil {
		return v, err
	}
	for _, f := range saved {
		v.Saved = append(v.Saved, views.SavedFilter{
			ID: f.ID.String(), Name: f.Name, Href: f.Href(), Current: f.Query == v.Query,
		})
	}
	return v, nil
}

// SaveFilter answers the form that saves the filters of a list.
func (s *Server) SaveFilter(w http.ResponseWriter, r *http.Request) error {
	f := account.SavedFilter{List: r.PostForm.Get("list"), Name: r.PostForm.Get("name"), Query: r.PostForm.Get("query")}
	if !slices.Contains(savedLists, f.List) {
		return fault.Invalidf("list", "filters of this list cannot be saved")
	}
	saved, err := s.Accounts.SaveFilter(r.Context(), s.Actor(r), f)
	return s.Saved(w, r, err, "Filter saved", saved.Href(), func(e ui.Errors) error {
		return Render(w, r, http.StatusUnprocessableEntity, views.SaveFilterPage(s.Chrome(r), views.SavedFilters{
			List: f.List, Query: f.Query, Name: f.Name, Errors: e,
		}))
	})
}

// DeleteSavedFilter answers the button that deletes saved filters. The list stays as it is filtered.
func (s *Server) DeleteSavedFilter(w http.ResponseWriter, r *http.Request) error {
	id, err := PathID(r, "Saved filter")
	if err != nil {
		return err
	}
	gone, err := s.Accounts.DeleteSavedFilter(r.Context(), s.Actor(r), id)
	return s.Done(w, r, err, "Saved filter deleted", gone.Href())
}
