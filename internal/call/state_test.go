package call

import (
	"errors"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// The database allows the same changes of state as the code, and no others.
func TestTheDatabaseKeepsTheStates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.queue("+13125550142")
	const set = `
		update call set status = $2,
			outcome = case when $3 then $2 end, ended_at = case when $3 then clock() end
		where id = $1`
	undo := errors.New("undo")
	stored := Statuses[1:] // a scheduled call is no row
	for _, from := range stored {
		for _, to := range stored {
			var refused error
			err := postgres.InTx(t.Context(), w.db.Pool, func(tx pgx.Tx) error {
				if _, err := tx.Exec(t.Context(), `alter table call disable trigger call_move`); err != nil {
					return err
				}
				if _, err := tx.Exec(t.Context(), set, c.ID, from, from.Terminal()); err != nil {
					return err
				}
				if _, err := tx.Exec(t.Context(), `alter table call enable trigger call_move`); err != nil {
					return err
				}
				_, refused = tx.Exec(t.Context(), set, c.ID, to, to.Terminal())
				return undo
			})
			if !errors.Is(err, undo) {
				t.Fatal(err)
			}
			if refused != nil && postgres.Constraint(refused) != "call_move" {
				t.Fatalf("from %s to %s: %v", from, to, refused)
			}
			// Each state implies the states before it. A terminal state never changes.
			want := from == to || to.Terminal() && !from.Terminal() || slices.Contains(before[to], from)
			if got := refused == nil; got != want {
				t.Errorf("from %s to %s: the database says %t, the code %t", from, to, got, want)
			}
		}
	}
}

// The columns of a call and its line that change during the call are in no index. So PostgreSQL
// updates no index (a HOT update), and a call costs half as much.
func TestNothingIsIndexedThatChangesWhileACallIsUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rows, err := w.db.Pool.Query(t.Context(), `
		select distinct i.indrelid::regclass::text, i.indexrelid::regclass::text, a.attname::text
		from pg_index i
		join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
		                and d.refclassid = 'pg_class'::regclass and d.refobjid = i.indrelid
		join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
		where i.indrelid in ('call'::regclass, 'call_line'::regclass)
		order by 1, 2, 3`)
	if err != nil {
		t.Fatal(err)
	}
	changing := map[string][]string{
		"call": {"status", "asked_at", "lease_until", "heard_at", "carrier_call_id", "started_at", "ringing_at",
			"answered_at", "answered_by",
			"hang_up_at", "ended_reason", "ended_by"},
		"call_line": {
			"epoch", "turns", "script", "state", "analysis", "human", "closed_at", "updated_at", "instance_id",
			"entry", "held",
		},
	}
	var table, index, column string
	seen := map[string]bool{}
	_, err = pgx.ForEachRow(rows, []any{&table, &index, &column}, func() error {
		seen[index] = true
		if slices.Contains(changing[table], column) {
			t.Errorf("%s depends on %s.%s", index, table, column)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// The query also finds indexes with a condition.
	for _, want := range []string{"call_list", "call_transcript_kept", "call_unsettled"} {
		if !seen[want] {
			t.Errorf("%s was not looked at", want)
		}
	}
}
