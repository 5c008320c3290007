package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
)

// SecretSize is the length of a webhook's secret in bytes.
const SecretSize = 32

// secretPrefix begins a secret as people see it; the rest is base64 of the
// bytes that sign (Standard Webhooks 1.0.0).
const secretPrefix = "whsec_"

// newSecret makes the bytes of a secret.
func newSecret() []byte {
	secret := make([]byte, SecretSize)
	rand.Read(secret)
	return secret
}

// showSecret is a secret as receivers are given it.
func showSecret(secret []byte) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// Sign is the value of webhook-signature for one attempt at an event: HMAC-SHA256
// of "id.timestamp.body", one signature per secret, as Standard Webhooks 1.0.0
// has it. at is the attempt's webhook-timestamp in Unix seconds.
func Sign(id string, at int64, body []byte, secrets ...[]byte) string {
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(id))
		mac.Write([]byte{'.'})
		mac.Write(strconv.AppendInt(nil, at, 10))
		mac.Write([]byte{'.'})
		mac.Write(body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(signatures, " ")
}
