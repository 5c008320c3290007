package connection

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/postgres"
)

// ErrDay is the refusal of what would ask a language model although a daily limit of the organization is reached.
var ErrDay = fault.Conflictf("Your organization's daily limit for language models is reached. " +
	"Raise it under Settings, Organization, or wait until tomorrow")

// CheckDay returns ErrDay if the organization has used today what it may use of language models. Call it before a
// request outside of a call. Requests that are under way go on, so the limit can be exceeded by their tokens.
func CheckDay(ctx context.Context, db postgres.DB, organizationID uuid.UUID) error {
	reached, err := postgres.CollectOne(ctx, db, pgx.RowTo[bool], `
		select coalesce(sum(d.tokens) filter (where d.currency is null) >= o.model_day_tokens, false)
		    or coalesce(sum(d.amount) filter (where d.currency = o.model_day_currency) >= o.model_day_amount, false)
		from organization o
		left join model_day d on d.organization_id = o.id and d.day = (clock() at time zone o.time_zone)::date
		where o.id = $1
		group by o.id`, organizationID)
	if err != nil {
		return fmt.Errorf("compare the use of models with the limits of the day: %w", err)
	}
	if reached {
		return ErrDay
	}
	return nil
}

// Spend adds what a request outside of a call used of a connection, such as that of an analysis or a test, to the
// organization's sums of today, which its daily limits are compared with. Calls are added at their settlement. Call it
// last in the transaction that stores the answer, because everything of the organization shares the rows.
func Spend(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, c Connection, u model.Usage) error {
	amount, _ := c.Price().Of(u) // empty: not known
	batch := &pgx.Batch{}
	QueueSpend(batch, `
		select $1::uuid as organization_id, clock() as at, $2::text as currency, 0 as calls, $3::bigint as tokens,
			0::numeric as amount
		where $3::bigint > 0
		union all
		select $1, clock(), $4::text, 0, 0, $5::numeric where $5::numeric > 0`,
		organizationID, nil, u.Input+u.Output, c.Currency, postgres.OrNull(amount))
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("add the use of model connection %s to the day: %w", c.ID, err)
	}
	return nil
}

// QueueSpend adds to a batch the statement that adds what was used to the sums of the day. rows is a query of
// organization_id, at, currency, calls, tokens and amount. A row without a currency has tokens, the others amounts.
// calls is 0 for a use outside of calls.
func QueueSpend(batch *pgx.Batch, rows string, args ...any) {
	batch.Queue(`
		insert into model_day as d (organization_id, day, currency, calls, call_tokens, call_amount, tokens, amount)
		select r.organization_id, (r.at at time zone o.time_zone)::date, r.currency, sum(r.calls),
		       coalesce(sum(r.tokens) filter (where r.calls > 0), 0),
		       coalesce(sum(r.amount) filter (where r.calls > 0), 0), sum(r.tokens), sum(r.amount)
		from (`+rows+`) r
		join organization o on o.id = r.organization_id
		group by 1, 2, 3
		order by 1, 2, 3 nulls first
		on conflict on constraint model_day_unique do update set
			calls = d.calls + excluded.calls, call_tokens = d.call_tokens + excluded.call_tokens,
			call_amount = d.call_amount + excluded.call_amount, tokens = d.tokens + excluded.tokens,
			amount = d.amount + excluded.amount`, args...)
}
