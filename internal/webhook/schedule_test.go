package webhook

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// For any chance, the delay is that of the step, plus or minus a tenth. Retry-After is a
// lower bound, up to a day.
func TestNextAttempt(t *testing.T) {
	t.Parallel()
	for range 10_000 {
		step, chance, asked := rand.IntN(len(schedule)+
			2), rand.Float64(), time.Duration(rand.Int64N(int64(48*time.Hour)))
		if rand.IntN(2) == 0 {
			asked = 0
		}
		delay, ok := nextAttempt(step, asked, chance)
		if ok != (step < len(schedule)-1) {
			t.Fatalf("after step %d: %t", step, ok)
		}
		if !ok {
			continue
		}
		base, floor := schedule[step+1], min(asked, 24*time.Hour)
		if delay < floor || delay < base*9/10 || delay > max(base*11/10, floor) {
			t.Fatalf("step %d, asked for %s, chance %g: %s", step, asked, chance, delay)
		}
	}
	var total time.Duration
	for step := range schedule[1:] {
		least, _ := nextAttempt(step, 0, 0)
		most, _ := nextAttempt(step, 0, math.Nextafter(1, 0))
		if least == most {
			t.Errorf("step %d has no jitter", step)
		}
		total += schedule[step+1]
	}
	if want := 75*time.Hour + 35*time.Minute + 5*time.Second; total != want || len(schedule) != 10 {
		t.Errorf("%d attempts within %s", len(schedule), total)
	}
}
