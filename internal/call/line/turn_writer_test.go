package line

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/testwait"
)

// openLines opens lines of new calls, without a holder.
func (w *world) openLines(n int) []uuid.UUID {
	w.tb.Helper()
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = w.queue(fmt.Sprintf("+120255502%02d", i)).ID
		w.exec(`insert into call_line (call_id, organization_id, epoch) values ($1, $2, 2)`, ids[i],
			w.claim.OrganizationID)
	}
	return ids
}

func said(id uuid.UUID, texts ...string) *write {
	n := &write{
		lineHolder: lineHolder{id, 2},
		entry:      1,
		state:      new(`{"said": "` + texts[len(texts)-1] + `"}`),
		done:       make(chan struct{}),
	}
	for i, text := range texts {
		n.turns = append(n.turns, turn{
			call.Turn{Role: call.Agent, Text: text, StartMS: new(i), Interrupted: i == 1}, 1,
		})
	}
	return n
}

// Writes that arrive during other writes are written together, with the same result as separate
// writes: in the order of the line, and with the update of its call. A write that fails does not
// harm the others.
func TestTurnsOfManyLinesAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.openLines(maxTurnWriters + 8)
	busy, lines := ids[:maxTurnWriters], ids[maxTurnWriters:]
	w.exec(`update call set answered_by = 'machine', hang_up_at = clock() where id = $1`, lines[1])

	// All writers write, and wait for a lock.
	tx, err := w.db.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.WithoutCancel(t.Context()))
	if _, err := tx.Exec(t.Context(), `lock table call_line in share mode`); err != nil {
		t.Fatal(err)
	}
	type result struct {
		update update
		err    error
	}
	results := map[uuid.UUID]*result{}
	var writers sync.WaitGroup
	begin := func(n *write) *result {
		r := &result{}
		writers.Go(func() { r.update, r.err = w.lines.turnWriter.write(t.Context(), n) })
		return r
	}
	for i, id := range busy {
		results[id] = begin(said(id, "one", "two"))
		w.awaitWriters(i+1, 0)
	}
	replaced := said(lines[0], "nobody hears this")
	replaced.epoch = 1
	late := begin(replaced)
	for _, id := range lines[:6] {
		results[id] = begin(said(id, "one", "two"))
	}
	gone := begin(said(lines[6], "one"))
	if _, err := tx.Exec(t.Context(), `delete from call_line where call_id = $1`, lines[6]); err != nil {
		t.Fatal(err)
	}
	spoilt := begin(said(lines[7], "no text \x00"))
	ctx, cancel := context.WithCancel(t.Context())
	writers.Go(func() {
		if _, err := w.lines.turnWriter.write(ctx, said(lines[7], "given up")); !errors.Is(err, context.Canceled) {
			t.Errorf("a writer that is stopped: %v", err)
		}
	})
	w.awaitWriters(maxTurnWriters, 10)
	cancel()
	w.awaitWriters(maxTurnWriters, 9)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	writers.Wait()

	for id, r := range results {
		want := update{}
		if id == lines[1] {
			want = update{AnsweredBy: call.Machine, HangUp: true}
		}
		if r.err != nil || r.update != want {
			t.Errorf("line %d: %+v, %v", slices.Index(ids, id), r.update, r.err)
		}
		turns := w.turns(id)
		if len(turns) != 2 || turns[0].Text != "one" || turns[1].Text != "two" || turns[1].Index != 1 ||
			*turns[1].StartMS != 1 || !turns[1].Interrupted {
			t.Errorf("line %d: %+v", slices.Index(ids, id), turns)
		}
		var state string
		if err := w.db.Pool.QueryRow(
			t.Context(), `select state->>'said' || turns from call_line where call_id = $1`, id,
		).Scan(&state); err != nil || state != "two2" {
			t.Errorf("line %d: %q, %v", slices.Index(ids, id), state, err)
		}
	}
	if !errors.Is(late.err, errReplaced) || !errors.Is(gone.err, errReplaced) {
		t.Errorf("who does not hold the line: %v; of no line: %v", late.err, gone.err)
	}
	if spoilt.err == nil || len(w.turns(lines[7])) != 0 {
		t.Errorf("what can't be written: %v, %+v", spoilt.err, w.turns(lines[7]))
	}
}

// awaitWriters waits until there are this many writing goroutines and this many pending writes.
func (w *world) awaitWriters(writers, pending int) {
	w.tb.Helper()
	s := w.lines.turnWriter
	for limit := time.Now().Add(testwait.Limit); time.Now().Before(limit); time.Sleep(time.Millisecond) {
		s.mu.Lock()
		there := s.writers == writers && len(s.pending) == pending
		s.mu.Unlock()
		if there {
			return
		}
	}
	w.tb.Fatalf("there never were %d writers and %d pending writes", writers, pending)
}

// Many lines write one turn after another.
func TestTurnsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.openLines(20)
	var writers sync.WaitGroup
	for _, id := range ids {
		writers.Go(func() {
			for i := range 15 {
				n := said(id, fmt.Sprint(i))
				n.entry, n.turns[0].entry = i+1, i+1
				if _, err := w.lines.turnWriter.write(t.Context(), n); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	for _, id := range ids {
		for i, turn := range w.turns(id) {
			if turn.Index != i || turn.Text != fmt.Sprint(i) {
				t.Fatalf("turn %d: %+v", i, turn)
			}
		}
	}
	w.awaitWriters(0, 0)
}

// The two ways to write have the same result.
func TestTogetherIsAsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.openLines(4)
	other := said(ids[1], "by another holder")
	other.epoch = 3
	batch := func(a, b uuid.UUID) []*write {
		full := said(a, "one", "two")
		full.script, full.analysis, full.human = new(`{"greeting": "Hello"}`), new(`{"status": "pending"}`), true
		empty, others := said(b, ""), *other
		empty.turns, empty.state, empty.entry, others.done = nil, nil, 0, make(chan struct{})
		return []*write{full, empty, &others}
	}
	if left := w.lines.turnWriter.writeBatch(batch(ids[0], ids[1])); len(left) != 1 || left[0].epoch != other.epoch {
		t.Errorf("%d writes are left", len(left))
	}
	for _, j := range batch(ids[2], ids[3]) {
		w.lines.turnWriter.writeOne(j)
	}
	read := func(a, b uuid.UUID) string {
		rows, err := w.db.Pool.Query(t.Context(), `
			select to_jsonb(l) - 'call_id' - 'updated_at' || jsonb_build_object('said', (
				select jsonb_agg(to_jsonb(t) - 'call_id' - 'created_at' order by t.index) from call_turn t
					where t.call_id = l.call_id))
			from call_line l where call_id = any($1) order by call_id`, []uuid.UUID{a, b})
		if err != nil {
			t.Fatal(err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || len(found) != 2 {
			t.Fatalf("%q, %v", found, err)
		}
		return found[0] + "\n" + found[1]
	}
	if one, many := read(ids[2], ids[3]), read(ids[0], ids[1]); one != many {
		t.Errorf("alone:\n%s\ntogether:\n%s", one, many)
	}
}

// Deleting a call deletes its turns, including a turn that is being written.
func TestTurnsGoWithTheirCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.openLines(1)[0]
	if _, err := w.lines.turnWriter.write(t.Context(), said(id, "one")); err != nil {
		t.Fatal(err)
	}
	tx, err := w.db.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.WithoutCancel(t.Context()))
	second := said(id, "two")
	second.entry, second.turns[0].entry = 2, 2
	var now update
	batch := &pgx.Batch{}
	second.queue(batch, &now)
	if err := second.send(t.Context(), tx, batch); err != nil {
		t.Fatal(err)
	}
	deleted := make(chan error, 1)
	go func() {
		_, err := w.db.Pool.Exec(t.Context(), `delete from call where id = $1`, id)
		deleted <- err
	}()
	w.db.AwaitLockWaits(t, 1)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-deleted; err != nil {
		t.Fatal(err)
	}
	var left int
	if err := w.db.Pool.QueryRow(
		t.Context(), `select count(*) from call_turn where call_id = $1`, id,
	).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d turns are left, %v", left, err)
	}
}

// A line that another transaction has locked delays only its own call.
func TestALockedLineHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.openLines(maxTurnWriters + 2)
	tx, err := w.db.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.WithoutCancel(t.Context()))
	locked := ids[:maxTurnWriters+1]
	if _, err := tx.Exec(t.Context(), `select from call_line where call_id = any($1) for update`, locked); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for _, id := range locked {
		writers.Go(func() {
			if _, err := w.lines.turnWriter.write(t.Context(), said(id, "late")); err != nil {
				t.Errorf("a line that was locked: %v", err)
			}
		})
	}
	w.db.AwaitLockWaits(t, maxTurnWriters)
	if _, err := w.lines.turnWriter.write(t.Context(), said(ids[maxTurnWriters+1], "at once")); err != nil {
		t.Errorf("beside lines that are locked: %v", err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	writers.Wait()
	for _, id := range locked {
		if turns := w.turns(id); len(turns) != 1 || turns[0].Text != "late" {
			t.Errorf("%+v", turns)
		}
	}
}
