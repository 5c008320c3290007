package seal

import (
	"crypto/rand"

	"golang.org/x/crypto/chacha20poly1305"
)

// SealForRow seals a secret in the format from before columns were part of a Cell.
func (v *Vault) SealForRow(secret []byte, at Cell) []byte {
	k := v.keys[0]
	sealed := append(k.older[:], make([]byte, chacha20poly1305.NonceSizeX)...)
	rand.Read(sealed[keyIDSize:])
	return k.aead.Seal(sealed, sealed[keyIDSize:], secret, at.rowAAD())
}
