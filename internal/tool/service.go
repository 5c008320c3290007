package tool

import (
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// Options are what the service is made from.
type Options struct {
	Pool    *pgxpool.Pool
	Vault   *seal.Vault
	Guard   *guard.Guard // which addresses tools may have
	Version string       // of the product, for the User-Agent
}

// Service owns the tools of organizations and makes their requests. Make it with New. It is safe for
// concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	vault  *seal.Vault
	guard  *guard.Guard
	sender sender.Sender
	reader *postgres.Reader[Tool]
}

// New makes the service.
func New(o Options) *Service {
	return &Service{
		pool:   o.Pool,
		vault:  o.Vault,
		guard:  o.Guard,
		sender: sender.New(o.Guard.Transport, o.Version).Keeping(maxAnswer),
		reader: byID.Reader(o.Pool),
	}
}
