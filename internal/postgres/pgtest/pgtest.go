// Package pgtest gives each test its own PostgreSQL database, cloned from a migrated template. A test process uses one
// server.
//
// If DIALWRIGHT_TEST_DATABASE_URL is set (to a superuser's connection string), the process uses that server, so that a
// whole run can share a server. Otherwise a private server starts with the first test that needs it and ends with the
// process, even if the process is killed. If PostgreSQL is not installed, tests are skipped. With CI=true they fail.
package pgtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
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
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/migrations"
)

// patience limits every step in this package. A machine that needs longer is stuck.
const patience = testwait.Limit

// DB is the database of a test.
type DB struct {
	Pool *pgxpool.Pool // at most 8 connections
	URL  string        // for a process or a second pool

	tb    testing.TB
	name  string
	admin string // URL of the server's maintenance database

	mu     sync.Mutex
	offset time.Duration
}

// New returns a migrated, empty database. It drops the database when the test ends.
func New(tb testing.TB) *DB {
	tb.Helper()
	admin := Server(tb)
	template, err := migrated(admin)
	if err != nil {
		tb.Fatal(err)
	}
	return create(tb, admin, template)
}

// Filled is a migrated database with rows that several tests of a process begin with. Tests get clones of it, because a
// copy takes a small part of the time that writing the rows takes.
type Filled struct {
	once sync.Once
	name string
	err  error
}

// New returns a database with what fill has written. fill is called for the first test only, except on a server that
// is not this process's own: nothing is left behind there.
func (f *Filled) New(tb testing.TB, fill func(*DB)) *DB {
	tb.Helper()
	admin := Server(tb)
	if server.lifeline == nil {
		db := New(tb)
		fill(db)
		return db
	}
	f.once.Do(func() {
		f.err = errors.New("the test that wrote the rows has failed") // unless fill returns
		template, err := migrated(admin)
		if err != nil {
			f.err = err
			return
		}
		db := create(tb, admin, template)
		fill(db)
		f.name, f.err = db.keep()
	})
	if f.err != nil {
		tb.Fatal(f.err)
	}
	return create(tb, admin, f.name)
}

// keep makes the database a template that lives as long as the server, and returns its name.
func (db *DB) keep() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	closePool(ctx, db.Pool)
	name := strings.Replace(db.name, "test_", "filled_", 1)
	for _, sql := range []string{
		// PostgreSQL can't clone a database that has connections.
		"alter database " + db.name + " with allow_connections false",
		"alter database " + db.name + " rename to " + name,
	} {
		err := run(ctx, db.admin, sql)
		for ; inUse(err) && ctx.Err() == nil; err = run(ctx, db.admin, sql) { // until the pool's sessions have ended
		}
		if err != nil {
			return "", fmt.Errorf("make a template of the test's database: %w", err)
		}
	}
	return name, nil
}

func inUse(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Code == "55006" // object_in_use, after the five seconds for which PostgreSQL waits
}

// NewEmpty returns a database without a schema.
func NewEmpty(tb testing.TB) *DB {
	tb.Helper()
	return create(tb, Server(tb), "template1")
}

func create(tb testing.TB, admin, template string) *DB {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	db := &DB{tb: tb, name: "test_" + strings.ToLower(rand.Text()[:16]), admin: admin}
	// PostgreSQL's default writes every page of the copy to its log, for more than the cost of the copy.
	if err := run(ctx, admin, "create database "+db.name+" template "+template+" strategy file_copy"); err != nil {
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
		URL: db.URL, MaxConns: 8, Name: tb.Name(), Prepare: Unlock,
	}); err != nil {
		tb.Fatal(err)
	}
	return db
}

// Unlock gives a connection a key to hash numbers with. The product sets the key on its connections too, but it needs
// a vault for that.
func Unlock(_ context.Context, c *pgx.Conn) error {
	suppression.UseKey(c, make([]byte, sha256.Size))
	return nil
}

// closePool closes the pool, but does not wait for a connection that a failed test did not release. Dropping the
// database cuts that connection off.
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

// Columns returns the columns of a table that an insert may set, for SQL that copies rows. PostgreSQL computes the
// others.
func (db *DB) Columns(table string) (list string) {
	db.tb.Helper()
	err := db.Pool.QueryRow(db.tb.Context(), `
		select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
		where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`, table).
		Scan(&list)
	if err != nil {
		db.tb.Fatalf("the columns of %s: %v", table, err)
	}
	return list
}

// Advance moves the database's clock() forward by d for every connection made after the call. It resets Pool, so
// statements that begin on it after Advance see the new time. An open transaction keeps the old time, and so do pools
// of other processes until they reconnect. Call it from the test's own goroutine.
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

// StopClock stops the database's clock(). After that, only Advance moves it. Use it for states that last seconds,
// which may end on a slow machine before the test checks them.
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

// AwaitLockWaits returns once at least this many statements of the database wait for locks.
func (db *DB) AwaitLockWaits(tb testing.TB, least int) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for waiting := 0; waiting < least; time.Sleep(time.Millisecond) {
		if err := db.Pool.QueryRow(ctx, `
			select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
		).Scan(&waiting); err != nil {
			tb.Fatal(fmt.Errorf("wait until %d statements wait for locks: %w", least, err))
		}
	}
}

// migrated returns the name of the template with this program's migrations, and creates the template if the server
// does not have it. Concurrent test processes wait until one of them has created it.
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

	// The rename at the end makes sure that a template with the final name is complete.
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
		// PostgreSQL can't clone a database that has connections.
		"alter database " + building + " with allow_connections false",
		"alter database " + building + " rename to " + name,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return "", fmt.Errorf("build the test template: %w", err)
		}
	}
	return name, nil
}

// hashOf returns a hash of the names and contents of migrations.
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

// Server returns a superuser's connection string of the server's maintenance database. It is for tests of whole
// processes that need a server instead of a database.
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
	lifeline *os.File // the end of a pipe that the kernel closes when this process ends
}

func findServer() (string, error) {
	if u := os.Getenv("DIALWRIGHT_TEST_DATABASE_URL"); u != "" {
		return u, nil
	}
	return startServer()
}

// ci reports whether a missing server fails a test instead of skipping it.
func ci() bool {
	on, err := strconv.ParseBool(os.Getenv("CI"))
	return err == nil && on
}

// withDatabase returns the URL of another database on the same server. Connections have a minute to be made, because
// the server of a busy machine may need more than the seconds that the product waits.
func withDatabase(server, name string) string {
	const patience = "60" // in seconds
	u, err := url.Parse(server)
	if err != nil || u.Scheme == "" { // the key=value form, in which a later key wins
		return server + " dbname=" + name + " connect_timeout=" + patience
	}
	u.Path = "/" + name
	query := u.Query()
	query.Set("connect_timeout", patience)
	u.RawQuery = query.Encode()
	return u.String()
}

// run executes a statement on its own connection.
func run(ctx context.Context, url, sql string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}
