package frame

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/views"
)

// Columns returns the columns that the person chose for a list. back is the address of the list.
func (s *Server) Columns(r *http.Request, list, back string) (views.ColumnsOf, error) {
	chosen, set, err := s.Accounts.ListColumns(r.Context(), s.Actor(r), list)
	return views.ColumnsOf{List: list, Chosen: chosen, Set: set, Back: back}, err
}

// ChooseColumns answers the form that chooses the columns of a list.
func (s *Server) ChooseColumns(w http.ResponseWriter, r *http.Request) error {
	form, back := r.PostForm, OwnPath(r.PostForm.Get("back"))
	if form.Get("action") == "reset" {
		return s.Done(w, r, s.Accounts.ResetColumns(r.Context(), s.Actor(r), form.Get("list")), "Columns reset", back)
	}
	err := s.Accounts.ChooseColumns(r.Context(), s.Actor(r), account.ColumnChoice{
		List: form.Get("list"), Offered: form["offered"], Shown: form["column"],
	})
	return s.Done(w, r, err, "Columns saved", back)
}
