package followup

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
)

// FinishMany marks those of the chosen follow-ups that are open as done. Notes stay. ReopenAll undoes it. Errors:
// Invalid, also for too many.
func (s *Service) FinishMany(ctx context.Context, actor account.Actor, c Chosen) (done account.Batch, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		locked, err := s.lockChosen(ctx, tx, actor, c, `true`, pgx.NamedArgs{})
		if err != nil || len(locked) == 0 {
			return err
		}
		open := make([]uuid.UUID, len(locked))
		for i, f := range locked {
			open[i] = f.ID
		}
		done, err = account.RecordBatch(ctx, tx, actor, doneAction, objectType, account.Batch{Objects: open}, nil)
		if err != nil {
			return err
		}
		return finish(ctx, tx, actor, open)
	})
	if err != nil {
		return account.Batch{}, err
	}
	if len(done.Objects) > 0 {
		s.Wake()
	}
	return done, nil
}

// ReopenAll opens those of a batch of FinishMany again that are done, and returns how many it opened.
func (s *Service) ReopenAll(ctx context.Context, actor account.Actor, batch uuid.UUID) (int, error) {
	var opened []uuid.UUID
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		b, err := account.TakeBatch(ctx, tx, actor.OrganizationID, objectType, batch)
		if err != nil {
			return err
		}
		opened, err = postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			with done as materialized (
				select id from follow_up where organization_id = $1 and id = any($2) and status = 'done'
				order by id for no key update
			)
			update follow_up f set status = 'open', done_by = null, done_at = null from done
			where f.id = done.id returning f.id`, actor.OrganizationID, b.Objects)
		if err != nil {
			return fmt.Errorf("reopen %d follow-ups: %w", len(b.Objects), err)
		}
		if len(opened) == 0 {
			return nil
		}
		if err := account.RecordTogether(ctx, tx, actor, "follow_up.reopened", objectType, opened, nil); err != nil {
			return err
		}
		return tell(ctx, tx, actor.OrganizationID, "reopened", opened...)
	})
	if err != nil {
		return 0, err
	}
	if len(opened) > 0 {
		s.Wake()
	}
	return len(opened), nil
}
