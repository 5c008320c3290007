package loop_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dialwright/dialwright/internal/loop"
)

func TestSleepEndsWithItsTimeOrItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		start := time.Now()
		if !loop.Sleep(ctx, 0) || !loop.Sleep(ctx, -time.Second) || time.Since(start) != 0 {
			t.Error("waited for nothing")
		}
		if !loop.Sleep(ctx, 2*time.Second) || time.Since(start) != 2*time.Second {
			t.Errorf("slept %v", time.Since(start))
		}
		if loop.Sleep(ctx, 2*time.Second) || time.Since(start) != 3*time.Second {
			t.Errorf("slept until %v, although the context ended", time.Since(start))
		}
		if loop.Sleep(ctx, 0) {
			t.Error("the context has ended")
		}
	})
}

func TestAwaitEndsWhenWoken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		woken := make(chan struct{}, 1)
		start := time.Now()
		time.AfterFunc(time.Second, func() { woken <- struct{}{} })
		if !loop.Await(t.Context(), woken, time.Minute) || time.Since(start) != time.Second {
			t.Errorf("waited %v", time.Since(start))
		}
	})
}

func TestBackoffGrowsToItsBound(t *testing.T) {
	t.Parallel()
	var b loop.Backoff
	for i, want := range []time.Duration{2, 4, 8, 9, 9} {
		if b.Failing() != (i > 0) {
			t.Errorf("after %d failures: failing %t", i, b.Failing())
		}
		if got := b.Next(2, 9); got != want {
			t.Errorf("pause %d is %d, want %d", i+1, got, want)
		}
	}
	if got := b.Next(2, 3); got != 3 {
		t.Errorf("a lower bound gives %d", got)
	}
	if b.Reset(); b.Failing() || b.Next(2, 9) != 2 {
		t.Error("a new series does not begin with the least pause")
	}
	for range 1000 {
		if d := loop.Jitter(time.Second); d < time.Second/2 || d >= time.Second {
			t.Fatalf("jitter %v", d)
		}
	}
}
