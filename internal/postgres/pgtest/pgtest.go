// Package pgtest gives each test a PostgreSQL database of its own, cloned from
// a migrated template, on one server per test process.
//
// The server is the one DIALWRIGHT_TEST_DATABASE_URL names (a superuser's
// connection string), which lets a whole run share one; else a private server
// that starts with the first test that needs it and is gone with the process,
// even a killed one. Where no PostgreSQL is installed tests are skipped, with
// CI=true they fail.
package pgtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/migrations"
)

// patience bounds every step here; a machine that needs longer is stuck.
const patience = time.Hour

// DB is a test's own database.
type DB struct {
	Pool *pgxpool.Pool // at most 8 connections
	URL  string        // for a process or a second pool

	tb    testing.TB
	name  string
	admin string // URL of the server's maintenance database

	mu     sync.Mutex
	offset time.Duration
}

// New is a migrated, empty database. It is dropped when the test ends.
func New(tb testing.TB) *DB {
	tb.Helper()
	admin := Server(tb)
	template, err := migrated(admin)
	if err != nil {
		tb.Fatal(err)
	}
	return create(tb, admin, template)
}

// NewEmpty is a database without a schema.
func NewEmpty(tb testing.TB) *DB {
	tb.Helper()
	return create(tb, Server(tb), "template1")
}

func create(tb testing.TB, admin, template string) *DB {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	db := &DB{tb: tb, name: "test_" + strings.ToLower(rand.Text()[:16]), admin: admin}
	if err := run(ctx, admin, "create database "+db.name+" template "+template); err != nil {
		tb.Fatal(fmt.Errorf("create the test's database: %w", err))
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if db.Pool != nil {
			closePool(ctx, db.Pool)
		}
		if err := run(ctx, admin, "drop database if exists "+db.name+" with (force)"); err != nil {
			tb.Error(fmt.Errorf("drop the test's database: %w", err))
		}
	})
	db.URL = withDatabase(admin, db.name)
	var err error
	if db.Pool, err = postgres.Open(ctx, postgres.Options{
		URL: db.URL, MaxConns: 8, Name: tb.Name(), Prepare: unlock,
	}); err != nil {
		tb.Fatal(err)
	}
	return db
}

// unlock gives a connection a key to hash numbers with, as the product's get
// theirs, which needs a vault.
func unlock(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `select set_config('dialwright.number_key', repeat('36', 64) || repeat('5c', 64), false)`)
	return err
}

// closePool closes the pool, but does not wait for a connection that a failed
// test never gave back: the drop cuts it off.
func closePool(ctx context.Context, pool *pgxpool.Pool) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	closed := make(chan struct{})
	go func() {
		pool.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-ctx.Done():
	}
}

// Advance moves the database's clock() on by d, for every connection made from
// now on. Pool is reset, so statements on it that begin after Advance see the
// new time; a transaction that is open keeps the old one, and so do pools of
// other processes until they reconnect. Call it from the test's own goroutine.
func (db *DB) Advance(d time.Duration) {
	db.tb.Helper()
	db.mu.Lock()
	defer db.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	db.offset += d
	set := fmt.Sprintf("alter database %s set dialwright.clock_offset = '%d milliseconds'", db.name,
		db.offset.Milliseconds())
	if err := run(ctx, db.admin, set); err != nil {
		db.tb.Fatal(fmt.Errorf("advance the database's clock: %w", err))
	}
	db.Pool.Reset()
}

// StopClock keeps the database's clock() from going on: from now on only Advance
// moves it. It is for what lasts seconds, which may be over on a slow machine before
// the test has looked at it.
func (db *DB) StopClock() {
	db.tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := db.Pool.Exec(ctx, `do $do$ begin execute format($format$
		create or replace function clock() returns timestamptz language sql volatile parallel safe as $$
		  select %L::timestamptz + coalesce(nullif(current_setting('dialwright.clock_offset', true), '')::interval,
			interval '0')
		$$ $format$, date_trunc('milliseconds', clock_timestamp())); end $do$`)
	if err != nil {
		db.tb.Fatal(fmt.Errorf("stop the database's clock: %w", err))
	}
}

// migrated makes the template of this program's migrations on the server,
// unless it is there, and returns its name. Test processes that come together
// wait for the one that makes it.
func migrated(admin string) (string, error) {
	template.once.Do(func() { template.name, template.err = makeTemplate(admin) })
	return template.name, template.err
}

var template struct {
	once sync.Once
	name string
	err  error
}

func makeTemplate(admin string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	hash, err := hashOf(migrations.FS)
	if err != nil {
		return "", err
	}
	name := "dialwright_template_" + hash

	conn, err := pgx.Connect(ctx, admin)
	if err != nil {
		return "", fmt.Errorf("connect to the test server: %w", err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `select pg_advisory_lock(hashtext('dialwright test template'))`); err != nil {
		return "", fmt.Errorf("wait for the test template: %w", err)
	}
	var there bool
	if err := conn.QueryRow(
		ctx, `select exists (select from pg_database where datname = $1)`, name,
	).Scan(&there); err != nil {
		return "", fmt.Errorf("look for the test template: %w", err)
	}
	if there {
		return name, nil
	}

	// Built under another name, so that what is there is whole.
	building := name + "_building"
	for _, sql := range []string{
		"drop database if exists " + building + " with (force)",
		"create database " + building + " template template1",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return "", fmt.Errorf("build the test template: %w", err)
		}
	}
	if err := postgres.Migrate(ctx, withDatabase(admin, building)); err != nil {
		return "", fmt.Errorf("build the test template: %w", err)
	}
	for _, sql := range []string{
		// Nobody connects any more, or it could not be cloned at times.
		"alter database " + building + " with allow_connections false",
		"alter database " + building + " rename to " + name,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return "", fmt.Errorf("build the test template: %w", err)
		}
	}
	return name, nil
}

// hashOf names a set of migrations by what is in them.
func hashOf(files fs.FS) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		fmt.Fprintf(h, "%s %d\n%s", path, len(text), text)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read the migrations: %w", err)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6]), nil
}

// Server is the connection string of the server's maintenance database, as a
// superuser: for tests of whole processes that want a server, not a database.
func Server(tb testing.TB) string {
	tb.Helper()
	server.once.Do(func() { server.url, server.err = findServer() })
	switch {
	case server.err == nil:
		return server.url
	case isMissing(server.err) && !ci():
		tb.Skip(server.err)
	default:
		tb.Fatal(server.err)
	}
	return ""
}

var server struct {
	once     sync.Once
	url      string
	err      error
	lifeline *os.File // the end of a pipe that the kernel closes with this process
}

func findServer() (string, error) {
	if u := os.Getenv("DIALWRIGHT_TEST_DATABASE_URL"); u != "" {
		return u, nil
	}
	return startServer()
}

// ci tells whether a missing server is a failure rather than a reason to skip.
func ci() bool {
	on, err := strconv.ParseBool(os.Getenv("CI"))
	return err == nil && on
}

// withDatabase is the URL of another database of the same server.
func withDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil || u.Scheme == "" { // the key=value form: a later key wins
		return server + " dbname=" + name
	}
	u.Path = "/" + name
	return u.String()
}

// run executes one statement on a connection of its own.
func run(ctx context.Context, url, sql string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}
