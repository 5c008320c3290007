package account

import (
	"crypto/rand"

	"golang.org/x/crypto/chacha20poly1305"
)

// SealForRow seals as it was done before columns were part of a Place.
func (v *Vault) SealForRow(secret []byte, at Cell) []byte {
	k := v.keys[0]
	sealed := append(k.older[:], make([]byte, chacha20poly1305.NonceSizeX)...)
	rand.Read(sealed[keyIDSize:])
	return k.aead.Seal(sealed, sealed[keyIDSize:], secret, at.rowAAD())
}

// For the fuzz target.
var (
	Bearer = bearer
)

// CodeAt is the code that an app which has a secret shows at a moment, in
// seconds since 1970.
func CodeAt(secret string, unix int64) string {
	seed, err := totpBase32.DecodeString(secret)
	if err != nil {
		panic(err)
	}
	return totpCode(seed, unix/totpStep)
}
