package campaign

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// columns are the columns of Campaign, for a query on the table with the lateral open.
// Open calls are counted, finished recipients come from the stored counters, and
// pending is the rest. One statement reads them all, so they always add up to total.
var columns = `
	campaign.id, campaign.organization_id, campaign.project_id, campaign.agent_id,
	` + agentVersionColumn + `, campaign.phone_number_id,
	campaign.number_pool_id, campaign.connection_id, campaign.name, campaign.call_reason, campaign.status,
	campaign.ended_reason, campaign.pause_reason, campaign.scheduled_at, campaign.expires_at,
	campaign.calling_hours, campaign.max_concurrency,
	campaign.calls_per_second, campaign.max_attempts, campaign.retry_delays, campaign.retry_outcome_delays,
	campaign.retry_on, campaign.intents,
	campaign.voicemail_action, campaign.detection, campaign.ring_timeout_seconds, campaign.max_duration_seconds,
	campaign.variables, campaign.metadata, campaign.messaging, ` + BudgetColumn("campaign") + `,
	campaign.progress_shares, campaign.waiting, campaign.total,
	campaign.total - campaign.completed - campaign.failed - campaign.skipped - campaign.canceled - campaign.expired
		- open.dialing - open.in_progress as pending,
	open.dialing, open.in_progress,
	campaign.completed, campaign.completed_by_voicemail, campaign.failed, campaign.skipped, campaign.canceled,
	campaign.expired,
	campaign.calls_placed + open.placed as calls_placed, campaign.calls_answered + open.in_progress as calls_answered,
	campaign.answered_by_person, campaign.opted_out, campaign.abandoned, campaign.short_calls,
	campaign.retry_of_campaign_id, campaign.created_by,
	campaign.created_at,
	campaign.started_at, campaign.ended_at, campaign.changed_at`

// open counts the calls of a campaign that are not settled yet.
const open = `
	cross join lateral (
		select count(*) filter (where call.answered_at is null)::int as dialing,
		       count(call.asked_at)::int as placed,
		       count(call.answered_at)::int as in_progress
		from call
		where call.campaign_id = campaign.id and call.settled_at is null
	) open`

var byID = postgres.NewByID[Campaign]("Campaign", `
	select `+columns+`
	from campaign `+open+`
	where campaign.organization_id = @organization_id and campaign.id = @id and campaign.kind = 'campaign'`)

// Get reads a campaign. An unknown or foreign ID is NotFound.
func (s *Service) Get(ctx context.Context, organizationID, id uuid.UUID) (Campaign, error) {
	c, err := s.reader.Read(ctx, organizationID, id)
	c.pausedWaiting()
	return c, err
}

func read(ctx context.Context, db postgres.DB, organizationID, id uuid.UUID) (Campaign, error) {
	c, err := byID.Read(ctx, db, organizationID, id)
	c.pausedWaiting()
	return c, err
}

// Outcomes counts the ended calls of a campaign by outcome. Calls that were not placed have none.
func (s *Service) Outcomes(ctx context.Context, organizationID, id uuid.UUID) (map[call.Outcome]int, error) {
	return countCalls[call.Outcome](ctx, s.db, organizationID, id, "outcome", "outcomes",
		`asked_at is not null and (ended_reason = any(@not_placed)) is not true`)
}

// IntentCounts counts the ended calls of a campaign by intent, like Outcomes.
func (s *Service) IntentCounts(
	ctx context.Context, organizationID, id uuid.UUID,
) (map[conversation.Intent]int, error) {
	return countCalls[conversation.Intent](ctx, s.db, organizationID, id, "intent", "intent_counts", "true")
}

// countCalls counts the ended calls of a campaign by a column of call. Settled calls come
// from the stored counters. The few others are counted from their rows, if they meet the condition.
func countCalls[T ~string](
	ctx context.Context, db postgres.DB, organizationID, id uuid.UUID, column, counters, condition string,
) (map[T]int, error) {
	rows, err := db.Query(ctx, `
		select key, value::int from campaign, jsonb_each(`+counters+`)
		where organization_id = @organization_id and id = @id
		union all
		select `+column+`, count(*)::int from call
		where campaign_id = @id and settled_at is null and ended_at is not null and `+column+` is not null
		  and `+condition+`
		  and exists (select from campaign where organization_id = @organization_id and id = @id)
		group by `+column,
		pgx.NamedArgs{"organization_id": organizationID, "id": id, "not_placed": call.NotPlacedReasons})
	if err != nil {
		return nil, fmt.Errorf("count the calls of campaign %s by %s: %w", id, column, err)
	}
	counts := map[T]int{}
	var value T
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&value, &n}, func() error {
		counts[value] += n
		return nil
	}); err != nil {
		return nil, fmt.Errorf("count the calls of campaign %s by %s: %w", id, column, err)
	}
	return counts, nil
}

// ListOptions filter campaigns. A zero field does not filter.
type ListOptions struct {
	Page      page.Request
	Statuses  []Status // matches any of them
	ProjectID *uuid.UUID
	AgentID   *uuid.UUID
	Search    string // part of the name

	// Bounds of the start, the end and the last change, all excluded. A zero time is no bound.
	StartedAfter, StartedBefore time.Time
	EndedAfter, EndedBefore     time.Time
	UpdatedAfter, UpdatedBefore time.Time
}

// List reads a page of campaigns, newest first. An unknown status is Invalid. An
// unknown project has no campaigns.
func (s *Service) List(ctx context.Context, organizationID uuid.UUID, o ListOptions) (page.List[Campaign], error) {
	args := pgx.NamedArgs{"organization_id": organizationID}
	if err := oneOf("status", o.Statuses, Statuses); err != nil {
		return page.List[Campaign]{}, err
	}
	where := ""
	if o.ProjectID != nil {
		where += ` and project_id = @project_id`
		args["project_id"] = *o.ProjectID
	}
	if o.AgentID != nil {
		where += ` and agent_id = @agent_id`
		args["agent_id"] = *o.AgentID
	}
	where += page.Within(args, "started_at", o.StartedAfter, o.StartedBefore) +
		page.Within(args, "ended_at", o.EndedAfter, o.EndedBefore) +
		page.Within(args, "changed_at", o.UpdatedAfter, o.UpdatedBefore)
	if q := typed(o.Search); q != "" {
		where += ` and ` + sqlNamed
		args["name"] = likely(q)
	}
	list, err := page.Read(ctx, s.db, o.Page, "list campaigns", `
		select `+columns+`
		from (`+page.Merge(`
			select * from campaign
			where organization_id = @organization_id and kind = 'campaign' and `+page.Where+
		where, page.Order, page.Equal(args, "status", o.Statuses))+`
		) campaign `+open+`
		order by campaign.created_at desc, campaign.id desc`, args, position)
	for i := range list.Data {
		list.Data[i].pausedWaiting()
	}
	return list, err
}

func position(c Campaign) (time.Time, uuid.UUID) { return c.CreatedAt, c.ID }

// typed cleans the text of a search.
func typed(s string) string { return strings.TrimSpace(check.Searchable(s)) }

// sqlNamed is the condition that a name matches the pattern @name, whichever apostrophes they have.
const sqlNamed = `straight_apostrophes(name) ilike straight_apostrophes(@name)`

// likely returns a pattern for ILIKE that finds s anywhere in a text.
func likely(s string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s) + "%"
}

// oneOf refuses values that are not in a closed set.
func oneOf[S ~string](path string, values, all []S) error {
	var p fault.Problems
	fault.OneOf(&p, path, values, all)
	return p.Err()
}
