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
	// maxSocketPath is the longest path of a Unix socket: 103 bytes on macOS, 107 on Linux.
	maxSocketPath = 103
	socketName    = "/.s.PGSQL.5432"

	superuser = "dialwright"
	dbName    = "dialwright"
)

// socketURL returns the connection string of a database on the socket in dir.
func socketURL(dir, db string) string {
	q := url.Values{"host": {dir}, "port": {"5432"}, "user": {superuser}}
	return "postgres:///" + db + "?" + q.Encode()
}

// server is a PostgreSQL process that this process started or adopted.
type server struct {
	home      home
	pid       int
	socketDir string
	program   string // the path that started it
	build     build
	ours      bool
	exited    chan struct{} // closed when the process has ended
}

// initialize creates the cluster under a temporary name and renames it when it is complete. So a process that is
// killed during initialize leaves nothing that looks like a cluster.
func initialize(ctx context.Context, h home, bin binaries, volatile bool) error {
	leftover, _ := filepath.Glob(h.data() + ".new-*") // the pattern is well-formed
	for _, dir := range leftover {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove what an interrupted start left: %w", err)
		}
	}
	// Order by bytes, because no library update changes that order. lower() and full-text search also need to classify
	// letters beyond ASCII.
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
			_ = os.RemoveAll(fresh) // the next start also removes it
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

// settings returns the server's settings as command-line arguments, so that the settings of a new release also apply
// to an old cluster. All other settings have PostgreSQL's defaults, which are durable.
func settings(socketDir string, volatile bool) []string {
	set := []string{
		"listen_addresses=", // only the socket
		"port=5432",         // is part of the socket's name
		"unix_socket_directories=" + socketDir,
		"unix_socket_permissions=0700",
		"max_connections=100",
		"shared_buffers=128MB",
		"random_page_cost=1.1",
		"jit=off", // compiling takes longer than the product's statements
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

// launch starts the server of h and waits until it accepts connections. If socketDir is not empty, launch reuses that
// directory of an earlier socket. The server writes its messages to logPath, because a pipe would break when this
// process ends.
func launch(ctx context.Context, h home, bin binaries, logPath, socketDir string, volatile bool) (*server, error) {
	again := socketDir != ""
	if !again {
		var err error
		if socketDir, err = makeSocketDir(ctx, h); err != nil {
			return nil, err
		}
	}
	args := append([]string{"-D", h.data()}, settings(socketDir, volatile)...)

	// The children of a killed server may live for a moment. They keep the shared memory that the next server must not
	// use.
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

// launchOnce also returns the server's messages if it fails.
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

	// The server outlives the start, so the command does not use ctx.
	program := bin.path("postgres")
	files := buildOf(program) // read before the start, so that supervise detects a replacement during the start
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
		_ = cmd.Wait() // the server's messages are in its log
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

// ready waits until the server accepts connections. After a crash this includes the recovery.
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

// answers connects and checks that the server belongs to this cluster.
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
	// The directory may have been renamed after the server started, so compare the files behind the names.
	a, aerr := os.Stat(dir)
	b, berr := os.Stat(s.home.data())
	if dir != s.home.data() && (aerr != nil || berr != nil || !os.SameFile(a, b)) {
		return fmt.Errorf("the socket in %s belongs to another database", s.socketDir)
	}
	return nil
}

// adopt takes over the server that a killed process left running. It returns nil without an error if no server runs.
func adopt(ctx context.Context, h home) (*server, error) {
	p, ok := readPostmaster(h.data())
	if !ok {
		return nil, nil
	}
	s := &server{home: h, pid: p.pid, socketDir: p.socketDir, exited: make(chan struct{})}
	for alive(ctx, p.pid, h.data()) {
		// The server may be recovering or shutting down.
		if s.answers(ctx) == nil {
			s.program = programOf(h.data())
			s.build = runningBuild(s.program, s.pid)
			go s.watch() //nolint:gosec // watches until the server has exited, longer than ctx
			return s, nil
		}
		if loop.Sleep(ctx, 50*time.Millisecond); ctx.Err() != nil {
			return nil, fmt.Errorf("the database server of an earlier run (process %d) neither answers nor exits: %w",
				p.pid, context.Cause(ctx))
		}
	}
	// Another process may now have the pid in the socket's lock file.
	_ = os.Remove(filepath.Join(p.socketDir, socketName+".lock"))
	removeSocketDir(h, p.socketDir)
	return nil, disown(h.data())
}

// watch closes exited when a server that is not a child process has ended.
func (s *server) watch() {
	for s.running(context.Background()) {
		time.Sleep(100 * time.Millisecond)
	}
	close(s.exited)
}

// running reports whether the server still runs. A clean shutdown removes postmaster.pid before the process has ended.
func (s *server) running(ctx context.Context) bool {
	p, ok := readPostmaster(s.home.data())
	return ok && p.pid == s.pid && alive(ctx, s.pid, s.home.data())
}

// stop ends the server: it rolls back open transactions and writes its memory to disk. When ctx ends, the server is
// told to exit immediately, and recovers at its next start.
func (s *server) stop(ctx context.Context) error {
	defer removeSocketDir(s.home, s.socketDir)
	return s.shutDown(ctx)
}

// shutDown is stop, but keeps the socket's directory for the next server.
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

// kill ends a server that did not become ready.
func (s *server) kill() {
	_ = s.signal(syscall.SIGQUIT) // if the signal fails, the server is already ending
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

// ensureDatabase creates the product's database in the cluster if it is missing.
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

// makeSocketDir creates the socket's 0700 directory. It is in the home or, if that path is too long for a socket, in
// the system's temporary directory.
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

// removeSocketDir removes a socket directory that is in the temporary directory.
func removeSocketDir(h home, dir string) {
	if dir != h.run() && strings.HasPrefix(filepath.Base(dir), "dialwright-") {
		_ = os.Remove(filepath.Join(dir, socketName))
		_ = os.Remove(filepath.Join(dir, socketName+".lock"))
		_ = os.Remove(dir) // fails if the directory contains other files
	}
}

// openLog opens the server's log for appending. It first renames a large log.
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

// logSince returns the text in the log after offset from.
func logSince(path string, from int64) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // only read
	text, _ := io.ReadAll(io.NewSectionReader(f, from, 64<<10))
	return string(text)
}

// saying returns the first complaint in the server's messages, for appending to an error.
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

// tail returns the end of a program's output as one line.
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
