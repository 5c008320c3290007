package line

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	maxTurnWriters = 2  // statements at the same time
	maxTurnBatch   = 64 // writes in one statement
)

// turnWriter writes the turns of all lines of this process. Every turn is on disk before the reply
// is spoken, which is most of the database's work in a busy minute. So turnWriter gathers the
// writes that arrive during other writes, and writes them in one statement afterwards. A write that
// can begin at once does not wait for others.
type turnWriter struct {
	pool *pgxpool.Pool

	mu      sync.Mutex
	pending []*write
	writers int // number of writing goroutines
}

// write commits a write, and returns the update for the holder. If ctx ends meanwhile, it is
// unknown whether the turns were written. Errors: errReplaced.
func (s *turnWriter) write(ctx context.Context, w *write) (update, error) {
	s.mu.Lock()
	s.pending = append(s.pending, w)
	begin := s.writers < maxTurnWriters
	if begin {
		s.writers++
	}
	s.mu.Unlock()
	if begin {
		go s.run()
	}
	select {
	case <-w.done:
		return w.update, w.err
	case <-ctx.Done():
		s.drop(w)
		return update{}, w.failed(ctx.Err())
	}
}

// drop removes a write whose caller no longer waits, unless it is being written.
func (s *turnWriter) drop(w *write) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = slices.DeleteFunc(s.pending, func(other *write) bool { return other == w })
}

// run writes until no write is pending.
func (s *turnWriter) run() {
	for {
		batch := s.take()
		if len(batch) == 0 {
			return
		}
		for _, w := range s.writeBatch(batch) {
			go s.writeOne(w) // it may wait for a lock, and only its own call waits with it
		}
	}
}

func (s *turnWriter) take() []*write {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.pending), maxTurnBatch)
	batch := s.pending[:n:n]
	s.pending = s.pending[n:]
	if n == 0 {
		s.pending = nil
		s.writers--
	}
	return batch
}

// finish reports the result of a write to its holder.
func (w *write) finish(now update, err error) {
	w.update, w.err = now, err
	close(w.done)
}

// writeOne writes the turns of one line, once the line is free.
func (s *turnWriter) writeOne(w *write) {
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	var now update
	batch := &pgx.Batch{}
	w.queue(batch, &now)
	err := w.send(ctx, s.pool, batch)
	w.finish(now, err)
}

// writeBatch writes the turns of several lines in one statement. It returns the writes that must be
// written alone: their line is locked, or has another holder. When PostgreSQL refuses the
// statement, writeBatch returns all writes, because any of them may be the cause.
func (s *turnWriter) writeBatch(batch []*write) (left []*write) {
	written, err := s.writeFree(batch)
	if _, refused := errors.AsType[*pgconn.PgError](err); refused {
		return batch
	}
	for _, w := range batch {
		now, ok := written[w.lineHolder]
		switch {
		case err != nil: // the statement could not be sent
			w.finish(update{}, w.failed(err))
		case ok:
			w.finish(now, nil)
		default:
			left = append(left, w)
		}
	}
	return left
}

// writeFree commits the writes whose lines are free and still have the same holder. On an error, it
// commits no write.
func (s *turnWriter) writeFree(batch []*write) (map[lineHolder]update, error) {
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	rows, err := s.pool.Query(ctx, writeFreeLines.SQL, writeFreeLines.Args(writeArgs(batch...))...)
	if err != nil {
		return nil, err
	}
	return readUpdates(rows)
}
