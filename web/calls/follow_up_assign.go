package calls

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// assigneeOf reads who the selected follow-ups are assigned to. Its error is Invalid.
func assigneeOf(r *http.Request) (*uuid.UUID, error) {
	switch chosen := r.Form.Get("assignee_id"); chosen {
	case nobody:
		return nil, nil //nolint:nilnil // nobody is an assignee
	case mine:
		return new(frame.SignedIn(r).User.ID), nil
	default:
		id, ok := check.ParseID(chosen)
		if !ok {
			return nil, fault.Invalidf("assignee_id", "choose an assignee")
		}
		return &id, nil
	}
}

// AssignFollowUps assigns the selected follow-ups of the list. Its undo gives each the assignee that it had before.
func (s *Server) AssignFollowUps(w http.ResponseWriter, r *http.Request) error {
	selected := frame.ReadSelection(r)
	if selected.None() {
		return s.NothingSelected(w, r, selected, "follow-up")
	}
	to, err := assigneeOf(r)
	if err != nil {
		s.Toast(r, "Choose an assignee first")
		return frame.SeeOther(w, r, selected.List)
	}
	chosen, err := s.chosenFollowUps(selected, r)
	if err != nil {
		return err
	}
	changed, err := s.FollowUps.AssignMany(r.Context(), s.Actor(r), chosen, to)
	if err != nil {
		return err
	}
	if len(changed.Objects) == 0 {
		s.Toast(r, "Nothing to change: the selected follow-ups are assigned like this, or done")
		return frame.SeeOther(w, r, selected.List)
	}
	said, was := " assigned", nobody
	if to == nil {
		said = " assigned to nobody"
	} else {
		was = to.String()
	}
	s.Undoable(r, ui.Plural(len(changed.Objects), "follow-up", "follow-ups")+said, "Undo",
		undoHref(followUpsPath+"/assign/undo", selected.List, changed, "assignee_id", was))
	return frame.SeeOther(w, r, selected.List)
}

// RestoreAssignees undoes AssignFollowUps.
func (s *Server) RestoreAssignees(w http.ResponseWriter, r *http.Request) error {
	to, err := assigneeOf(r)
	if err != nil {
		return err
	}
	selected := frame.ReadSelection(r)
	n, err := s.FollowUps.RestoreAssignees(r.Context(), s.Actor(r), selected.Batch, to)
	words := ui.Plural(n, "follow-up", "follow-ups") + " assigned as before"
	if n == 0 {
		words = "Nothing to undo"
	}
	return s.Done(w, r, err, words, selected.List)
}
