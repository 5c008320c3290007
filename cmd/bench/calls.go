package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/dialwright/dialwright/internal/carrier/sandbox"
)

const (
	speed        = "100" // speed of the sandbox, except where conversations are measured
	callKeys     = 40
	callPatience = 2 * time.Minute
	warmUpCalls  = 400 // calls before the measurement, so that caches and plans are warm

	paceCalls       = 2000
	paceRate        = 200.0 // calls per second
	paceConcurrency = 1000  // the campaigns never reach it
	paceLead        = 5 * time.Second
	paceAim         = 100 * time.Millisecond
	paceShare       = 0.6 // of what the machine sustains: a pace that leaves it time

	sustainCalls       = 4000
	sustainConcurrency = 300 // a call begins when another call has ended
	sustainAim         = 500.0

	startPeople = 100_000
	startLead   = 20 * time.Second // time to store the recipients
	startAim    = time.Second

	smallPeople = 10
	largePeople = 100_000
	sharedSlots = 20 // concurrency of the number that both campaigns call from
	largeLead   = 3 * time.Second

	// early is how much a call may start before it is due, because the database's clock has a resolution of one
	// millisecond.
	early = time.Millisecond
)

// dialing is a site with a server that dials on a sandbox.
type dialing struct {
	*site
	network, server *process
	dialed          int       // number of calls of the earlier campaigns
	began           time.Time // when the window of conversations began
}

// dialing makes a site, with a history if calls is not 0, and starts a server and a sandbox. Without a history,
// PostgreSQL has no statistics when the first calls start.
func (l *lab) dialing(ctx context.Context, name string, calls int) *dialing {
	return l.dialingAt(ctx, name, calls, speed)
}

// dialingAt is dialing with another speed of the sandbox.
func (l *lab) dialingAt(ctx context.Context, name string, calls int, speed string) *dialing {
	d := &dialing{site: l.site(ctx, name, callKeys)}
	if calls > 0 {
		d.fillHistory(ctx, calls)
	}
	d.network = l.sandbox(ctx, speed)
	d.server = l.serve(ctx, d.site, "--sandbox-url", d.network.url)
	return d
}

// campaign creates a campaign with limits that do not slow it down. settings can change the limits.
func (d *dialing) campaign(ctx context.Context, recipients []recipient, settings map[string]any) campaign {
	all := map[string]any{
		"calls_per_second":     1000,
		"max_concurrency":      sustainConcurrency,
		"max_duration_seconds": 3600, // the sandbox cuts off calls by its own, faster clock
	}
	for name, value := range settings {
		all[name] = value
	}
	c, _ := d.createCampaign(ctx, d.server, d.campaignBody(recipients, all))
	if start, ok := all["scheduled_at"].(time.Time); ok && time.Now().After(start) {
		failf("the campaign was created too late: the machine is too busy")
	}
	return c
}

// await waits until a campaign has completed.
func (d *dialing) await(ctx context.Context, c campaign) campaign {
	poll(ctx, callPatience, 500*time.Millisecond, "the campaign did not complete", func() bool {
		var err error
		c, _, err = read[campaign](ctx, d.get(d.server, "/campaigns/"+c.ID.String()))
		if check(err); !slices.Contains([]string{"scheduled", "running", "completed"}, c.Status) {
			failf("the campaign is %s", c.Status)
		}
		return c.Status == "completed"
	})
	return c
}

// dials returns the requests for calls that the sandbox received, by time, without the requests of earlier campaigns.
func (d *dialing) dials(ctx context.Context) []sandbox.Dial {
	log, _, err := read[struct{ Dials []sandbox.Dial }](ctx, d.witness("/sandbox/dials"))
	check(err)
	dials := log.Dials[d.dialed:]
	slices.SortFunc(dials, func(a, b sandbox.Dial) int { return a.ReceivedAt.Compare(b.ReceivedAt) })
	return dials
}

// witness returns a request for what the sandbox has seen.
func (d *dialing) witness(path string) request {
	return request{
		method: http.MethodGet,
		url:    d.network.url + path,
		auth:   "Basic " + base64.StdEncoding.EncodeToString([]byte("bench:"+sandboxToken)),
	}
}

// awaitDials waits until the sandbox has received n requests for calls.
func (d *dialing) awaitDials(ctx context.Context, n int) (dials []sandbox.Dial) {
	poll(ctx, callPatience, 200*time.Millisecond, "too few calls were placed", func() bool {
		dials = d.dials(ctx)
		return len(dials) >= n
	})
	return dials
}

// outcome is the result of a campaign's calls.
type outcome struct {
	campaign campaign
	dials    []sandbox.Dial
	used     []time.Duration // CPU time of server, PostgreSQL and sandbox
}

// rate returns how many calls per second started between two calls.
func (o outcome) rate(from, to int) float64 {
	return float64(to-from) / o.dials[to].ReceivedAt.Sub(o.dials[from].ReceivedAt).Seconds()
}

// run runs a campaign of n calls to numbers in these blocks of the sandbox, in turn.
func (d *dialing) run(
	ctx context.Context, name string, n int, lasts time.Duration, blocks []string, settings map[string]any,
) (o outcome) {
	recipients := make([]recipient, n)
	for i := range recipients {
		recipients[i].PhoneNumber = fmt.Sprintf("+15005%s%04d", blocks[i%len(blocks)], d.dialed+i)
	}
	create := func() { o.campaign = d.campaign(ctx, recipients, settings) }
	if settings["scheduled_at"] != nil { // the measurement does not include creating the campaign
		create()
		create = func() {}
	}
	o.used = d.measure(ctx, name, lasts, func() {
		create()
		o.campaign = d.await(ctx, o.campaign)
	}, d.server, d.network)
	o.dials = d.dials(ctx)
	c, answer := o.campaign, (n+len(blocks)-1)/len(blocks)
	if len(o.dials) != n || c.Calls.Placed != n || c.Counters.Completed != answer || c.Counters.Failed != n-answer {
		failf("%d dials, and the campaign is %+v", len(o.dials), c)
	}
	d.dialed += n
	return o
}

// keepPace runs a campaign and measures how long after its due time the sandbox received each dial request.
func keepPace(ctx context.Context, l *lab) {
	section("Keeping pace")
	out := newTable("run", "starts per second", "late: p50", "p99", "most", "most calls at a time",
		"CPU s per 1,000 calls: server", "PostgreSQL", "sandbox")
	var worst []time.Duration
	var used [][]time.Duration
	l.eachRound(func(round int) {
		d := l.dialing(ctx, fmt.Sprintf("bench_pace_%d", round), fewCalls)
		d.pace(ctx, "pace", warmUpCalls, paceRate)
		o, late := d.pace(ctx, "pace", paceCalls, paceRate)
		worst, used = append(worst, percentile(late, 0.99)), append(used, o.used)
		out.row(round+1, fmt.Sprintf("%.1f", o.rate(0, paceCalls-1)), spread(late), d.mostAtATime(ctx, o),
			scaled("%.2f", o.used, 1000.0/paceCalls))
	})
	out.print("p99 of lateness, median of %d runs: %s (aim %s, %s). %s calls at %.0f per second, sandbox at speed %s. "+
		"Call k is due at start + k / %.0f s. %d calls before them warmed up plans and caches.",
		l.rounds, ms(median(worst)), ms(paceAim), met(median(worst) <= paceAim), count(paceCalls), paceRate, speed,
		paceRate, warmUpCalls)
	l.duration(fmt.Sprintf("late at %.0f/s, p99", paceRate), median(worst))
	l.cpuOf(fmt.Sprintf("a call at %.0f/s", paceRate), used, paceCalls, "sandbox")
}

// keepEasyPace is keepPace at a share of what the machine sustains at that time. A pace above what the machine sustains
// measures the length of a queue that grows. This one measures how late a call starts.
func keepEasyPace(ctx context.Context, l *lab) {
	section(fmt.Sprintf("Keeping %.0f%% of the pace that the machine sustains", paceShare*100))
	out := newTable("run", "sustained starts per second", "pace", "starts per second", "late: p50", "p99", "most",
		"most calls at a time", "CPU s per 1,000 calls: server", "PostgreSQL", "sandbox")
	var rates []float64
	var worst []time.Duration
	var used [][]time.Duration
	l.eachRound(func(round int) {
		d := l.dialing(ctx, fmt.Sprintf("bench_easy_pace_%d", round), fewCalls)
		answering := []string{"00"}
		d.run(ctx, "easy-warm", warmUpCalls, time.Second, answering, nil)
		sustained := d.sustained(ctx, "easy-sustain", answering)
		rate := max(1, math.Floor(sustained.rate*paceShare))
		o, late := d.pace(ctx, "easy-pace", paceCalls, rate)
		rates, worst, used = append(rates, sustained.rate), append(worst, percentile(late, 0.99)), append(used, o.used)
		out.row(round+1, fmt.Sprintf("%.0f", sustained.rate), perSecond(rate),
			fmt.Sprintf("%.1f", o.rate(0, paceCalls-1)), spread(late), d.mostAtATime(ctx, o),
			scaled("%.2f", o.used, 1000.0/paceCalls))
	})
	out.print("p99 of lateness, median of %d runs: %s (aim %s, %s). Each run first starts %s calls as fast as the "+
		"machine can, then %s calls at %.0f%% of that pace. All recipients answer, and talk. Sandbox at speed %s.",
		l.rounds, ms(median(worst)), ms(paceAim), met(median(worst) <= paceAim), count(sustainCalls), count(paceCalls),
		paceShare*100, speed)
	share := fmt.Sprintf("%.0f%% of the sustained pace", paceShare*100)
	l.figure("sustained starts, all answer", "1/s", median(rates))
	l.duration("late at "+share+", p99", median(worst))
	l.cpuOf("a call at "+share, used, paceCalls, "sandbox")
}

// pace runs a campaign whose recipients all answer. It checks that each recipient was dialed once, and that no call
// started before it was due. It returns how late the calls started, sorted.
func (d *dialing) pace(
	ctx context.Context, name string, n int, rate float64,
) (o outcome, late []time.Duration) {
	start := time.Now().Add(paceLead).Truncate(time.Millisecond)
	o = d.run(ctx, name, n, time.Duration(n/int(rate))*time.Second+paceLead, []string{"00"}, map[string]any{
		"scheduled_at":     start,
		"calls_per_second": rate,
		"max_concurrency":  paceConcurrency,
	})
	seen := map[string]bool{}
	for k, dial := range o.dials {
		if dial.Refused != "" || seen[dial.To] {
			failf("dial %d of %s: refused %q, dialed before %t", dial.Number, dial.To, dial.Refused, seen[dial.To])
		}
		seen[dial.To] = true
		late = append(late, dial.ReceivedAt.Sub(start.Add(time.Duration(float64(k)/rate*float64(time.Second)))))
		if late[k] < -early {
			failf("call %d started %s before it was due: the pace was broken", k+1, -late[k])
		}
	}
	slices.Sort(late)
	return o, late
}

// mostAtATime returns the maximum number of simultaneous calls. If the calls reach max_concurrency, the benchmark
// measures that limit instead of the pace.
func (d *dialing) mostAtATime(ctx context.Context, o outcome) (most int) {
	var ended int
	d.scan(ctx, `
		select max(up), max(ended) from (
			select sum(up) over (order by at, up desc), sum(ended) over () from (
				select created_at, 1, 0 from call where campaign_id = $1
				union all
				select ended_at, -1, (outcome = 'completed' and transcript_text <> '')::int
				from call where campaign_id = $1
			) change (at, up, ended)
		) total (up, ended)`, []any{o.campaign.ID}, &most, &ended)
	if ended != len(o.dials) {
		var why string
		d.scan(ctx, `
			select string_agg(distinct ended_reason || ' by ' || ended_by || ' ' || detail, ', ') from call
			where campaign_id = $1 and (outcome <> 'completed' or transcript_text = '')`, []any{o.campaign.ID}, &why)
		failf("%d of %d calls were completed with a transcript; the others ended by: %s", ended, len(o.dials), why)
	}
	if most >= paceConcurrency {
		failf("%d calls were up at a time, so max_concurrency was measured and not the pace", most)
	}
	return most
}

// sustain keeps the maximum number of simultaneous calls. No call waits for its pace, so the machine is the limit.
func sustain(ctx context.Context, l *lab) {
	section("Sustained call starts")
	out := newTable("run", "recipients", "starts per second", "CPU s per 1,000 calls: server", "PostgreSQL", "sandbox")
	kinds := []struct {
		name   string
		blocks []string
		rates  []float64
		used   [][]time.Duration
	}{
		{name: "all answer, and talk", blocks: []string{"00"}},
		{name: "a third answers, others are busy or don't", blocks: []string{"00", "01", "02"}},
	}
	l.eachRound(func(round int) {
		for i := range kinds {
			l.scope(func() {
				k := &kinds[i]
				name := fmt.Sprintf("sustain_%d_%d", round, len(k.blocks))
				d := l.dialing(ctx, "bench_"+name, fewCalls)
				d.run(ctx, name, warmUpCalls, time.Second, k.blocks, nil)
				o := d.sustained(ctx, name, k.blocks)
				k.rates, k.used = append(k.rates, o.rate), append(k.used, o.used)
				out.row(round+1, k.name, fmt.Sprintf("%.0f", o.rate), scaled("%.2f", o.used, 1000.0/sustainCalls))
			})
		}
	})
	medians := ""
	for _, k := range kinds {
		rate := median(k.rates)
		medians += fmt.Sprintf("Median of %d runs, %s: %.0f/s (aim %.0f/s, %s). ",
			l.rounds, k.name, rate, sustainAim, met(rate >= sustainAim))
		l.figure("sustained starts, "+k.name, "1/s", rate)
		l.cpuOf("a call, "+k.name, k.used, sustainCalls, "sandbox")
	}
	out.print("%s%s calls, %d at a time, sandbox at speed %s. The rate is that of the middle 70%% of the calls.",
		medians, count(sustainCalls), sustainConcurrency, speed)
}

// sustained is what a campaign came to whose calls wait for nothing but the machine.
type sustained struct {
	outcome
	rate float64 // starts per second of the middle of the calls
}

// sustained starts calls as fast as the machine can.
func (d *dialing) sustained(ctx context.Context, name string, blocks []string) sustained {
	o := d.run(ctx, name, sustainCalls, 10*time.Second, blocks, nil)
	return sustained{outcome: o, rate: o.rate(sustainCalls*2/10, sustainCalls*9/10)}
}

// startLarge measures how long after its scheduled time a large campaign starts.
func startLarge(ctx context.Context, l *lab) {
	section("Starting a large campaign")
	out := newTable("run", "first call after its time", "tenth", "hundredth")
	var firsts []time.Duration
	l.eachRound(func(round int) {
		d := l.dialing(ctx, fmt.Sprintf("bench_start_%d", round), 0)
		start := time.Now().Add(startLead).Truncate(time.Millisecond)
		d.campaign(ctx, people(startPeople, 0), map[string]any{"scheduled_at": start})
		dials := d.awaitDials(ctx, 100)
		late := func(n int) time.Duration { return dials[n-1].ReceivedAt.Sub(start) }
		if late(1) < -early {
			failf("a call started %s before its time", -late(1))
		}
		firsts = append(firsts, late(1))
		out.row(round+1, ms(late(1)), ms(late(10)), ms(late(100)))
	})
	out.print("First call, median of %d runs: %s (aim %s, %s). %s recipients, created %s earlier, at a pace of 1,000 "+
		"calls a second.",
		l.rounds, ms(median(firsts)), seconds(startAim), met(median(firsts) <= startAim), count(startPeople), startLead)
	l.duration("first call of "+count(startPeople), median(firsts))
}

// startSmall measures a campaign of ten recipients beside a campaign of 100,000 that uses every slot of their shared
// number.
func startSmall(ctx context.Context, l *lab) {
	section("A small campaign beside a large one")
	out := newTable("run", "beside", "first call after", "tenth call after", "completed after")
	var firsts []time.Duration // beside the large campaign
	l.eachRound(func(round int) {
		for _, large := range []int{0, largePeople} {
			l.scope(func() {
				d := l.dialing(ctx, fmt.Sprintf("bench_small_%d_%d", round, large), 0)
				d.exec(ctx, `update phone_number set max_concurrency = $1 where id = $2`, sharedSlots, d.PhoneNumberID)
				beside := "nobody"
				if large > 0 {
					beside = count(large)
					d.campaign(ctx, people(large, 0), nil)
					d.awaitDials(ctx, 2*sharedSlots)
					time.Sleep(largeLead)
				}
				small := people(smallPeople, largePeople)
				c := d.campaign(ctx, small, nil)
				began := time.Now()
				if c = d.await(ctx, c); c.Calls.Placed != smallPeople {
					failf("%d calls were placed: %+v", c.Calls.Placed, c)
				}
				dials := slices.DeleteFunc(d.dials(ctx), func(dial sandbox.Dial) bool {
					return !slices.ContainsFunc(small, func(r recipient) bool { return r.PhoneNumber == dial.To })
				})
				var ended time.Time
				d.scan(ctx, `select ended_at from campaign where id = $1`, []any{c.ID}, &ended)
				if large > 0 {
					firsts = append(firsts, dials[0].ReceivedAt.Sub(began))
				}
				out.row(round+1, beside, ms(dials[0].ReceivedAt.Sub(began)),
					ms(dials[len(dials)-1].ReceivedAt.Sub(began)), ms(ended.Sub(began)))
			})
		}
	})
	out.print("Ten recipients, measured from the response that created the campaign. Both campaigns call from one "+
		"number with %d simultaneous calls. The large campaign has used all of them for %s. Sandbox at speed %s.",
		sharedSlots, largeLead, speed)
	l.duration("first call beside a large campaign", median(firsts))
}
