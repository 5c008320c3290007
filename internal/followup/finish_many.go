package followup

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// MaxMatching is how many follow-ups one request may finish by a filter.
const MaxMatching = 10_000

// Chosen are follow-ups to finish: those with the IDs, or all that a filter selects.
type Chosen struct {
	IDs    []uuid.UUID
	Filter *Filter   // nil: the IDs; its Page has no effect
	Until  time.Time // required by Filter: Matching.Until of the list that the person saw
}

// Matching counts the open follow-ups that a filter selects.
type Matching struct {
	FollowUps int       // at most MaxMatching and one
	Until     time.Time // they were created until then; for Chosen
}

// CountMatching counts the open follow-ups that a filter selects.
func (s *Service) CountMatching(ctx context.Context, organizationID uuid.UUID, f Filter) (m Matching, err error) {
	if err := s.pool.QueryRow(ctx, `select clock()`).Scan(&m.Until); err != nil {
		return m, fmt.Errorf("read the clock: %w", err)
	}
	args := pgx.NamedArgs{"organization_id": organizationID, "most": MaxMatching + 1}
	open, err := s.open(ctx, organizationID, f, args, m.Until)
	if err != nil {
		return m, err
	}
	err = s.pool.QueryRow(ctx, `
		select count(*) from (select from follow_up where organization_id = @organization_id`+open+` limit @most) f`,
		args).Scan(&m.FollowUps)
	if err != nil {
		return m, fmt.Errorf("count the follow-ups to finish: %w", err)
	}
	return m, nil
}

// open returns the conditions of the open follow-ups that a filter selects and that were created until a time, each
// behind "and". Errors: Invalid.
func (s *Service) open(
	ctx context.Context, organizationID uuid.UUID, f Filter, args pgx.NamedArgs, until time.Time,
) (string, error) {
	where, err := s.where(ctx, organizationID, f, args)
	if err != nil {
		return "", err
	}
	args["until"] = until
	where += ` and status = 'open' and created_at <= @until`
	if len(f.Statuses) > 0 && !slices.Contains(f.Statuses, Open) {
		where += ` and false`
	}
	if len(f.Kinds) > 0 {
		args["kinds"] = f.Kinds
		where += ` and kind = any(@kinds)`
	}
	if f.PhoneNumber != "" {
		args["number"] = f.PhoneNumber
		where += ` and call_id in (
			select id from call where organization_id = @organization_id and person_number = @number)`
	}
	return where, nil
}

// FinishMany marks those of the chosen follow-ups that are open as done. Notes stay. A follow-up that was created after
// the person saw the list is none of them. ReopenAll undoes it. Errors: Invalid, also for too many.
func (s *Service) FinishMany(ctx context.Context, actor account.Actor, c Chosen) (done account.Batch, err error) {
	switch {
	case c.Filter == nil && len(c.IDs) > MostFinished:
		return done, fault.Invalidf("id", "must be at most %d follow-ups", MostFinished)
	case c.Filter != nil && c.Until.IsZero():
		return done, fault.Invalidf("until", "required")
	}
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "ids": c.IDs, "most": MaxMatching + 1}
	where := ` and status = 'open'`
	if c.Filter != nil {
		if where, err = s.open(ctx, actor.OrganizationID, *c.Filter, args, c.Until); err != nil {
			return done, err
		}
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if c.Filter != nil {
			found, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
				select id from follow_up where organization_id = @organization_id`+where+` limit @most`, args)
			if err != nil {
				return fmt.Errorf("read the follow-ups to finish: %w", err)
			}
			if len(found) > MaxMatching {
				return fault.Invalidf("", "More than %d follow-ups match. Narrow the filter", MaxMatching)
			}
			args["ids"] = found
		}
		// Whoever locks several follow-ups locks them by ID. A follow-up that was changed before it was locked must
		// still match.
		open, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			select id from follow_up where organization_id = @organization_id and id = any(@ids)`+where+`
			order by id for no key update`, args)
		if err != nil {
			return fmt.Errorf("lock the follow-ups to finish: %w", err)
		}
		if len(open) == 0 {
			return nil
		}
		if done, err = account.RecordBatch(ctx, tx, actor, doneAction, objectType, open, nil); err != nil {
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
		ids, err := account.TakeBatch(ctx, tx, actor.OrganizationID, objectType, batch)
		if err != nil {
			return err
		}
		opened, err = postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			with done as materialized (
				select id from follow_up where organization_id = $1 and id = any($2) and status = 'done'
				order by id for no key update
			)
			update follow_up f set status = 'open', done_by = null, done_at = null from done
			where f.id = done.id returning f.id`, actor.OrganizationID, ids)
		if err != nil {
			return fmt.Errorf("reopen %d follow-ups: %w", len(ids), err)
		}
		if len(opened) == 0 {
			return nil
		}
		if err := account.RecordEach(ctx, tx, actor, "follow_up.reopened", objectType, opened, nil); err != nil {
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
