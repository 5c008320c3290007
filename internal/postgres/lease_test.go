package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

func nothing(context.Context) error { return nil }

func TestOneAtATimeHoldsALease(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	broken := errors.New("broken")
	try := func(name string, fn func(context.Context) error) bool {
		t.Helper()
		ran, err := postgres.TryLease(ctx, db.Pool, name, fn)
		if err != nil && !errors.Is(err, broken) {
			t.Fatal(err)
		}
		return ran
	}

	ran := try("retention", func(context.Context) error {
		if try("retention", nothing) {
			t.Error("two at a time")
		}
		if !try("reconcile", nothing) {
			t.Error("another name was taken too")
		}
		return broken
	})
	if !ran {
		t.Fatal("the free lease was not taken")
	}
	if !try("retention", nothing) {
		t.Fatal("the lease is not free after the failure")
	}
}

// A task that takes longer than the lease keeps it. When its process is suspended, another one takes the lease, and the
// task ends when it finds out.
func TestALeaseIsRenewedUntilItIsLost(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	ran, err := postgres.TryLeaseEvery(ctx, db.Pool, "retention", time.Millisecond, func(ctx context.Context) error {
		row := func(sql string) (yes bool) {
			t.Helper()
			if err := db.Pool.QueryRow(t.Context(), sql).Scan(&yes); err != nil {
				t.Fatal(err)
			}
			return yes
		}
		row(`update task_lease set renewed_at = '-infinity' returning true`)
		for !row(`select renewed_at > '-infinity' and until > clock() from task_lease`) {
			if ctx.Err() != nil {
				t.Fatal(context.Cause(ctx))
			}
		}
		row(`update task_lease set holder = gen_random_uuid() returning true`)
		<-ctx.Done()
		return context.Cause(ctx)
	})
	if !ran || err == nil {
		t.Fatalf("%v %v", ran, err)
	}
	// It did not return what another process has. That one was killed, and its lease ends.
	if ran, err := postgres.TryLease(ctx, db.Pool, "retention", nothing); ran || err != nil {
		t.Fatalf("%v %v", ran, err)
	}
	db.Advance(time.Minute)
	if ran, err := postgres.TryLease(ctx, db.Pool, "retention", nothing); !ran || err != nil {
		t.Fatalf("%v %v", ran, err)
	}
}
