package messaging

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
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

	// Simulated says that the operator is the sandbox's. Else messages reach real phones, and calls over the sandbox
	// send none.
	Simulated bool
}

// Service owns messages and the ledger of what counts. Make it with New. It is safe for
// concurrent use.
type Service struct {
	pool *pgxpool.Pool
	hub  *postgres.Hub
	log  *slog.Logger
	off  bool

	simulated bool
	reader    *postgres.Reader[Message]

	mu      sync.Mutex
	writers map[uuid.UUID]*moveWriter // by scope
}

// New makes the service.
func New(o Options) *Service {
	return &Service{
		pool: o.Pool,
		hub:  o.Hub,
		log:  cmp.Or(o.Log, slog.Default()),
		off:  o.Off,

		simulated: o.Simulated,
		reader:    byID.Reader(o.Pool),

		writers: map[uuid.UUID]*moveWriter{},
	}
}

// On reports whether the deployment has the channel.
func (s *Service) On() bool { return !s.off }

// FitsCalls reports whether calls over a connection may come with messages. Calls over the sandbox reach nobody, so
// they must not send messages that reach real phones.
func (s *Service) FitsCalls(
	ctx context.Context, db postgres.DB, organizationID, connectionID uuid.UUID,
) (bool, error) {
	if s.simulated || s.off {
		return true, nil
	}
	var sandbox bool
	err := db.QueryRow(ctx, `
		select exists (select from connection
			where organization_id = @organization_id and id = @id and kind = 'sandbox')`, pgx.NamedArgs{
		"organization_id": organizationID, "id": connectionID,
	}).Scan(&sandbox)
	if err != nil {
		return false, fmt.Errorf("read the kind of connection %s: %w", connectionID, err)
	}
	return !sandbox, nil
}

// Simulated reports whether the operator is the sandbox's.
func (s *Service) Simulated() bool { return s.simulated }

// SandboxCall says why a call over the sandbox has no message.
const SandboxCall = "Calls over the sandbox send no messages, because the WhatsApp messages of this server " +
	"reach real phones"

// ErrOff refuses every use of a channel that is switched off.
var ErrOff = fault.New(fault.Unavailable, "Messaging channel not configured")

// Wake wakes the senders of this process and of others. Call it after the commit.
func (s *Service) Wake() { s.hub.Wake(Topic) }
