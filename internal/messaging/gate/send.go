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
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
)

const (
	// askTime is how long the operator may take to answer. It begins just before asked_at is
	// written.
	askTime = 10 * time.Second

	retryLeast = 2 * time.Second  // pause after the first refusal; it doubles with each refusal
	retryMost  = 15 * time.Minute // longest pause
	retryTimes = 100              // about a day of refusals, so that an outage of the operator loses no message
	pairLeast  = 4 * time.Second  // first pause for a recipient who gets too many messages; it quadruples
	pairMost   = time.Hour
	pairTimes  = 30             // about a day
	nextDay    = 24 * time.Hour // how long the operator refuses a recipient
	nextTimes  = 3
)

// send makes the requests of admitted messages. Each attempt makes at most one request,
// whichever process calls send and however often. send commits the announcement of a
// request before it makes the request, so a message whose row has no announcement was
// never sent.
//
// send ignores the end of ctx and takes up to 10 s. A message whose result cannot be
// written becomes overdue and is not sent again.
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

// ask announces the requests and returns the messages that may be sent. It leaves out messages
// whose lease is nearly over, messages that another process has taken over, and messages to
// recipients who were added to the do-not-call list after the admission. The gate later fails the
// messages to these recipients.
func (s *Service) ask(ctx context.Context, messages []sendable) (map[uuid.UUID]struct{}, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	ids, attempts := make([]uuid.UUID, len(messages)), make([]int, len(messages))
	hashes := make([]suppression.Hashed, len(messages))
	for i, m := range messages {
		ids[i], attempts[i] = m.id, m.attempt
		hashes[i] = suppression.HashOf(m.organizationID, phone.Number(m.message.To))
	}
	rows, err := s.pool.Query(ctx, `
		update message m set asked_at = k.t
		from unnest(@ids::uuid[], @attempts::int[], @hashes::bytea[]) a (id, attempt, hash), (select clock() as t) k
		where m.id = a.id and m.attempts = a.attempt and m.status = 'sending' and m.asked_at is null
		  and m.lease_until > k.t + @ask_time::interval
		  and not `+suppression.Blocks(suppression.Message, "m.organization_id", "m.phone_number", "a.hash")+`
		returning m.id`, pgx.NamedArgs{
		"ids": ids, "attempts": attempts, "hashes": hashes, "ask_time": askTime,
	})
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

// within reports whether less than d has passed since a moment, by the wall clock and by the
// monotonic clock. The wall clock may be set back, and the monotonic clock stops while the machine
// is suspended.
func (s *Service) within(since time.Time, d time.Duration) bool {
	now := s.now()
	return now.Sub(since) < d && now.Round(0).Sub(since.Round(0)) < d
}

// request sends one message and writes the result.
func (s *Service) request(ctx context.Context, m sendable, asking time.Time) {
	to, err := s.connections.Account(ctx, m.route.ConnectionID)
	switch {
	case errors.Is(err, cloud.ErrNoConnection) || errors.Is(err, connection.ErrSealed):
		err = &cloud.Error{Class: cloud.StopCredentials, Reason: "the connection could not be opened", Err: err}
	case err != nil:
		err = &cloud.Error{Class: cloud.Retry, Reason: "the request could not be sent", Err: err}
	case !s.within(asking, askTime) || !s.within(m.since, leaseTime):
		// The process was suspended, and its timers did not notice.
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

// refused returns the move of a message that the operator refused, or may have refused.
// It also pauses the number, connection or template that the error is about.
func (s *Service) refused(ctx context.Context, m sendable, cause error) messaging.Move {
	why, ok := errors.AsType[*cloud.Error](cause)
	if !ok {
		why = &cloud.Error{Class: cloud.Unknown, Reason: "WhatsApp's response was lost", Err: cause}
	}
	after := messaging.Move{
		ID: m.id, Update: messaging.UpdateDeferred, Wait: messaging.WaitRetry, Class: why.Class, Code: why.Code,
		Why: why.Reason,
	}
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
		// The message waits for the end of the pause. It does not fail after any number of
		// refusals.
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

// postpone defers a message. It fails the message after the last allowed refusal of one kind in a
// row.
func postpone(m *messaging.Move, refusals, times int, pause time.Duration) {
	m.Pause = pause
	if refusals >= times {
		m.Update = messaging.UpdateFailed
	}
}

// backoff returns the pause after an attempt: least after the first attempt, then factor times the
// pause before, and never more than most.
func backoff(attempt, factor int, least, most time.Duration) time.Duration {
	d := least
	for range attempt - 1 {
		if d = d * time.Duration(factor); d >= most {
			return most
		}
	}
	return d
}
