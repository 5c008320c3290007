package call

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// queueCostChanges adds the last statements of a transaction that changes what calls cost: those that change the
// rows with which budgets are compared. cost_pending counts a campaign's calls without a known cost; cost_month has
// the sums of an organization's month, and under no currency its calls without a known cost.
//
// changes is a query of organization_id, campaign_id, month, currency, amount and calls. A call without a known cost
// has no currency. All calls of a campaign, or of an organization, share the rows. Each statement locks them in
// order and no statement follows, so no transaction waits for them long, or holds them and waits for another row.
func queueCostChanges(batch *pgx.Batch, changes string, args ...any) {
	batch.Queue(`
		insert into cost_pending as p (organization_id, campaign_id, calls)
		select c.organization_id, c.campaign_id, sum(c.calls) from (`+changes+`) c
		where c.currency is null and c.campaign_id is not null
		group by c.organization_id, c.campaign_id
		having sum(c.calls) <> 0
		order by c.campaign_id
		on conflict (campaign_id) do update set calls = p.calls + excluded.calls`, args...)
	batch.Queue(`
		insert into cost_month as m (organization_id, month, currency, amount, calls)
		select c.organization_id, c.month, c.currency, sum(c.amount), sum(c.calls) from (`+changes+`) c
		group by c.organization_id, c.month, c.currency
		having sum(c.amount) <> 0 or sum(c.calls) <> 0
		order by c.organization_id, c.month, c.currency nulls first
		on conflict on constraint cost_month_unique do update set
			amount = m.amount + excluded.amount, calls = m.calls + excluded.calls`, args...)
}

// sqlNoLonger returns the change of a row before of call_price_due, whose call is no longer one without a known
// cost, as JSON.
const sqlNoLonger = `
	select coalesce(jsonb_agg(jsonb_build_object(
		'organization_id', organization_id, 'campaign_id', campaign_id, 'month', month, 'amount', 0, 'calls', -1
	)), '[]')::text
	from before where not priced`

// applyCostChanges applies changes that earlier statements of the transaction returned, each as a JSON array. Call
// it last in the transaction.
func applyCostChanges(ctx context.Context, tx pgx.Tx, changes ...string) error {
	batch := &pgx.Batch{}
	batch.Queue(tallyWait)
	queueCostChanges(batch, `
		select c.* from unnest($1::text[]) rows, jsonb_to_recordset(rows::jsonb) as c (
			organization_id uuid, campaign_id uuid, month date, currency text, amount numeric, calls bigint)`, changes)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("change the sums of costs: %w", err)
	}
	return nil
}
