package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// A package manager replaces the programs of a running server, and then every new session fails. The server restarts
// once with the new programs.
func TestReplacedProgramsRestartTheServer(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		programs := copyPrograms(t)
		log := &logged{}
		o := postgres.EmbeddedOptions{
			Dir: publicDir(t), Getenv: only(programs), Log: slog.New(slog.NewTextHandler(log, nil)),
		}
		o.LookAtProgramsEvery(50 * time.Millisecond)
		e := start(t, o)
		query(t, e.URL(), "with x as (select 1) select 'kept'::text into kept")
		pool, err := postgres.Open(t.Context(), postgres.Options{URL: e.URL(), MaxConns: 2, Broken: e.CheckPrograms})
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		before, address := e.PID(), e.URL()
		replace(t, filepath.Join(programs, "postgres"), nil)
		until(t, func() bool { return e.PID() != before })
		if e.URL() != address {
			t.Errorf("it moved from %s to %s", address, e.URL())
		}
		var text string
		until(t, func() bool { return pool.QueryRow(t.Context(), `select text from kept`).Scan(&text) == nil })
		if text != "kept" {
			t.Errorf("%q", text)
		}
		select {
		case <-e.Exited():
			t.Error("it counts as exited")
		default:
		}
		if n := log.count("restarting the database server with the new ones"); n != 1 {
			t.Errorf("restarted %d times:\n%s", n, log)
		}
	})
}

// Stop may have to end before a restart has ended. The server that the restart starts does not outlive Stop.
func TestStopDuringARestartLeavesNoServer(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		programs, from := publicDir(t), publicDir(t)
		binaries, err := postgres.RealBinaries(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"postgres", "initdb"} {
			script(t, filepath.Join(programs, name), "exec "+binaries+"/"+name+` "$@"`)
		}
		// The next server says that it begins, and waits for a word before it does.
		if err := os.Chmod(from, 0o777); err != nil {
			t.Fatal(err)
		}
		began, word := filepath.Join(from, "began"), filepath.Join(from, "word")
		if err := errors.Join(syscall.Mkfifo(word, 0o644), os.Chmod(word, 0o644)); err != nil {
			t.Fatal(err)
		}
		dir := publicDir(t)
		o := postgres.EmbeddedOptions{Dir: dir, Getenv: only(programs)}
		o.LookAtProgramsEvery(20 * time.Millisecond)
		e := start(t, o)
		query(t, e.URL(), "with x as (select 1) select 'kept'::text into kept")
		replace(t, filepath.Join(programs, "postgres"), []byte(`#!/bin/sh
			[ "$1" = --version ] || { : >`+began+`; read -r line <`+word+`; }
			exec `+binaries+`/postgres "$@"`))
		until(t, func() bool { _, err := os.Stat(began); return err == nil })

		late, cancel := context.WithCancel(t.Context())
		cancel()
		_ = e.Stop(late) // an error says that the server was killed
		fifo, err := os.OpenFile(word, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if !errors.Is(err, syscall.ENXIO) { // somebody reads
			t.Errorf("a server waits to begin after Stop: %v", err)
			_, err := fifo.WriteString("begin\n")
			if err := errors.Join(err, fifo.Close()); err != nil {
				t.Fatal(err)
			}
		}
		again := start(t, postgres.EmbeddedOptions{Dir: dir})
		if got := query(t, again.URL(), "select text from kept"); got != "kept" {
			t.Errorf("%q", got)
		}
	})
}

// Programs of another version do not fit the cluster. The server keeps running, and the log says this once.
func TestProgramsThatDoNotFitRestartNothing(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		programs := copyPrograms(t)
		log := &logged{}
		o := postgres.EmbeddedOptions{
			Dir: publicDir(t), Getenv: only(programs), Log: slog.New(slog.NewTextHandler(log, nil)),
		}
		o.LookAtProgramsEvery(20 * time.Millisecond)
		e := start(t, o)
		before := e.PID()
		replace(t, filepath.Join(programs, "postgres"), []byte("#!/bin/sh\necho 'postgres (PostgreSQL) 99.1'\n"))
		until(t, func() bool { return log.count("the server keeps running") > 0 })
		replace(t, filepath.Join(programs, "postgres"), []byte("#!/bin/sh\n\necho 'postgres (PostgreSQL) 99.1'\n"))
		for range 10 {
			if query(t, e.URL(), "select 'there'") != "there" || e.PID() != before {
				t.Fatal("it was restarted")
			}
		}
		if n := log.count("the server keeps running"); n != 1 {
			t.Errorf("said %d times:\n%s", n, log)
		}
	})
}

// A session that can't load the server's library triggers a check of the programs.
func TestReadyOpensASessionAndCallsAFunction(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	broken := make(chan struct{}, 1)
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: db.URL, MaxConns: 1, Broken: func() {
		broken <- struct{}{}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := postgres.Ready(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	// PostgreSQL returns this code for a library that was replaced.
	_, err = pool.Exec(t.Context(), `create or replace function clock() returns timestamptz language plpgsql as $$
		begin raise exception 'could not load library' using errcode = '58P01'; end $$`)
	if err != nil {
		t.Fatal(err)
	}
	if err := postgres.Ready(t.Context(), pool); err == nil {
		t.Error("ready, though new sessions can't run a function")
	}
	<-broken
}

// copyPrograms copies this machine's PostgreSQL with its libraries to a directory where tests may replace files.
func copyPrograms(t *testing.T) (dir string) {
	t.Helper()
	from, err := postgres.RealBinaries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if target, err := filepath.EvalSymlinks(filepath.Join(from, "postgres")); err == nil {
		from = filepath.Dir(target)
	}
	root := publicDir(t)
	dir = filepath.Join(root, from)
	for _, sub := range []string{"bin", "lib"} {
		if err := os.CopyFS(filepath.Join(dir, "..", sub), os.DirFS(filepath.Join(from, "..", sub))); err != nil {
			t.Fatal(err)
		}
	}
	// The programs find their other files by relative paths.
	for _, shared := range []string{filepath.Join(from, "..", "share"), "/usr/share"} {
		at := filepath.Join(root, shared)
		if _, err := os.Stat(shared); err == nil {
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(shared, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// replace replaces a file with another file, as a package manager does. If content is nil, the new file is a copy.
func replace(t *testing.T, path string, content []byte) {
	t.Helper()
	if content == nil {
		var err error
		if content, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path+".new", content, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// only returns an environment that limits the search for programs to dir.
func only(dir string) func(string) string {
	return func(name string) string {
		return map[string]string{"DIALWRIGHT_PGBIN": dir}[name]
	}
}

func until(t *testing.T, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testwait.Limit); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}

// logged is a log that can be read during writes.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *logged) count(what string) int { return strings.Count(l.String(), what) }
