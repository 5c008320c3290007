package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/project"
)

const (
	holdStarts      = 50.0 // calls per second
	holdConcurrency = 1000 // most calls at a time of a campaign
	holdPeople      = 10_000
	holdWindow      = time.Minute
	holdAim         = 15 * time.Millisecond
	holdMemory      = 90 << 10
)

// hold holds conversations at the speed of people by one server. The agent follows a script.
func hold(ctx context.Context, l *lab) {
	section("Conversations held")
	out := newTable("conversations", "lines: fewest", "average", "turns per second",
		"reply to the person: p50", "p95", "p99", "most", "CPU: server", "PostgreSQL", "sandbox",
		"memory of the server per conversation")
	aims := ""
	for _, n := range l.hold {
		l.scope(func() {
			d := l.dialingAt(ctx, fmt.Sprintf("bench_hold_%d", n), fewCalls, "1")
			d.askAll(ctx)
			t := d.window(ctx, "hold", n, answering(min(4*n, holdPeople)), holdStarts, holdWindow)
			d.checkHeld(ctx)
			p99, each := percentile(t.replies, 0.99), t.memory/int64(n)
			out.row(count(n), t.fewest, fmt.Sprintf("%.0f", t.average),
				fmt.Sprintf("%.0f", float64(len(t.replies))/holdWindow.Seconds()),
				ms(percentile(t.replies, 0.50)), ms(percentile(t.replies, 0.95)), ms(p99), ms(percentile(t.replies, 1)),
				scaled("%.1f%%", t.used, 100/holdWindow.Seconds()), kilo(int(each)))
			aims += fmt.Sprintf("At %s: p99 %s (aim %s, %s), memory %s (aim %s, %s). ", count(n), ms(p99), ms(holdAim),
				met(p99 <= holdAim), kilo(int(each)), kilo(holdMemory), met(each <= holdMemory))
			what := fmt.Sprintf("%d conversations", n)
			l.duration(what+": reply p50", percentile(t.replies, 0.50))
			l.duration(what+": reply p99", p99)
			l.figure(what+": memory of each", "kB", float64(each)/1000)
			l.cpuOf(what+", a turn", [][]time.Duration{t.used}, len(t.replies), "sandbox")
		})
	}
	out.print("%sA window of %s, when all conversations are under way, at the speed of people. A reply is measured by "+
		"the sandbox's clock, from the end of the person's words to our first words, so it contains the sandbox's own "+
		"work and a commit. CPU is of one core. Memory is what the server's resident memory has grown by. Every call "+
		"that ended was completed and has a transcript, and nobody was called twice.", aims, holdWindow)
}

// questions are asked in a conversation that takes more than a minute.
func questions() []conversation.Question {
	return []conversation.Question{
		{Key: "coming", Ask: "Are you coming tomorrow?", Expect: conversation.YesNo},
		{Key: "guests", Ask: "How many people do you bring?", Expect: conversation.Number},
		{Key: "happy", Ask: "Were you happy with your last visit?", Expect: conversation.YesNo},
		{Key: "rating", Ask: "On a scale from 0 to 10, how do you rate it?", Expect: conversation.Number},
		{Key: "wish", Ask: "What is the one thing we could do better?", Expect: conversation.Text},
		{Key: "again", Ask: "Shall we remind you next year?", Expect: conversation.YesNo},
	}
}

// askAll makes the site's agent ask all questions.
func (d *dialing) askAll(ctx context.Context) {
	actor := account.System(d.OrganizationID)
	must(d.app.Projects.UpdateAgent(ctx, actor, d.AgentID, project.AgentSettings{
		Name: "Robin",
		Script: conversation.Script{
			Language:  "en-US",
			Greeting:  "Hello {{name|there}}, this is the clinic.",
			Questions: questions(),
			Goodbye:   "Thank you, goodbye.",
		},
	}))
	must(d.app.Projects.PublishAgent(ctx, actor, d.AgentID, project.Publishing{}))
}

// checkHeld checks the calls of a window: nobody was called twice, and all calls that ended were completed.
func (d *dialing) checkHeld(ctx context.Context) {
	seen := map[string]bool{}
	for _, dial := range d.dials(ctx) {
		if dial.Refused != "" || seen[dial.To] {
			failf("dial %d of %s: refused %q, dialed before %t", dial.Number, dial.To, dial.Refused, seen[dial.To])
		}
		seen[dial.To] = true
	}
	var wrong int
	var why string
	d.scan(ctx, `
		select count(*), coalesce(string_agg(distinct ended_reason || ' by ' || ended_by || ' ' || detail, ', '), '')
		from call where created_at > $1 and ended_at is not null
			and (outcome <> 'completed' or transcript_text = '')`, []any{d.began}, &wrong, &why)
	if wrong > 0 {
		failf("%d calls were not completed with a transcript; they ended by: %s", wrong, why)
	}
}

// answering returns recipients, at most holdPeople, whose numbers the sandbox reserves: they all answer and talk.
func answering(n int) []recipient {
	all := make([]recipient, n)
	for i := range all {
		all[i].PhoneNumber = fmt.Sprintf("+1500500%04d", i)
	}
	return all
}

// window keeps n conversations under way, and measures them for a while.
func (d *dialing) window(
	ctx context.Context, name string, n int, all []recipient, starts float64, lasts time.Duration,
) (t talked) {
	d.began = time.Now()
	idle := memory(d.server)
	for from := 0; from < n; from += holdConcurrency { // one campaign, or several with a share each
		to := min(n, from+holdConcurrency)
		d.campaign(ctx, all[len(all)*from/n:len(all)*to/n], map[string]any{
			"calls_per_second": starts * float64(to-from) / float64(n), "max_concurrency": to - from,
		})
	}
	poll(ctx, callPatience, 200*time.Millisecond, "the conversations did not begin", func() bool {
		return d.lines(ctx) >= n*95/100
	})
	time.Sleep(5 * time.Second) // so that the calls are not all in their first turn
	t.from = time.Now()
	t.fewest = n
	var looks int
	t.used = d.measure(ctx, name, lasts, func() {
		for time.Since(t.from) < lasts {
			time.Sleep(time.Second)
			lines := d.lines(ctx)
			t.fewest, t.average, looks = min(t.fewest, lines), t.average+float64(lines), looks+1
		}
	}, d.server, d.network)
	t.average /= float64(looks)
	t.memory = memory(d.server) - idle
	t.to = t.from.Add(lasts)
	for _, dial := range d.dials(ctx) {
		t.replies = append(t.replies, repliesOf(dial, t.from, t.to)...)
	}
	slices.Sort(t.replies)
	if len(t.replies) == 0 {
		failf("nobody got a reply")
	}
	return t
}

// talked is what a window of conversations came to.
type talked struct {
	from, to time.Time
	fewest   int // lines
	average  float64
	own      []time.Duration // sorted, as replies
	replies  []time.Duration
	used     []time.Duration
	memory   int64 // bytes that the server needs more than before the first call
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
