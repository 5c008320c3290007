package webhook

import (
	"time"

	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// schedule is the delay of each attempt after the one before: ten attempts within three
// days (Standard Webhooks 1.0.0).
var schedule = []time.Duration{
	0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour,
	5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// jitter is the share of a delay by which it may be longer or shorter, so that
// deliveries that failed together do not come back together.
const jitter = 0.1

// nextAttempt is how long after a failed attempt at step the next one is made;
// ok is false after the last. retryAfter is the least that the receiver asked
// for, 0 when it did not; chance is from 0 up to 1.
func nextAttempt(step int, retryAfter time.Duration, chance float64) (delay time.Duration, ok bool) {
	if step+1 >= len(schedule) {
		return 0, false
	}
	delay = time.Duration(float64(schedule[step+1]) * (1 + jitter*(2*chance-1)))
	return max(delay, min(retryAfter, sender.MaxRetryAfter)), true
}

// Scheduled returns how many attempts the schedule has.
func Scheduled() int { return len(schedule) }
