package sender

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// MaxRetryAfter is the longest wait that a receiver may request.
const MaxRetryAfter = 24 * time.Hour

// retryAfter reads the header Retry-After of a 429 or 503: seconds, or a date
// (RFC 9110 §10.2.3). It is 0 for anything else.
func retryAfter(status int, header string, now time.Time) time.Duration {
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return 0
	}
	header = strings.TrimSpace(header)
	if header != "" && strings.Trim(header, "0123456789") == "" {
		seconds, err := strconv.ParseInt(header, 10, 64)
		if err != nil || seconds > int64(MaxRetryAfter/time.Second) { // err means that the number exceeds 64 bits
			return MaxRetryAfter
		}
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), MaxRetryAfter)
}
