package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
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
			l.duration(count(n)+" conversations: our share of a turn, p99", percentile(t.own, 0.99))
			l.figure(count(n)+" conversations: memory of each", "kB", float64(t.memory)/float64(n)/1000)
			l.cpuOf(count(n)+" conversations, a turn", [][]time.Duration{t.used}, len(t.replies), "sandboxes")
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
			Language:  "en-US",
			Greeting:  "Hello {{name|there}}, this is the clinic.",
			Questions: questions(),
			Goodbye:   "Thank you, goodbye.",
			Model: &conversation.Model{
				Instructions: "Remind the person of the visit tomorrow, and ask about the last one.",
				ConnectionID: c.ID,
			},
		},
	}))
	must(d.app.Projects.PublishAgent(ctx, actor, d.AgentID, project.Publishing{}))
}

// talkWindow keeps n conversations under way, and measures them for a while.
func (d *dialing) talkWindow(ctx context.Context, n int) talked {
	t := d.window(ctx, "talk", n, people(4*n, 0), talkStarts, talkWindow)
	t.own = d.ownShares(ctx, t.from, t.to)
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
