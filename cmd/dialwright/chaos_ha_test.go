package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier/sandbox"
)

// chaosHAVar is set by make chaos-ha. These runs need PostgreSQL, Patroni, etcd and HAProxy, and take minutes.
const chaosHAVar = "DIALWRIGHT_CHAOS_HA"

// A cluster of three nodes, set up by the files of deploy/ha, loses its primary three times during a campaign: by a
// switchover, by kill -9 of the machine, and by a machine that freezes.
func TestClusterChaos(t *testing.T) {
	eachChaosHA(t, chaosPlan{
		harms: []func(*chaos){(*chaos).switchPrimary, (*chaos).killPrimary, (*chaos).freezePrimary},
	})
}

// The servers find the primary without a proxy that resets their sessions, and the primary freezes.
func TestClusterChaosWithoutAProxy(t *testing.T) {
	eachChaosHA(t, chaosPlan{noProxy: true, harms: []func(*chaos){(*chaos).freezePrimary}})
}

func eachChaosHA(t *testing.T, plan chaosPlan) {
	if os.Getenv(chaosHAVar) == "" {
		t.Skip("make chaos-ha runs it")
	}
	plan.people = map[string]int{
		"00": 300, "01": 60, "02": 60, "03": 60, "04": 60, "05": 60, "06": 10, "07": 10, "08": 20, "09": 10,
		"10": 120, "11": 120, "12": 4, "13": 40, "27": 16, "64": 4, "65": 4,
	}
	plan.ordinary, plan.perSecond, plan.atOnce = 700, 10, 60
	plan.pause = 5 * time.Second
	plan.singles, plan.callers = 60, 90
	plan.events = []string{"*"}
	plan.cluster = true
	eachChaos(t, plan)
}

// chaosHA is a cluster of three nodes, with one etcd and one HAProxy. No node has a watchdog here: freezePrimary stands
// in for it.
type chaosHA struct {
	c         *chaos
	dir, bin  string
	owner     *syscall.SysProcAttr // of everything; PostgreSQL refuses to be root
	etcd      string               // address
	nodes     []*chaosNode
	failovers []failover
	proxy     string // address of HAProxy
}

// chaosNode is a machine with PostgreSQL and Patroni.
type chaosNode struct {
	name, config, data string
	sql, rest          string // addresses
	process            *exec.Cmd
}

// failover is a change of the primary.
type failover struct {
	harm         string
	at, writable time.Time // when the harm began, and when the new primary had committed something
	reachable    time.Time // when it had committed something at the address that the servers know
}

func newChaosHA(c *chaos) *chaosHA {
	h := &chaosHA{c: c}
	for _, program := range []string{"patroni", "etcd", "haproxy"} {
		if _, err := exec.LookPath(program); err != nil {
			c.t.Fatalf("apt-get install postgresql patroni etcd-server haproxy: %v", err)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // fails only for a malformed pattern
	if len(found) == 0 {
		c.t.Fatal("apt-get install postgresql")
	}
	h.bin = found[len(found)-1]
	base := ""
	if _, err := os.Stat("/dev/shm"); err == nil {
		base = "/dev/shm" // the disk of a busy machine is no part of the question
	}
	var err error
	h.dir, err = os.MkdirTemp(base, "dwha")
	c.must(err)
	c.t.Cleanup(func() { _ = os.RemoveAll(h.dir) })
	if os.Getuid() == 0 {
		who, err := user.Lookup("postgres")
		c.must(err)
		uid, err := strconv.Atoi(who.Uid)
		c.must(err)
		gid, err := strconv.Atoi(who.Gid)
		c.must(err)
		c.must(os.Chown(h.dir, uid, gid))
		h.owner = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}

	h.etcd = freeAddress(c)
	peer := "http://" + freeAddress(c)
	h.run("etcd", "etcd", "--name", "one", "--data-dir", h.dir+"/etcd", "--listen-client-urls", "http://"+h.etcd,
		"--advertise-client-urls", "http://"+h.etcd, "--listen-peer-urls", peer,
		"--initial-advertise-peer-urls", peer, "--initial-cluster", "one="+peer)
	for i := range 3 {
		h.addNode(fmt.Sprintf("db%d", i+1))
		c.await("the node is up", func() bool { return h.members()[h.nodes[i].name] != "" && h.leader() != nil })
	}
	h.awaitWhole()
	h.proxy = freeAddress(c)
	h.startProxy()

	postgres, err := pgx.Connect(c.ctx, "postgres://postgres:CHANGE-ME-1@"+h.leader().sql+"/postgres")
	c.must(err)
	defer postgres.Close(c.ctx)
	for _, sql := range []string{
		`create role dialwright login password 'secret'`, `create database dialwright owner dialwright`,
	} {
		_, err := postgres.Exec(c.ctx, sql)
		c.must(err)
	}
	c.url = "postgres://dialwright:secret@" + h.proxy + "/dialwright"
	inARow := 0 // a proxy that has just started leads to every node, until its checks have failed
	c.await("the proxy has found the primary", func() bool {
		time.Sleep(finishPoll)
		var standby bool
		conn, err := pgx.Connect(c.ctx, c.url)
		if err == nil {
			err = conn.QueryRow(c.ctx, `select pg_is_in_recovery()`).Scan(&standby)
			conn.Close(c.ctx)
		}
		if inARow++; err != nil || standby {
			inARow = 0
		}
		return inARow == 30
	})
	c.open()
	if c.plan.noProxy {
		var hosts []string
		for _, n := range h.nodes {
			hosts = append(hosts, n.sql)
		}
		c.url = "postgres://dialwright:secret@" + strings.Join(hosts, ",") +
			"/dialwright?target_session_attrs=read-write"
	}
	return h
}

func freeAddress(c *chaos) string {
	c.t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	c.must(err)
	defer free.Close()
	return free.Addr().String()
}

// run starts a program that lives as long as the run.
func (h *chaosHA) run(name, program string, args ...string) *exec.Cmd {
	h.c.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.SysProcAttr = h.dir, h.owner
	log, err := os.OpenFile(filepath.Join(h.c.t.ArtifactDir(), name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	h.c.must(err)
	defer func() { _ = log.Close() }() // the program has its own copy
	cmd.Stdout, cmd.Stderr = log, log
	h.c.must(cmd.Start())
	h.c.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd
}

// guide returns a file of deploy/ha in which this machine's values replace those of the guide.
func (h *chaosHA) guide(name string, replace ...string) []byte {
	h.c.t.Helper()
	text, err := os.ReadFile("../../deploy/ha/" + name)
	h.c.must(err)
	for i := 0; i < len(replace); i += 2 {
		if !bytes.Contains(text, []byte(replace[i])) {
			h.c.t.Fatalf("deploy/ha/%s lacks %q", name, replace[i])
		}
		text = bytes.ReplaceAll(text, []byte(replace[i]), []byte(replace[i+1]))
	}
	return text
}

func (h *chaosHA) addNode(name string) {
	h.c.t.Helper()
	n := &chaosNode{
		name: name, config: filepath.Join(h.dir, name+".yml"), data: filepath.Join(h.dir, name),
		sql: freeAddress(h.c), rest: freeAddress(h.c),
	}
	h.c.must(os.WriteFile(n.config, h.guide("patroni.yml",
		"name: db1", "name: "+name,
		"10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379", h.etcd,
		"10.0.0.11:8008", n.rest, "10.0.0.11:5432", n.sql, "10.0.0.0/24", "127.0.0.1/32",
		"/var/lib/postgresql/17/dialwright", n.data, "/usr/lib/postgresql/17/bin", h.bin,
		"/var/lib/postgresql/.pgpass-patroni", n.data+".pgpass",
		"  authentication:", "  parameters: { unix_socket_directories: '"+h.dir+"' }\n  authentication:",
		"mode: required", "mode: 'off'"), 0o644))
	h.nodes = append(h.nodes, n)
	n.process = h.run(name, "patroni", n.config)
	h.c.t.Cleanup(func() { h.signal(n, syscall.SIGKILL) })
}

func (h *chaosHA) startProxy() {
	h.c.t.Helper()
	replace := []string{"127.0.0.1:5000", h.proxy}
	for i, n := range h.nodes {
		_, port, _ := net.SplitHostPort(n.rest)
		replace = append(replace, fmt.Sprintf("10.0.0.1%d:5432 check port 8008", i+1), n.sql+" check port "+port)
	}
	path := filepath.Join(h.dir, "haproxy.cfg")
	h.c.must(os.WriteFile(path, h.guide("haproxy.cfg", replace...), 0o644))
	h.run("haproxy", "haproxy", "-db", "-f", path)
}

// members returns the role of each node that is up, as any Patroni sees it.
func (h *chaosHA) members() map[string]string {
	client := http.Client{Timeout: time.Second}
	roles := map[string]string{}
	for _, n := range h.nodes {
		res, err := client.Get("http://" + n.rest + "/cluster")
		if err != nil {
			continue
		}
		var seen struct {
			Members []struct{ Name, Role, State string }
		}
		err = json.NewDecoder(res.Body).Decode(&seen)
		res.Body.Close()
		if err != nil {
			continue
		}
		for _, m := range seen.Members {
			if m.State == "running" || m.State == "streaming" {
				roles[m.Name] = m.Role
			}
		}
		return roles
	}
	return roles
}

// leader returns the primary, or nil.
func (h *chaosHA) leader() *chaosNode {
	roles := h.members()
	for _, n := range h.nodes {
		if roles[n.name] == "leader" {
			return n
		}
	}
	return nil
}

// awaitWhole waits until all nodes are up, and one of them is the synchronous standby.
func (h *chaosHA) awaitWhole() {
	h.c.t.Helper()
	h.c.await("the cluster is whole", func() bool {
		time.Sleep(finishPoll)
		roles := h.members()
		var all []string
		for _, role := range roles {
			all = append(all, role)
		}
		slices.Sort(all)
		return slices.Equal(all, []string{"leader", "replica", "sync_standby"})
	})
}

// awaitWritable waits until another node than the old primary commits a write, and keeps when.
func (h *chaosHA) awaitWritable(harm string, old *chaosNode, at time.Time) {
	h.c.t.Helper()
	for h.c.ctx.Err() == nil {
		for _, n := range h.nodes {
			if n != old && h.takesWrites(n.sql) {
				f := failover{harm: harm, at: at, writable: time.Now()}
				h.c.await("the proxy has found the new primary", func() bool {
					return h.c.plan.noProxy || h.takesWrites(h.proxy)
				})
				f.reachable = time.Now()
				h.failovers = append(h.failovers, f)
				h.c.t.Logf("%s: %s takes writes after %s, and through the proxy after %s", harm, n.name,
					f.writable.Sub(at).Round(100*time.Millisecond), f.reachable.Sub(at).Round(100*time.Millisecond))
				return
			}
		}
		time.Sleep(finishPoll)
	}
	h.c.t.Fatal("no new primary")
}

// takesWrites reports whether something is committed at an address now.
func (h *chaosHA) takesWrites(address string) bool {
	conn, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return false
	}
	conn.Close()
	c, err := pgx.Connect(h.c.ctx, "postgres://dialwright:secret@"+address+
		"/dialwright?target_session_attrs=read-write&connect_timeout=2")
	if err != nil {
		return false
	}
	defer c.Close(h.c.ctx)
	_, err = c.Exec(h.c.ctx, `update schema_support set oldest = oldest`)
	return err == nil
}

// switchPrimary does what an operator does before maintenance.
func (c *chaos) switchPrimary() {
	h, at := c.cluster, time.Now()
	old := h.leader()
	body := fmt.Sprintf(`{"leader": %q}`, old.name)
	res, err := http.Post("http://"+old.rest+"/switchover", "application/json", strings.NewReader(body))
	c.must(err)
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		c.t.Fatalf("switchover: %s", res.Status)
	}
	h.awaitWritable("switchover", old, at)
	h.awaitWhole()
}

// killPrimary kills everything on the machine of the primary, which starts again once it is replaced.
func (c *chaos) killPrimary() {
	h, at := c.cluster, time.Now()
	old := h.leader()
	h.signal(old, syscall.SIGKILL)
	h.awaitWritable("kill -9", old, at)
	h.restart(old)
}

// chaosFrozen is how long the primary stays frozen after its replacement.
const chaosFrozen = 45 * time.Second

// freezePrimary suspends everything on the machine of the primary: it answers nothing and closes nothing. In the end,
// the machine is reset, as by the watchdog of the guide.
func (c *chaos) freezePrimary() {
	h, at := c.cluster, time.Now()
	old := h.leader()
	h.signal(old, syscall.SIGSTOP)
	h.awaitWritable("freeze", old, at)
	c.pause(chaosFrozen)
	h.signal(old, syscall.SIGKILL)
	h.restart(old)
}

func (h *chaosHA) restart(n *chaosNode) {
	h.c.t.Helper()
	_ = n.process.Wait()
	n.process = h.run(n.name, "patroni", n.config)
	h.awaitWhole()
}

// signal sends a signal to all processes of a node.
func (h *chaosHA) signal(n *chaosNode, s syscall.Signal) {
	roots := []int{n.process.Process.Pid}
	if text, err := os.ReadFile(filepath.Join(n.data, "postmaster.pid")); err == nil {
		first, _, _ := strings.Cut(string(text), "\n")
		if pid, err := strconv.Atoi(first); err == nil && h.owns(pid) {
			roots = append(roots, pid)
		}
	}
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // fails only for a malformed pattern
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		parent, perr := strconv.Atoi(fields[1])
		if err == nil && perr == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	for len(roots) > 0 {
		pid := roots[0]
		roots = append(roots[1:], children[pid]...)
		_ = syscall.Kill(pid, s) // it may have ended
	}
}

// owns reports whether a process is a postmaster of this cluster, and not another one that has got its number.
func (h *chaosHA) owns(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && bytes.Contains(text, []byte(h.dir))
}

const (
	firstDialMost  = 2 * time.Second  // after the new primary takes writes
	frozenDialMost = 40 * time.Second // after the freeze of a primary, without a proxy
)

// checkFailovers checks how soon dialing went on. The longest pause around a failover is the one that it made.
func (c *chaos) checkFailovers(dials []sandbox.Dial) {
	c.t.Helper()
	var at []time.Time
	for _, d := range dials {
		if !d.Inbound {
			at = append(at, d.ReceivedAt)
		}
	}
	slices.SortFunc(at, time.Time.Compare)
	if len(c.cluster.failovers) < len(c.plan.harms) {
		c.t.Errorf("%d failovers", len(c.cluster.failovers))
	}
	for _, f := range c.cluster.failovers {
		var first time.Time
		var longest time.Duration
		for i, t := range at {
			if i > 0 && at[i-1].After(f.at.Add(-time.Second)) && at[i-1].Before(f.reachable) &&
				t.Sub(at[i-1]) > longest {
				first, longest = t, t.Sub(at[i-1])
			}
		}
		if first.IsZero() {
			c.t.Errorf("%s: nobody was left to be dialed", f.harm)
			continue
		}
		after := max(first.Sub(f.reachable), 0)
		c.t.Logf("%s: new primary after %s, behind the proxy after %s; nobody dialed for %s; first dial %s after that",
			f.harm, f.writable.Sub(f.at).Round(100*time.Millisecond),
			f.reachable.Sub(f.at).Round(100*time.Millisecond), longest.Round(100*time.Millisecond),
			after.Round(10*time.Millisecond))
		if !c.plan.noProxy && after > firstDialMost {
			c.t.Errorf("%s: the first dial came %s after the servers could write again", f.harm, after)
		}
		if c.plan.noProxy && first.Sub(f.at) > frozenDialMost {
			c.t.Errorf("%s: the first dial came %s after it", f.harm, first.Sub(f.at))
		}
	}
}
