package main

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// process is a started program.
type process struct {
	name string
	cmd  *exec.Cmd
	url  string // address of its server
	own  string // address of its profiles, or ""
	log  string // the file with its stderr
	done chan struct{}
}

func (p *process) pid() int { return p.cmd.Process.Pid }

var listens = regexp.MustCompile(`listens? on (http://\S+)`)

// start starts a program and returns when the program has printed its address. The end of the scope stops the program.
func (l *lab) start(ctx context.Context, name, program string, env []string, args ...string) *process {
	log := must(os.CreateTemp(l.dir, name+"-*.log"))
	defer log.Close() //nolint:errcheck // the program writes to its own copy
	p := &process{name: name, cmd: exec.Command(program, args...), log: log.Name(), done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt reaches only this process
	lines := bufio.NewScanner(must(p.cmd.StdoutPipe()))
	check(p.cmd.Start())
	l.started = append(l.started, p)
	l.cleanup(p.stop)
	found := make(chan string, 1)
	go func() {
		defer close(p.done)
		for lines.Scan() {
			if m := listens.FindStringSubmatch(lines.Text()); m != nil {
				select {
				case found <- m[1]:
				default:
				}
			}
		}
		_ = p.cmd.Wait() // the log shows why it ended
	}()
	select {
	case p.url = <-found:
	case <-p.done:
		failf("start %s: it ended at once", name)
	case <-time.After(time.Minute):
		failf("start %s: it did not say where it listens", name)
	case <-ctx.Done():
		failf("start %s: %w", name, ctx.Err())
	}
	return p
}

// child starts this program as a child process that runs command.
func (l *lab) child(ctx context.Context, name, command string, env ...string) *process {
	return l.start(ctx, name, must(os.Executable()), env, command)
}

// stop ends the program, at the latest after 10 seconds.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // fails if the program has ended
	select {
	case <-p.done:
	case <-time.After(10 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}

// printLogs prints the ends of the logs of the section's programs.
func (l *lab) printLogs() {
	for _, p := range l.started {
		b, err := os.ReadFile(p.log)
		if err == nil && len(b) > 0 {
			progress("the end of the log of %s:\n%s", p.name, strings.TrimSpace(string(b[max(0, len(b)-2000):])))
		}
	}
}

// serve starts the product on a database. It logs at level info, as in production.
func (l *lab) serve(ctx context.Context, s *site, args ...string) *process {
	return l.serveAt(ctx, append(s.environment(), s.env...), args...)
}

// serveAt starts the product with an environment that names its database.
func (l *lab) serveAt(ctx context.Context, env []string, args ...string) *process {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	metrics := listener.Addr().String() // a free port
	check(listener.Close())
	args = append([]string{"serve", "--addr", "127.0.0.1:0", "--metrics-addr", metrics, "--drain", "5s"}, args...)
	if l.profiles != "" {
		args = append(args, "--pprof")
	}
	env = append(env, "DIALWRIGHT_SANDBOX_TOKEN="+sandboxToken, "DIALWRIGHT_WEBHOOK_ALLOW=127.0.0.0/8")
	p := l.start(ctx, "server", l.binary, env, args...)
	if l.profiles != "" {
		p.own = "http://" + metrics
	}
	return p
}

// sandboxToken authenticates servers and sandboxes to each other.
const sandboxToken = "benchmark"

// sandbox starts the sandbox, whose time is divided by speed.
func (l *lab) sandbox(ctx context.Context, speed string) *process {
	return l.start(ctx, "sandbox", l.binary, []string{"DIALWRIGHT_SANDBOX_TOKEN=" + sandboxToken},
		"sandbox", "--addr", "127.0.0.1:0", "--sandbox-speed", speed)
}
