package line

import (
	"context"
	"errors"
	"sync"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// lines are the open lines of this process.
type lines struct {
	mu       *sync.Mutex
	draining chan struct{} // closed when the process must hand over every line as soon as possible
	open     map[*talk]struct{}
	none     chan struct{} // closed when the process is draining and no line is open
}

func newLines() lines {
	return lines{
		mu: &sync.Mutex{}, draining: make(chan struct{}), open: map[*talk]struct{}{}, none: make(chan struct{}),
	}
}

// enter registers an open line. It returns false when the process is stopping.
func (l *lines) enter(t *talk) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isDraining() {
		return false
	}
	l.open[t] = struct{}{}
	return true
}

func (l *lines) leave(t *talk) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, t)
	close(t.finished)
	if l.isDraining() && len(l.open) == 0 {
		close(l.none)
	}
}

func (l *lines) isDraining() bool {
	select {
	case <-l.draining:
		return true
	default:
		return false
	}
}

// Drain hands over the lines of this process, which is shutting down. A line is released when
// neither side speaks, and the carrier opens it again at another process. The process accepts no
// new line. Drain returns when no line is left, or when ctx is done.
func (s *Service) Drain(ctx context.Context) error {
	l := &s.lines
	l.mu.Lock()
	if !l.isDraining() {
		close(l.draining)
		if len(l.open) == 0 {
			close(l.none)
		}
	}
	l.mu.Unlock()
	select {
	case <-l.none:
		return nil
	case <-ctx.Done():
		if words := l.unsaved(); words > 0 {
			s.log.ErrorContext(ctx, "words of calls were lost because the database is unavailable during shutdown",
				"words", words)
		}
		return ctx.Err()
	}
}

// unsaved returns how many turns of recipients are not on disk.
func (l *lines) unsaved() (words int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for t := range l.open {
		words += int(t.unsavedWords.Load())
	}
	return words
}

// former returns another line of the same call in this process that has unsaved turns, or nil.
func (l *lines) former(t *talk) *talk {
	l.mu.Lock()
	defer l.mu.Unlock()
	for other := range l.open {
		if other != t && other.id == t.id && other.unsavedWords.Load() > 0 {
			return other
		}
	}
	return nil
}

// OpenLines returns how many lines this process has.
func (s *Service) OpenLines() int {
	s.lines.mu.Lock()
	defer s.lines.mu.Unlock()
	return len(s.lines.open)
}

// Converse runs the conversation on a line, from the start or from where another holder stopped. It
// implements carrier.Host. It returns without hanging up when another holder must continue: this
// process is stopping, or a newer line was opened.
func (s *Service) Converse(ctx context.Context, connectionID, callID uuid.UUID, line carrier.Line) {
	t := &talk{service: s, line: line, lineHolder: lineHolder{id: callID}, finished: make(chan struct{})}
	if !s.lines.enter(t) {
		return
	}
	err := t.openWithRetry(ctx, connectionID)
	if err != nil {
		if t.hearRemaining(ctx); t.unsaved.words() > 0 {
			t.logLost(ctx, err)
		}
		s.lines.leave(t)
	} else {
		err = t.converse(ctx)
		if errors.Is(err, errReplaced) {
			t.hearRemaining(ctx)
		}
		t.finish(ctx)
	}
	switch {
	case errors.Is(err, carrier.ErrNotAdmitted):
		_ = line.Hangup(ctx) // its only error: the line is closed
	case err == nil, errors.Is(err, errReplaced), ctx.Err() != nil:
	default:
		s.log.ErrorContext(ctx, "conversation failed", "call", callID, "error", err)
	}
}
