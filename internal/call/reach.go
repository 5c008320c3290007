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

// NumberReach is the reach of the calls from a number.
type NumberReach struct {
	PhoneNumberID   uuid.UUID
	PhoneNumber     string // E.164
	Placed, Reached int
}

// NumbersReach returns the reach by number, most calls first, at most most numbers. from and to are the beginnings of
// days. It reads one row per number and day, which also count calls of deleted campaigns, as on the page of the number.
// In a scope it reads one per hour, campaign and number.
func (s *Service) NumbersReach(
	ctx context.Context, organizationID uuid.UUID, scope Scope, from, to time.Time, most int,
) ([]NumberReach, error) {
	source := `call_hour`
	where, args := scope.sql(organizationID, from, to)
	if scope == (Scope{}) {
		source = `phone_number_day`
		where, args = sqlDays(organizationID, from, to)
	}
	args["most"] = most
	rows, err := s.pool.Query(ctx, `
		select n.id, n.phone_number, h.placed, h.reached
		from (
			select phone_number_id, sum(placed)::int as placed, sum(reached)::int as reached
			from `+source+` where `+where+` group by 1 having sum(placed) > 0
			order by 2 desc, 1 limit @most) h
		join phone_number n on n.id = h.phone_number_id and n.organization_id = @organization_id
		order by h.placed desc, n.id`, args)
	if err != nil {
		return nil, fmt.Errorf("read calls by phone number: %w", err)
	}
	var all []NumberReach
	var n NumberReach
	_, err = pgx.ForEachRow(rows, []any{&n.PhoneNumberID, &n.PhoneNumber, &n.Placed, &n.Reached}, func() error {
		all = append(all, n)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read calls by phone number: %w", err)
	}
	return all, nil
}
