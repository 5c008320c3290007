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

// migrationLock is the advisory lock that lets one process at a time read and change the schema. The number is
// "dialwrig" in ASCII.
const migrationLock int64 = 0x6469616c77726967

// Migrate updates the schema of the database at url to this program's version. Any number of processes may call it at
// the same time: one process migrates, and the others wait (until ctx ends) and then find nothing to do. A crash
// leaves the last complete version. Migrate does not change a schema that is newer than this program, and returns an
// error. It also leaves an unreleased schema alone, and returns an UnreleasedError.
func Migrate(ctx context.Context, url string) error { return migrateFS(ctx, url, migrations.FS) }

func migrateFS(ctx context.Context, url string, files fs.FS) error {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return fmt.Errorf("read the database URL: %w", err)
	}
	prepare(cfg, "dialwright migrate")

	// The library takes its own lock, but that wait can't be interrupted. This lock obeys ctx.
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
	defer db.Close() //nolint:errcheck // no writes are open; nothing is lost
	drv, err := pgx5.WithInstance(db, &pgx5.Config{})
	if err != nil {
		return fmt.Errorf("prepare the migration: %w", err)
	}
	defer drv.Close() //nolint:errcheck // no writes are open; nothing is lost
	m, err := migrate.NewWithInstance("iofs", src, "pgx5", &atomicDriver{Driver: drv})
	if err != nil {
		return fmt.Errorf("prepare the migration: %w", err)
	}
	m.LockTimeout = time.Hour // no process competes for it: this process has migrationLock

	stop := context.AfterFunc(ctx, func() { m.GracefulStop <- true })
	defer stop()
	if err := m.Up(); err != nil && !errors.Is(err, migrate.ErrNoChange) {
		return fmt.Errorf("migrate the database from version %d to %d: %w", version, last, err)
	}
	return ctx.Err()
}

// atomicDriver runs a migration and its version number in one transaction. The library marks a version dirty, runs the
// file and marks it clean in three transactions, and a person must repair a crash in between. atomicDriver sends the
// version with the file: several statements in one simple query are one implicit transaction.
type atomicDriver struct {
	database.Driver
	target  int
	written bool
}

// SetVersion remembers a dirty version, and writes a clean version unless Run has already written it.
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

// CheckSchema checks that this program was built for the schema. A schema that is too old or too new is a one-line
// error.
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

// lastUnreleased is the last schema version of builds before the first release. Versions 2 to 35 became part of
// version 1, and no later migration uses these numbers. So every release recognizes a database of an unreleased build.
const lastUnreleased = 35

// UnreleasedError means that a build before the first release created the database. No migration from its schema
// exists.
type UnreleasedError struct{ Version int }

func (e UnreleasedError) Error() string {
	return fmt.Sprintf("the database schema is at version %d, which is from before the first release and cannot be "+
		"updated: "+
		"use an empty database", e.Version)
}

// accept returns an error unless this program knows the schema version. 0 is an empty database.
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

// schemaVersion returns the version of db's schema, or 0 if db has no schema.
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
	case dirty: // Migrate never writes dirty
		return 0, fmt.Errorf(
			"another tool left the database schema incomplete at version %d: repair it and set "+
				"schema_migrations.dirty to false",
			version,
		)
	}
	return version, nil
}

// versions returns the versions of files. No versions is an error.
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
