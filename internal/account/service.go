package account

import (
	"runtime"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/seal"
)

// Service does all that this package owns. Make it with New; it is safe for
// concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	vault  *seal.Vault
	hasher *hasher

	strangers unknownKeys
}

// Options are what the service works with.
type Options struct {
	Pool  *pgxpool.Pool
	Vault *seal.Vault // seals what the database must not tell
}

// New makes the service. One per process is meant: it bounds how many
// passwords are hashed at a time.
func New(o Options) *Service {
	return &Service{pool: o.Pool, vault: o.Vault, hasher: newHasher(runtime.GOMAXPROCS(0))}
}

// Vault seals and opens secrets of other packages.
func (s *Service) Vault() *seal.Vault { return s.vault }

// Tags are the tags of Vault.Tags.
func (s *Service) Tags(purpose string, data []byte) [][]byte { return s.vault.Tags(purpose, data) }

// Sealed are the columns of this package.
var Sealed = []seal.Column{
	{
		Table:        "idempotency_key",
		Column:       "answer",
		Key:          []string{"organization_id", "route", "key_hash"},
		Organization: "organization_id",
		Row:          "route || ' ' || encode(key_hash, 'hex')",
	},
	{Table: "second_factor", Column: "seed", Key: []string{"user_id"}, Row: "user_id::text"},
}
