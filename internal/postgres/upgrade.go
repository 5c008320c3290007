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
	// programsGap is the time between checks of the server's programs. Programs are replaced if they differ from the
	// server's and are equal in two checks, because an upgrade replaces many files one after the other.
	programsGap = 5 * time.Second

	restartTime = time.Minute // limit of the stop and of the start
)

// build lists the files that a server runs: its program, and the library that every session loads from disk. A package
// manager replaces both while the server runs, and then the old program can't load the new library (58P01).
type build []os.FileInfo

// buildOf returns the files of the program at path. It skips missing files, as in the middle of an upgrade.
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

// programOf returns the path that started the running server of dataDir. The server wrote the path to postmaster.opts.
func programOf(dataDir string) string {
	text, err := os.ReadFile(filepath.Join(dataDir, "postmaster.opts")) // /usr/lib/postgresql/15/bin/postgres "-D" …
	if err != nil {
		return ""
	}
	path, _, _ := strings.Cut(strings.TrimSpace(string(text)), ` "`)
	return path
}

// runningBuild returns the build of an adopted server. The kernel knows the program's file even if the file was
// replaced.
func runningBuild(program string, pid int) build {
	b := buildOf(program)
	if info, err := os.Stat(fmt.Sprintf("/proc/%d/exe", pid)); err == nil && len(b) > 0 {
		b[0] = info
	}
	return b
}

// supervise restarts the server when its programs were replaced. It returns when ctx ends or the server ends. The end
// of ctx does not interrupt a restart. The end of restarts does.
func (e *Embedded) supervise(ctx, restarts context.Context) {
	tick := time.NewTicker(cmp.Or(e.options.programsGap, programsGap))
	defer tick.Stop()
	var seen build   // the programs at the last check, if they differ from the server's
	var said string  // the last complaint, so that it is logged once
	var suspect bool // an adopted server can't load its library, and its build at the start is unknown
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
		if err := e.restart(restarts, s, bin); err != nil {
			if restarts.Err() == nil {
				e.options.Log.Error("the database server could not be restarted with its new programs", "error", err)
			}
			e.exit()
			return
		}
		seen, said, suspect = nil, "", false
	}
}

// fitting finds programs of the version that created the cluster.
func (e *Embedded) fitting(ctx context.Context) (binaries, error) {
	h := e.current().home
	major, err := h.major()
	if err != nil {
		return binaries{}, err
	}
	return e.options.finder(h.id).find(ctx, major)
}

// restart stops the server cleanly and starts it again with the same socket. Its clients reconnect automatically. If
// ctx ends, restart leaves no server behind that is not the current one.
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
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("restart the database server: %w", err)
		}
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

// CheckPrograms requests an immediate check of the server's programs. Call it when a session can't load a library.
func (e *Embedded) CheckPrograms() {
	select {
	case e.check <- struct{}{}:
	default:
	}
}
