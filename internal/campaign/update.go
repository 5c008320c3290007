package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Change is a change of a campaign that has not ended. A nil field keeps its value. A list or an object replaces
// the whole value, and what it leaves out gets its default.
type Change struct {
	Name               *string            `json:"name"`
	AgentID            *string            `json:"agent_id"`
	PhoneNumberID      **string           `json:"phone_number_id" nullable:"true"`
	NumberPoolID       **string           `json:"number_pool_id" nullable:"true"`
	AgentVersion       **AgentVersion     `json:"agent_version" nullable:"true"` // to nil: the published one
	CallReason         **string           `json:"call_reason" nullable:"true"`   // to nil: none
	ScheduledAt        **time.Time        `json:"scheduled_at" nullable:"true"`  // to nil: now
	ExpiresAt          **time.Time        `json:"expires_at" nullable:"true"`    // to nil: never
	CallingHours       *hours.Hours       `json:"calling_hours"`
	MaxConcurrency     *int               `json:"max_concurrency"`
	CallsPerSecond     *float64           `json:"calls_per_second"`
	Retry              *RetryInput        `json:"retry"`
	Intents            *Intents           `json:"intents"`
	VoicemailAction    *string            `json:"voicemail_action"`
	Detection          *carrier.Detection `json:"detection"`
	RingTimeoutSeconds *int               `json:"ring_timeout_seconds"`
	MaxDurationSeconds *int               `json:"max_duration_seconds"`
	Variables          json.RawMessage    `json:"variables"`
	Metadata           json.RawMessage    `json:"metadata"`
	Messaging          **MessagingInput   `json:"messaging" nullable:"true"` // to nil: no messages
	Budget             **Budget           `json:"budget" nullable:"true"`    // to nil: none
	ProgressShares     []int              `json:"progress_shares"`
}

// fixedByUse are the fields that decide what calls and messages are like. They change only before the first call or
// message of the campaign, so that all of them are alike.
var fixedByUse = []string{"agent_id", "phone_number_id", "number_pool_id", "agent_version", "call_reason",
	"voicemail_action", "detection", "ring_timeout_seconds", "max_duration_seconds", "variables", "messaging"}

// Update changes a campaign that has not ended. The start time changes until the start, and the fields of fixedByUse
// until the first call or message. Recipients who wait for another attempt and have had as many as the campaign now has
// get their last status. The dialer follows the change from its next pass on, because both hold the
// campaign's row lock. unmodified, which may be nil, may refuse the campaign as it was before. Errors: Invalid;
// NotFound; Conflict for a campaign that has ended, or for fields that no longer change, or for a connection that is
// not ready; the error of unmodified.
func (s *Service) Update(
	ctx context.Context, actor account.Actor, id uuid.UUID, ch Change, unmodified func(Campaign) error,
) (Campaign, error) {
	quota, err := s.askCarriers(ctx, actor.OrganizationID, id, ch)
	if err != nil {
		return Campaign{}, err
	}
	return s.change(ctx, actor, id, func(tx pgx.Tx) error {
		parts, err := s.newParts(ctx, tx, actor.OrganizationID, id, ch)
		if err != nil {
			return err
		}
		if ch.Retry != nil {
			if err := lockSender(ctx, tx, actor.OrganizationID, id); err != nil {
				return err
			}
		}
		locked, err := Lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		old, err := read(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		var now time.Time
		if err := tx.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
			return fmt.Errorf("read the clock: %w", err)
		}
		if unmodified != nil {
			if err := unmodified(old); err != nil {
				return err
			}
		}
		if old.Status.Terminal() {
			return fault.Conflictf("This campaign is %s and can no longer be changed", old.Status)
		}
		if old.Status != Drafted && old.ExpiresAt != nil && !old.ExpiresAt.After(now) {
			return fault.Conflictf("This campaign has expired and can no longer be changed")
		}
		ch := ch.withoutEqualTimes(old)
		var p fault.Problems
		d, set := ch.settle(old, now, &p)
		if err := p.Err(); err != nil {
			return err
		}
		changed := differences(old, d, set)
		if len(changed) == 0 {
			return account.Unchanged(ctx)
		}
		// Whoever claims a call or a message holds the lock, so none is begun until the end of this transaction.
		used, err := used(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if err := refuseFixed(changed, old.StartedAt != nil, used); err != nil {
			return err
		}
		if err := parts.stillFit(old, set, quota); err != nil {
			return err
		}
		return s.update(ctx, tx, actor, &locked, old, d, set, parts, changed, now)
	})
}

// withoutEqualTimes leaves out times that do not change, because a new campaign could not have them any more.
func (ch Change) withoutEqualTimes(c Campaign) Change {
	if t := ch.ScheduledAt; t != nil && *t != nil && cut(*t).Equal(c.ScheduledAt) {
		ch.ScheduledAt = nil
	}
	if t := ch.ExpiresAt; t != nil && *t != nil && c.ExpiresAt != nil && cut(*t).Equal(*c.ExpiresAt) {
		ch.ExpiresAt = nil
	}
	return ch
}

// draft returns the campaign as a draft after the change, for the rules that a new campaign obeys. Times that do not
// change are left out if they are past.
func (ch Change) draft(c Campaign, now time.Time) *Draft {
	retry := c.retry()
	agent, number, pool := ch.wanted(c)
	d := &Draft{
		Name:          c.Name,
		ProjectID:     c.ProjectID.String(),
		AgentID:       agent,
		PhoneNumberID: number,
		NumberPoolID:  pool,
		AgentVersion:  ch.agentVersion(c),
		CallingHours:  &c.CallingHours,
		Retry: &RetryInput{
			MaxAttempts:          &retry.MaxAttempts,
			DelaysMinutes:        retry.DelaysMinutes,
			OutcomeDelaysMinutes: retry.OutcomeDelaysMinutes,
			On:                   retry.On,
		},
		MaxConcurrency:     &c.MaxConcurrency,
		CallsPerSecond:     &c.CallsPerSecond,
		Intents:            c.Intents,
		VoicemailAction:    c.VoicemailAction,
		Detection:          c.Detection,
		RingTimeoutSeconds: &c.RingTimeoutSeconds,
		MaxDurationSeconds: &c.MaxDurationSeconds,
		Variables:          c.Variables,
		Metadata:           c.Metadata,
		Budget:             c.Budget,
		ProgressShares:     c.ProgressShares,
	}
	if c.CallReason != nil {
		d.CallReason = *c.CallReason
	}
	if c.ScheduledAt.After(now) {
		d.ScheduledAt = &c.ScheduledAt
	}
	if ch.ScheduledAt != nil {
		d.ScheduledAt = *ch.ScheduledAt
	}
	switch {
	case ch.ExpiresAt != nil:
		d.ExpiresAt = *ch.ExpiresAt
	case ch.ScheduledAt != nil: // it must come after the new start
		d.ExpiresAt = c.ExpiresAt
	}
	if ch.Name != nil {
		d.Name = *ch.Name
	}
	if ch.CallReason != nil {
		d.CallReason = ""
		if *ch.CallReason != nil {
			d.CallReason = **ch.CallReason
		}
	}
	if ch.Retry != nil {
		d.Retry = ch.Retry
	}
	if ch.Intents != nil {
		d.Intents = *ch.Intents
	}
	if ch.VoicemailAction != nil {
		if call.DefaultDetection(call.VoicemailAction(d.VoicemailAction)) == d.Detection.Mode {
			d.Detection.Mode = "" // the default of the new action
		}
		d.VoicemailAction = *ch.VoicemailAction
	}
	if ch.Detection != nil {
		d.Detection = *ch.Detection
	}
	if ch.Variables != nil {
		d.Variables = ch.Variables
	}
	if ch.Metadata != nil {
		d.Metadata = ch.Metadata
	}
	if ch.Budget != nil {
		d.Budget = *ch.Budget
	}
	if ch.Messaging != nil {
		d.Messaging = *ch.Messaging
	}
	if ch.ProgressShares != nil {
		d.ProgressShares = ch.ProgressShares
	}
	keep(&d.CallingHours, ch.CallingHours)
	keep(&d.MaxConcurrency, ch.MaxConcurrency)
	keep(&d.CallsPerSecond, ch.CallsPerSecond)
	keep(&d.RingTimeoutSeconds, ch.RingTimeoutSeconds)
	keep(&d.MaxDurationSeconds, ch.MaxDurationSeconds)
	return d
}

// settle returns the campaign as a draft after the change, and its checked settings, unless p has problems afterwards.
// Times that do not change stay, also if they are past.
func (ch Change) settle(c Campaign, now time.Time, p *fault.Problems) (*Draft, *settings) {
	d := ch.draft(c, now)
	set := d.settle(now, p)
	if p.Len() > 0 {
		return d, nil
	}
	if ch.ScheduledAt == nil {
		set.scheduledAt = &c.ScheduledAt
	} else if set.scheduledAt == nil {
		set.scheduledAt = cut(&now)
	}
	if ch.ExpiresAt == nil {
		set.expiresAt = c.ExpiresAt
	}
	if ch.Messaging == nil {
		set.messaging = c.Messaging
	}
	return d, set
}

// keep replaces a value, unless there is no new one.
func keep[T any](value **T, by *T) {
	if by != nil {
		*value = by
	}
}

// changed returns a campaign after a change.
func changed(after Campaign, d *Draft, set *settings) Campaign {
	after.AgentID = set.agentID
	after.PhoneNumberID, after.NumberPoolID = orNil(set.from.PhoneNumberID), orNil(set.from.NumberPoolID)
	after.Name, after.CallReason, after.AgentVersion = set.name, postgres.OrNull(set.callReason), d.AgentVersion
	after.ScheduledAt, after.ExpiresAt, after.CallingHours = *set.scheduledAt, set.expiresAt, *d.CallingHours
	after.MaxConcurrency, after.CallsPerSecond = set.maxConcurrency, set.callsPerSecond
	after.MaxAttempts, after.RetryDelays = set.maxAttempts, set.retryDelays
	after.RetryOutcomeDelays, after.RetryOn, after.Intents = set.outcomeDelays, set.retryOn, set.intents
	after.VoicemailAction, after.Detection = set.voicemailAction, set.detection
	after.RingTimeoutSeconds, after.MaxDurationSeconds = set.ringTimeout, set.maxDuration
	after.Variables, after.Metadata, after.Budget = set.variables, set.metadata, set.budget
	after.Messaging, after.ProgressShares = set.messaging, set.progressShares
	return after
}

// differences lists the fields that a change gives another value, in the order of the API.
func differences(old Campaign, d *Draft, set *settings) []string {
	after := changed(old, d, set)
	before, now := old.Resource(), after.Resource()
	var changed []string
	for _, field := range []struct {
		name     string
		old, new any
	}{
		{"name", before.Name, now.Name},
		{"agent_id", before.AgentID, now.AgentID},
		{"phone_number_id", before.PhoneNumberID, now.PhoneNumberID},
		{"number_pool_id", before.NumberPoolID, now.NumberPoolID},
		{"agent_version", before.AgentVersion, now.AgentVersion},
		{"call_reason", before.CallReason, now.CallReason},
		{"scheduled_at", before.ScheduledAt, now.ScheduledAt},
		{"expires_at", before.ExpiresAt, now.ExpiresAt},
		{"calling_hours", before.CallingHours, now.CallingHours},
		{"max_concurrency", before.MaxConcurrency, now.MaxConcurrency},
		{"calls_per_second", before.CallsPerSecond, now.CallsPerSecond},
		{"retry", before.Retry, now.Retry},
		{"intents", before.Intents, now.Intents},
		{"voicemail_action", before.VoicemailAction, now.VoicemailAction},
		{"detection", before.Detection, now.Detection},
		{"ring_timeout_seconds", before.RingTimeoutSeconds, now.RingTimeoutSeconds},
		{"max_duration_seconds", before.MaxDurationSeconds, now.MaxDurationSeconds},
		{"variables", before.Variables, now.Variables},
		{"metadata", before.Metadata, now.Metadata},
		{"messaging", before.Messaging, now.Messaging},
		{"budget", before.Budget, now.Budget},
		{"progress_shares", before.ProgressShares, now.ProgressShares},
	} {
		if !SameJSON(field.old, field.new) {
			changed = append(changed, field.name)
		}
	}
	return changed
}

// SameJSON reports whether two values are the same in the API, whatever the order of the names in their objects.
func SameJSON(a, b any) bool {
	plain := func(v any) []byte {
		encoded, err := json.Marshal(v)
		var decoded any
		if err == nil {
			numbers := json.NewDecoder(bytes.NewReader(encoded))
			numbers.UseNumber()
			err = numbers.Decode(&decoded)
		}
		if err == nil {
			encoded, err = json.Marshal(decoded) // which sorts names
		}
		if err != nil {
			panic(err) // fields of a resource always encode
		}
		return encoded
	}
	return bytes.Equal(plain(a), plain(b))
}

// refuseFixed refuses changes of fields that are fixed: the start time in a campaign that has started, and the fields
// of fixedByUse in one that was used.
func refuseFixed(changed []string, started, used bool) error {
	var p fault.Problems
	for _, field := range changed {
		switch {
		case field == "scheduled_at" && started:
			p.Addf(field, "cannot be changed after the campaign has started")
		case used && slices.Contains(fixedByUse, field):
			p.Addf(field, "cannot be changed after the first call or message")
		}
	}
	return conflict(&p)
}

// Used reports whether a campaign has a call or a message, also one that only waits for its carrier. What decides how
// calls and messages are made then no longer changes.
func (s *Service) Used(ctx context.Context, organizationID, id uuid.UUID) (bool, error) {
	return used(ctx, s.db, organizationID, id)
}

func used(ctx context.Context, db postgres.DB, organizationID, id uuid.UUID) (is bool, err error) {
	err = db.QueryRow(ctx, `
		select exists (select from call where organization_id = @organization_id and campaign_id = @id)
		    or exists (select from message where organization_id = @organization_id and campaign_id = @id)`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id}).Scan(&is)
	if err != nil {
		return false, fmt.Errorf("look for the first call of campaign %s: %w", id, err)
	}
	return is, nil
}

// conflict returns problems as a Conflict: the values would be valid at another time. It returns nil without problems.
func conflict(p *fault.Problems) error {
	refused := fault.As(p.Err())
	if refused == nil {
		return nil
	}
	refused.Kind = fault.Conflict
	return refused
}

func (s *Service) update(
	ctx context.Context, tx pgx.Tx, actor account.Actor, locked *Locked, old Campaign, d *Draft, set *settings,
	parts newParts, changed []string, now time.Time,
) error {
	hoursJSON, err := json.Marshal(*d.CallingHours)
	if err != nil {
		return fmt.Errorf("encode calling hours: %w", err)
	}
	args := Parts{Versions: parts.versions}.versionArgs(d.AgentVersion, set.budget.Args(pgx.NamedArgs{
		"id": old.ID, "name": set.name, "call_reason": postgres.OrNull(set.callReason),
		"scheduled_at": set.scheduledAt, "expires_at": set.expiresAt, "calling_hours": hoursJSON,
		"max_concurrency": set.maxConcurrency, "calls_per_second": set.callsPerSecond,
		"max_attempts": set.maxAttempts, "retry_delays": set.retryDelays, "retry_outcome_delays": set.outcomeDelays,
		"retry_on": set.retryOn, "intents": set.intents,
		"voicemail_action": set.voicemailAction, "detection": set.detection,
		"ring_timeout": set.ringTimeout, "max_duration": set.maxDuration,
		"variables": set.variables, "metadata": set.metadata,
		"versioned": slices.Contains(changed, "agent_version") || slices.Contains(changed, "agent_id"), "now": now,
		"agent_id": set.agentID, "phone_number_id": orNil(set.from.PhoneNumberID),
		"number_pool_id": orNil(set.from.NumberPoolID), "connection_id": parts.connectionID,
		"messaging": set.messaging, "trigger": set.trigger(), "sourced": parts.sourced,
		"messaging_number": parts.source,
		"progress_shares":  set.progressShares,
	}))
	_, err = tx.Exec(ctx, `
		update campaign set
			name = @name, call_reason = @call_reason, agent_id = @agent_id, phone_number_id = @phone_number_id,
			number_pool_id = @number_pool_id, connection_id = coalesce(@connection_id::uuid, connection_id),
			agent_version_id = case when @versioned then @agent_version_id::uuid else agent_version_id end,
			split_version_id = case when @versioned then @split_version_id::uuid else split_version_id end,
			split_percent = case when @versioned then @split_percent::integer else split_percent end,
			scheduled_at = @scheduled_at::timestamptz, expires_at = @expires_at::timestamptz,
			calling_hours = @calling_hours, max_concurrency = @max_concurrency, calls_per_second = @calls_per_second,
			max_attempts = @max_attempts, retry_delays = @retry_delays, retry_outcome_delays = @retry_outcome_delays,
			retry_on = @retry_on, intents = @intents, voicemail_action = @voicemail_action, detection = @detection,
			ring_timeout_seconds = @ring_timeout, max_duration_seconds = @max_duration,
			variables = @variables, metadata = @metadata,
			budget_amount = @budget_amount::numeric, budget_currency = @budget_currency,
			progress_shares = @progress_shares,
			messaging = case when @sourced then @messaging::jsonb else messaging end,
			messaging_trigger = case when @sourced then @trigger else messaging_trigger end,
			messaging_number_id = case when @sourced then @messaging_number::uuid else messaging_number_id end,
			-- The next call need not wait for the slower pace of before.
			pace_at = case when pace_at > next_at then next_at else pace_at end,
			waiting_at = null,
			dial_at = case status
				when 'draft' then null
				when 'running' then @now::timestamptz
				when 'scheduled' then least(@scheduled_at::timestamptz, @expires_at::timestamptz)
				else @expires_at::timestamptz end
		from (select @now::timestamptz + make_interval(secs => 1 / @calls_per_second::double precision) as next_at) p
		where id = @id`, args)
	if err != nil {
		return fmt.Errorf("change campaign %s: %w", old.ID, err)
	}
	if slices.Contains(changed, "calling_hours") || slices.Contains(changed, "scheduled_at") {
		if err := replan(ctx, tx, old, *d.CallingHours, *set.scheduledAt, now); err != nil {
			return err
		}
	}
	data, details := map[string]any{"name": set.name, "fields": changed}, LogDetails{Fields: changed}
	if set.maxAttempts < old.MaxAttempts {
		if details.Recipients, err = endAttempts(ctx, tx, actor.OrganizationID, locked, set.maxAttempts); err != nil {
			return err
		}
		if details.Recipients > 0 {
			data["recipients"] = details.Recipients
		}
	}
	if err := record(ctx, tx, actor, change{
		id: old.ID, action: "campaign.updated", data: data, log: LogChanged, details: details,
	}); err != nil || details.Recipients == 0 {
		return err
	}
	_, err = Complete(ctx, tx, actor.OrganizationID, locked)
	return err
}

// fieldWords are the words for the fields of Change in the log.
var fieldWords = map[string]string{
	"name": "name", "agent_id": "agent", "phone_number_id": "phone number", "number_pool_id": "number pool",
	"agent_version": "agent version", "call_reason": "call reason", "scheduled_at": "start time",
	"expires_at": "end time", "calling_hours": "calling hours", "max_concurrency": "simultaneous calls",
	"calls_per_second": "pace", "retry": "retries", "intents": "intents", "voicemail_action": "voicemail",
	"detection": "voicemail detection", "ring_timeout_seconds": "ring time", "max_duration_seconds": "maximum length",
	"variables": "variables", "metadata": "metadata", "messaging": "WhatsApp messages", "budget": "budget",
	"progress_shares": "progress events",
}

// changes says which settings were changed.
func (d LogDetails) changes() string {
	words := make([]string, len(d.Fields))
	for i, field := range d.Fields {
		if words[i] = fieldWords[field]; words[i] == "" {
			words[i] = strings.ReplaceAll(field, "_", " ")
		}
	}
	text := "Changed: " + english.List(words)
	if d.Recipients > 0 { // the attempts were lowered
		text += ". " + people(d.Recipients) + " had all attempts and " + plural(d.Recipients, "is", "are") +
			" not called again"
	}
	return text
}
