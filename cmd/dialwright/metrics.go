package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/pprof"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/dialwright/dialwright/internal/analysis"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/call/line"
	"github.com/dialwright/dialwright/internal/dialer"
	"github.com/dialwright/dialwright/internal/messaging/gate"
	"github.com/dialwright/dialwright/internal/webhook"
)

// serveMetrics serves /metrics, and profiles if they are enabled, on its own listener until stop is called. If the
// port is in use, as by a second instance on this machine, it logs a warning and the server runs without metrics.
func (s *server) serveMetrics() (stop func()) {
	if s.p.MetricsAddr == "" {
		return func() {}
	}
	listener, err := net.Listen("tcp", s.p.MetricsAddr)
	if err != nil {
		s.log.Warn("could not serve metrics", "error", err)
		return func() {}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.metrics())
	if s.p.Pprof {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	served := &http.Server{Handler: app.Secure("", mux), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := served.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			s.log.Warn("metrics stopped", "error", err)
		}
	}()
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = served.Shutdown(ctx) // a longer scrape is cut off
	}
}

// metrics serves the metrics of this process and of the queues that all processes share. No label names an
// organization, and few versions of agents have series, so their number is bounded.
func (s *server) metrics() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), databaseCollector{s})
	registry.MustRegister(slices.Concat(
		call.Metrics(), dialer.Metrics(), webhook.Metrics(), gate.Metrics(), line.Metrics(), analysis.Metrics(),
	)...)
	// Serve all metrics that could be read, even if the database is unavailable.
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// databaseCollector reports the pools and the queues of all databases, with the label cell if there are cells. A cell
// may be opened later.
type databaseCollector struct{ s *server }

// Describe describes nothing, because the number of databases is not known.
func (databaseCollector) Describe(chan<- *prometheus.Desc) {}

func (c databaseCollector) Collect(metrics chan<- prometheus.Metric) {
	var collected sync.WaitGroup
	for _, in := range c.s.all() {
		both := prometheus.Collector(instanceCollector{poolCollector{in}, queueCollector{in, queueMost}})
		if number := in.db.cell.Number; number != 0 {
			both = prometheus.WrapCollectorWith(prometheus.Labels{"cell": strconv.Itoa(number)}, both)
		}
		collected.Go(func() { both.Collect(metrics) }) // one that is away delays no other
	}
	collected.Wait()
}

// instanceCollector reports the pool and the queues of a database.
type instanceCollector struct {
	pool   poolCollector
	queues queueCollector
}

func (c instanceCollector) Describe(descs chan<- *prometheus.Desc) {
	c.pool.Describe(descs)
	c.queues.Describe(descs)
}

func (c instanceCollector) Collect(metrics chan<- prometheus.Metric) {
	c.pool.Collect(metrics)
	c.queues.Collect(metrics)
}

// poolCollector reports the state of the database pool at each scrape.
type poolCollector struct{ in *instance }

var (
	poolMax    = prometheus.NewDesc("dialwright_database_connections_max", "Size of the pool.", nil, nil)
	poolInUse  = prometheus.NewDesc("dialwright_database_connections_in_use", "Connections in use.", nil, nil)
	poolWaited = prometheus.NewDesc("dialwright_database_waits_total",
		"Times that a connection had to be waited for.", nil, nil)
	poolWaitedBy = prometheus.NewDesc("dialwright_database_wait_seconds_total", "Time spent waiting for a connection.",
		nil, nil)
)

func (poolCollector) Describe(descs chan<- *prometheus.Desc) {
	descs <- poolMax
	descs <- poolInUse
	descs <- poolWaited
	descs <- poolWaitedBy
}

func (c poolCollector) Collect(metrics chan<- prometheus.Metric) {
	s := c.in.db.pool.Stat()
	metrics <- prometheus.MustNewConstMetric(poolMax, prometheus.GaugeValue, float64(s.MaxConns()))
	metrics <- prometheus.MustNewConstMetric(poolInUse, prometheus.GaugeValue, float64(s.AcquiredConns()))
	metrics <- prometheus.MustNewConstMetric(poolWaited, prometheus.CounterValue, float64(s.EmptyAcquireCount()))
	metrics <- prometheus.MustNewConstMetric(poolWaitedBy, prometheus.CounterValue, s.EmptyAcquireWaitTime().Seconds())
}
