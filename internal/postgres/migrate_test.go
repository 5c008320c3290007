package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/golang-migrate/migrate/v4/source"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/demo/history"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/migrations"
)

func files(sql ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i, s := range sql {
		n := "00000" + string(rune('1'+i))
		m[n+"_step.up.sql"] = &fstest.MapFile{Data: []byte(s)}
		m[n+"_step.down.sql"] = &fstest.MapFile{Data: []byte("select 1")}
	}
	return m
}

func version(t *testing.T, db *pgtest.DB) int {
	t.Helper()
	v, err := postgres.SchemaVersion(t.Context(), db.Pool)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestProcessesThatStartTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	db := pgtest.NewEmpty(t)
	// A second run would fail, because the table exists.
	steps := files("create table a (n int); select pg_sleep(0.2)", "create table b (n int)")
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			if err := postgres.MigrateFS(t.Context(), db.URL, steps); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if v := version(t, db); v != 2 {
		t.Fatalf("version %d", v)
	}
	if err := postgres.MigrateFS(t.Context(), db.URL, steps); err != nil {
		t.Fatalf("with nothing to do: %v", err)
	}
}

func TestAFailedMigrationLeavesTheLastWholeVersion(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.NewEmpty(t), t.Context()
	broken := files("create table a (n int)", "create table b (n int); insert into b values (1); select 1/0")
	err := postgres.MigrateFS(ctx, db.URL, broken)
	if err == nil || !strings.Contains(err.Error(), "division by zero") {
		t.Fatalf("%v", err)
	}
	if v := version(t, db); v != 1 {
		t.Fatalf("version %d", v)
	}
	// The failed migration left nothing, and the corrected file runs.
	if err := postgres.MigrateFS(ctx, db.URL, files("create table a (n int)", "create table b (n int)")); err != nil {
		t.Fatal(err)
	}
	if v := version(t, db); v != 2 {
		t.Fatalf("version %d", v)
	}
}

func TestAMigrationThatIsCutOffLeavesTheLastWholeVersion(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.NewEmpty(t), t.Context()
	done := make(chan error, 1)
	go func() {
		done <- postgres.MigrateFS(ctx, db.URL,
			files("create table a (n int)", "create table b (n int); select pg_sleep(60) as cut_here"))
	}()
	// The connection breaks during the second migration, as when the process dies.
	for cut := false; !cut; {
		err := db.Pool.QueryRow(ctx, `
			select coalesce(bool_or(pg_terminate_backend(pid)), false) from pg_stat_activity
			where datname = current_database() and wait_event = 'PgSleep'`).Scan(&cut)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := <-done; err == nil {
		t.Fatal("a cut off migration succeeded")
	}
	if v := version(t, db); v != 1 {
		t.Fatalf("version %d", v)
	}
	if err := postgres.MigrateFS(ctx, db.URL, files("create table a (n int)", "create table b (n int)")); err != nil {
		t.Fatal(err)
	}
}

func TestMigrateGivesUpWaitingWithItsContext(t *testing.T) {
	t.Parallel()
	db := pgtest.NewEmpty(t)
	holder, err := db.Pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Release()
	if _, err := holder.Exec(t.Context(), `select pg_advisory_lock(x'6469616c77726967'::bigint)`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := postgres.MigrateFS(ctx, db.URL, files("create table a (n int)")); err == nil || ctx.Err() == nil {
		t.Fatalf("it did not wait: %v", err)
	}
}

func TestASchemaThatIsTooOldOrTooNewIsOneLine(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.NewEmpty(t), t.Context()
	oneLine := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("want one line with %q: %v", want, err)
		}
	}
	oneLine(postgres.CheckSchema(ctx, db.Pool), "dialwright migrate")
	if err := postgres.Migrate(ctx, db.URL); err != nil {
		t.Fatal(err)
	}
	if err := postgres.CheckSchema(ctx, db.Pool); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool.Exec(ctx, `
		update schema_migrations set version = 999999; update schema_support set oldest = 999999`); err != nil {
		t.Fatal(err)
	}
	oneLine(postgres.CheckSchema(ctx, db.Pool), "newer")
	oneLine(postgres.Migrate(ctx, db.URL), "newer")
	if _, err := db.Pool.Exec(ctx, `update schema_migrations set dirty = true`); err != nil {
		t.Fatal(err)
	}
	oneLine(postgres.CheckSchema(ctx, db.Pool), "incomplete at version 999999")
}

// Migrate refuses a database of a build before the first release and does not change it. A program with migrations
// after the first release refuses it too.
func TestADatabaseFromBeforeTheFirstReleaseIsRefused(t *testing.T) {
	t.Parallel()
	later := fstest.MapFS{
		"000001_init.up.sql":  &fstest.MapFile{Data: []byte("create table init (n int)")},
		"000036_later.up.sql": &fstest.MapFile{Data: []byte("create table later (n int)")},
	}
	for _, old := range []int{2, 34, 35} {
		db, ctx := pgtest.NewEmpty(t), t.Context()
		_, err := db.Pool.Exec(ctx, fmt.Sprintf(`
			create table schema_migrations (version bigint primary key, dirty boolean not null);
			insert into schema_migrations values (%d, false);
			create table organization (id uuid primary key)`, old))
		if err != nil {
			t.Fatal(err)
		}
		for name, err := range map[string]error{
			"Migrate":       postgres.Migrate(ctx, db.URL),
			"CheckSchema":   postgres.CheckSchema(ctx, db.Pool),
			"a later build": postgres.MigrateFS(ctx, db.URL, later),
		} {
			refused, ok := errors.AsType[postgres.UnreleasedError](err)
			if !ok || refused.Version != old || !strings.Contains(err.Error(), "use an empty database") {
				t.Errorf("version %d: %s: %v", old, name, err)
			}
		}
		if v := version(t, db); v != old {
			t.Errorf("version %d became %d", old, v)
		}
		var tables string
		err = db.Pool.QueryRow(ctx, `
			select string_agg(relname, ' ' order by relname) from pg_class
			where relnamespace = 'public'::regnamespace and relkind = 'r'`).Scan(&tables)
		if err != nil || tables != "organization schema_migrations" {
			t.Errorf("version %d: the tables are %s, %v", old, tables, err)
		}
	}
}

// Versions 2 to 35 mark databases from before the first release.
func TestMigrationsSkipTheVersionsOfUnreleasedBuilds(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if m, err := source.DefaultParse(file); err != nil || m.Version != 1 && m.Version <= 35 {
			t.Errorf("%s: number it 000036 or higher (%v)", file, err)
		}
	}
}

// Migrate runs each file with its version number in one transaction. A commit in a file would end it early.
func TestMigrationsLeaveTransactionsToMigrate(t *testing.T) {
	t.Parallel()
	own := regexp.MustCompile(`(?im)^\s*(begin|commit|rollback|start\s+transaction)\s*;|\bconcurrently\b`)
	err := fs.WalkDir(migrations.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations.FS, path)
		if found := own.Find(text); found != nil {
			t.Errorf("%s: %q", path, found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The down files must undo all of the up files.
func TestMigrationsGoDownAndUpAgain(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	files, err := fs.Glob(migrations.FS, "*.down.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	slices.Sort(files)
	for _, file := range slices.Backward(files) {
		down, err := fs.ReadFile(migrations.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Pool.Exec(ctx, string(down)); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	if _, err := db.Pool.Exec(ctx, `delete from schema_migrations`); err != nil {
		t.Fatal(err)
	}
	var left int
	err = db.Pool.QueryRow(ctx, `
		select (select count(*) from pg_class
			where relnamespace = 'public'::regnamespace and relname not like 'schema_migrations%')
		     + (select count(*) from pg_proc where pronamespace = 'public'::regnamespace)`).Scan(&left)
	if err != nil || left != 0 {
		t.Fatalf("%d objects are left, %v", left, err)
	}
	if err := postgres.Migrate(ctx, db.URL); err != nil {
		t.Fatal(err)
	}
}

// Down files run on a database in use. They keep the rows of earlier versions and change the values that those versions
// do not know. The up files run again.
func TestMigrationsGoDownAndUpAgainWithRows(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	p, err := history.Furnish(ctx, apptest.New(t, db.Pool, api.Reference))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := history.Fill(ctx, db.Pool, p, 1000, nil); err != nil {
		t.Fatal(err)
	}
	exec := func(what, sql string, args ...any) {
		t.Helper()
		if _, err := db.Pool.Exec(ctx, sql, args...); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	exec("do-not-call list", `
		insert into do_not_call (id, organization_id, phone_number, source)
		select gen_random_uuid(), $1, '+1312555010' || i, s
		from unnest('{call,user,deceased,wrong_person,campaign}'::text[]) with ordinality as n (s, i)`,
		p.OrganizationID)
	exec("log", `
		insert into campaign_log_entry (id, organization_id, campaign_id, kind, actor_kind, actor_name)
		select gen_random_uuid(), organization_id, id, k, 'system', ''
		from (select id, organization_id from campaign limit 1) c, unnest('{started,do_not_call_added}'::text[]) k`)
	exec("limit of abandoned calls", `update organization set abandoned_most = 3, abandoned_least = 7`)
	exec("pauses", `update campaign set abandoned_paused = true, abandoned_from = clock(), call_reason = 'Your visit'`)
	exec("answers by the hour", `
		insert into campaign_answer_hour (campaign_id, organization_id, starts_at, answered_by_person, abandoned)
		select id, organization_id, date_trunc('hour', clock()), 5, 1 from campaign limit 1`)
	exec("keys", `
		insert into api_key (id, organization_id, name, hash, display, scopes) values
			(gen_random_uuid(), $1, 'a', '\x01', '', '{all}'),
			(gen_random_uuid(), $1, 'b', '\x02', '', '{calls:read}')`,
		p.OrganizationID)
	exec("a pre-dial check that is off", `
		insert into pre_dial_check (organization_id, url, secret, on_failure)
		values ($1, 'https://example.com', '', 'wait')`, p.OrganizationID)
	exec("attestations", `update call set stir_attestation = 'B'`)

	text := func(what, sql string) (got string) {
		t.Helper()
		if err := db.Pool.QueryRow(ctx, sql).Scan(&got); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		return got
	}
	const rows = `
		select string_agg(t || ' ' || (xpath('/row/n/text()',
			query_to_xml('select count(*) as n from ' || t, false, true, '')))[1]::text, ', ' order by t)
		from unnest(array['organization', 'project', 'agent', 'connection', 'phone_number', 'campaign', 'recipient',
			'call', 'do_not_call']) t`
	before := text("rows", rows)
	// Settlements and the migration count the same.
	const sums = `
		select (select count(*) || ' ' || md5(string_agg(concat_ws(' ', campaign_id, agent_id, day, kind, key, value,
		          calls, trim_scale(number)), ',' order by campaign_id, agent_id, day, kind, key, value))
		        from result_day)
		    || ' ' || (select md5(string_agg(h::text, ',' order by h::text)) from (select organization_id, campaign_id,
		          phone_number_id, starts_at, completed, placed, reached, talk_ms from call_hour) h)`
	counted := text("sums", sums)
	// What earlier versions see, after each of these down files.
	const (
		sources = `select string_agg(source, ' ' order by phone_number) from do_not_call where source <> 'import'`
		kinds   = `select string_agg(kind, ' ' order by kind) from campaign_log_entry
			where kind in ('started', 'do_not_call_added')`
		scopes  = `select string_agg(cardinality(scopes)::text, ' ' order by name) from api_key`
		columns = `select count(*)::text from information_schema.columns where table_schema = 'public' and
			(column_name in ('abandoned_most', 'abandoned_least', 'abandoned_paused', 'abandoned_from')
			or table_name = 'campaign_answer_hour')`
		attestations = `select count(*)::text from information_schema.columns
			where table_schema = 'public' and column_name = 'stir_attestation'`
	)
	after := map[string][][2]string{
		"000041": {{sources, "call user call call call"}, {kinds, "started"}},
		"000055": {{columns, "0"}, {sources, "call user deceased wrong_person campaign"}},
		"000056": {{attestations, "0"}},
		"000066": {{scopes, "13 1"}},
		"000068": {{`select count(*)::text from pre_dial_check`, "0"}},
	}
	files, err := fs.Glob(migrations.FS, "*.down.sql")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	for _, file := range slices.Backward(files[1:]) { // the first creates the schema
		down, err := fs.ReadFile(migrations.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		exec(file, string(down))
		number, _, _ := strings.Cut(file, "_")
		for _, want := range after[number] {
			if got := text(file, want[0]); got != want[1] {
				t.Errorf("after %s: %q, want %q", file, got, want[1])
			}
		}
		delete(after, number)
	}
	if len(after) > 0 {
		t.Errorf("not undone: %v", after)
	}
	exec("version", `update schema_migrations set version = 1`)
	if err := postgres.Migrate(ctx, db.URL); err != nil {
		t.Fatal(err)
	}
	if got := text("rows", rows); got != before {
		t.Errorf("the rows are\n%s, were\n%s", got, before)
	}
	if got := text("sums", sums); got != counted {
		t.Errorf("the sums are %s, were %s", got, counted)
	}
	if got := text("scopes", `select string_agg(array_to_string(scopes, ','), ' ' order by name) from api_key`); got !=
		"all calls:read" {
		t.Errorf("scopes: %s", got)
	}
	if got := text("settings", `select concat_ws(' ', abandoned_most, abandoned_least,
		(select count(*) from campaign where abandoned_paused or abandoned_from is not null or call_reason is not null),
		(select count(*) from campaign_answer_hour), (select count(stir_attestation) from call)) from organization`,
	); got != "100 0 0 0" {
		t.Errorf("settings of the newer versions: %s", got)
	}
}

// Every agent from before versions gets a published version 1. The way back drops a draft that was not published.
func TestAgentsGetTheirFirstVersion(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	tenant := db.NewTenant(t, "Acme", "+12025550100", pgtest.Script)
	run := func(pattern string) {
		t.Helper()
		names, err := fs.Glob(migrations.FS, pattern)
		if err != nil || len(names) != 1 {
			t.Fatal(names, err)
		}
		sql, err := fs.ReadFile(migrations.FS, names[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Pool.Exec(ctx, string(sql)); err != nil {
			t.Fatal(err)
		}
	}
	// This trigger of a later migration names a column that goes.
	if _, err := db.Pool.Exec(ctx, `drop trigger campaign_changed on campaign`); err != nil {
		t.Fatal(err)
	}
	run("*_agent_version.down.sql")
	run("*_agent_version.up.sql")
	var same bool
	err := db.Pool.QueryRow(ctx, `
		select v.number = 1 and v.script = a.script and v.language = a.language and length(v.sha256) = 64
			and exists (select from agent_publication p where p.version_id = v.id)
		from agent a join agent_version v on v.id = a.published_version_id and v.agent_id = a.id
		where a.id = $1`, tenant.AgentID).Scan(&same)
	if err != nil || !same {
		t.Errorf("version 1 is the agent: %t, %v", same, err)
	}
	if _, err := db.Pool.Exec(ctx, `update agent set language = 'de-DE'`); err != nil {
		t.Fatal(err)
	}
	run("*_agent_version.down.sql")
	var language string
	if err := db.Pool.QueryRow(ctx, `select language from agent`).Scan(&language); err != nil || language != "en-US" {
		t.Errorf("the agent speaks %s, %v", language, err)
	}
}

// The free text of a voice becomes a voice with its provider, if it fits the agent's language.
func TestVoicesOfAgentsAreConverted(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	tenant := db.NewTenant(t, "Acme", "+12025550100", pgtest.Script)
	run := func(pattern string) {
		t.Helper()
		names, err := fs.Glob(migrations.FS, pattern)
		if err != nil || len(names) != 1 {
			t.Fatal(names, err)
		}
		sql, err := fs.ReadFile(migrations.FS, names[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Pool.Exec(ctx, string(sql)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ language, voice, want, back string }{
		{"en-US", "", "  ", ""},
		{"en-US", "Polly.Joanna-Neural", "amazon Joanna-Neural ", "Joanna-Neural"},
		{"en-US", "Joanna", "amazon Joanna ", "Joanna"},
		{"en-GB", "Google.en-US-Wavenet-C", "google en-US-Wavenet-C ", "en-US-Wavenet-C"},
		{"no", "nb-NO-Wavenet-F", "google nb-NO-Wavenet-F ", "nb-NO-Wavenet-F"},
		{"da-DK", "Joanna-Neural", "  ", ""},
		{"en-US", "alice", "  ", ""},
		{"fr-FR", "UgBBYS2sOqTuMpoF3BR0", "elevenlabs UgBBYS2sOqTuMpoF3BR0 ", "UgBBYS2sOqTuMpoF3BR0"},
		{"en-US", "UgBBYS2sOqTuMpoF3BR0-turbo_v2-1.0_0.5_0.8", "elevenlabs UgBBYS2sOqTuMpoF3BR0 turbo_v2",
			"UgBBYS2sOqTuMpoF3BR0-turbo_v2"},
		{"fr-FR", "UgBBYS2sOqTuMpoF3BR0-turbo_v2", "  ", ""},
	} {
		run("*_speech.down.sql")
		if _, err := db.Pool.Exec(ctx, `update agent set language = $2, voice = $3 where id = $1`,
			tenant.AgentID, c.language, c.voice); err != nil {
			t.Fatal(err)
		}
		run("*_speech.up.sql")
		var got string
		err := db.Pool.QueryRow(ctx, `select concat(speech->>'provider', ' ', speech->>'voice', ' ',
			speech->>'model') from agent where id = $1`, tenant.AgentID).Scan(&got)
		if err != nil || got != c.want {
			t.Errorf("%s in %s: %q, %v, want %q", c.voice, c.language, got, err, c.want)
		}
		run("*_speech.down.sql")
		err = db.Pool.QueryRow(ctx, `select voice from agent where id = $1`, tenant.AgentID).Scan(&got)
		if err != nil || got != c.back {
			t.Errorf("%s came back as %q, %v", c.voice, got, err)
		}
		run("*_speech.up.sql")
	}
}
