package main

import (
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
	sustainCalls = 4000
	sustainUp    = 300 // calls at a time: one begins when another has ended
	sustainAim   = 500.0

	beginPeople = 100_000
	beginLead   = 20 * time.Second // for writing them
	beginAim    = time.Second

	fairSmall  = 10
	fairLarge  = 100_000
	fairSlots  = 20 // of the number that both call from
	fairBefore = 3 * time.Second
)

// sustain has as many calls up at a time as it likes, none of which waits for its
// pace: what holds is the machine.
func sustain(ctx context.Context, l *lab, o options) error {
	section("Sustained call starts")
	out := newTable("run", "recipients", "starts per second", "CPU s per 1,000 calls: server", "PostgreSQL", "sandbox")
	best := map[string][]float64{}
	kinds := []struct {
		name   string
		blocks []string
	}{
		{"all answer, and talk", []string{"00"}},
		{"a third answers, others are busy or don't", []string{"00", "01", "02"}},
	}
	for round := range o.rounds {
		for _, k := range kinds {
			r, err := sustainOnce(ctx, l, fmt.Sprintf("bench_sustain_%d_%d", round, len(k.blocks)), k.blocks)
			if err != nil {
				return err
			}
			per := func(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()*1000/sustainCalls) }
			best[k.name] = append(best[k.name], r.perSecond)
			out.row(fmt.Sprint(round+1), k.name, fmt.Sprintf("%.0f", r.perSecond), per(r.server), per(r.postgres), per(r.sandbox))
		}
	}
	out.print()
	fmt.Println()
	for _, k := range kinds {
		rate := median(best[k.name])
		fmt.Printf("Median of %d runs, %s: %.0f/s (aim %.0f/s, %s). ", o.rounds, k.name, rate, sustainAim, met(rate >= sustainAim))
	}
	fmt.Printf("%s calls, %d at a time, sandbox at speed %s. The rate is that of the middle 70%% of the calls.\n", count(sustainCalls), sustainUp, paceSpeed)
	return nil
}

func sustainOnce(ctx context.Context, l *lab, name string, blocks []string) (*paceResult, error) {
	s, err := l.site(ctx, name, paceKeys)
	if err != nil {
		return nil, err
	}
	defer s.close(l)
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
	r, err := s.runSustained(ctx, l, server, network, warmUpCalls, blocks)
	if err == nil {
		r, err = s.runSustained(ctx, l, server, network, sustainCalls, blocks)
	}
	if err != nil {
		err = fmt.Errorf("%w\nserver: %s", err, server.tail())
	}
	return r, err
}

func (s *site) runSustained(ctx context.Context, l *lab, server, network *process, n int, blocks []string) (*paceResult, error) {
	before, err := dialed(ctx, network.url)
	if err != nil {
		return nil, err
	}
	recipients := make([]map[string]string, n)
	for i := range recipients {
		recipients[i] = map[string]string{"phone_number": fmt.Sprintf("+15005%s%04d", blocks[i%len(blocks)], len(before)+i)}
	}
	used, err := s.cpu(l, server, network)
	if err != nil {
		return nil, err
	}
	c, err := s.campaign(ctx, server, recipients, nil)
	if err != nil {
		return nil, err
	}
	err = l.profile(ctx, server, fmt.Sprintf("sustain-%d", len(blocks)), 10*time.Second, func() error { return s.await(ctx, server.url, c) })
	if err != nil {
		return nil, err
	}
	after, err := s.cpu(l, server, network)
	if err != nil {
		return nil, err
	}
	dials, err := dialed(ctx, network.url)
	if err != nil {
		return nil, err
	}
	dials = dials[len(before):]
	answering := (n + len(blocks) - 1) / len(blocks)
	if len(dials) != n || c.Counters.Completed != answering || c.Counters.Completed+c.Counters.Failed != n || c.Calls.Placed != n {
		return nil, fmt.Errorf("%d dials, and the campaign is %+v", len(dials), c)
	}
	r := &paceResult{calls: n, server: after[0] - used[0], postgres: after[1] - used[1], sandbox: after[2] - used[2]}
	slices.SortFunc(dials, func(a, b sandbox.Dial) int { return a.ReceivedAt.Compare(b.ReceivedAt) })
	from, to := n*2/10, n*9/10
	r.perSecond = float64(to-from) / dials[to].ReceivedAt.Sub(dials[from].ReceivedAt).Seconds()
	return r, nil
}

// campaign asks the server for a campaign that nothing holds back.
func (s *site) campaign(ctx context.Context, server *process, recipients []map[string]string, change map[string]any) (*campaignAnswer, error) {
	request := map[string]any{
		"name": "Bench", "project_id": s.ProjectID, "agent_id": s.AgentID, "phone_number_id": s.PhoneNumberID, "recipients": recipients,
		"calls_per_second": 1000, "max_concurrency": sustainUp, "max_duration_seconds": 3600,
	}
	for key, value := range change {
		request[key] = value
	}
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	var c campaignAnswer
	_, err = s.do(ctx, http.MethodPost, server.url+"/api/v1/campaigns", body, http.StatusCreated, &c)
	return &c, err
}

// people are recipients who all answer, at numbers that are not reserved.
func people(n, from int) []map[string]string {
	list := make([]map[string]string, n)
	for i := range list {
		list[i] = map[string]string{"phone_number": fmt.Sprintf("+1212%07d", 2_000_000+from+i)}
	}
	return list
}

// begin measures how long after its time the first calls of a large campaign
// start.
func begin(ctx context.Context, l *lab, o options) error {
	section("Starting a large campaign")
	out := newTable("run", "first call after its time", "tenth", "hundredth")
	var firsts []time.Duration
	for round := range o.rounds {
		late, err := beginOnce(ctx, l, fmt.Sprintf("bench_begin_%d", round))
		if err != nil {
			return err
		}
		firsts = append(firsts, late[0])
		out.row(fmt.Sprint(round+1), ms(late[0]), ms(late[9]), ms(late[99]))
	}
	out.print()
	fmt.Printf("\nFirst call, median of %d runs: %s (aim %s, %s). %s recipients, created %s earlier, at a pace of 1,000 calls a second.\n",
		o.rounds, ms(median(firsts)), seconds(beginAim), met(median(firsts) <= beginAim), count(beginPeople), beginLead)
	return nil
}

func beginOnce(ctx context.Context, l *lab, name string) (late []time.Duration, err error) {
	s, err := l.site(ctx, name, paceKeys)
	if err != nil {
		return nil, err
	}
	defer s.close(l)
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
	start := time.Now().Add(beginLead).Truncate(time.Millisecond)
	c, err := s.campaign(ctx, server, people(beginPeople, 0), map[string]any{"scheduled_at": start})
	if err != nil {
		return nil, err
	}
	if time.Now().After(start) {
		return nil, errors.New("the campaign was created too late; the machine is too busy")
	}
	dials, err := awaitDials(ctx, network, func(dials []sandbox.Dial) bool { return len(dials) >= 100 })
	if err != nil {
		return nil, fmt.Errorf("%w\nserver: %s", err, server.tail())
	}
	if _, err := s.do(ctx, http.MethodPost, server.url+"/api/v1/campaigns/"+c.ID.String()+"/cancel", nil, http.StatusOK, nil); err != nil {
		return nil, err
	}
	for _, d := range dials {
		late = append(late, d.ReceivedAt.Sub(start))
	}
	slices.Sort(late)
	if late[0] < -early {
		return nil, fmt.Errorf("a call started %s before its time", -late[0])
	}
	return late, nil
}

// awaitDials asks the sandbox until what it was asked for is as wanted.
func awaitDials(ctx context.Context, network *process, wanted func([]sandbox.Dial) bool) ([]sandbox.Dial, error) {
	ctx, cancel := context.WithTimeout(ctx, pacePatience)
	defer cancel()
	for {
		dials, err := dialed(ctx, network.url)
		if err != nil || wanted(dials) {
			return dials, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("the sandbox was asked for %d calls only", len(dials))
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// fair measures how long a campaign of ten takes beside one of a hundred
// thousand that has every slot of the number they share.
func fair(ctx context.Context, l *lab, o options) error {
	section("A small campaign beside a large one")
	out := newTable("run", "beside", "first call after", "tenth call after", "completed after")
	for round := range o.rounds {
		for _, beside := range []int{0, fairLarge} {
			r, err := fairOnce(ctx, l, fmt.Sprintf("bench_fair_%d_%d", round, beside), beside)
			if err != nil {
				return err
			}
			name := "nobody"
			if beside > 0 {
				name = count(beside)
			}
			out.row(fmt.Sprint(round+1), name, ms(r.first), ms(r.last), ms(r.completed))
		}
	}
	out.print()
	fmt.Printf("\nTen recipients, measured from the response that created the campaign. Both campaigns call from one number with %d simultaneous calls. The large campaign has used all of them for %s. Sandbox at speed %s.\n", fairSlots, fairBefore, paceSpeed)
	return nil
}

type fairResult struct{ first, last, completed time.Duration }

func fairOnce(ctx context.Context, l *lab, name string, beside int) (r fairResult, err error) {
	s, err := l.site(ctx, name, paceKeys)
	if err != nil {
		return r, err
	}
	defer s.close(l)
	if _, err := s.pool.Exec(ctx, `update phone_number set max_concurrency = $1 where id = $2`, fairSlots, s.PhoneNumberID); err != nil {
		return r, err
	}
	network, err := l.sandbox(ctx, paceSpeed)
	if err != nil {
		return r, err
	}
	defer network.stop()
	server, err := l.serve(ctx, s, "--sandbox-url", network.url)
	if err != nil {
		return r, err
	}
	defer server.stop()
	if beside > 0 {
		if _, err := s.campaign(ctx, server, people(beside, 0), nil); err != nil {
			return r, err
		}
		if _, err := awaitDials(ctx, network, func(dials []sandbox.Dial) bool { return len(dials) >= 2*fairSlots }); err != nil {
			return r, err
		}
		time.Sleep(fairBefore)
	}
	c, err := s.campaign(ctx, server, people(fairSmall, fairLarge), nil)
	if err != nil {
		return r, err
	}
	began := time.Now()
	if err := s.await(ctx, server.url, c); err != nil {
		return r, err
	}
	if c.Calls.Placed != fairSmall {
		return r, fmt.Errorf("%d calls were placed: %+v", c.Calls.Placed, c)
	}
	var numbers []string
	for _, p := range people(fairSmall, fairLarge) {
		numbers = append(numbers, p["phone_number"])
	}
	dials, err := dialed(ctx, network.url)
	if err != nil {
		return r, err
	}
	for _, d := range dials {
		if after := d.ReceivedAt.Sub(began); slices.Contains(numbers, d.To) {
			if r.first == 0 || after < r.first {
				r.first = after
			}
			r.last = max(r.last, after)
		}
	}
	var ended time.Time
	if err := s.pool.QueryRow(ctx, `select ended_at from campaign where id = $1`, c.ID).Scan(&ended); err != nil {
		return r, fmt.Errorf("read when the campaign ended: %w", err)
	}
	r.completed = ended.Sub(began)
	return r, nil
}
