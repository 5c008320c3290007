package call

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/predial"
)

// Topics of the hub that this package wakes.
const (
	TopicDialer     = "dialer"     // a slot has become free
	TopicSettlement = "settlement" // a call has ended and can be settled
	TopicReconciler = "reconciler" // calls must be looked up
)

// Service manages the calls of a deployment. Make it with New. It is safe for concurrent use.
type Service struct {
	carriers  func(ctx context.Context, connectionID uuid.UUID) (carrier.Carrier, error)
	checks    *predial.Service
	publicURL string
	pool      *pgxpool.Pool
	hub       *postgres.Hub
	log       *slog.Logger
	now       func() time.Time
	instance  uuid.UUID // ID of this process

	// These fields have the values of the constants with the same names, except in tests.
	scanned  int
	patience time.Duration
	walked   int
	crowded  int
}

// Options are the dependencies of the service.
type Options struct {
	Pool *pgxpool.Pool
	Hub  *postgres.Hub
	Log  *slog.Logger // nil: slog.Default()

	// Carriers returns the carrier of a connection. It must also work for a connection that was
	// deactivated during its calls.
	Carriers func(ctx context.Context, connectionID uuid.UUID) (carrier.Carrier, error)

	Checks *predial.Service // asked right before calls to recipients; nil: no organization has a check

	// PublicURL is the address of the API, without a trailing slash. Links to recordings
	// begin with it.
	PublicURL string
}

// New makes the service.
func New(o Options) *Service {
	return &Service{
		carriers:  o.Carriers,
		checks:    o.Checks,
		publicURL: o.PublicURL,
		pool:      o.Pool,
		hub:       o.Hub,
		log:       cmp.Or(o.Log, slog.Default()),
		now:       time.Now,
		instance:  uuid.New(),
		scanned:   scanned,
		patience:  patience,
		walked:    walked,
		crowded:   crowded,
	}
}

// wake wakes the loops that wait for a topic. Call it after the commit.
func (s *Service) wake(topic string) { s.hub.Wake(topic) }
