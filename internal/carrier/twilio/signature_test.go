package twilio

import (
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// Tests the example of Twilio's documentation.
func TestSignatureVector(t *testing.T) {
	t.Parallel()
	const address = "https://mycompany.com/myapp.php?foo=1&bar=2"
	form := url.Values{
		"CallSid": {"CA1234567890ABCDE"}, "Caller": {"+12349013030"}, "Digits": {"1234"},
		"From": {"+12349013030"}, "To": {"+18005551212"},
	}
	const want = "0/KCTR6DLpKmkAf8muzZqo1nDgQ="
	if got := sign("12345", address, form); got != want {
		t.Fatalf("got %s", got)
	}
	if !signed("12345", want, address, form) {
		t.Error("refused")
	}
	if !signed("12345", sign("12345", "https://mycompany.com:443/myapp.php?foo=1&bar=2", form), address, form) {
		t.Error("refused with the default port written out")
	}
	form.Set("Digits", "1235")
	if signed("12345", want, address, form) {
		t.Error("accepted with another digit")
	}
	if signed("", sign("", address, form), address, form) {
		t.Error("accepted without a token")
	}
}

// Tests the vectors of Twilio's own libraries, which also have a repeated key.
// https://github.com/twilio/twilio-python/blob/main/tests/unit/test_request_validator.py
func TestSignatureVectorsOfTwiliosLibraries(t *testing.T) {
	t.Parallel()
	for want, form := range map[string]url.Values{
		"RSOYDt4T1cUTdK1PDd93/VVr8B8=": {
			"CallSid": {"CA1234567890ABCDE"}, "Caller": {"+14158675309"}, "Digits": {"1234"},
			"From": {"+14158675309"}, "To": {"+18005551212"},
		},
		"IK+Dwps556ElfBT0I3Rgjkr1wJU=": {
			"Sid": {"CA123"}, "SidAccount": {"AC123"}, "Digits": {"5678", "1234", "1234"},
		},
	} {
		if !signed("12345", want, "https://mycompany.com/myapp.php?foo=1&bar=2", form) {
			t.Errorf("refused %s", want)
		}
	}
}

// All distinct values of a repeated key are part of the signature, in any order.
func TestSignatureOfRepeatedKeys(t *testing.T) {
	t.Parallel()
	a := sign("t", "https://x.example/", url.Values{"K": {"b", "a", "b"}})
	if b := sign("t", "https://x.example/", url.Values{"K": {"a", "b"}}); a != b {
		t.Error("order or repetition of values matters")
	}
	if b := sign("t", "https://x.example/", url.Values{"K": {"a"}}); a == b {
		t.Error("a value is lost")
	}
}

func TestSpellings(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://h.example/p?q=1":  "https://h.example:443/p?q=1",
		"https://h.example:443/p":  "https://h.example/p",
		"wss://h.example/p":        "wss://h.example:443/p",
		"http://h.example:8080/p":  "http://h.example/p",
		"http://[::1]/p":           "http://[::1]:80/p",
		"http://[::1]:81/p":        "http://[::1]/p",
		"https://h.example?q=http": "https://h.example:443?q=http",
		"not an address":           "",
	} {
		got := spellings(address)
		if got[0] != address || (want == "" && len(got) != 1) || (want != "" && (len(got) != 2 || got[1] != want)) {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// FuzzSigned checks that only the right signature is accepted for any input, so that nobody can
// move parameters between names and values of a form unnoticed.
func FuzzSigned(f *testing.F) {
	f.Add("token", "https://h.example/hooks", "CallSid=CA1&To=%2B1&To=%2B2", "sig")
	f.Add("", "://", "%zz", "")
	f.Fuzz(func(t *testing.T, token, address, body, signature string) {
		form, err := url.ParseQuery(body)
		if err != nil {
			return
		}
		right := sign(token, address, form)
		if signed(token, signature, address, form) && signature != right {
			others := spellings(address)
			if len(others) < 2 || signature != sign(token, others[1], form) {
				t.Fatalf("accepted %q", signature)
			}
		}
		if token != "" && !signed(token, right, address, form) {
			t.Fatal("the right signature is refused")
		}
	})
}

// FuzzHeard checks that the played part is always a beginning of the text.
func FuzzHeard(f *testing.F) {
	f.Add("Hello, this is Clara. How are you?", "Hello, this", "is Clara.")
	f.Add("Größe: 5€, ok?", "größe 5", "ok")
	f.Add("İstanbul", "i", "stanbul")
	f.Fuzz(func(t *testing.T, text, one, two string) {
		if !utf8.ValidString(text) {
			return
		}
		u := &utterance{}
		newVoice("", speech.Settings{}).extend(u, text, true)
		for _, words := range []string{one, two} {
			u.heard(words)
			if !strings.HasPrefix(u.Written, u.part()) {
				t.Fatalf("%q is no beginning of %q", u.part(), u.Written)
			}
			if u.played > len(u.sound) {
				t.Fatal("more was played than there is")
			}
			if speech.Sound(u.part()) != u.sound[:u.played] && u.played > 0 &&
				!strings.HasPrefix(speech.Sound(u.part()), u.sound[:u.played]) {
				t.Fatalf("part %q of %q after %q", u.part(), u.Written, u.sound[:u.played])
			}
		}
		if slowest(text) < 5*time.Second {
			t.Fatal("no time to speak")
		}
	})
}
