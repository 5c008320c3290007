package account_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
)

// A batch can be undone once, by its organization, for its type, and for a day.
func TestABatchIsUndoneOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.db.StopClock()
	ctx := t.Context()
	objects := []uuid.UUID{uuid.New(), uuid.New()}
	in := func(what func(tx pgx.Tx) error) {
		t.Helper()
		if err := postgres.InTx(ctx, f.db.Pool, what); err != nil {
			t.Fatal(err)
		}
	}
	record := func() (b account.Batch) {
		t.Helper()
		in(func(tx pgx.Tx) (err error) {
			b, err = account.RecordBatch(ctx, tx, f.actor, "call.reviewed", "call",
				account.Batch{Objects: objects, Before: objects}, nil)
			return err
		})
		return b
	}
	take := func(by account.Actor, kind string, id uuid.UUID, want int) {
		t.Helper()
		in(func(tx pgx.Tx) error {
			got, err := account.TakeBatch(ctx, tx, by.OrganizationID, kind, id)
			if len(got.Objects) != want || len(got.Before) != want {
				t.Errorf("%+v, want %d objects", got, want)
			}
			return err
		})
	}
	b := record()
	if n := f.count(t, `select count(*) from audit_entry where action = 'call.reviewed'`); n != 1 {
		t.Errorf("%d entries in the audit log", n)
	}
	take(f.stranger(), "call", b.ID, 0)
	take(f.actor, "follow_up", b.ID, 0)
	take(f.actor, "call", b.ID, 2)
	take(f.actor, "call", b.ID, 0)
	in(func(tx pgx.Tx) error {
		none, err := account.RecordBatch(ctx, tx, f.actor, "call.reviewed", "call", account.Batch{}, nil)
		if none.ID != uuid.Nil {
			t.Error("nothing is a batch")
		}
		return err
	})

	old := record()
	f.db.Advance(23 * time.Hour)
	young := record()
	f.db.Advance(2 * time.Hour)
	if err := f.accounts.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	take(f.actor, "call", old.ID, 0)
	take(f.actor, "call", young.ID, 2)
}
