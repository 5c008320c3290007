package followup

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
)

// The audit entry of a follow-up that was assigned.
const updatedAction = "follow_up.updated"

// AssignMany assigns those of the chosen follow-ups that are open to a member, or to nobody, and returns those that had
// another assignee. RestoreAssignees undoes it. Errors: Invalid, also for too many.
func (s *Service) AssignMany(
	ctx context.Context, actor account.Actor, c Chosen, to *uuid.UUID,
) (changed account.Batch, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lockAssignee(ctx, tx, actor.OrganizationID, to); err != nil {
			return err
		}
		locked, err := s.lockChosen(ctx, tx, actor, c, `assignee_id is distinct from @to`, pgx.NamedArgs{"to": to})
		if err != nil || len(locked) == 0 {
			return err
		}
		var b account.Batch
		for _, f := range locked {
			b.Objects, b.Before = append(b.Objects, f.ID), append(b.Before, f.Assignee)
		}
		data := map[string]any{"assignee_id": to}
		if changed, err = account.RecordBatch(ctx, tx, actor, updatedAction, objectType, b, data); err != nil {
			return err
		}
		return assign(ctx, tx, actor, b.Objects, to)
	})
	if err != nil {
		return account.Batch{}, err
	}
	if len(changed.Objects) > 0 {
		s.Wake()
	}
	return changed, nil
}

// RestoreAssignees undoes a batch of AssignMany: follow-ups that are open and still have the assignee to get the one
// before, or nobody if that one is no member anymore. It returns how many it changed.
func (s *Service) RestoreAssignees(
	ctx context.Context, actor account.Actor, batch uuid.UUID, to *uuid.UUID,
) (n int, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		b, err := account.TakeBatch(ctx, tx, actor.OrganizationID, objectType, batch)
		if err != nil || len(b.Before) == 0 {
			return err
		}
		before := map[uuid.UUID]uuid.UUID{}
		for i, id := range b.Objects {
			before[id] = b.Before[i]
		}
		// The locks of memberships come first, as in lockAssignee.
		known, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			select user_id from membership where organization_id = $1 and user_id = any($2)
			order by user_id for key share`, actor.OrganizationID, b.Before)
		if err != nil {
			return fmt.Errorf("lock the memberships of assignees: %w", err)
		}
		found, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			select id from follow_up
			where organization_id = $1 and id = any($2) and status = 'open' and assignee_id is not distinct from $3
			order by id for no key update`, actor.OrganizationID, b.Objects, to)
		if err != nil {
			return fmt.Errorf("lock %d follow-ups to restore: %w", len(b.Objects), err)
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
			data := map[string]any{"assignee_id": member}
			if err := account.RecordTogether(ctx, tx, actor, updatedAction, objectType, group, data); err != nil {
				return err
			}
			if err := assign(ctx, tx, actor, group, member); err != nil {
				return err
			}
		}
		n = len(found)
		return nil
	})
	if err != nil {
		return 0, err
	}
	if n > 0 {
		s.Wake()
	}
	return n, nil
}

// assign gives follow-ups an assignee, which the caller has locked.
func assign(ctx context.Context, tx pgx.Tx, actor account.Actor, ids []uuid.UUID, to *uuid.UUID) error {
	if _, err := tx.Exec(ctx, `update follow_up set assignee_id = $3 where organization_id = $1 and id = any($2)`,
		actor.OrganizationID, ids, to); err != nil {
		return fmt.Errorf("assign %d follow-ups: %w", len(ids), err)
	}
	return tell(ctx, tx, actor.OrganizationID, "updated", ids...)
}
