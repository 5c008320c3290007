package followup

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
)

// OpenAll opens the follow-ups that somebody wants of calls, in the caller's transaction, and returns how many it
// opened. A call that already has a follow-up of a kind gets no other one of it, and neither does a call that is no
// longer stored. Wake webhook.Topic after the commit.
func OpenAll(ctx context.Context, tx pgx.Tx, actor account.Actor, needs []Need) (int, error) {
	if len(needs) == 0 {
		return 0, nil
	}
	args := needTable.Args(needs)
	args["organization_id"], args["created_by"] = actor.OrganizationID, actor.Name
	// The lock keeps an erasure from reading the follow-ups of the calls before these are there.
	ids, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
		with of as materialized (
			select c.id, c.project_id, c.campaign_id, c.recipient_id
			from call c
			where c.organization_id = @organization_id and c.id in (select call_id from `+needTable.Table()+`)
			order by c.id for share
		)
		insert into follow_up (id, organization_id, project_id, campaign_id, recipient_id, call_id, kind, reason,
			due_at, created_by)
		select n.id, @organization_id, of.project_id, of.campaign_id, of.recipient_id, of.id, n.kind, n.reason,
			n.due_at, @created_by
		from `+needTable.Table()+` join of on of.id = n.call_id
		order by of.id
		on conflict (call_id, kind) where kind <> 'manual' do nothing
		returning id`, args)
	if err != nil {
		return 0, fmt.Errorf("open the follow-ups of %d calls: %w", len(needs), err)
	}
	if len(ids) == 0 {
		return 0, nil
	}
	if err := account.RecordEach(ctx, tx, actor, "follow_up.created", "follow_up", ids, nil); err != nil {
		return 0, err
	}
	return len(ids), tell(ctx, tx, actor.OrganizationID, "created", ids...)
}
