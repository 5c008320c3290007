package sender

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
)

// Sign returns the value of webhook-signature for an attempt at an event: HMAC-SHA256 of
// "id.timestamp.body", one signature per secret (Standard Webhooks 1.0.0). at is the
// attempt's webhook-timestamp in Unix seconds.
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
