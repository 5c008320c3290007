package settings

import (
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// RemoveManyDoNotCall removes the selected entries of the list, after a question that counts them and takes the reason.
// The removal can be undone.
func (s *Server) RemoveManyDoNotCall(w http.ResponseWriter, r *http.Request) error {
	selected := frame.ReadSelection(r)
	if selected.None() {
		return s.NothingSelected(w, r, selected, "entry")
	}
	chosen := suppression.Chosen{IDs: selected.IDs}
	if selected.Matching {
		_, filter, err := s.readDoNotCallFilter(selected.ListRequest(r))
		if err != nil {
			return err
		}
		chosen.Filter = &filter
	}
	n, err := s.Suppressions.CountRemovals(r.Context(), frame.SignedIn(r).Organization.ID, chosen)
	if err != nil {
		return err
	}
	ask := views.RemoveEntries{
		Removed: n.Removed, Requested: n.Requested, Erased: n.Erased, Reason: r.PostForm.Get("reason"),
		Confirmed: r.PostForm.Get("requested") != "", Back: selected.List, Sent: frame.SentAgain(r.PostForm),
	}
	if r.PostForm.Get("confirmed") == "" {
		return s.Confirm(w, r, ask.Question())
	}
	expected, _ := strconv.Atoi(r.PostForm.Get("expected")) // a wrong one is not what was agreed to
	batch, err := s.Suppressions.RemoveAll(r.Context(), s.Actor(r), suppression.RemovalRequest{
		Chosen: chosen, Reason: ask.Reason, Expected: expected, Requested: ask.Confirmed,
	})
	if kind := fault.KindOf(err); err != nil && (kind == fault.Invalid || kind == fault.Conflict) {
		ask.Errors = ui.ErrorsOf(err)
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.ConfirmPage(s.Chrome(r), ask.Question()))
	}
	if err != nil {
		return err
	}
	s.removedDoNotCall(r, ui.Plural(expected, "entry", "entries"), batch)
	return frame.SeeOther(w, r, selected.List)
}

// removedDoNotCall says on the next page that a batch was removed, with a button that undoes it.
func (s *Server) removedDoNotCall(r *http.Request, what string, batch uuid.UUID) {
	s.Undoable(r, what+" removed from the list", "Undo", doNotCallPath+"/restore?batch="+batch.String())
}

// RestoreDoNotCall undoes the removal of one entry or of many.
func (s *Server) RestoreDoNotCall(w http.ResponseWriter, r *http.Request) error {
	batch, err := frame.ParseID(r.Form.Get("batch"), "Removal")
	if err != nil {
		return err
	}
	restored, err := s.Suppressions.Restore(r.Context(), s.Actor(r), batch)
	words := ui.Plural(restored.Restored, "entry", "entries") + " restored"
	if restored.Existing > 0 {
		words += ". " + ui.Count(restored.Existing) + " skipped: the number is on the list again"
	}
	return s.Done(w, r, err, words, doNotCallPath)
}
