package webhook

import (
	"encoding/base64"
	"testing"
)

// The vector that every official library of Standard Webhooks tests with.
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
