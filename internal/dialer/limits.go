package dialer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/regulation"
)

type limitsOfOrganization struct {
	Stopped          bool
	StoppedBy        string
	MaxConcurrency   *int
	CallsPerSecond   *float64
	MaxDailyAttempts *int
	CallingRules     regulation.Settings
	TimeZone         string
	ConsentRequired  bool
	HasBudget        bool // for a month
	HasModelDay      bool // limits of language models for a day
}

type limitsOfConnection struct {
	Gone           bool
	Kind           string
	Name           string
	CallsPerSecond *float64
	MaxConcurrency *int
	project.Failures
}

type limitsOfCampaign struct {
	campaign.Locked
	ConnectionID       uuid.UUID
	PhoneNumberID      *uuid.UUID // nil: the campaign calls from a pool
	NumberPoolID       *uuid.UUID
	ProjectID          uuid.UUID
	AgentID            uuid.UUID
	AgentVersionID     *uuid.UUID // nil: the published one
	SplitVersionID     *uuid.UUID // of SplitPercent of the recipients
	SplitPercent       *int
	CallingHours       json.RawMessage
	MaxConcurrency     int
	CallsPerSecond     float64
	MessagingTrigger   *campaign.Trigger
	VoicemailAction    call.VoicemailAction
	Detection          carrier.Detection
	CallReason         *string
	RingTimeoutSeconds int
	MaxDurationSeconds int
	PaceAt             *time.Time
	DialAt             *time.Time
	WaitingAt          *time.Time
	HasWaiting         bool
	Held               *string
	HasBudget          bool
}

// liveCalls has the numbers of calls in flight. They are counted in a statement after the lock,
// because the locking statement would not see calls that committed while it waited. Calls without a
// limit are not counted.
type liveCalls struct {
	Now           time.Time
	Agent         string
	AgentLanguage string // of the version that calls follow
	AgentGone     bool
	PublishedID   *uuid.UUID // the published version of the agent
	Organization  int
	Connection    int
	Number        int
	Campaign      int

	Countries     []string // of calls that the carrier refused because of the country
	Refused       []string // those of Countries in which nobody is called
	OnlyCountries bool     // every recipient who is left waits for such a country

	Prioritized bool // recipients are due who are called before the others

	OwnCalls bool // calls of their own are scheduled that use the connection

	project.RefusedCaller

	LineFailures int // consecutive ones of the campaign
	LineProbing  bool
	LineReason   string // the carrier's words for the last of them

	preDialCheck
	modelLimits
}

// sqlShort configures a transaction that runs many times a second: it waits only briefly
// for a row, and reuses plans that cost more to make than to run.
const sqlShort = `select set_config('lock_timeout', $1, true), set_config('plan_cache_mode', 'force_generic_plan',
	true)`

// lockAll locks the rows with limits in the common order, and counts live calls.
func (p *pass) lockAll(ctx context.Context) error {
	args := pgx.NamedArgs{
		"organization_id": p.OrganizationID, "connection_id": p.ConnectionID, "phone_number_id": p.PhoneNumberID,
		"number_pool_id": p.NumberPoolID, "id": p.ID,
		"most_country_refusals": mostCountryRefusals, "most_check_failures": predial.MostFailures,
		"most_model_failures": connection.MostFailures,
	}
	batch := &pgx.Batch{}
	batch.Queue(sqlShort, lockWait)
	one(batch, &p.organization, args, `
		select calling_stopped_at is not null as stopped, calling_stopped_by as stopped_by, max_concurrency,
			calls_per_second, max_daily_attempts, calling_rules, time_zone, consent_required,
			budget_amount is not null as has_budget,
			model_day_tokens is not null or model_day_amount is not null as has_model_day
		from organization where id = @organization_id
		for no key update`)
	one(batch, &p.connection, args, `
		select deactivated_at is not null as gone, kind, name, calls_per_second, max_concurrency,
			`+project.FailureColumns+`
		from connection where organization_id = @organization_id and id = @connection_id
		for no key update`)
	p.lockCallers(batch, args)
	one(batch, &p.campaign, args, `
		select `+campaign.LockedColumns+`, connection_id, phone_number_id, number_pool_id, project_id,
		       agent_id, agent_version_id, split_version_id, split_percent,
		       calling_hours, messaging_trigger, max_concurrency, `+
		`calls_per_second, voicemail_action, detection, call_reason,
		       ring_timeout_seconds, max_duration_seconds, pace_at, dial_at, waiting_at, waiting <> '[]' as `+
		`has_waiting, held,
		       budget_amount is not null as has_budget
		from campaign where organization_id = @organization_id and id = @id
		for no key update`)
	one(batch, &p.live, args, `
		select clock() as now,
		       agent.deactivated_at is not null as agent_gone, agent.name as agent,
		       agent.published_version_id as published_id,
		       coalesce((select v.language from agent_version v where v.id = coalesce(
		         (select agent_version_id from campaign where id = @id), agent.published_version_id)),
		         agent.language) as agent_language,
		       (select count(*) from call
			where campaign_id = @id and settled_at is null and ended_at is null) as campaign,
		       coalesce((select case when max_concurrency is null and f.probing is not true then 0 else
		          (select count(*) from call where phone_number_id = n.id and ended_at is null) end
		        from phone_number n where id = @phone_number_id), 0) as number,
		       (select case when max_concurrency is null and probing is null then 0 else
		          (select count(*) from call where connection_id = n.id and ended_at is null) end
		        from connection n where id = @connection_id) as connection,
		       (select case when max_concurrency is null then 0 else
		          (select count(*) from call where organization_id = n.id and ended_at is null) end
		        from organization n where id = @organization_id) as organization,
		       array(select country from country_refusal where campaign_id = @id order by country) as countries,
		       array(select country from country_refusal
			where campaign_id = @id and times >= @most_country_refusals) as refused,
		       exists (select from country_refusal where campaign_id = @id)
		         and not exists (select from recipient where campaign_id = @id and status = 'dialing')
		         and not exists (select from recipient
		           where campaign_id = @id and status = 'pending' and due_at is not null) as only_countries,
		       exists (select from recipient
			where campaign_id = @id and status = 'pending' and prioritized_at is not null and due_at <= (select clock())
			) as prioritized,
		       exists (select from campaign
			where connection_id = @connection_id and kind = 'call' and dial_at is not null) as own_calls,
		       `+project.CallerRefusalColumns+`,
		       `+preDialCheckColumns+`,
		       `+modelColumns+`,
		       coalesce(l.times, 0) as line_failures, coalesce(l.probing, false) as line_probing,
		       coalesce(l.reason, '') as line_reason
		from agent
		left join caller_refusal f on f.phone_number_id = @phone_number_id
		left join line_failure l on l.campaign_id = @id
		left join pre_dial_check k on k.organization_id = @organization_id and k.enabled_at is not null
		`+sqlModel+`
		where agent.organization_id = @organization_id and agent.id = (select agent_id from campaign where id = @id)`)
	p.readCallers(batch, args)
	p.kept = readPaces(batch, p.OrganizationID, p.ConnectionID, p.PhoneNumberID)
	if err := p.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("lock the limits of campaign %s: %w", p.ID, err)
	}
	if p.callers.pool == nil && len(p.callers.all) == 1 {
		c := p.callers.all[0]
		c.live, c.pace = p.live.Number, newPace(c.CallsPerSecond, p.kept[c.ID])
		c.refusals, c.reason = p.live.CallerRefusals, p.live.CallerReason
	}
	return p.callers.open(p.live.Now, p.organization.TimeZone)
}

// renumbered reports whether the campaign calls from other numbers than those that the pass has locked.
func (p *pass) renumbered() bool {
	differ := func(a, b *uuid.UUID) bool { return *cmp.Or(a, new(uuid.UUID)) != *cmp.Or(b, new(uuid.UUID)) }
	return p.campaign.ConnectionID != p.ConnectionID || differ(p.campaign.PhoneNumberID, p.PhoneNumberID) ||
		differ(p.campaign.NumberPoolID, p.NumberPoolID)
}

// one queues a statement that reads exactly one row into dst.
func one[T any](batch *pgx.Batch, dst *T, args pgx.NamedArgs, sql string) {
	batch.Queue(sql, args).Query(func(rows pgx.Rows) (err error) {
		*dst, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[T])
		return err
	})
}

// paces are the paces that bound call starts, except those of the numbers. The campaign's own pace
// is first.
type paces [3]struct {
	pace
	reason string // a reason of Waiting
}

func (p *pass) paces() paces {
	start := p.campaign.ScheduledAt
	own := pace{rate: p.campaign.CallsPerSecond, next: *cmp.Or(p.campaign.PaceAt, &start)}
	return paces{
		{own, campaign.WaitCampaignPace},
		{newPace(p.connection.CallsPerSecond, p.kept[p.ConnectionID]), campaign.WaitConnectionPace},
		{newPace(p.organization.CallsPerSecond, p.kept[p.OrganizationID]), campaign.WaitOrganizationPace},
	}
}

// allow returns how many calls every pace allows at now, at most most.
func (p paces) allow(now time.Time, most int) int {
	for _, each := range p {
		most = each.allows(now, most)
	}
	return most
}

// within returns how many calls every pace allows between now and d later, at most most.
func (p paces) within(now time.Time, d time.Duration, most int) int {
	for _, each := range p {
		most = each.within(now, d, most)
	}
	return most
}

// after returns the paces after n calls were placed at now.
func (p paces) after(now time.Time, n int) paces {
	for i := range p {
		p[i].pace = p[i].pace.after(now, n)
	}
	return p
}

// next returns when every pace allows the next call, and the reason of the slowest pace.
func (p paces) next() (at time.Time, reason string) {
	for _, each := range p {
		if each.pace.next.After(at) {
			at, reason = each.pace.next, each.reason
		}
	}
	return at, reason
}

// keepShared stores the paces that other campaigns share.
func (p *pass) keepShared(ctx context.Context, reached paces) error {
	return keepPaces(ctx, p.tx, p.OrganizationID, append(p.callers.reached(),
		reachedPace{pace: reached[2].pace},
		reachedPace{pace: reached[1].pace, connectionID: &p.ConnectionID},
	)...)
}

// limit bounds simultaneous calls.
type limit struct {
	most   *int // nil: no limit
	live   int
	reason string
}

// free returns how many more calls the concurrency limits allow, and which limit is the
// narrowest.
func (p *pass) free() (n int, bound string) {
	one := 1
	probes := func(probing bool, live int) limit {
		if probing {
			return limit{&one, live, campaign.WaitProbing}
		}
		return limit{}
	}
	n, bound = p.campaign.MaxConcurrency-p.live.Campaign, campaign.WaitCampaignConcurrency
	if slots := p.callers.allSlots(); slots < n {
		n, bound = slots, campaign.WaitNumberConcurrency
	}
	for _, each := range []limit{
		{p.connection.MaxConcurrency, p.live.Connection, campaign.WaitConnectionConcurrency},
		{p.organization.MaxConcurrency, p.live.Organization, campaign.WaitOrganizationConcurrency},
		probes(p.live.LineProbing, p.live.Campaign),
		probes(p.live.CallerProbing, p.live.Number),
		probes(p.connection.Probing != "", p.live.Connection),
		p.live.preDialCheck.limit(p.live.Now),
		p.live.modelLimits.limit(p.live.Now),
		p.modelRoom.limit(),
	} {
		if each.most != nil && *each.most-each.live < n {
			n, bound = *each.most-each.live, each.reason
		}
	}
	return max(n, 0), bound
}
