package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// postmaster is what a running server writes into postmaster.pid.
type postmaster struct {
	pid       int
	socketDir string
}

// readPostmaster reads dataDir's postmaster.pid; ok is false when there is
// none, or when it is being written. Its lines are pid, data directory, start
// time, port, socket directory (PostgreSQL, miscadmin.h).
func readPostmaster(dataDir string) (p postmaster, ok bool) {
	text, err := os.ReadFile(filepath.Join(dataDir, "postmaster.pid"))
	if err != nil {
		return postmaster{}, false
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) < 5 {
		return postmaster{}, false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(lines[0]))
	if err != nil || pid <= 1 || lines[4] == "" {
		return postmaster{}, false
	}
	return postmaster{pid: pid, socketDir: lines[4]}, true
}

// alive tells whether pid is a server of dataDir. A process that merely has
// the number of one that died (after a reboot, in a restarted container) is
// not, and neither is one that is dead but not yet reaped.
func alive(ctx context.Context, pid int, dataDir string) bool {
	if err := syscall.Kill(pid, 0); err != nil && !errors.Is(err, syscall.EPERM) {
		return false
	}
	// The server works in its data directory, under whatever name that has by
	// now; a zombie works nowhere.
	if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err == nil {
		return cwd == dataDir
	}
	args, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // empty for a zombie
	if errors.Is(err, os.ErrNotExist) && isFile("/proc/self/cmdline") {
		return false // it ended just now
	}
	if err != nil { // no /proc
		qctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if args, err = exec.CommandContext(
			qctx, "ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid),
		).Output(); err != nil {
			return false
		}
	}
	return strings.Contains(string(args), dataDir)
}

// disown makes the postmaster.pid of a dead server harmless to a live process
// that has its number by now: PostgreSQL takes our own pid, its parent's, for
// stale. The rest stays, because by it the new server sees whether processes
// of the old one still use its memory.
func disown(dataDir string) error {
	path := filepath.Join(dataDir, "postmaster.pid")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the old server's lock file: %w", err)
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return fmt.Errorf("rewrite the old server's lock file: %w", err)
	}
	_, werr := fmt.Fprintf(f, "%d\n%s", os.Getpid(), rest)
	if err := errors.Join(werr, f.Close()); err != nil {
		return fmt.Errorf("rewrite the old server's lock file: %w", err)
	}
	return nil
}
