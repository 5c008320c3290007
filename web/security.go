package web

import (
	"net/http"
	"strings"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/static"
	"github.com/dialwright/dialwright/web/frame"
)

// policy is the strict content security policy of every page: no inline code, no foreign
// sources.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; media-src " +
	"'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

var errCrossOrigin = fault.New(fault.Forbidden, "This request came from another site and was refused")

// secure sets the headers of every answer. Pages contain private data of one
// organization, so nothing may store them, and the browser's Back button shows none after
// a sign-out. A handler may set other headers.
func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// serveStatic answers with a built file. Its URL contains a hash of the content, so
// caches may keep it forever.
func serveStatic(w http.ResponseWriter, r *http.Request) error {
	frame.Observed(r).Route = static.Prefix + "*"
	file, ok := static.Lookup(r.URL.Path)
	if !ok {
		return frame.ErrNoPage
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("Content-Type", file.ContentType)
	content := file.Content
	if file.Gzip != nil {
		w.Header().Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			content = file.Gzip()
		}
	}
	_, err := w.Write(content)
	return err
}
