package account

import (
	"context"
	"runtime"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/oidc"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// Service owns organizations, users, sessions, API keys and the audit log. Make it with
// New. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	vault  *seal.Vault
	hasher *hasher

	providers *oidc.Client
	cell      int

	begin func(context.Context, pgx.Tx, Actor, Organization) error

	keys      *postgres.Gatherer[keyRequest, Caller]
	strangers unknownKeys
}

// Options are the dependencies of the service.
type Options struct {
	Pool  *pgxpool.Pool
	Vault *seal.Vault // seals the secrets in the database

	// Providers reaches the OpenID providers of organizations. Nil: those on the public internet.
	Providers *oidc.Client

	// Cell is the number of the cell, at most 65,535, which begins the API keys. 0: the deployment has no cells.
	Cell int

	// Begin creates what an organization has from its start, when an organization is created with its first person.
	// Nil: nothing.
	Begin func(ctx context.Context, tx pgx.Tx, actor Actor, o Organization) error
}

// New makes the service. Make one per process, because it bounds how many passwords are
// hashed at a time.
func New(o Options) *Service {
	if o.Begin == nil {
		o.Begin = func(context.Context, pgx.Tx, Actor, Organization) error { return nil }
	}
	if o.Providers == nil {
		public, err := guard.New(nil)
		if err != nil {
			panic(err) // no entry can be wrong
		}
		o.Providers = oidc.New(oidc.Options{Guard: public})
	}
	s := &Service{
		pool:      o.Pool,
		vault:     o.Vault,
		hasher:    newHasher(runtime.GOMAXPROCS(0)),
		providers: o.Providers,
		cell:      o.Cell,
		begin:     o.Begin,
	}
	s.keys = postgres.NewGatherer(keyHands, s.useKeys)
	return s
}

// Vault seals and opens secrets of other packages.
func (s *Service) Vault() *seal.Vault { return s.vault }

// Tags calls Vault.Tags.
func (s *Service) Tags(purpose string, data []byte) [][]byte { return s.vault.Tags(purpose, data) }

// Sealed are the columns that this package seals.
var Sealed = []seal.Column{
	{
		Table:        "idempotency_key",
		Column:       "answer",
		Key:          []string{"organization_id", "route", "key_hash"},
		Organization: "organization_id",
		Row:          "route || ' ' || encode(key_hash, 'hex')",
	},
	{Table: "second_factor", Column: "seed", Key: []string{"user_id"}, Row: "user_id::text"},
	{
		Table:        "single_sign_on",
		Column:       "client_secret",
		Key:          []string{"organization_id"},
		Organization: "organization_id",
		Row:          "organization_id::text",
	},
}
