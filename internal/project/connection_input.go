package project

import (
	"context"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

// ConnectionInput contains the settings of a connection that a request of the API sets. A nil field is absent: it has
// its default in a new connection and stays in a change. Null removes a limit, a price or the API key.
type ConnectionInput struct {
	Name           *string   `json:"name"`
	Token          *string   `json:"token"`
	APIKey         **string  `json:"api_key" nullable:"true"`
	APISecret      *string   `json:"api_secret"`
	CallsPerSecond **float64 `json:"calls_per_second" nullable:"true"`
	MaxConcurrency **int     `json:"max_concurrency" nullable:"true"`
	DetectionRate  **string  `json:"detection_rate" nullable:"true"`
	RelayRate      **string  `json:"relay_rate" nullable:"true"`
}

// into returns the settings with the fields of the input.
func (in ConnectionInput) into(c ConnectionSettings) ConnectionSettings {
	set(&c.Name, in.Name)
	set(&c.Token, in.Token)
	set(&c.APISecret, in.APISecret)
	set(&c.CallsPerSecond, in.CallsPerSecond)
	set(&c.MaxConcurrency, in.MaxConcurrency)
	for _, text := range []struct {
		to   *string
		from **string
	}{{&c.APIKey, in.APIKey}, {&c.DetectionRate, in.DetectionRate}, {&c.RelayRate, in.RelayRate}} {
		if text.from != nil {
			*text.to = deref(*text.from)
		}
	}
	return c
}

// NewConnectionInput is a connection to create, as requested through the API.
type NewConnectionInput struct {
	Carrier Kind   `json:"carrier"`
	Account string `json:"account"`
	Region  Region `json:"region"`
	ConnectionInput
}

func (in NewConnectionInput) connection() NewConnection {
	return NewConnection{
		Kind: in.Carrier, Account: in.Account, Region: in.Region, ConnectionSettings: in.into(ConnectionSettings{}),
	}
}

// Check reports what is wrong with the input, as far as it can be known without the carrier. Error: Invalid.
func (in NewConnectionInput) Check() error {
	n := in.connection()
	return n.Check()
}

// Connect is [Service.CreateConnection] for the API.
func (s *Service) Connect(ctx context.Context, actor account.Actor, in NewConnectionInput) (Connection, error) {
	return s.CreateConnection(ctx, actor, in.connection())
}

// ChangeConnection changes some settings of an active connection. Unchanged may refuse the change of the connection as
// it is then. Errors: those of UpdateConnection, and that of unchanged.
func (s *Service) ChangeConnection(
	ctx context.Context, actor account.Actor, id uuid.UUID, in ConnectionInput, unchanged func(Connection) error,
) (Connection, error) {
	return s.updateConnection(ctx, actor, id, func(old Connection) (ConnectionSettings, error) {
		if err := unchanged(old); err != nil {
			return ConnectionSettings{}, err
		}
		return in.into(ConnectionSettings{
			Name: old.Name, APIKey: deref(old.APIKey), CallsPerSecond: old.CallsPerSecond,
			MaxConcurrency: old.MaxConcurrency, DetectionRate: old.DetectionRate, RelayRate: old.RelayRate,
		}), nil
	})
}

// ActiveConnection returns a connection that is not deactivated. Errors: NotFound.
func (s *Service) ActiveConnection(ctx context.Context, organizationID, id uuid.UUID) (Connection, error) {
	c, err := s.Connection(ctx, organizationID, id)
	if err == nil && c.DeactivatedAt != nil {
		return Connection{}, fault.NotFoundf("Connection")
	}
	return c, err
}
