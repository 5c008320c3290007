package calls

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

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
	return s.Saved(w, r, err, "Review saved", "/calls/"+id.String(), func(e ui.Errors) error {
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
	ids, list := selected.IDs, selected.List
	var changed []uuid.UUID
	var err error
	var said string
	switch action {
	case markReviewed, unmark:
		changed, err = s.Calls.MarkReviewed(r.Context(), s.Actor(r), ids, action == markReviewed)
		said = map[bool]string{true: " marked as reviewed", false: " marked as not reviewed"}[action == markReviewed]
	case addTag, removeTag:
		changed, err = s.Calls.Tag(r.Context(), s.Actor(r), ids, tag, action == addTag)
		said = map[bool]string{true: " tagged", false: " untagged"}[action == addTag]
	default:
		return fault.Invalidf("action", "choose what to do with the selected calls")
	}
	switch {
	case err != nil && fault.KindOf(err) != fault.Invalid:
		return err
	case len(ids) == 0:
		return s.NothingSelected(w, r, selected, "call")
	case err != nil:
		s.Toast(r, "Enter one tag of at most 40 characters, such as Complaint")
	case len(changed) == 0:
		s.Toast(r, "Nothing to change: no selected call"+map[bool]string{
			true: " was still to review", false: " could be tagged",
		}[action == markReviewed])
	default:
		undo := url.Values{"action": {undoes[action]}, "list": {list}}
		if tag != "" {
			undo.Set("tag", tag)
		}
		for _, id := range changed {
			undo.Add("id", id.String())
		}
		s.Undoable(r, ui.Plural(len(changed), "call", "calls")+said, "Undo", reviewPath+"?"+undo.Encode())
	}
	return frame.SeeOther(w, r, list)
}
