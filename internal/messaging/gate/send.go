package gate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/suppression"
)

const (
	// askTime is the deadline of the operator's answer, counted from just before
	// the row says that it is being asked.
	askTime = 10 * time.Second

	retryLeast = 2 * time.Second  // before the second attempt, doubling
	retryMost  = 15 * time.Minute // and at most
	retryTimes = 100              // about a day: an outage of the operator's loses nothing
	pairLeast  = 4 * time.Second  // the same for one recipient who gets too much, times four
	pairMost   = time.Hour
	pairTimes  = 30             // about a day, too
	nextDay    = 24 * time.Hour // as long as the operator wants to hear nothing of a recipient
	nextTimes  = 3
)

// send asks the operator for messages that were let through the gate: each at
// most once in this attempt, whoever calls it how often. It commits that it is
// going to ask before it does, so that a row that does not say so was never sent.
//
// Once begun it is carried through, for up to 10 s, whatever becomes of ctx.
// What can't be written down is overdue before long, and not sent again.
func (s *Service) send(ctx context.Context, messages []sendable) {
	ctx = context.WithoutCancel(ctx)
	asking := s.now()
	asked, err := s.ask(ctx, messages)
	if err != nil {
		s.log.ErrorContext(ctx, "messages could not be sent", "messages", len(messages), "error", err)
		return
	}
	var requests sync.WaitGroup
	for _, m := range messages {
		if _, ok := asked[m.id]; ok {
			requests.Go(func() { s.request(ctx, m, asking) })
		}
	}
	requests.Wait()
}

// ask writes down that the operator is going to be asked, and tells for which:
// not for those whose lease is nearly over, or that are somebody else's by now,
// nor for who has come onto the do-not-call list since; the gate tells them so.
func (s *Service) ask(ctx context.Context, messages []sendable) (map[uuid.UUID]struct{}, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	ids, attempts := make([]uuid.UUID, len(messages)), make([]int, len(messages))
	for i, m := range messages {
		ids[i], attempts[i] = m.id, m.attempt
	}
	rows, err := s.pool.Query(ctx, `
		update message m set asked_at = k.t
		from unnest(@ids::uuid[], @attempts::int[]) a (id, attempt), (select clock() as t) k
		where m.id = a.id and m.attempts = a.attempt and m.status = 'sending' and m.asked_at is null
		  and m.lease_until > k.t + @ask_time::interval
		  and not `+suppression.Blocks(suppression.Message, "m.organization_id", "m.phone_number")+`
		returning m.id`, pgx.NamedArgs{"ids": ids, "attempts": attempts, "ask_time": askTime})
	if err != nil {
		return nil, fmt.Errorf("announce %d messages: %w", len(messages), err)
	}
	asked := map[uuid.UUID]struct{}{}
	var id uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&id}, func() error { asked[id] = struct{}{}; return nil }); err != nil {
		return nil, fmt.Errorf("announce %d messages: %w", len(messages), err)
	}
	return asked, nil
}

// within reports whether less than d has passed since a moment, by the wall
// clock and by the monotonic one: the one may be set back, the other stands
// still while the machine is suspended.
func (s *Service) within(since time.Time, d time.Duration) bool {
	now := s.now()
	return now.Sub(since) < d && now.Round(0).Sub(since.Round(0)) < d
}

// request sends one message and writes down what became of it.
func (s *Service) request(ctx context.Context, m sendable, asking time.Time) {
	to, err := s.connections.Account(ctx, m.route.ConnectionID)
	switch {
	case errors.Is(err, cloud.ErrNoConnection) || errors.Is(err, connection.ErrSealed):
		err = &cloud.Error{Class: cloud.StopCredentials, Reason: "the connection could not be opened", Err: err}
	case err != nil:
		err = &cloud.Error{Class: cloud.Retry, Reason: "the request could not be sent", Err: err}
	case !s.within(asking, askTime) || !s.within(m.since, leaseTime):
		// The process was suspended just now, and its timers did not notice.
		err = &cloud.Error{Class: cloud.Retry, Reason: "the server was delayed"}
	}
	var answer cloud.Acceptance
	if err == nil {
		actx, cancel := context.WithDeadline(ctx, asking.Add(askTime))
		answer, err = to.Send(actx, m.message)
		cancel()
	}
	after := messaging.Move{ID: m.id, Update: messaging.UpdateAccepted, OperatorID: answer.MessageID}
	if err != nil {
		after = s.refused(ctx, m, err)
	}
	for pause := 50 * time.Millisecond; ; pause *= 4 {
		_, err := s.messages.MoveIn(ctx, m.scopeID, []messaging.Move{after})
		if errors.Is(err, messaging.ErrMoved) {
			_, err = s.messages.Move(ctx, after)
		}
		if err == nil {
			break
		}
		if pause > 5*time.Second {
			s.log.ErrorContext(ctx, "the result of a message could not be written", "message", m.id, "error", err)
			return
		}
		time.Sleep(pause)
	}
	if after.Update == messaging.UpdateAccepted && m.probes {
		s.connections.Resume(ctx, m.route)
	}
}

// refused is what a message comes to that the operator did not take, or perhaps
// did not. It also pauses what the error is to blame on.
func (s *Service) refused(ctx context.Context, m sendable, cause error) messaging.Move {
	why, ok := errors.AsType[*cloud.Error](cause)
	if !ok {
		why = &cloud.Error{Class: cloud.Unknown, Reason: "WhatsApp's response was lost", Err: cause}
	}
	after := messaging.Move{ID: m.id, Update: messaging.UpdateDeferred, Wait: messaging.WaitRetry, Class: why.Class, Code: why.Code, Why: why.Reason}
	times := messaging.Refusals(m.refusedClass, m.refusedTimes, why.Class)
	switch why.Class {
	case cloud.Retry:
		postpone(&after, times, retryTimes, backoff(times, 2, retryLeast, retryMost))
	case cloud.RetryRecipient:
		postpone(&after, times, pairTimes, backoff(times, 4, pairLeast, pairMost))
	case cloud.RetryNextDay:
		after.Wait = messaging.WaitRecipientLimit
		postpone(&after, times, nextTimes, nextDay)
	case cloud.StopNumber, cloud.StopCredentials:
		// It waits until what is paused is tried again, however often that is.
		after.Pause, after.Class = retryLeast, ""
	case cloud.StopTemplate:
		after.Wait = messaging.WaitTemplate
		postpone(&after, times, retryTimes, backoff(times, 2, retryLeast, retryMost))
		if why.AboutVariables() {
			after.Update = messaging.UpdateFailed
		}
	case cloud.Permanent:
		after.Update = messaging.UpdateFailed
	case cloud.OptedOut:
		after.Update, after.OptOut = messaging.UpdateFailed, true
	default:
		after = messaging.Move{ID: m.id, Update: messaging.UpdateLost}
	}
	after.Pause = max(after.Pause, why.RetryAfter)
	s.connections.Refused(ctx, m.route, why)
	return after
}

// postpone puts a message off for a while, or ends it after the last of so many
// refusals of one kind in a row.
func postpone(m *messaging.Move, refusals, times int, pause time.Duration) {
	m.Pause = pause
	if refusals >= times {
		m.Update = messaging.UpdateFailed
	}
}

// backoff is least before the second attempt, times factor before each one more.
func backoff(attempt, factor int, least, most time.Duration) time.Duration {
	d := least
	for range attempt - 1 {
		if d = d * time.Duration(factor); d >= most {
			return most
		}
	}
	return d
}
