package account

import (
	"runtime"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Service does all that this package owns. Make it with New; it is safe for
// concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	vault  *Vault
	hasher *hasher

	strangers unknownKeys
}

// Options are what the service works with.
type Options struct {
	Pool  *pgxpool.Pool
	Vault *Vault // seals what the database must not tell
}

// New makes the service. One per process is meant: it bounds how many
// passwords are hashed at a time.
func New(o Options) *Service {
	return &Service{pool: o.Pool, vault: o.Vault, hasher: newHasher(runtime.GOMAXPROCS(0))}
}

// Vault seals and opens secrets of other packages.
func (s *Service) Vault() *Vault { return s.vault }
