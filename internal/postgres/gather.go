package postgres

import (
	"context"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
)

// mostGathered is the number of questions in one statement.
const mostGathered = 64

// Gatherer asks questions of many goroutines in few statements. Starting and ending a statement costs more than finding
// a row by its key, so questions that come while a statement is under way share the next one. A question that comes
// alone is asked at once, in its own goroutine. The zero value is not usable; make it with NewGatherer.
type Gatherer[Q, A any] struct {
	ask   Ask[Q, A]
	hands int

	mu      sync.Mutex
	pending []*question[Q, A]
	busy    int // number of hands that ask
}

// Ask asks questions in one statement. It calls answer for each question that has an answer, by its index. It may leave
// out a question that is alone only after it has waited for its locks (waits), so that one locked row does not delay
// other questions. Gatherer asks each question that was left out again, by itself and with waits.
type Ask[Q, A any] func(ctx context.Context, questions []Q, waits bool, answer func(i int, a A)) error

type question[Q, A any] struct {
	q        Q
	a        A
	answered bool
	err      error
	done     chan struct{}
}

// NewGatherer returns a Gatherer with at most so many statements at a time, not counting those that wait for locks.
func NewGatherer[Q, A any](hands int, ask Ask[Q, A]) *Gatherer[Q, A] {
	return &Gatherer[Q, A]{ask: ask, hands: hands}
}

// Ask returns the answer to a question. The statement begins after the call of Ask, so it sees what was committed
// before. If ctx ends first, the question is not asked, unless its statement is under way.
//
// Errors: pgx.ErrNoRows if there is no answer, and those of the statement.
func (g *Gatherer[Q, A]) Ask(ctx context.Context, q Q) (A, error) {
	asked := &question[Q, A]{q: q, done: make(chan struct{})}
	g.mu.Lock()
	first := g.busy < g.hands
	if first {
		g.busy++
	} else {
		g.pending = append(g.pending, asked)
	}
	g.mu.Unlock()
	if first {
		g.askFirst(ctx, asked)
	} else {
		select {
		case <-asked.done:
		case <-ctx.Done():
			g.drop(asked)
			var none A // asked.a may be written at this moment
			return none, ctx.Err()
		}
	}
	if asked.answered || asked.err != nil {
		return asked.a, asked.err
	}
	return g.askAlone(ctx, q)
}

// askFirst asks the question of a caller who found a free hand.
func (g *Gatherer[Q, A]) askFirst(ctx context.Context, asked *question[Q, A]) {
	defer g.passOn() // also after a panic: the hand must not be lost
	g.askBatch(ctx, []*question[Q, A]{asked})
}

// passOn gives the hand of a caller to a goroutine if questions came meanwhile, because the caller has its answer.
func (g *Gatherer[Q, A]) passOn() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.pending) == 0 {
		g.busy--
		return
	}
	go g.run()
}

// run asks until no question is pending.
func (g *Gatherer[Q, A]) run() {
	for {
		batch := g.take()
		if len(batch) == 0 {
			return
		}
		// A batch belongs to many callers, so it does not end with one of them. The pool limits its time.
		g.askBatch(context.Background(), batch)
		for _, asked := range batch {
			close(asked.done)
		}
	}
}

func (g *Gatherer[Q, A]) take() []*question[Q, A] {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.pending), mostGathered)
	batch := g.pending[:n:n]
	g.pending = g.pending[n:]
	if n == 0 {
		g.pending = nil
		g.busy--
	}
	return batch
}

// drop removes a question whose caller no longer waits, unless it is being asked.
func (g *Gatherer[Q, A]) drop(asked *question[Q, A]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pending = slices.DeleteFunc(g.pending, func(other *question[Q, A]) bool { return other == asked })
}

// askBatch asks questions in one statement. When the database is away, all of them have failed. When the statement
// fails otherwise, one of them may be the cause, so all are left to be asked by themselves.
func (g *Gatherer[Q, A]) askBatch(ctx context.Context, batch []*question[Q, A]) {
	questions := make([]Q, len(batch))
	for i, asked := range batch {
		questions[i] = asked.q
	}
	err := g.ask(ctx, questions, false, func(i int, a A) { batch[i].a, batch[i].answered = a, true })
	if err == nil {
		return
	}
	for _, asked := range batch {
		asked.answered = false
		if len(batch) == 1 || Away(err) {
			asked.err = err
		}
	}
}

func (g *Gatherer[Q, A]) askAlone(ctx context.Context, q Q) (A, error) {
	var a A
	found := false
	err := g.ask(ctx, []Q{q}, true, func(_ int, answer A) { a, found = answer, true })
	if err == nil && !found {
		err = pgx.ErrNoRows
	}
	return a, err
}
