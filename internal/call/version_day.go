package call

import (
	"context"
	"fmt"
	"math"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model/connection"
)

// VersionStats are the figures of the settled calls of a version of an agent in the last 30 days of the organization's
// time zone, with today.
type VersionStats struct {
	Version   *int // nil: the draft
	Calls     int  // placed
	Answered  int
	Completed int // with the outcome completed
	OptedOut  int
	Reached   int // outbound calls that a person answered
	ReachedMS int // their talk time
	Modeled   int // calls that used a language model
	Tokens    int // of them
	Costs     []VersionCost

	Answer     Percentiles // from the recipient's words to the first words that were sent to the carrier
	FirstToken Percentiles // of this, from the request to the first part of the answer
	Own        Percentiles // of this, the share of this product
}

// AgentStats are the figures of an agent, in total and by version, newest version first, and the draft last. Versions
// without a call are not in it.
type AgentStats struct {
	Total    VersionStats // of no version
	Versions []VersionStats
}

// VersionCost is what the tokens of a version's calls cost in one currency.
type VersionCost struct {
	Currency string
	Amount   string // an exact decimal
	Calls    int    // with a known cost in the currency
	PerCall  string // rounded to 6 decimals
}

// Percentiles are percentiles of the answers of a model, in milliseconds. They are interpolated within buckets, of
// which each is at most 15 percent wider than the one before.
type Percentiles struct {
	Answers  int
	P50, P95 int // 0 without an answer
}

// timingBounds are the upper bounds of the buckets of agent_version_timing, in milliseconds. The last bucket has none.
var timingBounds = func() (bounds []int) {
	for ms := 1; ms < 30_000; ms = max(ms+1, ms*115/100) {
		bounds = append(bounds, ms)
	}
	return bounds
}()

// percentilesOf reads percentiles from the counts of buckets.
func percentilesOf(counts []int) (p Percentiles) {
	for _, n := range counts {
		p.Answers += n
	}
	p.P50, p.P95 = percentile(counts, p.Answers, .5), percentile(counts, p.Answers, .95)
	return p
}

func percentile(counts []int, all int, share float64) int {
	if all == 0 {
		return 0
	}
	rank, before := share*float64(all), 0
	for i, n := range counts {
		if n == 0 || float64(before+n) < rank {
			before += n
			continue
		}
		low := 0
		if i > 0 {
			low = timingBounds[i-1]
		}
		if i >= len(timingBounds) {
			return low
		}
		within := (rank - float64(before)) / float64(n)
		return low + int(math.Round(within*float64(timingBounds[i]-low)))
	}
	return timingBounds[len(timingBounds)-1]
}

// versionDays is how many days AgentStats cover.
const versionDays = 30

// AgentStats reads the figures of an agent. It reads a few rows per version and day, however many calls there are.
// Errors: NotFound.
func (s *Service) AgentStats(ctx context.Context, organizationID, agentID uuid.UUID) (AgentStats, error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "agent_id": agentID, "days": versionDays}
	const since = `organization_id = @organization_id and agent_id = @agent_id and day > (
		select (clock() at time zone time_zone)::date from organization where id = @organization_id) - @days::int`
	type row struct {
		All       bool // the total
		VersionID *uuid.UUID
		VersionStats
	}
	var exists bool
	stats, at := AgentStats{}, map[uuid.UUID]int{}
	// of returns the total or the figures of a version.
	of := func(all bool, version *uuid.UUID) *VersionStats {
		if all {
			return &stats.Total
		}
		if i, ok := at[orNil(version)]; ok {
			return &stats.Versions[i]
		}
		return &VersionStats{}
	}
	batch := &pgx.Batch{}
	batch.Queue(`select exists (select from agent where organization_id = @organization_id and id = @agent_id)`, args).
		QueryRow(func(row pgx.Row) error { return row.Scan(&exists) })
	batch.Queue(`
		select d.*, v.number as version
		from (
			select grouping(version_id) = 1 as all, version_id, coalesce(sum(calls), 0)::int as calls,
			       coalesce(sum(answered), 0)::int as answered, coalesce(sum(completed), 0)::int as completed,
			       coalesce(sum(opted_out), 0)::int as opted_out, coalesce(sum(reached), 0)::int as reached,
			       coalesce(sum(reached_ms), 0)::bigint as reached_ms,
			       coalesce(sum(modeled), 0)::int as modeled, coalesce(sum(tokens), 0)::bigint as tokens
			from agent_version_day where `+since+` and currency is null
			group by rollup (version_id)
		) d
		left join agent_version v on v.id = d.version_id
		order by v.number desc nulls last`, args).Query(func(found pgx.Rows) error {
		rows, err := pgx.CollectRows(found, pgx.RowToStructByNameLax[row])
		for _, r := range rows {
			if r.All {
				stats.Total = r.VersionStats
				continue
			}
			at[orNil(r.VersionID)] = len(stats.Versions)
			stats.Versions = append(stats.Versions, r.VersionStats)
		}
		return err
	})
	batch.Queue(`
		select grouping(version_id) = 1, version_id, currency, trim_scale(sum(amount))::text, sum(calls)::int,
		       trim_scale(round(sum(amount) / sum(calls), 6))::text
		from agent_version_day where `+since+` and currency is not null
		group by grouping sets ((version_id, currency), (currency))
		order by sum(amount) desc, currency`, args).Query(func(found pgx.Rows) error {
		var all bool
		var version *uuid.UUID
		var c VersionCost
		into := []any{&all, &version, &c.Currency, &c.Amount, &c.Calls, &c.PerCall}
		_, err := pgx.ForEachRow(found, into, func() error {
			v := of(all, version)
			v.Costs = append(v.Costs, c)
			return nil
		})
		return err
	})
	batch.Queue(`
		select every, version_id, part, array_agg(n order by i)
		from (
			select grouping(t.version_id) = 1 as every, t.version_id, t.part, u.i, sum(u.n)::int as n
			from agent_version_timing t, unnest(t.counts) with ordinality u (n, i)
			where `+since+`
			group by grouping sets ((t.version_id, t.part, u.i), (t.part, u.i))
		) t
		group by every, version_id, part`, args).Query(func(found pgx.Rows) error {
		var all bool
		var version *uuid.UUID
		var part string
		var counts []int
		_, err := pgx.ForEachRow(found, []any{&all, &version, &part, &counts}, func() error {
			v, p := of(all, version), percentilesOf(counts)
			switch part {
			case "answer":
				v.Answer = p
			case "first_token":
				v.FirstToken = p
			case "own":
				v.Own = p
			}
			return nil
		})
		return err
	})
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return AgentStats{}, fmt.Errorf("read the figures of agent %s: %w", agentID, err)
	}
	if !exists {
		return AgentStats{}, fault.NotFoundf("Agent")
	}
	return stats, nil
}

func orNil(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}

// AgentStatsResource is the figures of an agent as the API shows them.
type AgentStatsResource struct {
	Days     int                    `json:"days"`
	Total    VersionStatsResource   `json:"total"`
	Versions []VersionStatsResource `json:"versions"`
}

// VersionStatsResource is the figures of a version as the API shows them.
type VersionStatsResource struct {
	Version        *int                  `json:"version"`
	Calls          int                   `json:"calls"`
	Answered       int                   `json:"answered"`
	Completed      int                   `json:"completed"`
	OptedOut       int                   `json:"opted_out"`
	AverageSeconds *int                  `json:"average_seconds"`
	ModelCalls     int                   `json:"model_calls"`
	Tokens         int                   `json:"tokens"`
	TokensPerCall  *int                  `json:"tokens_per_call"`
	Costs          []VersionCostResource `json:"costs"`
	Answer         *PercentilesResource  `json:"answer"`
	FirstToken     *PercentilesResource  `json:"first_token"`
	Own            *PercentilesResource  `json:"own"`
}

// VersionCostResource is the cost of a version's tokens in one currency.
type VersionCostResource struct {
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
	Calls    int    `json:"calls"`
	PerCall  string `json:"per_call"`
}

// PercentilesResource is percentiles as the API shows them.
type PercentilesResource struct {
	Answers int `json:"answers"`
	P50MS   int `json:"p50_ms"`
	P95MS   int `json:"p95_ms"`
}

func (p Percentiles) resource() *PercentilesResource {
	if p.Answers == 0 {
		return nil
	}
	return &PercentilesResource{Answers: p.Answers, P50MS: p.P50, P95MS: p.P95}
}

// Resource converts the figures.
func (a AgentStats) Resource() AgentStatsResource {
	r := AgentStatsResource{
		Days: versionDays, Total: a.Total.resource(), Versions: make([]VersionStatsResource, len(a.Versions)),
	}
	for i, v := range a.Versions {
		r.Versions[i] = v.resource()
	}
	return r
}

func (v VersionStats) resource() VersionStatsResource {
	costs := make([]VersionCostResource, len(v.Costs))
	for i, c := range v.Costs {
		costs[i] = VersionCostResource(c)
	}
	return VersionStatsResource{
		Version:        v.Version,
		Calls:          v.Calls,
		Answered:       v.Answered,
		Completed:      v.Completed,
		OptedOut:       v.OptedOut,
		AverageSeconds: v.AverageSeconds(),
		ModelCalls:     v.Modeled,
		Tokens:         v.Tokens,
		TokensPerCall:  v.TokensPerCall(),
		Costs:          costs,
		Answer:         v.Answer.resource(),
		FirstToken:     v.FirstToken.resource(),
		Own:            v.Own.resource(),
	}
}

// AverageSeconds is the average talk time of the outbound calls that a person answered, as on the overview. It is nil
// without one.
func (v VersionStats) AverageSeconds() *int {
	if v.Reached == 0 {
		return nil
	}
	return new(int(math.Round(float64(v.ReachedMS) / float64(v.Reached) / 1000)))
}

// TokensPerCall is the average of the calls that used a model, nil without one.
func (v VersionStats) TokensPerCall() *int {
	if v.Modeled == 0 {
		return nil
	}
	return new(v.Tokens / v.Modeled)
}

// sqlModelTokens is the tokens of call c; null: it used none.
const sqlModelTokens = `nullif((c.analysis -> 'model' ->> 'input_tokens')::bigint +
	(c.analysis -> 'model' ->> 'output_tokens')::bigint, 0)`

// sqlVersionCalls begins a statement about calls with their day, tokens and the costs of the tokens. The condition that
// selects the calls c follows it.
var sqlVersionCalls = `
	with settled as (
		select c.id, c.organization_id, c.agent_id, c.agent_version_id, c.created_at, c.answered_at, c.ended_at,
		       c.outcome, c.ended_reason, c.asked_at, (c.created_at at time zone o.time_zone)::date as day,
		       ` + sqlModelTokens + ` as tokens, ` + sqlModelCosts + ` as costs, ` + sqlPlaced + ` as placed,
		       c.direction = 'outbound' and ` + sqlReached + ` as reached
		from call c
		join organization o on o.id = c.organization_id
		where `

// queueVersionDays adds to a batch the statements that add settled calls to the figures of their agents' versions and
// to what their organizations used of models. Each locks its rows in order. where is a condition on call c with $1.
func queueVersionDays(batch *pgx.Batch, where string, arg any) {
	settled := sqlVersionCalls + where + `)`
	batch.Queue(settled+`
		insert into agent_version_day as d (organization_id, agent_id, version_id, day, currency, calls, answered,
			completed, opted_out, seconds, reached, reached_ms, modeled, tokens, amount)
		select * from (
			select organization_id, agent_id, agent_version_id, day, null as currency, count(*) filter (where placed),
			       count(answered_at), count(*) filter (where outcome = 'completed'),
			       count(*) filter (where ended_reason = 'opted_out'),
			       coalesce(sum(extract(epoch from ended_at - answered_at)), 0)::bigint,
			       count(*) filter (where reached),
			       coalesce(sum((extract(epoch from ended_at - answered_at) * 1000)::bigint) filter (where reached), 0),
			       count(tokens),
			       coalesce(sum(tokens), 0)::bigint, 0::numeric
			from settled
			where agent_id is not null
			group by 1, 2, 3, 4
			having count(*) filter (where placed) > 0
			union all
			select s.organization_id, s.agent_id, s.agent_version_id, s.day, m.currency, count(*),
			       0, 0, 0, 0, 0, 0, 0, 0, sum(m.amount)
			from settled s, jsonb_to_recordset(s.costs) m (currency text, amount numeric)
			group by 1, 2, 3, 4, 5
		) r
		order by 2, 3 nulls first, 4, 5 nulls first
		on conflict on constraint agent_version_day_unique do update set
			calls = d.calls + excluded.calls, answered = d.answered + excluded.answered,
			completed = d.completed + excluded.completed, opted_out = d.opted_out + excluded.opted_out,
			seconds = d.seconds + excluded.seconds, reached = d.reached + excluded.reached,
			reached_ms = d.reached_ms + excluded.reached_ms, modeled = d.modeled + excluded.modeled,
			tokens = d.tokens + excluded.tokens, amount = d.amount + excluded.amount`, arg)
	batch.Queue(settled+`, per as (
			select s.organization_id, s.agent_id, s.agent_version_id, s.day, p.part, width_bucket(p.ms, $2::int[]) as i,
			       count(*) as n
			from settled s
			join call_turn t on t.call_id = s.id and t.timing is not null
			cross join lateral (values
				('answer', (t.timing ->> 'first_sent_ms')::int), ('own', (t.timing ->> 'own_ms')::int),
				('first_token', (t.timing ->> 'first_token_ms')::int - (t.timing ->> 'request_ms')::int)
			) p (part, ms)
			where s.tokens is not null
			group by 1, 2, 3, 4, 5, 6
		)
		insert into agent_version_timing as d (organization_id, agent_id, version_id, day, part, counts)
		select k.*, (
			select array_agg(coalesce(p.n, 0) order by b.i) from generate_series(0, cardinality($2::int[])) b (i)
			left join per p on p.i = b.i and (p.agent_id, p.day, p.part) = (k.agent_id, k.day, k.part)
				and p.agent_version_id is not distinct from k.agent_version_id)
		from (select distinct organization_id, agent_id, agent_version_id, day, part from per) k
		order by 2, 3 nulls first, 4, 5
		on conflict on constraint agent_version_timing_unique do update set
			counts = add_counts(d.counts, excluded.counts)`, arg, timingBounds)
	connection.QueueSpend(batch, settled+`
		select organization_id, created_at as at, null as currency, 1 as calls, tokens, 0::numeric as amount
		from settled where tokens is not null
		union all
		select s.organization_id, s.created_at, m.currency, 1, 0, m.amount
		from settled s, jsonb_to_recordset(s.costs) m (currency text, amount numeric)`, arg)
}
