package account

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

// Vault seals secrets before they are stored. The first of its keys seals, all
// of them open, so that a key can be replaced while the old one is still around.
//
// What it makes is the id of the key (4 bytes), a random nonce (24), and the
// secret under XChaCha20-Poly1305. A key has another id for what was sealed before
// columns were part of a Place: that still opens, and Reseal finds it.
type Vault struct {
	keys []vaultKey
}

type vaultKey struct {
	id      [keyIDSize]byte
	older   [keyIDSize]byte // marks what was sealed for a row, whatever the column
	aead    cipher.AEAD
	tagging [sha256.Size]byte // of Tags
}

const keyIDSize = 4

// Place is the cell a secret is stored in. It is bound to the secret: a sealed
// value copied to another column, row or organization does not open.
type Place struct {
	Organization uuid.UUID
	Table        string // as in the schema
	Column       string // likewise; empty for what is not stored
	Row          string // the row's key
}

// bytes are unambiguous: the id has one length, no table's name has a dot or a
// slash, and no column's name has a slash.
func (p Place) bytes() []byte {
	return []byte(p.Organization.String() + "/" + p.Table + "." + p.Column + "/" + p.Row)
}

// rowBytes are what a place was bound by before columns were part of it.
func (p Place) rowBytes() []byte {
	return []byte(p.Organization.String() + "/" + p.Table + "/" + p.Row)
}

// NewVault makes a vault of one or more keys of MasterKeySize bytes.
func NewVault(keys ...[]byte) (*Vault, error) {
	if len(keys) == 0 {
		return nil, errors.New("no master key")
	}
	v := &Vault{}
	for i, key := range keys {
		aead, err := chacha20poly1305.NewX(key)
		if err != nil {
			return nil, fmt.Errorf("master key %d of %d: it has %d bytes, not %d", i+1, len(keys), len(key), MasterKeySize)
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

// Seal encrypts a secret for its place.
func (v *Vault) Seal(secret []byte, at Place) []byte {
	k := v.keys[0]
	sealed := make([]byte, keyIDSize+chacha20poly1305.NonceSizeX, keyIDSize+chacha20poly1305.NonceSizeX+len(secret)+chacha20poly1305.Overhead)
	copy(sealed, k.id[:])
	nonce := sealed[keyIDSize:]
	rand.Read(nonce)
	return k.aead.Seal(sealed, nonce, secret, at.bytes())
}

// ErrSealed is Open's error: the secret was sealed under a key that this vault
// does not have, for another place, or was changed.
var ErrSealed = errors.New("a sealed secret does not open")

// Open decrypts what Seal made for the same place.
func (v *Vault) Open(sealed []byte, at Place) ([]byte, error) {
	if len(sealed) < keyIDSize+chacha20poly1305.NonceSizeX {
		return nil, fmt.Errorf("%w: it is too short (%s)", ErrSealed, at.Table)
	}
	id, rest := [keyIDSize]byte(sealed[:keyIDSize]), sealed[keyIDSize:]
	known := false
	for _, k := range v.keys {
		bound := at.bytes()
		switch id {
		case k.id:
		case k.older:
			bound = at.rowBytes()
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
