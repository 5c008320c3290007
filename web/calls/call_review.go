package calls

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

const reviewPath = "/calls/review"

// Values of the field action of the form that reviews the selected calls. The button of a toast undoes each.
const (
	markReviewed = "review"
	unmark       = "unreview"
	addTag       = "tag"
	removeTag    = "untag"
)

// undoes maps an action to the one that undoes it.
var undoes = map[string]string{markReviewed: unmark, unmark: markReviewed, addTag: removeTag, removeTag: addTag}

// addReview adds the review of a call that has ended to its page. A page that still changes has none, because a change
// would take away what is being typed.
func (s *Server) addReview(ctx context.Context, v *views.Call, c call.Call) error {
	if c.EndedAt == nil || v.EventsHref != "" {
		return nil
	}
	reviews, err := s.Calls.Reviews(ctx, c.OrganizationID, []uuid.UUID{c.ID})
	if err != nil {
		return err
	}
	r := reviews[c.ID]
	v.Review = &views.CallReview{
		Reviewed: r.ReviewedAt != nil, At: frame.OrZero(r.ReviewedAt), By: r.ReviewedBy,
		Tags: strings.Join(r.Tags, ", "), Note: r.Note,
	}
	return nil
}

// ReviewCall answers the form on the page of a call.
func (s *Server) ReviewCall(w http.ResponseWriter, r *http.Request) error {
	id, err := frame.PathID(r, "Call")
	if err != nil {
		return err
	}
	review, reviewed := call.Review{
		CallID: id, Tags: call.ParseTags(r.PostForm.Get("tags")), Note: r.PostForm.Get("note"),
	}, r.PostForm.Get("reviewed") == "on"
	err = s.Calls.SetReview(r.Context(), s.Actor(r), review, reviewed)
	return s.Saved(w, r, err, "Review saved", callPage(r, id), func(e ui.Errors) error {
		return s.callAgain(w, r, id, func(v *views.Call) {
			if v.Review == nil { // the page had no review, because it still changed
				v.Review = &views.CallReview{}
			}
			v.Review.Errors, v.Review.Tags, v.Review.Note = e, r.PostForm.Get("tags"), review.Note
			v.Review.Reviewed = reviewed
		})
	})
}

// ReviewCalls reviews the selected calls of the list, and leads back to it with a button that undoes it.
func (s *Server) ReviewCalls(w http.ResponseWriter, r *http.Request) error {
	action, tag, selected := r.Form.Get("action"), strings.TrimSpace(r.Form.Get("tag")), frame.ReadSelection(r)
	if undoes[action] == "" {
		return fault.Invalidf("action", "choose what to do with the selected calls")
	}
	if selected.None() {
		return s.NothingSelected(w, r, selected, "call")
	}
	chosen, err := s.chosenCalls(r, selected)
	if err != nil {
		return err
	}
	var changed account.Batch
	var said string
	switch action {
	case markReviewed, unmark:
		changed, err = s.Calls.MarkReviewed(r.Context(), s.Actor(r), chosen, action == markReviewed)
		said = map[bool]string{true: " marked as reviewed", false: " marked as not reviewed"}[action == markReviewed]
	case addTag, removeTag:
		changed, err = s.Calls.Tag(r.Context(), s.Actor(r), chosen, tag, action == addTag)
		said = map[bool]string{true: " tagged", false: " untagged"}[action == addTag]
	}
	switch {
	case ui.ErrorsOf(err).For("tag") != "":
		s.Toast(r, "Enter one tag of at most 40 characters, such as Complaint")
	case err != nil:
		return err
	case len(changed.Objects) == 0 && selected.Batch != uuid.Nil:
		s.Toast(r, "Nothing to undo")
	case len(changed.Objects) == 0:
		s.Toast(r, "Nothing to change: no selected call"+map[bool]string{
			true: " was still to review", false: " could be tagged",
		}[action == markReviewed])
	default:
		more := []string{"action", undoes[action]}
		if tag != "" {
			more = append(more, "tag", tag)
		}
		s.Undoable(r, ui.Plural(len(changed.Objects), "call", "calls")+said, "Undo",
			undoHref(reviewPath, selected.List, changed, more...))
	}
	return frame.SeeOther(w, r, selected.List)
}

// chosenCalls returns the selected calls of the list. Errors: Invalid.
func (s *Server) chosenCalls(r *http.Request, selected frame.Selection) (call.Chosen, error) {
	chosen := call.Chosen{IDs: selected.IDs, Until: selected.Until, Batch: selected.Batch}
	if selected.Matching {
		list := selected.ListRequest(r)
		filter, err := s.callFilter(list, callsView(list))
		if err != nil {
			return chosen, err
		}
		chosen.Filter = &filter
	}
	return chosen, nil
}

// undoHref returns the address that undoes a change of selected rows. pairs are the names and values of other fields.
func undoHref(path, list string, changed account.Batch, pairs ...string) string {
	undo := url.Values{"batch": {changed.ID.String()}, "list": {list}}
	for i := 0; i < len(pairs); i += 2 {
		undo.Set(pairs[i], pairs[i+1])
	}
	return path + "?" + undo.Encode()
}

// matchingCalls counts the calls that match the filters of a list whose rows can be selected.
func (s *Server) matchingCalls(r *http.Request, v *views.Calls) error {
	filter, err := s.callFilter(r, *v)
	if err != nil {
		return err
	}
	m, err := s.Calls.CountMatching(r.Context(), frame.SignedIn(r).Organization.ID, filter)
	v.Matching = frame.Matching(m.Calls, m.Unknown, m.Until)
	return err
}
