package dialer

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// SetMonthlyBudget sets what the calls of the actor's organization may cost in a calendar month of its time zone,
// or removes the budget if b is nil. It applies to the next call of each campaign. Errors: Invalid.
func (s *Service) SetMonthlyBudget(ctx context.Context, actor account.Actor, b *campaign.Budget) error {
	var p fault.Problems
	b.Check(&p, "budget.")
	if err := p.Err(); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			update organization set budget_amount = @budget_amount::numeric, budget_currency = @budget_currency
			where id = @id and (budget_amount, budget_currency)
				is distinct from (@budget_amount::numeric, @budget_currency::text)`,
			b.Args(pgx.NamedArgs{"id": actor.OrganizationID}))
		if err != nil {
			return fmt.Errorf("set the monthly budget: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return account.Unchanged(ctx)
		}
		return account.Record(ctx, tx, actor, "organization.budget_updated",
			account.Object{Type: "organization", ID: actor.OrganizationID}, map[string]any{"budget": b})
	})
}

// readBudgets finds out whether a budget is reached, and how many calls fit into the budgets. The caller has
// locked the organization and the campaign, so it sees the calls that other passes have claimed.
func (p *pass) readBudgets(ctx context.Context) (reason string, err error) {
	if !p.organization.HasBudget && !p.campaign.HasBudget {
		return "", nil
	}
	found, err := campaign.Spendings(ctx, p.tx, p.OrganizationID, p.ID)
	if err != nil {
		return "", err
	}
	for _, s := range found {
		if s.Reached {
			return s.Text(), nil
		}
		if s.Fits != nil {
			p.affordable = min(p.affordable, *s.Fits)
		}
	}
	return "", nil
}
