package dialer

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/dialwright/dialwright/internal/call"
)

// The metrics count dialed and settled calls, and the lateness of the dialer. Other tests
// of the process count too, so the figures are lower bounds.
func TestFiguresFollowWhatIsDone(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	registry.MustRegister(slices.Concat(Metrics(), call.Metrics())...)
	figure := func(series string) float64 {
		t.Helper()
		w := httptest.NewRecorder()
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).
			ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(series) + ` (\S+)$`).FindStringSubmatch(w.Body.String())
		if found == nil {
			t.Fatalf("no series %s in %s", series, w.Body)
		}
		n, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	all := []string{
		`dialwright_call_placements_total{result="accepted"}`, `dialwright_calls_settled_total{outcome="busy"}`,
		`dialwright_dialer_lateness_seconds_count`,
	}
	before := make([]float64, len(all))
	for i, series := range all {
		before[i] = figure(series)
	}
	b := newBench(t)
	b.create(t, fast(b.draft(1)))
	b.dial(t)
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	for i, series := range all {
		if got := figure(series); got < before[i]+1 {
			t.Errorf("%s is %v, and was %v", series, got, before[i])
		}
	}
}
