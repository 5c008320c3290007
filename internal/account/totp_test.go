package account

import (
	"net/url"
	"strings"
	"testing"
)

// The test vectors of RFC 6238, appendix B, in six digits.
func TestCodesAreThoseOfTheRFC(t *testing.T) {
	t.Parallel()
	seed := []byte("12345678901234567890")
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037",
		20000000000: "353130",
	} {
		if got := totpCode(seed, at/totpStep); got != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

func TestACodeCountsForItsStepAndItsNeighbors(t *testing.T) {
	t.Parallel()
	seed := []byte("12345678901234567890")
	const now = 41152263
	for _, c := range []struct {
		of, last int64
		ok       bool
	}{
		{now, 0, true}, {now - 1, 0, true}, {now + 1, 0, true}, {now - 2, 0, false}, {now + 2, 0, false},
		{now, now, false}, {now, now + 1, false}, {now + 1, now, true}, {now, now - 1, true},
	} {
		step, ok := totpMatch(seed, totpCode(seed, c.of), now, c.last)
		if ok != c.ok || ok && step != c.of {
			t.Errorf("code of step %+d, used up to %+d: %d, %v", c.of-now, c.last-now, step, ok)
		}
	}
	for _, code := range []string{"", "12345", "1234567", "abcdef"} {
		if _, ok := totpMatch(seed, code, now, 0); ok {
			t.Errorf("%q counts", code)
		}
	}
}

func TestTheURIThatAppsRead(t *testing.T) {
	t.Parallel()
	u, err := url.Parse(totpURI("calls.example.com", "ana+x@meridian.example", []byte("12345678901234567890")))
	if err != nil || u.Scheme != "otpauth" || u.Host != "totp" ||
		u.Path != "/calls.example.com:ana+x@meridian.example" {
		t.Fatalf("%v, %v", u, err)
	}
	if q := u.Query(); q.Get("secret") != "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" || q.Get("issuer") != "calls.example.com" {
		t.Errorf("%v", q)
	}
	if strings.ContainsAny(totpURI("A B", "c", nil), " +") {
		t.Error("a space is not escaped as apps read it")
	}
}
