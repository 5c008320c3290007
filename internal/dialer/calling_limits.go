package dialer

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Limits are the calling limits that all campaigns of an organization share. Nil means no
// limit.
type Limits struct {
	MaxConcurrency   *int     // calls at a time, 1 to 100,000
	CallsPerSecond   *float64 // call starts, 0.01 to 1000
	MaxDailyAttempts *int     // calls to one number in any 24 hours, 1 to 100
}

// fields are the limits by their names.
func (l Limits) fields() map[string]any {
	return map[string]any{
		"max_concurrency": l.MaxConcurrency, "calls_per_second": l.CallsPerSecond,
		"max_daily_attempts": l.MaxDailyAttempts,
	}
}

// Revision identifies the limits, as a form shows them.
func (l Limits) Revision() string { return check.Revision(l.fields()) }

const (
	maxOrganizationConcurrency = 100_000
	maxDailyAttempts           = 100
)

// Check reports what is wrong with the limits. Errors: Invalid.
func (l Limits) Check() error {
	var p fault.Problems
	if n := l.MaxConcurrency; n != nil && (*n < 1 || *n > maxOrganizationConcurrency) {
		p.Addf("max_concurrency", "must be between 1 and %d", maxOrganizationConcurrency)
	}
	// The condition is negated so that it rejects NaN.
	if n := l.CallsPerSecond; n != nil && !(*n >= campaign.MinCallsPerSecond && *n <= campaign.MaxCallsPerSecond) {
		p.Addf("calls_per_second", "must be between %v and %v", campaign.MinCallsPerSecond, campaign.MaxCallsPerSecond)
	}
	if n := l.MaxDailyAttempts; n != nil && (*n < 1 || *n > maxDailyAttempts) {
		p.Addf("max_daily_attempts", "must be between 1 and %d", maxDailyAttempts)
	}
	return p.Err()
}

const limitColumns = `max_concurrency, calls_per_second, max_daily_attempts`

// Limits reads the limits of an organization. Errors: NotFound.
func (s *Service) Limits(ctx context.Context, organizationID uuid.UUID) (Limits, error) {
	return oneLimits(ctx, s.pool, `select `+limitColumns+` from organization where id = @organization_id`,
		pgx.NamedArgs{"organization_id": organizationID})
}

func oneLimits(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Limits, error) {
	l, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Limits], sql, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return Limits{}, fault.NotFoundf("Organization")
	}
	if err != nil {
		return Limits{}, fmt.Errorf("read the limits of an organization: %w", err)
	}
	return l, nil
}

// AllLimits are the limits of an organization on its calls, their cost and the use of language models. Nil means no
// limit.
type AllLimits struct {
	Limits
	MonthlyBudget *campaign.Budget // of a calendar month of the organization's time zone
	ModelTokens   *int             // on a day of that time zone
	ModelBudget   *campaign.Budget // likewise
}

// AllLimits reads all limits of an organization, without what is used of them. Errors: NotFound.
func (s *Service) AllLimits(ctx context.Context, organizationID uuid.UUID) (AllLimits, error) {
	l, err := postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[AllLimits], `
		select `+limitColumns+`, o.model_day_tokens as model_tokens,
		       (select budget from (select `+campaign.BudgetColumn("o")+`) b) as monthly_budget,
		       case when o.model_day_amount is not null then jsonb_build_object(
		         'amount', trim_scale(o.model_day_amount)::text, 'currency', o.model_day_currency) end as model_budget
		from organization o where o.id = $1`, organizationID)
	if errors.Is(err, pgx.ErrNoRows) {
		return AllLimits{}, fault.NotFoundf("Organization")
	}
	if err != nil {
		return AllLimits{}, fmt.Errorf("read all limits of an organization: %w", err)
	}
	return l, nil
}

// SetLimits sets all limits of the actor's organization. Calls in progress continue, even
// above the new concurrency. After the commit no call is placed beyond the new limits.
// Recipients deferred by an earlier limit of attempts become due again. Errors: Invalid.
func (s *Service) SetLimits(ctx context.Context, actor account.Actor, limits Limits, base string) error {
	if err := limits.Check(); err != nil {
		return err
	}
	args := pgx.NamedArgs{
		"organization_id": actor.OrganizationID, "max_concurrency": limits.MaxConcurrency,
		"calls_per_second": limits.CallsPerSecond, "max_daily_attempts": limits.MaxDailyAttempts,
	}
	var before Limits
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		before, err = oneLimits(ctx, tx, `select `+limitColumns+
			` from organization where id = @organization_id for no key update`, args)
		if err != nil {
			return err
		}
		if err := check.Unchanged(base, before.fields(), limits.fields()); err != nil {
			return err
		}
		if reflect.DeepEqual(before.fields(), limits.fields()) {
			return account.Unchanged(ctx)
		}
		_, err = tx.Exec(ctx, `
			update organization set
				max_concurrency = @max_concurrency, calls_per_second = @calls_per_second,
					max_daily_attempts = @max_daily_attempts
			where id = @organization_id`, args)
		if err != nil {
			return fmt.Errorf("set the limits of an organization: %w", err)
		}
		return account.Record(ctx, tx, actor, "organization.limits_updated", account.Object{
			Type: "organization", ID: actor.OrganizationID,
		},
			limits.fields())
	})
	if err != nil {
		return err
	}
	// These updates run in separate transactions, so that no other transaction waits for the
	// organization's row meanwhile. If the process dies before them, some recipients are called
	// late, but none is lost.
	if before.MaxDailyAttempts != nil && !postgres.Same(before.MaxDailyAttempts, limits.MaxDailyAttempts) {
		if err := s.takeBack(ctx, actor.OrganizationID, campaign.WaitAttemptLimit); err != nil {
			return err
		}
	}
	return s.LookAgain(ctx, actor.OrganizationID)
}

// LookAgain makes every running campaign of an organization due now. Callers use it after
// a change that may end the wait of all campaigns.
func (s *Service) LookAgain(ctx context.Context, organizationID uuid.UUID) error {
	if err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		return lookAgain(ctx, tx, organizationID)
	}); err != nil {
		return err
	}
	campaign.Wake(s.hub)
	return nil
}

// takeBack makes recipients due that earlier limits or rules had deferred, which their wait reason
// says. The next pass applies the new ones.
func (s *Service) takeBack(ctx context.Context, organizationID uuid.UUID, reasons ...string) error {
	rows, err := s.pool.Query(
		ctx, `select id from campaign c where organization_id = $1 and status in ('running', 'paused')
			and `+sqlCalls, organizationID,
	)
	if err != nil {
		return fmt.Errorf("find campaigns with recipients put off: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("find campaigns with recipients put off: %w", err)
	}
	for _, id := range ids {
		err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
			if _, err := campaign.Lock(ctx, tx, organizationID, id); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `
				update recipient set due_at = (select clock()), wait_reason = null
				where campaign_id = $1 and status = 'pending' and wait_reason = any($2)`, id, reasons)
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

// sqlCalls leaves out the standing campaigns c without a call to make. There may be many.
const sqlCalls = `(c.kind = 'campaign' or exists (
	select from recipient r where r.campaign_id = c.id and r.status = 'pending'))`

// lookAgain makes every running campaign of an organization due after a change that
// affects all of them. The caller wakes the dialers after the commit. The new waiting_at
// makes the report of an earlier pass obsolete.
func lookAgain(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		update campaign set dial_at = least(dial_at, (select clock())), waiting_at = (select clock()) - $2::interval
		where id in (
			select id from campaign c
			where organization_id = $1 and status = 'running' and `+sqlCalls+`
			order by id
			for no key update)`, organizationID, limitRest)
	if err != nil {
		return fmt.Errorf("schedule passes over the campaigns of an organization: %w", err)
	}
	return nil
}
