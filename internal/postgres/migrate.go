package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	"github.com/golang-migrate/migrate/v4/source"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dialwright/dialwright/migrations"
)

// migrationLock is the advisory lock that lets one process at a time read and change the schema. The number is
// "dialwrig" in ASCII.
const migrationLock int64 = 0x6469616c77726967

// Migrate updates the schema of the database at url to this program's version. Any number of processes may call it at
// the same time: each migration is run by one of them, while the others wait (until ctx ends). A crash leaves the last
// complete version. Migrate does not change a schema that is newer than this program, and returns an error. It also
// leaves an unreleased schema alone, and returns an UnreleasedError.
func Migrate(ctx context.Context, url string) error { return migrateFS(ctx, url, migrations.FS) }

// MigrateDirectory updates the schema of the directory of cells at url, as Migrate does.
func MigrateDirectory(ctx context.Context, url string) error {
	return migrateFS(ctx, url, migrations.Directory)
}

func migrateFS(ctx context.Context, url string, files fs.FS) error {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return fmt.Errorf("read the database URL: %w", err)
	}
	prepare(cfg, "dialwright migrate")
	cfg.DefaultQueryExecMode = pgx.QueryExecModeExec // prepares nothing, so it works through poolers
	known, err := versions(files)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer closeConn(conn)
	locked, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer closeConn(locked)
	// The lock ends with its transaction. The transaction reads no table, so no migration waits for it.
	return InTx(ctx, locked, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `set local idle_in_transaction_session_timeout = 0`); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `select pg_advisory_xact_lock($1)`, migrationLock); err != nil {
			return fmt.Errorf("wait for the migration lock: %w", err)
		}
		return migrateLocked(ctx, conn, files, known)
	})
}

func migrateLocked(ctx context.Context, conn *pgx.Conn, files fs.FS, known []int) error {
	version, err := schemaVersion(ctx, conn)
	if err != nil {
		return err
	}
	if err := accept(ctx, conn, version, known); err != nil {
		return err
	}
	last := slices.Max(known)
	if version >= last {
		return nil
	}
	if _, err := conn.Exec(ctx, `
		create table if not exists schema_migrations (version bigint not null primary key, dirty boolean not null)`,
	); err != nil {
		return fmt.Errorf("make the table of the schema version: %w", err)
	}
	src, err := iofs.New(files, ".")
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	m, err := migrate.NewWithInstance("iofs", src, "dialwright", &atomicDriver{ctx: ctx, conn: conn})
	if err != nil {
		return fmt.Errorf("prepare the migration: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { m.GracefulStop <- true })
	defer stop()
	if err := m.Up(); err != nil && !errors.Is(err, migrate.ErrNoChange) {
		return fmt.Errorf("migrate the database from version %d to %d: %w", version, last, err)
	}
	return ctx.Err()
}

// atomicDriver is the database of golang-migrate. It runs a migration and its version number in one transaction. The
// library's own driver marks a version dirty, runs the file and marks it clean in three transactions, and a person must
// repair a crash in between. It also locks the session, and behind a connection pooler such a lock outlives the
// process.
type atomicDriver struct {
	ctx     context.Context // of Migrate: the library passes none
	conn    *pgx.Conn
	target  int
	written bool
}

func (*atomicDriver) Open(string) (database.Driver, error) { return nil, errors.ErrUnsupported }
func (*atomicDriver) Close() error                         { return nil } // Migrate closes the connection
func (*atomicDriver) Drop() error                          { return errors.ErrUnsupported }
func (*atomicDriver) Lock() error                          { return nil } // Migrate has migrationLock
func (*atomicDriver) Unlock() error                        { return nil }

func (d *atomicDriver) Version() (version int, dirty bool, err error) {
	version, err = schemaVersion(d.ctx, d.conn)
	if version == 0 {
		version = database.NilVersion
	}
	return version, false, err
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
	return InTx(d.ctx, d.conn, func(tx pgx.Tx) error { return writeVersion(d.ctx, tx, version) })
}

func (d *atomicDriver) Run(migration io.Reader) error {
	sql, err := io.ReadAll(migration)
	if err != nil {
		return fmt.Errorf("read a migration: %w", err)
	}
	err = InTx(d.ctx, d.conn, func(tx pgx.Tx) error {
		// The role's setting is for the product's statements. Migrations may read whole tables.
		if _, err := tx.Exec(d.ctx, `set local enable_seqscan = on`); err != nil {
			return err
		}
		if _, err := tx.Exec(d.ctx, string(sql)); err != nil {
			return fmt.Errorf("version %d: %w", d.target, err)
		}
		return writeVersion(d.ctx, tx, d.target)
	})
	d.written = err == nil
	return err
}

// writeVersion keeps the version, without the mark of an incomplete migration.
func writeVersion(ctx context.Context, tx pgx.Tx, version int) error {
	if _, err := tx.Exec(ctx, `delete from schema_migrations`); err != nil {
		return fmt.Errorf("write the schema version: %w", err)
	}
	if version < 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `insert into schema_migrations (version, dirty) values ($1, false)`, version)
	if err != nil {
		return fmt.Errorf("write the schema version: %w", err)
	}
	return nil
}

// CheckSchema checks that this program can work with the schema. A schema that is too old or too new is a one-line
// error. A newer schema is not too new if its migrations say so in schema_support: during an upgrade, processes of two
// versions share it.
func CheckSchema(ctx context.Context, db DB) error { return checkFS(ctx, db, migrations.FS) }

// CheckDirectory checks the schema of the directory of cells, as CheckSchema does.
func CheckDirectory(ctx context.Context, db DB) error { return checkFS(ctx, db, migrations.Directory) }

func checkFS(ctx context.Context, db DB, files fs.FS) error {
	known, err := versions(files)
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, db)
	if err != nil {
		return err
	}
	if err := accept(ctx, db, version, known); err != nil {
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

// isDirectory reports whether a version is one of the directory of cells.
func isDirectory(version int) bool { return version > 900_000 && version < 910_000 }

// UnreleasedError means that a build before the first release created the database. No migration from its schema
// exists.
type UnreleasedError struct{ Version int }

func (e UnreleasedError) Error() string {
	return fmt.Sprintf("the database schema is at version %d, which is from before the first release and cannot be "+
		"updated: "+
		"use an empty database", e.Version)
}

// queryer is a connection, a pool or a transaction.
type queryer interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// accept returns an error unless this program can work with the schema version. 0 is an empty database.
func accept(ctx context.Context, db queryer, version int, known []int) error {
	last := slices.Max(known)
	switch {
	case version > 0 && isDirectory(version) != isDirectory(last):
		return errors.New("the directory of cells and a cell cannot be the same schema: give each its own")
	case version == 0, slices.Contains(known, version):
		return nil
	case version <= lastUnreleased:
		return UnreleasedError{version}
	case version > last:
		oldest, err := oldestSupported(ctx, db)
		if err != nil {
			return err
		}
		if last >= oldest {
			return nil
		}
	}
	return fmt.Errorf("the database schema is at version %d, which is newer than this program's version %d: "+
		"run a newer dialwright", version, last)
}

// oldestSupported returns the version of the oldest program that can work with the schema. Migrations keep it in
// schema_support, and raise it when they remove what a program of an earlier version uses.
func oldestSupported(ctx context.Context, db queryer) (oldest int, err error) {
	var there bool
	if err := db.QueryRow(ctx, `select to_regclass('schema_support') is not null`).Scan(&there); err != nil {
		return 0, fmt.Errorf("look for what the schema supports: %w", err)
	}
	if !there {
		return math.MaxInt, nil
	}
	if err := db.QueryRow(ctx, `select oldest from schema_support`).Scan(&oldest); err != nil {
		return 0, fmt.Errorf("read what the schema supports: %w", err)
	}
	return oldest, nil
}

// schemaVersion returns the version of db's schema, or 0 if db has no schema.
func schemaVersion(ctx context.Context, db queryer) (int, error) {
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
