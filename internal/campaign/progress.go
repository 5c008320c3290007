package campaign

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/webhook"
)

// Reached is a campaign whose recipients with a last status have reached a further share of all recipients.
type Reached struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
}

// defaultShares are the progress shares of a campaign that chooses none.
var defaultShares = []int{25, 50, 75}

// maxShares is how many progress shares a campaign may have.
const maxShares = 20

// settleShares checks and sorts the shares of recipients with a last status, in percent, that have an event.
func settleShares(p *fault.Problems, shares []int) []int {
	if shares == nil {
		return defaultShares
	}
	if len(shares) > maxShares {
		p.Addf("progress_shares", "must have at most %d elements", maxShares)
	}
	for i, share := range shares {
		switch {
		case share < 1 || share > 99:
			p.Addf(indexed("progress_shares", i), "must be between 1 and 99")
		case slices.Contains(shares[:i], share):
			p.Addf(indexed("progress_shares", i), "must not be listed twice")
		}
	}
	return orEmpty(slices.Sorted(slices.Values(shares)))
}

// QueueProgress adds a statement to a batch that changes the counters of locked campaigns. It notes in reached which of
// them have reached one of their progress shares for the first time. The row of the campaign remembers the share, so
// each is told of at most once, whichever process gets there and however many recipients are added later. A campaign
// without recipients to call completes, which has an event of its own.
func QueueProgress(batch *pgx.Batch, ids []uuid.UUID, reached *[]Reached) {
	batch.Queue(`
		update campaign set progress = s.share
		from (
			select c.id, (select max(p) from unnest(c.shares) p where c.settled * 100 >= p * c.total) as share
			from (
				select id, progress_shares as shares, total::bigint,
				       completed + failed + skipped + canceled + expired::bigint as settled
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
