package webhook

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
)

// begin opens a transaction that writes an event of a type with a subject, and leaves it open.
func (h *world) begin(t Type, subject uuid.UUID) pgx.Tx {
	h.t.Helper()
	tx, err := h.db.Pool.Begin(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = tx.Rollback(h.t.Context()) })
	out, err := Open(h.t.Context(), tx, h.actor.OrganizationID)
	if err == nil {
		err = out.Add(Event{OrganizationID: h.actor.OrganizationID, Type: t, SubjectID: subject, Data: subject})
	}
	if err == nil {
		err = out.Write(h.t.Context(), tx)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return tx
}

func (h *world) commit(tx pgx.Tx) {
	h.t.Helper()
	if err := tx.Commit(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

// list returns the subjects of a page of events, and the page.
func (h *world) list(f EventFilter) ([]uuid.UUID, EventList) {
	h.t.Helper()
	list, err := h.Events(h.t.Context(), h.actor.OrganizationID, f)
	if err != nil {
		h.t.Fatal(err)
	}
	var subjects []uuid.UUID
	for _, payload := range list.Data {
		var event struct{ Data uuid.UUID }
		if err := json.Unmarshal(payload, &event); err != nil {
			h.t.Fatal(err)
		}
		subjects = append(subjects, event.Data)
	}
	return subjects, list
}

func after(cursor string) EventFilter { return EventFilter{Page: page.Request{Cursor: cursor}} }

// Of two open transactions, the later one commits first. Its event waits for the earlier one, so a reader who reads
// between the two commits gets both.
func TestNoEventIsSkippedWhateverCommitsFirst(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	_, start := h.list(EventFilter{})
	early, late, last := uuid.New(), uuid.New(), uuid.New()
	first := h.begin(CallStarted, early)
	h.commit(h.begin(CallStarted, late))

	if got, list := h.list(after(start.NextCursor)); len(got) > 0 || list.HasMore {
		t.Fatalf("%v is listed before an earlier transaction has ended", got)
	}
	h.commit(first)
	got, list := h.list(after(start.NextCursor))
	if !slices.Equal(got, []uuid.UUID{early, late}) {
		t.Errorf("listed %v, want %v and %v", got, early, late)
	}
	h.begin(CallStarted, uuid.New()) // is rolled back in the end
	if got, _ := h.list(after(list.NextCursor)); len(got) > 0 {
		t.Errorf("listed %v again", got)
	}
	open := h.begin(CallStarted, last)
	if got, _ := h.list(EventFilter{}); !slices.Equal(got, []uuid.UUID{early, late}) {
		t.Errorf("listed %v beside open transactions", got)
	}
	_ = open.Rollback(t.Context())
}

// A transaction of another database of the server, and one that only reads, delay no event.
func TestOthersTransactionsDelayNoEvent(t *testing.T) {
	t.Parallel()
	h, other := newWorld(t), newWorld(t)
	h.list(EventFilter{})
	other.list(EventFilter{})
	other.begin(CallStarted, uuid.New())
	reading, err := h.db.Pool.BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reading.Rollback(t.Context()) }()
	if _, err := reading.Exec(t.Context(), `select count(*) from event`); err != nil {
		t.Fatal(err)
	}
	subject := uuid.New()
	h.commit(h.begin(CallStarted, subject))
	if got, _ := h.list(EventFilter{}); !slices.Equal(got, []uuid.UUID{subject}) {
		t.Errorf("listed %v", got)
	}
}

// Pages lead through all events, each once, in their order, and go on with later events. Filters find their types.
func TestPagesOfEvents(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	h.list(EventFilter{})
	var all, ended []uuid.UUID
	for i := range 9 {
		id, kind := uuid.New(), CallStarted
		if i%4 == 3 {
			kind, ended = CallCompleted, append(ended, id)
		}
		h.commit(h.begin(kind, id))
		all = append(all, id)
	}
	other := h.organization("UTC")
	if list, err := h.Events(t.Context(), other.OrganizationID, EventFilter{}); err != nil || len(list.Data) > 0 {
		t.Errorf("another organization reads %v, %v", list, err)
	}
	walk := func(f EventFilter) (got []uuid.UUID, cursor string) {
		for pages := 0; ; pages++ {
			subjects, list := h.list(f)
			got = append(got, subjects...)
			if f.Page.Cursor = list.NextCursor; !list.HasMore || pages > len(all) {
				return got, f.Page.Cursor
			}
		}
	}
	for _, limit := range []int{1, 2, 9, 100} {
		got, cursor := walk(EventFilter{Page: page.Request{Limit: limit}})
		if !slices.Equal(got, all) {
			t.Errorf("by %d: %v, want %v", limit, got, all)
		}
		id := uuid.New()
		h.commit(h.begin(CallStarted, id))
		all = append(all, id)
		if got, _ := h.list(after(cursor)); !slices.Equal(got, []uuid.UUID{id}) {
			t.Errorf("behind the end: %v, want %v", got, id)
		}
		got, _ = walk(EventFilter{Page: page.Request{Limit: limit}, Types: []Type{CallCompleted, MessageRead}})
		if !slices.Equal(got, ended) {
			t.Errorf("by %d, of a type: %v, want %v", limit, got, ended)
		}
	}
	if got, list := h.list(EventFilter{Start: StartNow}); len(got) > 0 || list.HasMore {
		t.Errorf("from now: %v", got)
	} else {
		id := uuid.New()
		h.commit(h.begin(CallStarted, id))
		if got, _ := h.list(after(list.NextCursor)); !slices.Equal(got, []uuid.UUID{id}) {
			t.Errorf("after now: %v, want %v", got, id)
		}
	}
}

// Large events end a page before its limit, and the next page goes on.
func TestLargeEventsEndAPage(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	h.list(EventFilter{})
	h.exec(`insert into event (id, organization_id, type, subject_id, payload, created_at)
		select gen_random_uuid(), $1, 'call.started', gen_random_uuid(),
			format('{"data": "%s", "text": "%s"}', gen_random_uuid(), repeat('x', $2::int)), clock()
		from generate_series(1, 5)`,
		h.actor.OrganizationID, maxPageBytes/2)
	f := EventFilter{Page: page.Request{Limit: page.MaxLimit}}
	seen := map[uuid.UUID]bool{}
	for i, want := range []int{2, 2, 1} {
		got, list := h.list(f)
		if len(got) != want || list.HasMore != (i < 2) {
			t.Errorf("page %d: %d events, more %t", i, len(got), list.HasMore)
		}
		for _, id := range got {
			seen[id] = true
		}
		f.Page.Cursor = list.NextCursor
	}
	if len(seen) != 5 {
		t.Errorf("listed %d events", len(seen))
	}
}

// A filter that finds few events reads a bounded number of them for a page, and the next page goes on.
func TestAFilterOfEventsReadsABoundedPart(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	h.list(EventFilter{})
	h.exec(`insert into event (id, organization_id, type, subject_id, payload, created_at)
		select gen_random_uuid(), $1, 'call.started', gen_random_uuid(), '{}', clock()
		from generate_series(1, $2::int)`,
		h.actor.OrganizationID, maxFiltered+1)
	wanted := uuid.New()
	h.commit(h.begin(CallCompleted, wanted))
	f := EventFilter{Types: []Type{CallCompleted}}
	got, list := h.list(f)
	if len(got) > 0 || !list.HasMore {
		t.Fatalf("%v, %v", got, list)
	}
	f.Page.Cursor = list.NextCursor
	if got, list = h.list(f); !slices.Equal(got, []uuid.UUID{wanted}) || list.HasMore {
		t.Errorf("%v, %v", got, list)
	}
}

// An event without a webhook is stored from the first request on, and until the organization has not asked for 30 days.
func TestEventsAreStoredForTheirReader(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	h.commit(h.begin(CallStarted, uuid.New()))
	if got, _ := h.list(EventFilter{}); len(got) > 0 {
		t.Errorf("%v was stored for nobody", got)
	}
	h.commit(h.begin(CallStarted, uuid.New()))
	if got, _ := h.list(EventFilter{}); len(got) != 1 {
		t.Errorf("%d events are stored", len(got))
	}
	idle := func(days int) { h.exec(`update event_reader set read_at = read_at - make_interval(days => $1)`, days) }
	idle(29)
	h.sweep()
	h.list(EventFilter{})
	idle(29)
	h.sweep()
	if n := h.count(`event_reader`); n != 1 {
		t.Error("a reader is forgotten")
	}
	idle(2)
	h.sweep()
	if n := h.count(`event_reader`); n != 0 {
		t.Error("a reader who no longer asks is kept")
	}
}

// A reader who waits gets the next event, or nothing when the time is over or the server stops.
func TestAReaderWaitsForAnEvent(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	_, list := h.list(EventFilter{})
	f := after(list.NextCursor)
	f.Wait = MaxWait
	found := make(chan []uuid.UUID, 1)
	go func() {
		got, _ := h.list(f)
		found <- got
	}()
	id := uuid.New()
	h.commit(h.begin(CallStarted, id))
	if got := <-found; !slices.Equal(got, []uuid.UUID{id}) {
		t.Errorf("the reader got %v", got)
	}
	closing := make(chan struct{})
	close(closing)
	f = EventFilter{Start: StartNow, Wait: MaxWait, Closing: closing}
	if got, list := h.list(f); len(got) > 0 || list.NextCursor == "" {
		t.Errorf("the reader of a server that stops got %v", list)
	}
	f = EventFilter{Start: StartNow, Wait: time.Millisecond}
	if got, _ := h.list(f); len(got) > 0 {
		t.Errorf("the reader got %v", got)
	}
	f.Wait = MaxWait + time.Second
	if _, err := h.Events(t.Context(), h.actor.OrganizationID, f); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a longer wait: %v", err)
	}
}

// A restored backup has the numbers of another server's transactions. Its events come first, and the cursors that were
// made before it find the later events.
func TestEventsOfARestoredBackup(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	h.list(EventFilter{})
	seen, unseen, later := uuid.New(), uuid.New(), uuid.New()
	h.commit(h.begin(CallStarted, seen))
	h.commit(h.begin(CallStarted, unseen))
	h.exec(`update event set transaction_id = (transaction_id::text::bigint + 1000000000)::text::xid8`)
	number, id := int64(0), uuid.Nil
	err := h.db.Pool.QueryRow(t.Context(), `
		select transaction_id::text::bigint, id from event where subject_id = $1`, seen).Scan(&number, &id)
	if err != nil {
		t.Fatal(err)
	}
	cursor := page.Request{}.NextNumbered(number, id)
	if err := h.AdoptEvents(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.commit(h.begin(CallStarted, later))
	if got, _ := h.list(after(cursor)); !slices.Equal(got, []uuid.UUID{unseen, later}) {
		t.Errorf("after the backup: %v, want %v and %v", got, unseen, later)
	}
	if got, _ := h.list(EventFilter{}); !slices.Equal(got, []uuid.UUID{seen, unseen, later}) {
		t.Errorf("listed %v", got)
	}
}

func TestOneEvent(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	h.list(EventFilter{})
	h.commit(h.begin(CallStarted, uuid.New()))
	id := scan[uuid.UUID](h, `select id from event`)
	e, err := h.Event(t.Context(), h.actor.OrganizationID, id)
	if err != nil || string(e.Payload) != scan[string](h, `select payload from event`) {
		t.Errorf("%s, %v", e.Payload, err)
	}
	other := h.organization("UTC")
	if _, err := h.Event(t.Context(), other.OrganizationID, id); fault.KindOf(err) != fault.NotFound {
		t.Errorf("another organization: %v", err)
	}
}
