package frame

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/compress"
)

// ShowsSecret marks a page that is not to be compressed, by us or by a proxy:
// beside a secret, the compressed length of what somebody else may have written
// tells of the secret (BREACH).
func ShowsSecret(w http.ResponseWriter) { w.Header().Set("Cache-Control", SecretPage) }

// SecretPage is the Cache-Control header of a page that shows a secret.
const SecretPage = "no-store, no-transform"

// sendCompressed sends a page, compressed for browsers that take that, unless it
// shows a secret.
func sendCompressed(w http.ResponseWriter, r *http.Request, status int, page []byte) error {
	var err error
	send := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, err = w.Write(page)
	})
	if w.Header().Get("Cache-Control") == SecretPage {
		w.Header().Add("Vary", "Accept-Encoding")
		send.ServeHTTP(w, r)
	} else {
		compress.Handler(send).ServeHTTP(w, r)
	}
	return err
}
