package campaign

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// Status is the state of a campaign.
type Status string

const (
	Drafted   Status = "draft"     // created, and to be started by a person or a key
	Scheduled Status = "scheduled" // created, before its start time
	Running   Status = "running"
	Paused    Status = "paused"
	Completed Status = "completed" // every recipient has a last status, or the campaign expired
	Canceled  Status = "canceled"
	Failed    Status = "failed" // its agent, number or connection was removed
)

// Statuses lists every status, in the order of a campaign's life.
var Statuses = []Status{Drafted, Scheduled, Running, Paused, Completed, Canceled, Failed}

// Terminal reports whether the campaign has ended and can no longer change.
func (s Status) Terminal() bool { return s == Completed || s == Canceled || s == Failed }

// words follow "This campaign is".
func (s Status) words() string {
	if s == Drafted {
		return "a draft"
	}
	return string(s)
}

// Reasons why a campaign ended: Campaign.EndedReason.
const (
	EndedFinished   = "finished" // every recipient has a last status
	EndedExpired    = "expired"  // expires_at was reached
	EndedCanceled   = "canceled"
	EndedAgent      = "agent_removed"
	EndedNumber     = "phone_number_removed"
	EndedConnection = "connection_removed"
)

// RecipientStatus is the state of a recipient. The statuses dialing and in_progress
// last until the call is settled, a moment after its end.
type RecipientStatus string

const (
	RecipientPending    RecipientStatus = "pending"
	RecipientDialing    RecipientStatus = "dialing"
	RecipientInProgress RecipientStatus = "in_progress" // the call was answered; derived from the call, never stored
	RecipientCompleted  RecipientStatus = "completed"
	RecipientFailed     RecipientStatus = "failed"
	RecipientSkipped    RecipientStatus = "skipped"
	RecipientCanceled   RecipientStatus = "canceled"
	RecipientExpired    RecipientStatus = "expired"
)

// RecipientStatuses lists every status of a recipient.
var RecipientStatuses = []RecipientStatus{RecipientPending, RecipientDialing, RecipientInProgress, RecipientCompleted,
	RecipientFailed, RecipientSkipped, RecipientCanceled, RecipientExpired}

// Reasons why a recipient was skipped.
const (
	SkipDuplicate = "duplicate"
	SkipDoNotCall = "do_not_call"
	SkipNoConsent = "no_consent" // the organization requires a consent with its date

	SkipPreDialCheck = "pre_dial_check" // the organization's pre-dial check refused the call
)

// Campaign is a campaign with its counters, all read at the same moment.
type Campaign struct {
	ID                 uuid.UUID
	OrganizationID     uuid.UUID
	ProjectID          uuid.UUID
	AgentID            uuid.UUID
	AgentVersion       *AgentVersion // nil: the published one at the time of each call
	PhoneNumberID      *uuid.UUID    // nil: the campaign calls from a pool
	NumberPoolID       *uuid.UUID
	ConnectionID       uuid.UUID
	Name               string
	CallReason         *string // shown by phones with branded calling; nil: none
	Status             Status
	EndedReason        *string
	PauseReason        *string
	ScheduledAt        time.Time
	ExpiresAt          *time.Time
	CallingHours       hours.Hours
	MaxConcurrency     int
	CallsPerSecond     float64
	MaxAttempts        int
	RetryDelays        []int            // minutes
	RetryOutcomeDelays map[string][]int // minutes, for the outcomes with delays of their own
	RetryOn            []string
	Intents            Intents
	VoicemailAction    string
	Detection          carrier.Detection
	RingTimeoutSeconds int
	MaxDurationSeconds int
	ProgressShares     []int // in percent, ascending
	Variables          json.RawMessage
	Metadata           json.RawMessage
	Messaging          *Messaging // nil: no messages were configured
	Budget             *Budget    // nil: its calls may cost any amount
	Waiting            []Waiting
	Total              int
	Pending            int
	Dialing            int
	InProgress         int
	Completed          int
	// CompletedByVoicemail are the completed recipients for whom a message was left on voicemail.
	CompletedByVoicemail int
	Failed               int
	Skipped              int
	Canceled             int
	Expired              int
	CallsPlaced          int
	CallsAnswered        int
	AnsweredByPerson     int
	OptedOut             int
	Abandoned            int
	ShortCalls           int
	RetryOfCampaignID    *uuid.UUID // the campaign whose unreached recipients this one calls again
	CreatedBy            string     // the actor's name, as shown
	CreatedAt            time.Time
	StartedAt            *time.Time
	EndedAt              *time.Time
	ChangedAt            time.Time // updated_at in the API
}

// callsFrom returns what the campaign calls from.
func (c Campaign) callsFrom() (from CallsFrom) {
	if c.PhoneNumberID != nil {
		from.PhoneNumberID = *c.PhoneNumberID
	}
	if c.NumberPoolID != nil {
		from.NumberPoolID = *c.NumberPoolID
	}
	return from
}

// Recipient is one person of a campaign's list.
type Recipient struct {
	ID               uuid.UUID
	OrganizationID   uuid.UUID
	CampaignID       uuid.UUID
	PhoneNumber      string // E.164
	Name             string
	ExternalID       *string
	Timezone         *string  // as given
	Zones            []string // the time zones whose calling hours apply; all must be open
	ZoneSource       string   // recipient, number, project, campaign
	ConsentBasis     *string
	ConsentAt        *time.Time
	ConsentSource    *string
	ConsentExpiresAt *time.Time
	Variables        json.RawMessage
	Metadata         json.RawMessage
	Status           RecipientStatus
	Attempts         int
	DueAt            *time.Time // of a pending recipient: the earliest time of the next call
	WaitReason       *string    // why DueAt is not earlier
	LastCallID       *uuid.UUID
	Outcome          *string              // of the last call
	Intent           *conversation.Intent // of the last call
	SkipReason       *string
	SkipDetail       *string // the words of the pre-dial check
	OptedOut         bool    // the recipient asked on a call not to be called again
	PrioritizedAt    *time.Time
	CanceledAt       *time.Time // if the recipient is being called, no call follows this one
	CreatedAt        time.Time
}

// Service manages campaigns. It is safe for concurrent use.
type Service struct {
	db       postgres.DB
	reader   *postgres.Reader[Campaign]
	hub      *postgres.Hub
	whatsapp *connection.Service
	now      func() time.Time

	checkConnection func(ctx context.Context, organizationID, connectionID uuid.UUID) error
}

// Options are the dependencies of a Service.
type Options struct {
	Pool     *pgxpool.Pool
	Hub      *postgres.Hub       // wakes the dialers
	WhatsApp *connection.Service // knows the quotas of WhatsApp numbers
	Now      func() time.Time    // the clock for checks of input; nil: time.Now

	// CheckConnection checks a connection whose checks are old, before a campaign starts on it.
	// Nil: the stored checks decide, however old.
	CheckConnection func(ctx context.Context, organizationID, connectionID uuid.UUID) error
}

// New makes a Service.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.CheckConnection == nil {
		o.CheckConnection = func(context.Context, uuid.UUID, uuid.UUID) error { return nil }
	}
	return &Service{
		db:              o.Pool,
		reader:          byID.Reader(o.Pool),
		hub:             o.Hub,
		whatsapp:        o.WhatsApp,
		now:             o.Now,
		checkConnection: o.CheckConnection,
	}
}

// In returns the same service inside a transaction of the caller. The caller must call
// Wake after the commit.
func (s *Service) In(tx pgx.Tx) *Service {
	in := *s
	in.db, in.reader = tx, byID.Reader(tx)
	return &in
}

// Topic is the topic that wakes the dialer: a campaign may have work to do.
const Topic = "campaign"

// Wake wakes the dialers of all processes, and the dispatchers of webhook events.
func (s *Service) Wake() { Wake(s.hub) }

// Wake is Service.Wake for packages that change campaigns without the service.
func Wake(hub *postgres.Hub) {
	hub.Wake(Topic)
	hub.Wake(webhook.Topic)
}
