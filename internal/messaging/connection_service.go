package messaging

import (
	"cmp"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
)

// ConnectionOptions is what the service is made from.
type ConnectionOptions struct {
	Pool     *pgxpool.Pool
	Vault    *account.Vault
	Hub      *postgres.Hub
	Log      *slog.Logger // nil: slog.Default()
	Messages *Service

	Client *cloud.Client // sends the requests to the operator

	// PublicURL is how the operator reaches this server, without a trailing slash.
	// Empty: the operator is not asked for its webhooks.
	PublicURL string

	// ReadTime is how long one read of an account may take; 0 means 5 s.
	ReadTime time.Duration
}

// ConnectionService owns connections, numbers and templates. Make it with New. It is safe for
// concurrent use.
type ConnectionService struct {
	pool      *pgxpool.Pool
	vault     *account.Vault
	hub       *postgres.Hub
	log       *slog.Logger
	messages  *Service
	client    *cloud.Client
	publicURL string
	readTime  time.Duration

	mu       sync.Mutex
	accounts map[uuid.UUID]cachedAccount    // by connection
	reads    map[uuid.UUID]*connectionReads // by connection
}

// NewConnections makes the service.
func NewConnections(o ConnectionOptions) *ConnectionService {
	return &ConnectionService{
		pool:      o.Pool,
		vault:     o.Vault,
		hub:       o.Hub,
		log:       cmp.Or(o.Log, slog.Default()),
		messages:  o.Messages,
		client:    o.Client,
		publicURL: o.PublicURL,
		readTime:  cmp.Or(o.ReadTime, readTime),
		accounts:  map[uuid.UUID]cachedAccount{},
		reads:     map[uuid.UUID]*connectionReads{},
	}
}

// On reports whether the deployment has the channel.
func (s *ConnectionService) On() bool { return s.messages.On() }
