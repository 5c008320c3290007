package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/plans"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	fewDue       = 1000
	manyDue      = 1_000_000
	claimHooks   = 500 // that have due rows; many more wait for retries
	waitingHooks = 10_000
	claimFor     = 5 * time.Second
)

// claims compares what the engine's claims cost with few and with many due
// rows, and with many webhooks that only wait for a retry.
func claims(ctx context.Context, l *lab, _ options) error {
	section("Claims")
	out := newTable("due rows", "webhooks that wait for retries", "walk: median", "blocks of each webhook", "take: median", "time of each row", "blocks of each row", "rows taken")
	for _, c := range []struct{ due, waiting int }{{fewDue, 0}, {manyDue, waitingHooks}} {
		if err := claimOnce(ctx, l, c.due, c.waiting, out); err != nil {
			return err
		}
	}
	out.print()
	fmt.Printf("\nThe due rows belong to %d webhooks. One engine delivers for up to %s to an endpoint that answers at once. PostgreSQL measured the times with its own instrumentation.\n", claimHooks, claimFor)
	return nil
}

func claimOnce(ctx context.Context, l *lab, due, waiting int, out *table) error {
	s, err := l.site(ctx, fmt.Sprintf("bench_claim_%d_%d", due, waiting), 0)
	if err != nil {
		return err
	}
	defer s.close(l)
	if err := s.queue(ctx, l, due, waiting); err != nil {
		return err
	}
	w, err := plans.Watch(ctx, s.pool)
	if errors.Is(err, plans.ErrUnavailable) {
		fmt.Printf("\nNo claims: %v.\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer w.Pool.Close()
	delivering, stop := context.WithTimeout(ctx, claimFor)
	defer stop()
	engine := webhook.NewEngine(webhook.EngineOptions{
		Pool:      w.Pool,
		Hub:       postgres.LocalHub(),
		Vault:     l.vault,
		Transport: unconnected,
		Log:       slog.New(slog.DiscardHandler),
	})
	if err := engine.Run(delivering); err != nil {
		return err
	}
	seen, err := w.Take()
	if err != nil {
		return err
	}
	var walks, takes []plans.Plan
	for _, p := range seen {
		switch {
		case strings.HasPrefix(p.Query, "with recursive walk"):
			walks = append(walks, p)
		case strings.HasPrefix(p.Query, "with picked"):
			takes = append(takes, p)
		}
	}
	var delivered int
	if err := s.pool.QueryRow(ctx, `select count(*) from delivery where status = 'succeeded'`).Scan(&delivered); err != nil {
		return fmt.Errorf("count what was delivered: %w", err)
	}
	if delivered < fewDue || len(walks) == 0 || len(takes) == 0 {
		return fmt.Errorf("%d deliveries in %d claims", delivered, len(takes))
	}
	var walkTimes, takeTimes []time.Duration
	var spent time.Duration
	walkBlocks, takeBlocks := 0, 0
	for _, p := range walks {
		walkTimes, walkBlocks = append(walkTimes, p.Took), max(walkBlocks, p.Blocks)
	}
	for _, p := range takes {
		takeTimes, takeBlocks = append(takeTimes, p.Took), takeBlocks+p.Blocks
		spent += p.Took
	}
	out.row(count(due), count(waiting), ms(median(walkTimes)), fmt.Sprint(walkBlocks/256), ms(median(takeTimes)),
		fmt.Sprintf("%.0f µs", float64(spent.Microseconds())/float64(delivered)), fmt.Sprint(takeBlocks/delivered), count(delivered))
	return nil
}

// queue writes due rows of webhooks in turn, and a retry of each of some others.
func (s *site) queue(ctx context.Context, l *lab, due, waiting int) error {
	hooks := make([][]any, 0, claimHooks+waiting)
	for i := range claimHooks + waiting {
		id := uuid.New() // not in the order of their making
		sealed := l.vault.Seal(make([]byte, webhook.SecretSize), account.Cell{Organization: s.OrganizationID, Table: "webhook", Column: "secret", Row: id.String()})
		hooks = append(hooks, []any{id, s.OrganizationID, fmt.Sprint(i), "http://receiver.example/", []string{"*"}, sealed})
	}
	if _, err := s.pool.CopyFrom(ctx, pgx.Identifier{"webhook"}, []string{"id", "organization_id", "name", "url", "events", "secret"}, pgx.CopyFromRows(hooks)); err != nil {
		return fmt.Errorf("write webhooks: %w", err)
	}
	each := max(due/claimHooks, 1)
	batch := &pgx.Batch{}
	batch.Queue(`
		insert into event (id, organization_id, type, subject_id, payload, created_at)
		select gen_random_uuid(), $1, 'call.completed', gen_random_uuid(), repeat('x', 700), clock() from generate_series(1, $2::int)`, s.OrganizationID, each)
	batch.Queue(`
		insert into delivery (id, organization_id, webhook_id, event_id, event_type)
		select gen_random_uuid(), $1, w.id, e.id, e.type from (select id from webhook where name::int < $2) w, event e`, s.OrganizationID, claimHooks)
	batch.Queue(`insert into delivery_due (delivery_id, webhook_id, due_at) select id, webhook_id, clock() from delivery`)
	batch.Queue(`
		insert into delivery_due (delivery_id, webhook_id, due_at, state, step)
		select gen_random_uuid(), id, clock() + interval '1 hour', 'waiting', 2 from webhook where name::int >= $1`, claimHooks)
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("fill the queue: %w", err)
	}
	return s.analyze(ctx)
}

// unconnected is a transport to endpoints that answer without a network.
func unconnected() *http.Transport {
	t := &http.Transport{}
	t.RegisterProtocol("http", answering{})
	t.RegisterProtocol("https", answering{})
	return t
}

type answering struct{}

func (answering) RoundTrip(r *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, r.Body) // from memory
	return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}
