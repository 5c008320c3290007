package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/webhook"
)

// Create creates a campaign from a draft, with all recipients or not at all. Recipients
// whose number is a duplicate or on the do-not-call list are accepted and skipped. If
// AskQuota and AskReadiness were not called before, Create calls them and returns their errors. Errors:
// Invalid for a draft with problems, or with a project, agent or number that the
// organization does not have; Conflict for a draft with the ID of an existing campaign, or
// for a connection that is not ready; Unprocessable for a list that exceeds the quota of its WhatsApp number.
func (s *Service) Create(ctx context.Context, actor account.Actor, d *Draft) (Campaign, error) {
	if d.checked == nil {
		if err := d.Check(s.now()); err != nil {
			return Campaign{}, err
		}
	}
	if err := s.AskQuota(ctx, actor.OrganizationID, d); err != nil {
		return Campaign{}, err
	}
	if err := s.AskReadiness(ctx, actor.OrganizationID, d); err != nil {
		return Campaign{}, err
	}
	id := d.ID
	if id == uuid.Nil {
		id = uuid.Must(uuid.NewV7())
	}
	var created Campaign
	err := postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		if err := s.create(ctx, tx, actor, id, d); err != nil {
			return err
		}
		var err error
		created, err = s.In(tx).Get(ctx, actor.OrganizationID, id)
		return err
	})
	if err != nil {
		return Campaign{}, err
	}
	s.Wake()
	return created, nil
}

func (s *Service) create(ctx context.Context, tx pgx.Tx, actor account.Actor, id uuid.UUID, d *Draft) error {
	parts, err := UseParts(ctx, tx, actor.OrganizationID, d.checked.projectID,
		UsedAgent{ID: d.checked.agentID, Version: d.AgentVersion}, d.checked.from)
	if err != nil {
		return err
	}
	source, err := useSource(ctx, tx, actor.OrganizationID, d, parts)
	if err == nil && source != nil {
		err = s.mayMessage(ctx, tx, actor.OrganizationID, parts.ConnectionID())
	}
	if err != nil {
		return err
	}
	if err := d.fits(parts.Number); err != nil {
		return err
	}
	set := d.checked
	status, unready := Drafted, notReady{}
	if !d.AsDraft {
		status = Scheduled
		unready, err = allow(ctx, tx, actor, parts.ConnectionID(), parts.NumberIDs(), set.notReadyReason)
		if err != nil {
			return err
		}
	}
	start := parts.Now
	if set.scheduledAt != nil {
		start = *set.scheduledAt
	}
	callingHours := parts.Project.CallingHours
	if d.CallingHours != nil {
		callingHours = *d.CallingHours
	}
	rules, err := readRules(ctx, tx, actor.OrganizationID)
	if err != nil {
		return err
	}
	list, err := plan(ctx, tx, actor.OrganizationID, d.Recipients,
		NewClocks(callingHours, parts.Project.TimeZone, start, parts.Now, rules))
	if err != nil {
		return err
	}
	if d.AsDraft {
		list.waiting = Tally{}.List()
	}
	hoursJSON, err := json.Marshal(callingHours)
	if err != nil {
		return fmt.Errorf("encode calling hours: %w", err)
	}
	_, err = tx.Exec(ctx, `
		insert into campaign (
			id, organization_id, project_id, agent_id, agent_version_id, split_version_id, split_percent,
				phone_number_id, number_pool_id, connection_id, name, call_reason, status, scheduled_at,
				expires_at,
			calling_hours, max_concurrency, calls_per_second, max_attempts, retry_delays, retry_outcome_delays,
				retry_on, intents, voicemail_action, detection,
			ring_timeout_seconds, max_duration_seconds, variables, metadata, messaging, messaging_trigger,
				messaging_number_id, budget_amount, budget_currency, progress_shares,
			waiting, total, skipped, dial_at, retry_of_campaign_id, created_by, created_at)
		values (
			@id, @organization_id, @project_id, @agent_id, @agent_version_id, @split_version_id, @split_percent,
				@phone_number_id, @number_pool_id, @connection_id, @name, @call_reason, @status,
				@scheduled_at::timestamptz, @expires_at::timestamptz,
			@calling_hours, @max_concurrency, @calls_per_second, @max_attempts, @retry_delays, @retry_outcome_delays,
				@retry_on, @intents, @voicemail_action, @detection,
			@ring_timeout, @max_duration, @variables, @metadata, @messaging, @trigger, @messaging_number,
				@budget_amount::numeric, @budget_currency, @progress_shares,
			@waiting, @total, @skipped,
				case when @status <> 'draft' then least(@scheduled_at::timestamptz, @expires_at::timestamptz) end,
				@retry_of, @created_by, @now)`,
		set.budget.Args(parts.versionArgs(d.AgentVersion, pgx.NamedArgs{
			"id": id, "organization_id": actor.OrganizationID, "project_id": parts.Project.ID,
			"agent_id":        parts.Agent.ID,
			"status":          status,
			"phone_number_id": orNil(set.from.PhoneNumberID), "number_pool_id": orNil(set.from.NumberPoolID),
			"connection_id": parts.ConnectionID(), "name": set.name, "call_reason": postgres.OrNull(set.callReason),
			"scheduled_at": start, "expires_at": set.expiresAt, "calling_hours": hoursJSON,
			"max_concurrency": set.maxConcurrency, "calls_per_second": set.callsPerSecond,
			"max_attempts": set.maxAttempts, "retry_delays": set.retryDelays, "retry_outcome_delays": set.outcomeDelays,
			"retry_on":         set.retryOn,
			"intents":          set.intents,
			"voicemail_action": set.voicemailAction, "detection": set.detection,
			"ring_timeout": set.ringTimeout, "max_duration": set.maxDuration,
			"variables": set.variables, "metadata": set.metadata,
			"messaging": set.messaging, "trigger": set.trigger(), "messaging_number": source, "waiting": list.waiting,
			"retry_of": d.repeats, "progress_shares": set.progressShares,
			"total": len(list.rows), "skipped": list.skipped, "created_by": actor.Name, "now": parts.Now,
		})))
	if postgres.Constraint(err) == "campaign_pkey" {
		return fault.Conflictf("This campaign has already been created")
	}
	if err != nil {
		return fmt.Errorf("insert campaign: %w", err)
	}
	if err := list.copy(ctx, tx, actor.OrganizationID, id, parts.Now); err != nil {
		return err
	}
	made := change{
		id:      id,
		action:  "campaign.created",
		data:    map[string]any{"name": set.name, "recipients": len(list.rows)},
		log:     LogCreated,
		details: list.details(),
	}
	if d.repeats != nil {
		made.data["retry_of_campaign_id"] = *d.repeats
	}
	if d.AsDraft {
		made.details.Draft = true
	} else if start.After(parts.Now) {
		made.details.Until = &start
		made.events = []webhook.Type{webhook.CampaignScheduled}
	}
	if list.skipped > 0 {
		made.added = &addedList{at: parts.Now}
	}
	unready.writeTo(&made)
	return record(ctx, tx, actor, made)
}

// planned is a list ready to be written.
type planned struct {
	rows    []plannedRow
	skipped int
	leftOut int // rows of the list that had errors
	waiting []Waiting
}

type plannedRow struct {
	*intake.Entry
	when *Due
	skip string // why the recipient will never be called; empty: the recipient will be called
}

// plan decides for every recipient of a list whether to call it, by which clock, and
// the earliest time.
func plan(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, list *intake.List, clocks *Clocks,
) (planned, error) {
	numbers := make([]phone.Number, 0, list.Len())
	for e := range list.Each {
		if !e.Duplicate {
			numbers = append(numbers, e.Number)
		}
	}
	listed, err := suppression.Listed(ctx, tx, organizationID, suppression.Voice, numbers)
	if err != nil {
		return planned{}, err
	}
	required, _, err := consentRequired(ctx, tx, organizationID)
	if err != nil {
		return planned{}, err
	}
	p := planned{rows: make([]plannedRow, 0, list.Len()), leftOut: list.LeftOut()}
	later := map[*Due]int{}
	for e := range list.Each {
		row := plannedRow{Entry: e}
		if row.when, err = clocks.Due(e); err != nil {
			return planned{}, err
		}
		switch _, onList := listed[e.Number]; {
		case onList:
			row.skip = SkipDoNotCall
		case e.Duplicate:
			row.skip = SkipDuplicate
		case required && !intake.Consented(e.ConsentBasis, e.ConsentAt, e.ConsentExpiresAt, clocks.now):
			row.skip = SkipNoConsent
		}
		if row.skip != "" {
			p.skipped++
		} else if row.when.At.After(clocks.now) {
			later[row.when]++
		}
		p.rows = append(p.rows, row)
	}
	tally := Tally{}
	for when, n := range later {
		tally.Wait(when.Reason, when.Source, when.Zones, n, when.At)
	}
	p.waiting = tally.List()
	return p, nil
}

// details returns the log details of the list.
func (p planned) details() LogDetails {
	d := LogDetails{Recipients: len(p.rows), LeftOut: p.leftOut}
	for _, row := range p.rows {
		switch row.skip {
		case SkipDuplicate:
			d.Duplicate++
		case SkipDoNotCall:
			d.DoNotCall++
		case SkipNoConsent:
			d.NoConsent++
		}
	}
	return d
}

// copy inserts the recipients in the order of the list.
func (p planned) copy(ctx context.Context, tx pgx.Tx, organizationID, campaignID uuid.UUID, now time.Time) error {
	// pgx encodes its own UUIDs several times faster than others.
	fast := func(id uuid.UUID) pgtype.UUID { return pgtype.UUID{Bytes: id, Valid: true} }
	organization, campaign := fast(organizationID), fast(campaignID)
	columns := []string{"id", "organization_id", "campaign_id", "phone_number", "name", "external_id", "timezone",
		"zones",
		"zone_source", "consent_basis", "consent_at", "consent_source", "consent_expires_at",
		"variables", "metadata", "status", "due_at", "wait_reason",
		"skip_reason", "created_at"}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"recipient"}, columns,
		pgx.CopyFromSlice(len(p.rows), func(i int) ([]any, error) {
			row := p.rows[i]
			status, dueAt, wait := RecipientPending, &row.when.At, postgres.OrNull(row.when.Reason)
			if row.skip != "" {
				status, dueAt, wait = RecipientSkipped, nil, nil
			}
			return []any{fast(uuid.Must(uuid.NewV7())), organization, campaign, string(row.Number), row.Name,
				postgres.OrNull(row.ExternalID),
				postgres.OrNull(row.Timezone), row.when.Zones, row.when.Source,
				postgres.OrNull(row.ConsentBasis), row.ConsentAt,
				postgres.OrNull(row.ConsentSource), row.ConsentExpiresAt,
				row.Variables, row.Metadata, string(status), dueAt, wait, postgres.OrNull(row.skip), now}, nil
		}))
	if err != nil {
		return fmt.Errorf("copy %d recipients: %w", len(p.rows), err)
	}
	return nil
}
