package webhook

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
)

// maxFilter is how many projects, campaigns or agents a filter may name.
const maxFilter = 100

// About is what an event belongs to. Nil: to none.
type About struct {
	ProjectID  *uuid.UUID
	CampaignID *uuid.UUID
	AgentID    *uuid.UUID // of the call, or of the campaign
}

// Filters are what the events of a webhook must belong to: one of the projects, one of the campaigns and one of the
// agents. An empty list asks for nothing.
type Filters struct {
	ProjectIDs  []uuid.UUID
	CampaignIDs []uuid.UUID
	AgentIDs    []uuid.UUID
}

// filterColumns are the columns of Filters.
const filterColumns = `project_ids, campaign_ids, agent_ids`

// pass reports whether an event passes the filters. An event that belongs to no project does not pass a filter by
// projects, and so on: a webhook that one client of an agency reads must not hear of the others.
func (f Filters) pass(a About) bool {
	return passes(f.ProjectIDs, a.ProjectID) && passes(f.CampaignIDs, a.CampaignID) && passes(f.AgentIDs, a.AgentID)
}

func passes(ids []uuid.UUID, id *uuid.UUID) bool {
	return len(ids) == 0 || id != nil && slices.Contains(ids, *id)
}

func (f Filters) equal(other Filters) bool {
	return slices.Equal(f.ProjectIDs, other.ProjectIDs) && slices.Equal(f.CampaignIDs, other.CampaignIDs) &&
		slices.Equal(f.AgentIDs, other.AgentIDs)
}

// FilterInput is filters as they are sent: IDs may be malformed, unknown or repeated.
type FilterInput struct {
	ProjectIDs  []string `json:"project_ids"`
	CampaignIDs []string `json:"campaign_ids"`
	AgentIDs    []string `json:"agent_ids"`
}

// parse reads the IDs. A malformed ID gets the same problem as an unknown one.
func (in FilterInput) parse(p *fault.Problems) Filters {
	return Filters{
		ProjectIDs:  filterIDs(p, "filters.project_ids", "project", in.ProjectIDs),
		CampaignIDs: filterIDs(p, "filters.campaign_ids", "campaign", in.CampaignIDs),
		AgentIDs:    filterIDs(p, "filters.agent_ids", "agent", in.AgentIDs),
	}
}

// filterIDs never returns nil, because a list in the database is not null.
func filterIDs(p *fault.Problems, path, noun string, texts []string) []uuid.UUID {
	ids := []uuid.UUID{}
	if len(texts) > maxFilter {
		p.Addf(path, "must have at most %d entries", maxFilter)
		return ids
	}
	for i, text := range texts {
		id, ok := check.ParseID(text)
		switch {
		case !ok:
			p.Addf(fmt.Sprintf("%s[%d]", path, i), "no such %s", noun)
		case !slices.Contains(ids, id):
			ids = append(ids, id)
		}
	}
	return ids
}

// checkFilters reports IDs that are not the organization's. IDs that the webhook has already may be gone: sending back
// a webhook as it is changes nothing. Nothing is locked, because what is removed a moment later stays in the filter,
// too, and passes no event.
func checkFilters(
	ctx context.Context, tx pgx.Tx, p *fault.Problems, organizationID uuid.UUID, before, after Filters,
) error {
	for _, f := range []struct {
		path, noun, table string
		before, after     []uuid.UUID
	}{
		{"filters.project_ids", "project", "project where deactivated_at is null", before.ProjectIDs, after.ProjectIDs},
		{"filters.campaign_ids", "campaign", "campaign where kind = 'campaign'", before.CampaignIDs, after.CampaignIDs},
		{"filters.agent_ids", "agent", "agent where deactivated_at is null", before.AgentIDs, after.AgentIDs},
	} {
		added := slices.DeleteFunc(slices.Clone(f.after), func(id uuid.UUID) bool {
			return slices.Contains(f.before, id)
		})
		if len(added) == 0 {
			continue
		}
		rows, err := tx.Query(ctx, `
			select id from `+f.table+` and organization_id = @organization_id and id = any(@ids)`,
			pgx.NamedArgs{"organization_id": organizationID, "ids": added})
		if err != nil {
			return fmt.Errorf("check the filter by %ss: %w", f.noun, err)
		}
		known, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return fmt.Errorf("check the filter by %ss: %w", f.noun, err)
		}
		for i, id := range f.after {
			if slices.Contains(added, id) && !slices.Contains(known, id) {
				p.Addf(fmt.Sprintf("%s[%d]", f.path, i), "no such %s", f.noun)
			}
		}
	}
	return nil
}

// FilterResource is filters as the API shows them.
type FilterResource struct {
	ProjectIDs  []uuid.UUID `json:"project_ids"`
	CampaignIDs []uuid.UUID `json:"campaign_ids"`
	AgentIDs    []uuid.UUID `json:"agent_ids"`
}

// Resource converts filters.
func (f Filters) Resource() FilterResource { return FilterResource(f) }
