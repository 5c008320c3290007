package project

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
)

// UnusedByAgents returns a Conflict that names agents, if active agents use what is to be deactivated: in the draft, in
// the published version, or in a version that a campaign pins which has not ended. uses is an SQL condition on script
// and @id. what begins the text, such as "Tool lookup". The caller must have locked the row in an earlier statement.
func UnusedByAgents(
	ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID, uses, what string,
) error {
	rows, err := tx.Query(ctx, `
		select a.name, count(*) over ()
		from agent a
		where a.organization_id = @organization_id and a.deactivated_at is null
		  and exists (
		    select from (
		      select a.script
		      union all
		      select v.script from agent_version v
		      where v.agent_id = a.id
		        and (v.id = a.published_version_id or exists (
		          select from campaign c
		          where c.organization_id = @organization_id and c.agent_id = a.id and c.ended_at is null
		            and (c.kind = 'campaign' or `+sqlStandingUsed+`)
		            and v.id in (c.agent_version_id, c.split_version_id)))
		    ) used where `+uses+`)
		order by a.created_at desc, a.id desc
		limit @shown`, pgx.NamedArgs{"organization_id": organizationID, "id": id.String(), "shown": shownUsers})
	if err != nil {
		return fmt.Errorf("look for agents that use %s: %w", id, err)
	}
	names, total, err := collectUsers(rows)
	switch {
	case err != nil:
		return fmt.Errorf("look for agents that use %s: %w", id, err)
	case total == 1:
		return fault.Conflictf("%s is used by 1 agent: %s", what, names[0])
	case total > 1:
		return fault.Conflictf("%s is used by %d agents: %s", what, total, enumerate(names, total))
	}
	return nil
}
