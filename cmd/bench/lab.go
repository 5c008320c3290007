package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/demo/history"
	"github.com/dialwright/dialwright/internal/postgres"
)

// lab is what the benchmarks run in: a PostgreSQL server of their own, a
// directory for what they leave behind, and the programs they start. Each
// benchmark makes its databases itself.
type lab struct {
	dir             string
	options         options
	data            string // the directory of the cluster
	keep            bool   // it outlives this program
	kept            *kept  // what is in it already
	cluster         *postgres.Embedded
	postgresVersion string
	masterKey       string
	vault           *account.Vault

	many        *site // the large database, once it is made
	manyHistory history.History
}

func openLab(ctx context.Context, o options) (_ *lab, err error) {
	l := &lab{options: o}
	defer func() {
		if err != nil {
			l.close()
		}
	}()
	if o.profiles != "" {
		if err := os.MkdirAll(o.profiles, 0o755); err != nil {
			return nil, fmt.Errorf("make the directory for profiles: %w", err)
		}
	}
	if l.dir, err = os.MkdirTemp("", "dialwright-bench-"); err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	// Run as root, PostgreSQL is another user, who has to get in.
	if err := os.Chmod(l.dir, 0o755); err != nil {
		return nil, fmt.Errorf("open the directory: %w", err)
	}
	key := make([]byte, 32)
	rand.Read(key)
	l.data = cmp.Or(o.fill, filepath.Join(l.dir, "data"))
	if o.filled != "" {
		k, err := readKept(o.filled)
		if err != nil {
			return nil, err
		}
		if key, err = base64.StdEncoding.DecodeString(k.MasterKey); err != nil {
			return nil, fmt.Errorf("read the master key of %s: %w", o.filled, err)
		}
		l.data, l.keep, l.kept = o.filled, true, &k
	}
	l.masterKey = base64.StdEncoding.EncodeToString(key)
	if l.vault, err = account.NewVault(key); err != nil {
		return nil, err
	}
	if l.cluster, err = postgres.StartEmbedded(ctx, postgres.EmbeddedOptions{Dir: l.data}); err != nil {
		return nil, err
	}
	if o.profiles != "" {
		if err := l.keepStatements(ctx); err != nil {
			return nil, err
		}
	}
	conn, err := pgx.Connect(ctx, l.cluster.URL())
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(ctx)
	var version, fsync, commit string
	err = conn.QueryRow(ctx, `select current_setting('server_version'), current_setting('fsync'), current_setting('synchronous_commit')`).
		Scan(&version, &fsync, &commit)
	if err != nil {
		return nil, fmt.Errorf("ask the server for its settings: %w", err)
	}
	if fsync != "on" || commit != "on" {
		return nil, fmt.Errorf("the database is not durable: fsync %s, synchronous_commit %s", fsync, commit)
	}
	l.postgresVersion = "PostgreSQL " + version + " (fsync and synchronous_commit on)"
	return l, nil
}

func (l *lab) close() {
	if l.many != nil {
		l.many.close(l)
	}
	if l.cluster != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := l.cluster.Stop(ctx); err != nil {
			progress("stop the database: %v", err)
		}
		// Not in l.dir when its user can't reach that.
		if !l.keep {
			if err := os.RemoveAll(l.cluster.Home()); err != nil {
				progress("remove the database: %v", err)
			}
		}
	}
	if l.dir != "" {
		if err := os.RemoveAll(l.dir); err != nil {
			progress("remove %s: %v", l.dir, err)
		}
	}
}

// drop removes the database of a benchmark that is over.
func (l *lab) drop(name string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := l.admin(ctx, "drop database if exists "+name+" with (force)"); err != nil {
		progress("drop the database %s: %v", name, err)
	}
}

func (l *lab) admin(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, l.cluster.URL())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

// findBinary makes sure that the server is there and says how to get it.
func findBinary(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(abs)
	}
	if err != nil {
		return "", fmt.Errorf("%w; 'make build' builds it", err)
	}
	return abs, nil
}

// process is a program that was started.
type process struct {
	name string
	cmd  *exec.Cmd
	url  string // where it listens
	own  string // where it serves profiles, "" without
	log  string // the file with its stderr
	done chan struct{}
}

func (p *process) pid() int { return p.cmd.Process.Pid }

var listens = regexp.MustCompile(`listens? on (http://\S+)`)

// start runs a program until its first output says where it listens.
func (l *lab) start(ctx context.Context, name, program string, env []string, args ...string) (*process, error) {
	p := &process{name: name, cmd: exec.Command(program, args...), done: make(chan struct{})}
	log, err := os.CreateTemp(l.dir, name+"-*.log")
	if err != nil {
		return nil, fmt.Errorf("make a log file: %w", err)
	}
	defer log.Close() //nolint:errcheck // the program writes to its own copy
	p.log = log.Name()
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt is ours to pass on
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	found := make(chan string, 1)
	go func() {
		defer close(p.done)
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			if m := listens.FindStringSubmatch(lines.Text()); m != nil {
				select {
				case found <- m[1]:
				default:
				}
			}
		}
		_ = p.cmd.Wait() // why it ended is in its log
	}()
	timeout := time.NewTimer(time.Minute)
	defer timeout.Stop()
	select {
	case p.url = <-found:
		return p, nil
	case <-p.done:
		err = errors.New("it ended at once")
	case <-timeout.C:
		err = errors.New("it did not say where it listens")
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.stop()
	return nil, fmt.Errorf("start %s: %w: %s", name, err, p.tail())
}

// stop ends the program, at the latest after its drain time.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // fails when it is gone
	select {
	case <-p.done:
	case <-time.After(10 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}

// tail is the end of what the program logged.
func (p *process) tail() string {
	b, err := os.ReadFile(p.log)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b[max(0, len(b)-2000):]))
}

// serve starts the product on a database, as it is run in earnest: its log
// lines at level info go to a file.
func (l *lab) serve(ctx context.Context, s *site, args ...string) (*process, error) {
	metrics, err := freePort()
	if err != nil {
		return nil, err
	}
	args = append([]string{"serve", "--addr", "127.0.0.1:0", "--metrics-addr", metrics, "--drain", "5s"}, args...)
	if l.options.profiles != "" {
		args = append(args, "--pprof")
	}
	env := []string{"DATABASE_URL=" + s.url, "DIALWRIGHT_MASTER_KEY=" + l.masterKey, "DIALWRIGHT_SANDBOX_TOKEN=" + sandboxToken, "DIALWRIGHT_WEBHOOK_ALLOW=127.0.0.0/8"}
	p, err := l.start(ctx, "server", l.options.binary, append(env, s.env...), args...)
	if err == nil && l.options.profiles != "" {
		p.own = "http://" + metrics
	}
	return p, err
}

// sandboxToken is what the sandbox and the servers of a benchmark know each
// other by.
const sandboxToken = "benchmark"

func (l *lab) sandbox(ctx context.Context, speed string) (*process, error) {
	return l.start(ctx, "sandbox", l.options.binary, []string{"DIALWRIGHT_SANDBOX_TOKEN=" + sandboxToken},
		"sandbox", "--addr", "127.0.0.1:0", "--sandbox-speed", speed)
}

func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// profile takes a CPU profile of a process while fn runs, and a list of what
// the database did meanwhile, when profiles are wanted.
func (l *lab) profile(ctx context.Context, p *process, name string, lasts time.Duration, fn func() error) error {
	if l.options.profiles == "" || p.own == "" {
		return fn()
	}
	taken := make(chan error, 1)
	go func() {
		taken <- download(fmt.Sprintf("%s/debug/pprof/profile?seconds=%d", p.own, int(lasts.Seconds())), filepath.Join(l.options.profiles, name+".pprof"))
	}()
	err := fn()
	if failed := <-taken; failed != nil {
		progress("no profile of %s: %v", name, failed)
	}
	if failed := l.writeStatements(ctx, filepath.Join(l.options.profiles, name+".statements.txt")); failed != nil {
		progress("no statements of %s: %v", name, failed)
	}
	return err
}

func download(url, path string) error {
	r, err := http.Get(url)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return errors.New(r.Status)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r.Body)
	return errors.Join(err, f.Close())
}
