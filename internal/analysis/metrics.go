package analysis

import "github.com/prometheus/client_golang/prometheus"

// The results of analyses.
const (
	resultReady     = "ready"
	resultFailed    = "failed"
	resultRetried   = "retried"   // a try failed, and another one follows
	resultPostponed = "postponed" // a call needed the stream, or the server had too many requests
)

// analyses counts the analyses of this process since its start.
var analyses = prometheus.NewCounterVec(prometheus.CounterOpts{
	Name: "dialwright_analyses_total", Help: "Analyses of calls by a language model, by result.",
}, []string{"result"})

func init() {
	for _, r := range []string{resultReady, resultFailed, resultRetried, resultPostponed} {
		analyses.WithLabelValues(r)
	}
}

// Metrics are the metrics of this package, for a registry.
func Metrics() []prometheus.Collector { return []prometheus.Collector{analyses} }
