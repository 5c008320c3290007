package web

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

const doNotCallPath = "/settings/do-not-call"

func (s *server) doNotCall(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query().Get("q")
	list, err := s.Suppressions.List(r.Context(), signedIn(r).Organization.ID,
		suppression.Filter{Channel: suppression.Voice, Search: query}, pageOf(r))
	if err != nil {
		return err
	}
	v := views.DoNotCall{Query: query, Pager: pager(r, list.NextCursor, "Newest first")}
	for _, e := range list.Data {
		v.Rows = append(v.Rows, doNotCallEntry(e))
	}
	return render(w, r, http.StatusOK, views.DoNotCallPage(s.chrome(r), v))
}

func doNotCallEntry(e suppression.Entry) views.DoNotCallEntry {
	row := views.DoNotCallEntry{
		ID: e.ID.String(), Number: e.PhoneNumber.String(), Source: string(e.Source), Note: e.Note, CreatedBy: e.CreatedBy, Created: e.CreatedAt,
	}
	if e.CallID != nil {
		row.CallID, row.CreatedBy = e.CallID.String(), "" // it was the person who was called
	}
	return row
}

func (s *server) newDoNotCall(w http.ResponseWriter, r *http.Request) error {
	return render(w, r, http.StatusOK, views.DoNotCallFormPage(s.chrome(r), views.DoNotCallForm{Number: r.URL.Query().Get("phone_number")}))
}

func (s *server) addDoNotCall(w http.ResponseWriter, r *http.Request) error {
	v := views.DoNotCallForm{Number: r.PostFormValue("phone_number"), Note: r.PostFormValue("note")}
	again := func(e ui.Errors) error {
		v.Errors = e
		return render(w, r, http.StatusUnprocessableEntity, views.DoNotCallFormPage(s.chrome(r), v))
	}
	number, err := phone.ParseNational(v.Number, signedIn(r).Organization.Region)
	if err != nil {
		return again(ui.Errors{"phone_number": err.Error()})
	}
	_, added, err := s.Suppressions.Add(r.Context(), s.actor(r), suppression.NewEntry{
		Channel: suppression.Voice, PhoneNumber: number, Source: suppression.ByUser, Note: v.Note,
	})
	done := ui.Phone(number.String()) + " will not be called"
	if !added {
		done = ui.Phone(number.String()) + " was on the list already"
	}
	return s.saved(w, r, err, done, doNotCallPath, again)
}

// doNotCallInPath is the entry in the path.
func (s *server) doNotCallInPath(r *http.Request) (suppression.Entry, error) {
	id, err := pathID(r, "Entry")
	if err != nil {
		return suppression.Entry{}, err
	}
	return s.Suppressions.Entry(r.Context(), signedIn(r).Organization.ID, id)
}

func (s *server) confirmRemoveDoNotCall(w http.ResponseWriter, r *http.Request) error {
	e, err := s.doNotCallInPath(r)
	if err != nil {
		return err
	}
	return s.confirm(w, r, views.RemoveDoNotCall(doNotCallEntry(e)))
}

func (s *server) removeDoNotCall(w http.ResponseWriter, r *http.Request) error {
	e, err := s.doNotCallInPath(r)
	if err != nil {
		return err
	}
	if err := s.Suppressions.Remove(r.Context(), s.actor(r), e.ID); err != nil {
		return err
	}
	s.toast(r, ui.Phone(e.PhoneNumber.String())+" may be called again")
	return seeOther(w, r, doNotCallPath)
}
