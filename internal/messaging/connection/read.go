package connection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/messaging/cloud"
)

const (
	// reuseAge is the greatest age of a read that a quota may be answered from. It
	// applies only while more quotas are asked for than the operator's limit of 5,000
	// requests an hour per account allows.
	reuseAge  = 5 * time.Second
	freeReads = 10 // this many reads within freeTime are never reused
	freeTime  = 10 * time.Second
)

// connectionReads are the reads of one connection.
type connectionReads struct {
	current *sharedRead // nil while no read is in flight
	begun   []time.Time
}

// sharedRead is one read that any number of callers wait for.
type sharedRead struct {
	whole bool
	done  chan struct{}
	err   error
}

// mayReuse reports whether a recent read may answer another quota.
func (s *Service) mayReuse(connectionID uuid.UUID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.reads[connectionID]
	if r == nil {
		return false
	}
	r.begun = slices.DeleteFunc(r.begun, func(at time.Time) bool { return time.Since(at) > freeTime })
	return len(r.begun) >= freeReads
}

// read reads a connection's account at the operator and stores it. Callers that come
// during a read share its result.
func (s *Service) read(ctx context.Context, at connectionRef, whole bool) error {
	s.mu.Lock()
	r := s.reads[at.connectionID]
	if r == nil {
		r = &connectionReads{}
		s.reads[at.connectionID] = r
	}
	f := r.current
	if f == nil || whole != f.whole { // a failed read of templates must not fail a quota
		f = &sharedRead{whole: whole, done: make(chan struct{})}
		r.current = f
		r.begun = append(r.begun, time.Now())
		go func() {
			// The read must not end with this caller's ctx: others may wait for it.
			fctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.readTime)
			defer cancel()
			f.err = s.readOne(fctx, at, whole)
			s.mu.Lock()
			if r.current == f {
				r.current = nil
			}
			s.mu.Unlock()
			close(f.done)
		}()
	}
	s.mu.Unlock()
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Service) readOne(ctx context.Context, at connectionRef, whole bool) error {
	to, err := s.Account(ctx, at.connectionID)
	if errors.Is(err, cloud.ErrNoConnection) {
		return err
	}
	if err != nil {
		return errors.Join(err, s.noteFailure(at.connectionID, err))
	}
	l, err := readAccount(ctx, to, whole)
	if err != nil && whole {
		// Sending needs the numbers and their limits even if the templates cannot be
		// read.
		if numbers, numbersErr := readAccount(ctx, to, false); numbersErr == nil {
			err = errors.Join(err, s.store(ctx, at, numbers))
		}
	}
	if err != nil {
		return errors.Join(err, s.noteFailure(at.connectionID, err))
	}
	return s.store(ctx, at, l)
}

// noteFailure stores why a read failed, for people.
func (s *Service) noteFailure(connectionID uuid.UUID, cause error) error {
	why := "WhatsApp could not be read"
	if e, ok := errors.AsType[*cloud.Error](cause); ok {
		why = e.Error()
	}
	ctx, cancel := context.WithTimeout(context.Background(), readTime) // the read's ctx may be over
	defer cancel()
	_, err := s.pool.Exec(ctx, `
		update messaging_connection set last_error = @why, last_error_at = clock() where id = @id`,
		pgx.NamedArgs{"id": connectionID, "why": why})
	if err != nil {
		return fmt.Errorf("note a failed read of messaging connection %s: %w", connectionID, err)
	}
	return nil
}
