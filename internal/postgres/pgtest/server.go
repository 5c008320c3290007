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

// reaper waits until the other end of its standard input closes, then ends the server ($1) immediately and removes its
// directories. It works even if the test process exits, panics or is killed.
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
	if err := os.Chmod(dir, 0o711); err != nil { // if this is root, the server's user must pass through dir
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
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // survives Ctrl-C
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("tie the test server to this process: %w", err)
	}
	_ = r.Close() // the child has its own copy
	server.lifeline = w
	return e.URL(), nil
}

// inMemory returns the path of an in-memory file system with enough space for a run, or "". A test's database has
// about nine hundred files that exist only for a moment. On disk, creating and removing them takes longer than the
// test itself.
func inMemory() string {
	const shm, room = "/dev/shm", 4 << 30
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(shm, &fs) != nil ||
		uint64(fs.Bavail)*uint64(fs.Bsize) < room { //nolint:unconvert // the field types differ between systems
		return ""
	}
	return shm
}
