package main

import "github.com/google/uuid"

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
		select string_agg('w' || translate(floor(power(20000::float8, (hashint8extended(n::bigint * 64 + k, 0) & 1048575) / 1048576::float8))::int::text, '0123456789', 'abcdefghij'), ' ')
		from generate_series(1, 40) k
	$$`

// filled are the tables that grow with the history.
var filled = []string{"call", "call_search", "recipient", "do_not_call"}

const sqlAgents = `
	insert into agent (id, organization_id, name, language, script)
	select bench_id(@from::timestamptz, 'agent' || i), @org, 'Agent ' || i, 'en-US', script
	from generate_series(1, @others::int) i, (select script from agent where id = @agent) a`

const sqlNumbers = `
	insert into phone_number (id, organization_id, connection_id, phone_number)
	select bench_id(@from::timestamptz, 'number' || i), @org, @connection, '+1500555' || lpad((1000 + i)::text, 4, '0')
	from generate_series(1, @others::int) i`

const sqlCampaigns = `
	insert into campaign (id, organization_id, project_id, agent_id, phone_number_id, connection_id, name, status, ended_reason,
		scheduled_at, calling_hours, max_concurrency, calls_per_second, max_attempts, retry_delays, retry_on, voicemail_action,
		ring_timeout_seconds, max_duration_seconds, total, completed, failed, calls_placed, calls_answered, outcomes, created_at, started_at, ended_at)
	select bench_id(at, 'campaign' || i), @org, @project, @agent, @number, @connection, 'Campaign ' || i, 'completed', 'completed',
		at, (select calling_hours from project where id = @project), 10, 1, 10, '{1}', '{busy,no_answer,failed}', 'hang_up', 30, 600,
		n, n * 2 / 3, n - n * 2 / 3, placed, placed * 2 / 3, jsonb_build_object('completed', placed * 2 / 3, 'failed', placed - placed * 2 / 3), at, at, at + interval '1 day'
	from generate_series(0, @small::int) i,
		lateral (select @from::timestamptz + i * @step::interval as at,
		                case i when 0 then @large_recipients::int else @small_calls::int end as n,
		                case i when 0 then @calls::int * 9 / 10 else @small_calls::int end as placed) k`

// sqlCalls writes calls with the words of their transcripts, which a trigger would
// write one by one. The n-th call is of the large campaign unless n is a multiple
// of ten.
const sqlCalls = `
	with c as (
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
		from generate_series(@first::int, @last::int) n,
			lateral (select @from::timestamptz + n * @step::interval as at, n % 10 <> 0 as large,
			                -- Nine persons in ten calls, in turn, are of the large campaign.
			                case when n % 10 <> 0 then (n / 10 * 9 + n % 10 - 1) % @large_recipients::int
			                     else @large_recipients::int + n / 10 end as person,
			                (array['completed','completed','completed','no_answer','voicemail','completed','busy','completed','failed','completed','no_answer','completed','voicemail'])[1 + n % 13] as outcome) k
		returning id, organization_id, created_at, campaign_id, agent_id, phone_number_id, transcript_text
	)
	insert into call_search (call_id, organization_id, created_at, campaign_id, agent_id, phone_number_id, language, document)
	select id, organization_id, created_at, campaign_id, agent_id, phone_number_id, 'english', to_tsvector('english', search_text(transcript_text))
	from c where transcript_text <> ''
	order by created_at`

const sqlRecipients = `
	insert into recipient (id, organization_id, campaign_id, phone_number, name, zones, zone_source, status, attempts, last_call_id, outcome, created_at)
	select distinct on (recipient_id) recipient_id, organization_id, campaign_id, to_number, recipient_name, array['America/New_York'], 'number',
		case outcome when 'completed' then 'completed' else 'failed' end, attempt, id, outcome, @from::timestamptz
	from call where recipient_id is not null order by recipient_id, created_at desc`

const sqlLive = `
	insert into call (id, organization_id, project_id, campaign_id, agent_id, phone_number_id, connection_id, carrier, from_number, to_number,
		status, ring_timeout_seconds, max_duration_seconds)
	select bench_id(clock(), 'live' || i), @org, @project, null, @agent, @number, @connection, 'sandbox', '+15005550100', '+1305' || 2000000 + i,
		case when i % 2 = 0 then 'ringing' else 'in_progress' end, 30, 600
	from generate_series(1, @live::int) i`

const sqlDoNotCall = `
	insert into do_not_call (id, organization_id, phone_number, source, created_at)
	select bench_id(at, 'dnc' || n), @org, '+1415' || 2000000 + n, 'import', at
	from generate_series(1, @calls::int / 10) n, lateral (select @from::timestamptz + n * 10 * @step::interval as at) k`
