package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// The servers reach the database through PgBouncer in transaction mode, which gives each transaction any session. It is
// killed too. It runs where PgBouncer is installed.
func TestChaosBehindPgBouncer(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Skip("PgBouncer is not installed")
	}
	eachChaos(t, chaosPlan{
		people: map[string]int{
			"00": 60, "01": 10, "02": 10, "03": 10, "04": 10, "05": 10, "06": 5, "07": 5, "08": 5, "10": 30, "11": 30,
		},
		ordinary:  32,
		perSecond: 30, atOnce: 60,
		lasts:   8 * time.Second,
		pause:   time.Second,
		events:  []string{"*"},
		harms:   []func(*chaos){(*chaos).killOne, (*chaos).killPooler, (*chaos).cutDatabase},
		pooler:  program,
		singles: 16,
		callers: 20,
	})
}

// chaosPooler is PgBouncer between the servers and the database.
type chaosPooler struct {
	c       *chaos
	program string
	config  string // path
	admin   string // URL of its console
	owner   *syscall.SysProcAttr
	process *exec.Cmd
	exited  chan struct{} // closed when the process has exited
}

// newChaosPooler starts PgBouncer and makes the servers use it.
func newChaosPooler(c *chaos) *chaosPooler {
	server, err := pgx.ParseConfig(c.url)
	c.must(err)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	c.must(err)
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	dir, err := os.MkdirTemp("", "dwpool")
	c.must(err)
	c.must(os.Chmod(dir, 0o755)) // PgBouncer refuses to be root
	c.t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p := &chaosPooler{c: c, program: c.plan.pooler, config: filepath.Join(dir, "pgbouncer.ini")}
	if info, err := os.Stat(server.Host); err == nil && os.Getuid() == 0 { // a socket that only its owner may reach
		owner := info.Sys().(*syscall.Stat_t)
		p.owner = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}}
	}
	password := ""
	if server.Password != "" {
		password = " password=" + server.Password
	}
	c.must(os.WriteFile(p.config, fmt.Appendf(nil, `[databases]
%[1]s = host=%[2]s port=%[3]d dbname=%[1]s user=%[4]s%[5]s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %[6]d
unix_socket_dir =
auth_type = any
admin_users = dialwright
pool_mode = transaction
max_client_conn = 500
`, server.Database, server.Host, server.Port, server.User, password, port), 0o644))
	c.url = fmt.Sprintf("postgres://dialwright@127.0.0.1:%d/%s", port, server.Database)
	p.admin = fmt.Sprintf("postgres://dialwright@127.0.0.1:%d/pgbouncer?default_query_exec_mode=simple_protocol", port)
	p.start()
	c.t.Cleanup(p.kill)
	advance := c.advance
	c.advance = func(by time.Duration) {
		advance(by)
		p.console("reconnect") // only new sessions see the new time
	}
	return p
}

func (p *chaosPooler) start() {
	p.process = exec.Command(p.program, "-q", p.config)
	p.process.SysProcAttr = p.owner
	p.process.Stderr = os.Stderr
	p.c.must(p.process.Start())
	cmd, exited := p.process, make(chan struct{})
	p.exited = exited
	go func() {
		_ = cmd.Wait() // usually it was killed
		close(exited)
	}()
	p.console("show version")
}

func (p *chaosPooler) kill() {
	_ = p.process.Process.Kill()
	<-p.exited
}

// console runs a command of PgBouncer, as soon as it answers.
func (p *chaosPooler) console(command string) {
	p.c.t.Helper()
	p.c.await("PgBouncer answers", func() bool {
		select {
		case <-p.exited:
			p.c.t.Fatal("PgBouncer has ended by itself")
		default:
		}
		conn, err := pgx.Connect(p.c.ctx, p.admin)
		if err != nil {
			return false
		}
		defer conn.Close(p.c.ctx)
		_, err = conn.Exec(p.c.ctx, command)
		if err != nil && !strings.Contains(err.Error(), "unsupported") {
			p.c.t.Fatalf("PgBouncer: %s: %v", command, err)
		}
		return true
	})
}

// killPooler cuts all sessions at once. Their transactions are rolled back.
func (c *chaos) killPooler() {
	c.pooler.kill()
	c.pause(300 * time.Millisecond)
	c.pooler.start()
	for _, s := range c.servers {
		s.ready()
	}
}
