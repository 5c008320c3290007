package webhook

import (
	"time"

	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// schedule is the delay of each attempt after the previous attempt: ten attempts within
// three days (Standard Webhooks 1.0.0).
var schedule = []time.Duration{
	0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour,
	5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// jitter is the share of a delay by which it may be longer or shorter, so that
// deliveries that failed together do not come back together.
const jitter = 0.1

// nextAttempt returns the delay between a failed attempt at step and the next attempt. ok
// is false after the last step. retryAfter is the shortest delay that the receiver
// accepts, 0 if it named none. chance is at least 0 and less than 1.
func nextAttempt(step int, retryAfter time.Duration, chance float64) (delay time.Duration, ok bool) {
	if step+1 >= len(schedule) {
		return 0, false
	}
	delay = time.Duration(float64(schedule[step+1]) * (1 + jitter*(2*chance-1)))
	return max(delay, min(retryAfter, sender.MaxRetryAfter)), true
}

// RetryDelay returns the delay of an attempt of the schedule, from 1, after the previous one.
func RetryDelay(number int) time.Duration { return schedule[number-1] }

// RetrySpan returns the time from the first to the last attempt of the schedule, with the longest jitter.
func RetrySpan() time.Duration {
	var sum time.Duration
	for _, d := range schedule {
		sum += d
	}
	return time.Duration(float64(sum) * (1 + jitter))
}

// Scheduled returns how many attempts the schedule has.
func Scheduled() int { return len(schedule) }
