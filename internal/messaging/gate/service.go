// Package gate admits queued messages within the operator's limits, sends them, and
// applies the statuses that the operator reports.
package gate

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Options are the dependencies of the service.
type Options struct {
	Pool        *pgxpool.Pool
	Hub         *postgres.Hub
	Log         *slog.Logger // nil: slog.Default()
	Messages    *messaging.Service
	Connections *connection.Service
}

// Service admits messages, sends them and applies the operator's statuses. Make it with
// New. It is safe for concurrent use.
type Service struct {
	pool        *pgxpool.Pool
	hub         *postgres.Hub
	log         *slog.Logger
	messages    *messaging.Service
	connections *connection.Service
	now         func() time.Time
}

// New makes the service.
func New(o Options) *Service {
	return &Service{
		pool:        o.Pool,
		hub:         o.Hub,
		log:         cmp.Or(o.Log, slog.Default()),
		messages:    o.Messages,
		connections: o.Connections,
		now:         time.Now,
	}
}
