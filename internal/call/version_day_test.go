package call

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
)

// A settled call counts once for its version, with its tokens, their cost and the times of its answers.
func TestAgentStats(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	connections := fmt.Sprintf(`[`+used+`,`+used+`]`, false, "0.002", "USD", false, "0.01", "EUR")
	use := func(c Claimed, tokens int) {
		w.exec(`update call set analysis = jsonb_build_object('model', jsonb_build_object('input_tokens', $2::int,
			'output_tokens', 10, 'connections', $3::jsonb)) where id = $1`, c.ID, tokens, connections)
	}
	for i, tokens := range []int{90, 190} {
		c := w.over(fmt.Sprintf("+1202555019%d", i))
		use(c, tokens)
		for turn, ms := range []int{800, 1000, 1200, 4000} {
			w.exec(`insert into call_turn (call_id, index, organization_id, role, text, timing)
				values ($1, $2, $3, 'agent', 'Yes', jsonb_build_object('request_ms', 5, 'first_token_ms', $4::int - 50,
					'first_sent_ms', $4::int, 'own_ms', 7))`, c.ID, turn, w.claim.OrganizationID, ms)
		}
		w.exec(`update call set answered_at = ended_at - interval '40 seconds' where id = $1`, c.ID)
		w.settle()
		w.settle()
	}
	w.ended("+12025550198", carrier.NoAnswer)
	message := w.over("+12025550197")
	w.exec(`update call set outcome = 'voicemail', answered_at = ended_at - interval '100 seconds' where id = $1`,
		message.ID)
	w.settle()
	w.settle()
	stats, err := w.calls.AgentStats(t.Context(), w.claim.OrganizationID, w.claim.AgentID)
	if err != nil || len(stats.Versions) != 1 {
		t.Fatalf("%+v, %v", stats, err)
	}
	s := stats.Versions[0]
	if !reflect.DeepEqual(s, stats.Total) {
		t.Errorf("the total %+v differs from the only version", stats.Total)
	}
	if s.Version != nil || s.Calls != 4 || s.Answered != 3 || s.Completed != 2 || s.Modeled != 2 || s.Tokens != 300 ||
		*s.TokensPerCall() != 150 {
		t.Errorf("figures %+v", s)
	}
	if got := s.AverageSeconds(); got == nil || *got != 40 {
		t.Errorf("the calls with a person took %v seconds on average, want 40", got)
	}
	want := []VersionCost{{"EUR", "0.02", 2, "0.01"}, {"USD", "0.004", 2, "0.002"}}
	if !slices.Equal(s.Costs, want) {
		t.Errorf("costs %+v, want %+v", s.Costs, want)
	}
	near := func(got, want int) bool { return got*100 >= want*86 && got*100 <= want*116 }
	if s.Answer.Answers != 8 || !near(s.Answer.P50, 1000) || !near(s.Answer.P95, 4000) ||
		!near(s.FirstToken.P50, 945) || s.Own.P95 > 8 || s.Own.P95 < 6 {
		t.Errorf("times %+v %+v %+v", s.Answer, s.FirstToken, s.Own)
	}
	_, err = w.calls.AgentStats(t.Context(), w.tenant("Other", "+12025550111").OrganizationID, w.claim.AgentID)
	if fault.KindOf(err) != fault.NotFound {
		t.Errorf("another organization sees %v", err)
	}
	var tokens, calls int
	err = w.db.Pool.QueryRow(t.Context(), `select tokens, calls from model_day where currency is null`).
		Scan(&tokens, &calls)
	if err != nil || tokens != 300 || calls != 2 {
		t.Errorf("the day has %d tokens of %d calls, %v", tokens, calls, err)
	}
}

// A percentile is at most one bucket from the exact one.
func TestPercentiles(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 7))
		all, counts := make([]int, 1+r.IntN(300)), make([]int, len(timingBounds)+1)
		for i := range all {
			all[i] = r.IntN(1 + r.IntN(29_000))
			at, found := slices.BinarySearch(timingBounds, all[i])
			if found {
				at++ // as width_bucket
			}
			counts[at]++
		}
		slices.Sort(all)
		p := percentilesOf(counts)
		for share, got := range map[float64]int{.5: p.P50, .95: p.P95} {
			exact := all[max(int(share*float64(len(all))+.999999)-1, 0)]
			if got < exact*80/100-2 || got > exact*125/100+2 {
				t.Fatalf("seed %d: the percentile %v of %d answers is %d, want about %d", seed, share, len(all), got,
					exact)
			}
		}
	}
}
