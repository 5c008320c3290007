// Package history writes ended campaigns into the tables, with their recipients, calls and transcripts. The demo's
// past and the long histories for benchmarks and tests use it. The services can't create these rows, because they
// would dial.
package history

import (
	"cmp"
	"context"
	"crypto/md5" //nolint:gosec // names an ID, protects nothing
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/project"
)

// Parts are the parts of a campaign and its calls.
type Parts struct {
	OrganizationID uuid.UUID
	ProjectID      uuid.UUID
	AgentID        uuid.UUID
	AgentVersionID uuid.UUID // of the calls; zero means none
	ConnectionID   uuid.UUID
	PhoneNumberID  uuid.UUID
	PhoneNumber    string // number that the calls come from
}

// Campaign is a completed campaign. Count writes its counters.
type Campaign struct {
	Parts
	ID              uuid.UUID
	Name            string
	CallingHours    hours.Hours
	MaxConcurrency  int
	MaxAttempts     int
	RetryDelays     []int // minutes
	RetryOn         []call.Outcome
	VoicemailAction string
	Metadata        json.RawMessage // nil means {}
	CreatedBy       string
	CreatedAt       time.Time
	StartedAt       time.Time
	EndedAt         time.Time
}

// Recipient is a recipient of a campaign.
type Recipient struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	CampaignID     uuid.UUID
	PhoneNumber    string
	Name           string
	ExternalID     string // "" means none
	Zones          []string
	ZoneSource     string
	Variables      json.RawMessage // nil means {}
	Status         campaign.RecipientStatus
	Attempts       int
	LastCallID     uuid.UUID // zero means never called
	Outcome        call.Outcome
	SkipReason     string // "" means not skipped
	CreatedAt      time.Time
}

// Call is a call. Zero times, zero IDs and empty texts become null.
type Call struct {
	Parts
	ID              uuid.UUID
	CampaignID      uuid.UUID
	RecipientID     uuid.UUID
	Attempt         int
	CarrierCallID   string
	PersonNumber    string
	RecipientName   string
	ExternalID      string // of the recipient
	Status          call.Status
	Outcome         call.Outcome
	EndedReason     call.Reason
	EndedBy         call.Party
	AnsweredBy      call.AnsweredBy
	VoicemailAction call.VoicemailAction
	Variables       json.RawMessage // nil means {}
	Metadata        json.RawMessage // nil means {}
	Analysis        json.RawMessage // nil means none
	Transcript      string
	Cost            string // what the carrier charged, an exact decimal; "" means not known
	CostCurrency    string
	CreatedAt       time.Time
	AskedAt         time.Time
	StartedAt       time.Time
	RingingAt       time.Time
	AnsweredAt      time.Time
	EndedAt         time.Time
	HangUpAt        time.Time
	SettledAt       time.Time
}

// Turn is a turn of a call.
type Turn struct {
	call.Turn
	CallID         uuid.UUID
	OrganizationID uuid.UUID
}

// RingTime and MaxDuration are limits of every call.
const (
	RingTime    = 30 * time.Second
	MaxDuration = 10 * time.Minute
)

// column is a column of a row and its value.
type column struct {
	name  string
	value any
}

// row is a row of a table.
type row interface {
	table() string
	columns() []column
}

func (Campaign) table() string  { return "campaign" }
func (Recipient) table() string { return "recipient" }
func (Call) table() string      { return "call" }
func (Turn) table() string      { return "call_turn" }

func (c Campaign) columns() []column {
	return []column{
		{"id", c.ID},
		{"organization_id", c.OrganizationID},
		{"project_id", c.ProjectID},
		{"agent_id", c.AgentID},
		{"phone_number_id", c.PhoneNumberID},
		{"connection_id", c.ConnectionID},
		{"name", c.Name},
		{"status", string(campaign.Completed)},
		{"ended_reason", campaign.EndedFinished},
		{"scheduled_at", c.StartedAt},
		{"calling_hours", c.CallingHours},
		{"max_concurrency", c.MaxConcurrency},
		{"calls_per_second", 1.0},
		{"max_attempts", c.MaxAttempts},
		{"retry_delays", c.RetryDelays},
		{"retry_on", c.RetryOn},
		{"voicemail_action", c.VoicemailAction},
		{"ring_timeout_seconds", int(RingTime.Seconds())},
		{"max_duration_seconds", int(MaxDuration.Seconds())},
		{"metadata", object(c.Metadata)},
		{"created_by", c.CreatedBy},
		{"created_at", c.CreatedAt},
		{"started_at", c.StartedAt},
		{"ended_at", c.EndedAt},
		{"changed_at", c.EndedAt},
	}
}

func (r Recipient) columns() []column {
	return []column{
		{"id", r.ID},
		{"organization_id", r.OrganizationID},
		{"campaign_id", r.CampaignID},
		{"phone_number", r.PhoneNumber},
		{"name", r.Name},
		{"external_id", text(r.ExternalID)},
		{"zones", r.Zones},
		{"zone_source", r.ZoneSource},
		{"variables", object(r.Variables)},
		{"status", string(r.Status)},
		{"attempts", r.Attempts},
		{"last_call_id", id(r.LastCallID)},
		{"outcome", text(r.Outcome)},
		{"skip_reason", text(r.SkipReason)},
		{"created_at", r.CreatedAt},
	}
}

func (c Call) columns() []column {
	heard := c.EndedAt
	if heard.IsZero() {
		heard = c.CreatedAt
	}
	return []column{
		{"id", c.ID},
		{"organization_id", c.OrganizationID},
		{"project_id", c.ProjectID},
		{"campaign_id", id(c.CampaignID)},
		{"recipient_id", id(c.RecipientID)},
		{"attempt", c.Attempt},
		{"agent_id", c.AgentID},
		{"agent_version_id", id(c.AgentVersionID)},
		{"phone_number_id", c.PhoneNumberID},
		{"connection_id", c.ConnectionID},
		{"carrier", string(project.Sandbox)},
		{"carrier_call_id", text(c.CarrierCallID)},
		{"own_number", c.PhoneNumber},
		{"person_number", c.PersonNumber},
		{"recipient_name", c.RecipientName},
		{"external_id", text(c.ExternalID)},
		{"status", string(c.Status)},
		{"outcome", text(c.Outcome)},
		{"ended_reason", text(c.EndedReason)},
		{"ended_by", text(c.EndedBy)},
		{"answered_by", text(c.AnsweredBy)},
		{"voicemail_action", string(cmp.Or(c.VoicemailAction, call.HangUp))},
		{"ring_timeout_seconds", int(RingTime.Seconds())},
		{"max_duration_seconds", int(MaxDuration.Seconds())},
		{"variables", object(c.Variables)},
		{"metadata", object(c.Metadata)},
		{"analysis", []byte(c.Analysis)},
		{"transcript_text", c.Transcript},
		{"cost", text(c.Cost)},
		{"cost_currency", text(c.CostCurrency)},
		{"cost_parts", costParts(c.Cost)},
		{"created_at", c.CreatedAt},
		{"asked_at", moment(c.AskedAt)},
		{"started_at", moment(c.StartedAt)},
		{"ringing_at", moment(c.RingingAt)},
		{"answered_at", moment(c.AnsweredAt)},
		{"ended_at", moment(c.EndedAt)},
		{"heard_at", heard},
		{"changed_at", heard},
		{"hang_up_at", moment(c.HangUpAt)},
		{"settle_after", moment(c.EndedAt)},
		{"settled_at", moment(c.SettledAt)},
	}
}

func (t Turn) columns() []column {
	return []column{
		{"call_id", t.CallID},
		{"index", t.Index},
		{"organization_id", t.OrganizationID},
		{"role", string(t.Role)},
		{"text", t.Text},
		{"start_ms", t.StartMS},
		{"end_ms", t.EndMS},
		{"interrupted", t.Interrupted},
		{"created_at", t.CreatedAt},
	}
}

// costParts returns the parts of what a call cost, of which the carrier charged all. It is null if the cost is not
// known.
func costParts(cost string) []byte {
	if cost == "" {
		return nil
	}
	return fmt.Appendf(nil, `[{"kind": "call", "amount": %q, "source": "carrier"}]`, cost)
}

// text returns a text for the database, or null if the text is empty.
func text[S ~string](s S) any {
	if s == "" {
		return nil
	}
	return string(s)
}

// id returns an ID for the database, or null if the ID is zero.
func id(u uuid.UUID) any {
	if u == uuid.Nil {
		return nil
	}
	return u
}

// moment returns a time for the database, or null if the time is zero.
func moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}

// object returns a JSON object for the database.
func object(o json.RawMessage) []byte {
	if o == nil {
		return []byte("{}")
	}
	return o
}

// Write copies n rows into their table.
func Write[R row](ctx context.Context, tx pgx.Tx, n int, at func(i int) R) error {
	var none R
	var names []string
	for _, c := range none.columns() {
		names = append(names, c.name)
	}
	rows := pgx.CopyFromSlice(n, func(i int) ([]any, error) {
		columns := at(i).columns()
		values := make([]any, len(columns))
		for j, c := range columns {
			values[j] = c.value
		}
		return values, nil
	})
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{none.table()}, names, rows); err != nil {
		return fmt.Errorf("write %d rows of %s: %w", n, none.table(), err)
	}
	return nil
}

// Count writes the counters of campaigns from their stored recipients and calls, and the organization's hourly
// figures.
func Count(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, campaigns []uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		update campaign set
			total = r.total, completed = r.completed, completed_by_voicemail = r.by_voicemail,
			failed = r.failed, skipped = r.skipped, canceled = r.canceled,
			calls_placed = c.placed, calls_answered = c.answered, outcomes = c.outcomes,
			answered_by_person = c.by_person, opted_out = c.opted_out, short_calls = c.short
		from (
			select campaign_id, count(*) as total, count(*) filter (where status = 'completed') as completed,
			       count(*) filter (where status = 'completed' and outcome = 'voicemail') as by_voicemail,
			       count(*) filter (where status = 'failed') as failed,
			       count(*) filter (where status = 'skipped') as skipped,
			       count(*) filter (where status = 'canceled') as canceled
			from recipient where campaign_id = any(@campaigns) group by 1) r,
		(
			select campaign_id, sum(n) as placed, sum(answered) as answered, jsonb_object_agg(outcome, n) as outcomes,
			       coalesce(sum(answered) filter (where outcome <> 'voicemail'), 0) as by_person,
			       sum(opted_out) as opted_out, sum(short) as short
			from (
				select campaign_id, outcome, count(*) as n, count(answered_at) as answered,
				       count(*) filter (where ended_reason = 'opted_out') as opted_out,
				       count(*) filter (where ended_at - answered_at <= interval '6 s') as short
				from call where campaign_id = any(@campaigns) group by 1, 2) o
			group by 1) c
		where id = r.campaign_id and id = c.campaign_id`, pgx.NamedArgs{"campaigns": campaigns})
	if err != nil {
		return fmt.Errorf("count the calls of campaigns: %w", err)
	}
	return call.Recount(ctx, tx, organizationID)
}

// IDAt returns a UUIDv7 (RFC 9562 §5.7) for a time. Its other bits are a hash of the name, so the same name and time
// give the same ID.
func IDAt(at time.Time, name string) uuid.UUID {
	var u uuid.UUID
	hash := md5.Sum([]byte(name)) //nolint:gosec // names an ID, protects nothing
	copy(u[:], hash[:])
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(u[:6], ms[2:])
	u[6] = u[6]&0x0f | 0x70
	u[8] = u[8]&0x3f | 0x80
	return u
}
