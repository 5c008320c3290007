package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/dialwright/dialwright/internal/call"
)

const chunk = 10_000 // calls that are written at a time

// fill writes a history of that many calls over ninety days: nine of ten in one
// campaign, the others in campaigns of a hundred, with recipients to match; and
// what is looked through beside them: do-not-call entries, agents, numbers. The
// schema is the same afterwards.
func (s *site) fill(ctx context.Context, calls int) (history, error) {
	h := history{calls: calls}
	before, err := s.schema(ctx)
	if err == nil {
		err = s.write(ctx, &h)
	}
	if err != nil {
		return h, fmt.Errorf("fill the database with %d calls: %w", calls, err)
	}
	after, err := s.schema(ctx)
	if err != nil {
		return h, err
	}
	if !slices.Equal(before, after) {
		return h, fmt.Errorf("filling has changed the schema: %q were there, %q are", before, after)
	}
	return h, s.checkHistory(ctx, h)
}

// schema is what filling takes away for a while, or adds.
func (s *site) schema(ctx context.Context) ([]string, error) {
	rows, err := s.pool.Query(ctx, `
		select indexrelid::regclass || ' ' || indisvalid || ' ' || pg_get_indexdef(indexrelid) from pg_index i join pg_class c on c.oid = indexrelid
		where c.relnamespace = 'public'::regnamespace
		union all
		select conrelid::regclass || ' ' || conname || ' ' || convalidated || ' ' || pg_get_constraintdef(oid) from pg_constraint
		where connamespace = 'public'::regnamespace
		union all
		select tgenabled::text || ' ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
		union all
		select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
		order by 1`)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func (s *site) write(ctx context.Context, h *history) error {
	small := h.calls / 10 / smallCalls
	args := pgx.NamedArgs{
		"org": s.organization, "project": s.project, "agent": s.agent, "connection": s.connection, "number": s.number,
		"calls": h.calls, "small": small, "large_recipients": h.calls * 9 / 100, "small_calls": smallCalls,
		"others": otherAgents, "live": liveCalls, "from": time.Now().Add(-historyDays * 24 * time.Hour).UTC().Truncate(time.Millisecond),
		"step": time.Duration(historyDays) * 24 * time.Hour / time.Duration(h.calls+1),
	}
	indexes, err := s.dropIndexes(ctx, filled)
	if err != nil {
		return err
	}
	for _, sql := range []string{sqlID, sqlWords, sqlAgents, sqlNumbers, sqlCampaigns, sqlLive} {
		if err := s.bulk(ctx, sql, args); err != nil {
			return err
		}
	}
	var chunks []job
	for first := 1; first <= h.calls; first += chunk {
		chunks = append(chunks, func(ctx context.Context) error {
			args := maps.Clone(args)
			args["first"], args["last"] = first, min(first+chunk-1, h.calls)
			return s.bulk(ctx, sqlCalls, args)
		})
	}
	if err := together(ctx, "calls", chunks); err != nil {
		return err
	}

	// The index of words takes as long as all the others do, so it is begun first.
	var rest []job
	for _, i := range indexes {
		if i.Indexname == "call_search_keys" {
			rest = append(rest, i.build(s))
		}
	}
	then := func(table, sql string) job {
		return func(ctx context.Context) error {
			if err := s.bulk(ctx, sql, args); err != nil {
				return err
			}
			for _, i := range indexes {
				if i.Tablename == table {
					if err := i.build(s)(ctx); err != nil {
						return err
					}
				}
			}
			return nil
		}
	}
	rest = append(rest, then("recipient", sqlRecipients), then("do_not_call", sqlDoNotCall), func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return call.Recount(ctx, tx, s.organization) })
	})
	for _, i := range indexes {
		if (i.Tablename == "call" || i.Tablename == "call_search") && i.Indexname != "call_search_keys" {
			rest = append(rest, i.build(s))
		}
	}
	if err := together(ctx, "what belongs to them", rest); err != nil {
		return err
	}
	err = s.pool.QueryRow(ctx, `
		select bench_id(@from::timestamptz, 'campaign0'), bench_id(@from::timestamptz + @step::interval, 'campaign1')`, args).Scan(&h.large, &h.small)
	if err != nil {
		return err
	}
	if _, err = s.pool.Exec(ctx, `drop function bench_id; drop function bench_words`); err != nil {
		return err
	}
	return s.settleDown(ctx)
}

// settleDown leaves nothing for PostgreSQL to do later, while others measure.
func (s *site) settleDown(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, `
		select oid::regclass::text from pg_class
		where relkind in ('r', 'm') and relnamespace in ('public'::regnamespace, 'pg_catalog'::regnamespace) and not relisshared
		order by relpages desc`)
	if err != nil {
		return err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	var jobs []job
	for _, table := range tables {
		jobs = append(jobs, func(ctx context.Context) error {
			_, err := s.pool.Exec(ctx, `vacuum analyze `+table)
			return err
		})
	}
	if err := together(ctx, "statistics", jobs); err != nil {
		return err
	}
	_, err = s.pool.Exec(ctx, `checkpoint`)
	return err
}

// job is a part of the work that needs no other.
type job func(ctx context.Context) error

// together does jobs, as many at a time as a site has connections, and begins
// them in their order.
func together(ctx context.Context, what string, jobs []job) error {
	began, told := time.Now(), time.Now()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(siteConnections)
	for i, do := range jobs {
		group.Go(func() error { return do(ctx) })
		if time.Since(told) > time.Minute {
			told = time.Now()
			progress("%s: %d of %d parts begun", what, i+1, len(jobs))
		}
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("write %s: %w", what, err)
	}
	if took := time.Since(began); took > 10*time.Second {
		progress("%s: %s", what, took.Round(time.Second))
	}
	return nil
}

// bulk runs a statement that writes many rows.
func (s *site) bulk(ctx context.Context, sql string, args ...any) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		// Foreign keys are right by construction, and what triggers do is written
		// with the calls. Nothing waits for the disk: a history that is cut off is
		// written anew.
		_, err := tx.Exec(ctx, `
			set local session_replication_role = replica;
			set local synchronous_commit = off;
			set local work_mem = '256MB';
			set local maintenance_work_mem = '1GB';
			set local max_parallel_maintenance_workers = 0`)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, sql, args...)
		return err
	})
}

// index is one that is made when its table is full.
type index struct{ Tablename, Indexname, Indexdef string }

func (i index) build(s *site) job {
	return func(ctx context.Context) error {
		if err := s.bulk(ctx, i.Indexdef); err != nil {
			return fmt.Errorf("make the index %s: %w", i.Indexname, err)
		}
		return nil
	}
}

// dropIndexes drops the indexes of tables about to be filled that no constraint
// needs.
func (s *site) dropIndexes(ctx context.Context, tables []string) ([]index, error) {
	rows, err := s.pool.Query(ctx, `
		select tablename, indexname, indexdef from pg_indexes
		where schemaname = 'public' and tablename = any($1) and not exists (select from pg_constraint where conname = indexname)
		order by 1, 2`, tables)
	if err != nil {
		return nil, err
	}
	dropped, err := pgx.CollectRows(rows, pgx.RowToStructByPos[index])
	if err != nil {
		return nil, err
	}
	for _, i := range dropped {
		if _, err := s.pool.Exec(ctx, `drop index `+i.Indexname); err != nil {
			return nil, err
		}
	}
	return dropped, nil
}

// checkHistory makes sure that the history is what the benchmarks take it for.
func (s *site) checkHistory(ctx context.Context, h history) error {
	var calls, large, small, recipients, orphans int
	err := s.pool.QueryRow(ctx, `
		select count(*) filter (where ended_at is not null), count(*) filter (where campaign_id = $1), count(*) filter (where campaign_id = $2),
		       (select count(*) from recipient where campaign_id = $1),
		       (select count(*) from recipient r where not exists (select from campaign c where c.id = r.campaign_id))
		from call`, h.large, h.small).Scan(&calls, &large, &small, &recipients, &orphans)
	if err != nil {
		return fmt.Errorf("count the history: %w", err)
	}
	if calls != h.calls || large != h.calls*9/10 || small != smallCalls || recipients != h.calls*9/100 || orphans != 0 {
		return fmt.Errorf("the history is not as meant: %d calls, %d and %d of them in the two campaigns, %d recipients, %d of no campaign",
			calls, large, small, recipients, orphans)
	}
	return nil
}
