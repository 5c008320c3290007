package call

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Deleted is a call that DeleteOf deleted.
type Deleted struct {
	ID     uuid.UUID
	Number phone.Number // of the person
}

// DeleteOf deletes the calls of a campaign with all that belongs to them, and takes them out of the figures of the
// organization and out of the sums of costs. The days of their number and of their agent keep them. If a call has not
// been settled, DeleteOf deletes nothing and reports that calls are live. Call it late in the transaction, because all
// calls share the sums.
func DeleteOf(
	ctx context.Context, tx pgx.Tx, organizationID, campaignID uuid.UUID,
) (deleted []Deleted, live bool, err error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "campaign_id": campaignID}
	// A read of a price locks its call, too.
	err = postgres.InTx(ctx, tx, func(tx pgx.Tx) error {
		found, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[struct {
			Deleted
			Settled bool
		}], `
			select id, person_number as number, settled_at is not null as settled from call
			where organization_id = @organization_id and campaign_id = @campaign_id
			order by id for update`, args)
		if err != nil {
			return err
		}
		for _, c := range found {
			live = live || !c.Settled
			deleted = append(deleted, c.Deleted)
		}
		if live {
			return nil
		}
		batch := &pgx.Batch{}
		batch.Queue(tallyWait)
		queueCostChanges(batch, `
			select organization_id, campaign_id, month, currency, -amount as amount, -answered as answered
			from cost_total where organization_id = $1 and campaign_id = $2
			union all
			select organization_id, campaign_id, month, null, 0, -1
			from call_price_due where campaign_id = $2 and organization_id = $1 and answered and not priced`,
			organizationID, campaignID)
		for _, table := range []string{
			"call_price_due", "cost_total", "cost_day", "cost_pending", "call_hour", "call_day", "call",
		} {
			batch.Queue(`delete from `+table+` where organization_id = $1 and campaign_id = $2`,
				organizationID, campaignID)
		}
		// Without calls, the costs of the month are not shown as 0.
		batch.Queue(`delete from cost_month where organization_id = $1 and amount = 0 and answered = 0`, organizationID)
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return nil, false, fmt.Errorf("delete the calls of campaign %s: %w", campaignID, err)
	}
	return deleted, live, nil
}
