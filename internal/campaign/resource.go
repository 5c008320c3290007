package campaign

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is a campaign in the API and in webhook payloads.
type Resource struct {
	ID                 uuid.UUID         `json:"id"`
	ProjectID          uuid.UUID         `json:"project_id"`
	AgentID            uuid.UUID         `json:"agent_id"`
	AgentVersion       *AgentVersion     `json:"agent_version"`
	PhoneNumberID      *uuid.UUID        `json:"phone_number_id"`
	NumberPoolID       *uuid.UUID        `json:"number_pool_id"`
	Name               string            `json:"name"`
	CallReason         *string           `json:"call_reason"`
	Status             Status            `json:"status"`
	EndedReason        *string           `json:"ended_reason"`
	PauseReason        *string           `json:"pause_reason"`
	ScheduledAt        wire.Time         `json:"scheduled_at"`
	ExpiresAt          *wire.Time        `json:"expires_at"`
	CallingHours       hours.Hours       `json:"calling_hours"`
	MaxConcurrency     int               `json:"max_concurrency"`
	CallsPerSecond     float64           `json:"calls_per_second"`
	Retry              RetryResource     `json:"retry"`
	Intents            Intents           `json:"intents"`
	VoicemailAction    string            `json:"voicemail_action"`
	Detection          carrier.Detection `json:"detection"`
	RingTimeoutSeconds int               `json:"ring_timeout_seconds"`
	MaxDurationSeconds int               `json:"max_duration_seconds"`
	Variables          json.RawMessage   `json:"variables"`
	Metadata           json.RawMessage   `json:"metadata"`
	Messaging          *Messaging        `json:"messaging"`
	Budget             *Budget           `json:"budget"`
	ProgressShares     []int             `json:"progress_shares"`
	Waiting            []Waiting         `json:"waiting"`
	Counters           Counters          `json:"counters"`
	Calls              CallFigures       `json:"calls"`
	Compliance         Compliance        `json:"compliance"`
	RetryOfCampaignID  *uuid.UUID        `json:"retry_of_campaign_id"`
	CreatedAt          wire.Time         `json:"created_at"`
	StartedAt          *wire.Time        `json:"started_at"`
	EndedAt            *wire.Time        `json:"ended_at"`
	UpdatedAt          wire.Time         `json:"updated_at"`
}

// RetryResource says which recipients are called again, and when.
type RetryResource struct {
	MaxAttempts          int           `json:"max_attempts"`
	DelaysMinutes        []int         `json:"delays_minutes"`
	OutcomeDelaysMinutes OutcomeDelays `json:"outcome_delays_minutes"`
	On                   []string      `json:"on"`
}

// OutcomeDelays are delays in minutes, like DelaysMinutes, for the outcomes with delays
// of their own. The others are null. It has a field for each of RetryOutcomes.
type OutcomeDelays struct {
	Busy      []int `json:"busy" nullable:"true"`
	NoAnswer  []int `json:"no_answer" nullable:"true"`
	Voicemail []int `json:"voicemail" nullable:"true"`
	Failed    []int `json:"failed" nullable:"true"`
}

// each yields every outcome and its delays, nil for an outcome without delays of its
// own.
func (d OutcomeDelays) each(yield func(outcome string, delays []int) bool) {
	_ = yield("busy", d.Busy) &&
		yield("failed", d.Failed) &&
		yield("no_answer", d.NoAnswer) &&
		yield("voicemail", d.Voicemail)
}

// Counters count a campaign's recipients by status. They add up to Total.
type Counters struct {
	Total      int `json:"total"`
	Pending    int `json:"pending"`
	Dialing    int `json:"dialing"`
	InProgress int `json:"in_progress"`
	Completed  int `json:"completed"`
	Failed     int `json:"failed"`
	Skipped    int `json:"skipped"`
	Canceled   int `json:"canceled"`
	Expired    int `json:"expired"`
}

// CallFigures count a campaign's calls, including calls in progress.
type CallFigures struct {
	Placed   int `json:"placed"`
	Answered int `json:"answered"`
}

// Counters returns the recipients of a campaign by status.
func (c Campaign) Counters() Counters {
	return Counters{Total: c.Total, Pending: c.Pending, Dialing: c.Dialing, InProgress: c.InProgress,
		Completed: c.Completed, Failed: c.Failed, Skipped: c.Skipped, Canceled: c.Canceled, Expired: c.Expired}
}

// Compliance returns the compliance counters of a campaign.
func (c Campaign) Compliance() Compliance {
	return Compliance{
		AnsweredByPerson: c.AnsweredByPerson, OptedOut: c.OptedOut, Abandoned: c.Abandoned, ShortCalls: c.ShortCalls,
	}
}

// Resource converts a campaign.
func (c Campaign) Resource() Resource {
	return Resource{
		ID: c.ID, ProjectID: c.ProjectID, AgentID: c.AgentID, AgentVersion: c.AgentVersion,
		PhoneNumberID: c.PhoneNumberID,
		NumberPoolID:  c.NumberPoolID,
		Name:          c.Name, CallReason: c.CallReason, Status: c.Status,
		EndedReason: c.EndedReason, PauseReason: c.PauseReason,
		ScheduledAt: wire.Time(c.ScheduledAt), ExpiresAt: wire.Optional(c.ExpiresAt), CallingHours: c.CallingHours,
		MaxConcurrency: c.MaxConcurrency, CallsPerSecond: c.CallsPerSecond,
		Retry:           c.retry(),
		Intents:         c.Intents,
		VoicemailAction: c.VoicemailAction, Detection: c.Detection, RingTimeoutSeconds: c.RingTimeoutSeconds,
		MaxDurationSeconds: c.MaxDurationSeconds,
		Variables:          c.Variables, Metadata: c.Metadata, Messaging: c.Messaging, Budget: c.Budget,
		ProgressShares: c.ProgressShares,
		Waiting:        waitingResource(c.Waiting), Counters: c.Counters(),
		Calls:      CallFigures{Placed: c.CallsPlaced, Answered: c.CallsAnswered},
		Compliance: c.Compliance(), RetryOfCampaignID: c.RetryOfCampaignID,
		CreatedAt: wire.Time(c.CreatedAt), StartedAt: wire.Optional(c.StartedAt), EndedAt: wire.Optional(c.EndedAt),
		UpdatedAt: wire.Time(c.ChangedAt),
	}
}

func (c Campaign) retry() RetryResource {
	own := c.RetryOutcomeDelays
	return RetryResource{
		MaxAttempts: c.MaxAttempts, DelaysMinutes: orEmpty(c.RetryDelays), On: orEmpty(c.RetryOn),
		OutcomeDelaysMinutes: OutcomeDelays{
			Busy: own["busy"], NoAnswer: own["no_answer"], Voicemail: own["voicemail"], Failed: own["failed"],
		},
	}
}

// RecipientResource is a recipient in the API.
type RecipientResource struct {
	ID            uuid.UUID            `json:"id"`
	CampaignID    uuid.UUID            `json:"campaign_id"`
	PhoneNumber   string               `json:"phone_number"`
	Name          *string              `json:"name"`
	ExternalID    *string              `json:"external_id"`
	Timezone      *string              `json:"timezone"`
	Consent       *call.Consent        `json:"consent"`
	Variables     json.RawMessage      `json:"variables"`
	Metadata      json.RawMessage      `json:"metadata"`
	Status        RecipientStatus      `json:"status"`
	Attempts      int                  `json:"attempts"`
	NextAttemptAt *wire.Time           `json:"next_attempt_at"`
	LastCallID    *uuid.UUID           `json:"last_call_id"`
	Outcome       *string              `json:"outcome"`
	Intent        *conversation.Intent `json:"intent"`
	SkipReason    *string              `json:"skip_reason"`
	SkipDetail    *string              `json:"skip_detail"`
	PrioritizedAt *wire.Time           `json:"prioritized_at"`
	CanceledAt    *wire.Time           `json:"canceled_at"`
	CreatedAt     wire.Time            `json:"created_at"`
}

// Resource converts a recipient.
func (r Recipient) Resource() RecipientResource {
	out := RecipientResource{
		ID: r.ID, CampaignID: r.CampaignID, PhoneNumber: r.PhoneNumber, ExternalID: r.ExternalID, Timezone: r.Timezone,
		Variables: r.Variables, Metadata: r.Metadata, Status: r.Status, Attempts: r.Attempts,
		NextAttemptAt: wire.Optional(r.DueAt), LastCallID: r.LastCallID, Outcome: r.Outcome, Intent: r.Intent,
		SkipReason: r.SkipReason, SkipDetail: r.SkipDetail,
		PrioritizedAt: wire.Optional(r.PrioritizedAt), CanceledAt: wire.Optional(r.CanceledAt),
		CreatedAt: wire.Time(r.CreatedAt),
	}
	if r.Name != "" {
		out.Name = &r.Name
	}
	if r.ConsentBasis != nil {
		out.Consent = &call.Consent{
			Basis: *r.ConsentBasis, At: wire.Optional(r.ConsentAt), Source: r.ConsentSource,
			ExpiresAt: wire.Optional(r.ConsentExpiresAt),
		}
	}
	return out
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
