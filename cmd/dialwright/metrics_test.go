package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// All metrics exist from the start, with the value zero, and follow the queues. No series belongs to an organization.
func TestMetrics(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	in := newDemo(t, db.URL, t.TempDir())
	scrape := func() string {
		t.Helper()
		w := httptest.NewRecorder()
		in.metrics().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		if w.Code != http.StatusOK {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
		return w.Body.String()
	}
	text := scrape()
	for _, series := range []string{
		`dialwright_queue_depth{queue="campaigns_due"} 0`, `dialwright_queue_depth{queue="calls_to_settle"} 0`,
		`dialwright_queue_depth{queue="deliveries_ready"} 0`, `dialwright_queue_depth{queue="deliveries_waiting"} 0`,
		`dialwright_queue_depth{queue="messages_due"} 0`, `dialwright_queue_depth{queue="messages_for_quota"} 0`,
		`dialwright_queue_oldest_seconds{queue="campaigns_due"} 0`,
		`dialwright_calls_in_flight{status="in_progress"} 0`,
		`dialwright_inbound_calls_rejected_total `,
		`dialwright_call_placements_total{result="accepted"} `, `dialwright_calls_settled_total{outcome="completed"} `,
		`dialwright_delivery_attempts_total{result="succeeded"} `, `dialwright_delivery_attempt_seconds_count `,
		`dialwright_message_gate_decisions_total{decision="admitted"} `,
		`dialwright_dialer_lateness_seconds_bucket{le="0.1"} `,
		`dialwright_model_turn_seconds_bucket{part="total",le="1"} `,
		`dialwright_model_requests_total{provider="sandbox",result="answered"} `,
		`dialwright_model_tokens_total{kind="input",provider="anthropic"} `,
		`dialwright_database_connections_max `, `go_goroutines `,
	} {
		if !strings.Contains(text, "\n"+series) {
			t.Errorf("no series %s", series)
		}
	}
	for _, label := range regexp.MustCompile(`\ndialwright_[a-z_]+\{([a-z]+)=`).FindAllStringSubmatch(text, -1) {
		switch label[1] {
		case "queue", "status", "result", "outcome", "decision", "le", "part", "provider", "kind":
		case "agent": // a bounded number
		default:
			t.Errorf("the label %s may have any number of values", label[1])
		}
	}

	_, err := db.Pool.Exec(t.Context(), `
		with o as (insert into organization (id, name) values (gen_random_uuid(), 'Acme') returning id),
		     w as (insert into webhook (id, organization_id, name, url, events, secret) select gen_random_uuid(), id,
			'CRM', 'https://x', '{*}', '' from o returning id)
		insert into delivery_due (delivery_id, webhook_id, state, due_at)
		select gen_random_uuid(), w.id, s.state, clock() + s.due
			from w, (values ('ready', interval '-1 hour'), ('ready', interval '-1 minute'), ('waiting',
				interval '1 hour')) s (state, due)`)
	if err != nil {
		t.Fatal(err)
	}
	text = scrape()
	if !strings.Contains(text, `dialwright_queue_depth{queue="deliveries_ready"} 2`) ||
		!strings.Contains(text, `dialwright_queue_depth{queue="deliveries_waiting"} 1`) ||
		!regexp.MustCompile(`\ndialwright_queue_oldest_seconds\{queue="deliveries_ready"\} 36\d\d`).MatchString(text) {
		t.Errorf("the queue of deliveries is not told:\n%s", text)
	}

	// The oldest entry is found even if the queue is counted only to a small number.
	if err := pgx.BeginFunc(t.Context(), db.Pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `
			set local session_replication_role = replica; -- messages of nobody
			insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name,
				template_language, due_at)
			select gen_random_uuid(), gen_random_uuid(), number::uuid, gen_random_uuid(), lane::uuid, '', '', '',
				clock() + due
			from (values (repeat('1', 32), repeat('1', 32), interval '-1 minute'), (repeat('1', 32), repeat('1', 32),
				'-1 minute'),
				(repeat('1', 32), repeat('2', 32), '-1 hour'), (repeat('2', 32), repeat('1', 32), '1 hour')) m (number,
					lane, due)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for most, depth := range map[int]int{1: 1, queueMost: 3} {
		registry := prometheus.NewRegistry()
		registry.MustRegister(queueCollector{in, most})
		w := httptest.NewRecorder()
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).
			ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		if !strings.Contains(w.Body.String(),
			fmt.Sprintf("dialwright_queue_depth{queue=\"messages_due\"} %d\n", depth)) ||
			!regexp.MustCompile(`\ndialwright_queue_oldest_seconds\{queue="messages_due"\} 36\d\d`).MatchString(
				w.Body.String(),
			) {
			t.Errorf("counted to %d:\n%s", most, w.Body)
		}
	}

	// Without the database, the scrape still returns the process's own metrics.
	in.db.pool.Close()
	if text = scrape(); !strings.Contains(text, "dialwright_call_placements_total") ||
		strings.Contains(text, "dialwright_queue_depth{") {
		t.Error("a database that is away hides the rest")
	}
}
