package webhook

import (
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// Whatever the chance, a delay is its step's, by a tenth more or less, never
// sooner than the receiver asks and never later than a day after that.
func TestNextAttempt(t *testing.T) {
	t.Parallel()
	for range 10_000 {
		step, chance, asked := rand.IntN(len(schedule)+2), rand.Float64(), time.Duration(rand.Int64N(int64(48*time.Hour)))
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

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		status int
		header string
		want   time.Duration
	}{
		{429, "120", 2 * time.Minute},
		{503, " 7 ", 7 * time.Second},
		{503, "0", 0},
		{429, "86401", 24 * time.Hour},
		{429, "99999999999999999999999999", 24 * time.Hour},
		{429, "Sat, 21 Nov 2026 12:10:00 GMT", 10 * time.Minute},
		{503, "Saturday, 21-Nov-26 12:10:00 GMT", 10 * time.Minute},
		{503, "Sat, 21 Nov 2026 11:00:00 GMT", 0},
		{503, "Sat, 21 Nov 2099 11:00:00 GMT", 24 * time.Hour},
		{429, "-5", 0},
		{429, "1.5", 0},
		{429, "soon", 0},
		{429, "", 0},
		{500, "120", 0},
		{200, "120", 0},
	} {
		if got := retryAfter(c.status, c.header, now); got != c.want {
			t.Errorf("%d %q: %s, want %s", c.status, c.header, got, c.want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, header := range []string{"120", "-1", "Sat, 21 Nov 2026 12:10:00 GMT", "99999999999999999999", "", "1e9"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		got := retryAfter(http.StatusTooManyRequests, header, time.Now())
		if got < 0 || got > maxRetryAfter {
			t.Errorf("%q: %s", header, got)
		}
		if n, err := strconv.ParseUint(header, 10, 16); err == nil && got != time.Duration(n)*time.Second {
			t.Errorf("%q: %s", header, got)
		}
	})
}
