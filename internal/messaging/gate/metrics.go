package gate

import (
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/prometheus/client_golang/prometheus"
)

// decisions counts the decisions of the gate in this process.
var decisions = prometheus.NewCounterVec(prometheus.CounterOpts{
	Name: "dialwright_message_gate_decisions_total",
	Help: "What the send gate decided about messages that were due: admitted, deferred or failed.",
}, []string{"decision"})

func init() {
	for _, n := range []messaging.Update{messaging.UpdateAdmitted, messaging.UpdateDeferred, messaging.UpdateFailed} {
		decisions.WithLabelValues(string(n))
	}
}

// Metrics returns the collectors of this package, for a registry.
func Metrics() []prometheus.Collector { return []prometheus.Collector{decisions} }
