package line

import (
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
)

const (
	// maxVersions bounds the versions of agents that have series of their own.
	maxVersions = 100

	// versionIdle is how long a version has its series after its last answer.
	versionIdle = 24 * time.Hour
)

// other is both labels of the answers of all versions without series of their own.
const other = "other"

// version is the labels of a version of an agent.
type version struct{ agent, number string }

// versionTimes are percentiles of the answers of models by version of an agent. The number of series is bounded,
// however many agents there are.
type versionTimes struct {
	seconds *prometheus.SummaryVec
	now     func() time.Time
	most    int // normally maxVersions

	mu   sync.Mutex
	last map[version]time.Time // of the last answer
}

var byVersion = newVersionTimes(time.Now, maxVersions)

func newVersionTimes(now func() time.Time, most int) *versionTimes {
	return &versionTimes{
		now: now, most: most, last: map[version]time.Time{},
		seconds: prometheus.NewSummaryVec(prometheus.SummaryOpts{
			Name: "dialwright_agent_answer_seconds",
			Help: "Percentiles of the last ten minutes of how long an agent with a language model takes to answer, " +
				"by the agent's ID and version: from the recipient's words to the first frame (total), and from the " +
				"request to the first token. It has the " + strconv.Itoa(most) + " versions that answered first " +
				"within the last day. The answers of all other versions are together, as agent \"other\".",
			Objectives: map[float64]float64{.5: .02, .95: .005},
		}, []string{"agent", "version", "part"}),
	}
}

// observe adds an answer. number is nil for the draft.
func (v *versionTimes) observe(agent uuid.UUID, number *int, total, firstToken time.Duration) {
	of := version{agent.String(), "draft"}
	if number != nil {
		of.number = strconv.Itoa(*number)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, known := v.last[of]; !known && len(v.last) >= v.most {
		v.forget()
		if len(v.last) >= v.most {
			of = version{other, other}
		}
	}
	if of.agent != other {
		v.last[of] = v.now()
	}
	v.seconds.WithLabelValues(of.agent, of.number, "total").Observe(total.Seconds())
	v.seconds.WithLabelValues(of.agent, of.number, "first_token").Observe(firstToken.Seconds())
}

// forget drops the series of versions without an answer in the last day.
func (v *versionTimes) forget() {
	maps.DeleteFunc(v.last, func(of version, at time.Time) bool {
		idle := v.now().Sub(at) >= versionIdle
		if idle {
			v.seconds.DeletePartialMatch(prometheus.Labels{"agent": of.agent, "version": of.number})
		}
		return idle
	})
}

// Describe implements prometheus.Collector.
func (v *versionTimes) Describe(descs chan<- *prometheus.Desc) { v.seconds.Describe(descs) }

// Collect implements prometheus.Collector.
func (v *versionTimes) Collect(metrics chan<- prometheus.Metric) {
	v.mu.Lock()
	v.forget()
	v.mu.Unlock()
	v.seconds.Collect(metrics)
}
