package postgres_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/testwait"
)

// asker answers n with 10n. It records the statements. The first one ends when goOn is closed.
type asker struct {
	mu         sync.Mutex
	statements [][]int
	alone      []int // asked with waits
	begun      chan struct{}
	goOn       chan struct{}
	leaveOut   int // no answer without waits
	unknown    int // no answer
	broken     error
	breaks     int // the statement with this question fails
}

func (a *asker) ask(_ context.Context, questions []int, waits bool, answer func(int, int)) error {
	a.mu.Lock()
	first := len(a.statements) == 0
	if waits {
		a.alone = append(a.alone, questions...)
	} else {
		a.statements = append(a.statements, slices.Clone(questions))
	}
	a.mu.Unlock()
	if first {
		close(a.begun)
		<-a.goOn
	}
	for i, q := range questions {
		if q == a.breaks && a.broken != nil {
			return a.broken
		}
		if q != a.unknown && (q != a.leaveOut || waits) {
			answer(i, 10*q)
		}
	}
	return nil
}

type answered struct {
	value int
	err   error
}

// gathered asks 1 and, while its statement is under way, the others. The caller of leaves goes before its end.
func gathered(t *testing.T, a *asker, leaves int, others ...int) map[int]answered {
	t.Helper()
	a.begun, a.goOn = make(chan struct{}), make(chan struct{})
	g := postgres.NewGatherer(1, a.ask)
	results := map[int]chan answered{}
	ask := func(ctx context.Context, q int) {
		results[q] = make(chan answered, 1)
		go func() {
			value, err := g.Ask(ctx, q)
			results[q] <- answered{value, err}
		}()
	}
	ask(t.Context(), 1)
	<-a.begun
	var leave context.CancelFunc
	for i, q := range others {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if q == leaves {
			leave = cancel
		}
		ask(ctx, q)
		for g.Waiting() <= i {
			runtime.Gosched()
		}
	}
	got := map[int]answered{}
	if leave != nil {
		leave()
		got[leaves] = testwait.Next(t, "the answer to who left", results[leaves])
	}
	close(a.goOn)
	for q, result := range results {
		if q != leaves {
			got[q] = testwait.Next(t, "an answer", result)
		}
	}
	return got
}

func TestQuestionsOfOneMomentShareAStatement(t *testing.T) {
	t.Parallel()
	a := &asker{unknown: 4, leaveOut: 5}
	got := gathered(t, a, 3, 2, 3, 4, 5, 6)
	for q, want := range map[int]answered{1: {10, nil}, 2: {20, nil}, 5: {50, nil}, 6: {60, nil}} {
		if got[q] != want {
			t.Errorf("%d: %v", q, got[q])
		}
	}
	if !errors.Is(got[3].err, context.Canceled) || !errors.Is(got[4].err, pgx.ErrNoRows) {
		t.Errorf("left: %v, unknown: %v", got[3].err, got[4].err)
	}
	// The question of a caller who left is not asked. What was left out is asked again by itself.
	slices.Sort(a.alone)
	if len(a.statements) != 2 || !slices.Equal(a.statements[1], []int{2, 4, 5, 6}) ||
		!slices.Equal(a.alone, []int{4, 5}) {
		t.Errorf("statements %v, alone %v", a.statements, a.alone)
	}
}

// A question that PostgreSQL refuses fails alone. When the database is away, nothing is asked twice.
func TestAFailureOfOneQuestionIsItsOwn(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	a := &asker{broken: refused, breaks: 3}
	got := gathered(t, a, 0, 2, 3, 4)
	if !errors.Is(got[3].err, refused) || got[2] != (answered{20, nil}) || got[4] != (answered{40, nil}) {
		t.Errorf("%v", got)
	}
	a = &asker{broken: io.ErrUnexpectedEOF, breaks: 3}
	got = gathered(t, a, 0, 2, 3, 4)
	for q := 2; q <= 4; q++ {
		if !errors.Is(got[q].err, io.ErrUnexpectedEOF) {
			t.Errorf("%d: %v", q, got[q])
		}
	}
	if got[1] != (answered{10, nil}) || len(a.alone) > 0 {
		t.Errorf("%v, alone %v", got[1], a.alone)
	}
}

// A question finds a free hand after any number of others.
func TestNoHandIsLost(t *testing.T) {
	t.Parallel()
	g := postgres.NewGatherer(2, func(_ context.Context, questions []int, _ bool, answer func(int, int)) error {
		if slices.Contains(questions, 0) && len(questions) == 1 {
			panic("zero")
		}
		for i, q := range questions {
			answer(i, -q)
		}
		return nil
	})
	for range 3 {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			_, _ = g.Ask(t.Context(), 0)
		}()
	}
	var group sync.WaitGroup
	for n := range 1000 {
		group.Go(func() {
			if got, err := g.Ask(t.Context(), n+1); err != nil || got != -n-1 {
				t.Errorf("%d: %d, %v", n+1, got, err)
			}
		})
	}
	group.Wait()
}
