package cloud

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/url"
	"strings"
)

const signatureHeader = "X-Hub-Signature-256"

// signed reports whether the header is the HMAC-SHA256 of the raw body with the app secret. Without
// a secret it is false.
// https://developers.facebook.com/docs/graph-api/webhooks/getting-started#validate-payloads
func signed(appSecret, header string, body []byte) bool {
	given, ok := strings.CutPrefix(header, "sha256=")
	if !ok || appSecret == "" {
		return false
	}
	signature, err := hex.DecodeString(given)
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, []byte(appSecret))
	mac.Write(body)
	return hmac.Equal(signature, mac.Sum(nil))
}

// maxChallenge bounds the challenge in an answer.
const maxChallenge = 512

// challenged returns the answer to a verification request if the verify token is right.
// Without a token every verification fails.
// https://developers.facebook.com/docs/graph-api/webhooks/getting-started#verification-requests
func challenged(verifyToken string, query url.Values) (challenge string, ok bool) {
	given := query.Get("hub.verify_token")
	if verifyToken == "" || subtle.ConstantTimeCompare([]byte(given), []byte(verifyToken)) != 1 {
		return "", false
	}
	challenge = query.Get("hub.challenge")
	return challenge, query.Get("hub.mode") == "subscribe" && challenge != "" && len(challenge) <= maxChallenge
}
