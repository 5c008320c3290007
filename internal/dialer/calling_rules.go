package dialer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/regulation"
)

// Rules reads what an organization makes of the rules on calls by place. Errors: NotFound.
func (s *Service) Rules(ctx context.Context, organizationID uuid.UUID) (regulation.Settings, error) {
	return oneRules(ctx, s.pool, `select calling_rules from organization where id = $1`, organizationID)
}

func oneRules(
	ctx context.Context, db postgres.DB, sql string, organizationID uuid.UUID,
) (settings regulation.Settings, err error) {
	err = db.QueryRow(ctx, sql, organizationID).Scan(&settings)
	if errors.Is(err, pgx.ErrNoRows) {
		return settings, fault.NotFoundf("Organization")
	}
	if err != nil {
		return settings, fmt.Errorf("read the rules on calls of an organization: %w", err)
	}
	return settings, nil
}

// ChangeRules changes what the actor's organization makes of the rules on calls by place. After the commit no
// call is claimed that the new rules forbid. Recipients deferred by earlier rules become due again.
// change runs under the organization's row lock, so that two changes at a time are both kept. The
// audit log keeps every setting, with the reasons. Errors: Invalid.
func (s *Service) ChangeRules(ctx context.Context, actor account.Actor, change func(*regulation.Settings)) error {
	var before, after regulation.Settings
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		before, err = oneRules(ctx, tx, `select calling_rules from organization where id = $1 for no key update`,
			actor.OrganizationID)
		if err != nil {
			return err
		}
		after = before // change and Check write into the maps and lists of after
		after.ClosedDays, after.Overrides = slices.Clone(before.ClosedDays), maps.Clone(before.Overrides)
		after.Own = slices.Clone(before.Own)
		change(&after)
		if err := after.Check(); err != nil {
			return err
		}
		if reflect.DeepEqual(before, after) {
			return account.Unchanged(ctx)
		}
		if _, err := tx.Exec(ctx, `update organization set calling_rules = $2 where id = $1`,
			actor.OrganizationID, after); err != nil {
			return fmt.Errorf("set the rules on calls of an organization: %w", err)
		}
		return account.Record(ctx, tx, actor, "organization.calling_rules_updated",
			account.Object{Type: "organization", ID: actor.OrganizationID}, map[string]any{
				"apply": after.Apply, "holidays": after.Holidays, "closed_days": after.ClosedDays,
				"overrides": after.Overrides, "own_rules": after.Own,
			})
	})
	if err != nil || reflect.DeepEqual(before, after) {
		return err
	}
	// As in SetLimits, these updates run in separate transactions.
	err = s.takeBack(ctx, actor.OrganizationID, campaign.WaitAttemptLimit, campaign.WaitCallingRules)
	if err != nil {
		return err
	}
	return s.LookAgain(ctx, actor.OrganizationID)
}

// ConsentRequired reports whether the organization calls only recipients with a consent and its
// date. Errors: NotFound.
func (s *Service) ConsentRequired(ctx context.Context, organizationID uuid.UUID) (required bool, err error) {
	err = s.pool.QueryRow(ctx, `select consent_required from organization where id = $1`, organizationID).
		Scan(&required)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, fault.NotFoundf("Organization")
	}
	if err != nil {
		return false, fmt.Errorf("read whether consent is required: %w", err)
	}
	return required, nil
}

// RequireConsent sets whether the actor's organization calls only recipients with a consent. After
// the commit, no pass claims a call without one. Recipients who were skipped stay so.
func (s *Service) RequireConsent(ctx context.Context, actor account.Actor, required bool) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			update organization set consent_required = $2 where id = $1 and consent_required <> $2`,
			actor.OrganizationID, required)
		if err != nil {
			return fmt.Errorf("set whether consent is required: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return account.Unchanged(ctx)
		}
		return account.Record(ctx, tx, actor, "organization.consent_updated",
			account.Object{Type: "organization", ID: actor.OrganizationID}, map[string]any{"required": required})
	})
}
