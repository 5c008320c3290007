package export

import (
	"net/http/httptest"
	"testing"
	"time"
)

// deadlines is a connection that counts the deadlines of writes.
type deadlines struct {
	*httptest.ResponseRecorder
	set   int
	parts []int
}

func (d *deadlines) SetWriteDeadline(at time.Time) error {
	if left := time.Until(at); left > 0 && left <= patience {
		d.set++
	}
	return nil
}

func (d *deadlines) Write(p []byte) (int, error) {
	d.parts = append(d.parts, len(p))
	return d.ResponseRecorder.Write(p)
}

// Each part of a file has a deadline of its own, so that a client that reads nothing does not hold the request.
func TestEachPartHasADeadline(t *testing.T) {
	t.Parallel()
	to := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	out := NewWriter(to)
	if n, err := out.Write(make([]byte, 2*bufferSize+1)); err != nil || n != 2*bufferSize+1 {
		t.Fatal(n, err)
	}
	if to.set != 3 || len(to.parts) != 3 || to.parts[2] != 1 || to.Body.Len() != 2*bufferSize+1 {
		t.Errorf("%d deadlines for parts of %v bytes", to.set, to.parts)
	}
}
