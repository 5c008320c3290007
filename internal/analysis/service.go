package analysis

import (
	"cmp"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Topic is woken when an analysis was queued.
const Topic = "analysis"

const (
	askTime = 30 * time.Second // for one answer of a model
	lease   = 2 * time.Minute  // longer than the two answers and the write
	atOnce  = 16               // analyses in this process

	// poll is the time between two looks at the queue. While analyses run, the process looks more often, because calls
	// may need their streams.
	poll     = 5 * time.Second
	pollBusy = time.Second

	probeGap = 5 * time.Minute  // between two requests to a connection that fails
	dayPause = 15 * time.Minute // at a daily limit of the organization, which may be raised
	giveUp   = 24 * time.Hour   // after this time in the queue, an analysis fails
	crowded  = 10 * time.Second // the pause of an analysis whose stream a call needs
	throttle = 30 * time.Second // likewise, if a server has too many requests and does not say for how long
)

// pauses are the pauses after a failed try. After the last try, the analysis has failed.
var pauses = []time.Duration{30 * time.Second, 2 * time.Minute}

// Options are what the service is made from.
type Options struct {
	Pool   *pgxpool.Pool
	Hub    *postgres.Hub
	Calls  *call.Service
	Models *connection.Service
	Log    *slog.Logger // nil: slog.Default()
}

// Service analyzes calls. Make it with New. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	hub    *postgres.Hub
	calls  *call.Service
	models *connection.Service
	log    *slog.Logger

	mu      sync.Mutex
	running map[uuid.UUID]running // by analysis
}

// New makes the service.
func New(o Options) *Service {
	return &Service{
		pool:    o.Pool,
		hub:     o.Hub,
		calls:   o.Calls,
		models:  o.Models,
		log:     cmp.Or(o.Log, slog.Default()),
		running: map[uuid.UUID]running{},
	}
}
