package call

import (
	"context"
	"fmt"
	"iter"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/export"
)

// CostExportHeader names the columns of ExportCosts: the fields of the API, and the names of projects and campaigns.
var CostExportHeader = []string{
	"month", "project_id", "project_name", "campaign_id", "campaign_name", "currency", "amount", "calls",
	"completed_calls", "per_completed_call", "model_amount",
}

// ExportCosts yields the sums of Costs as rows of a table, with a row for each month, project, campaign and currency.
// For a filter that Costs refuses, the error is Invalid and comes before any row.
func (s *Service) ExportCosts(
	ctx context.Context, organizationID uuid.UUID, f CostFilter,
) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		f.GroupBy = CostGroups
		totals, err := s.Costs(ctx, organizationID, f)
		if err != nil {
			yield(nil, err)
			return
		}
		names, err := s.costNames(ctx, organizationID, totals)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, t := range totals {
			r, campaign := t.Resource(), ""
			if t.CampaignID != nil {
				campaign = names[*t.CampaignID]
			}
			if !yield([]string{
				*r.Month, r.ProjectID.String(), names[*t.ProjectID], export.Optional(r.CampaignID), campaign,
				r.Currency, r.Amount, strconv.Itoa(r.Calls), strconv.Itoa(r.CompletedCalls),
				export.Optional(r.PerCompletedCall), r.ModelAmount,
			}, nil) {
				return
			}
		}
	}
}

// costNames returns the names of the projects and campaigns of sums.
func (s *Service) costNames(
	ctx context.Context, organizationID uuid.UUID, totals []CostTotal,
) (map[uuid.UUID]string, error) {
	var ids []uuid.UUID
	for _, t := range totals {
		ids = append(ids, *t.ProjectID)
		if t.CampaignID != nil {
			ids = append(ids, *t.CampaignID)
		}
	}
	rows, err := s.pool.Query(ctx, `
		select id, name from project where organization_id = @organization_id and id = any(@ids)
		union all
		select id, name from campaign where organization_id = @organization_id and id = any(@ids)`,
		pgx.NamedArgs{"organization_id": organizationID, "ids": ids})
	if err != nil {
		return nil, fmt.Errorf("read the names of projects and campaigns with costs: %w", err)
	}
	names := map[uuid.UUID]string{}
	var id uuid.UUID
	var name string
	if _, err := pgx.ForEachRow(rows, []any{&id, &name}, func() error { names[id] = name; return nil }); err != nil {
		return nil, fmt.Errorf("read the names of projects and campaigns with costs: %w", err)
	}
	return names, nil
}
