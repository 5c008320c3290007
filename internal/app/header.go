package app

import (
	"net/http"
	"strings"
)

// transportSecurity keeps browsers to https for a year once they have seen it.
// Other hosts of the domain are not ours to decide about, so it has neither
// includeSubDomains nor preload.
const transportSecurity = "max-age=31536000"

// Secure sets the headers that hold for every surface of a server at publicURL.
func Secure(publicURL string, next http.Handler) http.Handler {
	https := strings.HasPrefix(publicURL, "https://")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if https {
			w.Header().Set("Strict-Transport-Security", transportSecurity)
		}
		next.ServeHTTP(w, r)
	})
}
