package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/wire"
)

// CallSettings are the settings with which a call is placed, as the API prints them: what its request or its campaign
// said, with the defaults.
type CallSettings struct {
	AgentVersion       *AgentVersion     `json:"agent_version"`
	PhoneNumberID      *uuid.UUID        `json:"phone_number_id"`
	NumberPoolID       *uuid.UUID        `json:"number_pool_id"`
	CallReason         *string           `json:"call_reason"`
	Timezone           *string           `json:"timezone"`
	ScheduledAt        *wire.Time        `json:"scheduled_at"`
	ExpiresAt          *wire.Time        `json:"expires_at"`
	CallingHours       hours.Hours       `json:"calling_hours"`
	Retry              RetryResource     `json:"retry"`
	Intents            Intents           `json:"intents"`
	VoicemailAction    string            `json:"voicemail_action"`
	Detection          carrier.Detection `json:"detection"`
	RingTimeoutSeconds int               `json:"ring_timeout_seconds"`
	MaxDurationSeconds int               `json:"max_duration_seconds"`
}

// SettingsOfCall returns the settings with which a call is placed. Errors: NotFound, also for a call without a
// recipient, such as an inbound one, and after the recipient was deleted.
func (s *Service) SettingsOfCall(ctx context.Context, organizationID, id uuid.UUID) (CallSettings, error) {
	var recipient uuid.UUID
	var timezone *string
	var scheduled *time.Time
	err := s.db.QueryRow(ctx, `
		select recipient.id, timezone, case when first_call_id is null then campaign.scheduled_at else `+sqlStart+` end
		from recipient join campaign on campaign.id = recipient.campaign_id
		where recipient.organization_id = $1 and recipient.id = (
			select recipient_id from call where organization_id = $1 and id = $2
			union all
			select id from recipient where organization_id = $1 and next_call_id = $2
			limit 1)`, organizationID, id).Scan(&recipient, &timezone, &scheduled)
	if errors.Is(err, pgx.ErrNoRows) {
		return CallSettings{}, fault.NotFoundf("Settings of this call")
	}
	if err != nil {
		return CallSettings{}, fmt.Errorf("find the recipient of call %s: %w", id, err)
	}
	c, err := s.SettingsOf(ctx, organizationID, recipient)
	if err != nil {
		return CallSettings{}, err
	}
	return callSettings(c, timezone, scheduled), nil
}

// callSettings returns the settings of a call with its own time zone and start.
func callSettings(c Campaign, timezone *string, start *time.Time) CallSettings {
	return CallSettings{
		AgentVersion:       c.AgentVersion,
		PhoneNumberID:      c.PhoneNumberID,
		NumberPoolID:       c.NumberPoolID,
		CallReason:         c.CallReason,
		Timezone:           timezone,
		ScheduledAt:        wire.Optional(start),
		ExpiresAt:          wire.Optional(c.ExpiresAt),
		CallingHours:       c.CallingHours,
		Retry:              c.retry(),
		Intents:            c.Intents,
		VoicemailAction:    c.VoicemailAction,
		Detection:          c.Detection,
		RingTimeoutSeconds: c.RingTimeoutSeconds,
		MaxDurationSeconds: c.MaxDurationSeconds,
	}
}

// RevisionOfCall identifies what CallChange may change of a scheduled call, as a form shows it. Errors: NotFound;
// Conflict for a call that is not scheduled any more.
func (s *Service) RevisionOfCall(ctx context.Context, organizationID, id uuid.UUID) (string, error) {
	r, err := readScheduled(ctx, s.db, organizationID, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", notScheduled(ctx, s.db, organizationID, id, noLongerChanged)
	}
	if err != nil {
		return "", err
	}
	set, err := s.SettingsOf(ctx, organizationID, r.ID)
	return check.Revision(r.shown(set)), err
}

// shownCall is what CallChange may change, as a form shows it.
type shownCall struct {
	CallSettings
	Name       string          `json:"name"`
	ExternalID *string         `json:"external_id"`
	Variables  json.RawMessage `json:"variables"`
	Metadata   json.RawMessage `json:"metadata"`
}

func (r *scheduledCall) shown(set Campaign) shownCall {
	return shownCall{callSettings(set, r.Timezone, r.Start), r.Name, r.ExternalID, r.Variables, r.Metadata}
}
