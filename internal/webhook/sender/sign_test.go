package sender

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// The test vector of the official libraries of Standard Webhooks.
func TestSign(t *testing.T) {
	t.Parallel()
	secret, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	body := []byte(`{"test": 2432232314}`)
	if got := Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body, secret); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body, secret, secret); got != want+" "+want {
		t.Errorf("two secrets: %s", got)
	}
}

// The official library verifies every signature with each of its secrets, and with no
// other secret.
func FuzzSign(f *testing.F) {
	f.Add("msg_p5jXN8AQM9LWM0D4loKWxJek", int64(1614265330), []byte(`{"test": 2432232314}`), "new", "old", "other")
	f.Add("a.1.b", int64(-1), []byte("%s.\xff"), "same", "same", "")
	f.Fuzz(func(t *testing.T, id string, at int64, body []byte, first, second, other string) {
		if id == "" {
			return // every event has an id
		}
		header := make(http.Header)
		header.Set("webhook-id", id)
		header.Set("webhook-timestamp", strconv.FormatInt(at, 10))
		header.Set("webhook-signature", Sign(id, at, body, seeded(first), seeded(second)))
		for _, seed := range []string{first, second, other} {
			verifier, err := standardwebhooks.NewWebhook("whsec_" + base64.StdEncoding.EncodeToString(seeded(seed)))
			if err != nil {
				t.Fatal(err)
			}
			verified := verifier.VerifyIgnoringTimestamp(body, header) == nil
			if signed := seed == first || seed == second; verified != signed {
				t.Errorf("signed with the secret: %t, verified: %t", signed, verified)
			}
		}
	})
}

// seeded returns a secret made from a seed.
func seeded(seed string) []byte {
	secret := sha256.Sum256([]byte(seed))
	return secret[:]
}
