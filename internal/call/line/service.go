package line

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/call/listen"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/google/uuid"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/messaging"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/tool"
)

// Service runs the lines of this process. Make it with New. It is safe for concurrent use. It is
// the carrier.Host of every adapter.
type Service struct {
	calls      *call.Service
	pool       *pgxpool.Pool
	hub        *postgres.Hub
	log        *slog.Logger
	now        func() time.Time
	lines      lines
	turnWriter *turnWriter
	models     *connection.Service
	tools      *tool.Service
	templates  *whatsapp.Service
	messages   *messaging.Service
	sounds     *listen.Service
	patience   patience
	prewarming chan struct{} // has an element for each prewarming under way

	// These fields are for tests.
	silence time.Duration                            // instead of the scripts'; 0: theirs
	outage  struct{ fill, most, keep time.Duration } // fillerAfter, outageTime, keepUnsavedTime
}

// Options are the dependencies of the service.
type Options struct {
	Calls *call.Service
	Pool  *pgxpool.Pool
	Hub   *postgres.Hub
	// Models answers for agents that a language model holds. Nil: they ask their questions in order.
	Models *connection.Service
	// Tools, Templates and Messages carry out the tools of such agents that take time. Nil: they are not
	// available.
	Tools     *tool.Service
	Templates *whatsapp.Service
	Messages  *messaging.Service
	// Sounds passes on the sound of calls to whoever listens in. Nil: nobody can.
	Sounds *listen.Service
	Log    *slog.Logger // nil: slog.Default()
}

// New makes the service.
func New(o Options) *Service {
	s := &Service{
		calls:      o.Calls,
		pool:       o.Pool,
		hub:        o.Hub,
		log:        cmp.Or(o.Log, slog.Default()),
		now:        time.Now,
		lines:      newLines(),
		turnWriter: &turnWriter{pool: o.Pool},
		models:     o.Models,
		tools:      o.Tools,
		templates:  o.Templates,
		messages:   o.Messages,
		sounds:     o.Sounds,
		patience:   standardPatience,
		prewarming: make(chan struct{}, maxPrewarming),
	}
	s.outage.fill, s.outage.most, s.outage.keep = fillerAfter, outageTime, keepUnsavedTime
	return s
}

var _ carrier.Host = (*Service)(nil)

// Deliver passes an event of a call on to the call service. When a phone starts to ring, the agent's models are made
// ready.
func (s *Service) Deliver(ctx context.Context, e carrier.Event) error {
	err := s.calls.Deliver(ctx, e)
	if err == nil && e.Kind == carrier.Ringing {
		s.prewarm(ctx, e)
	}
	return err
}

// Receive stores a call that comes in. The agent's models are made ready before the line opens.
func (s *Service) Receive(ctx context.Context, in carrier.Incoming) (carrier.Reception, error) {
	r, err := s.calls.Receive(ctx, in)
	if err == nil && r.Action == carrier.OpenLine {
		s.prewarm(ctx, carrier.Event{ConnectionID: in.ConnectionID, CallID: r.CallID})
	}
	return r, err
}

// Hear passes on the sound of a call.
func (s *Service) Hear(ctx context.Context, connectionID, callID uuid.UUID, ticket string, sound carrier.LiveSound) {
	if s.sounds != nil {
		s.sounds.Hear(ctx, connectionID, callID, ticket, sound)
	}
}

// Proceed returns what comes next on a call whose line ended for a transfer.
func (s *Service) Proceed(ctx context.Context, connectionID, callID uuid.UUID) (carrier.Next, error) {
	return s.calls.Proceed(ctx, connectionID, callID)
}

// Whisper returns what the person to whom a call is transferred hears.
func (s *Service) Whisper(
	ctx context.Context, connectionID, callID uuid.UUID, p carrier.Pressed,
) (carrier.Whisper, error) {
	return s.calls.Whisper(ctx, connectionID, callID, p)
}

// Returned applies the end of a dial, and returns what comes next on the call.
func (s *Service) Returned(
	ctx context.Context, connectionID, callID uuid.UUID, e carrier.DialEnd,
) (carrier.Next, error) {
	return s.calls.Returned(ctx, connectionID, callID, e)
}

// Admit returns the language and speech settings of an answered call.
func (s *Service) Admit(ctx context.Context, connectionID, callID uuid.UUID) (carrier.Manner, error) {
	return s.calls.Admit(ctx, connectionID, callID)
}
