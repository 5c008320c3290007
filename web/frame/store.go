package frame

import (
	"time"

	"github.com/alexedwards/scs/pgxstore"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/seal"
)

// Sealed are the columns that this package seals.
var Sealed = []seal.Column{
	{Table: "sessions", Column: "data", Key: []string{"token"}, Row: "token"},
}

func sessionPlace(token string) seal.Cell {
	return seal.Cell{Table: "sessions", Column: "data", Row: token}
}

// sealedStore seals the data of sessions, because it contains the token of the
// user_session row.
type sealedStore struct {
	*pgxstore.PostgresStore
	vault *seal.Vault
}

func newStore(pool *pgxpool.Pool, vault *seal.Vault) sealedStore {
	// The store has no cleanup, because a periodic task of the worker deletes old
	// sessions.
	return sealedStore{pgxstore.NewWithCleanupInterval(pool, 0), vault}
}

// Find returns no session if the data can't be opened, for example after a change of
// the master key. The person then signs in again.
func (s sealedStore) Find(token string) (data []byte, found bool, err error) {
	sealed, found, err := s.PostgresStore.Find(token)
	if err != nil || !found {
		return nil, false, err
	}
	if data, err = s.vault.Open(sealed, sessionPlace(token)); err != nil {
		return nil, false, nil
	}
	return data, true, nil
}

// Commit seals and stores a session.
func (s sealedStore) Commit(token string, data []byte, expiry time.Time) error {
	return s.PostgresStore.Commit(token, s.vault.Seal(data, sessionPlace(token)), expiry)
}
