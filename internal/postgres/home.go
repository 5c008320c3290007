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

// sharedDir is where root keeps what the server's unprivileged user must reach
// and can't reach in the data directory.
const sharedDir = "/var/lib/dialwright"

// Names in the data directory. The lock and the log are not in the cluster's
// own directory, because that one is its user's, and root must not be led
// elsewhere by a link there.
const (
	clusterName = "postgres"      // the cluster's home
	elsewhere   = "postgres.path" // when the home is in sharedDir: its path
	lockName    = "postgres.lock" // flock of the process that owns the server; its pid
	logName     = "postgres.log"
)

// dataDirMode lets the server's user pass through to its home and see nothing
// else. The files beside it guard themselves.
const dataDirMode = 0o711

// home is the directory of one cluster:
//
//	data/  what initdb made
//	run/   the socket, when its path is not too long
type home struct {
	dir string
	id  identity
	out *os.File // owner lock of a home outside the data directory
}

func (h home) data() string { return filepath.Join(h.dir, "data") }

func (h home) run() string { return filepath.Join(h.dir, "run") }

// exists tells whether there is a finished cluster.
func (h home) exists() bool { return isFile(filepath.Join(h.data(), "PG_VERSION")) }

// major is the version that made the cluster, 0 when there is none.
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

// movedHome is the home outside dir that dir points to, "" when it is within.
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

// locate finds or makes the home of dir's cluster. The caller holds dir's lock.
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

// locateElsewhere makes a new home in sharedDir. Its name has a random part:
// who deletes the data directory to begin anew must not meet the old database,
// whose secrets were sealed with a key that is gone.
func locateElsewhere(ctx context.Context, dir string, id identity, log *slog.Logger) (home, error) {
	_ = os.Remove(filepath.Join(dir, clusterName)) // was made to try; empty
	sum := sha256.Sum256([]byte(dir))
	prefix := filepath.Join(sharedDir, fmt.Sprintf("%x", sum[:6]))
	earlier, _ := filepath.Glob(prefix + "-*[0-9a-f]") // the pattern is well-formed
	for _, at := range earlier {
		if old := (home{dir: at}); old.exists() {
			log.Warn("found an earlier database of this data directory; delete it if you do not need it", "data", dir,
				"left", at)
		} else {
			old.abandon() // a start that was killed half way
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

// abandon removes a home in sharedDir in which no cluster came to be.
func (h home) abandon() {
	if filepath.Dir(h.dir) == sharedDir && !h.exists() {
		_ = os.RemoveAll(h.dir) // tried again at the next start
		_ = os.Remove(h.dir + ".lock")
	}
}

// settle makes dir point to a home outside of it. It is called once the
// cluster is whole: a pointer to nothing would look like a lost database.
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

// makePrivate makes a 0700 directory that belongs to id.
func makePrivate(dir string, id identity) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("make a directory for the database: %w", err)
	}
	return id.own(dir)
}

// reaches tells whether this user can enter dir, by doing it: permission bits
// alone know nothing of access lists and mounts.
func (id identity) reaches(ctx context.Context, dir string) bool {
	if !id.drop {
		return true
	}
	return id.command(ctx, dir, "/bin/sh", "-c", ":").Run() == nil
}

// InUseError says that another process owns the data directory's server.
type InUseError struct {
	Dir string
	PID int // 0 when not known
}

func (e *InUseError) Error() string {
	who := "another dialwright"
	if e.PID != 0 {
		who += fmt.Sprintf(" (process %d)", e.PID)
	}
	return fmt.Sprintf("the data directory %s is in use by %s: stop it, or choose another with --data", e.Dir, who)
}

// lockFile takes the flock on path, which guards dir, and writes our pid into it. The kernel
// frees it when this process ends, however it ends; the server does not
// inherit it.
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
		n, _ := f.ReadAt(text, 0) // less than asked is the rule
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
