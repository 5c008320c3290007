package campaign

import (
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
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/postgres"
)

// CallChange is a change of a scheduled call. A nil field keeps its value. A list or an object replaces the whole
// value, and what it leaves out gets its default.
type CallChange struct {
	Name               **string           `json:"name" nullable:"true"`        // to nil: none
	ExternalID         **string           `json:"external_id" nullable:"true"` // to nil: none
	Timezone           **string           `json:"timezone" nullable:"true"`    // to nil: as for a call without one
	Variables          json.RawMessage    `json:"variables"`
	Metadata           json.RawMessage    `json:"metadata"`
	AgentVersion       **AgentVersion     `json:"agent_version" nullable:"true"` // to nil: the published one
	CallReason         **string           `json:"call_reason" nullable:"true"`   // to nil: none
	ScheduledAt        **time.Time        `json:"scheduled_at" nullable:"true"`  // to nil: now
	ExpiresAt          **time.Time        `json:"expires_at" nullable:"true"`    // to nil: never
	CallingHours       *hours.Hours       `json:"calling_hours"`
	Retry              *RetryInput        `json:"retry"`
	Intents            *Intents           `json:"intents"`
	VoicemailAction    *string            `json:"voicemail_action"`
	Detection          *carrier.Detection `json:"detection"`
	RingTimeoutSeconds *int               `json:"ring_timeout_seconds"`
	MaxDurationSeconds *int               `json:"max_duration_seconds"`

	Revision string `json:"-"` // that was changed, by RevisionOfCall; empty: whatever it is now
}

// settings returns the part of the change that a change of a campaign has as well.
func (ch CallChange) settings() Change {
	return Change{
		AgentVersion:       ch.AgentVersion,
		CallReason:         ch.CallReason,
		ScheduledAt:        ch.ScheduledAt,
		ExpiresAt:          ch.ExpiresAt,
		CallingHours:       ch.CallingHours,
		Retry:              ch.Retry,
		Intents:            ch.Intents,
		VoicemailAction:    ch.VoicemailAction,
		Detection:          ch.Detection,
		RingTimeoutSeconds: ch.RingTimeoutSeconds,
		MaxDurationSeconds: ch.MaxDurationSeconds,
	}
}

// scheduledCall is the recipient of a scheduled call.
type scheduledCall struct {
	ID          uuid.UUID
	CampaignID  uuid.UUID
	PhoneNumber string
	Name        string
	ExternalID  *string
	Timezone    *string
	Variables   json.RawMessage
	Metadata    json.RawMessage
	Attempts    int
	Start       *time.Time // as sqlStart
	ExpiresAt   *time.Time
	DueAt       *time.Time
	WaitReason  *string
	Zones       []string
	ZoneSource  string
	RowVersion  string // every change of the row gives it another one
}

// sqlStart is the start of a call of its own before its calling hours are looked at: the requested one, or the time
// that follows from an earlier attempt or trial. Null is as soon as possible.
const sqlStart = `case
	when recipient.status = 'pending' and (recipient.attempts > 0 or
		recipient.wait_reason not in ('` + WaitScheduled + `', '` + WaitCallingHours + `', '` + WaitCallingRules + `'))
	then recipient.due_at else recipient.scheduled_at end`

func readScheduled(ctx context.Context, db postgres.DB, organizationID, id uuid.UUID) (scheduledCall, error) {
	r, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[scheduledCall], `
		select id, campaign_id, phone_number, name, external_id, timezone, variables, metadata, attempts, expires_at,
		       due_at, `+sqlStart+` as start, wait_reason, zones, zone_source, xmin::text as row_version
		from recipient where organization_id = $1 and next_call_id = $2 and status = 'pending'`, organizationID, id)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		err = fmt.Errorf("read scheduled call %s: %w", id, err)
	}
	return r, err
}

// errOvertaken is an update of a call that changed between its first read and its lock.
var errOvertaken = errors.New("the call has changed meanwhile")

// noLongerChanged follows the reason why a call is not scheduled.
const noLongerChanged = "It can no longer be changed"

// overtakenTries is how often a change of calls begins again when others overtake it.
const overtakenTries = 5

// unlessOvertaken runs change in a transaction, and again while it is overtaken. Errors: Conflict if it always is.
func (s *Service) unlessOvertaken(ctx context.Context, change func(pgx.Tx) error) (err error) {
	for range overtakenTries {
		if err = postgres.InTx(ctx, s.db, change); !errors.Is(err, errOvertaken) {
			return err
		}
	}
	return fault.Conflictf("The call is being changed by others. Try again")
}

// UpdateCall changes a call that is scheduled. Settings that calls share with others of their standing campaign move
// the call to the standing campaign with the new settings. After the first attempt they are refused, so that all
// attempts are alike. unmodified, which may be nil, may refuse the call as it was before. Errors: Invalid; NotFound;
// Conflict for a call that is being placed, is in progress or has ended, or for fields that no longer change; the error
// of unmodified.
func (s *Service) UpdateCall(
	ctx context.Context, actor account.Actor, id uuid.UUID, ch CallChange, unmodified func(call.Call, Campaign) error,
) (err error) {
	err = s.unlessOvertaken(ctx, func(tx pgx.Tx) error {
		return s.In(tx).updateCall(ctx, tx, actor, id, ch, unmodified)
	})
	if err == nil {
		s.Wake()
	}
	return err
}

func (s *Service) updateCall(
	ctx context.Context, tx pgx.Tx, actor account.Actor, id uuid.UUID, ch CallChange,
	unmodified func(call.Call, Campaign) error,
) error {
	r, err := readScheduled(ctx, tx, actor.OrganizationID, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return notScheduled(ctx, tx, actor.OrganizationID, id, noLongerChanged)
	}
	if err != nil {
		return err
	}
	old, err := s.SettingsOf(ctx, actor.OrganizationID, r.ID)
	if err != nil {
		return err
	}
	if unmodified != nil {
		calls, err := call.Scheduled(ctx, tx, actor.OrganizationID, []uuid.UUID{id})
		if err != nil {
			return err
		}
		if len(calls) != 1 {
			return errOvertaken
		}
		if err := unmodified(calls[0], old); err != nil {
			return err
		}
	}
	var now time.Time
	if err := tx.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
		return fmt.Errorf("read the clock: %w", err)
	}
	u, err := ch.apply(r, old, now)
	if err != nil {
		return err
	}
	if err := check.Unchanged(ch.Revision, r.shown(old), u.shown()); err != nil {
		return err
	}
	if len(u.fields) == 0 {
		return account.Unchanged(ctx)
	}
	to := r.CampaignID
	if len(u.shared) > 0 {
		if to, err = u.standing(ctx, tx, actor.OrganizationID); err != nil {
			return err
		}
	}
	// A claim holds the lock of its campaign until it commits. The order is that of whoever locks several campaigns.
	if _, err := tx.Exec(ctx, `
		select from campaign where organization_id = $1 and id = any($2) order by id for no key update`,
		actor.OrganizationID, []uuid.UUID{r.CampaignID, to}); err != nil {
		return fmt.Errorf("lock scheduled call %s: %w", id, err)
	}
	locked, err := readScheduled(ctx, tx, actor.OrganizationID, id)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && locked.RowVersion != r.RowVersion {
		return errOvertaken
	}
	if err != nil {
		return err
	}
	if err := u.plan(ctx, tx); err != nil {
		return err
	}
	if err := u.write(ctx, tx, to); err != nil {
		return err
	}
	return account.Record(ctx, tx, actor, "call.updated", account.Object{Type: "call", ID: id},
		map[string]any{"fields": u.fields})
}

// callUpdate is a checked change of a scheduled call.
type callUpdate struct {
	before scheduledCall
	old    Campaign // its settings
	now    time.Time

	entry  *intake.Entry
	draft  *Draft
	set    *settings
	fields []string // that change
	shared []string // those of them that are settings of the standing campaign
	starts bool     // the change has a start
}

// apply checks the change. Errors: Invalid; Conflict.
func (ch CallChange) apply(r scheduledCall, old Campaign, now time.Time) (*callUpdate, error) {
	u := &callUpdate{before: r, old: old, now: now}
	old.ExpiresAt, old.ScheduledAt = r.ExpiresAt, now
	if r.Start != nil {
		old.ScheduledAt = *r.Start
	}
	var p, own fault.Problems
	in := intake.Recipient{
		PhoneNumber: r.PhoneNumber, Name: text(ch.Name, &r.Name), ExternalID: text(ch.ExternalID, r.ExternalID),
		Timezone: text(ch.Timezone, r.Timezone), Variables: r.Variables, Metadata: r.Metadata,
	}
	if ch.Variables != nil {
		in.Variables = ch.Variables
	}
	if ch.Metadata != nil {
		in.Metadata = ch.Metadata
	}
	entry, problems := intake.ReadOne(in, "to")
	p.Merge(problems)
	settings := ch.settings().withoutEqualTimes(old)
	u.draft, u.set = settings.settle(old, now, &own)
	p.Merge(&own)
	if err := p.Err(); err != nil {
		return nil, err
	}
	u.entry, u.starts = entry, settings.ScheduledAt != nil
	for _, field := range []struct {
		name     string
		old, new any
	}{
		{"name", r.Name, entry.Name},
		{"external_id", r.ExternalID, postgres.OrNull(entry.ExternalID)},
		{"timezone", r.Timezone, postgres.OrNull(entry.Timezone)},
		{"variables", r.Variables, entry.Variables},
		{"metadata", r.Metadata, entry.Metadata},
	} {
		if !SameJSON(field.old, field.new) {
			u.fields = append(u.fields, field.name)
		}
	}
	var late fault.Problems
	for _, field := range differences(old, u.draft, u.set) {
		switch field {
		case "name", "variables", "metadata": // of the standing campaign, which has none of the call's
			continue
		case "scheduled_at", "expires_at":
		default:
			u.shared = append(u.shared, field)
			if r.Attempts > 0 {
				late.Addf(field, "cannot be changed after the first attempt")
			}
		}
		u.fields = append(u.fields, field)
	}
	if err := conflict(&late); err != nil {
		return nil, err
	}
	return u, nil
}

// waitsForTime reports whether the call waits for its start or for its calling hours, if for anything.
func (r *scheduledCall) waitsForTime() bool {
	return r.WaitReason == nil ||
		slices.Contains([]string{WaitScheduled, WaitCallingHours, WaitCallingRules}, *r.WaitReason)
}

// text returns the new value, or the old one if there is no new one. Nil is the empty text.
func text(changed **string, old *string) string {
	value := old
	if changed != nil {
		value = *changed
	}
	return valueOf(value)
}

// standing returns the standing campaign with the new settings.
func (u *callUpdate) standing(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID) (id uuid.UUID, err error) {
	set := *u.set
	set.projectID, set.agentID = u.old.ProjectID, u.old.AgentID
	set.from = CallsFrom{}
	if u.old.PhoneNumberID != nil {
		set.from.PhoneNumberID = *u.old.PhoneNumberID
	}
	if u.old.NumberPoolID != nil {
		set.from.NumberPoolID = *u.old.NumberPoolID
	}
	d := &CallDraft{AgentVersion: u.draft.AgentVersion, CallingHours: u.draft.CallingHours, checked: &set}
	parts, err := UseParts(ctx, tx, organizationID, set.projectID,
		UsedAgent{ID: set.agentID, Version: d.AgentVersion}, set.from)
	if err != nil {
		return id, err
	}
	encoded, err := json.Marshal(d.settled())
	if err != nil {
		return id, fmt.Errorf("encode the settings of a call: %w", err)
	}
	key := sha256.Sum256(encoded)
	return standingCampaign(ctx, tx, organizationID, &sameCalls{key: key[:]}, d, parts, *d.CallingHours)
}

// plan computes when the call is due, if that may change. A call that waits for neither its start nor its calling hours
// keeps its time, unless the change has a start: the dialer looks at the calling hours again when it has come. No
// change but that of the start has the call placed before its requested start.
func (u *callUpdate) plan(ctx context.Context, tx pgx.Tx) error {
	r := &u.before
	if !u.starts && !slices.Contains(u.fields, "calling_hours") && !slices.Contains(u.fields, "timezone") {
		return u.expires()
	}
	clocks, err := clocksAfter(ctx, tx, u.old, *u.draft.CallingHours, *u.set.scheduledAt, u.now)
	if err != nil {
		return err
	}
	due, err := clocks.Due(u.entry)
	if err != nil {
		return err
	}
	r.Zones, r.ZoneSource = due.Zones, due.Source
	if u.starts || r.waitsForTime() {
		r.DueAt, r.WaitReason = &due.At, postgres.OrNull(due.Reason)
	}
	return u.expires()
}

// isTime reports whether a field decides when the call is placed.
func isTime(field string) bool {
	return slices.Contains([]string{"scheduled_at", "expires_at", "calling_hours", "timezone"}, field)
}

// expires refuses a change of times after which a call would expire without having been due. Errors: Invalid.
func (u *callUpdate) expires() error {
	due, expires := u.before.DueAt, u.set.expiresAt
	if due == nil || expires == nil || due.Before(*expires) || !slices.ContainsFunc(u.fields, isTime) {
		return nil
	}
	var p fault.Problems
	p.Addf("expires_at", "must be after the calling hours open, at %s", due.UTC().Format(time.RFC3339))
	return p.Err()
}

// shown is the call after the change.
func (u *callUpdate) shown() shownCall {
	r, e := u.before, u.entry
	r.Name, r.ExternalID, r.Timezone = e.Name, postgres.OrNull(e.ExternalID), postgres.OrNull(e.Timezone)
	r.Variables, r.Metadata = e.Variables, e.Metadata
	if u.starts {
		r.Start = u.draft.ScheduledAt
	}
	return r.shown(changed(u.old, u.draft, u.set))
}

// write stores the change. The caller holds the row locks of both standing campaigns.
func (u *callUpdate) write(ctx context.Context, tx pgx.Tx, to uuid.UUID) error {
	r, e := u.before, u.entry
	if _, err := tx.Exec(ctx, `
		update recipient set
			campaign_id = @to, name = @name, external_id = @external_id, timezone = @timezone, zones = @zones,
			zone_source = @zone_source, variables = @variables, metadata = @metadata, due_at = @due_at,
			wait_reason = @wait_reason, expires_at = @expires_at,
			scheduled_at = case when @starts then @start else scheduled_at end
		where id = @id`, pgx.NamedArgs{
		"id": r.ID, "to": to, "name": e.Name, "external_id": postgres.OrNull(e.ExternalID),
		"timezone": postgres.OrNull(e.Timezone), "zones": r.Zones, "zone_source": r.ZoneSource,
		"variables": e.Variables, "metadata": e.Metadata, "due_at": r.DueAt, "wait_reason": r.WaitReason,
		"starts": u.starts, "start": u.draft.ScheduledAt, "expires_at": u.set.expiresAt,
	}); err != nil {
		return fmt.Errorf("change the recipient of a scheduled call: %w", err)
	}
	if to != r.CampaignID {
		if _, err := tx.Exec(ctx, `
			update campaign set total = total + case when id = $1 then 1 else -1 end where id = any($2)`,
			to, []uuid.UUID{to, r.CampaignID}); err != nil {
			return fmt.Errorf("count a call that moves to another standing campaign: %w", err)
		}
	}
	// The next pass starts when the call is due or expires. Another reason to start it earlier may remain.
	if _, err := tx.Exec(ctx, `
		update campaign set dial_at = least(dial_at, @due::timestamptz, @expires::timestamptz)
		where id = @id and ended_at is null`,
		pgx.NamedArgs{"id": to, "due": r.DueAt, "expires": u.set.expiresAt}); err != nil {
		return fmt.Errorf("wake the standing campaign of a changed call: %w", err)
	}
	return nil
}
