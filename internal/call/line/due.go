package line

import (
	"cmp"
	"context"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
)

// due returns when the holder must act if no input arrives.
func (t *talk) due() time.Time {
	due := t.written.Add(touchTime)
	if t.away() {
		due = t.retryAt
	}
	if !t.partingSince.IsZero() {
		if part := t.partingSince.Add(partTime); !t.away() || part.Before(due) {
			due = part
		}
		return due
	}
	if t.limit.Before(due) {
		due = t.limit
	}
	if up := t.timeUp(); !up.IsZero() && !t.away() && up.Before(due) {
		due = up
	}
	if silent := t.quietSince.Add(t.silence()); t.silent() && silent.Before(due) {
		due = silent
	}
	for _, late := range []time.Time{t.thinkingDue(), t.toolDue()} {
		if !late.IsZero() && late.Before(due) {
			due = late
		}
	}
	return due
}

// timeUp returns when the agent's own limit of the call is reached, or zero.
func (t *talk) timeUp() time.Time {
	most := t.state.MaxTime()
	if most == 0 {
		return time.Time{}
	}
	return t.answered.Add(most)
}

// silence is how long the recipient may be silent after the agent has spoken.
func (t *talk) silence() time.Duration {
	return cmp.Or(t.service.silence, t.state.Patience())
}

// silent reports whether it is the recipient's turn to speak.
func (t *talk) silent() bool {
	return t.lastPlayed == t.lastSaid && !t.state.Done() && len(t.replies) == 0 && t.thinking == nil &&
		len(t.state.OpenCalls()) == 0
}

// wait performs the action that is due.
func (t *talk) wait(ctx context.Context) error {
	now := t.service.now()
	switch {
	case t.interrupt.consume():
		return t.save(ctx) // to read the call's row
	case t.partingSince.IsZero() && !now.Before(t.limit):
		t.keep(entry{reason: call.ReasonMaxDuration, by: call.BySystem})
		t.hangUp(ctx)
		return t.save(ctx)
	case t.away() && !now.Before(t.retryAt):
		if t.hopeless(now) {
			t.giveUp(ctx)
		}
		return t.save(ctx)
	case !t.partingSince.IsZero():
	case !t.timeUp().IsZero() && !now.Before(t.timeUp()) && !t.away():
		return t.step(ctx, nil, conversation.TimeUp{})
	case !t.thinkingDue().IsZero() && !now.Before(t.thinkingDue()) && !t.away():
		t.overdue(ctx)
	case !t.toolDue().IsZero() && !now.Before(t.toolDue()) && !t.away():
		t.filled, t.quietSince = true, now
		t.fill(ctx, t.state.Moment())
	case t.silent() && now.Sub(t.quietSince) >= t.silence():
		t.quietSince, t.awaited = now, awaited{} // nobody waits for an answer
		return t.step(ctx, nil, conversation.Silence{})
	case !t.away() && now.Sub(t.written) >= touchTime:
		return t.save(ctx)
	}
	return nil
}
