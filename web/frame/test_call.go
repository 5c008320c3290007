package frame

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
)

// MaxTestCalls is how many phones one form calls.
const MaxTestCalls = 3

// testCallField names a call that was just placed, in the address of a page that leads to it.
const testCallField = "test_call"

// WithTestCalls adds calls to the address of a page that shows them by TestCalls.
func WithTestCalls(address string, ids ...uuid.UUID) string {
	query := url.Values{}
	for _, id := range ids {
		query.Add(testCallField, id.String())
	}
	if strings.Contains(address, "?") {
		return address + "&" + query.Encode()
	}
	return address + "?" + query.Encode()
}

// TestCalls are the calls that the address of a page names.
func (s *Server) TestCalls(r *http.Request) ([]views.TestCall, error) {
	var ids []uuid.UUID
	for _, text := range r.URL.Query()[testCallField] {
		if id, ok := check.ParseID(text); ok && len(ids) < MaxTestCalls {
			ids = append(ids, id)
		}
	}
	return s.TestCallsOf(r, ids...)
}

// TestCallsOf are calls by their IDs, without those that the organization does not have.
func (s *Server) TestCallsOf(r *http.Request, ids ...uuid.UUID) (placed []views.TestCall, err error) {
	for _, id := range ids {
		c, _, err := s.Calls.Get(r.Context(), SignedIn(r).Organization.ID, id)
		if fault.KindOf(err) == fault.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		placed = append(placed, views.TestCall{ID: c.ID.String(), Number: c.PersonNumber})
	}
	return placed, nil
}
