package connection

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Client answers with the model of a connection. It is safe for concurrent use. Its requests are not
// counted for the health by themselves: call Worked and Failed.
type Client struct {
	model.Model
	Connection Connection // as it was when Model returned the client

	service        *Service
	organizationID uuid.UUID
	version        int
}

// client is the warm client of a connection in memory.
type client struct {
	model     model.Model
	transport *http.Transport
	version   int // of the settings that it was made from
}

// stored is a connection with what only its client needs.
type stored struct {
	Connection
	Key     []byte
	Version int
}

// Model returns the client of an active connection. It reads the row, so a change by another process is
// seen at once, and keeps the client with its open connections until the settings change. Errors:
// NotFound, and a *model.Error if the key can't be read or the process has no sandbox. With a *model.Error,
// only the health of the returned client works.
func (s *Service) Model(ctx context.Context, organizationID, id uuid.UUID) (Client, error) {
	row, err := postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[stored],
		`select key, version, `+columns+active, pgx.NamedArgs{"organization_id": organizationID, "id": id})
	if errors.Is(err, pgx.ErrNoRows) {
		s.forget(id)
		return Client{}, fault.NotFoundf("Model connection")
	}
	if err != nil {
		return Client{}, fmt.Errorf("read model connection %s: %w", id, err)
	}
	c := Client{Connection: row.Connection, service: s, organizationID: organizationID, version: row.Version}
	kept, err := s.client(organizationID, row)
	if err == nil {
		c.Model = kept.model
	}
	return c, err
}

// Prewarming of connections. One connection to a server serves many calls, because it is kept.
const (
	prewarmPause = 5 * time.Second // the least time between two for a connection
	prewarmTime  = 5 * time.Second // the timeout of one
)

// Prewarm connects to the server of an active connection, so that the first request of a call need not wait for
// it, unless that was tried just before. A failure does not count for the health. Errors: as Model, and those of
// the request.
func (s *Service) Prewarm(ctx context.Context, organizationID, id uuid.UUID) error {
	s.mu.Lock()
	due := time.Since(s.warmed[id]) >= prewarmPause
	if due {
		s.warmed[id] = time.Now()
	}
	s.mu.Unlock()
	if !due {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, prewarmTime)
	defer cancel()
	c, err := s.Model(ctx, organizationID, id)
	if err != nil {
		return err
	}
	return c.Prewarm(ctx)
}

// client returns the kept client of a row, or makes a new one.
func (s *Service) client(organizationID uuid.UUID, row stored) (*client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.clients[row.ID]
	if old != nil && old.version >= row.Version { // the row may have been read before the client was made
		return old, nil
	}
	key := ""
	if len(row.Key) > 0 {
		plain, err := s.vault.Open(row.Key, keyCell(organizationID, row.ID))
		if err != nil {
			return nil, &model.Error{
				Kind:   model.Unusable,
				Reason: "The stored key can't be read. Enter it again",
				Err:    fmt.Errorf("open the key of model connection %s: %w", row.ID, err),
			}
		}
		key = string(plain)
	}
	if row.Provider == Sandbox && s.sandboxURL == "" {
		return nil, &model.Error{
			Kind: model.Unusable, Reason: "This server runs without the sandbox. Start it with --sandbox",
		}
	}
	made := &client{transport: s.transport(row.Connection), version: row.Version}
	over := &http.Client{Transport: made.transport}
	switch row.Provider {
	case Anthropic:
		made.model = model.NewMessages(over, row.URL, key, row.Connection.Model)
	case Sandbox:
		made.model = model.NewChat(over, s.sandboxURL, "", row.Connection.Model)
	case OpenAICompatible:
		made.model = model.NewChat(over, row.URL, key, row.Connection.Model)
	}
	s.clients[row.ID] = made
	if old != nil {
		old.transport.CloseIdleConnections() // streams that are under way keep theirs
	}
	return made, nil
}

// forget removes the client of a connection that is out of use.
func (s *Service) forget(id uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.warmed, id)
	if kept := s.clients[id]; kept != nil {
		kept.transport.CloseIdleConnections()
		delete(s.clients, id)
	}
}
