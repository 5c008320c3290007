package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"github.com/dialwright/dialwright/internal/postgres"
)

func isMissing(err error) bool { return errors.Is(err, postgres.ErrNoBinaries) }

// reaper waits for the other end of its standard input to close, then ends the
// server ($1) at once and removes its directories. It needs no cooperation of
// the test process, which may exit, panic or be killed.
const reaper = `
read -r nothing
kill -QUIT "$1" 2>/dev/null
n=0
while kill -0 "$1" 2>/dev/null && [ $n -lt 100 ]; do sleep 0.1; n=$((n+1)); done
shift
rm -rf "$@"
`

// startServer starts this test process's private server.
func startServer() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	dir, err := os.MkdirTemp(inMemory(), "dialwright-test-")
	if err != nil {
		return "", fmt.Errorf("make a directory for the test server: %w", err)
	}
	if err := os.Chmod(dir, 0o711); err != nil { // as root, the server's user passes through
		return "", fmt.Errorf("make a directory for the test server: %w", err)
	}
	e, err := postgres.StartEmbedded(ctx, postgres.EmbeddedOptions{Dir: dir, Volatile: true})
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", fmt.Errorf("start the test server: %w", err)
	}

	r, w, err := os.Pipe()
	if err != nil {
		return "", fmt.Errorf("tie the test server to this process: %w", err)
	}
	cmd := exec.Command("/bin/sh", "-c", reaper, "reaper", strconv.Itoa(e.PID()), dir, e.Home(), e.Home()+".lock")
	cmd.Stdin = r
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // outlives a Ctrl-C
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("tie the test server to this process: %w", err)
	}
	_ = r.Close() // the child has its own
	server.lifeline = w
	return e.URL(), nil
}

// inMemory is a file system in memory with room for a run, "" where there is
// none. A test's database is some nine hundred files that are gone a moment later:
// on a disk's file system that takes longer than what the test does with them.
func inMemory() string {
	const shm, room = "/dev/shm", 4 << 30
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(shm, &fs) != nil ||
		uint64(fs.Bavail)*uint64(fs.Bsize) < room { //nolint:unconvert // other systems have other types
		return ""
	}
	return shm
}
