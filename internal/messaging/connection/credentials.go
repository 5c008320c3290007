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

// accountAge is how long opened credentials stay in memory. Every message and every
// webhook needs them. Every process uses a changed token after this time at the latest.
const accountAge = 5 * time.Second

type cachedAccount struct {
	account *cloud.Account
	secrets secrets
	at      time.Time
}

// Account returns the client of a connection's account. Errors: cloud.ErrNoConnection,
// ErrSealed.
func (s *Service) Account(ctx context.Context, connectionID uuid.UUID) (*cloud.Account, error) {
	kept, err := s.open(ctx, connectionID)
	return kept.account, err
}

// Secrets returns what verifies a connection's webhooks. Errors: cloud.ErrNoConnection,
// ErrSealed.
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
		select organization_id, account, credentials from messaging_connection
			where id = @id and disconnected_at is null`,
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

// forget removes credentials from memory, so the next use reads them again.
func (s *Service) forget(connectionID uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.accounts, connectionID)
}

// randomToken returns a verify token.
func randomToken() string { return rand.Text() }
