package frame

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/compress"
)

// ShowsSecret marks a page that neither this server nor a proxy may compress. If another
// person can write a part of the page, its compressed length reveals the secret beside
// that part (the BREACH attack).
func ShowsSecret(w http.ResponseWriter) { w.Header().Set("Cache-Control", secretPage) }

// secretPage is the Cache-Control header of a page that shows a secret.
const secretPage = "no-store, no-transform"

// sendCompressed sends a page. It compresses the page if the browser accepts that and the
// page shows no secret.
func sendCompressed(w http.ResponseWriter, r *http.Request, status int, page []byte) error {
	var err error
	send := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, err = w.Write(page)
	})
	if w.Header().Get("Cache-Control") == secretPage {
		w.Header().Add("Vary", "Accept-Encoding")
		send.ServeHTTP(w, r)
	} else {
		compress.Handler(send).ServeHTTP(w, r)
	}
	return err
}
