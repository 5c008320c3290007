package webhook

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// MaxWebhooks is how many webhooks an organization may have.
const MaxWebhooks = 10

// The values of Webhook.DisabledReason.
const (
	DisabledFailing = "failing" // its endpoint has failed for days
	DisabledGone    = "gone"    // the endpoint answered 410
)

// Webhook is an endpoint of an organization and its subscriptions. Only Create and
// RotateSecret return its secret.
type Webhook struct {
	ID                  uuid.UUID
	OrganizationID      uuid.UUID
	Name                string
	URL                 string
	Events              []string // types, families (call.*) or *
	Filters                      // what its events must belong to
	HeaderNames         []string // of the headers that go with each delivery
	IsActive            bool
	DisabledReason      *string    // why an inactive webhook was disabled; nil if it was paused
	InactiveSince       *time.Time // it misses events from then on, until Recover
	SecretMark          string     // changes with each rotation and reveals nothing of the secret
	PreviousSecretUntil *time.Time // the end of a rotation's overlap; until then the previous secret signs too
	FailingSince        *time.Time // the first failed attempt since the last success
	Failures            int        // failed attempts since the last success
	IsFailing           bool       // the endpoint keeps failing and needs attention
	LastFailureAt       *time.Time
	LastSuccessAt       *time.Time // may be a minute old while attempts succeed
	CreatedBy           string     // the creator's name, as shown
	CreatedAt           time.Time
}

const columns = `
	id, organization_id, name, url, events, ` + filterColumns + `, header_names, is_active, disabled_reason,
	inactive_since,
	left(encode(sha256(secret), 'hex'), 16) as secret_mark,
	case when previous_secret_until > clock() then previous_secret_until end as previous_secret_until,
	failing_since, failures, ` + IsFailing + ` as is_failing, last_failure_at, last_success_at, created_by, created_at`

// Service manages webhooks and shows their deliveries. New makes a Service. It is safe
// for concurrent use.
type Service struct {
	pool     *pgxpool.Pool
	vault    *seal.Vault
	guard    *guard.Guard
	hub      *postgres.Hub
	examples map[string]json.RawMessage
	reader   *postgres.Reader[Webhook]
}

// Options configure a Service.
type Options struct {
	Pool     *pgxpool.Pool
	Vault    *seal.Vault                // seals the secrets
	Guard    *guard.Guard               // checks the URLs
	Hub      *postgres.Hub              // wakes the engines
	Examples map[string]json.RawMessage // payload of an example event by type, which a test sends
}

// New returns a Service.
func New(o Options) *Service {
	return &Service{
		pool:     o.Pool,
		vault:    o.Vault,
		guard:    o.Guard,
		hub:      o.Hub,
		examples: o.Examples,
		reader:   byID.Reader(o.Pool),
	}
}

// wake wakes the engines of all processes.
func (s *Service) wake() { s.hub.Wake(Topic) }
