package postgres

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// sharedDir is where root keeps files that the server's unprivileged user must reach but can't reach in the data
// directory.
const sharedDir = "/var/lib/dialwright"

// These are names in the data directory. The lock and the log are outside the cluster's own directory, because that
// directory belongs to the cluster's user, and a link there could redirect root's writes.
const (
	clusterName = "postgres"      // the cluster's home
	elsewhere   = "postgres.path" // the path of the home, if the home is in sharedDir
	lockName    = "postgres.lock" // flock of the process that owns the server; contains its pid
	logName     = "postgres.log"
)

// dataDirMode lets the server's user pass through to its home but not list the directory. Each file in it has its own
// permissions.
const dataDirMode = 0o711

// home is the directory of a cluster:
//
//	data/  the files from initdb
//	run/   the socket, unless its path is too long
type home struct {
	dir string
	id  identity
	out *os.File // owner lock of a home outside the data directory
}

func (h home) data() string { return filepath.Join(h.dir, "data") }

func (h home) run() string { return filepath.Join(h.dir, "run") }

// exists reports whether the home contains a complete cluster.
func (h home) exists() bool { return isFile(filepath.Join(h.data(), "PG_VERSION")) }

// major returns the version that created the cluster, or 0 if there is no cluster.
func (h home) major() (int, error) {
	text, err := os.ReadFile(filepath.Join(h.data(), "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the database's version: %w", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("the database in %s has no readable PG_VERSION", h.data())
	}
	return n, nil
}

// movedHome returns the home outside dir that dir points to, or "" if the home is inside dir.
func movedHome(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, elsewhere))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find the database of %s: %w", dir, err)
	}
	at := strings.TrimSpace(string(text))
	if !filepath.IsAbs(at) {
		return "", fmt.Errorf("%s does not hold an absolute path", filepath.Join(dir, elsewhere))
	}
	return at, nil
}

// locate finds or creates the home of dir's cluster. The caller has dir's lock.
func locate(ctx context.Context, dir string, log *slog.Logger) (home, error) {
	at, err := movedHome(dir)
	if err != nil {
		return home{}, err
	}
	if at != "" {
		h := home{dir: at}
		if !h.exists() {
			return home{}, fmt.Errorf("the database of %s is no longer in %s: restore it, or delete %s to start "+
				"with an empty one",
				dir, at, filepath.Join(dir, elsewhere))
		}
		if h.id, err = ownerIdentity(h.data()); err != nil {
			return home{}, err
		}
		// A copy of the data directory points to the same cluster.
		if h.out, err = lockFile(at+".lock", at); err != nil {
			return home{}, err
		}
		return h, nil
	}

	h := home{dir: filepath.Join(dir, clusterName)}
	if h.exists() {
		if h.id, err = ownerIdentity(h.data()); err != nil {
			return home{}, err
		}
		if !h.id.reaches(ctx, h.dir) {
			return home{}, fmt.Errorf("user %s owns the database in %s but cannot enter it: check the permissions "+
				"of the parent directories",
				h.id.name, h.dir)
		}
		return h, nil
	}
	h.id = ownIdentity()
	if err := makePrivate(h.dir, h.id); err != nil {
		return home{}, err
	}
	if h.id.reaches(ctx, h.dir) {
		return h, nil
	}
	return locateElsewhere(ctx, dir, h.id, log)
}

// locateElsewhere creates a new home in sharedDir with a random part in its name. A user who deletes the data
// directory to start again must not get the old database, because the key that sealed its secrets is gone.
func locateElsewhere(ctx context.Context, dir string, id identity, log *slog.Logger) (home, error) {
	_ = os.Remove(filepath.Join(dir, clusterName)) // created for the reach test; empty
	sum := sha256.Sum256([]byte(dir))
	prefix := filepath.Join(sharedDir, fmt.Sprintf("%x", sum[:6]))
	earlier, _ := filepath.Glob(prefix + "-*[0-9a-f]") // the pattern is well-formed
	for _, at := range earlier {
		if old := (home{dir: at}); old.exists() {
			log.Warn("found an earlier database of this data directory; delete it if you do not need it", "data", dir,
				"left", at)
		} else {
			old.abandon() // the rest of a start that was killed
		}
	}
	random := make([]byte, 4)
	_, _ = rand.Read(random) // never fails
	h := home{dir: fmt.Sprintf("%s-%x", prefix, random), id: id}
	if err := os.MkdirAll(sharedDir, 0o755); err != nil {
		return home{}, fmt.Errorf("user %s cannot reach %s, and no other place is available: %w", id.name, dir, err)
	}
	if err := makePrivate(h.dir, id); err != nil {
		return home{}, err
	}
	if !id.reaches(ctx, h.dir) {
		return home{}, fmt.Errorf("user %s can reach neither %s nor %s: choose another --data", id.name, dir, h.dir)
	}
	var err error
	if h.out, err = lockFile(h.dir+".lock", h.dir); err != nil {
		return home{}, err
	}
	return h, nil
}

// abandon removes a home in sharedDir that has no complete cluster.
func (h home) abandon() {
	if filepath.Dir(h.dir) == sharedDir && !h.exists() {
		_ = os.RemoveAll(h.dir) // the next start tries again
		_ = os.Remove(h.dir + ".lock")
	}
}

// settle makes dir point to a home outside of it. Call it after the cluster is complete: a pointer to a missing home
// would look like a lost database.
func (h home) settle(dir string) error {
	if h.dir == filepath.Join(dir, clusterName) {
		return nil
	}
	if at, err := movedHome(dir); err != nil || at == h.dir {
		return err
	}
	path := filepath.Join(dir, elsewhere)
	if err := os.WriteFile(path+".new", []byte(h.dir+"\n"), 0o644); err != nil {
		return fmt.Errorf("note where the database is: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("note where the database is: %w", err)
	}
	return nil
}

// makePrivate creates a 0700 directory that belongs to id.
func makePrivate(dir string, id identity) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("make a directory for the database: %w", err)
	}
	return id.own(dir)
}

// reaches reports whether this user can enter dir. It tries to enter, because permission bits do not show access lists
// and mounts.
func (id identity) reaches(ctx context.Context, dir string) bool {
	if !id.drop {
		return true
	}
	return id.command(ctx, dir, "/bin/sh", "-c", ":").Run() == nil
}

// InUseError means that another process owns the data directory's server.
type InUseError struct {
	Dir string
	PID int // 0 if unknown
}

func (e *InUseError) Error() string {
	who := "another dialwright"
	if e.PID != 0 {
		who += fmt.Sprintf(" (process %d)", e.PID)
	}
	return fmt.Sprintf("the data directory %s is in use by %s: stop it, or choose another with --data", e.Dir, who)
}

// lockFile takes the flock on path, which protects dir, and writes this process's pid into the file. The kernel
// releases the lock when this process ends for any reason. The server does not inherit the lock.
func lockFile(path, dir string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open the lock of the data directory: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close() //nolint:errcheck // only read
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		text := make([]byte, 20)
		n, _ := f.ReadAt(text, 0) // the file is shorter than text
		pid, _ := strconv.Atoi(strings.TrimSpace(string(text[:n])))
		return nil, &InUseError{Dir: dir, PID: pid}
	}
	if err := f.Truncate(0); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	if _, err := f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return f, nil
}
