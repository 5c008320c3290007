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

// What a person may set: the seed of the chance by which a run goes, and how long
// to make runs, each with the next seed. See make chaos.
const (
	chaosSeedVar = "DIALWRIGHT_CHAOS_SEED"
	chaosForVar  = "DIALWRIGHT_CHAOS_FOR"
)

const (
	chaosMaxAttempts = 2
	chaosPatience    = time.Hour // for one run: only reached when something is broken
	finishPoll       = 100 * time.Millisecond
)

// Two servers carry out a campaign and are killed again and again, with kill -9,
// at any moment and at the worst ones. Connections of theirs break, to the
// network and to the database, which is restarted too, and the network loses,
// repeats and delays what it has to tell them. The sandbox, a process of its own, is the witness: it
// remembers every dial request and every word. So does a receiver of webhooks
// with every event.
func TestChaosOfProcesses(t *testing.T) {
	t.Parallel()
	eachChaos(t, chaosPlan{
		people: map[string]int{
			"00": 60, "01": 60, "02": 60, "03": 60, "04": 60, "05": 60, "06": 20, "07": 20, "08": 40, "09": 20,
			"10": 120, "11": 120, "12": 8, "13": 40,
		},
		ordinary:  252,
		perSecond: 50, atOnce: 120,
		lasts:  20 * time.Second,
		pause:  1200 * time.Millisecond,
		events: []string{"*"},
		harms: []func(*chaos){(*chaos).killOne, (*chaos).killWhileDialing, (*chaos).killWhileTalking, (*chaos).killAll,
			(*chaos).drainOne, (*chaos).freezeOne, (*chaos).cutDatabase, (*chaos).cutNetwork, (*chaos).restartDatabase},
		ownDatabase: true,
		held:        1,
		handed:      5,
		adverse:     true,
	})
}

// The database is restarted again and again under two servers, in an orderly way
// and by cutting it off. They come back by themselves.
func TestChaosOfTheDatabase(t *testing.T) {
	t.Parallel()
	eachChaos(t, chaosPlan{
		people: map[string]int{
			"00": 60, "01": 20, "02": 20, "03": 20, "04": 20, "05": 20, "06": 10, "07": 10, "08": 10, "09": 5,
			"10": 30, "11": 30, "12": 2, "13": 15,
		},
		ordinary:  128,
		perSecond: 30, atOnce: 80,
		lasts: 12 * time.Second,
		pause: 2 * time.Second,
		// Not what happens on the way: it is committed without waiting for the
		// disk when nobody is to be told, so some of it is lost with the server.
		events: []string{
			"call.completed", "recipient.completed", "recipient.failed", "campaign.started", "campaign.completed",
		},
		harms:       []func(*chaos){(*chaos).restartDatabase, (*chaos).crashDatabase, (*chaos).cutDatabase},
		ownDatabase: true,
	})
}

// chaosPlan is what a run is to be.
type chaosPlan struct {
	people            map[string]int // recipients by reserved outcome (README.md)
	ordinary          int            // recipients of any other number
	perSecond, atOnce int
	lasts             time.Duration  // the time in which harm is done
	pause             time.Duration  // the mean time between two harms
	events            []string       // the webhook's
	harms             []func(*chaos) // each comes once before any comes again
	ownDatabase       bool           // a server of its own, to be restarted
	adverse           bool           // the network loses, repeats and delays
	// at least so many dial requests were held by a server that was killed, and lines taken over by another
	held, handed int
}

func (p chaosPlan) total() int {
	n := p.ordinary
	for _, count := range p.people {
		n += count
	}
	return n
}

// eachChaos makes one run, or as many as fit the time that was asked for.
func eachChaos(t *testing.T, plan chaosPlan) {
	if testing.Short() {
		t.Skip("takes about a minute")
	}
	seed, long := uint64(time.Now().UnixNano()), time.Duration(0)
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
	for began, first := time.Now(), true; first ||
		time.Since(began) < long && !t.Failed(); seed, first = seed+1, false {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Logf("again: %s=%d", chaosSeedVar, seed)
			newChaos(t, plan, seed).run()
		})
	}
}

func (c *chaos) run() {
	c.startAll()
	c.createWebhook()
	c.createCampaign()
	c.harm()
	c.finish()

	dials, calls, recipients := c.dials(), c.calls(), c.recipients()
	c.checkDials(dials, calls)
	c.checkWords(dials, calls)
	c.checkCounters(calls, recipients)
	c.checkEvents(calls, recipients)
	c.checkMoments(dials)
	c.checkNothingIsLeft()
}

// harm does harm for a while, or until hardly anybody is left to be called.
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

// harm is when something was done to the servers.
type harm struct {
	name     string
	from, to time.Time
	stopped  map[string]bool // addresses of the servers that were killed or asked to stop
	lines    bool            // connections of lines were cut
}

// nameOf is the name of the method that does a harm.
func nameOf(do func(*chaos)) string {
	name := runtime.FuncForPC(reflect.ValueOf(do).Pointer()).Name()
	return name[strings.LastIndexByte(name, '.')+1:]
}

// disturbed reports whether harm was done in a span of time.
func (c *chaos) disturbed(from, to time.Time) bool {
	for _, h := range c.harms {
		if h.from.Before(to) && h.to.After(from) {
			return true
		}
	}
	return false
}

// silenced reports whether something was done in a span of time after which words
// may have been spoken to nobody: one of these servers was stopped, or the
// connections of lines were cut. A database that is away is no such thing, nor is a
// server that stands still for a moment.
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

// pause waits for half of the time to one and a half of it.
func (c *chaos) pause(mean time.Duration) {
	select {
	case <-time.After(mean/2 + time.Duration(c.random.Int64N(int64(mean)))):
	case <-c.ctx.Done():
	}
}

func (c *chaos) any() *chaosServer { return c.servers[c.random.IntN(len(c.servers))] }

// killOne kills a server at any moment. The other one goes on.
func (c *chaos) killOne() {
	s := c.any()
	s.kill()
	c.pause(200 * time.Millisecond)
	s.start()
}

// killWhileDialing kills the servers while the sandbox holds requests: it has
// recorded them, the calls go their way, and nobody will ever hear the answers.
// Whose requests they are is not known, so both are killed.
func (c *chaos) killWhileDialing() {
	c.delayAnswers(8 * time.Second) // the servers give up after 10
	c.await("dial requests are held", func() bool { return c.state().Unanswered >= 6 || c.waiting() == 0 })
	for _, s := range c.servers {
		s.kill()
	}
	c.delayAnswers(0)
	c.startAll()
}

// killWhileTalking kills a server while lines are open: about half of them are
// its own.
func (c *chaos) killWhileTalking() {
	c.await("lines are open", func() bool { return c.state().Lines >= 6 || c.waiting() == 0 })
	s := c.any()
	s.kill()
	c.pause(100 * time.Millisecond)
	s.start()
}

// killAll leaves nobody for a moment.
func (c *chaos) killAll() {
	for _, s := range c.servers {
		s.kill()
	}
	c.pause(300 * time.Millisecond)
	c.startAll()
}

// drainOne is a deployment: a server is asked to stop, lets its lines go between
// two turns, and starts again.
func (c *chaos) drainOne() {
	s := c.any()
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
	s.start()
}

// freezeOne stops a server for a moment: it knows nothing of it, and goes on with
// what it believed.
func (c *chaos) freezeOne() {
	s := c.any()
	c.must(s.process.Process.Signal(syscall.SIGSTOP))
	c.pause(1500 * time.Millisecond)
	c.must(s.process.Process.Signal(syscall.SIGCONT))
	s.ready()
}

// cutNetwork breaks connections between the network and the servers: lines, and
// callbacks whose answers are lost.
func (c *chaos) cutNetwork() {
	c.cutLines = true
	c.network.cut(c.random.IntN)
}

// cutDatabase ends about a third of the servers' sessions at the database.
func (c *chaos) cutDatabase() {
	c.exec(`
		select count(pg_terminate_backend(pid)) from pg_stat_activity
		where datname = current_database() and application_name = 'dialwright' and random() < 0.33`)
}

// restartDatabase is what an operator does: sessions are ended, transactions
// rolled back.
func (c *chaos) restartDatabase() { c.database.restart(c, false) }

// crashDatabase is what a power cut does. What was not written to disk is gone.
func (c *chaos) crashDatabase() { c.database.restart(c, true) }

// finish lets the campaign complete and its events be told. Calls that nobody
// will ever hear of again are waited for, for minutes, by the product's clock:
// when nothing else is left, that clock is moved on. A new process reads the new
// time, so each time all servers are killed once more.
func (c *chaos) finish() {
	quiet, last := 0, ""
	c.await("the campaign completes and all is told", func() bool {
		time.Sleep(finishPoll)
		var ended, due bool
		var left int
		c.row(`
			select c.ended_at is not null,
			       exists (select from recipient where campaign_id = c.id and status = 'pending' and due_at <= clock())
			    or exists (select from call where campaign_id = c.id and ended_at is not null and settled_at is null),
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
