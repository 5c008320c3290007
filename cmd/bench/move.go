package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/demo/history"
)

// moveSizes are the numbers of calls of the organizations that move.
var moveSizes = []int{1_000, 20_000}

const (
	movePeople = 4_000            // recipients in each cell, more than are called
	moveRate   = 10.0             // calls per second in each cell
	moveBefore = 15 * time.Second // of undisturbed calls before each move
	moveWarmUp = 10 * time.Second // of calls before the first of them
	moveLook   = 20 * time.Millisecond
	moveAfter  = 6 * time.Second // a server remembers for 5 s that a cell did not know a key
	moveTurns  = 6               // of each answered call
	moveKeys   = 200             // so that none of them exceeds its rate limit
)

// moveAway moves an organization there and back while an organization in each cell calls, and an integrator of the one
// that moves asks on.
func moveAway(ctx context.Context, l *lab) {
	section("Moving an organization to another cell")
	out := newTable("calls that it has", "move", "rows", "total", "rows per second", "answered with 503",
		"the others' calls per second: before", "during", "late, p99: before", "during",
		"most between two calls of a cell: before", "during")
	for _, n := range moveSizes {
		l.scope(func() {
			m := l.moving(ctx, n)
			var aways, totals, late []time.Duration
			for round := range l.rounds {
				r := m.move(ctx)
				out.row(count(n), round+1, count(r.rows), seconds(r.total),
					perSecond(float64(r.rows)/r.total.Seconds()), seconds(r.away),
					fmt.Sprintf("%.1f", r.before.rate), fmt.Sprintf("%.1f", r.during.rate),
					ms(percentile(r.before.late, 0.99)), ms(percentile(r.during.late, 0.99)), ms(r.before.gap),
					ms(r.during.gap))
				aways, totals = append(aways, r.away), append(totals, r.total)
				late = append(late, percentile(r.during.late, 0.99))
			}
			m.checkDials(ctx)
			what := fmt.Sprintf("moving an organization with %s calls", count(n))
			l.duration(what, median(totals))
			l.duration(what+": away", median(aways))
			l.duration(what+": the others' calls, late, p99", median(late))
		})
	}
	out.print("An organization moves to another cell and back, once a row. An answered call has %d turns. In each "+
		"cell, another organization calls %.0f people a second. A call is late by the time since it was due at that "+
		"pace, counted from the first call of each span, so a delay also counts for the calls after it. Before: the "+
		"%s before the command. During: until the command ended. 503: from the first such answer to the last, for a "+
		"client with %d keys that asks every %s. Nobody was called twice, and all calls arrived. Both cells are "+
		"databases of one PostgreSQL. Sandbox at speed %s.",
		moveTurns, moveRate, moveBefore, moveKeys, moveLook, speed)
}

// moving is a deployment with two cells: an organization that moves, and one in each cell that calls.
type moving struct {
	*lab
	directory string   // its URL
	cells     [2]*site // each with an organization that calls
	mover     uuid.UUID
	keys      []string // of the organization that moves
	calls     int      // of the organization that moves
	in        int      // its cell, from 0

	network, server *process
}

func (l *lab) moving(ctx context.Context, calls int) *moving {
	name := fmt.Sprintf("bench_move_%d", calls)
	m := &moving{lab: l, calls: calls}
	for i, keys := range []int{moveKeys, callKeys} {
		m.cells[i] = l.site(ctx, fmt.Sprintf("%s_%d", name, i+1), keys)
	}
	first := m.cells[0]
	first.fillHistory(ctx, calls)
	first.exec(ctx, `delete from call where ended_at is null`) // they would never end
	first.exec(ctx, `
		insert into call_turn (call_id, index, organization_id, role, text)
		select id, n, organization_id, case n % 2 when 0 then 'agent' else 'recipient' end, 'The words of turn ' || n
		from call, generate_series(0, $1::integer) n where answered_at is not null on conflict do nothing`, moveTurns-1)
	first.exec(ctx, `analyze call_turn`)
	first.scan(ctx, `select count(*) from call`, nil, &m.calls)
	m.mover, m.keys = first.OrganizationID, first.keys
	first.Parts, first.keys = must(history.Furnish(ctx, first.app)), nil
	first.makeKeys(ctx, callKeys)

	at := must(url.Parse(l.cluster.URL()))
	at.Path = "/" + name + "_directory"
	m.directory = at.String()
	l.exec(ctx, "create database "+name+"_directory")
	l.cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		l.exec(ctx, "drop database "+name+"_directory with (force)")
	})
	for _, s := range m.cells {
		m.command(ctx, []string{"cell", "add"}, "DIALWRIGHT_CELL_URL="+s.url)
	}
	m.network = l.sandbox(ctx, speed)
	m.server = l.serveAt(ctx, m.environment(), "--sandbox-url", m.network.url)
	for i, s := range m.cells {
		all := make([]recipient, movePeople)
		for k := range all {
			all[k].PhoneNumber = fmt.Sprintf("+1500500%04d", i*movePeople+k)
		}
		s.createCampaign(ctx, m.server, s.campaignBody(all, map[string]any{
			"calls_per_second": moveRate, "max_concurrency": paceConcurrency, "max_duration_seconds": 3600,
		}))
	}
	poll(ctx, callPatience, 200*time.Millisecond, "no calls were placed", func() bool { return len(m.dials(ctx)) > 0 })
	time.Sleep(moveWarmUp)
	return m
}

func (m *moving) environment() []string {
	return []string{"DIALWRIGHT_DIRECTORY_URL=" + m.directory, "DIALWRIGHT_MASTER_KEY=" + m.masterKey}
}

// command runs a command of the product, and returns what it prints.
func (m *moving) command(ctx context.Context, args []string, env ...string) string {
	cmd := exec.CommandContext(ctx, m.binary, args...)
	cmd.Env = append(append(os.Environ(), m.environment()...), env...)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	said, err := cmd.Output()
	if err != nil {
		failf("%s: %w: %s", strings.Join(args, " "), err, failed.Bytes())
	}
	return string(said)
}

// moved is what a move took, and what it did to the others.
type moved struct {
	rows           int
	total, away    time.Duration
	before, during called
}

var copied = regexp.MustCompile(`(?m)^(\d+) rows of .* were copied`)

func (m *moving) move(ctx context.Context) (r moved) {
	time.Sleep(moveBefore)
	to := 1 - m.in
	asking, stop := context.WithCancel(ctx)
	defer stop()
	over := make(chan error, 1)
	go func() {
		var err error
		r.away, err = m.integrate(asking)
		over <- err
	}()
	began := time.Now()
	said := m.command(ctx, []string{"organization", "move", m.mover.String(), "--to", strconv.Itoa(to + 1)})
	ended := time.Now()
	r.total = ended.Sub(began)
	m.in = to
	time.Sleep(moveAfter)
	stop()
	check(<-over)
	if found := copied.FindStringSubmatch(said); found != nil {
		r.rows, _ = strconv.Atoi(found[1])
	} else {
		failf("the command said %q", said)
	}
	var calls int
	m.cells[to].scan(ctx, `select count(*) from call where organization_id = $1`, []any{m.mover}, &calls)
	if calls != m.calls {
		failf("%d of %d calls arrived", calls, m.calls)
	}
	dials := m.dials(ctx)
	r.before, r.during = m.called(dials, began.Add(-moveBefore), began), m.called(dials, began, ended)
	return r
}

// integrate sends requests with the keys of the organization that moves until ctx ends. It returns how long they were
// answered with 503: from the first such answer to the last one.
func (m *moving) integrate(ctx context.Context) (away time.Duration, err error) {
	var first time.Time
	for i := 0; ctx.Err() == nil; i++ {
		r, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodGet, m.server.url+"/api/v1/me", nil)
		if err != nil {
			return 0, fmt.Errorf("ask with a key of the organization that moves: %w", err)
		}
		r.Header.Set("Authorization", "Bearer "+m.keys[i%len(m.keys)])
		began := time.Now()
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, fmt.Errorf("ask with a key of the organization that moves: %w", err)
		}
		response.Body.Close()
		switch {
		case response.StatusCode == http.StatusServiceUnavailable && first.IsZero():
			first = began
		case response.StatusCode == http.StatusServiceUnavailable:
			away = time.Since(first)
		case response.StatusCode != http.StatusOK:
			return 0, fmt.Errorf("ask with a key of the organization that moves: %s", response.Status)
		}
		time.Sleep(moveLook)
	}
	return away, nil
}

// dials returns the requests for calls that the sandbox received, by time.
func (m *moving) dials(ctx context.Context) []sandbox.Dial {
	return (&dialing{network: m.network}).dials(ctx)
}

// checkDials checks that nobody was called twice, and that there was always somebody left to call.
func (m *moving) checkDials(ctx context.Context) {
	seen := map[string]bool{}
	for _, d := range m.dials(ctx) {
		if d.Refused != "" || seen[d.To] {
			failf("dial %d of %s: refused %q, dialed before %t", d.Number, d.To, d.Refused, seen[d.To])
		}
		seen[d.To] = true
	}
	for i, s := range m.cells {
		var running int
		s.scan(ctx, `select count(*) from campaign where organization_id = $1 and status = 'running'`,
			[]any{s.OrganizationID}, &running)
		if running == 0 {
			failf("the campaign in cell %d has ended before the moves", i+1)
		}
	}
}

// called is what the others did in a span of time.
type called struct {
	rate float64         // calls per second, of both cells
	late []time.Duration // sorted
	gap  time.Duration   // the longest time between two calls of a cell
}

// called looks at the calls between two moments.
func (m *moving) called(dials []sandbox.Dial, from, to time.Time) (c called) {
	var n int
	for i := range m.cells {
		var first, last time.Time
		k := 0
		for _, d := range dials {
			number, err := strconv.Atoi(strings.TrimPrefix(d.To, "+1500500"))
			if check(err); number/movePeople != i || d.ReceivedAt.Before(from) || d.ReceivedAt.After(to) {
				continue
			}
			if k == 0 {
				first, last = d.ReceivedAt, d.ReceivedAt
			}
			c.gap, last = max(c.gap, d.ReceivedAt.Sub(last)), d.ReceivedAt
			due := first.Add(time.Duration(float64(k) / moveRate * float64(time.Second)))
			c.late = append(c.late, max(0, d.ReceivedAt.Sub(due)))
			k++
		}
		n += k
	}
	slices.Sort(c.late)
	c.rate = float64(n) / to.Sub(from).Seconds()
	return c
}
