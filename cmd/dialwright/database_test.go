package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// The demo's error names a data directory that a build before the first release created, and the demo does not change
// it. Without that directory, the demo creates a new database.
func TestDemoRefusesADatabaseFromBeforeTheFirstRelease(t *testing.T) {
	t.Parallel()
	pgtest.Server(t)                    // skips if PostgreSQL is not installed
	data, err := os.MkdirTemp("", "dw") // root's server can't enter t.TempDir
	if err == nil {
		err = os.Chmod(data, 0o711)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(data); err != nil {
			t.Error(err)
		}
	})
	inDatabase := func(do func(conn *pgx.Conn) error) {
		t.Helper()
		server, err := postgres.StartEmbedded(t.Context(), postgres.EmbeddedOptions{Dir: data})
		if err != nil {
			t.Fatal(err)
		}
		conn, err := pgx.Connect(t.Context(), server.URL())
		if err == nil {
			err = do(conn)
			_ = conn.Close(t.Context())
		}
		if err != nil {
			t.Error(err)
		}
		if err := server.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	inDatabase(func(conn *pgx.Conn) error {
		_, err := conn.Exec(t.Context(), `
			create table schema_migrations (version bigint primary key, dirty boolean not null);
			insert into schema_migrations values (34, false)`)
		return err
	})

	getenv := func(name string) string {
		return map[string]string{"DIALWRIGHT_MASTER_KEY": testMasterKey, "PATH": os.Getenv("PATH")}[name]
	}
	var stdout, stderr bytes.Buffer
	args := []string{"demo", "--addr", "127.0.0.1:0", "--data", data, "--log-level", "error"}
	status := run(t.Context(), args, getenv, &stdout, &stderr)
	want := "dialwright: the database schema is at version 34, which is from before the first release and cannot be " +
		"updated: " +
		"use an empty database. To start with one, delete the directory " + data + "\n"
	if status != 1 || stderr.String() != want || stdout.Len() > 0 {
		t.Errorf("status %d, stdout %q, stderr %q", status, &stdout, &stderr)
	}
	inDatabase(func(conn *pgx.Conn) error {
		var tables int
		err := conn.QueryRow(t.Context(), `
			select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`).Scan(&tables)
		if tables != 1 {
			t.Errorf("%d tables", tables)
		}
		return err
	})

	if err := os.RemoveAll(data); err != nil {
		t.Fatal(err)
	}
	stderr.Reset()
	if status := run(t.Context(), []string{"migrate", "--data", data}, getenv, &stdout, &stderr); status != 0 {
		t.Errorf("status %d, stderr %q", status, &stderr)
	}
}
