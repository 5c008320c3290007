package dialer

import (
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Service manages the limits of an organization, stops all its calling, and places single calls
// that a person requests. It is safe for concurrent use.
type Service struct {
	pool  *pgxpool.Pool
	hub   *postgres.Hub
	calls *call.Service
}

// Options are the dependencies of a Service.
type Options struct {
	Pool  *pgxpool.Pool
	Hub   *postgres.Hub // wakes the dialers
	Calls *call.Service
}

// New makes a Service.
func New(o Options) *Service { return &Service{pool: o.Pool, hub: o.Hub, calls: o.Calls} }
