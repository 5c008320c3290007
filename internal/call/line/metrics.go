package line

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/connection"
)

// The metrics cover the calls of this process since it started.
var (
	turnSeconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "dialwright_model_turn_seconds",
		Help: "Time of the parts of an answer of a language model: from the prompt to the request, to the first " +
			"token, to the first words that can be spoken, to their first frame, to the carrier's report of " +
			"speech; and the total from the prompt to the first frame.",
		Buckets: []float64{.001, .0025, .005, .01, .015, .025, .05, .1, .2, .3, .5, .75, 1, 1.5, 2, 3, 5, 8, 15},
	}, []string{"part"})
	requests = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "dialwright_model_requests_total",
		Help: "Requests of calls to language models, by provider and result. An abandoned request was canceled, " +
			"because the recipient spoke or another connection answered first.",
	}, []string{"provider", "result"})
	tokens = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "dialwright_model_tokens_total",
		Help: "Tokens of complete answers in calls, by provider and kind. Cached input tokens are input tokens too.",
	}, []string{"provider", "kind"})
)

// turnParts are the values of the label part.
var turnParts = []string{"request", "first_token", "first_words", "sent", "speaking", "total"}

// Results of a request.
const (
	answered  = "answered"
	failed    = "failed"
	abandoned = "abandoned"
)

func init() {
	for _, part := range turnParts {
		turnSeconds.WithLabelValues(part)
	}
	for _, provider := range connection.Providers {
		for _, result := range []string{answered, failed, abandoned} {
			requests.WithLabelValues(string(provider), result)
		}
		countTokens(provider, model.Usage{})
	}
}

func observe(part string, d time.Duration) { turnSeconds.WithLabelValues(part).Observe(d.Seconds()) }

func countTokens(provider connection.Provider, u model.Usage) {
	for kind, n := range map[string]int{"input": u.Input, "cached_input": u.Cached, "output": u.Output} {
		tokens.WithLabelValues(string(provider), kind).Add(float64(n))
	}
}

// Metrics returns the collectors of this package, for a registry.
func Metrics() []prometheus.Collector {
	return []prometheus.Collector{turnSeconds, byVersion, requests, tokens}
}
