package messaging

import (
	"cmp"
	"log/slog"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Topic is woken after the commit of a transaction that queued messages or made
// room for them.
const Topic = "messaging.sender"

// Options are what the service is made from.
type Options struct {
	Pool *pgxpool.Pool
	Hub  *postgres.Hub
	Log  *slog.Logger // nil: slog.Default()

	// Off switches the channel off: nothing can be connected, nothing is sent, and
	// no quota is available.
	Off bool
}

// Service owns messages and the ledger of what counts. Make it with New. It is safe for
// concurrent use.
type Service struct {
	pool *pgxpool.Pool
	hub  *postgres.Hub
	log  *slog.Logger
	off  bool

	mu      sync.Mutex
	writers map[uuid.UUID]*moveWriter // by scope
}

// New makes the service.
func New(o Options) *Service {
	return &Service{
		pool:    o.Pool,
		hub:     o.Hub,
		log:     cmp.Or(o.Log, slog.Default()),
		off:     o.Off,
		writers: map[uuid.UUID]*moveWriter{},
	}
}

// On reports whether the deployment has the channel.
func (s *Service) On() bool { return !s.off }

// ErrOff refuses every use of a channel that is switched off.
var ErrOff = fault.New(fault.Unavailable, "Messaging channel not configured")

// Wake wakes the senders of this process and of others. Call it after the commit.
func (s *Service) Wake() { s.hub.Wake(Topic) }
