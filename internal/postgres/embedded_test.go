package postgres_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

func TestEmbeddedServerKeepsToItself(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		dir := filepath.Join(publicDir(t), "data")
		e := start(t, postgres.EmbeddedOptions{Dir: dir})
		if e.Moved() || e.Home() != filepath.Join(dir, "postgres") {
			t.Errorf("the cluster is in %s", e.Home())
		}
		for setting, want := range map[string]string{
			"listen_addresses": "", "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on",
			"timezone": "UTC",
		} {
			if got := query(t, e.URL(), "select current_setting('"+setting+"')"); got != want {
				t.Errorf("%s is %q", setting, got)
			}
		}
		if got := query(t, e.URL(), "select current_database() || ' ' || lower('ÄÉ')"); got != "dialwright äé" {
			t.Errorf("%q", got)
		}
		for _, sub := range []string{"", "data", "run"} {
			info, err := os.Stat(filepath.Join(e.Home(), sub))
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != 0o700 {
				t.Errorf("%q has mode %v", sub, info.Mode())
			}
			if st := info.Sys().(*syscall.Stat_t); st.Uid == 0 {
				t.Errorf("%q belongs to root", sub)
			}
		}
		// Ctrl-C reaches the terminal's process group. The server has its own group.
		if group, err := syscall.Getpgid(e.PID()); err != nil || group != e.PID() {
			t.Errorf("process group %d, %v", group, err)
		}
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", e.PID()))
		if err == nil && strings.Contains(string(env), "DIALWRIGHT") {
			t.Error("the server has our environment, where the master key may be")
		}
	})
}

func TestEmbeddedDatabaseOutlivesAStop(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		dir := publicDir(t)
		e, err := postgres.StartEmbedded(t.Context(), postgres.EmbeddedOptions{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		query(t, e.URL(), "with x as (select 1) select 'kept'::text into kept")
		if err := e.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		select {
		case <-e.Exited():
		default:
			t.Error("stopped, and not exited")
		}
		if got := query(t, start(t, postgres.EmbeddedOptions{Dir: dir}).URL(), "select text from kept"); got != "kept" {
			t.Fatalf("%q", got)
		}
	})
}

func TestAServerLeftBehindIsAdopted(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		dir := publicDir(t)
		o := startOwner(t, dir)
		o.kill()
		e := start(t, postgres.EmbeddedOptions{Dir: dir})
		if e.PID() != o.postgres {
			t.Fatalf("process %d was started although %d was there", e.PID(), o.postgres)
		}
		if got := query(t, e.URL(), "select pg_postmaster_start_time()::text"); got == "" {
			t.Fatal("it does not answer")
		}
	})
}

func TestALiveOwnerIsReportedInOneLine(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		dir := publicDir(t)
		o := startOwner(t, dir)
		_, err := postgres.StartEmbedded(t.Context(), postgres.EmbeddedOptions{Dir: dir})
		inUse, ok := errors.AsType[*postgres.InUseError](err)
		if !ok || inUse.PID != o.cmd.Process.Pid {
			t.Fatalf("%v", err)
		}
		if text := err.Error(); !strings.Contains(text, dir) || !strings.Contains(text, strconv.Itoa(inUse.PID)) ||
			strings.Contains(text, "\n") {
			t.Errorf("%q", text)
		}
		// A command that shares the data directory uses the running server and leaves it running.
		e := start(t, postgres.EmbeddedOptions{Dir: dir, Share: true})
		if err := e.Stop(t.Context()); err != nil || query(t, e.URL(), "select 'there'") != "there" {
			t.Errorf("the shared server is gone: %v", err)
		}
		o.kill()
		if e := start(t, postgres.EmbeddedOptions{Dir: dir, Share: true}); e.PID() != o.postgres {
			t.Error("without an owner it is not adopted")
		}
	})
}

func TestAServerThatIsKilledRecovers(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		dir := publicDir(t)
		o := startOwner(t, dir)
		url := start(t, postgres.EmbeddedOptions{Dir: dir, Share: true}).URL()
		query(t, url, "with x as (select 1) select 'kept'::text into kept")
		o.kill()
		if err := syscall.Kill(o.postgres, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		e := start(t, postgres.EmbeddedOptions{Dir: dir})
		if got := query(t, e.URL(), "select text from kept"); got != "kept" {
			t.Fatalf("%q", got)
		}
	})
}

// A slow start logs its current step. It mentions recovery only if the server must recover.
func TestASlowStartSaysWhatItWaitsFor(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		dir := publicDir(t)
		const adopting, starting = "waiting for the database server of an earlier run to answer or to " +
			"exit", "waiting for the database server to start"
		started := func(want ...string) *postgres.Embedded {
			t.Helper()
			var log bytes.Buffer
			o := postgres.EmbeddedOptions{Dir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))}
			o.LogEveryStep()
			e := start(t, o)
			var got []string
			for _, line := range regexp.MustCompile(`msg="((?:waiting|creating) [^"]*)"`).FindAllStringSubmatch(
				log.String(), -1,
			) {
				got = append(got, line[1])
			}
			if !slices.Equal(got, want) {
				t.Errorf("the start says %q, want %q", got, want)
			}
			return e
		}
		stop := func(e *postgres.Embedded) {
			t.Helper()
			if err := e.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		stop(started(adopting, "creating the database", starting))
		stop(started(adopting, starting))
		o := startOwner(t, dir)
		o.kill()
		if err := syscall.Kill(o.postgres, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		stop(started(adopting, "waiting for the database server, which was not shut down cleanly and is recovering"))
	})
}

// After a reboot another process may have the number in postmaster.pid.
func TestTheNumberOfADeadServerMayBeTakenByAnother(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		dir := publicDir(t)
		o := startOwner(t, dir)
		pidfile := filepath.Join(dir, "postgres", "data", "postmaster.pid")
		text, err := os.ReadFile(pidfile)
		if err != nil {
			t.Fatal(err)
		}
		o.kill()
		if err := start(t, postgres.EmbeddedOptions{Dir: dir}).Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		other, err := os.StartProcess("/bin/sleep", []string{"sleep", "600"}, sleeper(t, filepath.Dir(pidfile)))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = other.Kill(); _, _ = other.Wait() }()
		_, rest, _ := strings.Cut(string(text), "\n")
		if err := os.WriteFile(pidfile, []byte(strconv.Itoa(other.Pid)+"\n"+rest), 0o600); err != nil {
			t.Fatal(err)
		}
		chownLike(t, pidfile, filepath.Dir(pidfile))
		start(t, postgres.EmbeddedOptions{Dir: dir})
		if err := other.Signal(syscall.Signal(0)); err != nil {
			t.Errorf("the stranger was ended: %v", err)
		}
	})
}

// sleeper returns attributes for a process of dir's owner. PostgreSQL takes only processes of that user for servers.
func sleeper(t *testing.T, dir string) *os.ProcAttr {
	t.Helper()
	attr := &os.ProcAttr{Dir: "/", Files: []*os.File{nil, nil, nil}}
	if os.Geteuid() == 0 {
		st := stat(t, dir)
		attr.Sys = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: st.Uid, Gid: st.Gid}}
	}
	return attr
}

func chownLike(t *testing.T, path, like string) {
	t.Helper()
	if st := stat(t, like); os.Geteuid() == 0 {
		if err := os.Chown(path, int(st.Uid), int(st.Gid)); err != nil {
			t.Fatal(err)
		}
	}
}

func stat(t *testing.T, path string) *syscall.Stat_t {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Sys().(*syscall.Stat_t)
}

func TestBeingKilledWhileTheClusterIsMadeDoesNoHarm(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		dir := publicDir(t)
		// This initdb fails after half of its work.
		half := publicDir(t)
		binaries, err := postgres.RealBinaries(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		script(t, filepath.Join(half, "postgres"), `exec `+binaries+`/postgres "$@"`)
		script(t, filepath.Join(half, "initdb"), `mkdir -p "$2/base"; echo 15 > "$2/PG_VERSION"; exec sleep 5`)
		o, said := spawnOwner(t, dir, "DIALWRIGHT_PGBIN="+half)
		for {
			if left, _ := filepath.Glob(filepath.Join(dir, "postgres", "data.new-*", "PG_VERSION")); len(left) == 1 {
				break
			}
			select {
			case line := <-said:
				t.Fatalf("the owner says %q", line)
			case <-time.After(5 * time.Millisecond):
			}
		}
		o.kill()

		e := start(t, postgres.EmbeddedOptions{Dir: dir})
		if query(t, e.URL(), "select 'whole'") != "whole" {
			t.Fatal("not whole")
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "postgres", "data.new-*")); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	})
}

func TestALongPathGetsAShortSocket(t *testing.T) {
	asEveryUser(t, func(t *testing.T) {
		dir := filepath.Join(publicDir(t), strings.Repeat("long/", 25))
		o := startOwner(t, dir)
		o.kill()
		e := start(t, postgres.EmbeddedOptions{Dir: dir}) // adopted through the socket in the temporary directory
		if e.PID() != o.postgres {
			t.Fatal("not adopted")
		}
		socket := query(t, e.URL(), "select current_setting('unix_socket_directories')")
		if st := stat(t, socket); st.Mode&0o777 != 0o700 {
			t.Errorf("mode %o", st.Mode)
		}
		if err := e.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(socket); !os.IsNotExist(err) {
			t.Errorf("%s is left behind: %v", socket, err)
		}
	})
}

func TestADataDirectoryTheServersUserCannotReach(t *testing.T) {
	t.Parallel()
	pgtest.Server(t)
	if os.Geteuid() != 0 {
		t.Skip("only root has another user's server")
	}
	dir := t.TempDir() // its parent directory has mode 0700
	o := startOwner(t, dir)
	o.kill()
	e := start(t, postgres.EmbeddedOptions{Dir: dir})
	if !e.Moved() || filepath.Dir(e.Home()) != postgres.SharedDir {
		t.Fatalf("the cluster is in %s", e.Home())
	}
	if e.PID() != o.postgres {
		t.Error("the server left behind there was not adopted")
	}
	query(t, e.URL(), "with x as (select 1) select 'kept'::text into kept")
	if err := e.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}

	again := start(t, postgres.EmbeddedOptions{Dir: dir})
	if again.Home() != e.Home() || query(t, again.URL(), "select text from kept") != "kept" {
		t.Fatalf("another database after the restart: %s", again.Home())
	}
	shared := start(t, postgres.EmbeddedOptions{Dir: dir, Share: true})
	if shared.URL() != again.URL() {
		t.Errorf("shared: %s", shared.URL())
	}

	// A copy of the data directory points to the same cluster, which is in use.
	twin := t.TempDir()
	if err := os.CopyFS(twin, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.StartEmbedded(
		t.Context(), postgres.EmbeddedOptions{Dir: twin},
	); !strings.Contains(fmt.Sprint(err), "in use") {
		t.Errorf("the copy: %v", err)
	}
	if err := again.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}

	// A user who deletes the data directory starts with an empty database.
	if err := os.Remove(filepath.Join(dir, "postgres.path")); err != nil {
		t.Fatal(err)
	}
	fresh := start(t, postgres.EmbeddedOptions{Dir: dir})
	if fresh.Home() == e.Home() {
		t.Error("the old database came back")
	}
	if err := fresh.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(fresh.Home()); err != nil {
		t.Fatal(err)
	}
	_, err := postgres.StartEmbedded(t.Context(), postgres.EmbeddedOptions{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), fresh.Home()) {
		t.Errorf("the database is gone and nobody says so: %v", err)
	}
}

func TestAFailedStartLeavesNothingElsewhere(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root has another user's server")
	}
	homes := func() string {
		list, _ := filepath.Glob(filepath.Join(postgres.SharedDir, "*-*")) // the pattern is well-formed
		return strings.Join(list, " ")
	}
	dir := t.TempDir()
	o := postgres.EmbeddedOptions{Dir: dir, Getenv: env(nil)}
	o.OnlyIn()
	if _, err := postgres.StartEmbedded(t.Context(), o); !errors.Is(err, postgres.ErrNoBinaries) {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(dir))
	if at := fmt.Sprintf("%x-", sum[:6]); strings.Contains(homes(), at) {
		t.Fatalf("%s is left behind in %s", at, homes())
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != "postgres.lock" {
		t.Fatalf("%v %v", left, err)
	}
}
