package settings

import (
	"net/http"
	"strings"

	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const erasuresPath = "/settings/erasures"

func (s *Server) ListErasures(w http.ResponseWriter, r *http.Request) error {
	return s.erasurePage(w, r, http.StatusOK, views.Erasures{
		Person: r.URL.Query().Get("person"), Number: s.PersonNumber(r),
	})
}

func (s *Server) erasurePage(w http.ResponseWriter, r *http.Request, status int, v views.Erasures) error {
	list, err := s.Erasures.List(r.Context(), frame.SignedIn(r).Organization.ID, frame.PageOf(r))
	if err != nil {
		return err
	}
	if v.PersonNumber = s.NumberOf(r, v.Person); v.PersonNumber == "" { // not the reference of a person
		v.Person = ""
	}
	v.Pager = frame.Pager(r, list.NextCursor, "Newest first")
	for _, e := range list.Data {
		v.Rows = append(v.Rows, views.Erasure{
			Calls: e.Calls, Recipients: e.Recipients, Messages: e.Messages, CreatedBy: e.CreatedBy,
			Created: e.CreatedAt, Completed: e.CompletedAt,
			Recordings: e.Recordings, Undeleted: e.Undeleted,
		})
	}
	return frame.Render(w, r, status, views.ErasuresPage(s.Chrome(r), v))
}

// CreateErasure requires the number and a typed word, because an erasure can't be undone.
func (s *Server) CreateErasure(w http.ResponseWriter, r *http.Request) error {
	v := views.Erasures{
		Number: r.PostFormValue("phone_number"), Person: r.PostFormValue("person"), Errors: ui.Errors{},
	}
	number, err := phone.ParseNational(v.Number, frame.SignedIn(r).Organization.Region)
	if err != nil {
		v.Errors["phone_number"] = err.Error()
	}
	if !strings.EqualFold(strings.TrimSpace(r.PostFormValue("confirm")), "erase") {
		v.Errors["confirm"] = "Type “erase” to confirm"
	}
	if len(v.Errors) > 0 {
		return s.erasurePage(w, r, http.StatusUnprocessableEntity, v)
	}
	_, err = s.Erasures.Request(r.Context(), s.Actor(r), number.String())
	return s.Done(w, r, err, "Erasing the person", erasuresPath)
}
