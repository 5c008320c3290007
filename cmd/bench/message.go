package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

const (
	sendWarm = 2000   // messages before the measurement, for plans and caches
	sendMany = 20_000 // measured messages
	sendAim  = 1000.0 // messages per second

	limitTier    = 10_000
	limitFilled  = 9_000 // recipients in the window before the measurement
	limitClients = 50
	limitEach    = 40 // messages that each client creates: in total twice the limit
	limitKeys    = 400
)

// sendMessages drains a queue of messages: first of many numbers, then of one fast number.
func sendMessages(ctx context.Context, l *lab) {
	section("Sending messages")
	out := newTable("run", "numbers", "sent", "queued to accepted: p50", "p99",
		"CPU s per 1,000: server", "PostgreSQL", "operator")
	slow := make([]int, slowLines)
	for i := range slow {
		slow[i] = i
	}
	var rates []float64
	l.eachRound(func(round int) {
		for _, lines := range [][]int{slow, {fastLine}} {
			l.scope(func() {
				rate, cells := sendOnce(ctx, l, fmt.Sprintf("send_%d_%d", round, len(lines)), lines)
				if len(lines) > 1 {
					rates = append(rates, rate)
				}
				out.row(round+1, len(lines), perSecond(rate), cells)
			})
		}
	})
	rate := median(rates)
	out.print("Sent by %d numbers, median of %d runs: %s (aim %s, %s). %s messages to as many recipients were queued "+
		"at once. The operator's record gives the time from the first to the last accepted message. No message was "+
		"sent twice or lost. Each of the %d numbers takes 80 messages a second and has its own limit. The single "+
		"number takes 1,000 messages a second. The CPU includes the two or three signed webhooks by which the "+
		"operator reports on each message.",
		slowLines, l.rounds, perSecond(rate), perSecond(sendAim), met(rate >= sendAim), count(sendMany), slowLines)
	l.figure(fmt.Sprintf("messages sent by %d numbers", slowLines), "1/s", rate)
}

func sendOnce(ctx context.Context, l *lab, name string, lines []int) (rate float64, cells []string) {
	t := l.texting(ctx, "bench_"+name, 0)
	t.connect(ctx, lines...)
	server := t.serve(ctx)
	t.drain(ctx, lines, 0, sendWarm)
	t.exec(ctx, `vacuum analyze`)
	var waited []time.Duration
	used := l.measure(ctx, name, sendMany/sendAim*time.Second, func() {
		rate, waited = t.drain(ctx, lines, sendWarm, sendMany)
	}, server, t.operator)
	cells = []string{seconds(percentile(waited, 0.50)), seconds(percentile(waited, 0.99))}
	return rate, append(cells, scaled("%.2f", used, 1000.0/sendMany)...)
}

// drain queues n messages, to recipients from the first on, and waits until the operator has accepted and reported on
// all of them. waited contains the times from the commit to the acceptance, sorted.
func (t *texting) drain(ctx context.Context, lines []int, first, n int) (rate float64, waited []time.Duration) {
	numbers := make([]string, len(lines))
	for i, line := range lines {
		numbers[i] = numberIDOf(line)
	}
	ids, recipients := make([]uuid.UUID, n), make([]string, n)
	queued := make(map[string]bool, n)
	for i := range ids {
		ids[i], recipients[i] = uuid.Must(uuid.NewV7()), phoneNumber(first+i)
		queued[ids[i].String()] = true
	}
	t.exec(ctx, `
		insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name,
			template_language, due_at)
		select m.id, n.organization_id, n.id, n.scope_id, n.organization_id, m.phone_number, 'heads_up', 'en_US',
			clock()
		from unnest(@ids::uuid[], @recipients::text[]) with ordinality m (id, phone_number, place)
		join unnest(@numbers::text[]) with ordinality f (external_id, turn) on f.turn = 1 + m.place % @of
		join messaging_number n on n.external_id = f.external_id`,
		pgx.NamedArgs{"ids": ids, "recipients": recipients, "numbers": numbers, "of": len(numbers)})
	committed := time.Now()
	t.settle(ctx)
	accepted := t.accepted(ctx, queued)
	if len(accepted) != n {
		failf("%d of %d messages were sent, the others were lost", len(accepted), n)
	}
	var known int
	t.scan(ctx, `select count(*) from message where id = any($1) and status in ('delivered', 'read')`,
		[]any{ids}, &known)
	if known != n {
		failf("of %d messages only %d are known to have arrived", n, known)
	}
	for _, s := range accepted {
		waited = append(waited, s.At.Sub(committed))
	}
	slices.Sort(waited)
	return float64(n-1) / accepted[n-1].At.Sub(accepted[0].At).Seconds(), waited
}

// reachLimit lets many clients of two servers create more messages than the limit of a number allows. It fails unless
// exactly the allowed number of messages is sent.
func reachLimit(ctx context.Context, l *lab) {
	section("Many senders at a limit")
	out := newTable("run", "admitted", "waiting", "created to admitted: p50", "p99", "most",
		"`POST /messages`", "p50", "p99")
	var lates []time.Duration
	l.eachRound(func(round int) {
		admitted, waiting, posts, lasted := limitOnce(ctx, l, round)
		lates = append(lates, percentile(admitted, 0.99))
		out.row(round+1, len(admitted), waiting, spread(admitted),
			perSecond(float64(len(posts))/lasted.Seconds()), middle(posts))
	})
	out.print("%d clients of two servers create %s messages, each client one after the other, on one number that has "+
		"%s of its %s recipients left. The operator's record shows exactly that many messages. The number takes 1,000 "+
		"messages a second.",
		limitClients, count(limitClients*limitEach), count(limitTier-limitFilled), count(limitTier))
	l.duration("admitted at a limit, p99", median(lates))
}

// limitOnce returns how long the admitted messages waited, how many messages still wait, and how long each request
// took. The times are sorted.
func limitOnce(ctx context.Context, l *lab, round int) (
	admitted []time.Duration, waiting int, posts []time.Duration, lasted time.Duration,
) {
	t := l.texting(ctx, fmt.Sprintf("bench_limit_%d", round), limitKeys)
	tier := t.control(http.MethodPut, "/sandbox/tier?account="+accountOf(fastLine)+"&tier=TIER_10K")
	tier.status = http.StatusNoContent
	must(tier.send(ctx))
	t.connect(ctx, fastLine)
	t.fillWindow(ctx, fastLine, limitFilled)
	var servers []*process
	for range 2 {
		server := t.serve(ctx)
		servers = append(servers, server)
	}
	queued := map[string]bool{}
	l.measure(ctx, "limit", 5*time.Second, func() {
		began := time.Now()
		posts = t.create(ctx, servers, queued)
		lasted = time.Since(began)
	}, servers[0])
	t.settle(ctx)
	sent := t.accepted(ctx, queued)
	if free := limitTier - limitFilled; len(sent) != free {
		failf("%d messages reached the operator, and %d were allowed", len(sent), free)
	}
	t.scan(ctx, `select count(*) from message where status = 'queued' and wait_reason = 'quota'`, nil, &waiting)
	rows := must(t.pool.Query(ctx, `
		select admitted_at - created_at from message where admitted_at is not null order by 1`))
	admitted = must(pgx.CollectRows(rows, pgx.RowTo[time.Duration]))
	if waiting != limitClients*limitEach-len(sent) || len(admitted) != len(sent) {
		failf("%d messages were admitted and %d wait, of %d", len(admitted), waiting, limitClients*limitEach)
	}
	return admitted, waiting, posts, lasted
}

// create lets the clients create messages, each to a new recipient, and adds their IDs to queued. It returns the times
// of the requests, sorted.
func (t *texting) create(ctx context.Context, servers []*process, queued map[string]bool) (all []time.Duration) {
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for client := range limitClients {
		server := servers[client%len(servers)]
		group.Go(func() error {
			for i := range limitEach {
				body, err := json.Marshal(map[string]any{
					"external_id": numberIDOf(fastLine),
					"to_number":   phoneNumber(limitFilled + client*limitEach + i),
					"template":    map[string]any{"name": "heads_up", "language": "en_US"},
				})
				if err != nil {
					return err
				}
				request := t.post(server, "/messages", body, http.StatusCreated)
				message, took, err := read[struct{ ID string }](ctx, request)
				if err != nil {
					return err
				}
				mu.Lock()
				queued[message.ID] = true
				all = append(all, took)
				mu.Unlock()
			}
			return nil
		})
	}
	check(group.Wait())
	slices.Sort(all)
	return all
}
