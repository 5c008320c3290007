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
)

// Topics of the hub that this package wakes.
const (
	TopicDialer     = "dialer"     // a slot has become free
	TopicSettlement = "settlement" // a call has ended and can be settled
	TopicReconciler = "reconciler" // there are calls to be looked up
)

// Service does all that this package owns. Make it with New; it is safe for
// concurrent use. With
// package line it is the carrier.Host of every adapter.
type Service struct {
	carriers  func(ctx context.Context, connectionID uuid.UUID) (carrier.Carrier, error)
	publicURL string
	pool      *pgxpool.Pool
	hub       *postgres.Hub
	log       *slog.Logger
	now       func() time.Time
	instance  uuid.UUID // this process, as others know it

	// The constants of these names, but in tests.
	scanned  int
	patience time.Duration
	walked   int
	crowded  int
}

// Options are what the service works with.
type Options struct {
	Pool *pgxpool.Pool
	Hub  *postgres.Hub
	Log  *slog.Logger // nil: slog.Default()

	// Carriers finds the carrier behind a connection. It must go on working
	// for a connection that was deactivated while its calls are up.
	Carriers func(ctx context.Context, connectionID uuid.UUID) (carrier.Carrier, error)

	// PublicURL is where the API is reached, without a trailing slash. Links to
	// recordings begin with it.
	PublicURL string
}

// New makes the service.
func New(o Options) *Service {
	return &Service{
		carriers:  o.Carriers,
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

// wake tells the loops that wait for topic. Call it after the commit.
func (s *Service) wake(topic string) { s.hub.Wake(topic) }
