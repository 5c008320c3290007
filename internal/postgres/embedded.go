package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/dialwright/dialwright/internal/loop"
)

// EmbeddedOptions are the options of StartEmbedded.
type EmbeddedOptions struct {
	Dir    string              // data directory; created if missing
	Getenv func(string) string // reads DIALWRIGHT_PGBIN and PATH; nil: os.Getenv
	Log    *slog.Logger        // nil: no log

	// Share uses the server of a live owner instead of failing with an InUseError. It is for commands that run beside
	// a server. Stop then leaves the server running.
	Share bool

	// Volatile is for tests. The server syncs nothing to disk and accepts 300 connections.
	Volatile bool

	system      []string      // tests only: replaces systemDirs
	noNPM       bool          // tests only: skips node_modules
	programsGap time.Duration // tests only: replaces programsGap
	allSteps    bool          // tests only: logs every step of a start, even a short step
}

// finder returns a finder of programs that id can run.
func (o EmbeddedOptions) finder(id identity) finder {
	f := finder{getenv: o.Getenv, system: systemDirs, roots: searchRoots(), id: id}
	if o.system != nil {
		f.system = o.system
	}
	if o.noNPM {
		f.roots = nil
	}
	return f
}

// Embedded is the private PostgreSQL server of this process.
type Embedded struct {
	options EmbeddedOptions
	dir     string // the data directory
	moved   bool
	locks   []*os.File
	shared  bool

	mu     sync.Mutex
	server *server // the current server: supervise replaces it after an upgrade of its programs

	check  chan struct{} // requests a check of the programs
	exited chan struct{}
	exit   func() // closes exited
	cancel context.CancelFunc
	abort  context.CancelFunc // ends a restart at once
	done   chan struct{}      // closed when supervise has returned
}

// StartEmbedded runs PostgreSQL in o.Dir, on a Unix socket only, and returns when its database is ready. ctx limits
// the start, not the server's life.
//
// This process owns the server while the process lives. StartEmbedded takes over a running server whose owner was
// killed. If the owner is alive, it returns an *InUseError. The programs must match the version that created the
// cluster. If there are no programs, it returns ErrNoBinaries. For root, the server runs as an unprivileged user, and
// in /var/lib/dialwright if that user can't reach o.Dir: see Moved.
func StartEmbedded(ctx context.Context, o EmbeddedOptions) (*Embedded, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	dir, err := dataDir(o.Dir)
	if err != nil {
		return nil, err
	}

	for {
		lock, err := lockFile(filepath.Join(dir, lockName), dir)
		if err == nil {
			return own(ctx, o, dir, lock)
		}
		inUse, ok := errors.AsType[*InUseError](err)
		if !ok || !o.Share {
			return nil, err
		}
		if e := share(ctx, dir); e != nil {
			return e, nil
		}
		// The owner is starting or stopping.
		if loop.Sleep(ctx, 100*time.Millisecond); ctx.Err() != nil {
			return nil, fmt.Errorf("%w; its database does not answer", inUse)
		}
	}
}

// own starts or adopts dir's server. The Embedded owns lock from then on.
func own(ctx context.Context, o EmbeddedOptions, dir string, lock *os.File) (_ *Embedded, err error) {
	e := &Embedded{
		options: o,
		dir:     dir,
		locks:   []*os.File{lock},
		check:   make(chan struct{}, 1),
		exited:  make(chan struct{}),
		done:    make(chan struct{}),
	}
	e.exit = sync.OnceFunc(func() { close(e.exited) })
	var h home
	defer func() {
		if err != nil {
			h.abandon()
			e.unlock()
		}
	}()

	if h, err = locate(ctx, dir, o.Log); err != nil {
		return nil, err
	}
	if h.out != nil {
		e.locks = append(e.locks, h.out)
	}
	e.moved = h.dir != filepath.Join(dir, clusterName)

	step := steps{log: o.Log, dir: h.dir, all: o.allSteps}
	defer step.done()
	step.begin(stepAdopt)
	e.server, err = adopt(ctx, h)
	if err != nil {
		return nil, err
	}
	if e.server != nil {
		o.Log.Info("took over the database server of an earlier run", "dir", h.dir, "pid", e.server.pid)
	} else if e.server, err = start(ctx, o, dir, h, &step); err != nil {
		return nil, err
	}
	if err := errors.Join(e.server.ensureDatabase(ctx), h.settle(dir)); err != nil {
		e.server.kill()
		return nil, err
	}
	restarts, abort := context.WithCancel(context.WithoutCancel(ctx))
	sctx, cancel := context.WithCancel(restarts)
	e.cancel, e.abort = cancel, abort
	go func() {
		defer close(e.done)
		e.supervise(sctx, restarts)
	}()
	return e, nil
}

// start finds matching programs, creates the cluster if there is none, and launches the server.
func start(ctx context.Context, o EmbeddedOptions, dir string, h home, step *steps) (*server, error) {
	major, err := h.major()
	if err != nil {
		return nil, err
	}
	bin, err := o.finder(h.id).find(ctx, major)
	if err != nil {
		return nil, err
	}
	if major == 0 {
		step.begin(stepCreate)
		if err := initialize(ctx, h, bin, o.Volatile); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	if stoppedCleanly(h.data()) {
		step.begin(stepStart)
	} else {
		step.begin(stepRecover)
	}
	s, err := launch(ctx, h, bin, filepath.Join(dir, logName), "", o.Volatile)
	if err != nil {
		return nil, err
	}
	o.Log.Info("database server started", "version", bin.version, "programs", bin.dir, "dir", h.dir,
		"user", h.id.name, "pid", s.pid, "took", time.Since(began))
	return s, nil
}

// share returns the server of dir's live owner, or nil if that server does not answer (yet).
func share(ctx context.Context, dir string) *Embedded {
	at, err := movedHome(dir)
	if err != nil {
		return nil
	}
	h := home{dir: at}
	if at == "" {
		h.dir = filepath.Join(dir, clusterName)
	}
	p, ok := readPostmaster(h.data())
	if !ok {
		return nil
	}
	s := &server{home: h, pid: p.pid, socketDir: p.socketDir, exited: make(chan struct{})}
	if s.answers(ctx) != nil {
		return nil
	}
	return &Embedded{server: s, moved: at != "", shared: true}
}

// dataDir creates the data directory and returns its absolute path without symbolic links.
func dataDir(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no data directory given")
	}
	if err := os.MkdirAll(dir, dataDirMode); err != nil {
		return "", fmt.Errorf("make the data directory: %w", err)
	}
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fmt.Errorf("find the data directory: %w", err)
	}
	return abs, nil
}

// URL returns the connection string of the database.
func (e *Embedded) URL() string { return socketURL(e.current().socketDir, dbName) }

// Home returns the directory of the cluster.
func (e *Embedded) Home() string { return e.current().home.dir }

// Moved reports whether the cluster is outside the data directory because the server's user can't reach that
// directory. Then tell people the path from Home.
func (e *Embedded) Moved() bool { return e.moved }

// PID returns the server's process id.
func (e *Embedded) PID() int { return e.current().pid }

func (e *Embedded) current() *server {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.server
}

// Exited returns a channel that is closed when the server has ended, after Stop or unexpectedly. A restart does not
// close it. For a shared server it never closes, because its owner watches that server.
func (e *Embedded) Exited() <-chan struct{} { return e.exited }

// Stop ends the server and releases the data directory. If ctx ends first, Stop kills the server, and the server
// recovers at its next start.
func (e *Embedded) Stop(ctx context.Context) error {
	if e.shared {
		return nil
	}
	defer e.unlock()
	defer e.exit()
	defer e.abort()
	e.cancel()
	select {
	case <-e.done:
	case <-ctx.Done(): // during a restart, which would start a server that nobody stops
		e.abort()
		<-e.done
	}
	return e.current().stop(ctx)
}

func (e *Embedded) unlock() {
	for i := len(e.locks) - 1; i >= 0; i-- {
		// Close alone would leave the lock with a child that another goroutine has forked and that has not yet
		// executed its own program.
		_ = syscall.Flock(int(e.locks[i].Fd()), syscall.LOCK_UN)
		_ = e.locks[i].Close() // releases the lock even if it returns an error
	}
	e.locks = nil
}
