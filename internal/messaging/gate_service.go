package messaging

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/postgres"
)

// GateOptions is what the service is made from.
type GateOptions struct {
	Pool        *pgxpool.Pool
	Hub         *postgres.Hub
	Log         *slog.Logger // nil: slog.Default()
	Messages    *Service
	Connections *ConnectionService
}

// GateService admits messages, sends them and applies the operator's statuses. Make it with New. It is safe for
// concurrent use.
type GateService struct {
	pool        *pgxpool.Pool
	hub         *postgres.Hub
	log         *slog.Logger
	messages    *Service
	connections *ConnectionService
	now         func() time.Time
}

// NewGate makes the service.
func NewGate(o GateOptions) *GateService {
	return &GateService{
		pool:        o.Pool,
		hub:         o.Hub,
		log:         cmp.Or(o.Log, slog.Default()),
		messages:    o.Messages,
		connections: o.Connections,
		now:         time.Now,
	}
}
