package call

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// queueCostChanges adds the last statements of a transaction that changes what calls cost: those that change the
// rows with which budgets are compared. cost_pending counts a campaign's answered calls without a known cost;
// cost_month has the sums of an organization's month, and under no currency its answered calls without a known cost.
//
// changes is a query of organization_id, campaign_id, month, currency, amount and answered. A call without a known cost
// has no currency. All calls of a campaign, or of an organization, share the rows. Each statement locks them in
// order and no statement follows, so no transaction waits for them long, or holds them and waits for another row.
func queueCostChanges(batch *pgx.Batch, changes string, args ...any) {
	batch.Queue(`
		insert into cost_pending as p (organization_id, campaign_id, answered)
		select c.organization_id, c.campaign_id, sum(c.answered) from (`+changes+`) c
		where c.currency is null and c.campaign_id is not null
		group by c.organization_id, c.campaign_id
		having sum(c.answered) <> 0
		order by c.campaign_id
		on conflict (campaign_id) do update set answered = p.answered + excluded.answered`, args...)
	batch.Queue(`
		insert into cost_month as m (organization_id, month, currency, amount, answered)
		select c.organization_id, c.month, c.currency, sum(c.amount), sum(c.answered) from (`+changes+`) c
		group by c.organization_id, c.month, c.currency
		having sum(c.amount) <> 0 or sum(c.answered) <> 0
		order by c.organization_id, c.month, c.currency nulls first
		on conflict on constraint cost_month_unique do update set
			amount = m.amount + excluded.amount, answered = m.answered + excluded.answered`, args...)
}

// applyCostChanges applies changes that earlier statements of the transaction returned, each as a JSON array. Call
// it last in the transaction.
func applyCostChanges(ctx context.Context, tx pgx.Tx, changes ...string) error {
	batch := &pgx.Batch{}
	batch.Queue(tallyWait)
	queueCostChanges(batch, `
		select c.* from unnest($1::text[]) rows, jsonb_to_recordset(rows::jsonb) as c (
			organization_id uuid, campaign_id uuid, month date, currency text, amount numeric, answered bigint)`,
		changes)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("change the sums of costs: %w", err)
	}
	return nil
}
