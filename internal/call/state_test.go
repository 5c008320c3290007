package call

import (
	"errors"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// What the code allows the database allows, and nothing else.
func TestTheDatabaseKeepsTheStates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.queue("+13125550142")
	const set = `
		update call set status = $2,
			outcome = case when $3 then $2 end, ended_at = case when $3 then clock() end
		where id = $1`
	undo := errors.New("undo")
	for _, from := range Statuses {
		for _, to := range Statuses {
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
			// A state is implied by each one that follows; the last ones are left for none.
			want := from == to || to.Terminal() && !from.Terminal() || slices.Contains(before[to], from)
			if got := refused == nil; got != want {
				t.Errorf("from %s to %s: the database says %t, the code %t", from, to, got, want)
			}
		}
	}
}
