package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

func TestOneAtATimeHoldsALock(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.NewEmpty(t), t.Context()
	broken := errors.New("broken")
	try := func(name string, fn func(context.Context) error) bool {
		t.Helper()
		ran, err := postgres.TryLock(ctx, db.Pool, name, fn)
		if err != nil && !errors.Is(err, broken) {
			t.Fatal(err)
		}
		return ran
	}
	nothing := func(context.Context) error { return nil }

	ran := try("retention", func(context.Context) error {
		if try("retention", nothing) {
			t.Error("two at a time")
		}
		if !try("reconcile", nothing) {
			t.Error("another name was locked too")
		}
		return broken
	})
	if !ran {
		t.Fatal("the free lock was not taken")
	}
	if !try("retention", nothing) {
		t.Fatal("the lock is not free after the failure")
	}
}

func TestLosingTheLockEndsTheTask(t *testing.T) {
	t.Parallel()
	db := pgtest.NewEmpty(t)
	ran, err := postgres.TryLock(t.Context(), db.Pool, "retention", func(ctx context.Context) error {
		_, err := db.Pool.Exec(t.Context(), `
			select pg_terminate_backend(pid, 20000) from pg_locks where locktype = 'advisory'
			and database = (select oid from pg_database where datname = current_database())`)
		if err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		return context.Cause(ctx)
	})
	if !ran || err == nil {
		t.Fatalf("%v %v", ran, err)
	}
	// The next caller gets the lock.
	if ran, err := postgres.TryLock(t.Context(), db.Pool, "retention", func(context.Context) error {
		return nil
	}); !ran || err != nil {
		t.Fatalf("%v %v", ran, err)
	}
}
