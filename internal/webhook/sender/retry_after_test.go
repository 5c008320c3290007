package sender

import (
	"net/http"
	"strconv"
	"testing"
	"time"
)

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
		if got < 0 || got > MaxRetryAfter {
			t.Errorf("%q: %s", header, got)
		}
		if n, err := strconv.ParseUint(header, 10, 16); err == nil && got != time.Duration(n)*time.Second {
			t.Errorf("%q: %s", header, got)
		}
	})
}
