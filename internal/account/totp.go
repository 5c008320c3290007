package account

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // what authenticator apps know (RFC 6238 §1.2)
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
)

// Codes of an authenticator app follow RFC 6238, with the parameters that all apps
// support: HMAC-SHA-1, six digits, a step of 30 s.
const (
	totpStep   = 30 // seconds
	totpDigits = 6
	totpSeed   = 20 // bytes, as long as the hash (RFC 4226 §4)

	// totpDrift is the number of steps that a person's clock or typing may be off to
	// either side (RFC 6238 §5.2 advises one).
	totpDrift = 1
)

var totpBase32 = base32.StdEncoding.WithPadding(base32.NoPadding)

// totpCode returns the code of a time step (RFC 4226 §5.3).
func totpCode(seed []byte, step int64) string {
	mac := hmac.New(sha1.New, seed)
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(step))
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0xf
	n := binary.BigEndian.Uint32(sum[offset:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", totpDigits, n%1_000_000)
}

// totpMatch finds the time step of a code, among the steps around now. A step that is not
// later than last was used before and does not match.
func totpMatch(seed []byte, code string, now, last int64) (step int64, ok bool) {
	for at := now - totpDrift; at <= now+totpDrift; at++ {
		if subtle.ConstantTimeCompare([]byte(totpCode(seed, at)), []byte(code)) == 1 && at > last {
			step, ok = at, true
		}
	}
	return step, ok
}

// totpURI returns the URI that an authenticator app reads from a QR code
// (github.com/google/google-authenticator/wiki/Key-Uri-Format).
func totpURI(issuer, account string, seed []byte) string {
	q := url.Values{"secret": {totpBase32.EncodeToString(seed)}, "issuer": {issuer}}
	return "otpauth://totp/" + url.PathEscape(issuer) + ":" + url.PathEscape(account) + "?" +
		strings.ReplaceAll(q.Encode(), "+", "%20")
}
