package main

import (
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/postgres"
)

// newApp is the product, as serve wires it, for work in this process. It logs
// nothing and wakes only the loops of this process, unless set changes it.
func newApp(pool *pgxpool.Pool, vault *account.Vault, set ...func(*app.Options)) (*app.App, error) {
	o := app.Options{
		Pool:      pool,
		Vault:     vault,
		Hub:       postgres.LocalHub(),
		Log:       slog.New(slog.DiscardHandler),
		Reference: api.Reference,
		Version:   "bench",
		PublicURL: "http://127.0.0.1",
	}
	for _, f := range set {
		f(&o)
	}
	return app.New(o)
}
