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
)

// leaseTime is how long a claim allows its process to ask the carrier.
const leaseTime = 60 * time.Second

// Claim is a call to be made.
type Claim struct {
	OrganizationID  uuid.UUID
	ProjectID       uuid.UUID
	CampaignID      *uuid.UUID
	RecipientID     *uuid.UUID
	Attempt         int // from 1
	AgentID         uuid.UUID
	PhoneNumberID   uuid.UUID
	ConnectionID    uuid.UUID
	Carrier         string // the connection's kind
	FromNumber      string // E.164
	ToNumber        string // E.164
	RecipientName   string
	VoicemailAction VoicemailAction
	RingTimeout     time.Duration // whole seconds
	MaxDuration     time.Duration // whole seconds
	ConsentBasis    *string
	ConsentAt       *time.Time
	Variables       json.RawMessage // an object; nil is {}
	Metadata        json.RawMessage // an object; nil is {}
}

// Claimed is a call that this process may place, once, while its lease lasts.
type Claimed struct {
	Claim
	ID        uuid.UUID
	CreatedAt time.Time
	Record    bool // as its agent says at this moment

	since time.Time // before the lease began, by this process's own clocks
}

// Queue claims calls: it inserts them in state queued, in the caller's
// transaction, which must commit before any of them is placed. Those whose
// number is in another call of the organization are refused, not an error;
// when another transaction is just claiming that number, its end is waited for.
func (s *Service) Queue(ctx context.Context, tx pgx.Tx, calls []Claim) (queued []Claimed, refused []Claim, err error) {
	if len(calls) == 0 {
		return nil, nil, nil
	}
	since := s.now()
	// In one order everywhere, so that two claims wait for each other in turn
	// and never in a circle.
	calls = slices.SortedStableFunc(slices.Values(calls), func(a, b Claim) int {
		return cmp.Or(bytes.Compare(a.OrganizationID[:], b.OrganizationID[:]), cmp.Compare(a.ToNumber, b.ToNumber))
	})

	n := len(calls)
	ids, organizations, projects := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]uuid.UUID, n)
	campaigns, recipients := make([]*uuid.UUID, n), make([]*uuid.UUID, n)
	agents, numbers, connections := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]uuid.UUID, n)
	attempts, rings, durations := make([]int32, n), make([]int32, n), make([]int32, n)
	carriers, froms, tos, names, actions := make([]string, n), make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	bases, consents := make([]*string, n), make([]*time.Time, n)
	variables, metadata := make([]string, n), make([]string, n)
	for i, c := range calls {
		ids[i] = uuid.Must(uuid.NewV7())
		organizations[i], projects[i], campaigns[i], recipients[i] = c.OrganizationID, c.ProjectID, c.CampaignID, c.RecipientID
		agents[i], numbers[i], connections[i] = c.AgentID, c.PhoneNumberID, c.ConnectionID
		attempts[i], rings[i], durations[i] = int32(c.Attempt), int32(c.RingTimeout/time.Second), int32(c.MaxDuration/time.Second)
		carriers[i], froms[i], tos[i], names[i] = c.Carrier, c.FromNumber, c.ToNumber, c.RecipientName
		actions[i] = string(cmp.Or(c.VoicemailAction, HangUp))
		bases[i], consents[i] = c.ConsentBasis, c.ConsentAt
		variables[i], metadata[i] = object(c.Variables), object(c.Metadata)
	}
	rows, err := tx.Query(ctx, `
		insert into call (
			id, organization_id, project_id, campaign_id, recipient_id, attempt, agent_id, phone_number_id, connection_id,
			carrier, from_number, to_number, recipient_name, status, voicemail_action, ring_timeout_seconds,
			max_duration_seconds, consent_basis, consent_at, variables, metadata, record, created_at, heard_at, lease_until, instance_id)
		select
			n.id, n.organization_id, n.project_id, n.campaign_id, n.recipient_id, n.attempt, n.agent_id, n.phone_number_id,
			n.connection_id, n.carrier, n.from_number, n.to_number, n.recipient_name, 'queued', n.voicemail_action, n.ring,
			n.duration, n.consent_basis, n.consent_at, n.variables::jsonb, n.metadata::jsonb,
			exists (select from agent a where a.organization_id = n.organization_id and a.id = n.agent_id and a.record_calls),
			k.t, k.t, k.t + make_interval(secs => @lease), @instance::uuid
		from unnest(
			@ids::uuid[], @organizations::uuid[], @projects::uuid[], @campaigns::uuid[], @recipients::uuid[], @attempts::int[],
			@agents::uuid[], @numbers::uuid[], @connections::uuid[], @carriers::text[], @froms::text[], @tos::text[],
			@names::text[], @actions::text[], @rings::int[], @durations::int[], @bases::text[], @consents::timestamptz[],
			@variables::text[], @metadata::text[]
		) as n (
			id, organization_id, project_id, campaign_id, recipient_id, attempt, agent_id, phone_number_id, connection_id,
			carrier, from_number, to_number, recipient_name, voicemail_action, ring, duration, consent_basis, consent_at,
			variables, metadata), (select clock() as t) k
		on conflict (organization_id, to_number) where ended_at is null do nothing
		returning id, created_at, record`, pgx.NamedArgs{
		"ids": ids, "organizations": organizations, "projects": projects, "campaigns": campaigns, "recipients": recipients,
		"attempts": attempts, "agents": agents, "numbers": numbers, "connections": connections, "carriers": carriers,
		"froms": froms, "tos": tos, "names": names, "actions": actions, "rings": rings, "durations": durations,
		"bases": bases, "consents": consents, "variables": variables, "metadata": metadata, "lease": leaseTime.Seconds(),
		"instance": s.instance,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("claim %d calls: %w", n, err)
	}
	created := make(map[uuid.UUID]Claimed, n)
	var c Claimed
	if _, err := pgx.ForEachRow(rows, []any{&c.ID, &c.CreatedAt, &c.Record}, func() error { created[c.ID] = c; return nil }); err != nil {
		return nil, nil, fmt.Errorf("claim %d calls: %w", n, err)
	}
	for i, claim := range calls {
		if c, ok := created[ids[i]]; ok {
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
