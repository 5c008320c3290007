package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/testwait"
)

// childVar makes the test binary a process that uses a server and waits until it is killed.
const childVar = "DIALWRIGHT_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVar) != "" {
		u, err := startServer()
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(u)
		select {}
	}
	os.Exit(m.Run())
}

func TestEachTestHasItsOwnMigratedDatabase(t *testing.T) {
	t.Parallel()
	a, b := New(t), New(t)
	ctx := t.Context()
	if err := postgres.CheckSchema(ctx, a.Pool); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Pool.Exec(ctx, `create table only_here (n int)`); err != nil {
		t.Fatal(err)
	}
	var there bool
	if err := b.Pool.QueryRow(ctx, `select to_regclass('only_here') is not null`).Scan(&there); err != nil || there {
		t.Fatalf("it is in the other database: %v", err)
	}
	if err := run(ctx, a.URL, `insert into only_here values (1)`); err != nil {
		t.Fatalf("the URL leads elsewhere: %v", err)
	}
}

func TestRowsAreWrittenOnceAndEachTestChangesItsOwn(t *testing.T) {
	t.Parallel()
	var rows Filled
	var fills atomic.Int32
	fill := func(db *DB) {
		fills.Add(1)
		if _, err := db.Pool.Exec(t.Context(), `create table filled as select 1 n`); err != nil {
			t.Fatal(err)
		}
	}
	Server(t)
	want := int32(1)
	if server.lifeline == nil { // a server that the tests share with others keeps nothing
		want = 3
	}
	for i := range 3 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			db := rows.New(t, fill)
			var n int
			err := db.Pool.QueryRow(t.Context(), `
				with before as (select count(*) n from filled), added as (insert into filled values (2))
				select n from before`).Scan(&n)
			if err != nil || n != 1 {
				t.Errorf("%d rows were there: %v", n, err)
			}
		})
	}
	t.Cleanup(func() {
		if n := fills.Load(); n != want {
			t.Errorf("filled %d times, want %d", n, want)
		}
	})
}

func TestTheDatabaseIsGoneWithItsTest(t *testing.T) {
	t.Parallel()
	var url string
	t.Run("a test", func(t *testing.T) {
		db := New(t)
		url = db.URL
		if _, err := db.Pool.Acquire(t.Context()); err != nil { // the connection is never released
			t.Fatal(err)
		}
	})
	if err := run(t.Context(), url, "select 1"); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Fatalf("%v", err)
	}
}

func TestAdvanceMovesTheDatabasesClock(t *testing.T) {
	t.Parallel()
	db, other := New(t), New(t)
	ctx := t.Context()
	ahead := func(db *DB) time.Duration {
		t.Helper()
		var d time.Duration
		if err := db.Pool.QueryRow(ctx, `select clock() - clock_timestamp()`).Scan(&d); err != nil {
			t.Fatal(err)
		}
		return d.Round(time.Minute)
	}
	db.Advance(2 * time.Hour)
	db.Advance(90 * time.Minute)
	if got := ahead(db); got != 210*time.Minute {
		t.Fatalf("%v", got)
	}
	if got := ahead(other); got != 0 {
		t.Fatalf("another test's clock moved by %v", got)
	}
	db.Advance(-210 * time.Minute)
	if got := ahead(db); got != 0 {
		t.Fatalf("%v", got)
	}
}

func TestAClockThatStandsIsMovedByTheTestAlone(t *testing.T) {
	t.Parallel()
	db := New(t)
	now := func() (at time.Time) {
		t.Helper()
		if err := db.Pool.QueryRow(t.Context(), `select clock() from pg_sleep(0.01)`).Scan(&at); err != nil {
			t.Fatal(err)
		}
		return at
	}
	db.StopClock()
	at := now()
	if again := now(); !again.Equal(at) {
		t.Errorf("the clock has gone on by %v", again.Sub(at))
	}
	db.Advance(time.Hour)
	if moved := now().Sub(at); moved != time.Hour {
		t.Errorf("the clock was moved by %v", moved)
	}
}

func TestTheTemplateIsMadeOnceByAll(t *testing.T) {
	t.Parallel()
	// This server has no template, as at the start of a run.
	u, err := freshServer(t)
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, 4)
	var all sync.WaitGroup
	for i := range names {
		all.Go(func() { // like separate processes, the goroutines share only the server
			name, err := makeTemplate(u)
			if err == nil {
				err = run(t.Context(), u, fmt.Sprintf("create database clone_%d template %s", i, name))
			}
			if err != nil {
				t.Error(err)
			}
			names[i] = name
		})
	}
	all.Wait()
	for _, n := range names {
		if n != names[0] || n == "" {
			t.Fatalf("%v", names)
		}
	}
}

func freshServer(t *testing.T) (string, error) {
	Server(t) // skips if PostgreSQL is not installed
	dir, err := os.MkdirTemp("", "dw")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		return "", err
	}
	e, err := postgres.StartEmbedded(t.Context(), postgres.EmbeddedOptions{Dir: dir, Volatile: true})
	if err != nil {
		return "", err
	}
	t.Cleanup(func() {
		_ = e.Stop(context.Background())
		_ = os.RemoveAll(dir)
	})
	return e.URL(), nil
}

func TestTheServerIsGoneWithAKilledProcess(t *testing.T) {
	t.Parallel()
	Server(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childVar+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var u string
	if _, err := fmt.Fscanln(out, &u); err != nil || !strings.HasPrefix(u, "postgres://") {
		t.Fatalf("%q %v", u, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
	defer cancel()
	conn, err := pgx.Connect(ctx, u)
	if err != nil {
		t.Fatal(err)
	}
	var dir string
	if err := conn.QueryRow(ctx, `select current_setting('data_directory')`).Scan(&dir); err != nil {
		t.Fatal(err)
	}

	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	// The server ends, and then its files are removed.
	if _, err := conn.WaitForNotification(ctx); err == nil || ctx.Err() != nil {
		t.Fatalf("the server lives on: %v", err)
	}
	for {
		if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s is left behind", dir)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// These tests run in another process, because they check a test helper that skips and fails tests.
func TestMissingProgramsSkipButFailInCI(t *testing.T) {
	t.Parallel()
	if os.Getenv("DIALWRIGHT_PGBIN") == "/nowhere" {
		New(t)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for ci, want := range map[string]string{"": "--- SKIP", "true": "--- FAIL"} {
		cmd := exec.Command(exe, "-test.run", "^TestMissingProgramsSkipButFailInCI$", "-test.v")
		cmd.Env = append(os.Environ(), "DIALWRIGHT_PGBIN=/nowhere", "DIALWRIGHT_TEST_DATABASE_URL=", "CI="+ci)
		out, _ := cmd.CombinedOutput() // the output shows how the process ended
		if !strings.Contains(string(out), want) || !strings.Contains(string(out), "apt-get install postgresql") {
			t.Errorf("CI=%q:\n%s", ci, out)
		}
	}
}

func TestAnotherDatabaseOfTheSameServer(t *testing.T) {
	t.Parallel()
	for server, want := range map[string]string{
		"postgres://u:p@h:1/postgres?sslmode=disable": "postgres://u:p@h:1/mine?connect_timeout=60&sslmode=disable",
		"postgres:///dialwright?host=%2Ftmp%2Fx":      "postgres:///mine?connect_timeout=60&host=%2Ftmp%2Fx",
		"host=/tmp/x dbname=postgres":                 "host=/tmp/x dbname=postgres dbname=mine connect_timeout=60",
	} {
		if got := withDatabase(server, "mine"); got != want {
			t.Errorf("%q", got)
		}
	}
}
