package suppression

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dialwright/dialwright/internal/seal"
)

// keyCell is the cell of the sealed key.
var keyCell = seal.Cell{Table: "number_key", Column: "sealed", Row: "key"}

// Sealed are the columns that this package seals.
var Sealed = []seal.Column{
	{Table: "number_key", Column: "sealed", Key: []string{"id"}, Row: "'key'"},
}

const keySize = sha256.Size

// Unlock lets each new connection of a pool send hashes of erased numbers: see Hashed. The
// first connection of a deployment makes the key. It is sealed by the master key and
// opened here, not in the database: a copy of the database alone does not reveal whose
// numbers were erased. Unlock is for postgres.Options.Prepare. Errors: seal.ErrSealed
// when another master key sealed it.
func Unlock(vault *seal.Vault) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error {
		key, err := readKey(ctx, conn, vault)
		if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == undefinedTable {
			return nil // an older schema: the caller that opened the pool reports it
		}
		if err != nil {
			return fmt.Errorf("read the key of the do-not-call list: %w", err)
		}
		UseKey(conn, key)
		return nil
	}
}

const undefinedTable = "42P01"

func readKey(ctx context.Context, conn *pgx.Conn, vault *seal.Vault) ([]byte, error) {
	var sealed []byte
	err := conn.QueryRow(ctx, `select sealed from number_key`).Scan(&sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		fresh := make([]byte, keySize)
		rand.Read(fresh)
		// If several processes start together, one makes the key.
		_, err = conn.Exec(ctx, `insert into number_key (sealed) values ($1) on conflict do nothing`,
			vault.Seal(fresh, keyCell))
		if err == nil {
			err = conn.QueryRow(ctx, `select sealed from number_key`).Scan(&sealed)
		}
	}
	if err != nil {
		return nil, err
	}
	return vault.Open(sealed, keyCell)
}
