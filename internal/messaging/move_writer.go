package messaging

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const (
	writeLinger  = 10 * time.Millisecond // how long a batch waits for more moves
	maxMoveBatch = 500                   // moves written in one transaction
	writeTime    = 20 * time.Second      // the time for one transaction
)

// moveWriter writes the moves of one scope in batches. Answers and statuses come one at a
// time, hundreds per second, and a transaction each would hold the scope's lock too long.
// Moves that come during a transaction are written together in the next.
type moveWriter struct {
	mu      sync.Mutex
	queue   []*pendingMoves
	running bool
}

// pendingMoves are the moves of one caller and their result.
type pendingMoves struct {
	moves []Move
	done  chan struct{}
	moved []state
	err   error
}

// Move makes moves of messages in their order and returns after the commit. It leaves out
// messages that do not exist.
func (s *Service) Move(ctx context.Context, moves ...Move) ([]state, error) {
	for range 3 {
		byScope, err := s.scopesOf(ctx, moves)
		if err != nil {
			return nil, err
		}
		var all []state
		for scopeID, its := range byScope {
			moved, err := s.MoveIn(ctx, scopeID, its)
			if errors.Is(err, ErrMoved) {
				break
			}
			if err != nil {
				return nil, err
			}
			all = append(all, moved...)
			delete(byScope, scopeID)
		}
		if len(byScope) == 0 {
			return all, nil
		}
	}
	return nil, ErrMoved
}

func (s *Service) scopesOf(ctx context.Context, moves []Move) (map[uuid.UUID][]Move, error) {
	ids := make([]uuid.UUID, len(moves))
	for i, m := range moves {
		ids[i] = m.ID
	}
	rows, err := s.pool.Query(ctx, `select id, scope_id from message where id = any($1)`, ids)
	if err != nil {
		return nil, fmt.Errorf("find the scopes of %d messages: %w", len(moves), err)
	}
	scopes := map[uuid.UUID]uuid.UUID{}
	var id, scopeID uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&id, &scopeID}, func() error {
		scopes[id] = scopeID
		return nil
	}); err != nil {
		return nil, fmt.Errorf("find the scopes of %d messages: %w", len(moves), err)
	}
	byScope := map[uuid.UUID][]Move{}
	for _, m := range moves {
		if scopeID, ok := scopes[m.ID]; ok {
			byScope[scopeID] = append(byScope[scopeID], m)
		}
	}
	return byScope, nil
}

// MoveIn is Move for messages of one scope. Error: ErrMoved.
func (s *Service) MoveIn(ctx context.Context, scopeID uuid.UUID, moves []Move) ([]state, error) {
	s.mu.Lock()
	w := s.writers[scopeID]
	if w == nil {
		w = &moveWriter{}
		s.writers[scopeID] = w
	}
	s.mu.Unlock()

	mine := &pendingMoves{moves: moves, done: make(chan struct{})}
	w.mu.Lock()
	w.queue = append(w.queue, mine)
	leads := !w.running
	w.running = true
	w.mu.Unlock()
	if leads {
		// The write must not end with this caller's ctx: the batch has moves of others.
		go s.writeAll(context.WithoutCancel(ctx), scopeID, w)
	}
	select {
	case <-mine.done:
		return mine.moved, mine.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// writeAll writes batches until no moves are left.
func (s *Service) writeAll(ctx context.Context, scopeID uuid.UUID, w *moveWriter) {
	for {
		time.Sleep(writeLinger)
		w.mu.Lock()
		var batch []*pendingMoves
		n := 0
		for len(w.queue) > 0 && (n == 0 || n+len(w.queue[0].moves) <= maxMoveBatch) {
			n += len(w.queue[0].moves)
			batch, w.queue = append(batch, w.queue[0]), w.queue[1:]
		}
		w.running = len(batch) > 0
		w.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		s.writeOne(ctx, scopeID, batch)
	}
}

func (s *Service) writeOne(ctx context.Context, scopeID uuid.UUID, batch []*pendingMoves) {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	var moves []Move
	for _, b := range batch {
		moves = append(moves, b.moves...)
	}
	var moved []state
	err := s.InScopes(ctx, []uuid.UUID{scopeID}, func(w *ScopeTx) (err error) {
		moved, err = w.Transition(ctx, moves, nil)
		return err
	})
	byID := make(map[uuid.UUID]state, len(moved))
	for _, m := range moved {
		byID[m.ID] = m
	}
	for _, b := range batch {
		for _, m := range b.moves {
			if state, ok := byID[m.ID]; ok && err == nil {
				b.moved = append(b.moved, state)
			}
		}
		b.err = err
		close(b.done)
	}
}
