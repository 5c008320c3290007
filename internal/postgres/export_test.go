package postgres

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// This file exports internals for the tests in package postgres_test, which may import pgtest.

// OnlyIn limits the search for packaged programs to these directories.
func (o *EmbeddedOptions) OnlyIn(dirs ...string) {
	o.system = append([]string{}, dirs...)
	o.noNPM = true
}

// LookAtProgramsEvery sets the interval between checks of the programs.
func (o *EmbeddedOptions) LookAtProgramsEvery(d time.Duration) { o.programsGap = d }

// LogEveryStep makes a start log each of its steps, even a quick step.
func (o *EmbeddedOptions) LogEveryStep() { o.allSteps = true }

// FindBinaries searches as StartEmbedded does, for programs that the owner of a new cluster can run.
func FindBinaries(
	ctx context.Context, getenv func(string) string, system, roots []string, major int,
) (dir string, found int, err error) {
	b, err := finder{getenv: getenv, system: system, roots: roots, id: ownIdentity()}.find(ctx, major)
	return b.dir, b.major, err
}

// RealBinaries returns the directory of this machine's programs.
func RealBinaries(ctx context.Context) (string, error) {
	b, err := finder{getenv: os.Getenv, system: systemDirs, roots: searchRoots(), id: ownIdentity()}.find(ctx, 0)
	return b.dir, err
}

// TryLeaseEvery is TryLease with another time between renewals.
func TryLeaseEvery(
	ctx context.Context, pool *pgxpool.Pool, name string, gap time.Duration, fn func(context.Context) error,
) (bool, error) {
	return tryLease(ctx, pool, name, gap, fn)
}

// MigrateFS is Migrate with other migrations.
func MigrateFS(ctx context.Context, url string, files fs.FS) error { return migrateFS(ctx, url, files) }

// SchemaVersion returns the version of db's schema.
func SchemaVersion(ctx context.Context, db DB) (int, error) { return schemaVersion(ctx, db) }

// NPMPlatform returns the name of the npm package for this machine.
func NPMPlatform() string { return npmPlatform() }

// SharedDir is where root puts files that the server's user must reach.
const SharedDir = sharedDir

// Discard is a log that drops every record.
var Discard = slog.New(slog.DiscardHandler)

// Dial connects as the pool does.
var Dial = dialer(0).DialContext

// Waiting returns how many questions wait for a hand.
func (g *Gatherer[Q, A]) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.pending)
}
