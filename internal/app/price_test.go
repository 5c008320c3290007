package app_test

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/testwait"
)

// The sandbox tells prices soon, late, never, and twice. What the calls cost follows it.
func TestPricesOnTheSandbox(t *testing.T) {
	t.Parallel()
	w := onSandbox(t)
	w.campaign(t, []string{"+15005000001", "+15005020001", "+15005500001", "+15005510001", "+15005520001"})
	wait := func(what, sql, want string) {
		t.Helper()
		for deadline := time.Now().Add(testwait.Limit); ; time.Sleep(20 * time.Millisecond) {
			var got string
			if err := w.Pool.QueryRow(t.Context(), sql).Scan(&got); err != nil {
				t.Fatal(err)
			}
			if got == want {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s: %s, want %s", what, got, want)
			}
		}
	}
	const costs = `
		select coalesce(string_agg(substr(to_number, 7, 2) || ' ' || coalesce(trim_scale(cost)::text, '?'), ', '
			order by to_number), '')
		from call`
	wait("settled calls", `select count(settled_at)::text from call`, "5")
	for _, step := range []struct {
		after time.Duration
		costs string
	}{
		{6 * time.Minute, "00 0.014, 02 ?, 50 ?, 51 ?, 52 0.014"},
		{time.Hour, "00 0.014, 02 ?, 50 0.014, 51 ?, 52 0.014"},
		{24 * time.Hour, "00 0.014, 02 0, 50 0.014, 51 ?, 52 0.028"},
	} {
		w.network.Elapse(step.after)
		w.db.Advance(step.after)
		wait("costs after "+step.after.String(), costs, step.costs)
	}
	wait("prices due", `select count(*)::text from call_price_due`, "0")
}
