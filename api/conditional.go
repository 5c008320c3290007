package api

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// entityTag identifies the content of a body. It is a weak tag, because the same body may
// be sent compressed or not (RFC 9110 §8.8.1).
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// notModified reports whether the client has this body already, and sets the ETag for its
// next request.
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
