package call

import "github.com/prometheus/client_golang/prometheus"

// placements counts the placements of this process since its start.
var placements = prometheus.NewCounterVec(prometheus.CounterOpts{
	Name: "dialwright_call_placements_total", Help: "Calls that this process tried to place, by result.",
}, []string{"result"})

// rejections counts the inbound calls that this process rejected because there were too many.
var rejections = prometheus.NewCounter(prometheus.CounterOpts{
	Name: "dialwright_inbound_calls_rejected_total", Help: "Calls to numbers rejected because there were too many.",
})

func init() {
	for _, p := range []Placed{
		PlacedAccepted, PlacedRefused, PlacedThrottled, PlacedUnavailable, PlacedUnknown, PlacedNot,
	} {
		placements.WithLabelValues(string(p))
	}
}

// Metrics are the metrics of this package, for a registry.
func Metrics() []prometheus.Collector { return []prometheus.Collector{placements, rejections} }
