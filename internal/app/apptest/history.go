package apptest

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/demo/history"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/postgres/plans"
	"github.com/dialwright/dialwright/internal/reference"
)

// ManyRows is how many rows Write gives a large table: so many that reading the table from end to end shows.
const ManyRows = 50_000

// historyCalls is the number of calls of NewWatchedHistory. Making a call with all that belongs to it takes PostgreSQL
// a hundred times as long as making a row of one table.
const historyCalls = 10_000

// largeTable is the size from which on no statement may read a whole table.
const largeTable = 2000 // rows

// Watched is an App on a database with large tables. It sees the plan of each of the
// App's statements.
type Watched struct {
	*app.App
	history.History // only its Parts without a history

	Middle time.Time // half of the rows that Write makes @at a time are older

	tb      testing.TB
	pool    *pgxpool.Pool // of the statements that nobody watches
	watcher *plans.Watcher
	large   []string
}

// NewWatched wires an App on a database with an organization that can call. Where
// PostgreSQL can't show its plans, the test is skipped. With CI=true it fails.
func NewWatched(tb testing.TB, described func() (*reference.Reference, error), set ...func(*app.Options)) *Watched {
	tb.Helper()
	w := watch(tb, pgtest.New(tb), described, set...)
	var err error
	if w.Parts, err = history.Furnish(tb.Context(), w.App); err != nil {
		tb.Fatal(err)
	}
	return w
}

// NewWatchedHistory is NewWatched with historyCalls calls that have ended, and their campaigns.
func NewWatchedHistory(
	tb testing.TB, described func() (*reference.Reference, error), set ...func(*app.Options),
) *Watched {
	tb.Helper()
	w := watch(tb, filled.New(tb, func(db *pgtest.DB) {
		parts, err := history.Furnish(tb.Context(), New(tb, db.Pool, described))
		if err == nil {
			_, err = history.Fill(tb.Context(), db.Pool, parts, historyCalls, nil)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}), described, set...)
	var err error
	if w.History, err = history.Open(tb.Context(), w.pool); err != nil {
		tb.Fatal(err)
	}
	w.measure()
	return w
}

// filled is the database that NewWatchedHistory clones.
var filled pgtest.Filled

func watch(
	tb testing.TB, db *pgtest.DB, described func() (*reference.Reference, error), set ...func(*app.Options),
) *Watched {
	tb.Helper()
	w := &Watched{tb: tb, pool: db.Pool, Middle: time.Now().Add(-ManyRows / 2 * time.Minute)}
	var err error
	w.watcher, err = plans.Watch(tb.Context(), db.Pool)
	if ci, _ := strconv.ParseBool(os.Getenv("CI")); errors.Is(err, plans.ErrUnavailable) && !ci {
		tb.Skip(err)
	} else if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(w.watcher.Pool.Close)
	w.App = New(tb, w.watcher.Pool, described, set...)
	return w
}

// Write executes statements that fill tables. Triggers and foreign keys do nothing
// meanwhile. Each statement may use @organization, @many, which is ManyRows, and
// @middle, which is Middle. It adds args to these.
func (w *Watched) Write(args pgx.NamedArgs, statements ...string) {
	w.tb.Helper()
	all := pgx.NamedArgs{"organization": w.OrganizationID, "many": ManyRows, "middle": w.Middle}
	for name, value := range args {
		all[name] = value
	}
	err := pgx.BeginFunc(w.tb.Context(), w.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(w.tb.Context(), `set local session_replication_role = replica`); err != nil {
			return err
		}
		for _, sql := range statements {
			if _, err := tx.Exec(w.tb.Context(), sql, all); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		_, err = w.pool.Exec(w.tb.Context(), `vacuum analyze`)
	}
	if err != nil {
		w.tb.Fatal(err)
	}
	w.measure()
}

// measure finds the large tables.
func (w *Watched) measure() {
	w.tb.Helper()
	rows, err := w.pool.Query(w.tb.Context(), `
		select relname::text from pg_class
		where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples >= $1`, largeTable)
	if err == nil {
		w.large, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		w.tb.Fatal(err)
	}
}

// ReadList fails the test when the first page of a list, a page from the middle or a
// page of a period reads more rows than most, or a large table from end to end. None of
// the pages may be empty.
func ReadList[T any](
	w *Watched, name string, most int, list func(context.Context, page.Request) (page.List[T], error),
) {
	w.tb.Helper()
	for part, r := range map[string]page.Request{
		"":                  {},
		", from the middle": {Cursor: page.Cursor(w.Middle, uuid.Max)},
		", of a period":     {CreatedAfter: w.Middle.Add(-10 * 24 * time.Hour), CreatedBefore: w.Middle},
	} {
		w.Read(name+part, most, func(ctx context.Context) error {
			l, err := list(ctx, r)
			if err == nil && len(l.Data) == 0 {
				err = errors.New("the page is empty")
			}
			return err
		})
	}
}

// Read fails the test when read executes a statement that reads a large table from end
// to end, or more rows than most. It reads seven times: after five, PostgreSQL may plan
// without the values.
func (w *Watched) Read(name string, most int, read func(ctx context.Context) error) {
	w.tb.Helper()
	w.Plans()
	for range 7 {
		if err := read(w.tb.Context()); err != nil {
			w.tb.Fatalf("%s: %v", name, err)
		}
	}
	seen := w.Plans()
	if len(seen) == 0 {
		w.tb.Fatalf("%s: no plan was seen", name)
	}
	for _, p := range seen {
		if !w.Check(name, most, p) {
			return // the same statement six times more says nothing new
		}
	}
}

// Check fails the test when a plan reads a large table from end to end, or more rows
// than most. It reports whether the plan is as wanted.
func (w *Watched) Check(name string, most int, p plans.Plan) (ok bool) {
	w.tb.Helper()
	ok = true
	for _, table := range p.Sequential {
		if slices.Contains(w.large, table) {
			ok = false
			w.tb.Errorf("%s reads all of %s: %s", name, table, p.Query)
		}
	}
	if p.Rows > most {
		ok = false
		w.tb.Errorf("%s reads %d rows by %s, at most %d are wanted: %s",
			name, p.Rows, strings.Join(p.Scans, ", "), most, p.Query)
	}
	return ok
}

// Plans are those of the App's statements since the last time.
func (w *Watched) Plans() []plans.Plan {
	w.tb.Helper()
	seen, err := w.watcher.Take()
	if err != nil {
		w.tb.Fatal(err)
	}
	return seen
}
