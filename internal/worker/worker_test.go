package worker

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestALoopThatFailsStartsAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var runs atomic.Int32
		began := time.Now()
		var starts []time.Duration
		keep(ctx, slog.New(slog.DiscardHandler), nil, func(ctx context.Context) error {
			starts = append(starts, time.Since(began))
			switch runs.Add(1) {
			case 1:
				panic("a mistake")
			case 2, 3:
				return errors.New("the database is away")
			}
			cancel()
			<-ctx.Done()
			return nil
		})
		want := []time.Duration{0, leastPause, 3 * leastPause, 7 * leastPause}
		for i, at := range want {
			if i >= len(starts) || starts[i] != at {
				t.Fatalf("started at %v, want %v", starts, want)
			}
		}
	})
}

func TestEveryStopsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		err := every(time.Minute, func(context.Context) error {
			if n++; n == 3 {
				cancel()
			}
			return nil
		})(ctx)
		if err != nil || n != 3 {
			t.Errorf("%d runs, %v", n, err)
		}
	})
}
