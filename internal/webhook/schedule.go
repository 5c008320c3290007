package webhook

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// schedule is the delay of each attempt after the one before: ten attempts within three
// days (Standard Webhooks 1.0.0).
var schedule = []time.Duration{
	0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour,
	5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

const (
	// jitter is the share of a delay by which it may be longer or shorter, so that
	// deliveries that failed together do not come back together.
	jitter = 0.1

	// maxRetryAfter is the longest wait that a receiver may request.
	maxRetryAfter = 24 * time.Hour
)

// nextAttempt is how long after a failed attempt at step the next one is made;
// ok is false after the last. retryAfter is the least that the receiver asked
// for, 0 when it did not; chance is from 0 up to 1.
func nextAttempt(step int, retryAfter time.Duration, chance float64) (delay time.Duration, ok bool) {
	if step+1 >= len(schedule) {
		return 0, false
	}
	delay = time.Duration(float64(schedule[step+1]) * (1 + jitter*(2*chance-1)))
	return max(delay, min(retryAfter, maxRetryAfter)), true
}

// retryAfter reads the header Retry-After of a 429 or 503: seconds, or a date
// (RFC 9110 §10.2.3). It is 0 for anything else.
func retryAfter(status int, header string, now time.Time) time.Duration {
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return 0
	}
	header = strings.TrimSpace(header)
	if header != "" && strings.Trim(header, "0123456789") == "" {
		seconds, err := strconv.ParseInt(header, 10, 64)
		if err != nil || seconds > int64(maxRetryAfter/time.Second) { // more than 64 bits hold
			return maxRetryAfter
		}
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}

// Scheduled returns how many attempts the schedule has.
func Scheduled() int { return len(schedule) }
