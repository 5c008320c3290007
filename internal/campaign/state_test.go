package campaign

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// recipientMoves are the moves that the dialer, settlement, expiry and cancellation
// make. in_progress is derived and never stored.
var recipientMoves = map[RecipientStatus][]RecipientStatus{
	RecipientPending: {
		RecipientDialing, RecipientCompleted, RecipientFailed, RecipientSkipped, RecipientCanceled, RecipientExpired,
	},
	RecipientDialing: {RecipientPending, RecipientCompleted, RecipientFailed, RecipientSkipped, RecipientCanceled,
		RecipientExpired},
	RecipientFailed: {RecipientCompleted},
}

var errUndo = errors.New("undo")

// allows reports whether the database accepts a move of a row. from and to are the
// statements that set the two statuses. The first runs without the check, whatever the
// status was.
func (b *world) allows(t *testing.T, table, from, to string) bool {
	t.Helper()
	var refused error
	err := postgres.InTx(t.Context(), b.Pool, func(tx pgx.Tx) error {
		for _, sql := range []string{
			`alter table ` + table + ` disable trigger ` + table + `_move`, from,
			`alter table ` + table + ` enable trigger ` + table + `_move`,
		} {
			if _, err := tx.Exec(t.Context(), sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		_, refused = tx.Exec(t.Context(), to)
		return errUndo
	})
	if !errors.Is(err, errUndo) {
		t.Fatal(err)
	}
	if refused != nil && postgres.Constraint(refused) != table+"_move" {
		t.Fatalf("%s, then %s: %v", from, to, refused)
	}
	return refused == nil
}

// The database allows exactly the moves that the code allows.
func TestTheDatabaseKeepsTheStates(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	c := b.create(t, fast(b.draft(1)))
	campaign := func(s Status) string {
		return fmt.Sprintf(
			`update campaign set status = '%s', ended_at = case when %t then clock() end, dial_at = null
				where id = '%s'`, s,
			s.Terminal(), c.ID,
		)
	}
	for _, from := range Statuses {
		for _, to := range Statuses {
			want := from == to || slices.Contains(moves[from], to)
			if got := b.allows(t, "campaign", campaign(from), campaign(to)); got != want {
				t.Errorf("a campaign from %s to %s: the database says %t, the code %t", from, to, got, want)
			}
		}
	}
	recipient := func(s RecipientStatus) string {
		return fmt.Sprintf(`update recipient set status = '%s' where campaign_id = '%s'`, s, c.ID)
	}
	for _, from := range RecipientStatuses {
		for _, to := range RecipientStatuses {
			want := from == to || slices.Contains(recipientMoves[from], to)
			if got := b.allows(t, "recipient", recipient(from), recipient(to)); got != want {
				t.Errorf("a recipient from %s to %s: the database says %t, the code %t", from, to, got, want)
			}
		}
	}
}

// A request that the status does not allow is refused with a Conflict.
func TestIllegalMovesAreConflicts(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	c := b.create(t, fast(b.draft(1)))
	id := c.ID
	b.exec(t, `alter table campaign disable trigger campaign_move`)
	for _, from := range Statuses {
		for verb, move := range map[string]struct {
			do func() (Campaign, error)
			to []Status // the statuses after the request
		}{
			"paused": {func() (Campaign, error) { return b.svc.Pause(t.Context(), b.actor, id) }, []Status{Paused}},
			"resumed": {func() (Campaign, error) {
				return b.svc.Resume(t.Context(), b.actor, id)
			}, []Status{Scheduled, Running}},
			"canceled": {func() (Campaign, error) {
				return b.svc.Cancel(t.Context(), b.actor, id)
			}, []Status{Canceled}},
		} {
			b.exec(t, `update campaign set status = $2, ended_at = case when $3 then clock() end, dial_at = null
				where id = $1`, c.ID,
				from, from.Terminal())
			after, err := move.do()
			legal := slices.ContainsFunc(move.to, func(to Status) bool { return slices.Contains(moves[from], to) })
			if verb == "resumed" {
				legal = from == Paused // only the start time starts a scheduled campaign
			}
			switch {
			case legal && (err != nil || !slices.Contains(move.to, after.Status)):
				t.Errorf("%s, %s: %v, %s", from, verb, err, after.Status)
			case !legal && (fault.KindOf(err) != fault.Conflict ||
				err.Error() != fmt.Sprintf("This campaign is %s and cannot be %s", from.words(), verb)):
				t.Errorf("%s, %s: %v", from, verb, err)
			case !legal && b.get(t, c.ID).Status != from:
				t.Errorf("%s, %s: it is %s after a refusal", from, verb, b.get(t, c.ID).Status)
			}
		}
	}
}
