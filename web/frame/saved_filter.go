package frame

import (
	"net/http"
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// savedLists are the lists whose filters can be saved.
var savedLists = []string{
	"/calls", "/follow-ups", "/messaging/messages", account.DoNotCallFilters, account.RecipientFilters,
	account.DeliveryFilters,
}

// SavedFilters returns the saved filters of the person for a list, which is shown with the filters of the request.
func (s *Server) SavedFilters(r *http.Request, list string) (views.SavedFilters, error) {
	return s.SavedFiltersAt(r, list, list, "")
}

// SavedFiltersAt is SavedFilters for a list that is a part of the page at path, where it has the ID anchor.
func (s *Server) SavedFiltersAt(r *http.Request, list, path, anchor string) (views.SavedFilters, error) {
	v := views.SavedFilters{List: list, Path: path, Query: account.FilterQuery(list, r.URL.Query())}
	if anchor != "" {
		v.Anchor = "#" + anchor
	}
	saved, err := s.Accounts.SavedFilters(r.Context(), s.Actor(r), list)
	if err != nil {
		return v, err
	}
	for _, f := range saved {
		v.Saved = append(v.Saved, views.SavedFilter{
			ID: f.ID.String(), Name: f.Name, Href: v.Href(f.Query), Current: f.Query == v.Query,
		})
	}
	return v, nil
}

// savedFilters reads the form's list and the page that it stands on. A list that is no part of a page is its own.
func savedFilters(r *http.Request) views.SavedFilters {
	form := r.PostForm
	path, anchor, _ := strings.Cut(OwnPath(form.Get("path")), "#")
	v := views.SavedFilters{List: form.Get("list"), Path: path, Query: form.Get("query"), Name: form.Get("name")}
	if anchor != "" {
		v.Anchor = "#" + anchor
	}
	if v.List != account.RecipientFilters && v.List != account.DeliveryFilters {
		v.Path, v.Anchor = v.List, ""
	}
	return v
}

// SaveFilter answers the form that saves the filters of a list.
func (s *Server) SaveFilter(w http.ResponseWriter, r *http.Request) error {
	v := savedFilters(r)
	if !slices.Contains(savedLists, v.List) {
		return fault.Invalidf("list", "filters of this list cannot be saved")
	}
	saved, err := s.Accounts.SaveFilter(r.Context(), s.Actor(r), account.SavedFilter{
		List: v.List, Name: v.Name, Query: v.Query,
	})
	return s.Saved(w, r, err, "Filter saved", v.Href(saved.Query), func(e ui.Errors) error {
		v.Errors = e
		return Render(w, r, http.StatusUnprocessableEntity, views.SaveFilterPage(s.Chrome(r), v))
	})
}

// DeleteSavedFilter answers the button that deletes saved filters. The list stays as it is filtered.
func (s *Server) DeleteSavedFilter(w http.ResponseWriter, r *http.Request) error {
	id, err := PathID(r, "Saved filter")
	if err != nil {
		return err
	}
	gone, err := s.Accounts.DeleteSavedFilter(r.Context(), s.Actor(r), id)
	v := savedFilters(r)
	if v.List != gone.List { // a form of an older page
		v.Path, v.Anchor = gone.List, ""
	}
	return s.Done(w, r, err, "Saved filter deleted", v.Href(gone.Query))
}
