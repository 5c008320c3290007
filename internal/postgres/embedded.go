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

// EmbeddedOptions of StartEmbedded.
type EmbeddedOptions struct {
	Dir    string              // data directory; made when missing
	Getenv func(string) string // DIALWRIGHT_PGBIN, PATH; nil: os.Getenv
	Log    *slog.Logger        // nil: nothing is logged

	// Share uses the server of a live owner instead of failing with an
	// InUseError: for commands run beside a server. Stop then leaves it alone.
	Share bool

	// Volatile is for tests: nothing is synced to disk, 300 connections.
	Volatile bool

	system      []string      // instead of systemDirs, in tests
	noNPM       bool          // no look at node_modules, in tests
	programsGap time.Duration // instead of programsGap, in tests
	allSteps    bool          // logs every step of a start, however short, in tests
}

// finder looks for programs that id can run.
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

// Embedded is a private PostgreSQL of this process.
type Embedded struct {
	options EmbeddedOptions
	dir     string // the data directory
	moved   bool
	locks   []*os.File
	shared  bool

	mu     sync.Mutex
	server *server // the present one: it is restarted when its programs were replaced

	check  chan struct{} // asks for a look at the programs
	exited chan struct{}
	exit   func() // closes exited
	cancel context.CancelFunc
	done   chan struct{} // closed when nobody supervises any more
}

// StartEmbedded runs PostgreSQL in o.Dir, on a Unix socket only, and returns
// when its database can be used. ctx bounds the start, not the server's life.
//
// This process owns the server while it lives. A server whose owner was killed
// is taken over as it is. A live owner is an *InUseError. Programs must match
// the version that made the cluster; none at all is ErrNoBinaries. As root the
// server runs as an unprivileged user, and in /var/lib/dialwright when that
// user can't reach o.Dir: see Moved.
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

// own starts or adopts dir's server. It takes over lock.
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
	sctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	e.cancel = cancel
	go func() {
		defer close(e.done)
		e.supervise(sctx)
	}()
	return e, nil
}

// start finds programs that fit, makes the cluster if need be, and launches.
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

// share is the server of dir's live owner, nil when it does not answer (yet).
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

// dataDir makes the data directory and names it by its one true path.
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

// URL is the connection string of the database.
func (e *Embedded) URL() string { return socketURL(e.current().socketDir, dbName) }

// Home is the directory of the cluster.
func (e *Embedded) Home() string { return e.current().home.dir }

// Moved tells that the cluster is not in the data directory, because the
// server's user can't reach it there. People should be told Home then.
func (e *Embedded) Moved() bool { return e.moved }

// PID is the server's process.
func (e *Embedded) PID() int { return e.current().pid }

func (e *Embedded) current() *server {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.server
}

// Exited is closed when the server is gone, by Stop or by accident, and not
// while it is restarted. It is not for a shared server, whose owner sees to it.
func (e *Embedded) Exited() <-chan struct{} { return e.exited }

// Stop ends the server and gives the data directory free. When ctx is over
// first, the server is cut off, and recovers at its next start.
func (e *Embedded) Stop(ctx context.Context) error {
	if e.shared {
		return nil
	}
	defer e.unlock()
	defer e.exit()
	e.cancel()
	select {
	case <-e.done:
	case <-ctx.Done(): // in the middle of a restart
	}
	return e.current().stop(ctx)
}

func (e *Embedded) unlock() {
	for i := len(e.locks) - 1; i >= 0; i-- {
		// Closing alone would leave the lock to a child that another goroutine has
		// forked and that has not run its own program yet.
		_ = syscall.Flock(int(e.locks[i].Fd()), syscall.LOCK_UN)
		_ = e.locks[i].Close() // frees the lock whatever it says
	}
	e.locks = nil
}
