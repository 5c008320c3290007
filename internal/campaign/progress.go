package campaign

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/webhook"
)

// Reached is a campaign whose recipients with a last status have reached a further share of all recipients.
type Reached struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
}

// QueueProgress adds a statement to a batch that changes the counters of locked campaigns. It notes in reached which of
// them have reached 25, 50 or 75 percent for the first time. The row of the campaign remembers the share, so each is
// told of at most once, whichever process gets there and however many recipients are added later. A campaign without
// recipients to call completes, which has an event of its own.
func QueueProgress(batch *pgx.Batch, ids []uuid.UUID, reached *[]Reached) {
	batch.Queue(`
		update campaign set progress = s.share
		from (
			select c.id, (
				select max(p) from unnest('{25,50,75}'::smallint[]) p where c.settled * 100 >= p * c.total) as share
			from (
				select id, total::bigint, completed + failed + skipped + canceled + expired::bigint as settled
				from campaign where id = any(@ids) and kind = 'campaign' and status in ('running', 'paused')
			) c
			where c.settled < c.total
		) s
		where campaign.id = s.id and s.share > campaign.progress
		returning campaign.id, campaign.organization_id`, pgx.NamedArgs{"ids": ids}).
		Query(func(rows pgx.Rows) (err error) {
			*reached, err = pgx.CollectRows(rows, pgx.RowToStructByName[Reached])
			return err
		})
}

// EmitProgress adds campaign.progress of the campaigns to out.
func EmitProgress(ctx context.Context, tx pgx.Tx, out *webhook.Outbox, reached []Reached) error {
	for _, r := range reached {
		if !out.Wants(r.OrganizationID, webhook.CampaignProgress) {
			continue
		}
		c, err := read(ctx, tx, r.OrganizationID, r.ID)
		if err != nil {
			return err
		}
		if err := addEvents(out, c, webhook.CampaignProgress); err != nil {
			return err
		}
	}
	return nil
}
