package api

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// entityTag identifies what a body says. It is weak: the same body may be sent
// compressed or not (RFC 9110 §8.8.1).
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// notModified tells whether the client has what tag identifies, and sets the
// header by which it can ask so next time.
func notModified(w http.ResponseWriter, r *http.Request, body []byte) bool {
	tag := entityTag(body)
	w.Header().Set("ETag", tag)
	for _, field := range r.Header.Values("If-None-Match") {
		for known := range strings.SplitSeq(field, ",") {
			known = strings.TrimSpace(known)
			if known == "*" || strings.TrimPrefix(known, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}
