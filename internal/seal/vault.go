// Package seal encrypts the secrets of the database with the master key, each for
// its own cell, and replaces the master key.
package seal

import (
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"golang.org/x/crypto/chacha20poly1305"
)

// MasterKeySize is the length of a master key in bytes.
const MasterKeySize = chacha20poly1305.KeySize

// Vault encrypts secrets before they are stored. Its first key seals and all its keys
// open, so an operator can replace a key while values under the old one remain.
//
// A sealed value is the id of the key (4 bytes), a random nonce (24), and the secret
// under XChaCha20-Poly1305. Each key has a second id for values that were sealed before
// columns were part of a Cell. These values still open, and Reseal finds them.
type Vault struct {
	keys []vaultKey
}

type vaultKey struct {
	id      [keyIDSize]byte
	older   [keyIDSize]byte // id of values sealed for a row of any column
	aead    cipher.AEAD
	tagging [sha256.Size]byte // key of Tags
}

const (
	keyIDSize = 4
	headSize  = keyIDSize + chacha20poly1305.NonceSizeX // length of the key's id and the nonce
)

// Cell is the database cell of a secret. It is the additional data of the encryption: a
// sealed value copied to another column, row or organization does not open.
type Cell struct {
	Organization uuid.UUID
	Table        string // as in the schema
	Column       string // as in the schema; empty for values that are not stored
	Row          string // the row's key
}

// String names the cell. The name is unambiguous: the organization's ID has a fixed
// length, table names have no dot or slash, and column names have no slash.
func (c Cell) String() string {
	return c.Organization.String() + "/" + c.Table + "." + c.Column + "/" + c.Row
}

// aad returns the additional data of a cell.
func (c Cell) aad() []byte { return []byte(c.String()) }

// rowAAD returns the additional data of values sealed before columns were part of it.
func (c Cell) rowAAD() []byte {
	return []byte(c.Organization.String() + "/" + c.Table + "/" + c.Row)
}

// NewVault returns a vault of one or more keys of MasterKeySize bytes.
func NewVault(keys ...[]byte) (*Vault, error) {
	if len(keys) == 0 {
		return nil, errors.New("no master key")
	}
	v := &Vault{}
	for i, key := range keys {
		aead, err := chacha20poly1305.NewX(key)
		if err != nil {
			return nil, fmt.Errorf("master key %d of %d: it has %d bytes, not %d", i+
				1, len(keys), len(key), MasterKeySize)
		}
		v.keys = append(v.keys, vaultKey{
			id:      keyID("dialwright master key id, by column ", key),
			older:   keyID("dialwright master key id ", key),
			aead:    aead,
			tagging: taggingKey(key),
		})
	}
	return v, nil
}

func keyID(purpose string, key []byte) [keyIDSize]byte {
	sum := sha256.Sum256(append([]byte(purpose), key...))
	return [keyIDSize]byte(sum[:])
}

// Seal encrypts a secret for its cell.
func (v *Vault) Seal(secret []byte, at Cell) []byte {
	k := v.keys[0]
	sealed := make([]byte, headSize, headSize+len(secret)+chacha20poly1305.Overhead)
	copy(sealed, k.id[:])
	nonce := sealed[keyIDSize:]
	rand.Read(nonce)
	return k.aead.Seal(sealed, nonce, secret, at.aad())
}

// ErrSealed is the error of Open: the secret was sealed under another key or for another
// cell, or was changed.
var ErrSealed = errors.New("a sealed secret does not open")

// Open decrypts the result of Seal for the same cell.
func (v *Vault) Open(sealed []byte, at Cell) ([]byte, error) {
	if len(sealed) < headSize {
		return nil, fmt.Errorf("%w: it is too short (%s)", ErrSealed, at.Table)
	}
	id, rest := [keyIDSize]byte(sealed[:keyIDSize]), sealed[keyIDSize:]
	known := false
	for _, k := range v.keys {
		bound := at.aad()
		switch id {
		case k.id:
		case k.older:
			bound = at.rowAAD()
		default:
			continue
		}
		known = true
		nonce, box := rest[:chacha20poly1305.NonceSizeX], rest[chacha20poly1305.NonceSizeX:]
		if secret, err := k.aead.Open(nil, nonce, box, bound); err == nil {
			return secret, nil
		}
	}
	if !known {
		return nil, fmt.Errorf("%w: the master key it was sealed with is not configured (%s)", ErrSealed, at.Table)
	}
	return nil, fmt.Errorf("%w: it was changed or belongs elsewhere (%s.%s)", ErrSealed, at.Table, at.Column)
}
