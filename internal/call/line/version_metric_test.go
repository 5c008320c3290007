package line

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Each version has its percentiles, up to a number of versions. The rest share theirs, and a version without an answer
// for a day makes room.
func TestPercentilesByVersion(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	times := newVersionTimes(func() time.Time { return now }, 2)
	registry := prometheus.NewRegistry()
	registry.MustRegister(times)
	agent, first, second := uuid.New(), 1, 2
	answer := func(number *int, n int) {
		for i := range n {
			times.observe(agent, number, time.Duration(i+1)*10*time.Millisecond, 5*time.Millisecond)
		}
	}
	expect := func(when string, answers map[string]int, more ...string) {
		t.Helper()
		w := httptest.NewRecorder()
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).
			ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		text := w.Body.String()
		for version, n := range answers {
			of := agent.String()
			if version == other {
				of = other
			}
			more = append(more, fmt.Sprintf(`_count{agent="%s",part="total",version="%s"} %d`, of, version, n))
		}
		for _, line := range more {
			if !strings.Contains(text, "\ndialwright_agent_answer_seconds"+line+"\n") {
				t.Errorf("%s: no %s in\n%s", when, line, text)
			}
		}
		if n := strings.Count(text, "_count{"); n != 2*len(answers) {
			t.Errorf("%s: %d series of answers, want two for each of %v", when, n, answers)
		}
	}
	answer(&first, 100)
	answer(nil, 1)
	expect("two versions", map[string]int{"1": 100, "draft": 1},
		fmt.Sprintf(`{agent="%s",part="total",version="1",quantile="0.5"} 0.5`, agent),
		fmt.Sprintf(`{agent="%s",part="first_token",version="1",quantile="0.95"} 0.005`, agent))
	answer(&second, 3)
	expect("a third", map[string]int{"1": 100, "draft": 1, other: 3})
	now = now.Add(versionIdle / 2)
	answer(nil, 1)
	now = now.Add(versionIdle / 2)
	expect("version 1 is idle", map[string]int{"draft": 2, other: 3})
	answer(&second, 1)
	expect("room for version 2", map[string]int{"draft": 2, "2": 1, other: 3})
}
