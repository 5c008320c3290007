package demo

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// The demo's receiver fails some attempts, and accepts other attempts of the same delivery.
func TestDemoReceiverIsBusyNowAndThen(t *testing.T) {
	t.Parallel()
	answers := map[int]int{}
	for at := range 400 {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, ReceiverPath,
			strings.NewReader(`{"type": "call.completed"}`))
		r.Header.Set("webhook-id", "evt_1")
		r.Header.Set("webhook-timestamp", strconv.Itoa(1_780_000_000+at))
		w := httptest.NewRecorder()
		Receive(w, r)
		answers[w.Code]++
	}
	failed := answers[http.StatusServiceUnavailable]
	if failed < 20 || failed > 100 || failed+answers[http.StatusNoContent] != 400 {
		t.Errorf("400 attempts are answered %v", answers)
	}
}
