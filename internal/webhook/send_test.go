package webhook

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/guard"
)

// The log of an attempt is read by people who must not learn how this network
// resolves a name.
func TestABlockedAddressIsNotTold(t *testing.T) {
	t.Parallel()
	g, err := guard.New([]string{"10.0.0.0/8"}) // so that localhost is looked up
	if err != nil {
		t.Fatal(err)
	}
	s := sender{transport: g.Transport(), timeout: patience, now: time.Now}
	a := s.send(t.Context(), letter{url: "https://localhost/hook", eventID: uuid.New(), secrets: [][]byte{newSecret()}})
	if a.outcome != OutcomeBlocked || a.problem != "localhost may not be reached" || a.address.IsValid() || a.connect >= 0 || a.status != 0 {
		t.Errorf("%s: %q, address %v, connect %v, status %d", a.outcome, a.problem, a.address, a.connect, a.status)
	}
}
