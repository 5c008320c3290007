package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strconv"

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
	version, err := schemaVersion(ctx, conn)
	if err != nil {
		return err
	}
	for at := version; ; {
		if err := accept(ctx, conn, at, known); err != nil {
			return err
		}
		if at >= slices.Max(known) {
			return nil
		}
		at, err = migrateOnce(ctx, conn, files, known)
		if err != nil {
			return fmt.Errorf("migrate the database from version %d to %d: %w", version, slices.Max(known), err)
		}
	}
}

// migrateOnce runs the next migration with its version number in one transaction, and returns the version of the
// schema then. Several processes take turns, so each of them may find that another one has run it.
func migrateOnce(ctx context.Context, conn *pgx.Conn, files fs.FS, known []int) (version int, err error) {
	err = InTx(ctx, conn, func(tx pgx.Tx) error {
		// The role's setting is for the product's statements. Migrations may read whole tables.
		if _, err := tx.Exec(ctx, `set local enable_seqscan = on`); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `select pg_advisory_xact_lock($1)`, migrationLock); err != nil {
			return fmt.Errorf("wait for the migration lock: %w", err)
		}
		if _, err := tx.Exec(ctx, `
			create table if not exists schema_migrations (version bigint not null primary key, dirty boolean not null)`,
		); err != nil {
			return err
		}
		if version, err = schemaVersion(ctx, tx); err != nil {
			return err
		}
		if err := accept(ctx, tx, version, known); err != nil {
			return err
		}
		next := slices.Max(known)
		if version >= next {
			return nil
		}
		for _, n := range known {
			if n > version {
				next = min(next, n)
			}
		}
		sql, err := migration(files, next)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("version %d: %w", next, err)
		}
		version = next
		return writeVersion(ctx, tx, next)
	})
	return version, err
}

// writeVersion keeps the version as golang-migrate and its like do, with the mark of an incomplete migration, which
// Migrate never sets.
func writeVersion(ctx context.Context, tx pgx.Tx, version int) error {
	for _, sql := range []string{
		`delete from schema_migrations`,
		fmt.Sprintf(`insert into schema_migrations (version, dirty) values (%d, false)`, version),
	} {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("write the schema version: %w", err)
		}
	}
	return nil
}

var migrationName = regexp.MustCompile(`^(\d+)_\w+\.(up|down)\.sql$`)

// migrationNumber returns the version of a migration's file. ok is false for other files.
func migrationNumber(file string) (version int, ok bool) {
	m := migrationName.FindStringSubmatch(file)
	if m == nil {
		return 0, false
	}
	version, err := strconv.Atoi(m[1])
	return version, err == nil
}

// migration returns the SQL that leads to a version.
func migration(files fs.FS, version int) (string, error) {
	names, err := fs.Glob(files, "*.up.sql")
	if err != nil {
		return "", fmt.Errorf("read the migrations: %w", err)
	}
	for _, name := range names {
		if n, ok := migrationNumber(name); ok && n == version {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return "", fmt.Errorf("read a migration: %w", err)
			}
			return string(text), nil
		}
	}
	return "", fmt.Errorf("read the migrations: none leads to version %d", version)
}

// CheckSchema checks that this program can work with the schema. A schema that is too old or too new is a one-line
// error. A newer schema is not too new if its migrations say so in schema_support: during an upgrade, processes of two
// versions share it.
func CheckSchema(ctx context.Context, db DB) error {
	known, err := versions(migrations.FS)
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
		if n, ok := migrationNumber(e.Name()); ok {
			all = append(all, n)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("read the migrations: there are none")
	}
	return all, nil
}
