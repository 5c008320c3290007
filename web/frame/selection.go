package frame

import (
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// Selection is what the form of a ui.Selection sent.
type Selection struct {
	IDs      []uuid.UUID // the selected rows; empty if Matching
	Matching bool        // all rows that match the filters of the list
	Until    time.Time   // when the list was read; zero for a list whose form does not tell
	Batch    uuid.UUID   // the rows of an earlier change instead, which is undone; zero: none
	List     string      // the address of the list
}

// ReadSelection reads the selected rows of a list. A malformed ID is left out, as an unknown row is.
func ReadSelection(r *http.Request) Selection {
	s := Selection{List: OwnPath(r.Form.Get("list")), Matching: r.Form.Get("matching") != ""}
	s.Until, _ = time.Parse(time.RFC3339Nano, r.Form.Get("until")) // what needs it refuses a zero one
	s.Batch, _ = check.ParseID(r.Form.Get("batch"))
	if s.Matching {
		return s
	}
	for _, value := range r.Form["id"] {
		if id, ok := check.ParseID(value); ok {
			s.IDs = append(s.IDs, id)
		}
	}
	return s
}

// None reports whether nothing is selected.
func (s Selection) None() bool { return len(s.IDs) == 0 && !s.Matching && s.Batch == uuid.Nil }

// ListRequest returns r as a request for the list, whose filters are in its query.
func (s Selection) ListRequest(r *http.Request) *http.Request {
	list := r.Clone(r.Context())
	if u, err := url.Parse(s.List); err == nil {
		list.URL = u
	}
	return list
}

// NothingSelected leads back to a list whose form was sent without a row. one is what a row is: "call".
func (s *Server) NothingSelected(w http.ResponseWriter, r *http.Request, selected Selection, one string) error {
	s.Toast(r, "Select at least one "+one)
	return SeeOther(w, r, selected.List)
}

// Matching returns the rows that match the filters of a list, as its page offers them.
func Matching(rows int, unknown bool, until time.Time) views.Matching {
	return views.Matching{Rows: rows, Unknown: unknown, Until: until.Format(time.RFC3339Nano)}
}

// SentAgain are the fields of a form about selected rows as a question sends them again, confirmed.
func SentAgain(form url.Values) []ui.HiddenField {
	fields := []ui.HiddenField{{Name: "confirmed", Value: "yes"}}
	for _, name := range []string{"action", "list", "matching", "id"} {
		for _, value := range form[name] {
			fields = append(fields, ui.HiddenField{Name: name, Value: value})
		}
	}
	return fields
}
