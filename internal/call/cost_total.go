package call

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// CostGroup is what costs are summed by.
type CostGroup string

const (
	ByMonth    CostGroup = "month"
	ByProject  CostGroup = "project"
	ByCampaign CostGroup = "campaign"
)

// CostGroups are all groups.
var CostGroups = []CostGroup{ByMonth, ByProject, ByCampaign}

// CostFilter selects the calls whose costs are summed. A zero field selects all.
type CostFilter struct {
	From, To   time.Time // the first and the last month
	ProjectID  *uuid.UUID
	CampaignID *uuid.UUID

	AgentID, PhoneNumberID *uuid.UUID

	GroupBy []CostGroup // in addition to the currency
}

// source is the table with the sums of a filter, under the names of cost_total. By agent and number, the sums are those
// of days.
func (f CostFilter) source() string {
	if f.AgentID == nil && f.PhoneNumberID == nil {
		return `cost_total t`
	}
	where := `phone_number_id is null`
	if f.PhoneNumberID != nil {
		where = `phone_number_id = @phone_number_id`
	}
	if f.AgentID != nil {
		where += ` and agent_id = @agent_id`
	}
	return `(select date_trunc('month', day)::date as month, * from cost_day
		where organization_id = @organization_id and ` + where + `) t`
}

// CostTotal is the cost of calls in one currency. Fields that it is not grouped by are nil.
type CostTotal struct {
	Month            *time.Time
	ProjectID        *uuid.UUID
	CampaignID       *uuid.UUID // nil also for calls outside of campaigns
	Currency         string
	Amount           string // an exact decimal
	ModelAmount      string // of Amount, what tokens of language models cost
	Calls            int    // with a known cost
	CompletedCalls   int    // of them, with the outcome completed
	PerCompletedCall *string
}

// Costs sums the known costs of calls by month of the organization's time zone. The newest month is
// first, then the highest amount. It reads one row per campaign, month and currency, however many
// calls there are, and by agent and number one per day. Errors: Invalid.
func (s *Service) Costs(ctx context.Context, organizationID uuid.UUID, f CostFilter) ([]CostTotal, error) {
	if !f.To.IsZero() && f.To.Before(f.From) {
		return nil, fault.Invalidf("to", "must not be before from")
	}
	totals, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByPos[CostTotal], `
		select month, project_id, campaign_id, currency, trim_scale(sum(amount))::text,
		       trim_scale(sum(model))::text, sum(calls)::int, sum(completed)::int,
		       trim_scale(round(sum(amount) / nullif(sum(completed), 0), 6))::text
		from (
			select case when 'month' = any(@by::text[]) then month end as month,
			       case when 'project' = any(@by::text[]) then project_id end as project_id,
			       case when 'campaign' = any(@by::text[]) then campaign_id end as campaign_id,
			       currency, amount, model, calls, completed
			from `+f.source()+`
			where organization_id = @organization_id
				and (@from::date is null or month >= @from) and (@to::date is null or month <= @to)
				and (@project_id::uuid is null or project_id = @project_id)
				and (@campaign_id::uuid is null or campaign_id = @campaign_id)
		) t
		group by month, project_id, campaign_id, currency
		having sum(calls) > 0
		order by month desc, sum(amount) desc, currency, project_id, campaign_id`,
		pgx.NamedArgs{
			"organization_id": organizationID, "by": f.GroupBy, "from": monthOrNull(f.From), "to": monthOrNull(f.To),
			"project_id": f.ProjectID, "campaign_id": f.CampaignID, "agent_id": f.AgentID,
			"phone_number_id": f.PhoneNumberID,
		})
	if err != nil {
		return nil, fmt.Errorf("sum the costs of calls: %w", err)
	}
	return totals, nil
}

// monthOrNull is the first day of a month, or nil for the zero time.
func monthOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	first := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	return &first
}

// MonthLayout is a month as the API writes it.
const MonthLayout = "2006-01"

// CostTotalResource is a sum of costs as the API shows it.
type CostTotalResource struct {
	Month            *string    `json:"month"`
	ProjectID        *uuid.UUID `json:"project_id"`
	CampaignID       *uuid.UUID `json:"campaign_id"`
	Currency         string     `json:"currency"`
	Amount           string     `json:"amount"`
	ModelAmount      string     `json:"model_amount"`
	Calls            int        `json:"calls"`
	CompletedCalls   int        `json:"completed_calls"`
	PerCompletedCall *string    `json:"per_completed_call"`
}

// Resource converts a sum.
func (t CostTotal) Resource() CostTotalResource {
	r := CostTotalResource{
		ProjectID: t.ProjectID, CampaignID: t.CampaignID, Currency: t.Currency, Amount: t.Amount,
		ModelAmount: t.ModelAmount, Calls: t.Calls,
		CompletedCalls: t.CompletedCalls, PerCompletedCall: t.PerCompletedCall,
	}
	if t.Month != nil {
		month := t.Month.Format(MonthLayout)
		r.Month = &month
	}
	return r
}
