package api

import (
	_ "embed"
	"net/http"
	"slices"
	"sync"

	"github.com/dialwright/dialwright/internal/reference"
)

// Description is the OpenAPI 3.1 description of the API.
//
//go:embed openapi.yaml
var Description []byte

// Reference reads Description, once in a process, and adds the pages of the sandboxes' numbers
// and of the calling rules.
var Reference = sync.OnceValues(func() (*reference.Reference, error) {
	r, err := reference.Parse(Description)
	if err != nil {
		return nil, err
	}
	guides := slices.IndexFunc(r.Pages, func(p reference.Page) bool { return len(p.Operations) > 0 })
	r.Pages = slices.Insert(r.Pages, max(guides, 0), sandboxPage(), callingRulesPage())
	return r, nil
})

// serveDescription answers GET /openapi.yaml. It needs no key.
func serveDescription(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/yaml") // RFC 9512
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(Description)
}

// serveElsewhere answers requests below /api and outside /api/v1. A client with a wrong
// path gets JSON, not an HTML page.
func serveElsewhere(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_ = send(w, r, http.StatusNotFound, problem{"Not found: the API is below /api/v1"}) // a text always encodes
}
