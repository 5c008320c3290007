package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// A suspended server answers nothing and closes nothing. Every kind of statement times out, and the next statement
// uses the server that took over.
func TestStatementsGiveUpOnAFrozenServer(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	proxy := pgtest.NewProxy(t, db)
	ctx := postgres.WithStatementTime(t.Context(), 300*time.Millisecond)
	for name, run := range map[string]func(*pgxpool.Pool) error{
		"exec":  func(p *pgxpool.Pool) error { _, err := p.Exec(ctx, `select 1`); return err },
		"query": func(p *pgxpool.Pool) error { var n int; return p.QueryRow(ctx, `select 1`).Scan(&n) },
		"batch": func(p *pgxpool.Pool) error {
			b := &pgx.Batch{}
			b.Queue(`select 1`)
			b.Queue(`select 2`)
			return p.SendBatch(ctx, b).Close()
		},
		"copy": func(p *pgxpool.Pool) error {
			_, err := p.CopyFrom(ctx, pgx.Identifier{"sessions"}, []string{
				"token", "data", "expiry",
			}, pgx.CopyFromRows(nil))
			return err
		},
		"transaction": func(p *pgxpool.Pool) error {
			return postgres.InTx(ctx, p, func(tx pgx.Tx) error { _, err := tx.Exec(ctx, `select 1`); return err })
		},
	} {
		t.Run(name, func(t *testing.T) {
			pool, err := postgres.Open(t.Context(), postgres.Options{URL: proxy.URL, MaxConns: 2})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { go pool.Close() }) // Close waits for answers from the frozen server
			for run(pool) != nil {                // the machine may be slow
			}
			proxy.Freeze()
			if err := run(pool); err == nil || !postgres.Away(err) {
				t.Errorf("a frozen server: %v", err)
			}
			for run(pool) != nil {
			}
		})
	}
}

// An error of one session that shows that its server was replaced applies to the other sessions too.
func TestAServerThatWasReplacedResetsThePool(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for _, code := range []string{"25006", "57P01"} {
		pool, err := postgres.Open(t.Context(), postgres.Options{URL: db.URL, MaxConns: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		session := func() (pid int) {
			t.Helper()
			if err := pool.QueryRow(t.Context(), `select pg_backend_pid()`).Scan(&pid); err != nil {
				t.Fatal(err)
			}
			return pid
		}
		before := session()
		_, err = pool.Exec(t.Context(), fmt.Sprintf(`do $$ begin raise exception 'no' using errcode = '%s'; end $$`,
			code))
		if !postgres.Away(err) {
			t.Errorf("%s: %v", code, err)
		}
		if after := session(); after == before {
			t.Errorf("%s: the session is used again", code)
		}
	}
}

func TestAwayTellsTheDatabaseFromTheStatement(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		&pgconn.PgError{Code: "57P03"}, &pgconn.PgError{Code: "08006"}, &pgconn.PgError{Code: "58P01"},
		&pgconn.ConnectError{},
		fmt.Errorf("read: %w", io.ErrUnexpectedEOF), &net.OpError{Op: "dial", Err: errors.New("refused")},
	} {
		if !postgres.Away(fmt.Errorf("find campaigns: %w", err)) {
			t.Errorf("%v", err)
		}
	}
	for _, err := range []error{
		nil, errors.New("a mistake"), &pgconn.PgError{Code: "42P01"}, &pgconn.PgError{Code: "23505"}, pgx.ErrNoRows,
	} {
		if postgres.Away(err) {
			t.Errorf("%v is not the database's fault", err)
		}
	}
}

// A caller's early timeout says nothing about the server: the other sessions stay open.
func TestAShorterDeadlineOfTheCallerKeepsThePool(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: db.URL, MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var before, after int
	held, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := pool.QueryRow(t.Context(), `select pg_backend_pid()`).Scan(&before); err != nil { // the other connection
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := held.Exec(ctx, `select pg_sleep(3600)`); !postgres.Away(err) {
		t.Errorf("%v", err)
	}
	held.Release()
	if err := pool.QueryRow(t.Context(), `select pg_backend_pid()`).Scan(&after); err != nil {
		t.Fatal(err)
	}
	if before != after {
		t.Error("a session was thrown away")
	}
}
