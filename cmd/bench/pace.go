package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/dialwright/dialwright/internal/carrier/sandbox"
)

const (
	paceCalls       = 2000
	paceRate        = 200.0 // calls per second
	warmUpCalls     = 400   // before, so that caches and plans are those of a server that has run for a while
	paceConcurrency = 1000  // never to be reached
	paceSpeed       = "100" // of the sandbox
	paceLead        = 2 * time.Second
	paceAim         = 100 * time.Millisecond
	paceKeys        = 40
	pacePatience    = 2 * time.Minute

	// early is how much sooner than due a call may start: the database's clock
	// counts milliseconds.
	early = time.Millisecond
)

// keepPace runs a campaign on the sandbox, a process of its own, and compares
// when the sandbox received each dial request with when it was due.
func keepPace(ctx context.Context, l *lab, o options) error {
	section("Keeping pace")
	out := newTable("run", "starts per second", "late: p50", "p99", "most", "most calls at a time", "CPU s per 1,000 calls: server", "PostgreSQL", "sandbox")
	var worst []time.Duration
	for round := range o.rounds {
		r, err := paceOnce(ctx, l, round)
		if err != nil {
			return err
		}
		worst = append(worst, percentile(r.late, 0.99))
		per := func(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()*1000/paceCalls) }
		out.row(fmt.Sprint(round+1), fmt.Sprintf("%.1f", r.perSecond), ms(percentile(r.late, 0.50)), ms(percentile(r.late, 0.99)), ms(r.late[len(r.late)-1]),
			fmt.Sprint(r.most), per(r.server), per(r.postgres), per(r.sandbox))
	}
	out.print()
	fmt.Printf("\np99 of lateness, median of %d runs: %s (aim %s, %s). %s calls at %.0f per second, sandbox at speed %s. Call k is due at start + k / %.0f s. %d calls before them warmed up plans and caches.\n",
		o.rounds, ms(median(worst)), ms(paceAim), met(median(worst) <= paceAim), count(paceCalls), paceRate, paceSpeed, paceRate, warmUpCalls)
	return nil
}

// paceResult is what one run came to.
type paceResult struct {
	calls                     int
	late                      []time.Duration // by call, sorted
	perSecond                 float64
	most                      int // calls in flight at a time
	server, postgres, sandbox time.Duration
}

func paceOnce(ctx context.Context, l *lab, round int) (*paceResult, error) {
	s, err := l.site(ctx, fmt.Sprintf("bench_pace_%d", round), paceKeys)
	if err != nil {
		return nil, err
	}
	defer s.close(l)
	// Not the first calls of a new database, about which PostgreSQL knows nothing.
	if _, err := s.fill(ctx, fewCalls); err != nil {
		return nil, err
	}
	network, err := l.sandbox(ctx, paceSpeed)
	if err != nil {
		return nil, err
	}
	defer network.stop()
	server, err := l.serve(ctx, s, "--sandbox-url", network.url)
	if err != nil {
		return nil, err
	}
	defer server.stop()
	r, err := s.runPace(ctx, l, server, network, warmUpCalls)
	if err == nil {
		r, err = s.runPace(ctx, l, server, network, paceCalls)
	}
	if err != nil {
		err = fmt.Errorf("%w\nserver: %s", err, server.tail())
	}
	return r, err
}

// runPace runs one campaign of n calls.
func (s *site) runPace(ctx context.Context, l *lab, server, network *process, n int) (*paceResult, error) {
	before, err := dialed(ctx, network.url)
	if err != nil {
		return nil, err
	}
	start := time.Now().Add(paceLead).Truncate(time.Millisecond)
	recipients := make([]map[string]string, n)
	for i := range recipients {
		recipients[i] = map[string]string{"phone_number": fmt.Sprintf("+1500500%04d", len(before)+i)} // answers everything
	}
	body, err := json.Marshal(map[string]any{
		"name": "Pace", "project_id": s.ProjectID, "agent_id": s.AgentID, "phone_number_id": s.PhoneNumberID, "recipients": recipients,
		"scheduled_at": start, "calls_per_second": paceRate, "max_concurrency": paceConcurrency,
		"max_duration_seconds": 3600, // the sandbox cuts off calls by its own, faster clock
	})
	if err != nil {
		return nil, err
	}
	var c campaignAnswer
	if _, err := s.do(ctx, http.MethodPost, server.url+"/api/v1/campaigns", body, http.StatusCreated, &c); err != nil {
		return nil, err
	}
	if time.Now().After(start) {
		return nil, errors.New("the campaign was created too late; the machine is too busy")
	}
	used, err := s.cpu(l, server, network)
	if err != nil {
		return nil, err
	}
	err = l.profile(ctx, server, "pace", time.Duration(n/int(paceRate))*time.Second+paceLead, func() error {
		return s.await(ctx, server.url, &c)
	})
	if err != nil {
		return nil, err
	}
	after, err := s.cpu(l, server, network)
	if err != nil {
		return nil, err
	}
	r := &paceResult{calls: n, server: after[0] - used[0], postgres: after[1] - used[1], sandbox: after[2] - used[2]}
	dials, err := dialed(ctx, network.url)
	if err != nil {
		return nil, err
	}
	return r, errors.Join(r.compare(dials[len(before):], start), s.checkCalls(ctx, r, c))
}

// await asks twice a second until the campaign has ended.
func (s *site) await(ctx context.Context, base string, c *campaignAnswer) error {
	ctx, cancel := context.WithTimeout(ctx, pacePatience)
	defer cancel()
	for {
		if _, err := s.do(ctx, http.MethodGet, base+"/api/v1/campaigns/"+c.ID.String(), nil, http.StatusOK, c); err != nil {
			return err
		}
		switch c.Status {
		case "scheduled", "running":
		case "completed":
			return nil
		default:
			return fmt.Errorf("the campaign is %s", c.Status)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the campaign did not complete: %+v", *c)
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// cpu is the time that the server, PostgreSQL and the sandbox have used.
func (s *site) cpu(l *lab, server, network *process) (t [3]time.Duration, err error) {
	own, err := usageOf(server.pid())
	if err != nil {
		return t, err
	}
	database, err := familyUsage(l.cluster.PID())
	if err != nil {
		return t, err
	}
	other, err := usageOf(network.pid())
	return [3]time.Duration{own.own, database, other.own}, err
}

func dialed(ctx context.Context, base string) ([]sandbox.Dial, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/sandbox/dials", nil)
	if err != nil {
		return nil, err
	}
	r.SetBasicAuth("bench", sandboxToken)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask the sandbox what it was asked for: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask the sandbox what it was asked for: %s", answer.Status)
	}
	var log struct{ Dials []sandbox.Dial }
	if err := json.NewDecoder(answer.Body).Decode(&log); err != nil {
		return nil, fmt.Errorf("read what the sandbox was asked for: %w", err)
	}
	return log.Dials, nil
}

// compare checks that everybody was dialed once, none before it was due, and
// tells how late each was.
func (r *paceResult) compare(dials []sandbox.Dial, start time.Time) error {
	seen := map[string]bool{}
	for _, d := range dials {
		if d.Refused != "" || seen[d.To] {
			return fmt.Errorf("dial %d of %s: refused %q, dialed before %t", d.Number, d.To, d.Refused, seen[d.To])
		}
		seen[d.To] = true
	}
	if len(dials) != r.calls {
		return fmt.Errorf("the sandbox was asked for %d calls, not %d", len(dials), r.calls)
	}
	slices.SortFunc(dials, func(a, b sandbox.Dial) int { return a.ReceivedAt.Compare(b.ReceivedAt) })
	for k, d := range dials {
		due := start.Add(time.Duration(float64(k) / paceRate * float64(time.Second)))
		late := d.ReceivedAt.Sub(due)
		if late < -early {
			return fmt.Errorf("call %d started %s before it was due: the pace was broken", k+1, -late)
		}
		r.late = append(r.late, late)
	}
	r.perSecond = float64(r.calls-1) / dials[r.calls-1].ReceivedAt.Sub(dials[0].ReceivedAt).Seconds()
	slices.Sort(r.late)
	return nil
}

// checkCalls compares the campaign's counters with its calls, and finds out how
// many were up at a time: had they come to max_concurrency, it and not the pace
// would have been measured.
func (s *site) checkCalls(ctx context.Context, r *paceResult, c campaignAnswer) error {
	if c.Counters.Total != r.calls || c.Counters.Completed != r.calls || c.Calls.Placed != r.calls || c.Calls.Answered != r.calls {
		return fmt.Errorf("not every call was placed, answered and completed: %+v", c)
	}
	rows, err := s.pool.Query(ctx, `select created_at, ended_at from call where campaign_id = $1 and outcome = 'completed' and transcript_text <> ''`, c.ID)
	if err != nil {
		return fmt.Errorf("read the calls: %w", err)
	}
	defer rows.Close()
	type change struct {
		at time.Time
		by int
	}
	var changes []change
	for rows.Next() {
		var from, to time.Time
		if err := rows.Scan(&from, &to); err != nil {
			return fmt.Errorf("read the calls: %w", err)
		}
		changes = append(changes, change{from, 1}, change{to, -1})
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read the calls: %w", err)
	}
	if len(changes) != 2*r.calls {
		var why string
		err := s.pool.QueryRow(ctx, `
			select string_agg(distinct ended_reason || ' by ' || ended_by || ' ' || detail, ', ') from call
			where campaign_id = $1 and (outcome <> 'completed' or transcript_text = '')`, c.ID).Scan(&why)
		return errors.Join(err, fmt.Errorf("%d calls were completed with a transcript, not %d; the others ended by: %s", len(changes)/2, r.calls, why))
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(b.by, a.by)) })
	up := 0
	for _, change := range changes {
		up += change.by
		r.most = max(r.most, up)
	}
	if r.most >= paceConcurrency {
		return fmt.Errorf("%d calls were up at a time: max_concurrency was reached, so this is not a measure of the pace", r.most)
	}
	return nil
}
