package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const (
	quotaAim = 50 * time.Millisecond

	sendWarm = 2000   // messages before, for plans and caches
	sendMany = 20_000 // messages measured
	sendAim  = 1000.0 // a second

	limitTier    = 10_000
	limitFilled  = 9_000 // recipients in the window before
	limitClients = 50
	limitEach    = 40 // messages that each of them creates: twice as many as may go
	limitKeys    = 400
)

// readQuota asks for the quota of a number whose window is full.
func readQuota(ctx context.Context, l *lab, o options) error {
	t, err := l.texting(ctx, "bench_quota", readKeys)
	if err != nil {
		return err
	}
	defer t.close()
	if err := errors.Join(t.connect(ctx, fastLine), t.fillWindow(ctx, fastLine, windowFull)); err != nil {
		return err
	}
	server, err := t.serve(ctx)
	if err != nil {
		return err
	}
	defer server.stop()
	address := strings.TrimPrefix(server.url, "http://")
	quota := &target{path: "/api/v1/campaigns/quota", key: t.key, holds: fmt.Appendf(nil, `"used_24h":%d`, windowFull)}
	if _, err := hammer(ctx, address, quota, time.Second); err != nil {
		return err
	}
	section("Reading the quota")
	out := newTable("round", "`GET /campaigns/quota`", "p50", "p99", "most", "CPU: server, PostgreSQL")
	var worst []time.Duration
	for round := range o.rounds {
		var read *answers
		var cpu string
		err := l.profile(ctx, server, "quota", readFor, func() (err error) {
			cpu, err = l.spent(server, func() (n int, err error) {
				read, err = hammer(ctx, address, quota, readFor)
				return read.len(), err
			})
			return err
		})
		if err != nil {
			return fmt.Errorf("%w\nserver: %s", err, server.tail())
		}
		worst = append(worst, read.at(0.99))
		out.row(fmt.Sprint(round+1), count(int(read.perSecond()))+"/s", ms(read.at(0.50)), ms(read.at(0.99)), ms(read.took[read.len()-1]), cpu)
	}
	out.print()
	fmt.Printf("\np99, median of %d rounds: %s (aim %s, %s). %d connections, %s each, %s distinct recipients in the window of one number. Every answer was a 2xx with that count. The operator is a separate process and is asked as often as in production: the first %d times in 10 s, then when its last answer is 5 s old.\n",
		o.rounds, ms(median(worst)), ms(quotaAim), met(median(worst) <= quotaAim), readers, readFor, count(windowFull), 10)
	return nil
}

// sendMessages drains a queue of messages, of many numbers and of one fast one.
func sendMessages(ctx context.Context, l *lab, o options) error {
	section("Sending messages")
	out := newTable("run", "numbers", "sent", "queued to accepted: p50", "p99", "CPU s per 1,000: server", "PostgreSQL", "operator")
	many := make([]int, slowLines)
	for i := range many {
		many[i] = i
	}
	var rates []float64
	for round := range o.rounds {
		for _, from := range [][]int{many, {fastLine}} {
			rate, cells, err := sendOnce(ctx, l, fmt.Sprintf("bench_send_%d_%d", round, len(from)), from)
			if err != nil {
				return err
			}
			if len(from) > 1 {
				rates = append(rates, rate)
			}
			out.row(append([]string{fmt.Sprint(round + 1)}, cells...)...)
		}
	}
	out.print()
	fmt.Printf("\nSent by %d numbers, median of %d runs: %s/s (aim %s/s, %s). %s messages to as many recipients were queued at once. The operator's record gives the time from the first to the last accepted message. No message was sent twice or lost. Each of the %d numbers takes 80 messages a second and has its own limit. The single number takes 1,000 messages a second. The CPU includes the two or three signed webhooks by which the operator reports on each message.\n",
		slowLines, o.rounds, count(int(median(rates))), count(int(sendAim)), met(median(rates) >= sendAim), count(sendMany), slowLines)
	return nil
}

func sendOnce(ctx context.Context, l *lab, name string, from []int) (rate float64, cells []string, err error) {
	t, err := l.texting(ctx, name, 0)
	if err != nil {
		return 0, nil, err
	}
	defer t.close()
	if err := t.connect(ctx, from...); err != nil {
		return 0, nil, err
	}
	server, err := t.serve(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer server.stop()
	if _, err := t.drain(ctx, from, 0, sendWarm); err != nil {
		return 0, nil, fmt.Errorf("%w\nserver: %s", err, server.tail())
	}
	if err := t.analyze(ctx); err != nil {
		return 0, nil, err
	}
	before, err := t.cpu(l, server, t.operator)
	if err != nil {
		return 0, nil, err
	}
	var r drained
	err = l.profile(ctx, server, fmt.Sprintf("send-%d", len(from)), sendMany/sendAim*time.Second, func() (err error) {
		r, err = t.drain(ctx, from, sendWarm, sendMany)
		return err
	})
	if err != nil {
		return 0, nil, fmt.Errorf("%w\nserver: %s", err, server.tail())
	}
	after, err := t.cpu(l, server, t.operator)
	if err != nil {
		return 0, nil, err
	}
	cells = []string{fmt.Sprint(len(from)), count(int(r.perSecond)) + "/s", seconds(percentile(r.waited, 0.50)), seconds(percentile(r.waited, 0.99))}
	for i := range after {
		cells = append(cells, fmt.Sprintf("%.2f", (after[i]-before[i]).Seconds()*1000/sendMany))
	}
	return r.perSecond, cells, nil
}

// drained is how a queue was sent.
type drained struct {
	perSecond float64
	waited    []time.Duration // from when the messages were queued, sorted
}

// drain queues n messages, to recipients from the first on, and waits until the
// operator has accepted all of them and told what became of them.
func (t *texting) drain(ctx context.Context, from []int, first, n int) (r drained, err error) {
	external := make([]string, len(from))
	for i, line := range from {
		external[i] = numberIDOf(line)
	}
	ids, recipients := make([]uuid.UUID, n), make([]string, n)
	queued := make(map[string]bool, n)
	for i := range ids {
		ids[i], recipients[i] = uuid.Must(uuid.NewV7()), phoneNumber(first+i)
		queued[ids[i].String()] = true
	}
	_, err = t.pool.Exec(ctx, `
		insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name, template_language, due_at)
		select m.id, n.organization_id, n.id, n.scope_id, n.organization_id, m.phone_number, 'heads_up', 'en_US', clock()
		from unnest(@ids::uuid[], @recipients::text[]) with ordinality m (id, phone_number, place)
		join unnest(@numbers::text[]) with ordinality f (external_id, turn) on f.turn = 1 + m.place % @of
		join messaging_number n on n.external_id = f.external_id`,
		pgx.NamedArgs{"ids": ids, "recipients": recipients, "numbers": external, "of": len(external)})
	if err != nil {
		return r, fmt.Errorf("queue %d messages: %w", n, err)
	}
	at := time.Now() // of the commit; a server sees them then
	if err := t.settled(ctx); err != nil {
		return r, err
	}
	sends, err := t.sends(ctx)
	if err != nil {
		return r, err
	}
	accepted, err := once(sends, queued)
	if err != nil {
		return r, err
	}
	if len(accepted) != n {
		return r, fmt.Errorf("%d of %d messages were sent, the others were lost", len(accepted), n)
	}
	var known int
	err = t.pool.QueryRow(ctx, `select count(*) from message where id = any($1) and status in ('delivered', 'read')`, ids).Scan(&known)
	if err != nil {
		return r, err
	}
	if known != n {
		return r, fmt.Errorf("of %d messages only %d are known to have arrived", n, known)
	}
	for _, s := range accepted {
		r.waited = append(r.waited, s.At.Sub(at))
	}
	r.perSecond = float64(n-1) / accepted[n-1].At.Sub(accepted[0].At).Seconds()
	slices.Sort(r.waited)
	return r, nil
}

// reachLimit has many clients of two servers create more messages than the limit
// of a number allows. A message more or less than that fails it.
func reachLimit(ctx context.Context, l *lab, o options) error {
	section("Many senders at a limit")
	out := newTable("run", "admitted", "waiting", "created to admitted: p50", "p99", "most", "`POST /messages`", "p50", "p99")
	for round := range o.rounds {
		cells, err := limitOnce(ctx, l, round)
		if err != nil {
			return err
		}
		out.row(append([]string{fmt.Sprint(round + 1)}, cells...)...)
	}
	out.print()
	fmt.Printf("\n%d clients of two servers create %s messages, each client one after the other, on one number that has %s of its %s recipients left. The operator's record shows exactly that many messages. The number takes 1,000 messages a second.\n",
		limitClients, count(limitClients*limitEach), count(limitTier-limitFilled), count(limitTier))
	return nil
}

func limitOnce(ctx context.Context, l *lab, round int) ([]string, error) {
	t, err := l.texting(ctx, fmt.Sprintf("bench_limit_%d", round), limitKeys)
	if err != nil {
		return nil, err
	}
	defer t.close()
	err = t.ask(ctx, http.MethodPut, "/sandbox/tier?account="+accountOf(fastLine)+"&tier=TIER_10K", nil, nil)
	if err == nil {
		err = t.connect(ctx, fastLine)
	}
	if err == nil {
		err = t.fillWindow(ctx, fastLine, limitFilled)
	}
	if err != nil {
		return nil, err
	}
	var servers []*process
	for range 2 {
		server, err := t.serve(ctx)
		if err != nil {
			return nil, err
		}
		defer server.stop()
		servers = append(servers, server)
	}
	var posts []time.Duration
	queued := map[string]bool{}
	var lasted time.Duration
	err = l.profile(ctx, servers[0], "limit", 5*time.Second, func() (err error) {
		began := time.Now()
		posts, err = t.create(ctx, servers, queued)
		lasted = time.Since(began)
		return err
	})
	if err == nil {
		err = t.settled(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%w\nserver: %s", err, servers[0].tail())
	}
	sends, err := t.sends(ctx)
	if err != nil {
		return nil, err
	}
	accepted, err := once(sends, queued)
	if err != nil {
		return nil, err
	}
	if free := limitTier - limitFilled; len(accepted) != free {
		return nil, fmt.Errorf("%d messages reached the operator, and %d were allowed", len(accepted), free)
	}
	waiting, took, err := t.admissions(ctx)
	if err != nil {
		return nil, err
	}
	if waiting != limitClients*limitEach-len(accepted) || len(took) != len(accepted) {
		return nil, fmt.Errorf("%d messages were admitted and %d wait, of %d", len(took), waiting, limitClients*limitEach)
	}
	return []string{
		count(len(took)), count(waiting), ms(percentile(took, 0.50)), ms(percentile(took, 0.99)), ms(took[len(took)-1]),
		count(int(float64(len(posts))/lasted.Seconds())) + "/s", ms(percentile(posts, 0.50)), ms(percentile(posts, 0.99)),
	}, nil
}

// create has the clients create messages, each to somebody new, and adds the
// ids to queued. The times of the requests come back sorted.
func (t *texting) create(ctx context.Context, servers []*process, queued map[string]bool) ([]time.Duration, error) {
	var (
		wait   sync.WaitGroup
		mu     sync.Mutex
		all    []time.Duration
		failed error
	)
	for client := range limitClients {
		base := servers[client%len(servers)].url
		wait.Go(func() {
			for i := range limitEach {
				id, took, err := t.createOne(ctx, base, phoneNumber(limitFilled+client*limitEach+i))
				mu.Lock()
				if err != nil {
					failed = err
				} else {
					queued[id.String()] = true
					all = append(all, took)
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	wait.Wait()
	slices.Sort(all)
	return all, failed
}

func (t *texting) createOne(ctx context.Context, base, to string) (id uuid.UUID, took time.Duration, err error) {
	body, err := json.Marshal(map[string]any{
		"external_id": numberIDOf(fastLine), "to_number": to, "template": map[string]any{"name": "heads_up", "language": "en_US"},
	})
	if err != nil {
		return uuid.Nil, 0, err
	}
	var answer struct{ ID uuid.UUID }
	took, err = t.do(ctx, http.MethodPost, base+"/api/v1/messages", body, http.StatusCreated, &answer)
	return answer.ID, took, err
}

// admissions tells how long each message that was created through the API waited
// to be admitted, sorted, and how many still wait for a slot.
func (t *texting) admissions(ctx context.Context) (waiting int, took []time.Duration, err error) {
	err = t.pool.QueryRow(ctx, `select count(*) from message where status = 'queued' and wait_reason = 'quota'`).Scan(&waiting)
	if err != nil {
		return 0, nil, fmt.Errorf("count who waits: %w", err)
	}
	rows, err := t.pool.Query(ctx, `select admitted_at - created_at from message where admitted_at is not null order by 1`)
	if err != nil {
		return 0, nil, fmt.Errorf("read admissions: %w", err)
	}
	took, err = pgx.CollectRows(rows, pgx.RowTo[time.Duration])
	if err != nil {
		return 0, nil, fmt.Errorf("read admissions: %w", err)
	}
	return waiting, took, nil
}
