package app

import (
	"net/http"
	"strings"
)

// transportSecurity makes browsers use only https for a year after their first visit. It
// has neither includeSubDomains nor preload, because the domain may have other hosts.
const transportSecurity = "max-age=31536000"

// Secure sets the headers that the API, the callbacks and the dashboard share, for a
// server at publicURL.
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
