package postgres_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/golang-migrate/migrate/v4/source"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/migrations"
)

// A function finds its tables and functions on a session with any search_path: the one that restores a dump has none,
// and so have the workers of a cluster.
func TestFunctionsHaveTheirSearchPath(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	var without string
	err := db.Pool.QueryRow(ctx, `
		select coalesce(string_agg(p.oid::regprocedure::text, ', '), '')
		from pg_proc p join pg_language l on l.oid = p.prolang
		where p.pronamespace = 'public'::regnamespace
		  and (l.lanname = 'plpgsql' or exists (select from pg_proc o
			where o.pronamespace = p.pronamespace and o.oid <> p.oid and p.prosrc ~ ('\m' || o.proname || '\s*\(')))
		  and not coalesce(p.proconfig::text like '%search_path=%', false)`).Scan(&without)
	if err != nil || without != "" {
		t.Errorf("add `set search_path from current` to %s (%v)", without, err)
	}
	tx, err := db.Pool.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `set local search_path = ''`); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(ctx, `select public.person_keys(gen_random_uuid(), 'Ada', '+13125550100')`); err != nil {
		t.Error(err)
	}
}

// firstSupported is the migration from which on processes of the version before go on working on a newer schema.
const firstSupported = 692

var (
	sqlComment = regexp.MustCompile(`(?m)--.*$`)
	narrowing  = regexp.MustCompile(`(?i)\b(drop\s+(table|function|view|type)|drop\s+column|drop\s+default|rename\b|` +
		`alter\s+column\s+\w+\s+(set\s+data\s+)?type|set\s+not\s+null)\b`)
	requiredColumn = regexp.MustCompile(`(?is)add\s+column\s+[^,;]*?\bnot\s+null\b[^,;]*`)
	raising        = regexp.MustCompile(`(?i)update\s+schema_support\s+set\s+oldest\s*=\s*(\d+)`)
)

// narrows returns what a migration takes away from programs that do not know it.
func narrows(sql string) string {
	if found := narrowing.FindString(sql); found != "" {
		return found
	}
	for _, column := range requiredColumn.FindAllString(sql, -1) {
		if !strings.Contains(strings.ToLower(column), "default") {
			return column
		}
	}
	return ""
}

// A migration that takes something away says which programs can do without it. In one release, nothing uses it any
// more; in the next one, a migration removes it. So processes of two versions work beside each other during an upgrade.
func TestMigrationsSayWhomTheyLeaveBehind(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations.FS, "*.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		m, err := source.DefaultParse(name)
		if err != nil || m.Version <= firstSupported {
			continue
		}
		text, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		sql := sqlComment.ReplaceAllString(string(text), "")
		what, raised := narrows(sql), raising.FindStringSubmatch(sql)
		switch {
		case what != "" && raised == nil:
			t.Errorf("%s: %q fails programs that do not know it: add `update schema_support set oldest = N`, the last "+
				"migration of the first program that does without", name, what)
		case raised != nil:
			if oldest, err := strconv.Atoi(raised[1]); err != nil || oldest > int(m.Version) {
				t.Errorf("%s: no program has migration %s yet", name, raised[1])
			}
		}
	}
	for sql, want := range map[string]bool{
		"alter table a add column b int":                                      false,
		"alter table a add column b int not null default 0":                   false,
		"alter table a add column b int not null":                             true,
		"alter table a drop column b":                                         true,
		"alter table a alter column b type text":                              true,
		"alter table a drop constraint c":                                     false,
		"create index i on a (b)":                                             false,
		"drop function f(int)":                                                true,
		"alter table a rename to b":                                           true,
		"alter table a alter column b set not null":                           true,
		"alter table a add column b int not null, add column c int default 1": true,
	} {
		if got := narrows(sql) != ""; got != want {
			t.Errorf("%s: %t", sql, got)
		}
	}
}

// A program works with a newer schema that supports it, and leaves it alone. It refuses one that does not.
func TestANewerSchemaThatSupportsThisProgramIsAccepted(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	now := version(t, db)
	exec := func(sql string) {
		t.Helper()
		if _, err := db.Pool.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(`update schema_migrations set version = 999999`)
	if err := postgres.CheckSchema(ctx, db.Pool); err != nil {
		t.Error(err)
	}
	if err := postgres.Migrate(ctx, db.URL); err != nil || version(t, db) != 999999 {
		t.Errorf("%v, version %d", err, version(t, db))
	}
	exec(fmt.Sprintf(`update schema_support set oldest = %d`, now+1))
	for _, err := range []error{postgres.CheckSchema(ctx, db.Pool), postgres.Migrate(ctx, db.URL)} {
		if err == nil || !strings.Contains(err.Error(), "newer than this program's") {
			t.Errorf("%v", err)
		}
	}
}
