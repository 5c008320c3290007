package evaluation

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/call/line"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// Topic is woken when attempts wait to be run.
const Topic = "agent tests"

// RunTopic is woken when a run makes progress.
func RunTopic(id uuid.UUID) string { return "agent test run " + id.String() }

// Options are the dependencies of the service.
type Options struct {
	Pool   *pgxpool.Pool
	Hub    *postgres.Hub
	Vault  *seal.Vault
	Lines  *line.Service
	Models *connection.Service
	Log    *slog.Logger // nil: slog.Default()
}

// Service owns the test cases of agents and their runs. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	hub    *postgres.Hub
	vault  *seal.Vault
	lines  *line.Service
	models *connection.Service
	log    *slog.Logger
	now    func() time.Time
}

// New makes the service.
func New(o Options) *Service {
	return &Service{
		pool:   o.Pool,
		hub:    o.Hub,
		vault:  o.Vault,
		lines:  o.Lines,
		models: o.Models,
		log:    cmp.Or(o.Log, slog.Default()),
		now:    time.Now,
	}
}

func (s *Service) stage(organization uuid.UUID) stage {
	return stage{lines: s.lines, models: s.models, organization: organization, now: s.now}
}
