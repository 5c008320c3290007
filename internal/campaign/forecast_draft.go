package campaign

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/campaign/intake"
)

// ForecastDraft estimates what would happen to the recipients of a draft if it were started now. wanted are the
// variables whose values matter.
func (s *Service) ForecastDraft(ctx context.Context, c Campaign, wanted []string) (Forecast, error) {
	list, skipped, err := s.storedList(ctx, c, wanted)
	if err != nil {
		return Forecast{}, err
	}
	f, called, err := s.foresee(ctx, c.OrganizationID, list)
	if err != nil {
		return f, err
	}
	f.Duplicates += skipped[SkipDuplicate]
	f.DoNotCall += skipped[SkipDoNotCall]
	f.NoConsent += skipped[SkipNoConsent]
	return f, s.foreseeStored(ctx, c, called, &f)
}

// storedList reads the recipients of a draft who can be called, and counts those who can't by reason.
func (s *Service) storedList(
	ctx context.Context, c Campaign, wanted []string,
) (list *intake.List, skipped map[string]int, err error) {
	args := pgx.NamedArgs{"organization_id": c.OrganizationID, "id": c.ID}
	rows, err := s.db.Query(ctx, `
		select phone_number, name, coalesce(timezone, ''), coalesce(consent_basis, ''), consent_at, consent_expires_at,
		       variables
		from recipient
		where organization_id = @organization_id and campaign_id = @id and status = 'pending'
		order by id`, args)
	if err != nil {
		return nil, nil, fmt.Errorf("read the recipients of draft %s: %w", c.ID, err)
	}
	list = intake.Stored(wanted)
	var e intake.Entry
	_, err = pgx.ForEachRow(rows, []any{
		&e.Number, &e.Name, &e.Timezone, &e.ConsentBasis, &e.ConsentAt, &e.ConsentExpiresAt, &e.Variables,
	}, func() error {
		e.Variables = slices.Clone(e.Variables)
		list.AddStored(e)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the recipients of draft %s: %w", c.ID, err)
	}
	rows, err = s.db.Query(ctx, `
		select skip_reason, count(*) from recipient
		where organization_id = @organization_id and campaign_id = @id and status = 'skipped'
			and skip_reason is not null
		group by skip_reason`, args)
	if err != nil {
		return nil, nil, fmt.Errorf("count the skipped recipients of draft %s: %w", c.ID, err)
	}
	skipped = map[string]int{}
	var reason string
	var n int
	if _, err = pgx.ForEachRow(rows, []any{&reason, &n}, func() error {
		skipped[reason] = n
		return nil
	}); err != nil {
		return nil, nil, fmt.Errorf("count the skipped recipients of draft %s: %w", c.ID, err)
	}
	return list, skipped, nil
}
