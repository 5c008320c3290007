package call

import (
	"slices"
	"testing"
	"time"

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
	changed, err := w.calls.MarkReviewed(ctx, actor, Chosen{IDs: some}, true)
	if err != nil {
		t.Fatal(err)
	}
	same("marked", changed.Objects, ended[1:4])
	same("reviewed", list(Filter{Reviewed: new(true)}), ended[:4])
	same("not reviewed", list(Filter{Reviewed: new(false)}), ended[4:])
	if changed, err = w.calls.MarkReviewed(ctx, actor, Chosen{Batch: changed.ID}, false); err != nil {
		t.Fatal(err)
	}
	same("undone", changed.Objects, ended[1:4])
	same("still reviewed", list(Filter{Reviewed: new(true)}), ended[:1])

	if changed, err = w.calls.Tag(ctx, actor, Chosen{IDs: ended[:3]}, " a ", true); err != nil {
		t.Fatal(err)
	}
	same("tagged", changed.Objects, ended[1:3])
	same("with the tag", list(Filter{Tag: "a"}), ended[:3])
	if changed, err = w.calls.Tag(ctx, actor, Chosen{IDs: ended[:2]}, "a", false); err != nil {
		t.Fatal(err)
	}
	same("untagged", changed.Objects, ended[:2])
	if tags, err := w.calls.Tags(ctx, organization); err != nil || !slices.Equal(tags, []string{"a", "b"}) {
		t.Errorf("%v, %v", tags, err)
	}

	// A tag keeps the spelling in which it was first used.
	if changed, err = w.calls.Tag(ctx, actor, Chosen{IDs: ended[3:4]}, "B", true); err != nil {
		t.Fatal(err)
	}
	same("tagged in capitals", list(Filter{Tag: "b"}), append(slices.Clone(ended[:1]), changed.Objects...))
	if changed, err = w.calls.Tag(ctx, actor, Chosen{Batch: changed.ID}, "B", false); err != nil {
		t.Fatal(err)
	}
	same("untagged in capitals", changed.Objects, ended[3:4])
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
	changed, err = w.calls.MarkReviewed(ctx, stranger, Chosen{IDs: ended}, true)
	if err != nil || len(changed.Objects) != 0 {
		t.Errorf("%v, %v", changed, err)
	}
	if err := w.calls.SetReview(ctx, stranger, Review{CallID: first}, true); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
	if _, err := w.calls.Tag(ctx, actor, Chosen{IDs: ended}, "a,b", true); fault.KindOf(err) != fault.Invalid {
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

// All calls that match a filter are reviewed, on all pages, except those that nobody has seen.
func TestAllThatMatchAreReviewed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.seed(30, []uuid.UUID{})
	w.exec(`update call set transcript_text = 'Recipient: The clinic' where ended_at is not null`)
	ctx, organization := t.Context(), w.claim.OrganizationID
	actor := account.Actor{OrganizationID: organization, Kind: account.ByUser, Name: "Ada"}
	stranger := actor
	stranger.OrganizationID = w.tenant("Third", "+12025550178").OrganizationID
	var ended, failed int
	count := func(into *int, sql string) {
		t.Helper()
		err := w.db.Pool.QueryRow(ctx, `select count(*) from call where organization_id = $1 and `+sql, organization).
			Scan(into)
		if err != nil {
			t.Fatal(err)
		}
	}
	count(&ended, `ended_at is not null`)
	count(&failed, `outcome = 'failed'`)
	if failed == 0 || failed == ended {
		t.Fatalf("%d of %d calls failed", failed, ended)
	}
	matching := func(f Filter, want int) Matching {
		t.Helper()
		m, err := w.calls.CountMatching(ctx, organization, f)
		if err != nil || m.Calls != want || m.Unknown || m.Until.IsZero() {
			t.Errorf("%+v, %v, want %d", m, err, want)
		}
		return m
	}
	matching(Filter{Live: true}, 0)
	matching(Filter{Statuses: page.Only(StatusScheduled)}, 0)
	matching(Filter{Query: "aardvark"}, 0)
	all := matching(Filter{}, ended)
	filter := Filter{Outcomes: page.Only(OutcomeFailed)}
	// The position of a page and the order of a search are no part of the choice.
	filter.Request, filter.Limit = page.Request{Cursor: page.Cursor(time.Unix(1, 0), uuid.Max)}, 1
	m := matching(filter, failed)

	// A call that ends after the person looked is not reviewed.
	w.exec(`
		update call set ended_at = $1::timestamptz + interval '1 second' where id = (
			select id from call where organization_id = $2 and outcome = 'failed' limit 1)`, m.Until, organization)
	if _, err := w.calls.MarkReviewed(ctx, actor, Chosen{Filter: &filter}, true); fault.KindOf(err) != fault.Invalid {
		t.Errorf("without a time: %v", err)
	}
	changed, err := w.calls.MarkReviewed(ctx, stranger, Chosen{Filter: &filter, Until: m.Until}, true)
	if err != nil || len(changed.Objects) != 0 {
		t.Errorf("a stranger reviewed %v, %v", changed, err)
	}
	changed, err = w.calls.MarkReviewed(ctx, actor, Chosen{Filter: &filter, Until: m.Until}, true)
	if err != nil || len(changed.Objects) != failed-1 {
		t.Fatalf("%d calls reviewed, %v, want %d", len(changed.Objects), err, failed-1)
	}
	var entries int
	if err := w.db.Pool.QueryRow(ctx, `select count(*) from audit_entry where action = 'call.reviewed'`).
		Scan(&entries); err != nil || entries != 1 {
		t.Errorf("%d entries in the audit log, %v", entries, err)
	}

	// It is undone once, by the organization.
	for i, undo := range []struct {
		actor account.Actor
		want  int
	}{{stranger, 0}, {actor, failed - 1}, {actor, 0}} {
		undone, err := w.calls.MarkReviewed(ctx, undo.actor, Chosen{Batch: changed.ID}, false)
		if err != nil || len(undone.Objects) != undo.want {
			t.Errorf("undo %d: %d calls, %v", i, len(undone.Objects), err)
		}
	}
	if changed, err = w.calls.Tag(ctx, actor, Chosen{Filter: &Filter{}, Until: all.Until}, "VIP", true); err != nil ||
		len(changed.Objects) != ended-1 {
		t.Errorf("%d calls tagged, %v, want %d", len(changed.Objects), err, ended-1)
	}
	said := Filter{Tag: "VIP", Query: "-aardvark"}
	spoken := matching(said, len(list(t, w, said)))
	if changed, err = w.calls.Tag(ctx, actor, Chosen{Filter: &said, Until: spoken.Until}, "VIP", false); err != nil ||
		len(changed.Objects) != spoken.Calls || spoken.Calls == 0 {
		t.Errorf("%d calls untagged, %v, want %d", len(changed.Objects), err, spoken.Calls)
	}

	// What cannot be found while a page is opened is not counted, and what cannot be found at all is refused.
	w.calls.scanned, w.calls.patience = 2, 0
	if slow, err := w.calls.CountMatching(ctx, organization, filter); err != nil || !slow.Unknown {
		t.Errorf("%+v, %v", slow, err)
	}
	_, err = w.calls.MarkReviewed(ctx, actor, Chosen{Filter: &filter, Until: m.Until}, true)
	if fault.KindOf(err) != fault.Invalid {
		t.Errorf("a review that found not all: %v", err)
	}
}

// list returns the calls that pass a filter.
func list(t *testing.T, w *world, f Filter) []Call {
	t.Helper()
	f.Limit = 100
	got, err := w.calls.List(t.Context(), w.claim.OrganizationID, f)
	if err != nil {
		t.Fatal(err)
	}
	return got.Data
}
