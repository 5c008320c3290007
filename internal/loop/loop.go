// Package loop provides the waits of loops: between two passes, and after a failure.
package loop

import (
	"context"
	"math/rand/v2"
	"time"
)

// Sleep waits for d. It returns false if ctx ends first.
func Sleep(ctx context.Context, d time.Duration) bool { return Await(ctx, nil, d) }

// Await waits for d or for woken. It returns false if ctx ends first.
func Await(ctx context.Context, woken <-chan struct{}, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-woken:
	case <-timer.C:
	}
	return true
}

// Backoff computes the pauses in a series of failures. The zero value has no failures.
type Backoff struct{ pause time.Duration }

// Next returns the pause after another failure: least after the first failure, then twice the previous pause, and
// never more than most.
func (b *Backoff) Next(least, most time.Duration) time.Duration {
	b.pause = min(max(2*b.pause, least), most)
	return b.pause
}

// Failing reports whether there was a failure since the last Reset.
func (b *Backoff) Failing() bool { return b.pause != 0 }

// Reset ends the series of failures after a success.
func (b *Backoff) Reset() { b.pause = 0 }

// Jitter returns a random duration between half of d and d, so that processes that
// failed together do not try again together.
func Jitter(d time.Duration) time.Duration { return d/2 + rand.N(d/2) }
