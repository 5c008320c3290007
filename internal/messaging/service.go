package messaging

import (
	"cmp"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Topic is woken after the commit of a transaction that queued messages or made
// room for them.
const Topic = "messaging.sender"

// Options is what the service stands on.
type Options struct {
	Pool  *pgxpool.Pool
	Vault *account.Vault
	Hub   *postgres.Hub
	Log   *slog.Logger // nil: slog.Default()

	Client *cloud.Client // speaks to the operator

	// Off switches the channel off: nothing can be connected, nothing is sent, and
	// Quota returns Unavailable.
	Off bool

	// PublicURL is how the operator reaches this server, without a trailing
	// slash. Empty: it is not asked for its webhooks.
	PublicURL string

	// ReadTime is how long one read of an account may take; 0 means 5 s.
	ReadTime time.Duration
}

// Service does all that this package owns. Make it with New; it is safe for
// concurrent use.
type Service struct {
	pool      *pgxpool.Pool
	vault     *account.Vault
	hub       *postgres.Hub
	log       *slog.Logger
	client    *cloud.Client
	off       bool
	publicURL string
	readTime  time.Duration
	now       func() time.Time

	mu       sync.Mutex
	accounts map[uuid.UUID]cachedAccount    // by connection
	reads    map[uuid.UUID]*connectionReads // by connection
	writers  map[uuid.UUID]*moveWriter      // by scope
}

// New makes the service.
func New(o Options) *Service {
	if o.ReadTime <= 0 {
		o.ReadTime = readTime
	}
	return &Service{
		pool:      o.Pool,
		vault:     o.Vault,
		hub:       o.Hub,
		log:       cmp.Or(o.Log, slog.Default()),
		client:    o.Client,
		off:       o.Off,
		publicURL: o.PublicURL,
		readTime:  o.ReadTime,
		now:       time.Now,
		accounts:  map[uuid.UUID]cachedAccount{},
		reads:     map[uuid.UUID]*connectionReads{},
		writers:   map[uuid.UUID]*moveWriter{},
	}
}

// On tells whether the deployment has the channel.
func (s *Service) On() bool { return !s.off }

// errOff is what every use of a channel gets that is switched off.
var errOff = fault.New(fault.Unavailable, "Messaging channel not configured")

// Wake tells the senders, here and in other processes, that there may be
// something to send. Call it after the commit.
func (s *Service) Wake() { s.hub.Wake(Topic) }
