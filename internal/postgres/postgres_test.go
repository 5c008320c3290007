package postgres_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// scratch returns a database with one table.
func scratch(t *testing.T) *pgtest.DB {
	t.Helper()
	db := pgtest.NewEmpty(t)
	_, err := db.Pool.Exec(t.Context(), `
		create table thing (
		  id    uuid primary key,
		  name  text constraint thing_name_unique unique constraint thing_name_short check (char_length(name) < 10),
		  at    timestamptz(3),
		  other uuid,
		  ids   uuid[]
		)`)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func insert(ctx context.Context, db postgres.DB, name string) error {
	_, err := db.Exec(ctx, `insert into thing (id, name) values ($1, $2)`, uuid.Must(uuid.NewV7()), name)
	return err
}

func names(t *testing.T, db postgres.DB) []string {
	t.Helper()
	rows, err := db.Query(t.Context(), `select name from thing order by name`)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestInTxCommitsAndRollsBack(t *testing.T) {
	t.Parallel()
	db, ctx := scratch(t), t.Context()
	broken := errors.New("broken")

	if err := postgres.InTx(ctx, db.Pool, func(tx pgx.Tx) error { return insert(ctx, tx, "kept") }); err != nil {
		t.Fatal(err)
	}
	err := postgres.InTx(ctx, db.Pool, func(tx pgx.Tx) error {
		if err := insert(ctx, tx, "lost"); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Fatalf("fn's own error came back as %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = postgres.InTx(ctx, db.Pool, func(tx pgx.Tx) error {
			if err := insert(ctx, tx, "panicked"); err != nil {
				t.Error(err)
			}
			panic("oh")
		})
	}()
	if got := names(t, db.Pool); !slices.Equal(got, []string{"kept"}) {
		t.Fatalf("%v", got)
	}
	if n := db.Pool.Stat().AcquiredConns(); n != 0 {
		t.Fatalf("%d connections were not given back", n)
	}
}

func TestInTxWithinATransactionIsASavepoint(t *testing.T) {
	t.Parallel()
	db, ctx := scratch(t), t.Context()
	err := postgres.InTx(ctx, db.Pool, func(tx pgx.Tx) error {
		if err := insert(ctx, tx, "a"); err != nil {
			return err
		}
		err := postgres.InTx(ctx, tx, func(tx pgx.Tx) error { return insert(ctx, tx, "a") })
		if postgres.Constraint(err) != "thing_name_unique" {
			t.Errorf("the second a: %v", err)
		}
		return insert(ctx, tx, "b") // the outer transaction still works
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, db.Pool); !slices.Equal(got, []string{"a", "b"}) {
		t.Fatalf("%v", got)
	}
}

func TestInTxWhoseContextEndsLeavesNothing(t *testing.T) {
	t.Parallel()
	db := scratch(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := postgres.InTx(ctx, db.Pool, func(tx pgx.Tx) error {
		if err := insert(ctx, tx, "a"); err != nil {
			return err
		}
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	if got := names(t, db.Pool); len(got) != 0 {
		t.Fatalf("%v", got)
	}
}

func TestConstraintNamesWhatWasViolated(t *testing.T) {
	t.Parallel()
	db, ctx := scratch(t), t.Context()
	if err := insert(ctx, db.Pool, "a"); err != nil {
		t.Fatal(err)
	}
	_, syntax := db.Pool.Exec(ctx, "selekt")
	for want, err := range map[string]error{
		"thing_name_unique": insert(ctx, db.Pool, "a"),
		"thing_name_short":  insert(ctx, db.Pool, "much too long a name"),
		"":                  syntax,
	} {
		if err == nil {
			t.Fatalf("no error for %q", want)
		}
		if got := postgres.Constraint(err); got != want {
			t.Errorf("%q, want %q: %v", got, want, err)
		}
	}
	if got := postgres.Constraint(nil); got != "" {
		t.Errorf("%q of nil", got)
	}
}

// The product's ids are google/uuid's UUIDs. They can be sent in every form.
func TestUUIDsTravelInEveryForm(t *testing.T) {
	t.Parallel()
	db, ctx := scratch(t), t.Context()
	a, b := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	_, err := db.Pool.CopyFrom(ctx, pgx.Identifier{"thing"}, []string{"id", "name", "other", "ids"},
		pgx.CopyFromRows([][]any{{a, "a", &b, []uuid.UUID{a, b}}, {b, "b", uuid.NullUUID{}, []uuid.UUID{}}}))
	if err != nil {
		t.Fatal(err)
	}
	type thing struct {
		ID    uuid.UUID
		Other *uuid.UUID
		IDs   []uuid.UUID `db:"ids"`
	}
	rows, err := db.Pool.Query(ctx, `select id, other, ids from thing where id = any(@ids) order by name`,
		pgx.NamedArgs{"ids": []uuid.UUID{a, b}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowToStructByName[thing])
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].ID != a || *got[0].Other != b || !slices.Equal(got[0].IDs, []uuid.UUID{a, b}) ||
		got[1].Other != nil {
		t.Fatalf("%+v", got)
	}
	var null uuid.NullUUID
	if err := db.Pool.QueryRow(ctx, `select other from thing where id = $1`, a).Scan(&null); err != nil ||
		null.UUID != b {
		t.Fatalf("%v %v", null, err)
	}
	var back *uuid.UUID
	var list []*uuid.UUID
	err = db.Pool.QueryRow(ctx, `select $1::uuid, $2::uuid[]`, &a, []*uuid.UUID{&b, nil}).Scan(&back, &list)
	if err != nil || *back != a || len(list) != 2 || *list[0] != b || list[1] != nil {
		t.Fatalf("%v %v %v", back, list, err)
	}
}

func TestTimesComeBackInUTC(t *testing.T) {
	t.Parallel()
	db, ctx := scratch(t), t.Context()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.FixedZone("", 5*3600))
	var got time.Time
	var list []time.Time
	var zone string
	err := db.Pool.QueryRow(ctx, `select $1::timestamptz, array[$1::timestamptz], current_setting('timezone')`, at).
		Scan(&got, &list, &zone)
	if err != nil {
		t.Fatal(err)
	}
	if got.Location() != time.UTC || list[0].Location() != time.UTC || !got.Equal(at) || zone != "UTC" {
		t.Fatalf("%v %v %q", got, list, zone)
	}
}

func TestAPoolThatDoesNotFitTheServerIsRefused(t *testing.T) {
	t.Parallel()
	url := pgtest.Server(t)
	_, err := postgres.Open(t.Context(), postgres.Options{URL: url, MaxConns: 100_000})
	if err == nil || !strings.Contains(err.Error(), "max_connections") {
		t.Fatalf("%v", err)
	}
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if n := pool.Config().MaxConns; n < 1 || n > 20 {
		t.Fatalf("a pool of %d", n)
	}
}

func TestAnUnreachableServerIsAnErrorWithoutThePassword(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"postgres://u:hunter2@127.0.0.1:1/d", "postgres://u:hunter2@127.0.0.1:nonsense/d"} {
		_, err := postgres.Open(t.Context(), postgres.Options{URL: url})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v", err)
		}
	}
}

// A process that is suspended during a transaction must not keep its row locks forever.
func TestAbandonedTransactionsEnd(t *testing.T) {
	t.Parallel()
	var timeout string
	err := scratch(t).Pool.QueryRow(t.Context(), `show idle_in_transaction_session_timeout`).Scan(&timeout)
	if err != nil || timeout != "30s" {
		t.Errorf("%q, %v", timeout, err)
	}
}
