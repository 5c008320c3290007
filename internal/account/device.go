package account

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/seal"
)

// A device cookie proves that its browser has signed in to an account before. Strangers
// who guess at the account, or from the same address, then do not slow its owner down
// (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). The cookie signs
// nobody in. It contains proofs. A proof is a nonce and a tag over the nonce, the account
// and its password hash, so a new password invalidates all earlier proofs.
const (
	deviceNonce = 16 // bytes
	maxDevices  = 4  // proofs in one cookie, each for one account
)

const devicePurpose = "device"

func deviceClaim(nonce []byte, userID uuid.UUID, passwordHash string) []byte {
	sum := sha256.Sum256([]byte(passwordHash))
	claim := append([]byte{}, nonce...)
	claim = append(claim, userID[:]...)
	return append(claim, sum[:]...)
}

// knownDevice finds the proof of an account in a device cookie. It returns the proof's
// nonce as the name of the device.
func (s *Service) knownDevice(cookie string, userID uuid.UUID, passwordHash string) (device string, known bool) {
	for i, proof := range strings.Split(cookie, ".") {
		if i == maxDevices {
			break
		}
		raw, err := base64.RawURLEncoding.DecodeString(proof)
		if err != nil || len(raw) != deviceNonce+seal.TagSize {
			continue
		}
		nonce, shown := raw[:deviceNonce], raw[deviceNonce:]
		for _, tag := range s.Tags(devicePurpose, deviceClaim(nonce, userID, passwordHash)) {
			if hmac.Equal(tag, shown) {
				return hex.EncodeToString(nonce), true
			}
		}
	}
	return "", false
}

// RememberDevice adds a proof for a person who has just authenticated to the device
// cookie of their browser, and returns the new value of the cookie. The newest few proofs
// of other accounts stay.
func (s *Service) RememberDevice(ctx context.Context, userID uuid.UUID, cookie string) (string, error) {
	var passwordHash string
	err := s.pool.QueryRow(ctx, `select password_hash from app_user where id = @id`,
		pgx.NamedArgs{"id": userID}).Scan(&passwordHash)
	if err != nil {
		return "", fmt.Errorf("read a user: %w", err)
	}
	nonce := make([]byte, deviceNonce)
	rand.Read(nonce)
	tag := s.Tags(devicePurpose, deviceClaim(nonce, userID, passwordHash))[0]
	proofs := []string{base64.RawURLEncoding.EncodeToString(slices.Concat(nonce, tag))}
	for proof := range strings.SplitSeq(cookie, ".") {
		if len(proofs) == maxDevices {
			break
		}
		if len(proof) != len(proofs[0]) {
			continue
		}
		if _, own := s.knownDevice(proof, userID, passwordHash); !own {
			proofs = append(proofs, proof)
		}
	}
	return strings.Join(proofs, "."), nil
}
