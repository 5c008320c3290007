package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/loop"
)

const (
	// maxSocketPath is how long the path of a Unix socket may be: 103 bytes on
	// macOS, 107 on Linux.
	maxSocketPath = 103
	socketName    = "/.s.PGSQL.5432"

	superuser = "dialwright"
	dbName    = "dialwright"
)

// socketURL is the connection string of a database behind the socket in dir.
func socketURL(dir, db string) string {
	q := url.Values{"host": {dir}, "port": {"5432"}, "user": {superuser}}
	return "postgres:///" + db + "?" + q.Encode()
}

// server is a PostgreSQL process, ours or one that was left behind.
type server struct {
	home      home
	pid       int
	socketDir string
	program   string // the path it was started as
	build     build
	ours      bool
	exited    chan struct{} // closed when the process is gone
}

// initialize makes the cluster when there is none. It is made under another
// name and renamed when whole, so that being killed half way leaves nothing
// that looks like a cluster.
func initialize(ctx context.Context, h home, bin binaries, volatile bool) error {
	leftover, _ := filepath.Glob(h.data() + ".new-*") // the pattern is well-formed
	for _, dir := range leftover {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove what an interrupted start left: %w", err)
		}
	}
	// Order by bytes, which no library update changes; but know what a letter
	// is beyond ASCII, for lower() and full-text search.
	var err error
	for _, ctype := range []string{"C.UTF-8", "en_US.UTF-8", "C"} {
		fresh := h.data() + ".new-" + rand.Text()[:8]
		args := []string{"-D", fresh, "-U", superuser, "--auth=trust", "--encoding=UTF8",
			"--locale=C", "--lc-ctype=" + ctype, "--no-instructions"}
		if volatile {
			args = append(args, "--no-sync")
		}
		var out []byte
		if out, err = h.id.command(ctx, h.dir, bin.path("initdb"), args...).CombinedOutput(); err != nil {
			_ = os.RemoveAll(fresh) // swept at the next start as well
			err = fmt.Errorf("create the database with %s: %w: %s", bin.path("initdb"), err, tail(string(out)))
			if ctx.Err() == nil && strings.Contains(string(out), "invalid locale") {
				continue
			}
			return err
		}
		if err := os.Rename(fresh, h.data()); err != nil {
			return fmt.Errorf("create the database: %w", err)
		}
		return syncDir(h.dir)
	}
	return err
}

// settings of the server, on the command line so that a new release's take
// effect on an old cluster. Everything else is PostgreSQL's default: durable.
func settings(socketDir string, volatile bool) []string {
	set := []string{
		"listen_addresses=", // the socket only
		"port=5432",         // names the socket
		"unix_socket_directories=" + socketDir,
		"unix_socket_permissions=0700",
		"max_connections=100",
		"shared_buffers=128MB",
		"random_page_cost=1.1",
		"jit=off", // compiles longer than our statements run
		"cluster_name=dialwright",
		"logging_collector=off",
		"log_destination=stderr",
		"log_timezone=UTC",
		"timezone=UTC",
	}
	if volatile {
		set = append(set,
			"fsync=off", "synchronous_commit=off", "full_page_writes=off",
			"wal_level=minimal", "max_wal_senders=0", "autovacuum=off",
			"max_connections=300", "shared_buffers=64MB", "max_wal_size=256MB")
	}
	args := make([]string, 0, 2*len(set))
	for _, s := range set {
		args = append(args, "-c", s)
	}
	return args
}

// launch starts the server of h and waits until it takes connections, in the
// directory of an earlier socket if one is given. Its messages go to logPath,
// because a pipe would break with us.
func launch(ctx context.Context, h home, bin binaries, logPath, socketDir string, volatile bool) (*server, error) {
	again := socketDir != ""
	if !again {
		var err error
		if socketDir, err = makeSocketDir(ctx, h); err != nil {
			return nil, err
		}
	}
	args := append([]string{"-D", h.data()}, settings(socketDir, volatile)...)

	// A server killed without its children leaves them for a moment, and they
	// keep the memory that the next one must not share.
	patience := time.Now().Add(30 * time.Second)
	for {
		s, message, err := launchOnce(ctx, h, bin, args, socketDir, logPath)
		if err == nil {
			return s, nil
		}
		if !strings.Contains(message, "pre-existing shared memory block") || time.Now().After(patience) ||
			ctx.Err() != nil {
			if !again {
				removeSocketDir(h, socketDir)
			}
			return nil, err
		}
		loop.Sleep(ctx, 200*time.Millisecond)
	}
}

// launchOnce returns what the server said beside the error.
func launchOnce(
	ctx context.Context, h home, bin binaries, args []string, socketDir, logPath string,
) (*server, string, error) {
	log, err := openLog(logPath)
	if err != nil {
		return nil, "", err
	}
	defer log.Close() //nolint:errcheck // the server writes to its own copy
	from, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, "", fmt.Errorf("open the database's log: %w", err)
	}

	// Not bound to ctx: the server outlives the start.
	program := bin.path("postgres")
	files := buildOf(program) // before the start: what is replaced meanwhile is found
	cmd := h.id.command(context.WithoutCancel(ctx), h.data(), program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return nil, "", fmt.Errorf("start %s: %w", program, err)
	}
	s := &server{
		home:      h,
		pid:       cmd.Process.Pid,
		socketDir: socketDir,
		program:   program,
		build:     files,
		ours:      true,
		exited:    make(chan struct{}),
	}
	go func() {
		_ = cmd.Wait() // what it had to say is in its log
		close(s.exited)
	}()

	if err := s.ready(ctx); err != nil {
		s.kill()
		message := logSince(logPath, from)
		return nil, message, fmt.Errorf("start the database in %s: %w%s (more in %s)", h.dir, err, saying(message),
			logPath)
	}
	return s, "", nil
}

var errExited = errors.New("the server exited immediately")

// ready waits until the server takes connections, which after a crash is when
// it has recovered.
func (s *server) ready(ctx context.Context) error {
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server did not become ready: %w", context.Cause(ctx))
		case <-s.exited:
			return errExited
		case <-time.After(pause):
		}
		if s.answers(ctx) == nil {
			return nil
		}
	}
}

// answers connects and checks that it is this cluster that answers.
func (s *server) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, socketURL(s.socketDir, "postgres"))
	if err != nil {
		return err
	}
	defer closeConn(conn)
	var dir string
	if err := conn.QueryRow(ctx, `select current_setting('data_directory')`).Scan(&dir); err != nil {
		return err
	}
	// The server may have been started under a name the directory no longer
	// has, so compare what the names lead to.
	a, aerr := os.Stat(dir)
	b, berr := os.Stat(s.home.data())
	if dir != s.home.data() && (aerr != nil || berr != nil || !os.SameFile(a, b)) {
		return fmt.Errorf("the socket in %s belongs to another database", s.socketDir)
	}
	return nil
}

// adopt takes over the server that a killed process left behind. Nil without
// an error: there is none (any more).
func adopt(ctx context.Context, h home) (*server, error) {
	p, ok := readPostmaster(h.data())
	if !ok {
		return nil, nil
	}
	s := &server{home: h, pid: p.pid, socketDir: p.socketDir, exited: make(chan struct{})}
	for alive(ctx, p.pid, h.data()) {
		// It may be recovering, or on its way out.
		if s.answers(ctx) == nil {
			s.program = programOf(h.data())
			s.build = runningBuild(s.program, s.pid)
			go s.watch() //nolint:gosec // it watches until the server has exited, longer than ctx
			return s, nil
		}
		if loop.Sleep(ctx, 50*time.Millisecond); ctx.Err() != nil {
			return nil, fmt.Errorf("the database server of an earlier run (process %d) neither answers nor exits: %w",
				p.pid, context.Cause(ctx))
		}
	}
	// The number in the socket's lock may be another process's by now, too.
	_ = os.Remove(filepath.Join(p.socketDir, socketName+".lock"))
	removeSocketDir(h, p.socketDir)
	return nil, disown(h.data())
}

// watch closes exited when a server that is not our child is gone.
func (s *server) watch() {
	for s.running(context.Background()) {
		time.Sleep(100 * time.Millisecond)
	}
	close(s.exited)
}

// running asks whether the server still is. A clean end removes its file before
// the process is gone for good.
func (s *server) running(ctx context.Context) bool {
	p, ok := readPostmaster(s.home.data())
	return ok && p.pid == s.pid && alive(ctx, s.pid, s.home.data())
}

// stop ends the server: open transactions are rolled back, memory is written
// out. When ctx is over it is told to drop everything, and recovers at the
// next start.
func (s *server) stop(ctx context.Context) error {
	defer removeSocketDir(s.home, s.socketDir)
	return s.shutDown(ctx)
}

// shutDown is stop, but leaves the directory of the socket to the next server.
func (s *server) shutDown(ctx context.Context) error {
	if err := s.signal(syscall.SIGINT); err != nil { // "fast shutdown"
		return err
	}
	select {
	case <-s.exited:
		return nil
	case <-ctx.Done():
	}
	if err := s.signal(syscall.SIGQUIT); err != nil { // "immediate shutdown"
		return err
	}
	select {
	case <-s.exited:
	case <-time.After(10 * time.Second):
		return fmt.Errorf("the database server (process %d) does not exit", s.pid)
	}
	return fmt.Errorf("stop the database server: %w. It was killed and will recover at its next start",
		context.Cause(ctx))
}

// kill ends a server that did not get ready.
func (s *server) kill() {
	_ = s.signal(syscall.SIGQUIT) // it is about to end anyway
	select {
	case <-s.exited:
	case <-time.After(10 * time.Second):
	}
}

func (s *server) signal(sig syscall.Signal) error {
	select {
	case <-s.exited:
		return nil
	default:
	}
	if err := syscall.Kill(s.pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("signal the database server (process %d): %w", s.pid, err)
	}
	return nil
}

// ensureDatabase makes our database in the cluster, once.
func (s *server) ensureDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, socketURL(s.socketDir, "postgres"))
	if err != nil {
		return fmt.Errorf("connect to the new server: %w", err)
	}
	defer closeConn(conn)
	var there bool
	err = conn.QueryRow(ctx, `select exists (select from pg_database where datname = $1)`, dbName).Scan(&there)
	if err == nil && !there {
		_, err = conn.Exec(ctx, "create database "+dbName)
	}
	if err != nil {
		return fmt.Errorf("create the database: %w", err)
	}
	return nil
}

// makeSocketDir makes the 0700 directory of the socket: in the home, or, when
// that path is too long for a socket, in the system's temporary directory.
func makeSocketDir(ctx context.Context, h home) (string, error) {
	if run := h.run(); len(run)+len(socketName) <= maxSocketPath {
		return run, makePrivate(run, h.id)
	}
	var tried []string
	for _, tmp := range []string{os.TempDir(), "/tmp"} {
		dir, err := os.MkdirTemp(tmp, "dialwright-")
		if err != nil {
			tried = append(tried, err.Error())
			continue
		}
		if err := h.id.own(dir); err == nil && len(dir)+len(socketName) <= maxSocketPath && h.id.reaches(ctx, dir) {
			return dir, nil
		}
		_ = os.Remove(dir)
		tried = append(tried, dir+" is too long or out of reach")
	}
	return "", fmt.Errorf("find a short directory for the database's socket: %s", strings.Join(tried, "; "))
}

// removeSocketDir removes a socket directory in the temporary directory.
func removeSocketDir(h home, dir string) {
	if dir != h.run() && strings.HasPrefix(filepath.Base(dir), "dialwright-") {
		_ = os.Remove(filepath.Join(dir, socketName))
		_ = os.Remove(filepath.Join(dir, socketName+".lock"))
		_ = os.Remove(dir) // not when something else is in it
	}
}

// openLog opens the server's log to append, and puts a large one aside.
func openLog(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Size() > 8<<20 {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, fmt.Errorf("put the database's log aside: %w", err)
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the database's log: %w", err)
	}
	return f, nil
}

// logSince is what was written to the log after offset from.
func logSince(path string, from int64) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // only read
	text, _ := io.ReadAll(io.NewSectionReader(f, from, 64<<10))
	return string(text)
}

// saying is the first complaint in the server's messages, to be appended to an
// error.
func saying(message string) string {
	for line := range strings.Lines(message) {
		for _, mark := range []string{"FATAL:", "PANIC:", "ERROR:", "error:"} {
			if i := strings.Index(line, mark); i >= 0 {
				return ": " + strings.TrimSpace(line[i:])
			}
		}
	}
	if line := firstLine(message); line != "" {
		return ": " + line
	}
	return ""
}

// tail is the end of a program's output as one line.
func tail(out string) string {
	out = strings.Join(strings.Fields(out), " ")
	if len(out) > 300 {
		out = "…" + out[len(out)-300:]
	}
	return out
}

func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	defer f.Close() //nolint:errcheck // only read
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	return nil
}
