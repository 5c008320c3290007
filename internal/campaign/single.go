package campaign

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/webhook"
)

// A call of its own belongs to no campaign. It is a recipient all the same, of a standing campaign that nobody sees:
// one for all calls of an organization with the same settings. So the dialer has one way to place a call, and what
// holds for recipients holds for these calls. A standing campaign always runs, without log, audit entries and events.

// Bounds of a standing campaign, which must not limit its calls: the limits of the organization, the connection and
// the phone number apply.
const (
	standingConcurrency = maxMaxConcurrency
	standingRate        = MaxCallsPerSecond
)

// AskReadinessOfCalls has the connections of calls checked if their checks are old, like AskReadiness.
func (s *Service) AskReadinessOfCalls(ctx context.Context, organizationID uuid.UUID, ds *CallDrafts) error {
	if ds.asked {
		return nil
	}
	asked := map[CallsFrom]bool{}
	for _, d := range ds.Calls {
		if from := d.checked.from; !asked[from] {
			asked[from] = true
			if err := s.AskReadiness(ctx, organizationID, &Draft{checked: d.checked}); err != nil {
				return err
			}
		}
	}
	ds.asked = true
	return nil
}

// Call schedules calls of their own, all of them or none, and returns them in the order of the drafts. A call is placed
// when its time has come, its calling hours are open and the limits allow it. Errors: Invalid; Conflict for a
// connection that is not ready, or for a draft whose ID is used already; Unprocessable for a number of the organization
// or on the do-not-call list, or without the consent that the organization requires. They name the index of the call
// and the field.
func (s *Service) Call(ctx context.Context, actor account.Actor, ds *CallDrafts) (made []call.Call, err error) {
	if !ds.checked {
		if err := ds.Check(s.now()); err != nil {
			return nil, err
		}
	}
	if err := s.AskReadinessOfCalls(ctx, actor.OrganizationID, ds); err != nil {
		return nil, err
	}
	err = postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		made, err = scheduleCalls(ctx, tx, actor, ds)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.Wake()
	return made, nil
}

// CallOf returns the call that a draft with this ID has scheduled. Errors: NotFound.
func (s *Service) CallOf(ctx context.Context, organizationID, draft uuid.UUID) (id uuid.UUID, err error) {
	err = s.db.QueryRow(ctx, `
		select first_call_id from recipient
		where organization_id = $1 and id = $2 and first_call_id is not null`, organizationID, draft).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return id, fault.NotFoundf("Call")
	}
	if err != nil {
		err = fmt.Errorf("find the call of draft %s: %w", draft, err)
	}
	return id, err
}

// sameCalls are calls with the same settings.
type sameCalls struct {
	key   []byte // SHA-256 of the settings
	first int    // the index of one of the calls
	rows  []*ownRow
}

// ownRow is a call that becomes a recipient.
type ownRow struct {
	draft    *CallDraft
	standing uuid.UUID
	callID   uuid.UUID
	when     *Due
}

func scheduleCalls(
	ctx context.Context, tx pgx.Tx, actor account.Actor, ds *CallDrafts,
) (made []call.Call, err error) {
	groups, rows, err := group(ds)
	if err != nil {
		return nil, err
	}
	if err := refuseNumbers(ctx, tx, actor.OrganizationID, ds); err != nil {
		return nil, err
	}
	var problems fault.Problems
	data := map[string]any{"calls": len(rows)}
	var now time.Time
	for _, g := range groups {
		at, err := g.use(ctx, tx, actor, ds, data)
		if fault.KindOf(err) == fault.Invalid {
			var own fault.Problems
			own.Also(err)
			problems.MergeAt(ds.path(g.first), &own)
			continue
		}
		if err != nil {
			return nil, err
		}
		now = at
	}
	for i, r := range rows {
		expires := r.draft.checked.expiresAt
		if r.when != nil && expires != nil && !r.when.At.Before(*expires) { // it would expire without having been due
			problems.Addf(ds.path(i)+"expires_at", "must be after the calling hours open, at %s",
				r.when.At.UTC().Format(time.RFC3339))
		}
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if err := copyOwn(ctx, tx, actor.OrganizationID, rows, now); err != nil {
		return nil, err
	}
	// The order is that of whoever locks several campaigns.
	slices.SortFunc(groups, func(a, b *sameCalls) int {
		return bytes.Compare(a.rows[0].standing[:], b.rows[0].standing[:])
	})
	for _, g := range groups {
		if err := g.wake(ctx, tx); err != nil {
			return nil, err
		}
	}
	ids := make([]uuid.UUID, len(rows))
	for i, r := range rows {
		ids[i] = r.callID
	}
	if err := recordOwn(ctx, tx, actor, ids, data); err != nil {
		return nil, err
	}
	return call.Scheduled(ctx, tx, actor.OrganizationID, ids)
}

// group collects the calls with the same settings, in a fixed order, because two requests may insert the same standing
// campaigns.
func group(ds *CallDrafts) (groups []*sameCalls, rows []*ownRow, err error) {
	byKey := map[[sha256.Size]byte]*sameCalls{}
	for i, d := range ds.Calls {
		text, err := json.Marshal(d.settled())
		if err != nil {
			return nil, nil, fmt.Errorf("encode the settings of a call: %w", err)
		}
		key := sha256.Sum256(text)
		g := byKey[key]
		if g == nil {
			g = &sameCalls{key: key[:], first: i}
			byKey[key] = g
			groups = append(groups, g)
		}
		r := &ownRow{draft: d, callID: uuid.Must(uuid.NewV7())}
		g.rows, rows = append(g.rows, r), append(rows, r)
	}
	slices.SortFunc(groups, func(a, b *sameCalls) int { return bytes.Compare(a.key, b.key) })
	return groups, rows, nil
}

// refuseNumbers refuses calls to the organization's own numbers, and calls that would never be placed: to numbers on
// the do-not-call list, and without the consent that the organization requires.
func refuseNumbers(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, ds *CallDrafts) error {
	numbers := make([]phone.Number, len(ds.Calls))
	for i, d := range ds.Calls {
		numbers[i] = d.entry.Number
	}
	listed, err := suppression.Listed(ctx, tx, organizationID, suppression.Voice, numbers)
	if err != nil {
		return err
	}
	own, err := postgres.Collect(ctx, tx, pgx.RowTo[phone.Number], `
		select phone_number from phone_number
		where organization_id = $1 and phone_number = any($2::text[]) and deactivated_at is null`,
		organizationID, numbers)
	if err != nil {
		return fmt.Errorf("look for numbers of the organization: %w", err)
	}
	required, now, err := consentRequired(ctx, tx, organizationID)
	if err != nil {
		return err
	}
	var p fault.Problems
	for i, d := range ds.Calls {
		if slices.Contains(own, d.entry.Number) {
			p.Addf(ds.path(i)+"to", "must not be one of your own numbers")
		} else if _, ok := listed[d.entry.Number]; ok {
			p.Addf(ds.path(i)+"to", "this number is on the do-not-call list")
		}
		e := d.entry
		if required && !intake.Consented(e.ConsentBasis, e.ConsentAt, e.ConsentExpiresAt, now) {
			p.Addf(ds.path(i)+"consent", "a consent with its date is required, because your organization calls only "+
				"people who have given one")
		}
	}
	refused := fault.As(p.Err())
	if refused == nil {
		return nil
	}
	refused.Kind = fault.Unprocessable
	return refused
}

// use finds or makes the standing campaign of the calls, and when each call is due. data is of the audit entries.
func (g *sameCalls) use(
	ctx context.Context, tx pgx.Tx, actor account.Actor, ds *CallDrafts, data map[string]any,
) (now time.Time, err error) {
	d := ds.Calls[g.first]
	set := d.checked
	parts, err := UseParts(ctx, tx, actor.OrganizationID, set.projectID,
		UsedAgent{ID: set.agentID, Version: d.AgentVersion}, set.from)
	if err != nil {
		return now, err
	}
	unready, err := allow(ctx, tx, actor, parts.ConnectionID(), parts.NumberIDs(), set.notReadyReason)
	if err != nil {
		return now, err
	}
	unready.writeTo(&change{data: data})
	data["agent_id"], data["project_id"] = parts.Agent.ID, parts.Project.ID
	callingHours := parts.Project.CallingHours
	if d.CallingHours != nil {
		callingHours = *d.CallingHours
	}
	standing, err := standingCampaign(ctx, tx, actor.OrganizationID, g, d, parts, callingHours)
	if err != nil {
		return now, err
	}
	rules, err := readRules(ctx, tx, actor.OrganizationID)
	if err != nil {
		return now, err
	}
	clocks := map[time.Time]*Clocks{} // by the earliest start
	for _, r := range g.rows {
		start := parts.Now
		if at := r.draft.checked.scheduledAt; at != nil {
			start = *at
		}
		if clocks[start] == nil {
			clocks[start] = NewClocks(callingHours, parts.Project.TimeZone, start, parts.Now, rules)
		}
		r.standing = standing
		if r.when, err = clocks[start].Due(r.draft.entry); err != nil {
			return now, err
		}
	}
	return parts.Now, nil
}

// standingCampaign returns the standing campaign with the settings of a draft. Without calling hours of its own, a
// call follows those of its project at the time of the request, so they are among the settings.
func standingCampaign(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, g *sameCalls, d *CallDraft, parts Parts,
	callingHours hours.Hours,
) (id uuid.UUID, err error) {
	set := d.checked
	hoursJSON, err := json.Marshal(callingHours)
	if err != nil {
		return id, fmt.Errorf("encode calling hours: %w", err)
	}
	key := sha256.Sum256(slices.Concat(g.key, hoursJSON))
	args := parts.versionArgs(d.AgentVersion, pgx.NamedArgs{
		"id": uuid.Must(uuid.NewV7()), "organization_id": organizationID, "project_id": parts.Project.ID,
		"agent_id":        parts.Agent.ID,
		"phone_number_id": orNil(set.from.PhoneNumberID), "number_pool_id": orNil(set.from.NumberPoolID),
		"connection_id": parts.ConnectionID(), "call_reason": postgres.OrNull(set.callReason), "now": parts.Now,
		"calling_hours": hoursJSON, "max_concurrency": standingConcurrency, "calls_per_second": standingRate,
		"max_attempts": set.maxAttempts, "retry_delays": set.retryDelays, "retry_outcome_delays": set.outcomeDelays,
		"retry_on": set.retryOn, "intents": set.intents, "voicemail_action": set.voicemailAction,
		"detection": set.detection, "ring_timeout": set.ringTimeout, "max_duration": set.maxDuration, "key": key[:],
	})
	const find = `select id from campaign
		where organization_id = @organization_id and settings_hash = @key and ended_at is null`
	err = tx.QueryRow(ctx, find, args).Scan(&id)
	if !errors.Is(err, pgx.ErrNoRows) {
		if err != nil {
			err = fmt.Errorf("find the standing campaign of a call: %w", err)
		}
		return id, err
	}
	if _, err = tx.Exec(ctx, `
		insert into campaign (
			id, organization_id, project_id, agent_id, agent_version_id, split_version_id, split_percent,
				phone_number_id, number_pool_id, connection_id, name, call_reason, kind, settings_hash, status,
				scheduled_at, started_at, calling_hours, max_concurrency, calls_per_second, max_attempts, retry_delays,
				retry_outcome_delays, retry_on, intents, voicemail_action, detection, ring_timeout_seconds,
				max_duration_seconds, created_at)
		values (
			@id, @organization_id, @project_id, @agent_id, @agent_version_id, @split_version_id, @split_percent,
				@phone_number_id, @number_pool_id, @connection_id, 'Calls', @call_reason, 'call', @key, 'running',
				@now::timestamptz, @now, @calling_hours, @max_concurrency, @calls_per_second, @max_attempts,
				@retry_delays, @retry_outcome_delays, @retry_on, @intents, @voicemail_action, @detection,
				@ring_timeout, @max_duration, @now)
		on conflict (organization_id, settings_hash) where settings_hash is not null and ended_at is null
		do nothing`, args); err != nil {
		return id, fmt.Errorf("insert a standing campaign: %w", err)
	}
	if err := tx.QueryRow(ctx, find, args).Scan(&id); err != nil {
		return id, fmt.Errorf("find the standing campaign of a call: %w", err)
	}
	return id, nil
}

// copyOwn inserts calls as recipients.
func copyOwn(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, rows []*ownRow, now time.Time) error {
	columns := []string{
		"id", "organization_id", "campaign_id", "phone_number", "name", "external_id", "timezone", "zones",
		"zone_source", "consent_basis", "consent_at", "consent_source", "consent_expires_at", "variables", "metadata",
		"status", "due_at", "wait_reason", "first_call_id", "next_call_id", "planned_at", "scheduled_at", "expires_at",
		"created_at",
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"recipient"}, columns,
		pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
			r := rows[i]
			e := r.draft.entry
			id := r.draft.ID
			if id == uuid.Nil {
				id = uuid.Must(uuid.NewV7())
			}
			return []any{
				id, organizationID, r.standing, string(e.Number), e.Name,
				postgres.OrNull(e.ExternalID), postgres.OrNull(e.Timezone), r.when.Zones, r.when.Source,
				postgres.OrNull(e.ConsentBasis), e.ConsentAt, postgres.OrNull(e.ConsentSource), e.ConsentExpiresAt,
				e.Variables, e.Metadata, string(RecipientPending), r.when.At, postgres.OrNull(r.when.Reason),
				r.callID, r.callID, now, r.draft.checked.scheduledAt, r.draft.checked.expiresAt, now,
			}, nil
		}))
	if postgres.Constraint(err) == "recipient_pkey" {
		return fault.Conflictf("This call is already scheduled")
	}
	if err != nil {
		return fmt.Errorf("copy %d calls: %w", len(rows), err)
	}
	return nil
}

// wake has the next pass over the standing campaign start when the first of the calls is due or expires.
func (g *sameCalls) wake(ctx context.Context, tx pgx.Tx) error {
	first := g.rows[0].when.At
	for _, r := range g.rows {
		if at := r.when.At; at.Before(first) {
			first = at
		}
		if at := r.draft.checked.expiresAt; at != nil && at.Before(first) {
			first = *at
		}
	}
	_, err := tx.Exec(ctx, `
		update campaign set total = total + $2, dial_at = least(dial_at, $3) where id = $1 and ended_at is null`,
		g.rows[0].standing, len(g.rows), first)
	if err != nil {
		return fmt.Errorf("wake the standing campaign of %d calls: %w", len(g.rows), err)
	}
	return nil
}

// recordOwn writes the audit entries and the events of scheduled calls.
func recordOwn(
	ctx context.Context, tx pgx.Tx, actor account.Actor, ids []uuid.UUID, data map[string]any,
) error {
	if err := account.RecordEach(ctx, tx, actor, "call.scheduled", "call", ids, data); err != nil {
		return err
	}
	out, err := webhook.Open(ctx, tx, actor.OrganizationID)
	if err != nil {
		return err
	}
	if err := call.EmitScheduled(ctx, tx, out, actor.OrganizationID, ids); err != nil {
		return err
	}
	return out.Write(ctx, tx)
}
