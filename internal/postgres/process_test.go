package postgres_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// ownerVar makes the test binary a program that owns the server of a data directory and waits until it is killed.
const ownerVar = "DIALWRIGHT_TEST_OWNER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(ownerVar); dir != "" {
		e, err := postgres.StartEmbedded(context.Background(), postgres.EmbeddedOptions{Dir: dir, Log: slog.Default()})
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println("pid", e.PID())
		select {}
	}
	os.Exit(m.Run())
}

// asEveryUser runs test as the current user. As root, it also runs test as an unprivileged user, in a copy of the test
// binary, because that user can't reach the original.
func asEveryUser(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	pgtest.Server(t) // skips if PostgreSQL is not installed
	parent := t.Name()
	t.Run("as "+map[bool]string{true: "root", false: "a plain user"}[os.Geteuid() == 0], test)
	if os.Geteuid() != 0 {
		return
	}
	t.Run("as a plain user", func(t *testing.T) {
		const nobody = 65534
		dir := publicDir(t)
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		binary := filepath.Join(dir, "again.test")
		if out, err := exec.Command(
			"/bin/sh", "-c", `cp "$1" "$2" && chmod 755 "$2"`, "sh", exe, binary,
		).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		programs, err := postgres.RealBinaries(t.Context()) // root's programs; others can reach them
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
		defer cancel()
		cmd := exec.CommandContext(ctx, binary, "-test.run", "^"+parent+"$", "-test.count=1", "-test.v")
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + dir, "CI=true",
			"DIALWRIGHT_PGBIN=" + programs, "DIALWRIGHT_TEST_DATABASE_URL=given"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: "+parent) {
			t.Fatalf("%v\n%s", err, out)
		}
	})
}

// publicDir returns a temporary directory that every user can pass through, unlike t.TempDir.
func publicDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "dw")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

// start runs dir's server in this process and stops it when the test ends.
func start(t *testing.T, o postgres.EmbeddedOptions) *postgres.Embedded {
	t.Helper()
	e, err := postgres.StartEmbedded(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		if e.Moved() {
			_ = os.RemoveAll(e.Home())
			_ = os.Remove(e.Home() + ".lock")
		}
	})
	return e
}

// owner is another process that owns dir's server.
type owner struct {
	cmd      *exec.Cmd
	postgres int // pid
}

// startOwner starts an owner and waits until its server is ready.
func startOwner(t *testing.T, dir string) owner {
	t.Helper()
	o, said := spawnOwner(t, dir)
	line := <-said
	if _, err := fmt.Sscanf(line, "pid %d", &o.postgres); err != nil {
		t.Fatalf("the owner says %q", line)
	}
	return o
}

// spawnOwner returns the owner immediately. The channel later receives the first line that the owner prints, or "" if
// it ends without a line.
func spawnOwner(t *testing.T, dir string, env ...string) (owner, <-chan string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(append(os.Environ(), ownerVar+"="+dir), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	o := owner{cmd: cmd}
	t.Cleanup(o.kill)
	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n') // a killed owner leaves a partial line
		said <- strings.TrimSpace(line)
	}()
	return o, said
}

// kill ends the owner with kill -9. Its server keeps running.
func (o owner) kill() {
	_ = o.cmd.Process.Kill()
	_ = o.cmd.Wait()
}

// query runs a statement and returns its only value.
func query(t *testing.T, url, sql string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testwait.Limit)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var value string
	if err := conn.QueryRow(ctx, sql).Scan(&value); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}
