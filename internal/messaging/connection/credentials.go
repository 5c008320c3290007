package connection

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/messaging/cloud"
)

// accountAge is for how long opened credentials are kept in memory: every
// message and every webhook asks for them. A changed token holds after it at the
// latest, in every process.
const accountAge = 5 * time.Second

type cachedAccount struct {
	account *cloud.Account
	secrets secrets
	at      time.Time
}

// Account is the way to the operator for a connection. Errors: cloud.ErrNoConnection, ErrSealed.
func (s *Service) Account(ctx context.Context, connectionID uuid.UUID) (*cloud.Account, error) {
	kept, err := s.open(ctx, connectionID)
	return kept.account, err
}

// Secrets are what a connection's webhooks are verified by. Errors: cloud.ErrNoConnection.
func (s *Service) Secrets(ctx context.Context, connectionID uuid.UUID) (cloud.Secrets, error) {
	kept, err := s.open(ctx, connectionID)
	return cloud.Secrets{AppSecret: kept.secrets.AppSecret, VerifyToken: kept.secrets.VerifyToken}, err
}

func (s *Service) open(ctx context.Context, connectionID uuid.UUID) (cachedAccount, error) {
	s.mu.Lock()
	kept, ok := s.accounts[connectionID]
	s.mu.Unlock()
	if ok && time.Since(kept.at) < accountAge {
		return kept, nil
	}
	var organizationID uuid.UUID
	var account string
	var sealed []byte
	at := time.Now()
	err := s.pool.QueryRow(ctx, `
		select organization_id, account, credentials from messaging_connection where id = @id and disconnected_at is null`,
		pgx.NamedArgs{"id": connectionID}).Scan(&organizationID, &account, &sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return cachedAccount{}, cloud.ErrNoConnection
	}
	if err != nil {
		return cachedAccount{}, fmt.Errorf("read the credentials of messaging connection %s: %w", connectionID, err)
	}
	v, err := s.unseal(organizationID, connectionID, sealed)
	if err != nil {
		return cachedAccount{}, err
	}
	kept = cachedAccount{secrets: v, at: at, account: s.client.Account(v.credentials(account))}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts[connectionID] = kept
	return kept, nil
}

// forget makes the next use read the credentials again.
func (s *Service) forget(connectionID uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.accounts, connectionID)
}

// randomToken is a verify token nobody guesses.
func randomToken() string { return rand.Text() }
