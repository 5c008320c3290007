package api

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/dialwright/dialwright/internal/fault"
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
	return hasTag(r.Header.Values("If-None-Match"), tag)
}

// hasTag reports whether a header lists the tag, or "*".
func hasTag(header []string, tag string) bool {
	for _, field := range header {
		for known := range strings.SplitSeq(field, ",") {
			known = strings.TrimSpace(known)
			if known == "*" || strings.TrimPrefix(known, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}

// unmodified refuses a change of a resource that is no longer the one whose ETag the client sent in If-Match. The tags
// are weak, because they are the same for a compressed body, but identify every byte of it. Error: Stale.
func unmodified(r *http.Request, resource any) error {
	wanted := r.Header.Values("If-Match")
	if len(wanted) == 0 {
		return nil
	}
	body, err := encode(resource)
	if err != nil {
		return err
	}
	if !hasTag(wanted, entityTag(body)) {
		return fault.New(fault.Stale, "It has changed since you read it. Read it again, then send your change")
	}
	return nil
}
