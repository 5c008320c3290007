package call

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
)

// People review calls that have ended, one by one and many at once, find them by it, and undo it.
func TestReviews(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.seed(12, []uuid.UUID{})
	ctx, organization := t.Context(), w.claim.OrganizationID
	actor := account.Actor{OrganizationID: organization, Kind: account.ByUser, Name: "Ada"}
	list := func(f Filter) (ids []uuid.UUID) {
		t.Helper()
		f.Limit = 100
		got, err := w.calls.List(ctx, organization, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got.Data {
			if c.EndedAt != nil {
				ids = append(ids, c.ID)
			}
		}
		return ids
	}
	ended := list(Filter{})
	if len(ended) != 12 {
		t.Fatalf("%d calls have ended", len(ended))
	}
	same := func(name string, got, want []uuid.UUID) {
		t.Helper()
		slices.SortFunc(got, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
		want = slices.SortedFunc(slices.Values(want), func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	first := ended[0]
	review := Review{CallID: first, Tags: []string{"b", "a", "b"}, Note: " Rude\r\n"}
	if err := w.calls.SetReview(ctx, actor, review, true); err != nil {
		t.Fatal(err)
	}
	reviews, err := w.calls.Reviews(ctx, organization, ended)
	r := reviews[first]
	if err != nil || len(reviews) != 1 || !slices.Equal(r.Tags, []string{"a", "b"}) || r.Note != "Rude" ||
		r.ReviewedAt == nil || r.ReviewedBy != "Ada" {
		t.Errorf("%+v, %v", reviews, err)
	}

	some := append(slices.Clone(ended[:4]), uuid.New())
	changed, err := w.calls.MarkReviewed(ctx, actor, some, true)
	if err != nil {
		t.Fatal(err)
	}
	same("marked", changed, ended[1:4])
	same("reviewed", list(Filter{Reviewed: new(true)}), ended[:4])
	same("not reviewed", list(Filter{Reviewed: new(false)}), ended[4:])
	if changed, err = w.calls.MarkReviewed(ctx, actor, changed, false); err != nil {
		t.Fatal(err)
	}
	same("undone", changed, ended[1:4])
	same("still reviewed", list(Filter{Reviewed: new(true)}), ended[:1])

	if changed, err = w.calls.Tag(ctx, actor, ended[:3], " a ", true); err != nil {
		t.Fatal(err)
	}
	same("tagged", changed, ended[1:3])
	same("with the tag", list(Filter{Tag: "a"}), ended[:3])
	if changed, err = w.calls.Tag(ctx, actor, ended[:2], "a", false); err != nil {
		t.Fatal(err)
	}
	same("untagged", changed, ended[:2])
	if tags, err := w.calls.Tags(ctx, organization); err != nil || !slices.Equal(tags, []string{"a", "b"}) {
		t.Errorf("%v, %v", tags, err)
	}

	// A tag keeps the spelling in which it was first used.
	if changed, err = w.calls.Tag(ctx, actor, ended[3:4], "B", true); err != nil {
		t.Fatal(err)
	}
	same("tagged in capitals", list(Filter{Tag: "b"}), append(slices.Clone(ended[:1]), changed...))
	if changed, err = w.calls.Tag(ctx, actor, changed, "B", false); err != nil {
		t.Fatal(err)
	}
	same("untagged in capitals", changed, ended[3:4])
	review.Tags = []string{"A", "B", "b", "New", "new"}
	if err := w.calls.SetReview(ctx, actor, review, true); err != nil {
		t.Fatal(err)
	}
	if reviews, err = w.calls.Reviews(ctx, organization, ended[:1]); err != nil ||
		!slices.Equal(reviews[first].Tags, []string{"New", "a", "b"}) {
		t.Errorf("%+v, %v", reviews, err)
	}

	rows := 0
	for row, err := range w.calls.Export(ctx, organization, Filter{Tag: "New"}) {
		at := slices.Index(ExportHeader, "tags")
		if err != nil || row[at] != "New, a, b" || row[at+1] != "Rude" || row[at+2] == "" || row[at+3] != "Ada" {
			t.Errorf("the export has %q, %v", row[at:], err)
		}
		rows++
	}
	if rows != 1 {
		t.Errorf("the export has %d calls with the tag", rows)
	}

	// What is wrong, foreign or has not ended.
	stranger := actor
	stranger.OrganizationID = w.tenant("Third", "+12025550178").OrganizationID
	if changed, err := w.calls.MarkReviewed(ctx, stranger, ended, true); err != nil || len(changed) != 0 {
		t.Errorf("%v, %v", changed, err)
	}
	if err := w.calls.SetReview(ctx, stranger, Review{CallID: first}, true); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
	if _, err := w.calls.Tag(ctx, actor, ended, "a,b", true); fault.KindOf(err) != fault.Invalid {
		t.Error(err)
	}
	live := w.queue("+12025570999").ID
	if err := w.calls.SetReview(ctx, actor, Review{CallID: live}, true); fault.KindOf(err) != fault.Conflict {
		t.Error(err)
	}

	// The evidence about the number has it.
	c, _, err := w.calls.Get(ctx, organization, first)
	if err != nil {
		t.Fatal(err)
	}
	number, err := phone.Parse(c.PersonNumber)
	if err != nil {
		t.Fatal(err)
	}
	of, err := w.calls.ReviewsOf(ctx, organization, number, page.Request{})
	if err != nil || !slices.ContainsFunc(of.Data, func(r Review) bool { return r.CallID == first }) {
		t.Errorf("%+v, %v", of, err)
	}
}
