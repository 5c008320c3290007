package followup

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// MostAssigned is how many follow-ups AssignAll takes.
const MostAssigned = MostFinished

// Assigned is a follow-up with its assignee before AssignAll.
type Assigned struct {
	ID  uuid.UUID
	Was *uuid.UUID // nil: nobody
}

// AssignAll assigns those of the follow-ups that are open to a member, or to nobody, and returns those that had another
// assignee, for RestoreAssignees. An unknown ID is left out. Errors: Invalid.
func (s *Service) AssignAll(
	ctx context.Context, actor account.Actor, ids []uuid.UUID, to *uuid.UUID,
) (changed []Assigned, err error) {
	if len(ids) > MostAssigned {
		return nil, fault.Invalidf("id", "must be at most %d follow-ups", MostAssigned)
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lockAssignee(ctx, tx, actor.OrganizationID, to); err != nil {
			return err
		}
		changed, err = postgres.Collect(ctx, tx, pgx.RowToStructByName[Assigned], `
			select id, assignee_id as was from follow_up
			where organization_id = $1 and id = any($2) and status = 'open' and assignee_id is distinct from $3
			order by id for no key update`, actor.OrganizationID, ids, to)
		if err != nil {
			return fmt.Errorf("lock %d follow-ups to assign: %w", len(ids), err)
		}
		found := make([]uuid.UUID, len(changed))
		for i, f := range changed {
			found[i] = f.ID
		}
		if err := assign(ctx, tx, actor, found, to); err != nil {
			return err
		}
		return tell(ctx, tx, actor.OrganizationID, "updated", found...)
	})
	if err != nil {
		return nil, err
	}
	s.Wake()
	return changed, nil
}

// RestoreAssignees undoes AssignAll: follow-ups that are open and still have the assignee to get the one before, or
// nobody if that one is no member anymore. It returns how many it changed. Errors: Invalid.
func (s *Service) RestoreAssignees(
	ctx context.Context, actor account.Actor, list []Assigned, to *uuid.UUID,
) (n int, err error) {
	if len(list) > MostAssigned {
		return 0, fault.Invalidf("id", "must be at most %d follow-ups", MostAssigned)
	}
	before := map[uuid.UUID]uuid.UUID{} // zero: nobody
	var ids, members []uuid.UUID
	for _, f := range list {
		var was uuid.UUID
		if f.Was != nil {
			was = *f.Was
			members = append(members, was)
		}
		before[f.ID] = was
		ids = append(ids, f.ID)
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// The locks of memberships come first, as in lockAssignee.
		known, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			select user_id from membership where organization_id = $1 and user_id = any($2)
			order by user_id for key share`, actor.OrganizationID, members)
		if err != nil {
			return fmt.Errorf("lock the memberships of assignees: %w", err)
		}
		found, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			select id from follow_up
			where organization_id = $1 and id = any($2) and status = 'open' and assignee_id is not distinct from $3
			order by id for no key update`, actor.OrganizationID, ids, to)
		if err != nil {
			return fmt.Errorf("lock %d follow-ups to restore: %w", len(ids), err)
		}
		of := map[uuid.UUID][]uuid.UUID{}
		for _, id := range found {
			was := before[id]
			if !slices.Contains(known, was) {
				was = uuid.Nil
			}
			of[was] = append(of[was], id)
		}
		for was, group := range of {
			var member *uuid.UUID
			if was != uuid.Nil {
				member = &was
			}
			if err := assign(ctx, tx, actor, group, member); err != nil {
				return err
			}
		}
		n = len(found)
		return tell(ctx, tx, actor.OrganizationID, "updated", found...)
	})
	if err != nil {
		return 0, err
	}
	s.Wake()
	return n, nil
}

// assign gives follow-ups, which the caller has locked, an assignee, with their audit entries.
func assign(ctx context.Context, tx pgx.Tx, actor account.Actor, ids []uuid.UUID, to *uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, `update follow_up set assignee_id = $3 where organization_id = $1 and id = any($2)`,
		actor.OrganizationID, ids, to); err != nil {
		return fmt.Errorf("assign %d follow-ups: %w", len(ids), err)
	}
	return account.RecordEach(ctx, tx, actor, "follow_up.updated", "follow_up", ids, map[string]any{"assignee_id": to})
}
