package alerts

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/alert"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const (
	listPath     = "/alerts"
	settingsPath = listPath + "/settings"
)

func (s *Server) List(w http.ResponseWriter, r *http.Request) error {
	organization := frame.SignedIn(r).Organization.ID
	resolved := r.URL.Query().Get("status") == "resolved"
	list, err := s.Alerts.List(r.Context(), organization, resolved, page.Request{
		Limit: page.ShownLimit, Cursor: r.URL.Query().Get("cursor"),
	})
	if err != nil {
		return err
	}
	v := views.Alerts{Resolved: resolved, Pager: frame.Pager(r, list.NextCursor, "")}
	if v.Rows, err = s.rows(r, list.Data); err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.AlertsPage(s.Chrome(r), v))
}

// rows shows alerts. Those of follow-ups name the person and what is to do for them, which no alert keeps: a name
// leaves with an erasure.
func (s *Server) rows(r *http.Request, list []alert.Alert) ([]views.Alert, error) {
	session := frame.SignedIn(r)
	var due []uuid.UUID
	for _, a := range list {
		if a.Kind == alert.FollowUpDue {
			due = append(due, a.SubjectID)
		}
	}
	followUps, err := s.FollowUps.ByIDs(r.Context(), session.Organization.ID, due)
	if err != nil {
		return nil, err
	}
	rows := make([]views.Alert, len(list))
	for i, a := range list {
		rows[i] = views.Alert{
			Title:    a.Title(),
			Text:     a.Text(),
			Do:       a.Do(),
			Href:     a.Path(),
			Since:    a.CreatedAt,
			Resolved: frame.OrZero(a.ResolvedAt),
			Others:   a.UserID != nil && *a.UserID != session.User.ID,
		}
		if f, ok := followUps[a.SubjectID]; ok {
			rows[i].Title += ": " + views.PersonTitle(f.Name, f.PhoneNumber, f.Withheld)
			rows[i].Text, rows[i].Due = cmp.Or(f.Reason, a.Text()), frame.OrZero(f.DueAt)
		}
	}
	return rows, nil
}

// Now returns at most limit things that need the person now, and whether there are more, for the overview.
func (s *Server) Now(r *http.Request, limit int) ([]views.Alert, bool, error) {
	session := frame.SignedIn(r)
	list, more, err := s.Alerts.Now(r.Context(), session.Organization.ID, session.User.ID, limit)
	if err != nil {
		return nil, false, err
	}
	rows, err := s.rows(r, list)
	return rows, more, err
}

func (s *Server) EditSettings(w http.ResponseWriter, r *http.Request) error {
	session := frame.SignedIn(r)
	now, err := s.Alerts.Settings(r.Context(), session.Organization.ID, session.User.ID)
	if err != nil {
		return err
	}
	return s.settingsPage(w, r, http.StatusOK, now, nil)
}

func (s *Server) settingsPage(
	w http.ResponseWriter, r *http.Request, status int, shown alert.Settings, e ui.Errors,
) error {
	v := views.AlertSettings{
		Sends: s.Alerts.Sends(), Email: frame.SignedIn(r).User.Email, Digest: shown.Digest,
		Weekly: shown.Weekly, Errors: e,
	}
	for _, k := range alert.Kinds() {
		v.Kinds = append(v.Kinds, ui.Check{
			Name: "kinds", Value: string(k.Kind), Label: k.Name, Hint: k.When,
			Checked: slices.Contains(shown.Kinds, k.Kind),
		})
	}
	c := s.Chrome(r)
	c.Path = settingsPath
	return frame.Render(w, r, status, views.AlertSettingsPage(c, v))
}

func (s *Server) SaveSettings(w http.ResponseWriter, r *http.Request) error {
	session := frame.SignedIn(r)
	to := alert.Settings{Digest: r.PostForm.Get("digest") == "on", Weekly: r.PostForm.Get("weekly") == "on"}
	for _, k := range r.PostForm["kinds"] {
		to.Kinds = append(to.Kinds, alert.Kind(k))
	}
	err := s.Alerts.SetSettings(r.Context(), session.Organization.ID, session.User.ID, to)
	return s.Saved(w, r, err, "Alert settings saved", listPath, func(e ui.Errors) error {
		return s.settingsPage(w, r, http.StatusUnprocessableEntity, to, e)
	})
}
