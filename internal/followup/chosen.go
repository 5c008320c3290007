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

// MaxMatching is how many follow-ups one request may change by a filter.
const MaxMatching = 10_000

// Chosen are open follow-ups to change: those with the IDs, or all that a filter selects.
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
		return m, fmt.Errorf("count the follow-ups that match: %w", err)
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

// assigned is an open follow-up with its assignee.
type assigned struct {
	ID       uuid.UUID
	Assignee uuid.UUID // zero: nobody
}

// lockChosen locks those of the chosen follow-ups that are open and for which a condition holds, and returns them by
// ID. A follow-up that was created after the person saw the list is none of them. Errors: Invalid, also for too many.
func (s *Service) lockChosen(
	ctx context.Context, tx pgx.Tx, actor account.Actor, c Chosen, condition string, args pgx.NamedArgs,
) ([]assigned, error) {
	switch {
	case c.Filter == nil && len(c.IDs) > MostFinished:
		return nil, fault.Invalidf("id", "must be at most %d follow-ups", MostFinished)
	case c.Filter != nil && c.Until.IsZero():
		return nil, fault.Invalidf("until", "required")
	}
	args["organization_id"], args["ids"], args["most"] = actor.OrganizationID, c.IDs, MaxMatching+1
	where := ` and status = 'open'`
	if c.Filter != nil {
		var err error
		if where, err = s.open(ctx, actor.OrganizationID, *c.Filter, args, c.Until); err != nil {
			return nil, err
		}
	}
	where += ` and ` + condition
	if c.Filter != nil {
		found, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			select id from follow_up where organization_id = @organization_id`+where+` limit @most`, args)
		if err != nil {
			return nil, fmt.Errorf("read the chosen follow-ups: %w", err)
		}
		if len(found) > MaxMatching {
			return nil, fault.Invalidf("", "More than %d follow-ups match. Narrow the filter", MaxMatching)
		}
		args["ids"] = found
	}
	// Whoever locks several follow-ups locks them by ID. A follow-up that was changed before it was locked must still
	// match.
	locked, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[assigned], `
		select id, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000') as assignee
		from follow_up where organization_id = @organization_id and id = any(@ids)`+where+`
		order by id for no key update`, args)
	if err != nil {
		return nil, fmt.Errorf("lock the chosen follow-ups: %w", err)
	}
	return locked, nil
}
