package call

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Reach is how many calls were placed, and how many of them a person answered.
type Reach struct{ Placed, Reached int }

// Week is the reach of calls by weekday, Monday first, and hour of the organization's time zone.
type Week [7][24]Reach

// sql returns the condition of call_hour for a scope and a period, and its arguments.
func (scope Scope) sql(organizationID uuid.UUID, from, to time.Time) (string, pgx.NamedArgs) {
	where := `organization_id = @organization_id and starts_at >= @from and starts_at < @to`
	if scope.ProjectID != nil || scope.CampaignID != nil || scope.AgentID != nil {
		where += ` and campaign_id in (
			select id from campaign
			where organization_id = @organization_id
			  and (@project_id::uuid is null or project_id = @project_id)
			  and (@campaign_id::uuid is null or id = @campaign_id)
			  and (@agent_id::uuid is null or agent_id = @agent_id))`
	}
	if scope.PhoneNumberID != nil {
		where += ` and phone_number_id = @phone_number_id`
	}
	return where, pgx.NamedArgs{
		"organization_id": organizationID, "from": from, "to": to, "project_id": scope.ProjectID,
		"campaign_id": scope.CampaignID, "agent_id": scope.AgentID, "phone_number_id": scope.PhoneNumberID,
	}
}

// Week returns the reach by weekday and hour of the calls that were queued at or after from and before to. It reads the
// rows of Hours.
func (s *Service) Week(
	ctx context.Context, organizationID uuid.UUID, scope Scope, from, to time.Time,
) (w Week, err error) {
	where, args := scope.sql(organizationID, from, to)
	rows, err := s.pool.Query(ctx, `
		select extract(isodow from h.at)::int, extract(hour from h.at)::int, sum(placed)::int, sum(reached)::int
		from (
			select starts_at at time zone (select time_zone from organization where id = @organization_id) as at,
			       placed, reached
			from `+scope.hours()+` where `+where+`) h
		group by 1, 2`, args)
	if err != nil {
		return w, fmt.Errorf("read calls by weekday and hour: %w", err)
	}
	var day, hour int
	var r Reach
	_, err = pgx.ForEachRow(rows, []any{&day, &hour, &r.Placed, &r.Reached}, func() error {
		w[day-1][hour] = r
		return nil
	})
	if err != nil {
		return w, fmt.Errorf("read calls by weekday and hour: %w", err)
	}
	return w, nil
}
