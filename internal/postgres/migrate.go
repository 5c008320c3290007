package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	pgx5 "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/dialwright/dialwright/migrations"
)

// migrationLock is the advisory lock under which one process at a time looks
// at the schema and changes it. The number is "dialwrig" in ASCII.
const migrationLock int64 = 0x6469616c77726967

// Migrate brings the schema of the database at url up to this program's
// version. Any number of processes may call it together: one works, the others
// wait (until ctx is over) and then find nothing to do. A crash at any point
// leaves the last complete version. A schema that is newer than this program is
// an error, and so is an UnreleasedError: neither is touched.
func Migrate(ctx context.Context, url string) error { return migrateFS(ctx, url, migrations.FS) }

func migrateFS(ctx context.Context, url string, files fs.FS) error {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return fmt.Errorf("read the database URL: %w", err)
	}
	prepare(cfg, "dialwright migrate")

	// The library takes a lock of its own, but can't be interrupted while it
	// waits for it; this one obeys ctx.
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer closeConn(conn)
	if _, err := conn.Exec(ctx, `select pg_advisory_lock($1)`, migrationLock); err != nil {
		return fmt.Errorf("wait for the migration lock: %w", err)
	}

	known, err := versions(files)
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, conn)
	if err != nil {
		return err
	}
	if err := accept(version, known); err != nil {
		return err
	}
	last := slices.Max(known)
	if version == last {
		return nil
	}

	src, err := iofs.New(files, ".")
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	db := stdlib.OpenDB(*cfg)
	defer db.Close() //nolint:errcheck // read-only by now; nothing is lost
	drv, err := pgx5.WithInstance(db, &pgx5.Config{})
	if err != nil {
		return fmt.Errorf("prepare the migration: %w", err)
	}
	defer drv.Close() //nolint:errcheck // as above
	m, err := migrate.NewWithInstance("iofs", src, "pgx5", &atomicDriver{Driver: drv})
	if err != nil {
		return fmt.Errorf("prepare the migration: %w", err)
	}
	m.LockTimeout = time.Hour // nobody else holds it: we hold ours

	stop := context.AfterFunc(ctx, func() { m.GracefulStop <- true })
	defer stop()
	if err := m.Up(); err != nil && !errors.Is(err, migrate.ErrNoChange) {
		return fmt.Errorf("migrate the database from version %d to %d: %w", version, last, err)
	}
	return ctx.Err()
}

// atomicDriver makes a migration and its version number one transaction. The
// library marks a version dirty, runs the file and marks it clean, in three;
// a crash in between needs a person. Here the mark travels with the file:
// several statements sent as one simple query are one implicit transaction.
type atomicDriver struct {
	database.Driver
	target  int
	written bool
}

// SetVersion remembers a dirty version and writes a clean one, unless Run has
// already done so.
func (d *atomicDriver) SetVersion(version int, dirty bool) error {
	if dirty {
		d.target, d.written = version, false
		return nil
	}
	if d.written && d.target == version {
		return nil
	}
	return d.Driver.SetVersion(version, false)
}

func (d *atomicDriver) Run(migration io.Reader) error {
	mark := "\n;\ndelete from schema_migrations;\n"
	if d.target >= 0 {
		mark += fmt.Sprintf("insert into schema_migrations (version, dirty) values (%d, false);\n", d.target)
	}
	if err := d.Driver.Run(io.MultiReader(migration, strings.NewReader(mark))); err != nil {
		return err
	}
	d.written = true
	return nil
}

// CheckSchema tells whether the schema is the one this program was built for.
// Too old and too new are each one clear line.
func CheckSchema(ctx context.Context, db DB) error {
	known, err := versions(migrations.FS)
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, db)
	if err != nil {
		return err
	}
	if err := accept(version, known); err != nil {
		return err
	}
	if last := slices.Max(known); version < last {
		return fmt.Errorf("the database schema is at version %d and this program needs version %d: run `dialwright "+
			"migrate`",
			version, last)
	}
	return nil
}

// lastUnreleased is the last schema version that builds before the first release
// had. Their versions 2 to 35 became part of version 1, and no migration has such
// a number again. So a database of such a build is recognized in every release.
const lastUnreleased = 35

// UnreleasedError is a database of a build before the first release. There is no
// migration from its schema.
type UnreleasedError struct{ Version int }

func (e UnreleasedError) Error() string {
	return fmt.Sprintf("the database schema is at version %d, which is from before the first release and cannot be "+
		"updated: "+
		"use an empty database", e.Version)
}

// accept says whether this program knows a schema version. 0 is an empty database.
func accept(version int, known []int) error {
	switch last := slices.Max(known); {
	case version == 0, slices.Contains(known, version):
		return nil
	case version <= lastUnreleased:
		return UnreleasedError{version}
	default:
		return fmt.Errorf("the database schema is at version %d, which is newer than this program's version %d: "+
			"run a newer dialwright", version, last)
	}
}

// schemaVersion is the version of the schema db has, 0 when it has none.
func schemaVersion(ctx context.Context, db interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}) (int, error) {
	var version int
	var dirty bool
	err := db.QueryRow(ctx, `select version, dirty from schema_migrations`).Scan(&version, &dirty)
	pg, isPg := errors.AsType[*pgconn.PgError](err)
	switch {
	case errors.Is(err, pgx.ErrNoRows), isPg && pg.Code == "42P01": // undefined_table
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("read the schema version: %w", err)
	case dirty: // never written by Migrate
		return 0, fmt.Errorf(
			"another tool left the database schema incomplete at version %d: repair it and set "+
				"schema_migrations.dirty to false",
			version,
		)
	}
	return version, nil
}

// versions are the versions of files, at least one.
func versions(files fs.FS) ([]int, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	var all []int
	for _, e := range entries {
		if m, err := source.DefaultParse(e.Name()); err == nil {
			all = append(all, int(m.Version))
		}
	}
	if len(all) == 0 {
		return nil, errors.New("read the migrations: there are none")
	}
	return all, nil
}
