package webhook

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// Counts since the start of this process.
var (
	attempts = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "dialwright_delivery_attempts_total", Help: "Attempts to deliver an event to a webhook, by result.",
	}, []string{"result"})
	attemptSeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "dialwright_delivery_attempt_seconds", Help: "How long attempts to deliver an event took.",
		Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 15},
	})
)

func init() {
	for _, o := range sender.Outcomes {
		attempts.WithLabelValues(string(o))
	}
}

// Metrics returns the collectors of this package, for a registry.
func Metrics() []prometheus.Collector { return []prometheus.Collector{attempts, attemptSeconds} }
