package api

import (
	"encoding/json"
	"net/http"
	"reflect"
	"testing"
)

// The figures of a number are those of its days and, in a pool, of the pool.
func TestNumberStats(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pooled, unused := w.newTenant("Acme"), w.newTenant("Other")
	w.exec(`
		with pool as (
			insert into number_pool (id, organization_id, connection_id, name, strategy, max_daily_calls,
				rest_below_percent, rest_after_calls, rest_hours)
			values (gen_random_uuid(), $1, $2, 'Main lines', 'rotation', 100, 10, 50, 24)
			returning id)
		update phone_number n
		set number_pool_id = pool.id, calls_on_day = 12, calls_day = (clock() at time zone o.time_zone)::date,
			rest_until = date_trunc('day', clock()) + interval '2 days'
		from pool, organization o where o.id = $1 and n.organization_id = o.id`, pooled.organization, pooled.connection)
	w.exec(`
		insert into phone_number_day (phone_number_id, day, organization_id, placed, reached, answered, short_calls)
		select $1, (clock() at time zone time_zone)::date - ago, id, placed, reached, answered, short
		from organization, (values (0, 4, 1, 2, 0), (6, 6, 3, 3, 1), (7, 10, 1, 5, 4), (30, 90, 90, 90, 90))
			days (ago, placed, reached, answered, short)
		where id = $2`, pooled.number, pooled.organization)
	var rests string
	err := w.Pool.QueryRow(t.Context(), `
		select to_char(rest_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from phone_number where id = $1`,
		pooled.number).Scan(&rests)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[*tenant]string{
		pooled: `{"calls_today": 12, "max_daily_calls": 100, "rests_until": "` + rests + `",
			"last_7_days": {"placed": 10, "answered_by_person": 4, "answer_rate": 0.4, "short_calls": 1,
				"short_call_rate": 0.2, "received": 0},
			"last_30_days": {"placed": 20, "answered_by_person": 5, "answer_rate": 0.25, "short_calls": 5,
				"short_call_rate": 0.5, "received": 0}}`,
		unused: `{"calls_today": 0, "max_daily_calls": null, "rests_until": null,
			"last_7_days": {"placed": 0, "answered_by_person": 0, "answer_rate": null, "short_calls": 0,
				"short_call_rate": null, "received": 0},
			"last_30_days": {"placed": 0, "answered_by_person": 0, "answer_rate": null, "short_calls": 0,
				"short_call_rate": null, "received": 0}}`,
	} {
		got := n.do("GET", "/phone-numbers/"+n.number.String()+"/stats", nil).want(http.StatusOK).get()
		if want := jsonOf(t, json.RawMessage(want)); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %v\nwant %v", got, want)
		}
	}
	pooled.do("GET", "/phone-numbers/"+unused.number.String()+"/stats", nil).
		refused(http.StatusNotFound, "Phone number not found")
}
