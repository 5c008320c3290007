package alert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/messaging"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/suppression/subscribed"
	"github.com/dialwright/dialwright/internal/webhook"
)

// condition is the SQL of all subjects of which an alert is open: organization_id, subject_id, its name, the detail for
// people, and user_id, the only member whom it concerns or null. A kind that grows also has the time of the newest
// thing that the alert is about.
type condition struct {
	kind Kind
	sql  string
}

// columns are those of a condition with newest.
const columns = `organization_id, subject_id, name, detail, user_id, newest`

// all is the SQL with newest, which is null unless the kind grows.
func (c condition) all() string {
	if of(c.kind).grows {
		return c.sql
	}
	return `select *, null::timestamptz from (` + c.sql + `) plain`
}

// conditions are the conditions of all kinds. A follow-up has its kind and no name: a person's name would outlive an
// erasure.
var conditions = []condition{
	{CampaignPaused, `
		select c.organization_id, c.id, c.name, c.pause_reason, null::uuid
		from campaign c
		where c.status = 'paused' and c.kind = 'campaign' and not starts_with(c.pause_reason, @paused_by)`},
	{AbandonedNear, `
		select c.organization_id, c.id, c.name,
		       'Of ' || h.answered || ' calls that people answered, ' || h.abandoned || ' were abandoned (' ||
		       round(100.0 * h.abandoned / h.answered, 2) || '%). The limit is ' || o.abandoned_most || '%', null::uuid
		from campaign c
		join organization o on o.id = c.organization_id
		cross join lateral (
			select coalesce(sum(a.answered_by_person), 0) as answered, coalesce(sum(a.abandoned), 0) as abandoned
			from campaign_answer_hour a
			where a.campaign_id = c.id and a.starts_at > (select clock()) - @abandoned_span::interval
			  and (c.abandoned_from is null or a.starts_at >= c.abandoned_from)
		) h
		where c.status = 'running' and o.abandoned_most > 0 and h.answered >= o.abandoned_least and h.answered > 0
		  and 100.0 * h.abandoned >= @near * o.abandoned_most * h.answered`},
	{ConnectionFailing, `
		select c.organization_id, c.id, c.name,
		       case when not c.is_failing then f.text else
		         case when c.consecutive_errors >= @connection_errors
		              then c.consecutive_errors || ' calls in a row could not be placed'
		              when c.line_failures >= @line_failures
		              then c.line_failures || ' calls in a row had no working line to the agent'
		              else 'No call has worked since the last failure' end ||
		         coalesce(': ' || nullif(c.last_error, ''), '') end, null::uuid
		from (select *, ` + project.IsFailing + ` as is_failing from connection where deactivated_at is null) c
		cross join lateral (` + project.FailedChecks + `) f
		where c.is_failing or f.text is not null`},
	{ModelFailing, `
		select organization_id, id, name, coalesce(last_error, ''), null::uuid
		from model_connection
		where deactivated_at is null and failures >= @model_failures`},
	{WebhookDisabled, `
		select organization_id, id, name,
		       case disabled_reason when @gone then 'Its endpoint answered 410 Gone, so it no longer exists'
		                            else 'No delivery succeeded for five days' end ||
		       '. Nothing is sent to it while it is disabled', null::uuid
		from webhook
		where deleted_at is null and disabled_reason is not null`},
	{WebhookFailing, `
		select organization_id, id, name, 'Retries continue, and every event is kept', null::uuid
		from webhook
		where deleted_at is null and failures > 0 and ` + webhook.IsFailing},
	{WhatsAppFailing, `
		select organization_id, id, name, coalesce(last_error, paused_reason), null::uuid
		from messaging_connection
		where disconnected_at is null and (last_error is not null or paused_reason is not null)`},
	{QuotaLow, `
		select n.organization_id, n.id, coalesce(n.name, n.external_id),
		       u.used || ' of ' || s.tier_limit || ' conversations of the last 24 hours are used', null::uuid
		from messaging_scope s
		cross join lateral (
			select s.recipients - count(*) as used from messaging_ledger l
			where l.scope_id = s.id and l.counted_at <= (select clock()) - @window::interval
		) u
		join messaging_number n on n.scope_id = s.id and n.disconnected_at is null
		where s.recipients * 10 >= s.tier_limit * 9 and u.used * 10 >= s.tier_limit * 9`},
	{ListFailing, `
		select organization_id, id, name,
		       case when shrunk then coalesce(held_back, last_error)
		            else failures || ' fetches in a row failed: ' || last_error end || '. ' ||
		       case when fetched_at is null then @none_applied::text else @in_effect::text end, null::uuid
		from subscribed_list
		where shrunk or failures >= @list_failures`},
	{KeyExpiring, `
		select k.organization_id, k.id, k.name,
		       'The key ' || display || ' stops working on ' ||
		       to_char(expires_at at time zone o.time_zone, 'FMDD Mon YYYY, HH24:MI') || ' (' || o.time_zone || ')',
		       null::uuid
		from api_key k
		join organization o on o.id = k.organization_id
		where revoked_at is null and replaced_by is null
		  and expires_at > (select clock()) and expires_at <= (select clock()) + @soon::interval`},
	{KeyUnused, `
		select k.organization_id, k.id, k.name,
		       'The key ' || k.display || case when u.last_used_at is null then ' was never used' else
		       ' was last used on ' || to_char(u.last_used_at at time zone o.time_zone, 'FMDD Mon YYYY') end, null::uuid
		from api_key_use u
		join api_key k on k.id = u.api_key_id
		join organization o on o.id = k.organization_id
		where k.revoked_at is null and k.replaced_by is null
		  and (k.expires_at is null or k.expires_at > (select clock()) + @soon::interval)
		  and coalesce(u.last_used_at, k.created_at) <= (select clock()) - @unused::interval`},
	{FollowUpDue, `
		select organization_id, id, '', kind, assignee_id
		from follow_up
		where status = 'open' and due_at <= (select clock())`},
	{FollowUpNew, `
		select o.id, o.id, '',
		       case when f.n > @most_counted then 'More than ' || to_char(@most_counted::int, 'FM999,999,999')
		            else to_char(f.n, 'FM999,999,999') end ||
		       case when f.n = 1 then ' open follow-up has no assignee' else ' open follow-ups have no assignee' end,
		       null::uuid, f.newest
		from organization o
		cross join lateral (
			select count(*) as n, max(u.created_at) as newest
			from (
				select created_at from follow_up
				where organization_id = o.id and status = 'open' and assignee_id is null
				order by created_at desc, id desc limit @most_counted + 1
			) u
		) f
		where f.n > 0`},
}

// allConditions is the SQL of the conditions of all kinds, in the order of the table of kinds. It adds the kind and its
// place in the order. The planner looks into each part, so a condition on organization_id reads that organization only.
var allConditions = func() string {
	parts := make([]string, len(kinds))
	for i, k := range kinds {
		at := slices.IndexFunc(conditions, func(c condition) bool { return c.kind == k.Kind })
		parts[i] = fmt.Sprintf(`
			select %d as nth, '%s' as kind, c.*
			from (%s) c (`+columns+`)`, i, k.Kind, conditions[at].all())
	}
	return strings.Join(parts, `
			union all`)
}()

// nearLimit is the share of the limit of abandoned calls at which people are told.
const nearLimit = 0.8

// conditionArgs are the bounds in conditions.
func conditionArgs() pgx.NamedArgs {
	return pgx.NamedArgs{
		"paused_by": campaign.PausedBy, "abandoned_span": campaign.AbandonedSpan, "near": nearLimit,
		"connection_errors": project.MostErrors, "line_failures": project.MostLineFailures,
		"model_failures": modelconn.MostFailures, "gone": webhook.DisabledGone, "window": messaging.Window,
		"list_failures": subscribed.MostFailures, "in_effect": subscribed.InEffect,
		"none_applied": subscribed.NoneApplied, "soon": account.ExpiresSoon, "unused": account.UnusedAfter,
		"most_counted": followup.MostCounted,
	}
}
