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

	strangers strangers
}

// New makes the service. One per process is meant: it bounds how many
// passwords are hashed at a time.
func New(pool *pgxpool.Pool, vault *Vault) *Service {
	return &Service{pool: pool, vault: vault, hasher: newHasher(runtime.GOMAXPROCS(0))}
}

// Vault seals and opens secrets of other packages.
func (s *Service) Vault() *Vault { return s.vault }
