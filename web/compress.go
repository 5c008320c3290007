package web

import (
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
)

// compressors are writers at a level that makes pages a sixth as large on the
// wire; each holds near a megabyte, so they are used again.
var compressors = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, 5) // the level is one of them
	return z
}}

// showsSecret marks a page that is not to be compressed, by us or by a proxy:
// beside a secret, the compressed length of what somebody else may have written
// tells of the secret (BREACH).
func showsSecret(w http.ResponseWriter) { w.Header().Set("Cache-Control", secretPage) }

const secretPage = "no-store, no-transform"

// sendCompressed sends a page, compressed for browsers that take that, unless it
// shows a secret.
func sendCompressed(w http.ResponseWriter, r *http.Request, status int, page []byte) error {
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	if h.Get("Cache-Control") == secretPage || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.WriteHeader(status)
		_, err := w.Write(page)
		return err
	}
	h.Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	z := compressors.Get().(*gzip.Writer)
	defer compressors.Put(z)
	z.Reset(w)
	if _, err := z.Write(page); err != nil {
		return err
	}
	return z.Close()
}
