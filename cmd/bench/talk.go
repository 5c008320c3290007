package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/conversation"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/project"
)

const (
	talkModel  = "sandbox-burst" // so that no word waits for the next one
	talkFirst  = 300 * time.Millisecond
	talkStarts = 100.0 // calls per second
	talkWindow = 40 * time.Second
	talkAim    = 15 * time.Millisecond
	talkAimFor = 500 // conversations
	talkMemory = 256_000
)

// talk holds conversations at the speed of people. The language model in the sandbox answers after a fixed time.
func talk(ctx context.Context, l *lab) {
	section("Conversations that a language model holds")
	out := newTable("conversations", "lines: fewest", "average", "turns per second",
		"our share of a turn: p50", "p95", "p99", "most", "reply to the person: p50", "p95",
		"CPU: server", "PostgreSQL", "both sandboxes", "memory per conversation")
	aims := ""
	for _, n := range []int{talkAimFor, 1000} {
		l.scope(func() {
			d := l.dialingAt(ctx, fmt.Sprintf("bench_talk_%d", n), fewCalls, "1")
			d.holdByModel(ctx, 2*n)
			t := d.talkWindow(ctx, n)
			out.row(count(n), t.fewest, fmt.Sprintf("%.0f", t.average),
				fmt.Sprintf("%.0f", float64(len(t.replies))/talkWindow.Seconds()),
				ms(percentile(t.own, 0.50)), ms(percentile(t.own, 0.95)), ms(percentile(t.own, 0.99)),
				ms(percentile(t.own, 1)), ms(percentile(t.replies, 0.50)), ms(percentile(t.replies, 0.95)),
				scaled("%.0f%%", t.used, 100/talkWindow.Seconds()),
				kilo(int(t.memory)/n))
			if n == talkAimFor {
				late := percentile(t.own, 0.99)
				aims = fmt.Sprintf("p99 at %d: %s (aim %s, %s). ", n, ms(late), ms(talkAim), met(late <= talkAim))
			}
			aims += fmt.Sprintf("Memory per conversation at %s: %s (aim %s, %s). ", count(n), kilo(int(t.memory)/n),
				kilo(talkMemory), met(t.memory/int64(n) <= talkMemory))
		})
	}
	out.print("%sA window of %s, when all conversations are under way. Our share is that of the server: from the "+
		"person's words to the request, and from the words of the model to their first frame, in whole "+
		"milliseconds. A reply is measured in the sandbox, from the end of the person's words to our first words. "+
		"It contains the %s that the model takes for each request, twice if the model first calls a tool. CPU is "+
		"of one core. Memory is what the server's resident memory has grown by.",
		aims, talkWindow, ms(talkFirst))
}

// holdByModel makes a language model hold the calls of the site's agent.
func (d *dialing) holdByModel(ctx context.Context, streams int) {
	actor := account.System(d.OrganizationID)
	c := must(d.app.Models.Create(ctx, actor, modelconn.NewConnection{
		Provider: modelconn.Sandbox, Name: "Model", Model: talkModel, Streams: &streams,
	}))
	must(d.app.Projects.UpdateAgent(ctx, actor, d.AgentID, project.AgentSettings{
		Name: "Robin",
		Script: conversation.Script{
			Language: "en-US",
			Greeting: "Hello {{name|there}}, this is the clinic.",
			Questions: []conversation.Question{
				{Key: "coming", Ask: "Are you coming tomorrow?", Expect: conversation.YesNo},
				{Key: "guests", Ask: "How many people do you bring?", Expect: conversation.Number},
				{Key: "happy", Ask: "Were you happy with your last visit?", Expect: conversation.YesNo},
				{Key: "rating", Ask: "On a scale from 0 to 10, how do you rate it?", Expect: conversation.Number},
				{Key: "wish", Ask: "What is the one thing we could do better?", Expect: conversation.Text},
				{Key: "again", Ask: "Shall we remind you next year?", Expect: conversation.YesNo},
			},
			Goodbye: "Thank you, goodbye.",
			Model: &conversation.Model{
				Instructions: "Remind the person of the visit tomorrow, and ask about the last one.",
				ConnectionID: c.ID,
			},
		},
	}))
	must(d.app.Projects.PublishAgent(ctx, actor, d.AgentID, project.Publishing{}))
}

// talked is what a window of conversations came to.
type talked struct {
	fewest  int // lines
	average float64
	own     []time.Duration // sorted, as replies
	replies []time.Duration
	used    []time.Duration
	memory  int64 // bytes that the server needs more than before the first call
}

// talkWindow keeps n conversations under way, and measures them for a while.
func (d *dialing) talkWindow(ctx context.Context, n int) (t talked) {
	settings := map[string]any{"calls_per_second": talkStarts, "max_concurrency": n}
	d.dialed = 0
	idle := memory(d.server)
	d.campaign(ctx, people(4*n, 0), settings)
	poll(ctx, callPatience, 200*time.Millisecond, "the conversations did not begin", func() bool {
		return d.lines(ctx) >= n*95/100
	})
	time.Sleep(5 * time.Second) // so that the calls are not all in their first turn
	began := time.Now()
	t.fewest = n
	var looks int
	t.used = d.measure(ctx, "talk", talkWindow, func() {
		for time.Since(began) < talkWindow {
			time.Sleep(time.Second)
			lines := d.lines(ctx)
			t.fewest, t.average, looks = min(t.fewest, lines), t.average+float64(lines), looks+1
		}
	}, d.server, d.network)
	t.average /= float64(looks)
	t.memory = memory(d.server) - idle
	for _, dial := range d.dials(ctx) {
		t.replies = append(t.replies, repliesOf(dial, began, began.Add(talkWindow))...)
	}
	slices.Sort(t.replies)
	t.own = d.ownShares(ctx, began, began.Add(talkWindow))
	return t
}

// ownShares returns the server's share in each answer whose words were played in a span of time, sorted.
func (d *dialing) ownShares(ctx context.Context, from, to time.Time) (shares []time.Duration) {
	rows, err := d.pool.Query(ctx, `
		select (timing ->> 'own_ms')::int from call_turn
		where timing is not null and created_at between $1 and $2 order by 1`, from, to)
	check(err)
	for _, n := range must(pgx.CollectRows(rows, pgx.RowTo[int])) {
		shares = append(shares, time.Duration(n)*time.Millisecond)
	}
	if len(shares) == 0 {
		failf("no answer was timed")
	}
	return shares
}

// lines returns how many lines are open.
func (d *dialing) lines(ctx context.Context) int {
	state, _, err := read[sandbox.State](ctx, d.witness("/sandbox/state"))
	check(err)
	return state.Lines
}

// repliesOf returns how long a person waited for each reply that began in a span of time.
func repliesOf(dial sandbox.Dial, from, to time.Time) (waits []time.Duration) {
	for i, turn := range dial.Turns {
		if i == 0 || turn.Who != sandbox.Agent || turn.Began.Before(from) || turn.Began.After(to) {
			continue
		}
		if said := dial.Turns[i-1]; said.Who == sandbox.Recipient && turn.Began.After(said.At) {
			waits = append(waits, turn.Began.Sub(said.At))
		}
	}
	return waits
}
