package line

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/dialwright/dialwright/internal/call"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/loop"
)

const (
	// fillerAfter is how long the recipient waits for the next sentence before the agent says a
	// filler sentence, once in an outage.
	fillerAfter = 3 * time.Second
	// outageTime is how long a call continues while its turns can't be written.
	outageTime = 30 * time.Second
	// keepUnsavedTime is how long these turns are kept after the end of the line.
	keepUnsavedTime = 10 * time.Minute
	// slowWriteTime is the longest write after which the holder replies at once. After a longer
	// write, it first handles the input that arrived meanwhile.
	slowWriteTime = time.Second
)

// retryPause is the time between two attempts to write. It differs between holders, so that they
// don't all write at once when the database is available again.
func retryPause() time.Duration { return 200*time.Millisecond + rand.N(200*time.Millisecond) }

// outage is a period in which the writes of a holder fail.
type outage struct {
	startedAt  time.Time // zero: the database answers
	retryAt    time.Time
	fillerSaid bool // the agent has asked the recipient to wait a moment
	filler     int  // the utterance that asked for a moment or announced the end of the call; 0: none
	slowWrite  bool // the last write took long
	givenUp    bool // the call ends because of the outage
}

func (o *outage) away() bool { return !o.startedAt.IsZero() }

// save writes the unsaved entries. Without unsaved entries, the write only shows that the holder is
// alive. While the database is unavailable, save returns nil and wait tries again. Errors:
// errReplaced.
func (t *talk) save(ctx context.Context) error {
	if t.replaced {
		return nil // finish writes the entries
	}
	began := t.service.now()
	err := t.attempt(ctx)
	now := t.service.now()
	switch {
	case err == nil:
		t.slowWrite = t.slowWrite || t.away() || now.Sub(began) > slowWriteTime
		t.startedAt, t.fillerSaid = time.Time{}, false
		return nil
	case ctx.Err() != nil, !isTransient(err):
		return err
	case !t.away():
		t.startedAt = began
		t.service.log.WarnContext(ctx, "writing a turn failed and will be retried", "call", t.id, "error", err)
	}
	t.retryAt = now.Add(retryPause())
	return nil
}

// isTransient reports whether another attempt may succeed after an error of the database.
func isTransient(err error) bool {
	if errors.Is(err, errReplaced) || errors.Is(err, carrier.ErrNotAdmitted) {
		return false
	}
	refusal, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || len(refusal.Code) != 5 {
		return true
	}
	switch refusal.Code[:2] {
	case "22", "23", "42": // the data, a constraint or the statement is wrong
		return false
	}
	return true
}

// attempt writes the unsaved entries once. If the write takes long, the agent asks the recipient to
// wait a moment.
func (t *talk) attempt(ctx context.Context) error {
	w, err := t.pending()
	if err != nil {
		return err
	}
	type result struct {
		update update
		err    error
	}
	done := make(chan result, 1)
	go func() {
		now, err := t.service.commit(ctx, w)
		done <- result{now, err}
	}()
	var fill <-chan time.Time
	if t.mayAskForMoment() {
		timer := time.NewTimer(t.unsaved.since.Add(t.service.outage.fill).Sub(t.service.now()))
		defer timer.Stop()
		fill = timer.C
	}
	for {
		select {
		case <-fill:
			t.askForMoment(ctx)
		case r := <-done:
			if r.err != nil {
				if t.mayAskForMoment() && t.service.now().Sub(t.unsaved.since) >= t.service.outage.fill {
					t.askForMoment(ctx)
				}
				return r.err
			}
			t.update, t.written = r.update, t.service.now()
			t.clearUnsaved()
			return nil
		}
	}
}

func (t *talk) clearUnsaved() {
	t.unsaved = entry{}
	t.unsavedWords.Store(0)
}

// mayAskForMoment reports whether a person waits for a sentence and the agent has not yet asked for
// a moment.
func (t *talk) mayAskForMoment() bool {
	return len(t.replies) > 0 && !t.fillerSaid && !t.givenUp && !t.lineEnded && t.partingSince.IsZero() &&
		t.update.AnsweredBy != call.Machine
}

func (t *talk) askForMoment(ctx context.Context) {
	t.fillerSaid = true
	if n, err := t.line.Say(ctx, t.state.Moment(), carrier.SayOptions{}); err == nil {
		t.lastSaid, t.filler = n, n
	}
}

// hopeless reports whether the recipient has waited for too long.
func (t *talk) hopeless(now time.Time) bool {
	return !t.givenUp && t.partingSince.IsZero() && t.unsaved.any() && now.Sub(t.unsaved.since) >= t.service.outage.most
}

// giveUp ends a call whose turns can't be written. The turns are kept.
func (t *talk) giveUp(ctx context.Context) {
	t.service.log.ErrorContext(ctx, "ending a call because the database is unavailable",
		"call", t.id, "unwritten", t.unsaved.words())
	t.givenUp, t.replies = true, nil
	if !t.unsaved.optOut {
		t.keep(entry{reason: call.ReasonLineFailed, by: call.BySystem})
	}
	_ = t.line.Flush(ctx) // next reports a closed line
	if n, err := t.line.Say(ctx, t.state.Trouble(), carrier.SayOptions{Uninterruptible: true}); err == nil {
		t.lastSaid, t.filler = n, n
	}
}

// hearRemaining stores the input that arrived before another holder replaced this holder. The agent
// says nothing more on this line.
func (t *talk) hearRemaining(ctx context.Context) {
	t.replaced, t.givenUp, t.replies = true, true, nil
	for t.peek(ctx); t.peeked != nil; t.peek(ctx) {
		heard := t.peeked
		t.peeked = nil
		_ = t.hear(ctx, heard) // its only error comes from a write
	}
}

// finish writes the remaining entries when the line has ended or was replaced. It returns after the
// first attempt. While the database is unavailable, further attempts follow in the background, for
// keepUnsavedTime.
func (t *talk) finish(ctx context.Context) {
	t.lineEnded = true
	if t.tryFinish(ctx) {
		t.service.lines.leave(t)
		return
	}
	go func() {
		defer t.service.lines.leave(t)
		for until := t.service.now().Add(t.service.outage.keep); t.service.now().Before(until); {
			if !loop.Sleep(ctx, retryPause()) || t.tryFinish(ctx) {
				return
			}
		}
		t.logLost(ctx, errors.New("the database stayed unavailable"))
	}()
}

// tryFinish makes one attempt to write. It reports whether no attempt must follow.
func (t *talk) tryFinish(ctx context.Context) bool {
	if !t.unsaved.any() {
		t.release(ctx)
		return true
	}
	write, closed := t.attempt, t.unsaved.closed
	if t.replaced {
		write = t.writeLate
	}
	err := write(ctx)
	switch {
	case err == nil:
		if !t.replaced && !closed {
			t.release(ctx)
		}
		return true
	case errors.Is(err, errReplaced) && !t.replaced:
		t.replaced = true
		return t.tryFinish(ctx)
	case ctx.Err() != nil:
		return true
	case !isTransient(err):
		t.logLost(ctx, err)
		return true
	}
	return false
}

// release records that this holder has nothing more to write. If that fails, the call is
// settled a little later.
func (t *talk) release(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	_, err := t.service.pool.Exec(ctx, `
		with former as (delete from call_line_former where call_id = $1 and epoch = $2)
		update call_line set held = false where call_id = $1 and epoch = $2`, t.id, t.epoch)
	if err != nil {
		t.service.log.WarnContext(ctx, "releasing a line failed", "call", t.id, "error", err)
	}
}

// logLost logs how many words and turns were lost.
func (t *talk) logLost(ctx context.Context, err error) {
	t.service.log.ErrorContext(ctx, "words of a call were lost",
		"call", t.id, "words", t.unsaved.words(), "turns", len(t.unsaved.turns), "error", err)
}
