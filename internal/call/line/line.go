package line

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/dialwright/dialwright/internal/call"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/loop"
)

// lines are the lines this process holds.
type lines struct {
	mu       *sync.Mutex
	draining chan struct{} // closed when no line may be held any longer than it must
	open     map[*talk]struct{}
	none     chan struct{} // closed when draining and none is open
}

func newLines() lines {
	return lines{
		mu: &sync.Mutex{}, draining: make(chan struct{}), open: map[*talk]struct{}{}, none: make(chan struct{}),
	}
}

// enter is false when the process is stopping.
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

// Drain hands the lines of this process over, for its shutdown: each is let go
// when nobody is being spoken to, and the carrier opens it again elsewhere. No
// new one is held. It returns when all are gone, or when ctx is done.
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
			s.log.ErrorContext(ctx, "words of calls were lost because the database is unavailable during shutdown", "words", words)
		}
		return ctx.Err()
	}
}

// unsaved is how many words of recipients are not on disk.
func (l *lines) unsaved() (words int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for t := range l.open {
		words += int(t.unsavedWords.Load())
	}
	return words
}

// former is another line of the same call, held by this process, with words to write.
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

// OpenLines is how many lines this process holds.
func (s *Service) OpenLines() int {
	s.lines.mu.Lock()
	defer s.lines.mu.Unlock()
	return len(s.lines.open)
}

// Converse holds the conversation on a line, from the start or from where
// another holder left it. It implements carrier.Host. It returns without
// hanging up when the call is to be taken over: the process is stopping, or a
// newer line was opened.
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
		_ = line.Hangup(ctx) // its only error is that the line is closed
	case err == nil, errors.Is(err, errReplaced), ctx.Err() != nil:
	default:
		s.log.ErrorContext(ctx, "conversation failed", "call", callID, "error", err)
	}
}

// openWithRetry opens the line. While the database is away it tries again, as long as the
// call can live on without a word.
func (t *talk) openWithRetry(ctx context.Context, connectionID uuid.UUID) error {
	if former := t.service.lines.former(t); former != nil {
		select { // what it has heard comes first
		case <-former.finished:
		case <-time.After(t.service.outage.most):
		case <-ctx.Done():
		}
	}
	for until := t.service.now().Add(t.service.outage.most); ; {
		attempt, cancel := context.WithTimeout(ctx, writeTime)
		err := t.open(attempt, connectionID)
		cancel()
		if err == nil || !isTransient(err) || t.service.lines.isDraining() || t.service.now().After(until) {
			return err
		}
		if !loop.Sleep(ctx, retryPause()) {
			return ctx.Err()
		}
	}
}

// errReplaced: a newer line was opened for the call, or the call is settled.
var errReplaced = errors.New("another process took over the line")

// update is what a holder must know of its call's row; every write returns it.
type update struct {
	AnsweredBy call.AnsweredBy
	HangUp     bool // somebody wants the call ended
	Ended      bool
}

// open makes this line the one that counts: it takes the next epoch, so that
// the holder of an older one is stopped at its next write. That a line is open
// proves that the call was answered.
func (t *talk) open(ctx context.Context, connectionID uuid.UUID) error {
	s := t.service
	var err error
	t.update.Ended, err = s.calls.LineOpened(ctx, connectionID, t.id, t.line.CarrierCallID())
	if err != nil {
		return err
	}

	var (
		script, kept, state, variables []byte
		language, agent, name          string
		action                         call.VoicemailAction
		up, longest                    float64 // seconds
	)
	batch := &pgx.Batch{}
	// Another line may be opened at this moment: the statement that follows has to
	// see what the former one wrote.
	call.QueueLock(batch, t.id)
	batch.Queue(`
		with c as (
			select id, organization_id, agent_id, to_number, recipient_name, variables, voicemail_action,
			       max_duration_seconds, answered_at, answered_by
			from call c
			where id = $1 and connection_id = $2 and (c.status in ('queued', 'ringing', 'in_progress')
			   -- or it ended while the database was away, and waits for the last words of its line
			   or settled_at is null and exists (select from call_line l where l.call_id = c.id and l.closed_at is null))
			for no key update
		), before as (
			select line.* from call_line line join c on c.id = line.call_id for no key update of line
		), former as (
			insert into call_line_former (call_id, epoch, entry, turns)
			select call_id, epoch, entry, turns from before where held
			returning epoch
		), l as (
			insert into call_line (call_id, organization_id, instance_id)
			select id, organization_id, $3 from c
			where (select count(*) from former) >= 0 -- the former holder is noted before it is replaced
			on conflict (call_id) do update set
				epoch = call_line.epoch + 1, entry = 0, held = true, closed_at = null, updated_at = clock(),
				instance_id = excluded.instance_id
			returning epoch, script, state
		)
		select c.organization_id, c.to_number, c.recipient_name, c.variables, c.voicemail_action,
		       c.max_duration_seconds::float8, extract(epoch from clock() - c.answered_at)::float8,
		       coalesce(c.answered_by, ''), a.name, a.language, a.script, l.epoch, l.script, l.state
		from c, l, agent a
		where a.id = c.agent_id`, t.id, connectionID, s.calls.Instance()).QueryRow(func(row pgx.Row) error {
		return row.Scan(&t.organization, &t.number, &name, &variables, &action, &longest, &up, &t.update.AnsweredBy,
			&agent, &language, &script, &t.epoch, &kept, &state)
	})
	err = s.pool.SendBatch(ctx, batch).Close()
	if errors.Is(err, pgx.ErrNoRows) {
		return carrier.ErrNotAdmitted
	}
	if err != nil {
		return fmt.Errorf("open a line of call %s: %w", t.id, err)
	}
	t.answered = s.now().Add(-time.Duration(up * float64(time.Second)))
	t.limit = t.answered.Add(time.Duration(longest * float64(time.Second)))

	if state != nil {
		if err := json.Unmarshal(state, &t.state); err != nil {
			return fmt.Errorf("read the conversation of call %s: %w", t.id, err)
		}
		if err := json.Unmarshal(kept, &t.state.Script); err != nil {
			return fmt.Errorf("read the script of call %s: %w", t.id, err)
		}
		t.resumed = true
		return nil
	}
	var opening conversation.Script
	if err := json.Unmarshal(script, &opening); err != nil {
		return fmt.Errorf("read the agent's script for call %s: %w", t.id, err)
	}
	if opening.Language == "" {
		opening.Language = language
	}
	vars := map[string]any{}
	if err := json.Unmarshal(variables, &vars); err != nil {
		return fmt.Errorf("read the variables of call %s: %w", t.id, err)
	}
	known := conversation.Known{Agent: agent, Name: name, PhoneNumber: t.number}
	t.state, t.first = conversation.Start(opening, known.Variables(vars), action == call.LeaveMessage)
	return nil
}
