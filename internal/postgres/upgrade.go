package postgres

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/loop"
)

const (
	// programsGap is how often the programs of the server are looked at. They
	// count as replaced when they looked the same twice: an upgrade replaces many
	// files, one after the other.
	programsGap = 5 * time.Second

	restartTime = time.Minute // for the stop, and for the start
)

// build is the files that a server runs: its program, and the library that every
// session loads from disk. A package manager replaces both under a server that
// runs, and then the old program can't load the new library (58P01).
type build []os.FileInfo

// buildOf finds the files of the program at path. Those that are missing, as in
// the middle of an upgrade, are left out.
func buildOf(path string) build {
	var b build
	add := func(path string) {
		if info, err := os.Stat(path); err == nil {
			b = append(b, info)
		}
	}
	add(path)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	lib := filepath.Join(filepath.Dir(path), "..", "lib")
	for _, name := range []string{"plpgsql.so", "postgresql/plpgsql.so", "plpgsql.dylib", "postgresql/plpgsql.dylib"} {
		add(filepath.Join(lib, name))
	}
	return b
}

func (b build) same(other build) bool {
	return slices.EqualFunc(b, other, func(x, y os.FileInfo) bool {
		return os.SameFile(x, y) && x.Size() == y.Size() && x.ModTime().Equal(y.ModTime())
	})
}

// programOf is the path of the program that a running server of dataDir was
// started as, which it wrote down itself.
func programOf(dataDir string) string {
	text, err := os.ReadFile(filepath.Join(dataDir, "postmaster.opts")) // /usr/lib/postgresql/15/bin/postgres "-D" …
	if err != nil {
		return ""
	}
	path, _, _ := strings.Cut(strings.TrimSpace(string(text)), ` "`)
	return path
}

// runningBuild is the build of a server that was adopted. Of its program the
// kernel knows which file it is, even when that was replaced since.
func runningBuild(program string, pid int) build {
	b := buildOf(program)
	if info, err := os.Stat(fmt.Sprintf("/proc/%d/exe", pid)); err == nil && len(b) > 0 {
		b[0] = info
	}
	return b
}

// supervise restarts the server when its programs were replaced, until ctx is
// over or the server ends by itself.
func (e *Embedded) supervise(ctx context.Context) {
	tick := time.NewTicker(cmp.Or(e.options.programsGap, programsGap))
	defer tick.Stop()
	var seen build   // what the programs looked like the last time, when they were not the server's
	var said string  // the last complaint: it is made once
	var suspect bool // an adopted server, whose library nobody saw it start with, can't load it
	for {
		s := e.current()
		select {
		case <-ctx.Done():
			return
		case <-s.exited:
			e.exit()
			return
		case <-e.check:
			suspect = suspect || !s.ours
		case <-tick.C:
		}
		now := buildOf(s.program)
		if now.same(s.build) && !suspect {
			seen, said = nil, ""
			continue
		}
		if seen == nil || !now.same(seen) {
			seen = now
			continue
		}
		bin, err := e.fitting(ctx)
		if err != nil {
			if text := err.Error(); text != said && ctx.Err() == nil {
				e.options.Log.Warn("PostgreSQL's programs were replaced by a version that cannot run this database;"+
					" the server keeps running, but new sessions may fail until you install the right version", "error",
					err)
				said = text
			}
			continue
		}
		if err := e.restart(context.WithoutCancel(ctx), s, bin); err != nil {
			e.options.Log.Error("the database server could not be restarted with its new programs", "error", err)
			e.exit()
			return
		}
		seen, said, suspect = nil, "", false
	}
}

// fitting finds programs of the version that made the cluster.
func (e *Embedded) fitting(ctx context.Context) (binaries, error) {
	h := e.current().home
	major, err := h.major()
	if err != nil {
		return binaries{}, err
	}
	return e.options.finder(h.id).find(ctx, major)
}

// restart stops the server as an operator would, and starts it again behind the
// same socket. Its clients connect again by themselves.
func (e *Embedded) restart(ctx context.Context, s *server, bin binaries) error {
	began := time.Now()
	e.options.Log.Info("PostgreSQL's programs were replaced; restarting the database server with the new ones",
		"version", bin.version, "programs", bin.dir, "pid", s.pid)
	sctx, cancel := context.WithTimeout(ctx, restartTime)
	defer cancel()
	if err := s.shutDown(sctx); err != nil {
		e.options.Log.Warn("the database server was killed and recovers as it starts", "error", err)
	}
	lctx, cancel := context.WithTimeout(ctx, restartTime)
	defer cancel()
	for {
		next, err := launch(lctx, s.home, bin, filepath.Join(e.dir, logName), s.socketDir, e.options.Volatile)
		if err == nil {
			e.mu.Lock()
			e.server = next
			e.mu.Unlock()
			e.options.Log.Info("database server restarted", "version", bin.version, "pid", next.pid, "took",
				time.Since(began))
			return nil
		}
		if loop.Sleep(lctx, time.Second); lctx.Err() != nil {
			return err
		}
	}
}

// CheckPrograms has the programs of the server looked at now. Call it when a
// session can't load a library.
func (e *Embedded) CheckPrograms() {
	select {
	case e.check <- struct{}{}:
	default:
	}
}
