// Package connection owns an organization's connections to language models: their settings and
// sealed keys, a warm client for each, their health, and the check that a person makes.
package connection

import (
	"cmp"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// Options are what the service is made from.
type Options struct {
	Pool  *pgxpool.Pool
	Vault *seal.Vault
	Guard *guard.Guard // decides which addresses of organizations are reached

	// SandboxURL is the address of the sandbox's model, up to /v1. Empty: the process has no sandbox,
	// and connections to it answer nothing.
	SandboxURL string

	CheckTime time.Duration // timeout of a check; 0: 15 s
}

// Service owns connections to models. Make it with New. It is safe for concurrent use.
type Service struct {
	pool       *pgxpool.Pool
	vault      *seal.Vault
	guard      *guard.Guard
	sandboxURL string
	checkTime  time.Duration
	reader     *postgres.Reader[Connection]

	mu      sync.Mutex
	clients map[uuid.UUID]*client   // by connection
	warmed  map[uuid.UUID]time.Time // when each was made ready last
}

// New makes the service.
func New(o Options) *Service {
	return &Service{
		pool:       o.Pool,
		vault:      o.Vault,
		guard:      o.Guard,
		sandboxURL: o.SandboxURL,
		checkTime:  cmp.Or(o.CheckTime, checkTime),
		reader:     byID.Reader(o.Pool),
		clients:    map[uuid.UUID]*client{},
		warmed:     map[uuid.UUID]time.Time{},
	}
}

// transport makes the transport of one connection. The sandbox is the operator's own, so the guard
// of what organizations choose does not apply to it.
func (s *Service) transport(c Connection) *http.Transport {
	var t *http.Transport
	if c.Provider == Sandbox {
		t = http.DefaultTransport.(*http.Transport).Clone()
		t.Proxy = nil
	} else {
		t = s.guard.Transport()
	}
	// Over HTTP/1.1 each stream has a connection, and all of them should stay warm between two turns.
	t.MaxIdleConns, t.MaxIdleConnsPerHost = c.Streams, c.Streams
	return t
}
