package api

import (
	_ "embed"
	"net/http"
	"strings"
	"sync"

	"github.com/dialwright/dialwright/internal/reference"
)

// Description is the exact OpenAPI 3.1 description of the API: objects are closed, and every set of values is complete.
// The tests compare every answer with it. Clients get what reference.Publish makes of it.
//
//go:embed openapi.yaml
var Description []byte

// Reference reads Description and the guides, once in a process.
var Reference = sync.OnceValues(func() (*reference.Reference, error) {
	r, err := reference.Parse(Description)
	if err != nil {
		return nil, err
	}
	if err := addGuides(r); err != nil {
		return nil, err
	}
	return r, nil
})

// descriptions is the published description under the paths at which it is served.
type descriptions struct {
	mediaTypes map[string]string
	published  func() (reference.Published, error)
}

// describe publishes the description once, at the first request.
func describe(publicURL string) *descriptions {
	return &descriptions{
		mediaTypes: map[string]string{
			"/openapi.json": "application/json", "/openapi.yaml": "application/yaml", // RFC 9512
		},
		published: sync.OnceValues(func() (reference.Published, error) {
			return reference.Publish(Description, publicURL+"/api/v1")
		}),
	}
}

// serves reports whether a path is one of the description's.
func (d *descriptions) serves(path string) bool { return d.mediaTypes[path] != "" }

// ServeHTTP answers GET. It needs no key, and pages of any origin may read it.
func (d *descriptions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Access-Control-Allow-Origin", "*")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		_ = send(w, r, http.StatusMethodNotAllowed, problem{"Method not allowed"}) // a text always encodes
		return
	}
	published, err := d.published()
	if err != nil {
		panic(err) // a test publishes the description
	}
	body := published.JSON
	if strings.HasSuffix(r.URL.Path, ".yaml") {
		body = published.YAML
	}
	h.Set("Cache-Control", "no-cache")
	if notModified(w, r, body) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", d.mediaTypes[r.URL.Path])
	_, _ = w.Write(body)
}

// serveElsewhere answers requests below /api and outside /api/v1. A client with a wrong
// path gets JSON, not an HTML page.
func serveElsewhere(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_ = send(w, r, http.StatusNotFound, problem{"Not found: the API is below /api/v1"}) // a text always encodes
}
