package campaign

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
)

// CallingLimits are what all campaigns of an organization share. Nil is no limit.
type CallingLimits struct {
	MaxConcurrency   *int     // calls at a time, 1 to 100,000
	CallsPerSecond   *float64 // call starts, 0.01 to 1000
	MaxDailyAttempts *int     // calls to one number in any 24 hours, 1 to 100
}

const (
	maxOrganizationConcurrency = 100_000
	maxDailyAttempts           = 100
)

func (l CallingLimits) check() error {
	var p fault.Problems
	if n := l.MaxConcurrency; n != nil && (*n < 1 || *n > maxOrganizationConcurrency) {
		p.Addf("max_concurrency", "must be between 1 and %d", maxOrganizationConcurrency)
	}
	if n := l.CallsPerSecond; n != nil && !(*n >= minCallsPerSecond && *n <= maxCallsPerSecond) { // NaN is neither
		p.Addf("calls_per_second", "must be between %v and %v", minCallsPerSecond, maxCallsPerSecond)
	}
	if n := l.MaxDailyAttempts; n != nil && (*n < 1 || *n > maxDailyAttempts) {
		p.Addf("max_daily_attempts", "must be between 1 and %d", maxDailyAttempts)
	}
	return p.Err()
}

const limitColumns = `max_concurrency, calls_per_second, max_daily_attempts`

// CallingLimits reads the limits of an organization. Errors: NotFound.
func (s *Service) CallingLimits(ctx context.Context, organizationID uuid.UUID) (CallingLimits, error) {
	return oneLimits(ctx, s.db, `select `+limitColumns+` from organization where id = @organization_id`,
		pgx.NamedArgs{"organization_id": organizationID})
}

func oneLimits(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (CallingLimits, error) {
	rows, err := db.Query(ctx, sql, args)
	if err != nil {
		return CallingLimits{}, fmt.Errorf("read the limits of an organization: %w", err)
	}
	l, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[CallingLimits])
	if errors.Is(err, pgx.ErrNoRows) {
		return CallingLimits{}, fault.NotFoundf("Organization")
	}
	if err != nil {
		return CallingLimits{}, fmt.Errorf("read the limits of an organization: %w", err)
	}
	return l, nil
}

// SetCallingLimits sets all limits of the actor's organization. Calls that are up
// stay up, however many; nobody is dialed beyond the new limits from the commit
// on. Those who were put off by another bound of attempts are looked at anew.
// Errors: Invalid.
func (s *Service) SetCallingLimits(ctx context.Context, actor account.Actor, limits CallingLimits) error {
	if err := limits.check(); err != nil {
		return err
	}
	args := pgx.NamedArgs{
		"organization_id": actor.OrganizationID, "max_concurrency": limits.MaxConcurrency,
		"calls_per_second": limits.CallsPerSecond, "max_daily_attempts": limits.MaxDailyAttempts,
	}
	var before CallingLimits
	err := postgres.InTx(ctx, s.db, func(tx pgx.Tx) (err error) {
		before, err = oneLimits(ctx, tx, `select `+limitColumns+` from organization where id = @organization_id for no key update`, args)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			update organization set
				max_concurrency = @max_concurrency, calls_per_second = @calls_per_second, max_daily_attempts = @max_daily_attempts,
				pace_at = `+project.PaceAt+`
			where id = @organization_id`, args)
		if err != nil {
			return fmt.Errorf("set the limits of an organization: %w", err)
		}
		return account.Record(ctx, tx, actor, "organization.limits_updated", account.Object{Type: "organization", ID: actor.OrganizationID},
			map[string]any{"max_concurrency": limits.MaxConcurrency, "calls_per_second": limits.CallsPerSecond, "max_daily_attempts": limits.MaxDailyAttempts})
	})
	if err != nil {
		return err
	}
	// In transactions of their own, so that nobody waits for the organization's row
	// meanwhile. What is not done, because the process dies, is late and not lost.
	if before.MaxDailyAttempts != nil && !equal(before.MaxDailyAttempts, limits.MaxDailyAttempts) {
		if err := s.takeBackPutOff(ctx, actor.OrganizationID); err != nil {
			return err
		}
	}
	return s.LookAnew(ctx, actor.OrganizationID)
}

// LookAnew has every running campaign of an organization looked at, because what
// all of them may wait for has changed.
func (s *Service) LookAnew(ctx context.Context, organizationID uuid.UUID) error {
	if err := postgres.InTx(ctx, s.db, func(tx pgx.Tx) error { return lookAnew(ctx, tx, organizationID) }); err != nil {
		return err
	}
	s.Wake()
	return nil
}

func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// takeBackPutOff makes those due who were put off by a bound of attempts that no
// longer holds: the next look decides by the new one.
func (s *Service) takeBackPutOff(ctx context.Context, organizationID uuid.UUID) error {
	rows, err := s.db.Query(ctx, `select id from campaign where organization_id = $1 and status in ('running', 'paused')`, organizationID)
	if err != nil {
		return fmt.Errorf("find campaigns with recipients put off: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("find campaigns with recipients put off: %w", err)
	}
	for _, id := range ids {
		err := postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
			if _, err := lock(ctx, tx, organizationID, id); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `
				update recipient set due_at = (select clock()), wait_reason = null
				where campaign_id = $1 and status = 'pending' and wait_reason = $2`, id, WaitAttemptLimit)
			if err != nil {
				return fmt.Errorf("take back who was put off: %w", err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lookAnew has every running campaign of an organization looked at, because what
// all of them depend on has changed. After the commit the dialers are to be woken.
// waiting_at becomes one that nobody has seen: what a look before it found is not
// written after it any more.
func lookAnew(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		update campaign set dial_at = least(dial_at, (select clock())), waiting_at = (select clock()) - $2::interval
		where id in (
			select id from campaign
			where organization_id = $1 and status = 'running'
			order by id
			for no key update)`, organizationID, limitRest)
	if err != nil {
		return fmt.Errorf("have the campaigns of an organization looked at: %w", err)
	}
	return nil
}
