package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// These variables set the seed of a run, and how long to repeat runs, each with the next seed. See make chaos.
const (
	chaosSeedVar = "DIALWRIGHT_CHAOS_SEED"
	chaosForVar  = "DIALWRIGHT_CHAOS_FOR"
)

const (
	chaosMaxAttempts = 2
	chaosPatience    = time.Hour // limit of a run; only a broken run reaches it
	finishPoll       = 100 * time.Millisecond
)

// Two servers run a campaign and are killed repeatedly with kill -9, at random moments and at the worst moments. Their
// connections to the network and to the database break, and the database restarts too. The network loses, repeats and
// delays callbacks. A language model holds some of the calls. Beside the campaign, an integrator requests and cancels
// calls of their own, and people call: recipients who were not reached yet, and strangers. The sandbox is a separate
// process and the witness: it records every dial request and every word. A receiver of webhooks records every event.
func TestChaosOfProcesses(t *testing.T) {
	t.Parallel()
	eachChaos(t, chaosPlan{
		people: map[string]int{
			"00": 60, "01": 60, "02": 60, "03": 60, "04": 60, "05": 60, "06": 20, "07": 20, "08": 40, "09": 20,
			"10": 120, "11": 120, "12": 8, "13": 40, "27": 40, "64": 10, "65": 10,
		},
		ordinary:  96,
		perSecond: 50, atOnce: 120,
		lasts:  20 * time.Second,
		pause:  1200 * time.Millisecond,
		events: []string{"*"},
		harms: []func(*chaos){(*chaos).killOne, (*chaos).killWhileDialing, (*chaos).killWhileTalking,
			(*chaos).killWhileTransferring, (*chaos).killAll, (*chaos).drainOne, (*chaos).freezeOne,
			(*chaos).cutDatabase, (*chaos).cutNetwork, (*chaos).restartDatabase},
		ownDatabase: true,
		held:        1,
		handed:      5,
		adverse:     true,
		singles:     64,
		callers:     90,
	})
}

// The database restarts repeatedly under two servers, by clean shutdowns and by crashes. The servers recover without
// help.
func TestChaosOfTheDatabase(t *testing.T) {
	t.Parallel()
	eachChaos(t, chaosPlan{
		people: map[string]int{
			"00": 60, "01": 20, "02": 20, "03": 20, "04": 20, "05": 20, "06": 10, "07": 10, "08": 10, "09": 5,
			"10": 30, "11": 30, "12": 2, "13": 15, "27": 16, "64": 4, "65": 4,
		},
		ordinary:  64,
		perSecond: 30, atOnce: 80,
		lasts: 12 * time.Second,
		pause: 2 * time.Second,
		// Intermediate events are missing: the product commits them without waiting for the disk if no webhook
		// receives them, so a crash of the database loses some of them.
		events: []string{
			"call.completed", "recipient.completed", "recipient.failed", "campaign.started", "campaign.completed",
		},
		harms:       []func(*chaos){(*chaos).restartDatabase, (*chaos).crashDatabase, (*chaos).cutDatabase},
		ownDatabase: true,
		singles:     32,
		callers:     50,
	})
}

// chaosPlan is the plan of a run.
type chaosPlan struct {
	people            map[string]int // number of recipients by reserved outcome (README.md)
	ordinary          int            // number of recipients with other numbers
	perSecond, atOnce int
	lasts             time.Duration  // duration of the harm
	pause             time.Duration  // average time between two harms
	events            []string       // the events of the webhook
	harms             []func(*chaos) // each harm runs once before any harm runs again
	ownDatabase       bool           // the run has its own database server, which it may restart
	previous          string         // the program of the version before, with which the run begins; "": this one
	cluster           bool           // the database is a cluster of three nodes: see chaosHA
	noProxy           bool           // the servers find the primary of the cluster themselves
	pooler            string         // PgBouncer's program, through which the servers reach the database; "": none
	adverse           bool           // the network loses, repeats and delays
	// minimum number of dial requests that a killed server had sent, and of lines that another server took over
	held, handed int
	// number of calls of their own, and of people who call, beside the campaign
	singles, callers int
}

func (p chaosPlan) total() int {
	n := p.ordinary
	for _, count := range p.people {
		n += count
	}
	return n
}

// eachChaos makes a run, or as many runs as fit into the requested time.
func eachChaos(t *testing.T, plan chaosPlan) {
	if testing.Short() {
		t.Skip("takes about a minute")
	}
	seed, long := chaosSettings(t)
	for began, first := time.Now(), true; first ||
		time.Since(began) < long && !t.Failed(); seed, first = seed+1, false {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Logf("again: %s=%d", chaosSeedVar, seed)
			newChaos(t, plan, seed).run()
		})
	}
}

// chaosSettings returns the seed of a run, and for how long runs are repeated at least. By default the seed is new, and
// nothing is repeated.
func chaosSettings(t *testing.T) (seed uint64, long time.Duration) {
	t.Helper()
	seed = uint64(time.Now().UnixNano())
	var err error
	if text := os.Getenv(chaosSeedVar); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s: %v", chaosSeedVar, err)
		}
	}
	if text := os.Getenv(chaosForVar); text != "" {
		if long, err = time.ParseDuration(text); err != nil {
			t.Fatalf("%s: %v", chaosForVar, err)
		}
	}
	return seed, long
}

func (c *chaos) run() {
	c.startAll()
	c.createWebhook()
	c.createCampaign()
	wait := c.startTraffic()
	c.harm()
	wait()
	c.finish()

	dials, calls, recipients := c.dials(), c.calls(), c.recipients()
	c.checkDials(dials, calls)
	c.checkSingles(dials, calls)
	c.checkCallers(dials, calls)
	c.checkTransfers(dials, calls)
	c.checkWords(dials, calls)
	c.checkModel(dials, calls)
	c.checkCounters(calls, recipients)
	c.checkEvents(calls, recipients)
	c.checkMoments(dials)
	if c.cluster != nil {
		c.checkFailovers(dials)
	}
	if c.upgraded {
		c.checkNoLineDropped(calls)
	}
	c.checkNothingIsLeft()
}

// harm runs harms for a while, or until few recipients are left.
func (c *chaos) harm() {
	c.await("the first calls", func() bool { return c.state().Dials >= 20 })
	if c.plan.adverse {
		c.network.adverse.Store(true)
		defer c.network.adverse.Store(false)
	}
	until := time.Now().Add(c.plan.lasts)
	done := 0
	for ; time.Now().Before(until) || done < len(c.plan.harms); done++ {
		if done >= len(c.plan.harms) && c.waiting() < c.plan.total()/20 {
			break
		}
		if done%len(c.plan.harms) == 0 {
			c.random.Shuffle(len(c.plan.harms), func(i, j int) {
				c.plan.harms[i], c.plan.harms[j] = c.plan.harms[j], c.plan.harms[i]
			})
		}
		began := time.Now()
		c.struck, c.cutLines = map[string]bool{}, false
		do := c.plan.harms[done%len(c.plan.harms)]
		do(c)
		c.harms = append(c.harms, harm{
			name:    nameOf(do),
			from:    began,
			to:      time.Now(),
			stopped: c.struck,
			lines:   c.cutLines,
		})
		c.pause(c.plan.pause)
	}
	c.t.Logf("harm was done %d times within %s; %d dials so far, %d recipients wait", done,
		time.Since(until.Add(-c.plan.lasts)).Round(time.Second), c.state().Dials, c.waiting())
}

// harm records a harm to the servers and its time.
type harm struct {
	name     string
	from, to time.Time
	stopped  map[string]bool // addresses of the servers that were killed or told to stop
	lines    bool            // connections of lines were cut
}

// nameOf returns the name of a harm's method.
func nameOf(do func(*chaos)) string {
	name := runtime.FuncForPC(reflect.ValueOf(do).Pointer()).Name()
	return name[strings.LastIndexByte(name, '.')+1:]
}

// disturbed reports whether a harm ran in a span of time.
func (c *chaos) disturbed(from, to time.Time) bool {
	for _, h := range c.harms {
		if h.from.Before(to) && h.to.After(from) {
			return true
		}
	}
	return false
}

// silenced reports whether a harm in a span of time may have lost spoken words: one of these servers was stopped, or
// the connections of lines were cut. An unavailable database and a suspended server lose no words.
func (c *chaos) silenced(servers map[string]bool, from, to time.Time) bool {
	for _, h := range c.harms {
		if !h.from.Before(to) || !h.to.After(from) {
			continue
		}
		if h.lines {
			return true
		}
		for address := range h.stopped {
			if servers[address] {
				return true
			}
		}
	}
	return false
}

// pause waits between 0.5 and 1.5 times mean.
func (c *chaos) pause(mean time.Duration) {
	select {
	case <-time.After(mean/2 + time.Duration(c.random.Int64N(int64(mean)))):
	case <-c.ctx.Done():
	}
}

func (c *chaos) any() *chaosServer { return c.servers[c.random.IntN(len(c.servers))] }

// killOne kills a server at a random moment. The other server continues.
func (c *chaos) killOne() {
	s := c.any()
	s.kill()
	c.pause(200 * time.Millisecond)
	s.start()
}

// killWhileDialing kills the servers while the sandbox delays its answers. The sandbox has recorded the requests and
// the calls continue, but no server ever receives the answers. The test does not know which server sent the requests,
// so it kills both.
func (c *chaos) killWhileDialing() {
	c.delayAnswers(8 * time.Second) // less than the servers' timeout of 10 s
	c.await("dial requests are held", func() bool { return c.state().Unanswered >= 6 || c.waiting() == 0 })
	for _, s := range c.servers {
		s.kill()
	}
	c.delayAnswers(0)
	c.startAll()
}

// killWhileTalking kills a server while lines are open. About half of the lines are on that server.
func (c *chaos) killWhileTalking() {
	c.await("lines are open", func() bool { return c.state().Lines >= 6 || c.waiting() == 0 })
	s := c.any()
	s.kill()
	c.pause(100 * time.Millisecond)
	s.start()
}

// killWhileTransferring kills the servers while people at destinations are dialed or hear who is calling.
func (c *chaos) killWhileTransferring() {
	var open int
	c.await("calls are transferred", func() bool {
		c.row(`select count(*) from call_transfer where state in ('ringing', 'whisper')`, nil, &open)
		return open > 0 || c.waiting() == 0
	})
	c.t.Logf("%d transfers are under way when the servers are killed", open)
	c.killAll()
}

// killAll kills all servers, so that none runs for a moment.
func (c *chaos) killAll() {
	for _, s := range c.servers {
		s.kill()
	}
	c.pause(300 * time.Millisecond)
	c.startAll()
}

// drainOne simulates a deployment: it tells a server to stop, the server releases its lines between two turns, and
// starts again.
func (c *chaos) drainOne() {
	s := c.any()
	s.drain()
	s.start()
}

// drain asks a server to stop, and waits until it has.
func (s *chaosServer) drain() {
	c := s.c
	c.struck[s.address] = true
	c.must(s.process.Process.Signal(syscall.SIGTERM))
	select {
	case <-s.exited:
	case <-c.ctx.Done():
		c.t.Fatal("a server did not stop")
	}
	if status := s.process.ProcessState; !status.Success() {
		c.t.Errorf("a server that was asked to stop: %s", status)
	}
	s.exited = nil
}

// freezeOne suspends a server for a moment. The server does not notice this and continues with outdated state.
func (c *chaos) freezeOne() {
	s := c.any()
	c.must(s.process.Process.Signal(syscall.SIGSTOP))
	c.pause(1500 * time.Millisecond)
	c.must(s.process.Process.Signal(syscall.SIGCONT))
	s.ready()
}

// cutNetwork breaks connections between the network and the servers: lines, and callbacks whose answers are then lost.
func (c *chaos) cutNetwork() {
	c.cutLines = true
	c.network.cut(c.random.IntN)
}

// cutDatabase ends about a third of the servers' database sessions.
func (c *chaos) cutDatabase() {
	c.exec(`
		select count(pg_terminate_backend(pid)) from pg_stat_activity
		where datname = current_database() and application_name = 'dialwright' and random() < 0.33`)
}

// restartDatabase restarts the database as an operator does: it ends sessions and rolls transactions back.
func (c *chaos) restartDatabase() { c.database.restart(c, false) }

// crashDatabase simulates a power failure: data that was not written to disk is lost.
func (c *chaos) crashDatabase() { c.database.restart(c, true) }

// finish waits until the campaign has completed, all other calls have ended, and their events are delivered. The
// product waits for minutes, by its own clock, for calls without further callbacks. When only these calls are left,
// finish moves the clock forward. Only new connections see the new time, so finish also kills all servers each time.
func (c *chaos) finish() {
	quiet, last := 0, ""
	c.await("the campaign completes and all is told", func() bool {
		time.Sleep(finishPoll)
		var ended, due bool
		var left int
		c.row(`
			select c.ended_at is not null
			   and not exists (select from recipient where status in ('pending', 'dialing', 'in_progress'))
			   and not exists (select from call where settled_at is null),
			       exists (select from recipient where status = 'pending' and due_at <= clock())
			    or exists (select from call where ended_at is not null and settled_at is null),
			       (select count(*) from delivery_due)
			from campaign c where c.id = $1`, []any{c.campaign}, &ended, &due, &left)
		if ended && left == 0 {
			return true
		}
		s := c.state()
		now := fmt.Sprint(left, s)
		if due || s.Live > 0 || s.Unanswered > 0 || now != last {
			quiet, last = 0, now
		} else if quiet++; quiet == 10 {
			began := time.Now()
			c.struck = map[string]bool{}
			for _, s := range c.servers {
				s.kill()
			}
			c.advance(75 * time.Second)
			c.startAll()
			c.harms = append(c.harms, harm{name: "finish", from: began, to: time.Now(), stopped: c.struck})
			quiet = 0
		}
		return false
	})
}

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0xd1a1)) }
