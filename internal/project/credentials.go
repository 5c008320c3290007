package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// previousTokenTime is how long a replaced Auth Token may still sign callbacks. Twilio
// signs with it until the new token is promoted, and callbacks of calls in flight may
// arrive later.
const previousTokenTime = 24 * time.Hour

// secrets are the sealed credentials of a connection.
type secrets struct {
	Token     string `json:"token"`
	APISecret string `json:"api_secret,omitempty"` // of the API key in the column api_key
}

// Sealed are the columns that this package seals.
var Sealed = []seal.Column{
	sealed("credentials"), sealed("previous_token"),
}

func sealed(column string) seal.Column {
	return seal.Column{
		Table: "connection", Column: column, Key: []string{"id"}, Organization: "organization_id", Row: "id::text",
	}
}

func credentialsCell(organizationID, id uuid.UUID) seal.Cell {
	return seal.Cell{Organization: organizationID, Table: "connection", Column: "credentials", Row: id.String()}
}

func previousTokenCell(organizationID, id uuid.UUID) seal.Cell {
	return seal.Cell{Organization: organizationID, Table: "connection", Column: "previous_token", Row: id.String()}
}

func (s *Service) seal(organizationID, id uuid.UUID, c secrets) ([]byte, error) {
	plain, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("encode credentials: %w", err)
	}
	return s.vault.Seal(plain, credentialsCell(organizationID, id)), nil
}

func (s *Service) open(organizationID, id uuid.UUID, sealed []byte) (c secrets, err error) {
	plain, err := s.vault.Open(sealed, credentialsCell(organizationID, id))
	if err != nil {
		return c, fmt.Errorf("open the credentials of connection %s: %w", id, err)
	}
	if err := json.Unmarshal(plain, &c); err != nil {
		return c, fmt.Errorf("decode the credentials of connection %s: %w", id, err)
	}
	return c, nil
}

// replacement contains the sealed columns that an update changes. Nil: not changed.
type replacement struct {
	credentials, previousToken []byte
}

// replaceCredentials returns the credentials of a locked connection after an update.
// Errors: Invalid.
func (s *Service) replaceCredentials(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, old Connection, settings ConnectionSettings,
) (r replacement, err error) {
	sameKey := old.APIKey == nil && settings.APIKey == "" || old.APIKey != nil && *old.APIKey == settings.APIKey
	switch {
	case old.Kind == Sandbox, settings.Token == "" && settings.APISecret == "" && sameKey:
		return r, nil
	case settings.APISecret == "" && settings.APIKey != "" && !sameKey:
		return r, fault.Invalidf("api_secret", "required with a new API key")
	}
	var sealed []byte
	if err := tx.QueryRow(ctx, `select credentials from connection where id = $1`, old.ID).Scan(&sealed); err != nil {
		return r, fmt.Errorf("read credentials: %w", err)
	}
	c, err := s.open(organizationID, old.ID, sealed)
	if err != nil {
		return r, err
	}
	if settings.Token != "" && settings.Token != c.Token {
		r.previousToken = s.vault.Seal([]byte(c.Token), previousTokenCell(organizationID, old.ID))
		c.Token = settings.Token
	}
	if settings.APISecret != "" || settings.APIKey == "" {
		c.APISecret = settings.APISecret
	}
	r.credentials, err = s.seal(organizationID, old.ID, c)
	return r, err
}

// RemovePreviousToken ends the time in which callbacks signed with a replaced Auth Token
// are accepted. Errors: NotFound.
func (s *Service) RemovePreviousToken(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}
		old, err := oneConnection(ctx, tx, `
			select `+connectionColumns+` from connection
			where organization_id = @organization_id and id = @id and deactivated_at is null
			for no key update`, args)
		if err != nil || old.PreviousTokenUntil == nil {
			return err
		}
		if _, err := tx.Exec(ctx, `
			update connection set previous_token = null, previous_token_until = null where id = @id`, args,
		); err != nil {
			return fmt.Errorf("remove the previous token of connection %s: %w", id, err)
		}
		return account.Record(ctx, tx, actor, "connection.previous_token_removed", account.Object{
			Type: "connection", ID: id,
		}, map[string]any{"name": old.Name})
	})
}

// Sweep deletes the replaced Auth Tokens that are no longer accepted. It is a periodic
// task.
func (s *Service) Sweep(ctx context.Context) error {
	if _, err := s.pool.Exec(ctx, `
		update connection set previous_token = null, previous_token_until = null
		where previous_token_until <= clock()`); err != nil {
		return fmt.Errorf("delete previous tokens: %w", err)
	}
	return nil
}

// Credentials contains the data that a carrier adapter needs to act for a connection.
type Credentials struct {
	OrganizationID uuid.UUID
	Kind           Kind
	Account        string
	Region         Region
	Token          string
	PreviousToken  string // may sign callbacks; empty: none
	APIKey         string // authenticates requests instead of the token; empty: none
	APISecret      string
}

// Credentials opens the credentials of a connection, active or not, because calls may
// outlive its deactivation. Only the wiring of carriers may use it, so it takes no
// organization. The result must not be shown or logged. Errors: NotFound.
func (s *Service) Credentials(ctx context.Context, connectionID uuid.UUID) (Credentials, error) {
	var c Credentials
	var sealed, previous []byte
	err := s.pool.QueryRow(ctx, `
		select organization_id, kind, account, region, coalesce(api_key, ''), credentials,
			case when previous_token_until > clock() then previous_token end
		from connection where id = @id`, pgx.NamedArgs{"id": connectionID},
	).Scan(&c.OrganizationID, &c.Kind, &c.Account, &c.Region, &c.APIKey, &sealed, &previous)
	if errors.Is(err, pgx.ErrNoRows) {
		return Credentials{}, fault.NotFoundf("Connection")
	}
	if err != nil {
		return Credentials{}, fmt.Errorf("read credentials: %w", err)
	}
	opened, err := s.open(c.OrganizationID, connectionID, sealed)
	if err != nil {
		return Credentials{}, err
	}
	c.Token, c.APISecret = opened.Token, opened.APISecret
	if previous != nil {
		plain, err := s.vault.Open(previous, previousTokenCell(c.OrganizationID, connectionID))
		if err != nil {
			return Credentials{}, fmt.Errorf("open the previous token of connection %s: %w", connectionID, err)
		}
		c.PreviousToken = string(plain)
	}
	return c, nil
}
