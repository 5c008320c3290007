package twilio

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // Twilio's signature is HMAC-SHA1
	"encoding/base64"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// sign computes X-Twilio-Signature: base64(HMAC-SHA1(token, address + every
// parameter's name and value, sorted by name)). The values of a repeated
// parameter are sorted, each counted once, as Twilio's own libraries do.
// https://www.twilio.com/docs/usage/webhooks/webhooks-security
func sign(authToken, address string, form url.Values) string {
	mac := hmac.New(sha1.New, []byte(authToken))
	mac.Write([]byte(address))
	for _, name := range slices.Sorted(maps.Keys(form)) {
		values := slices.Clone(form[name])
		slices.Sort(values)
		for _, value := range slices.Compact(values) {
			mac.Write([]byte(name))
			mac.Write([]byte(value))
		}
	}
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// signed reports whether the signature is valid for one of the forms in which Twilio may have
// written the address. It is false without a token.
func signed(authToken, signature, address string, form url.Values) bool {
	if authToken == "" || signature == "" {
		return false
	}
	ok := false
	for _, form1 := range spellings(address) {
		// All comparisons are made, so that the time reveals nothing.
		if hmac.Equal([]byte(signature), []byte(sign(authToken, form1, form))) {
			ok = true
		}
	}
	return ok
}

// spellings returns the address, and the same address with or without its port. Twilio signs
// some callbacks without a port that is not the default one, as its libraries know.
// https://github.com/twilio/twilio-node/blob/main/src/webhooks/webhooks.ts
func spellings(address string) []string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		return []string{address}
	}
	port := map[string]string{"https": ":443", "wss": ":443", "http": ":80", "ws": ":80"}[scheme]
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	if port == "" {
		return []string{address}
	}
	if bare, has := strings.CutSuffix(host, port); has {
		return []string{address, scheme + "://" + bare + path}
	}
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		return []string{address, scheme + "://" + host[:i] + path}
	}
	return []string{address, scheme + "://" + host + port + path}
}
