package call

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/postgres"
)

// leaseTime is how long a process may request a claimed call from the carrier.
const leaseTime = 60 * time.Second

// Claim is a call to be made.
type Claim struct {
	OrganizationID   uuid.UUID
	ProjectID        uuid.UUID
	CampaignID       *uuid.UUID
	RecipientID      *uuid.UUID
	ID               uuid.UUID // of a scheduled call; zero: a new one
	Attempt          int       // from 1
	AgentID          uuid.UUID
	AgentVersionID   *uuid.UUID // nil: the draft
	PhoneNumberID    uuid.UUID
	ConnectionID     uuid.UUID
	Carrier          string // the connection's kind
	OwnNumber        string // E.164
	PersonNumber     string // E.164
	RecipientName    string
	VoicemailAction  VoicemailAction
	Detection        carrier.Detection // without a mode: the default of the action
	CallReason       string            // why the recipient is called; empty: the carrier gets none
	RingTimeout      time.Duration     // whole seconds
	MaxDuration      time.Duration     // whole seconds
	ConsentBasis     *string
	ConsentAt        *time.Time
	ConsentSource    *string
	ConsentExpiresAt *time.Time
	Variables        json.RawMessage // an object; nil is {}
	Metadata         json.RawMessage // an object; nil is {}
	ExternalID       *string         // of the recipient
	FirstCallID      *uuid.UUID      // of a call of its own: the call that was requested
	Hours            *HoursDecision  // its number of calls is counted by Queue
}

// Claimed is a call that this process may place once, while its lease lasts.
type Claimed struct {
	Claim
	ID        uuid.UUID
	CreatedAt time.Time
	Record    bool // the setting of the agent's version
	Checked   bool // the pre-dial check of the organization is on, and the call is to a recipient

	since time.Time // just before the lease began, by the clock of this process
}

// claimTable is the table n of the calls that Queue inserts.
var claimTable = postgres.NewColumns("n",
	postgres.Column("id", "uuid", func(c *Claimed) uuid.UUID { return c.ID }),
	postgres.Column("organization_id", "uuid", func(c *Claimed) uuid.UUID { return c.OrganizationID }),
	postgres.Column("project_id", "uuid", func(c *Claimed) uuid.UUID { return c.ProjectID }),
	postgres.Column("campaign_id", "uuid", func(c *Claimed) *uuid.UUID { return c.CampaignID }),
	postgres.Column("recipient_id", "uuid", func(c *Claimed) *uuid.UUID { return c.RecipientID }),
	postgres.Column("attempt", "int", func(c *Claimed) int32 { return int32(c.Attempt) }),
	postgres.Column("agent_id", "uuid", func(c *Claimed) uuid.UUID { return c.AgentID }),
	postgres.Column("agent_version_id", "uuid", func(c *Claimed) *uuid.UUID { return c.AgentVersionID }),
	postgres.Column("phone_number_id", "uuid", func(c *Claimed) uuid.UUID { return c.PhoneNumberID }),
	postgres.Column("connection_id", "uuid", func(c *Claimed) uuid.UUID { return c.ConnectionID }),
	postgres.Column("carrier", "text", func(c *Claimed) string { return c.Carrier }),
	postgres.Column("own_number", "text", func(c *Claimed) string { return c.OwnNumber }),
	postgres.Column("person_number", "text", func(c *Claimed) string { return c.PersonNumber }),
	postgres.Column("recipient_name", "text", func(c *Claimed) string { return c.RecipientName }),
	postgres.Column("voicemail_action", "text", func(c *Claimed) string {
		return string(cmp.Or(c.VoicemailAction, HangUp))
	}),
	postgres.Column("detection", "text", func(c *Claimed) string { return string(c.Detection.Mode) }),
	postgres.Column("call_reason", "text", func(c *Claimed) *string { return postgres.OrNull(c.CallReason) }),
	postgres.Column("ring", "int", func(c *Claimed) int32 { return int32(c.RingTimeout / time.Second) }),
	postgres.Column("duration", "int", func(c *Claimed) int32 { return int32(c.MaxDuration / time.Second) }),
	postgres.Column("consent_basis", "text", func(c *Claimed) *string { return c.ConsentBasis }),
	postgres.Column("consent_at", "timestamptz", func(c *Claimed) *time.Time { return c.ConsentAt }),
	postgres.Column("consent_source", "text", func(c *Claimed) *string { return c.ConsentSource }),
	postgres.Column("consent_expires_at", "timestamptz", func(c *Claimed) *time.Time { return c.ConsentExpiresAt }),
	postgres.Column("variables", "text", func(c *Claimed) string { return object(c.Variables) }),
	postgres.Column("metadata", "text", func(c *Claimed) string { return object(c.Metadata) }),
	postgres.Column("external_id", "text", func(c *Claimed) *string { return c.ExternalID }),
	postgres.Column("first_call_id", "uuid", func(c *Claimed) *uuid.UUID { return c.FirstCallID }),
	postgres.Column("hours", "jsonb", func(c *Claimed) *HoursDecision { return c.Hours }),
)

// Queue claims calls: it inserts them in state queued, in the caller's transaction. That
// transaction must commit before any of these calls is placed. Queue returns as refused the calls
// whose number is in another live call of the organization. If another transaction claims the same
// number, Queue waits for that transaction to end.
func (s *Service) Queue(ctx context.Context, tx pgx.Tx, calls []Claim) (queued []Claimed, refused []Claim, err error) {
	if len(calls) == 0 {
		return nil, nil, nil
	}
	since := s.now()
	// Insert all claims in the same order, so that two transactions never deadlock.
	calls = slices.SortedStableFunc(slices.Values(calls), func(a, b Claim) int {
		return cmp.Or(bytes.Compare(a.OrganizationID[:], b.OrganizationID[:]),
			cmp.Compare(a.PersonNumber, b.PersonNumber))
	})

	claimed := make([]Claimed, len(calls))
	for i := range calls {
		c := &calls[i]
		c.Detection.Mode = cmp.Or(c.Detection.Mode, DefaultDetection(c.VoicemailAction))
		claimed[i] = Claimed{Claim: *c, ID: c.ID}
		if c.ID == uuid.Nil {
			claimed[i].ID = uuid.Must(uuid.NewV7())
		}
	}
	args := claimTable.Args(claimed)
	args["lease"], args["instance"] = leaseTime.Seconds(), s.instance
	rows, err := tx.Query(ctx, `
		insert into call (
			id, organization_id, project_id, campaign_id, recipient_id, attempt, agent_id, agent_version_id,
				agent_name, phone_number_id, connection_id,
			carrier, own_number, person_number, recipient_name, status, voicemail_action, detection, call_reason,
				ring_timeout_seconds,
			max_duration_seconds, consent_basis, consent_at, consent_source, consent_expires_at, variables, metadata,
				external_id, first_call_id, record, model_connection_id, calling_hours_decision, created_at, heard_at,
				lease_until, instance_id)
		select
			n.id, n.organization_id, n.project_id, n.campaign_id, n.recipient_id, n.attempt, n.agent_id,
				n.agent_version_id,
			(select a.name from agent a where a.organization_id = n.organization_id and a.id = n.agent_id),
			n.phone_number_id,
			n.connection_id, n.carrier, n.own_number, n.person_number, n.recipient_name, 'queued', n.voicemail_action,
				n.detection, n.call_reason, n.ring,
			n.duration, n.consent_basis, n.consent_at, n.consent_source, n.consent_expires_at, n.variables::jsonb,
				n.metadata::jsonb, n.external_id, n.first_call_id,
			coalesce((select v.record_calls from agent_version v where v.id = n.agent_version_id),
				(select a.record_calls from agent a where a.organization_id = n.organization_id and a.id = n.agent_id),
				false),
			(case when n.agent_version_id is not null
				then (select v.script from agent_version v where v.id = n.agent_version_id)
				else (select a.script from agent a where a.organization_id = n.organization_id and a.id = n.agent_id)
				end -> 'model' ->> 'connection_id')::uuid,
			case when n.hours is not null then
				n.hours || jsonb_build_object('calls_in_24_hours', `+sqlCallsIn24Hours+`) end,
			k.t, k.t, k.t + make_interval(secs => @lease), @instance::uuid
		from `+claimTable.Table()+`, (select clock() as t) k
		on conflict (organization_id, person_number) where ended_at is null and direction = 'outbound' do nothing
		returning id, created_at, record, recipient_id is not null and exists (
			select from pre_dial_check p where p.organization_id = call.organization_id
				and p.enabled_at is not null)`, args)
	if err != nil {
		return nil, nil, fmt.Errorf("claim %d calls: %w", len(calls), err)
	}
	created := make(map[uuid.UUID]Claimed, len(calls))
	var c Claimed
	if _, err := pgx.ForEachRow(rows, []any{&c.ID, &c.CreatedAt, &c.Record, &c.Checked}, func() error {
		created[c.ID] = c
		return nil
	}); err != nil {
		return nil, nil, fmt.Errorf("claim %d calls: %w", len(calls), err)
	}
	for i, claim := range calls {
		if c, ok := created[claimed[i].ID]; ok {
			c.Claim, c.since = claim, since
			queued = append(queued, c)
		} else {
			refused = append(refused, claim)
		}
	}
	return queued, refused, nil
}

func object(v json.RawMessage) string {
	if len(v) == 0 {
		return "{}"
	}
	return string(v)
}
