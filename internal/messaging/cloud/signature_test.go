package cloud

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return fmt.Sprintf("sha256=%x", mac.Sum(nil))
}

func TestSigned(t *testing.T) {
	t.Parallel()
	body := []byte(`{"object":"whatsapp_business_account"}`)
	// Computed with openssl dgst -sha256 -hmac secret.
	const right = "sha256=03f6dd944ecab4ddac0e3dbc3923b2da4e12b03df679ae23a52efd78ca6056e0"
	if !signed("secret", right, body) {
		t.Fatalf("the right signature is refused; ours is %s", sign("secret", body))
	}
	for name, c := range map[string]struct {
		secret, header string
		body           []byte
	}{
		"another secret":   {"Secret", right, body},
		"no secret":        {"", sign("", body), body},
		"another body":     {"secret", right, append([]byte(" "), body...)},
		"no header":        {"secret", "", body},
		"no prefix":        {"secret", strings.TrimPrefix(right, "sha256="), body},
		"another hash":     {"secret", strings.Replace(right, "sha256", "sha1", 1), body},
		"half a signature": {"secret", right[:len(right)-2], body},
		"more than one":    {"secret", right + "00", body},
		"not hex":          {"secret", "sha256=zz", body},
		"empty":            {"secret", "sha256=", body},
	} {
		if signed(c.secret, c.header, c.body) {
			t.Errorf("%s is taken", name)
		}
	}
}

func FuzzSigned(f *testing.F) {
	f.Add("secret", "sha256=00", []byte("{}"))
	f.Fuzz(func(t *testing.T, secret, header string, body []byte) {
		right := sign(secret, body)
		if secret != "" && !signed(secret, right, body) {
			t.Errorf("%q does not accept its own signature of %q", secret, body)
		}
		if signed(secret, header, body) && (secret == "" || !strings.EqualFold(header, right)) {
			t.Errorf("%q accepts %q for %q", secret, header, body)
		}
		if signed(secret, right, append(body, 'x')) {
			t.Errorf("%q accepts a longer body", secret)
		}
	})
}

func TestChallenged(t *testing.T) {
	t.Parallel()
	query := func(mode, token, challenge string) url.Values {
		return url.Values{"hub.mode": {mode}, "hub.verify_token": {token}, "hub.challenge": {challenge}}
	}
	if challenge, ok := challenged("a token", query("subscribe", "a token", "1158201444")); !ok ||
		challenge != "1158201444" {
		t.Errorf("got %q, %t", challenge, ok)
	}
	for name, c := range map[string]struct {
		token string
		query url.Values
	}{
		"another token":    {"a token", query("subscribe", "b token", "1")},
		"no token":         {"a token", url.Values{"hub.mode": {"subscribe"}, "hub.challenge": {"1"}}},
		"no token at all":  {"", query("subscribe", "", "1")},
		"another mode":     {"a token", query("unsubscribe", "a token", "1")},
		"no challenge":     {"a token", query("subscribe", "a token", "")},
		"a long challenge": {"a token", query("subscribe", "a token", strings.Repeat("1", maxChallenge+1))},
	} {
		if _, ok := challenged(c.token, c.query); ok {
			t.Errorf("%s is verified", name)
		}
	}
}
