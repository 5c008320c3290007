package worker

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
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

// While the database is unavailable, a loop restarts every second, and immediately when the hub is connected. A
// loop that fails for another reason waits longer.
func TestALoopStartsWhenTheDatabaseIsBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err  error
		want []time.Duration // the last two starts; the database is back after 61 s
	}{
		"the database is away": {
			&pgconn.PgError{Code: "57P03"}, []time.Duration{60500 * time.Millisecond, 61 * time.Second},
		},
		"a mistake": {errors.New("a mistake"), []time.Duration{31500 * time.Millisecond, 61500 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				back := make(chan struct{}, 1)
				began := time.Now()
				time.AfterFunc(61*time.Second, func() { back <- struct{}{} })
				var starts []time.Duration
				keep(ctx, slog.New(slog.DiscardHandler), back, func(context.Context) error {
					starts = append(starts, time.Since(began))
					if time.Since(began) >= 61*time.Second {
						cancel()
					}
					return test.err
				})
				if last := starts[len(starts)-2:]; !slices.Equal(last, test.want) {
					t.Errorf("started last at %v, want %v", last, test.want)
				}
			})
		})
	}
}
