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

// sealedStore keeps what a session holds sealed: it has the token of the
// user_session row in it.
type sealedStore struct {
	*pgxstore.PostgresStore
	vault *seal.Vault
}

func newStore(pool *pgxpool.Pool, vault *seal.Vault) sealedStore {
	// Without a cleanup of its own: a periodic task of the worker cleans up.
	return sealedStore{pgxstore.NewWithCleanupInterval(pool, 0), vault}
}

// Find finds no session that does not open, such as one sealed by a master key
// that is gone: the person signs in again.
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
