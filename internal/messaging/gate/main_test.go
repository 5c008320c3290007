package gate

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/jackc/pgx/v5/pgxpool"
)

// bench is messagingtest.Bench with a gate.
type bench struct {
	*messagingtest.Bench
	svc *Service
}

func newBench(t testing.TB, o sandbox.Options) *bench {
	t.Helper()
	b := &bench{Bench: messagingtest.New(t, o)}
	b.svc = newService(b.Pool, b.Messages, b.Connections)
	b.Receive = b.svc.Hook()
	return b
}

// process returns the service of another process with a separate pool.
func (b *bench) process(pool *pgxpool.Pool) *Service {
	b.T.Helper()
	messages, connections := b.Services(pool)
	return newService(pool, messages, connections)
}

func newService(pool *pgxpool.Pool, messages *messaging.Service, connections *connection.Service) *Service {
	return New(Options{
		Pool:        pool,
		Hub:         postgres.LocalHub(),
		Log:         slog.New(slog.DiscardHandler),
		Messages:    messages,
		Connections: connections,
	})
}

// drain admits and sends with these services until no message may be sent.
func (b *bench) drain(services ...*Service) {
	b.T.Helper()
	deadline := time.Now().Add(testwait.Limit)
	for {
		if err := b.svc.connections.Refresh(b.T.Context()); err != nil {
			b.T.Fatal(err)
		}
		sent := 0
		for _, s := range services {
			sent += b.once(s)
		}
		waiting, err := b.svc.ready(b.T.Context())
		if err != nil {
			b.T.Fatal(err)
		}
		// A webhook may have requested another read of the account.
		stale := b.Count(`select count(*) from messaging_connection where read_at is null and disconnected_at is null`)
		if sent == 0 && len(waiting) == 0 && stale == 0 {
			return
		}
		if time.Now().After(deadline) {
			b.T.Fatal("messages are still due")
		}
	}
}

// once makes one pass over every scope and returns how many messages were sent.
func (b *bench) once(s *Service) int {
	b.T.Helper()
	scopes, err := s.ready(b.T.Context())
	if err != nil {
		b.T.Fatal(err)
	}
	n := 0
	for _, id := range scopes {
		l, err := s.admit(b.T.Context(), id, inFlight)
		if errors.Is(err, messaging.ErrBusy) {
			continue
		}
		if err != nil {
			b.T.Fatal(err)
		}
		var group []sendable
		for _, m := range l.sends {
			group = append(group, m)
		}
		s.send(b.T.Context(), group)
		n += len(group)
	}
	return n
}

// admitted admits messages of the only scope and sends none.
func (b *bench) admitted(want int) *pass {
	b.T.Helper()
	scopes, err := b.svc.ready(b.T.Context())
	if err != nil || len(scopes) != 1 {
		b.T.Fatal(scopes, err)
	}
	l, err := b.svc.admit(b.T.Context(), scopes[0], 10)
	if err != nil || len(l.sends) != want {
		b.T.Fatal(l, err)
	}
	return l
}
