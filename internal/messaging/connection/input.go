package connection

import (
	"context"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

// Input contains the settings of a connection that a request of the API sets. A nil field is absent. An absent or empty
// secret stays in a change.
type Input struct {
	Name        *string `json:"name"`
	Token       *string `json:"token"`
	AppSecret   *string `json:"app_secret"`
	VerifyToken *string `json:"verify_token"`
}

// into returns the settings with the fields of the input.
func (in Input) into(c Settings) Settings {
	for _, field := range []struct{ to, from *string }{
		{&c.Name, in.Name}, {&c.Token, in.Token}, {&c.AppSecret, in.AppSecret}, {&c.VerifyToken, in.VerifyToken},
	} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	return c
}

// NewInput is an account to connect, as requested through the API.
type NewInput struct {
	Account string `json:"account"`
	Input
}

func (in NewInput) connection() NewConnection {
	return NewConnection{Account: in.Account, Settings: in.into(Settings{})}
}

// Check reports what is wrong with the input, as far as it can be known without the operator. Error: Invalid.
func (in NewInput) Check() error {
	n := in.connection()
	return n.check()
}

// Connect is [Service.CreateConnection] for the API.
func (s *Service) Connect(ctx context.Context, actor account.Actor, in NewInput) (Connection, error) {
	c, err := s.CreateConnection(ctx, actor, in.connection())
	if err != nil {
		return Connection{}, err
	}
	return s.Connection(ctx, actor.OrganizationID, c.ID) // with the answer about webhooks
}

// ChangeConnection changes some settings of a connected account. Unchanged may refuse the change of the connection as
// it is then. Errors: those of UpdateConnection, and that of unchanged.
func (s *Service) ChangeConnection(
	ctx context.Context, actor account.Actor, id uuid.UUID, in Input, unchanged func(Connection) error,
) (Connection, error) {
	return s.updateConnection(ctx, actor, id, func(old Connection) (Settings, error) {
		if err := unchanged(old); err != nil {
			return Settings{}, err
		}
		return in.into(Settings{Name: old.Name}), nil
	})
}

// ActiveConnection returns a connected account. Errors: NotFound.
func (s *Service) ActiveConnection(ctx context.Context, organizationID, id uuid.UUID) (Connection, error) {
	c, err := s.Connection(ctx, organizationID, id)
	if err == nil && c.DisconnectedAt != nil {
		return Connection{}, fault.NotFoundf("Connection")
	}
	return c, err
}
