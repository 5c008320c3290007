package postgres

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"time"
)

// What the tests in package postgres_test, which may import pgtest, need of
// the inside.

// OnlyIn makes the search look for packaged programs in these directories only.
func (o *EmbeddedOptions) OnlyIn(dirs ...string) {
	o.system = append([]string{}, dirs...)
	o.noNPM = true
}

// LookAtProgramsEvery sets how often they are looked at.
func (o *EmbeddedOptions) LookAtProgramsEvery(d time.Duration) { o.programsGap = d }

// LogEveryStep makes a start log each of its steps, also if it is quick.
func (o *EmbeddedOptions) LogEveryStep() { o.allSteps = true }

// FindBinaries searches as StartEmbedded does, for whoever would run them.
func FindBinaries(
	ctx context.Context, getenv func(string) string, system, roots []string, major int,
) (dir string, found int, err error) {
	b, err := finder{getenv: getenv, system: system, roots: roots, id: ownIdentity()}.find(ctx, major)
	return b.dir, b.major, err
}

// RealBinaries is the directory of this machine's programs.
func RealBinaries(ctx context.Context) (string, error) {
	b, err := finder{getenv: os.Getenv, system: systemDirs, roots: searchRoots(), id: ownIdentity()}.find(ctx, 0)
	return b.dir, err
}

// MigrateFS is Migrate with other migrations.
func MigrateFS(ctx context.Context, url string, files fs.FS) error { return migrateFS(ctx, url, files) }

// SchemaVersion is the version of db's schema.
func SchemaVersion(ctx context.Context, db DB) (int, error) { return schemaVersion(ctx, db) }

// NPMPlatform is the name of the npm package for this machine.
func NPMPlatform() string { return npmPlatform() }

// SharedDir is where root puts what must be reachable.
const SharedDir = sharedDir

// Discard is a log nobody reads.
var Discard = slog.New(slog.DiscardHandler)

// Dial connects as the pool does.
var Dial = dialer(0).DialContext
