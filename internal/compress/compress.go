// Package compress compresses answers for clients that accept gzip.
package compress

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// minSize is the size in bytes from which an answer is compressed. Smaller ones
// fit into a packet anyway.
const minSize = 1 << 10

// secretPolicy forbids that an answer is stored, and that a proxy compresses it.
const secretPolicy = "no-store, no-transform"

var wrap = newWrapper()

func newWrapper() func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(minSize),
		gzhttp.EnableZstd(false),
		gzhttp.ContentTypeFilter(compressible),
	)
	if err != nil {
		panic(err) // never: the options are constant
	}
	return wrap
}

// Handler compresses the text that next answers. It passes on what is flushed,
// so an answer of any length is sent as it is written.
func Handler(next http.Handler) http.Handler { return wrap(next) }

// compressible tells text from sound and from streams of events, whose parts
// must arrive at once.
func compressible(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	switch strings.TrimSpace(mediaType) {
	case "text/html", "text/plain", "text/csv", "application/json", "application/yaml":
		return true
	}
	return false
}

// ShowsSecret marks an answer that is not to be compressed, by us or by a proxy.
// The compressed length of a secret beside a text that somebody else may have
// written tells of the secret (BREACH).
func ShowsSecret(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", secretPolicy)
	w.Header().Set(gzhttp.HeaderNoCompression, "1") // removed before the answer is sent
}
