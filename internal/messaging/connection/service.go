// Package connection owns an organization's WhatsApp Business Accounts: their
// credentials, their numbers with the operator's limits, and their templates. It reads
// them from the operator again and again, and pauses what the operator refuses.
package connection

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// Options are what the service is made from.
type Options struct {
	Pool     *pgxpool.Pool
	Vault    *seal.Vault
	Hub      *postgres.Hub
	Log      *slog.Logger // nil: slog.Default()
	Messages *messaging.Service

	Client *cloud.Client // sends the requests to the operator

	// PublicURL is how the operator reaches this server, without a trailing slash.
	// Empty: the operator is not asked for its webhooks.
	PublicURL string

	// Claim makes this database the only one of the deployment that sends from a portfolio ("" if unknown) and its
	// numbers, because they share a limit. Errors: Conflict if another one does. Nil: there is no other.
	Claim func(ctx context.Context, portfolio string, numbers []string) error

	// ReadTime is how long one read of an account may take; 0 means 5 s.
	ReadTime time.Duration
}

// Service owns connections, their numbers and their templates. Make it with New. It is
// safe for concurrent use.
type Service struct {
	pool      *pgxpool.Pool
	vault     *seal.Vault
	hub       *postgres.Hub
	log       *slog.Logger
	messages  *messaging.Service
	client    *cloud.Client
	publicURL string
	claim     func(context.Context, string, []string) error
	readTime  time.Duration

	connectionReader *postgres.Reader[Connection]
	templateReader   *postgres.Reader[Template]

	mu       sync.Mutex
	accounts map[uuid.UUID]cachedAccount    // by connection
	reads    map[uuid.UUID]*connectionReads // by connection
}

// FitsCalls is [messaging.Service.FitsCalls].
func (s *Service) FitsCalls(
	ctx context.Context, db postgres.DB, organizationID, connectionID uuid.UUID,
) (bool, error) {
	return s.messages.FitsCalls(ctx, db, organizationID, connectionID)
}

// MayCome is FitsCalls at this moment, for pages that say so before somebody starts calls.
func (s *Service) MayCome(ctx context.Context, organizationID, connectionID uuid.UUID) (bool, error) {
	return s.messages.FitsCalls(ctx, s.pool, organizationID, connectionID)
}

// New makes the service.
func New(o Options) *Service {
	if o.Claim == nil {
		o.Claim = func(context.Context, string, []string) error { return nil }
	}
	return &Service{
		pool:      o.Pool,
		vault:     o.Vault,
		hub:       o.Hub,
		log:       cmp.Or(o.Log, slog.Default()),
		messages:  o.Messages,
		client:    o.Client,
		publicURL: o.PublicURL,
		claim:     o.Claim,
		readTime:  cmp.Or(o.ReadTime, readTime),
		accounts:  map[uuid.UUID]cachedAccount{},
		reads:     map[uuid.UUID]*connectionReads{},

		connectionReader: connectionByID.Reader(o.Pool),
		templateReader:   templateByID.Reader(o.Pool),
	}
}

// On reports whether the deployment has the channel.
func (s *Service) On() bool { return s.messages.On() }
