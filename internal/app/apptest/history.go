package apptest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/demo/history"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/postgres/plans"
	"github.com/dialwright/dialwright/internal/reference"
)

// HistoryCalls is how many calls have ended in Watched's database: so many that reading
// a table from end to end shows.
const HistoryCalls = 50_000

// large are the tables that no statement may read from end to end.
var large = []string{"call", "recipient", "do_not_call"}

// Watched is an App on a database with a long history. It sees the plan of each of the
// App's statements.
type Watched struct {
	*app.App
	history.History

	tb      testing.TB
	watcher *plans.Watcher
}

// NewWatched fills a database and wires an App on it. The test is skipped where
// PostgreSQL can't show its plans.
func NewWatched(tb testing.TB, described func() (*reference.Reference, error), set ...func(*app.Options)) *Watched {
	tb.Helper()
	db := pgtest.New(tb)
	w := &Watched{tb: tb}
	var err error
	if w.watcher, err = plans.Watch(tb.Context(), db.Pool); errors.Is(err, plans.ErrUnavailable) {
		tb.Skip(err)
	} else if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(w.watcher.Pool.Close)
	parts, err := history.Furnish(tb.Context(), New(tb, db.Pool, described))
	if err != nil {
		tb.Fatal(err)
	}
	if w.History, err = history.Fill(tb.Context(), db.Pool, parts, HistoryCalls, nil); err != nil {
		tb.Fatal(err)
	}
	w.App = New(tb, w.watcher.Pool, described, set...)
	return w
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
		if slices.Contains(large, table) {
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
