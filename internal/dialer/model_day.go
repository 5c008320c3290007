package dialer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	maxModelDayTokens = 1_000_000_000_000

	// unknownCallTokens is what a call in progress counts as long as no call of the organization has used tokens.
	unknownCallTokens = 5000

	// modelAverageDays is over how many days the average of a call is taken.
	modelAverageDays = 30
)

// ModelDay is what an organization may use of language models on a day of its time zone, and what it has used today.
// Everything that asks its models counts, and calls by their day.
type ModelDay struct {
	Tokens *int             // nil: no limit
	Budget *campaign.Budget // nil: no limit; what tokens cost in another currency does not count
	Used   ModelUsed        // set by ModelDay
}

// ModelUsed is what an organization has used of language models today.
type ModelUsed struct {
	Tokens int
	Amount string // in the budget's currency, an exact decimal; empty: there is no budget
}

// check tidies the limits and reports their problems.
func (m *ModelDay) check() error {
	var p fault.Problems
	if n := m.Tokens; n != nil && (*n < 1 || *n > maxModelDayTokens) {
		p.Addf("model_day.tokens", "must be between 1 and %d", maxModelDayTokens)
	}
	m.Budget.Check(&p, "model_day.")
	return p.Err()
}

// ModelDay reads the limits of an organization and what it has used today. Errors: NotFound.
func (s *Service) ModelDay(ctx context.Context, organizationID uuid.UUID) (m ModelDay, err error) {
	var amount, currency *string
	err = s.pool.QueryRow(ctx, `
		select o.model_day_tokens, trim_scale(o.model_day_amount)::text, o.model_day_currency,
		       coalesce(sum(d.tokens) filter (where d.currency is null), 0)::bigint,
		       case when o.model_day_amount is not null then trim_scale(
		         coalesce(sum(d.amount) filter (where d.currency = o.model_day_currency), 0))::text else '' end
		from organization o
		left join model_day d on d.organization_id = o.id and d.day = (clock() at time zone o.time_zone)::date
		where o.id = $1
		group by o.id`, organizationID).Scan(&m.Tokens, &amount, &currency, &m.Used.Tokens, &m.Used.Amount)
	if errors.Is(err, pgx.ErrNoRows) {
		return m, fault.NotFoundf("Organization")
	}
	if err != nil {
		return m, fmt.Errorf("read the daily limits of models: %w", err)
	}
	if amount != nil && currency != nil {
		m.Budget = &campaign.Budget{Amount: *amount, Currency: *currency}
	}
	return m, nil
}

// SetModelDay sets the daily limits of the actor's organization. Calls in progress continue. Campaigns that wait for
// the old limits go on at once if the new ones allow it. Errors: Invalid.
func (s *Service) SetModelDay(ctx context.Context, actor account.Actor, m ModelDay) error {
	if err := m.check(); err != nil {
		return err
	}
	args := m.Budget.Args(pgx.NamedArgs{"id": actor.OrganizationID, "tokens": m.Tokens})
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			update organization set model_day_tokens = @tokens, model_day_amount = @budget_amount::numeric,
				model_day_currency = @budget_currency
			where id = @id and (model_day_tokens, model_day_amount, model_day_currency)
				is distinct from (@tokens::bigint, @budget_amount::numeric, @budget_currency::text)`, args)
		if err != nil {
			return fmt.Errorf("set the daily limits of models: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return account.Unchanged(ctx)
		}
		return account.Record(ctx, tx, actor, "organization.model_limits_updated",
			account.Object{Type: "organization", ID: actor.OrganizationID},
			map[string]any{"tokens": m.Tokens, "budget": m.Budget})
	})
	if err != nil {
		return err
	}
	return s.LookAgain(ctx, actor.OrganizationID)
}

// modelRoom is how many more calls with a model the daily limits of the organization allow.
type modelRoom struct {
	Calls    *int // nil: no limit
	Reached  bool // by what is settled: only another day or another limit helps
	Tomorrow time.Time
}

// limit allows the calls that fit into the day.
func (r modelRoom) limit() limit { return limit{r.Calls, 0, campaign.WaitModelBudget} }

// readModelRoom compares what the organization used of models today with its limits, if the campaign's agent uses one.
// A call in progress, or one that is not settled, counts at the average of the calls of the last days. The caller has
// locked the organization, so it sees the calls that other passes have claimed. It reads sums, so its cost does not
// depend on the number of calls that have ended.
func (p *pass) readModelRoom(ctx context.Context) error {
	if !p.organization.HasModelDay || p.live.ModelName == "" {
		return nil
	}
	var err error
	p.modelRoom, err = roomForModels(ctx, p.tx, p.OrganizationID)
	return err
}

// roomForModels reads the room that the daily limits leave. The caller has locked the organization.
func roomForModels(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID) (modelRoom, error) {
	room, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[modelRoom], `
		select least(
		         case when o.model_day_tokens is not null then
		           ceil(greatest(o.model_day_tokens - used.tokens - live.calls * average.tokens, 0)
		             / average.tokens) end,
		         case when o.model_day_amount <= used.amount then 0 when average.amount > 0 then
		           ceil(greatest(o.model_day_amount - used.amount - live.calls * average.amount, 0)
		             / average.amount) end,
		         1000000)::int as calls,
		       (coalesce(used.tokens >= o.model_day_tokens, false)
		         or coalesce(used.amount >= o.model_day_amount, false)) as reached,
		       (k.day + 1)::timestamp at time zone o.time_zone as tomorrow
		from organization o
		cross join lateral (select ((select clock()) at time zone o.time_zone)::date as day) k
		cross join lateral (
			select coalesce(sum(tokens) filter (where currency is null), 0) as tokens,
			       coalesce(sum(amount) filter (where currency = o.model_day_currency), 0) as amount
			from model_day where organization_id = o.id and day = k.day
		) used
		cross join lateral (
			select coalesce(nullif(sum(call_tokens) filter (where currency is null), 0)
			         / nullif(sum(calls) filter (where currency is null), 0), @unknown::bigint) as tokens,
			       coalesce(sum(call_amount) filter (where currency = o.model_day_currency)
			         / nullif(sum(calls) filter (where currency = o.model_day_currency), 0), 0) as amount
			from model_day where organization_id = o.id and day > k.day - @days::int
		) average
		cross join lateral (
			select (select count(*) from call
			        where organization_id = o.id and ended_at is null and model_connection_id is not null)
			     + (select count(*) from call
			        where organization_id = o.id and ended_at is not null and settled_at is null
				and model_connection_id is not null) as calls
		) live
		where o.id = @organization_id`, pgx.NamedArgs{
		"organization_id": organizationID, "unknown": unknownCallTokens, "days": modelAverageDays,
	})
	if err != nil {
		return room, fmt.Errorf("compare the use of models with the limits of the day: %w", err)
	}
	return room, nil
}
