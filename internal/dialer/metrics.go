package dialer

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/dialwright/dialwright/internal/call"
)

// The counters cover this process since it started.
var (
	lateness = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "dialwright_dialer_lateness_seconds", Help: "How long after its time the dialer looked at a campaign.",
		Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
	})
	settlements = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "dialwright_calls_settled_total", Help: "Calls that have ended and are in the books, by outcome.",
	}, []string{"outcome"})
)

func init() {
	for _, o := range call.Outcomes {
		settlements.WithLabelValues(string(o))
	}
}

// Metrics returns the collectors of this package, for a registry.
func Metrics() []prometheus.Collector { return []prometheus.Collector{lateness, settlements} }
