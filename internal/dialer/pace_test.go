package dialer

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

var epoch = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// A dialer with passes at irregular times, never further apart than the catch-up, places
// the k-th call in the first pass after start + k / rate.
func TestPaceKeepsTheDueTimesOfALateDialer(t *testing.T) {
	t.Parallel()
	for _, rate := range []float64{0.5, 1, 7, 200, 333.3, 1000} {
		rnd := rand.New(rand.NewPCG(1, uint64(rate)))
		p := pace{rate: rate, next: epoch}
		now, placed := epoch, 0
		for placed < 2000 {
			n := p.allows(now, math.MaxInt)
			for range n {
				due := epoch.Add(time.Duration(float64(placed) / rate * float64(time.Second)))
				if late := now.Sub(due); late < -time.Millisecond || late > catchUp {
					t.Fatalf("rate %v: call %d is placed %v after it was due", rate, placed, late)
				}
				placed++
			}
			p = p.after(now, n)
			step := time.Duration(rnd.Int64N(int64(catchUp - 5*time.Millisecond)))
			now = now.Add(step)
			if wait := p.next.Sub(now); wait > 0 && step < time.Millisecond {
				now = p.next // sleep until the next call is due
			}
		}
	}
}

// After a stall of any length, the dialer places no more calls than the rate and the
// catch-up allow.
func TestPaceDoesNotBurstAfterAStall(t *testing.T) {
	t.Parallel()
	p := pace{rate: 20, next: epoch}
	if n := p.allows(epoch, 1000); n != 1 {
		t.Fatalf("%d calls are due at the start, want 1", n)
	}
	p = p.after(epoch, 1)
	now := epoch.Add(time.Hour)
	n := p.allows(now, 1000)
	if n != 6 { // the calls of 0.25 s at 20/s, and the call due now
		t.Fatalf("%d calls after a stall, want 6", n)
	}
	p = p.after(now, n)
	if p.allows(now, 1000) != 0 || !p.next.After(now) {
		t.Errorf("more calls at the same moment: next %v", p.next.Sub(now))
	}
}

func TestPaceWithoutALimitAndWithoutRoom(t *testing.T) {
	t.Parallel()
	if n := (pace{}).allows(epoch, 17); n != 17 {
		t.Errorf("no rate allows %d, want 17", n)
	}
	if n := (pace{rate: 100, next: epoch}).allows(epoch, 0); n != 0 {
		t.Errorf("no room allows %d", n)
	}
	if n := (pace{rate: 1, next: epoch.Add(time.Millisecond)}).allows(epoch, 5); n != 0 {
		t.Errorf("a call before its time: %d", n)
	}
}

func TestPaceAhead(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, c := range []struct {
		rate float64
		next time.Duration // from now
		most int
		want int
	}{
		{1, 0, 100, 61}, {1, 0, 10, 10}, {1, 59 * time.Second, 10, 2}, {1, 61 * time.Second, 10, 0}, {0.01, 0, 10, 1},
		{0.01, 100 * time.Second, 10, 0},
		{0, 0, 7, 7}, {0, 2 * time.Minute, 7, 0}, {5, 0, -1, 0},
	} {
		if got := (pace{rate: c.rate, next: now.Add(c.next)}).within(now, time.Minute, c.most); got != c.want {
			t.Errorf("%v calls a second, the next in %v: %d within a minute, want %d", c.rate, c.next, got, c.want)
		}
	}
}
