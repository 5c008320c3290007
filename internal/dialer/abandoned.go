package dialer

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// AbandonedLimit is the share of abandoned calls that pauses a campaign.
type AbandonedLimit struct {
	Most  *float64 // percent of the calls that people answered; nil: no campaign is paused
	Least int      // answered calls in 30 days below which no campaign is paused
}

// AbandonedLimit reads the limit of an organization. Errors: NotFound.
func (s *Service) AbandonedLimit(ctx context.Context, organizationID uuid.UUID) (l AbandonedLimit, err error) {
	err = s.pool.QueryRow(ctx, `select abandoned_most, abandoned_least from organization where id = $1`,
		organizationID).Scan(&l.Most, &l.Least)
	if errors.Is(err, pgx.ErrNoRows) {
		return l, fault.NotFoundf("Organization")
	}
	if err != nil {
		return l, fmt.Errorf("read the limit of abandoned calls: %w", err)
	}
	return l, nil
}

// SetAbandonedLimit sets the limit of the actor's organization. It applies to a campaign when its next
// answered call is settled. Errors: Invalid.
func (s *Service) SetAbandonedLimit(ctx context.Context, actor account.Actor, l AbandonedLimit) error {
	var p fault.Problems
	if l.Most != nil && !(*l.Most >= 0.1 && *l.Most <= 100) { // negated, to reject NaN
		p.Addf("abandoned_most", "must be between 0.1 and 100")
	}
	if l.Least < 1 || l.Least > 100_000 {
		p.Addf("abandoned_least", "must be between 1 and 100,000")
	}
	if err := p.Err(); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			update organization set abandoned_most = $2, abandoned_least = $3
			where id = $1 and (abandoned_most, abandoned_least) is distinct from ($2, $3)`,
			actor.OrganizationID, l.Most, l.Least)
		if err != nil {
			return fmt.Errorf("set the limit of abandoned calls: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return account.Unchanged(ctx)
		}
		return account.Record(ctx, tx, actor, "organization.abandoned_updated",
			account.Object{Type: "organization", ID: actor.OrganizationID},
			map[string]any{"percent": l.Most, "answered_calls": l.Least})
	})
}

// countAnswers adds the answered calls of the batch to the hours of their campaigns. The hour in which a
// campaign was resumed has two rows, so that the calls before and after it are told apart.
func (s *settlement) countAnswers(batch *pgx.Batch) {
	for _, c := range s.campaigns {
		if c.compliance.AnsweredByPerson == 0 {
			continue
		}
		batch.Queue(`
			insert into campaign_answer_hour as h
				(campaign_id, organization_id, starts_at, answered_by_person, abandoned)
			select id, organization_id, greatest(date_trunc('hour', @now::timestamptz), abandoned_from), @answered,
			       @abandoned
			from campaign where id = @id
			on conflict (campaign_id, starts_at) do update set
				answered_by_person = h.answered_by_person + excluded.answered_by_person,
				abandoned = h.abandoned + excluded.abandoned`,
			pgx.NamedArgs{
				"id": c.ID, "now": s.now, "answered": c.compliance.AnsweredByPerson,
				"abandoned": c.compliance.Abandoned,
			})
	}
}

// pauseAbandoned pauses the campaigns in which too many calls were abandoned.
func (s *settlement) pauseAbandoned(ctx context.Context) error {
	for _, c := range s.campaigns {
		if c.Standing || !c.LimitsAbandoned || c.compliance.AnsweredByPerson == 0 || c.Status != campaign.Running {
			continue
		}
		paused, err := campaign.PauseAbandoned(ctx, s.tx, c.OrganizationID, &c.Locked)
		if err != nil {
			return err
		}
		s.changed = s.changed || paused
	}
	return nil
}
