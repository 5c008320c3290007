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

// postmaster is the content of postmaster.pid, which a running server writes.
type postmaster struct {
	pid       int
	socketDir string
}

// readPostmaster reads dataDir's postmaster.pid. ok is false if there is no file, or if the server is still writing
// it. Its lines are pid, data directory, start time, port, socket directory (PostgreSQL, miscadmin.h).
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

// alive reports whether pid is a server of dataDir. A process may have the number of a dead server (after a reboot, in
// a restarted container): then alive returns false. It also returns false for a dead process that was not yet reaped.
func alive(ctx context.Context, pid int, dataDir string) bool {
	if err := syscall.Kill(pid, 0); err != nil && !errors.Is(err, syscall.EPERM) {
		return false
	}
	// A server's working directory is its data directory, even after a rename. A zombie has no working directory.
	if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err == nil {
		return cwd == dataDir
	}
	args, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // empty for a zombie
	if errors.Is(err, os.ErrNotExist) && isFile("/proc/self/cmdline") {
		return false // the process has just ended
	}
	if err != nil { // this system has no /proc
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

// disown replaces the pid of a dead server in postmaster.pid, because a live process may have that number now. It
// writes this process's pid, because PostgreSQL ignores the pid of its own parent. It keeps the other lines: they tell
// the new server whether processes of the old server still use its memory.
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
