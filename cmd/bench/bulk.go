package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
)

// history is what a database was filled with.
type history struct {
	calls int
	large uuid.UUID // the campaign that nine of ten calls belong to: ten attempts for each of its recipients
	small uuid.UUID // one of those with a hundred calls
}

// The parts of history that do not grow with it.
const (
	smallCalls  = 100 // in each small campaign
	liveCalls   = 40  // have not ended
	otherAgents = 19  // and as many numbers, beside the site's own
	historyDays = 90
)

// sqlID makes an id as the product's are: a UUIDv7 of a time, here with digits
// that are drawn from a text instead of chance.
const sqlID = `
	create or replace function bench_id(at timestamptz, seed text) returns uuid language sql immutable as $$
		select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(seed), 1, 3)
		        || '8' || substr(md5(seed), 4, 15))::uuid
	$$`

// sqlWords makes what a person says: forty words of a vocabulary of twenty
// thousand, drawn as Zipf found words to be: the n-th most common one n times
// less often than the first.
const sqlWords = `
	create or replace function bench_words(n int) returns text language sql immutable as $$
		select string_agg('w' || translate(floor(power(20000, (hashint8extended(n::bigint * 64 + k, 0) & 1048575) / 1048576.0))::int::text, '0123456789', 'abcdefghij'), ' ')
		from generate_series(1, 40) k
	$$`

// fill writes a history of that many calls over ninety days: nine of ten in one
// campaign, the others in campaigns of a hundred, with recipients to match; and
// what is looked through beside them: do-not-call entries, agents, numbers.
func (s *site) fill(ctx context.Context, calls int) (history, error) {
	h := history{calls: calls}
	small := calls / 10 / smallCalls
	args := pgx.NamedArgs{
		"org": s.organization, "project": s.project, "agent": s.agent, "connection": s.connection, "number": s.number,
		"calls": calls, "small": small, "large_recipients": calls * 9 / 100, "small_calls": smallCalls,
		"others": otherAgents, "live": liveCalls, "from": time.Now().Add(-historyDays * 24 * time.Hour).UTC().Truncate(time.Millisecond),
		"step": time.Duration(historyDays) * 24 * time.Hour / time.Duration(calls+1),
	}
	steps := []struct{ what, sql string }{
		{"ids", sqlID},
		{"words", sqlWords},
		{"agents", `
			insert into agent (id, organization_id, name, language, script)
			select bench_id(@from::timestamptz, 'agent' || i), @org, 'Agent ' || i, 'en-US', script
			from generate_series(1, @others::int) i, (select script from agent where id = @agent) a`},
		{"numbers", `
			insert into phone_number (id, organization_id, connection_id, phone_number)
			select bench_id(@from::timestamptz, 'number' || i), @org, @connection, '+1500555' || lpad((1000 + i)::text, 4, '0')
			from generate_series(1, @others::int) i`},
		{"campaigns", `
			insert into campaign (id, organization_id, project_id, agent_id, phone_number_id, connection_id, name, status, ended_reason,
				scheduled_at, calling_hours, max_concurrency, calls_per_second, max_attempts, retry_delays, retry_on, voicemail_action,
				ring_timeout_seconds, max_duration_seconds, total, completed, failed, calls_placed, calls_answered, outcomes, created_at, started_at, ended_at)
			select bench_id(at, 'campaign' || i), @org, @project, @agent, @number, @connection, 'Campaign ' || i, 'completed', 'completed',
				at, (select calling_hours from project where id = @project), 10, 1, 10, '{1}', '{busy,no_answer,failed}', 'hang_up', 30, 600,
				n, n * 2 / 3, n - n * 2 / 3, placed, placed * 2 / 3, jsonb_build_object('completed', placed * 2 / 3, 'failed', placed - placed * 2 / 3), at, at, at + interval '1 day'
			from generate_series(0, @small::int) i,
				lateral (select @from::timestamptz + i * @step::interval as at,
				                case i when 0 then @large_recipients::int else @small_calls::int end as n,
				                case i when 0 then @calls::int * 9 / 10 else @small_calls::int end as placed) k`},
		// The n-th call: of the large campaign unless n is a multiple of ten.
		{"calls", `
			insert into call (id, organization_id, project_id, campaign_id, recipient_id, attempt, agent_id, phone_number_id, connection_id,
				carrier, carrier_call_id, from_number, to_number, recipient_name, status, outcome, ended_reason, ended_by, answered_by,
				ring_timeout_seconds, max_duration_seconds, variables, metadata, analysis, transcript_text,
				created_at, started_at, ringing_at, answered_at, ended_at, heard_at, settle_after, settled_at)
			select bench_id(at, 'call' || n), @org, @project,
				case when large then bench_id(@from::timestamptz, 'campaign0')
				     else bench_id(@from::timestamptz + (1 + n / 10 % @small::int) * @step::interval, 'campaign' || (1 + n / 10 % @small::int)) end,
				bench_id(@from::timestamptz, 'recipient' || person), case when large then 1 + n / 10 / (@large_recipients::int / 9) else 1 end,
				case n % 20 when 0 then @agent::uuid else bench_id(@from::timestamptz, 'agent' || n % 20) end,
				case n % 20 when 0 then @number::uuid else bench_id(@from::timestamptz, 'number' || n % 20) end,
				@connection, 'sandbox', 'CA' || md5('call' || n), '+15005550100', '+1212' || lpad((2000000 + person)::text, 7, '0'), 'Person ' || person,
				case when outcome = 'voicemail' then 'completed' else outcome end, outcome, 'recipient_hung_up', 'recipient',
				case outcome when 'completed' then 'human' when 'voicemail' then 'machine' end,
				30, 600, jsonb_build_object('date', '2026-03-01', 'name', 'Person ' || person), jsonb_build_object('row', n),
				case when outcome = 'completed' then jsonb_build_object('status', 'completed', 'summary', 'They are coming.', 'answers', jsonb_build_object('coming', true, 'guests', n % 5),
					'sentiment', 'neutral', 'successful', true, 'opt_out', false) end,
				case when outcome = 'completed' then E'Agent: Hello Person ' || person || E', this is the clinic.\nAgent: Are you coming tomorrow?\nRecipient: Yes, I am.\n'
					|| E'Agent: How many people do you bring?\nRecipient: ' || n % 5 || '. ' || bench_words(n) || E'\nAgent: Thank you, good-bye.'
					|| case when n % (@calls::int / 50) in (2, 3) then E'\nRecipient: An aardvark!' else '' end else '' end,
				at, at, at + interval '1 second',
				case when outcome in ('completed', 'voicemail') then at + interval '5 seconds' end,
				at + (10 + n % 300) * interval '1 second', at, at, at + interval '1 minute'
			from generate_series(1, @calls::int) n,
				lateral (select @from::timestamptz + n * @step::interval as at, n % 10 <> 0 as large,
				                -- Nine persons in ten calls, in turn, are of the large campaign.
				                case when n % 10 <> 0 then (n / 10 * 9 + n % 10 - 1) % @large_recipients::int
				                     else @large_recipients::int + n / 10 end as person,
				                (array['completed','completed','completed','no_answer','voicemail','completed','busy','completed','failed','completed','no_answer','completed','voicemail'])[1 + n % 13] as outcome) k`},
		// What a trigger does where there are not so many.
		{"words of transcripts", `
			insert into call_search (call_id, organization_id, created_at, campaign_id, agent_id, phone_number_id, language, document)
			select id, organization_id, created_at, campaign_id, agent_id, phone_number_id, 'english', to_tsvector('english', search_text(transcript_text))
			from call where transcript_text <> '' order by created_at`},
		{"recipients", `
			insert into recipient (id, organization_id, campaign_id, phone_number, name, zones, zone_source, status, attempts, last_call_id, outcome, created_at)
			select distinct on (recipient_id) recipient_id, organization_id, campaign_id, to_number, recipient_name, array['America/New_York'], 'number',
				case outcome when 'completed' then 'completed' else 'failed' end, attempt, id, outcome, @from::timestamptz
			from call order by recipient_id, created_at desc`},
		{"live calls", `
			insert into call (id, organization_id, project_id, campaign_id, agent_id, phone_number_id, connection_id, carrier, from_number, to_number,
				status, ring_timeout_seconds, max_duration_seconds)
			select bench_id(clock(), 'live' || i), @org, @project, null, @agent, @number, @connection, 'sandbox', '+15005550100', '+1305' || 2000000 + i,
				case when i % 2 = 0 then 'ringing' else 'in_progress' end, 30, 600
			from generate_series(1, @live::int) i`},
		{"do-not-call entries", `
			insert into do_not_call (id, organization_id, phone_number, source, created_at)
			select bench_id(at, 'dnc' || n), @org, '+1415' || 2000000 + n, 'import', at
			from generate_series(1, @calls::int / 10) n, lateral (select @from::timestamptz + n * 10 * @step::interval as at) k`},
	}
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		// Foreign keys of a million rows are checked by what follows.
		if _, err := tx.Exec(ctx, `set local session_replication_role = replica`); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `set local maintenance_work_mem = '512MB'; set local work_mem = '256MB'`); err != nil {
			return err
		}
		rebuild, err := dropIndexes(ctx, tx, "call", "call_search", "recipient", "do_not_call")
		if err != nil {
			return err
		}
		for _, step := range steps {
			if _, err := tx.Exec(ctx, step.sql, args); err != nil {
				return fmt.Errorf("write %s: %w", step.what, err)
			}
		}
		if err := call.Recount(ctx, tx, s.organization); err != nil {
			return err
		}
		return rebuild()
	})
	if err != nil {
		return h, fmt.Errorf("fill the database with %d calls: %w", calls, err)
	}
	err = s.pool.QueryRow(ctx, `
		select bench_id(@from::timestamptz, 'campaign0'), bench_id(@from::timestamptz + @step::interval, 'campaign1')`, args).Scan(&h.large, &h.small)
	if err != nil {
		return h, err
	}
	return h, s.checkHistory(ctx, h)
}

// dropIndexes drops the indexes of tables about to be filled that no constraint
// needs, and returns what makes them again.
func dropIndexes(ctx context.Context, tx pgx.Tx, tables ...string) (rebuild func() error, err error) {
	rows, err := tx.Query(ctx, `
		select indexname, indexdef from pg_indexes
		where schemaname = 'public' and tablename = any($1) and not exists (select from pg_constraint where conname = indexname)`, tables)
	if err != nil {
		return nil, err
	}
	type index struct{ Indexname, Indexdef string }
	dropped, err := pgx.CollectRows(rows, pgx.RowToStructByPos[index])
	if err != nil {
		return nil, err
	}
	for _, i := range dropped {
		if _, err := tx.Exec(ctx, `drop index `+i.Indexname); err != nil {
			return nil, err
		}
	}
	return func() error {
		for _, i := range dropped {
			if _, err := tx.Exec(ctx, i.Indexdef); err != nil {
				return fmt.Errorf("make the index %s: %w", i.Indexname, err)
			}
		}
		return nil
	}, nil
}

// checkHistory makes sure that the history is what the benchmarks take it for.
func (s *site) checkHistory(ctx context.Context, h history) error {
	if err := s.analyze(ctx); err != nil {
		return err
	}
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
