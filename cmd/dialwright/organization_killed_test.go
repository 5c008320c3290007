package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/testwait"
)

// killer moves an organization by commands that it kills with kill -9.
type killer struct {
	*cellular
	id     uuid.UUID
	random *rand.Rand
	long   time.Duration // for which commands are killed at least
	in     int           // the cell of the organization
	kills  atomic.Int64  // that hit a command
}

// newKiller takes its seed from the environment, as the chaos tests do, and prints it.
func newKiller(c *cellular, id uuid.UUID) *killer {
	c.t.Helper()
	seed, long := chaosSettings(c.t)
	c.t.Logf("again: %s=%d", chaosSeedVar, seed)
	return &killer{cellular: c, id: id, random: newRandom(seed), long: long, in: 1}
}

// killMoments are what a command is doing when it is killed, or a little later: nothing yet, waiting for calls, waiting
// for requests, bringing rows over, making them the other cell's, or tidying up.
var killMoments = []string{"", "stopping", "closed", "has left", "were copied", "has arrived"}

// killLater is the most that a kill comes after its moment, which is about as long as a step takes.
const killLater = 150 * time.Millisecond

// way is a command that moves the organization.
type way struct {
	args []string
	done []string // what the command may say, if it ends by itself and fails
}

func (k *killer) onward() way {
	to := fmt.Sprint(3 - k.in)
	return way{[]string{"--to", to, "--wait", testwait.Limit.String()}, []string{
		"in cell " + to + " already", // the killed command had arrived
		"is on its way back",
		"Another command moves this organization",
	}}
}

func (k *killer) back() way {
	return way{[]string{"--back"}, []string{
		"had arrived in cell",
		"no move of it is unfinished",         // the killed command had not begun, or was done
		"Move of this organization not found", // another one has just ended it
		"Another command moves this organization",
	}}
}

// rounds kills commands until at least n kills have hit, once at least at each moment, and for at least so long. In
// between, the organization is in one cell at most. Then it ends the last move.
func (k *killer) rounds(n int64) {
	k.t.Helper()
	for began := time.Now(); k.kills.Load() < n || time.Since(began) < k.long; {
		for _, i := range k.random.Perm(len(killMoments)) {
			var running sync.WaitGroup
			for range 1 + k.random.IntN(4)/3 { // sometimes somebody else runs a command at the same time
				w, later := k.onward(), k.later()
				if k.moving() && k.random.IntN(4) == 0 {
					w = k.back()
				}
				running.Go(func() { k.run(w, killMoments[i], later, nil) })
			}
			running.Wait()
			k.look()
			if k.t.Failed() {
				return
			}
		}
	}
	k.end()
}

// end ends the move that is on, forward or back.
func (k *killer) end() {
	k.t.Helper()
	w := k.onward()
	if k.random.IntN(2) == 0 {
		w = k.back()
	}
	for k.moving() {
		k.run(w, "never", 0, nil)
		w = k.back() // if it was on its way back
	}
	k.look()
	k.t.Logf("%d commands were killed; the organization is in cell %d", k.kills.Load(), k.in)
}

// moving reports whether a move is on.
func (k *killer) moving() bool {
	k.t.Helper()
	n := 0
	for in := range k.cells {
		n += k.count(in+1, `select count(*) from organization_move`)
	}
	return n > 0
}

// look sees where the organization is. It is nowhere while its rows are on their way.
func (k *killer) look() {
	k.t.Helper()
	var at []int
	for in := range k.cells {
		if k.count(in+1, `select count(*) from organization where id = $1`, k.id) > 0 {
			at = append(at, in+1)
		}
	}
	switch moving := k.moving(); {
	case len(at) > 1, len(at) == 0 && !moving:
		k.t.Errorf("the organization is in the cells %v, on its way: %t", at, moving)
	case !moving:
		k.in = at[0]
	}
}

// later draws how much later than its moment a kill comes.
func (k *killer) later() time.Duration { return time.Duration(k.random.Int64N(int64(killLater))) }

// run runs a command. A little after a moment, unless it ends before, strike is called; nil kills the command.
func (k *killer) run(w way, moment string, after time.Duration, strike func()) {
	k.t.Helper()
	var env []string
	for name, value := range k.env() {
		env = append(env, name+"="+value)
	}
	cmd := product(k.t, env...)
	cmd.Args = append(append(cmd.Args, "organization", "move", k.id.String()), w.args...)
	out, err := cmd.StdoutPipe()
	k.must(err)
	var failed strings.Builder
	cmd.Stderr = &failed
	k.must(cmd.Start())
	lines := make(chan string)
	go func() {
		defer close(lines)
		for read := bufio.NewScanner(out); read.Scan(); {
			lines <- read.Text()
		}
	}()
	later := time.NewTimer(after)
	defer later.Stop()
	if moment != "" {
		later.Stop()
	}
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for ended, came := false, moment == ""; !ended; {
		now := came
		select {
		case line, ok := <-lines:
			ended = !ok
			now = now || ok && moment != "" && strings.Contains(line, moment)
		case <-poll.C:
			now = now || k.count(k.in, `select count(*) from organization_move where stage = $1`, moment) > 0
		case <-later.C:
			if strike == nil {
				k.must(cmd.Process.Kill())
			} else {
				strike()
			}
		}
		if now && !came {
			came = true
			later.Reset(after)
		}
	}
	err = cmd.Wait()
	switch status := cmd.ProcessState; {
	case err == nil:
	case !status.Exited():
		k.kills.Add(1)
	default:
		for _, text := range w.done {
			if strings.Contains(failed.String(), text) {
				return
			}
		}
		k.t.Errorf("%v: %v: %s", w.args, status, failed.String())
	}
}

func (k *killer) must(err error) {
	k.t.Helper()
	if err != nil {
		k.t.Fatal(err)
	}
}

// Commands are killed with kill -9 at any moment of several moves there and back, while the campaign of the
// organization runs. Nobody is dialed twice, every event is delivered once, and the other organization does not notice.
func TestChaosOfMoves(t *testing.T) {
	t.Parallel()
	m := newMover(t, 40)
	m.await("calls", func() bool { return m.dials() >= 5 })
	k := newKiller(m.cellular, m.id())
	k.rounds(8)
	m.finish(k.in)
}

// A server is killed with kill -9 while an organization moves that it serves, once on the way there and once on the way
// back. Another server works on. Nobody is dialed twice, and no event is lost. Only deliveries that were under way when
// the server was killed may come twice. The organization arrives.
func TestAServerIsKilledDuringAMove(t *testing.T) {
	t.Parallel()
	m := newMover(t, 60)
	k := newKiller(m.cellular, m.id())
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
	defer cancel()
	c := &chaos{
		t: t, ctx: ctx, cells: m.directory.URL, token: m.s.sandboxToken, sandboxURL: m.s.sandboxURL,
		random: k.random, struck: map[string]bool{},
	}
	victim := newChaosServer(c, 0)
	c.servers = []*chaosServer{victim}
	c.network = newChaosNetwork(c, k.random.Uint64())
	c.network.servers = append(c.network.servers, strings.TrimPrefix(m.s.localURL, "http://"))
	twice := map[string]bool{}
	for i := range 2 {
		victim.start()
		m.await("calls of both servers", func() bool {
			return m.count(k.in, `select count(distinct instance_id) from call where campaign_id = $1
				and ended_at is null`, m.campaign) == 2 ||
				m.count(k.in, `select count(*) from campaign where id = $1 and ended_at is not null`, m.campaign) == 1
		})
		alive := true
		// Until the rows have left, the server may be at something of the organization.
		moment := killMoments[k.random.IntN(len(killMoments)/2)]
		if i == 1 {
			moment = killMoments[k.random.IntN(len(killMoments))]
		}
		k.run(k.onward(), moment, k.later(), func() {
			victim.kill()
			alive = false
			for _, id := range m.leased() {
				twice[id] = true
			}
		})
		if alive { // the command was faster
			victim.kill()
			for _, id := range m.leased() {
				twice[id] = true
			}
		}
		t.Logf("killed at %q with %d deliveries under way", moment, len(twice))
		k.look()
	}
	m.awaitEnd(k.in)
	for _, one := range m.campaigns(k.in) {
		if n := m.count(one.cell, `select count(*) from (select from call where campaign_id = $1
			and asked_at is not null group by recipient_id having count(*) > 1) r`, one.campaign); n > 0 {
			t.Errorf("%d recipients were called twice", n)
		}
		if n := m.count(one.cell, `select completed + failed from campaign where id = $1`, one.campaign); n !=
			m.recipients {
			t.Errorf("%d of %d recipients have an outcome", n, m.recipients)
		}
	}
	dialed := map[string]int{}
	for _, d := range m.s.sandbox.network.Dials() {
		if dialed[d.To]++; dialed[d.To] > 2 { // once by each organization
			t.Errorf("%s was dialed %d times", d.To, dialed[d.To])
		}
	}
	m.checkEvents(k.in, twice)
	m.checkNothingIsLeft(k.in)
}

// leased are the events whose deliveries are under way.
func (m *mover) leased() (events []string) {
	m.t.Helper()
	for _, db := range m.cells {
		ids, err := postgres.Collect(m.t.Context(), db.Pool, pgx.RowTo[string], `
			select event_id::text from delivery where id in (
				select delivery_id from delivery_due where state = 'leased')`)
		if err != nil {
			m.t.Fatal(err)
		}
		events = append(events, ids...)
	}
	return events
}
