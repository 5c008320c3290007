package calls

import (
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/followup"
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
	if selected.Matching { // the undo names each follow-up with its assignee
		s.Toast(r, "Only follow-ups on this page are assigned together. Select them, without “All that match”")
		return frame.SeeOther(w, r, selected.List)
	}
	if len(selected.IDs) == 0 {
		return s.NothingSelected(w, r, selected, "follow-up")
	}
	to, err := assigneeOf(r)
	if err != nil {
		s.Toast(r, "Choose an assignee first")
		return frame.SeeOther(w, r, selected.List)
	}
	changed, err := s.FollowUps.AssignAll(r.Context(), s.Actor(r), selected.IDs, to)
	if err != nil {
		return err
	}
	if len(changed) == 0 {
		s.Toast(r, "Nothing to change: the selected follow-ups are assigned like this, or done")
		return frame.SeeOther(w, r, selected.List)
	}
	undo := url.Values{"list": {selected.List}, "assignee_id": {nobody}}
	if to != nil {
		undo.Set("assignee_id", to.String())
	}
	for _, f := range changed {
		undo.Add("id", f.ID.String())
		undo.Add("was", export.Optional(f.Was))
	}
	said := " assigned"
	if to == nil {
		said = " assigned to nobody"
	}
	s.Undoable(r, ui.Plural(len(changed), "follow-up", "follow-ups")+said, "Undo",
		followUpsPath+"/assign/undo?"+undo.Encode())
	return frame.SeeOther(w, r, selected.List)
}

// RestoreAssignees undoes AssignFollowUps.
func (s *Server) RestoreAssignees(w http.ResponseWriter, r *http.Request) error {
	to, err := assigneeOf(r)
	ids, was := r.Form["id"], r.Form["was"]
	if err == nil && len(ids) != len(was) {
		err = fault.Invalidf("was", "must have one value for each follow-up")
	}
	if err != nil {
		return err
	}
	var list []followup.Assigned
	for i := range ids {
		id, ok := check.ParseID(ids[i])
		if !ok {
			continue
		}
		f := followup.Assigned{ID: id}
		if member, ok := check.ParseID(was[i]); ok {
			f.Was = &member
		}
		list = append(list, f)
	}
	n, err := s.FollowUps.RestoreAssignees(r.Context(), s.Actor(r), list, to)
	return s.Done(w, r, err, ui.Plural(n, "follow-up", "follow-ups")+" assigned as before", frame.ReadSelection(r).List)
}
