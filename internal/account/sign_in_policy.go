package account

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// SignInPolicy is what an organization requires of its members' sign-ins. API keys are not
// affected.
type SignInPolicy struct {
	SecondFactorRequired bool
	SessionIdleMinutes   int // minIdleMinutes to maxIdleMinutes
	SessionHours         int // 1 to maxSessionHours
	SessionStayDays      int // 0 to maxStayDays; 0: nobody may stay signed in

	// Revision is the [SignInPolicy.Mark] that was changed. Empty: whatever it is now.
	Revision string `db:"-"`
}

const (
	minIdleMinutes  = 5
	maxIdleMinutes  = 24 * 60
	maxSessionHours = 7 * 24
	maxStayDays     = 30
)

const policyColumns = `second_factor_required, session_idle_minutes, session_hours, session_stay_days`

// Mark identifies the values of a policy.
func (p SignInPolicy) Mark() string { return check.Revision(p.audit()) }

func (p SignInPolicy) audit() map[string]any {
	return map[string]any{
		"second_factor_required": p.SecondFactorRequired, "session_idle_minutes": p.SessionIdleMinutes,
		"session_hours": p.SessionHours, "session_stay_days": p.SessionStayDays,
	}
}

func (p SignInPolicy) check() error {
	var problems fault.Problems
	within := func(path string, value, least, most int) {
		if value < least || value > most {
			problems.Addf(path, "must be between %d and %d", least, most)
		}
	}
	within("session_idle_minutes", p.SessionIdleMinutes, minIdleMinutes, maxIdleMinutes)
	within("session_hours", p.SessionHours, 1, maxSessionHours)
	within("session_stay_days", p.SessionStayDays, 0, maxStayDays)
	return problems.Err()
}

// SignInPolicy returns the policy of an organization. Errors: NotFound.
func (s *Service) SignInPolicy(ctx context.Context, organizationID uuid.UUID) (SignInPolicy, error) {
	return onePolicy(ctx, s.pool, `select `+policyColumns+` from organization where id = $1`, organizationID)
}

func onePolicy(ctx context.Context, db postgres.DB, sql string, organizationID uuid.UUID) (SignInPolicy, error) {
	p, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[SignInPolicy], sql, organizationID)
	if errors.Is(err, pgx.ErrNoRows) {
		return SignInPolicy{}, fault.NotFoundf("Organization")
	}
	if err != nil {
		return SignInPolicy{}, fmt.Errorf("read a sign-in policy: %w", err)
	}
	return p, nil
}

// SetSignInPolicy changes the policy of the actor's organization. It applies to open
// sessions from their next request on. Errors: Invalid, and Stale if somebody else has
// changed the revision.
func (s *Service) SetSignInPolicy(ctx context.Context, actor Actor, policy SignInPolicy) error {
	if err := policy.check(); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		was, err := onePolicy(ctx, tx, `select `+policyColumns+` from organization where id = $1 for no key update`,
			actor.OrganizationID)
		if err != nil {
			return err
		}
		if err := check.Unchanged(policy.Revision, was.audit(), policy.audit()); err != nil {
			return err
		}
		if reflect.DeepEqual(was.audit(), policy.audit()) {
			return Unchanged(ctx)
		}
		_, err = tx.Exec(ctx, `
			update organization
			set second_factor_required = @required, session_idle_minutes = @idle, session_hours = @hours,
			    session_stay_days = @stay
			where id = @organization_id`, pgx.NamedArgs{
			"organization_id": actor.OrganizationID, "required": policy.SecondFactorRequired,
			"idle": policy.SessionIdleMinutes, "hours": policy.SessionHours, "stay": policy.SessionStayDays,
		})
		if err != nil {
			return fmt.Errorf("change a sign-in policy: %w", err)
		}
		data := policy.audit()
		for field, value := range was.audit() {
			if value != data[field] {
				data[field+"_before"] = value
			}
		}
		object := Object{"organization", actor.OrganizationID}
		return Record(ctx, tx, actor, "organization.sign_in_updated", object, data)
	})
}
