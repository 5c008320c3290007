package call

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/page"
)

// Every column of a call is one that people see, so its change is a change of the call, or one that they do not see. A
// new column must choose.
func TestEveryColumnOfACallIsSeenOrNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hidden := strings.Fields(`
		id organization_id project_id attempt connection_id carrier voicemail_action ring_timeout_seconds
		max_duration_seconds detection recording_seconds sample created_at intent agent_version_id call_reason direction
		received_id first_call_id calling_hours_decision model_connection_id instance_id lease_until asked_at heard_at
		hang_up_at settle_after recording_due_at recording_removed_at transcript_removed_at
		notes changed_at ended_changed_at`)
	var columns []string
	var trigger string
	err := w.db.Pool.QueryRow(t.Context(), `
		select (select array_agg(column_name::text) from information_schema.columns where table_name = 'call'),
		       (select pg_get_triggerdef(oid) from pg_trigger where tgname = 'call_changed')`).Scan(&columns, &trigger)
	if err != nil {
		t.Fatal(err)
	}
	list, condition, _ := strings.Cut(trigger, "WHEN")
	for _, column := range columns {
		seen := slices.Contains(strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == ',' }), column)
		compared := strings.Contains(condition, "(old."+column+" IS DISTINCT FROM new."+column+")")
		if seen == slices.Contains(hidden, column) || seen != compared {
			t.Errorf("%s: in the trigger's list: %t, in its condition: %t, hidden: %t", column, seen, compared,
				slices.Contains(hidden, column))
		}
	}
}

// Whoever asks for the calls that changed since the last time gets each that did, live or ended, and no other.
func TestCallsThatChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.seed(300, nil)
	w.exec(`update call set changed_at = timestamptz '2020-01-01 00:00:00Z'`)
	since := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)
	changed := func(f Filter) []uuid.UUID {
		t.Helper()
		f.UpdatedAfter = since
		l, err := w.calls.List(t.Context(), w.claim.OrganizationID, f)
		if err != nil {
			t.Fatal(err)
		}
		ids := []uuid.UUID{}
		for _, c := range l.Data {
			if !c.ChangedAt.After(since) {
				t.Errorf("call %s changed at %s", c.ID, c.ChangedAt)
			}
			ids = append(ids, c.ID)
		}
		return ids
	}
	if got := changed(Filter{}); len(got) != 0 {
		t.Errorf("%d calls have changed", len(got))
	}
	w.exec(`update call set heard_at = clock(), notes = notes + 1, status = status`) // nobody sees this
	if got := changed(Filter{}); len(got) != 0 {
		t.Errorf("%d calls have changed", len(got))
	}
	var want []uuid.UUID
	err := w.db.Pool.QueryRow(t.Context(), `
		with few as (
			(select id from call where organization_id = $1 and ended_at is not null order by created_at limit 3)
			union all
			(select id from call where organization_id = $1 and ended_at is null limit 2)
		), changed as (
			update call set detail = detail || '!' where id in (select id from few)
			returning id, created_at
		)
		select array_agg(id order by created_at desc, id desc) from changed`, w.claim.OrganizationID).Scan(&want)
	if err != nil {
		t.Fatal(err)
	}
	if got := changed(Filter{}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := changed(Filter{Request: page.Request{Limit: 2}}); !slices.Equal(got, want[:2]) {
		t.Errorf("page: got %v, want %v", got, want[:2])
	}
	if got := changed(Filter{Live: true}); !slices.Equal(got, want[:2]) {
		t.Errorf("live: got %v, want %v", got, want[:2])
	}
	if got := changed(Filter{Times: Times{UpdatedBefore: since.AddDate(0, 0, 1)}}); len(got) != 0 {
		t.Errorf("before: got %v", got)
	}
	// Beyond mostBounded, the list is walked.
	walked, _, err := w.calls.bounded(t.Context(), w.claim.OrganizationID, page.Request{}, Times{UpdatedBefore: since})
	if err != nil || !walked.CreatedBefore.Equal(since) {
		t.Errorf("bounded by %s, %v", walked.CreatedBefore, err)
	}
}
