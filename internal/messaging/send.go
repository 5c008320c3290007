package messaging

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

const (
	// askTime is the deadline of the operator's answer, counted from just before
	// the row says that it is being asked.
	askTime = 10 * time.Second

	retryLeast  = 2 * time.Second  // before the second attempt, doubling
	retryMost   = 15 * time.Minute // and at most
	retryTimes  = 100              // about a day: an outage of the operator's loses nothing
	pairLeast   = 4 * time.Second  // the same for one recipient who gets too much, times four
	pairMost    = time.Hour
	pairTimes   = 30             // about a day, too
	nextDay     = 24 * time.Hour // as long as the operator wants to hear nothing of a recipient
	nextTimes   = 3
	slowDown    = time.Second      // how long a number rests that the operator finds too fast
	numberPause = time.Hour        // before a refused number is tried again, with one look's messages
	loginPause  = 15 * time.Minute // the same for refused credentials; replacing them ends it
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
	to, err := s.account(ctx, m.connectionID)
	switch {
	case errors.Is(err, cloud.ErrNoConnection) || errors.Is(err, errSealed):
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
	after := move{id: m.id, update: accepted, operatorID: answer.MessageID}
	if err != nil {
		after = s.refused(ctx, m, err)
	}
	for pause := 50 * time.Millisecond; ; pause *= 4 {
		_, err := s.recordIn(ctx, m.scopeID, []move{after})
		if errors.Is(err, errMoved) {
			_, err = s.record(ctx, after)
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
	if after.update == accepted && m.probes {
		s.resume(ctx, m)
	}
}

// refused is what a message comes to that the operator did not take, or perhaps
// did not. It also pauses what the error is to blame on.
func (s *Service) refused(ctx context.Context, m sendable, cause error) move {
	why, ok := errors.AsType[*cloud.Error](cause)
	if !ok {
		why = &cloud.Error{Class: cloud.Unknown, Reason: "WhatsApp's response was lost", Err: cause}
	}
	after := move{id: m.id, update: deferred, wait: WaitRetry, class: why.Class, code: why.Code, why: why.Reason}
	times := refusals(m.refusedClass, m.refusedTimes, why.Class)
	switch why.Class {
	case cloud.Retry:
		after.again(times, retryTimes, backoff(times, 2, retryLeast, retryMost))
	case cloud.RetryRecipient:
		after.again(times, pairTimes, backoff(times, 4, pairLeast, pairMost))
	case cloud.RetryNextDay:
		after.wait = WaitRecipientLimit
		after.again(times, nextTimes, nextDay)
	case cloud.StopNumber, cloud.StopCredentials:
		// It waits until what is paused is tried again, however often that is.
		after.pause, after.class = retryLeast, ""
	case cloud.StopTemplate:
		after.wait = WaitTemplate
		after.again(times, retryTimes, backoff(times, 2, retryLeast, retryMost))
		if aboutValues(why) {
			after.update = failed
		}
	case cloud.Permanent:
		after.update = failed
	case cloud.OptedOut:
		after.update, after.optOut = failed, true
	default:
		after = move{id: m.id, update: lost}
	}
	after.pause = max(after.pause, why.RetryAfter)
	s.blame(ctx, blamed{number: m.numberID, connection: m.connectionID, template: m.templateID}, why)
	return after
}

// again puts a message off for a while, or ends it after the last of so many
// refusals of one kind in a row.
func (m *move) again(refusals, times int, pause time.Duration) {
	m.pause = pause
	if refusals >= times {
		m.update = failed
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

// aboutValues tells that a template is refused for what this message would fill
// it with: others may go.
func aboutValues(e *cloud.Error) bool {
	switch e.Code {
	case 132000, 132005, 132012:
		return true
	}
	return false
}

// blamed is what an error may be about.
type blamed struct {
	number     uuid.UUID
	connection uuid.UUID
	template   *uuid.UUID
}

// blame pauses what an error is to blame on, so that the next messages don't run
// into it too, and leaves word for people. That it could not be written is no
// reason to lose what became of the message.
func (s *Service) blame(ctx context.Context, on blamed, e *cloud.Error) {
	var err error
	switch e.Class {
	case cloud.StopNumber:
		err = s.pause(ctx, "messaging_number", on.number, e.Reason, max(numberPause, e.RetryAfter))
	case cloud.StopCredentials:
		err = s.pause(ctx, "messaging_connection", on.connection, e.Reason, max(loginPause, e.RetryAfter))
		s.forget(on.connection)
	case cloud.StopTemplate:
		if on.template != nil && !aboutValues(e) {
			err = s.pause(ctx, "messaging_template", *on.template, e.Reason, max(numberPause, e.RetryAfter))
		}
	case cloud.Retry:
		if e.LimitSuspected() {
			_, err = s.pool.Exec(ctx, `update messaging_number set pace_at = greatest(pace_at, clock() + @rest::interval) where id = @id`,
				pgx.NamedArgs{"id": on.number, "rest": max(slowDown, e.RetryAfter)})
		}
	}
	if e.LimitSuspected() && err == nil {
		// Read the limit again, at the next chance.
		_, err = s.pool.Exec(ctx, `update messaging_connection set read_at = null where id = @id`, pgx.NamedArgs{"id": on.connection})
	}
	if err != nil {
		s.log.ErrorContext(ctx, "sending could not be paused after a refusal of WhatsApp", "class", e.Class, "code", e.Code, "error", err)
	}
}

// pause keeps messages from a number, a connection or of a template for a while.
func (s *Service) pause(ctx context.Context, table string, id uuid.UUID, why string, d time.Duration) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var organizationID uuid.UUID
		var again bool
		err := tx.QueryRow(ctx, `
			update `+pgx.Identifier{table}.Sanitize()+` p
			set paused_reason = @why, paused_until = greatest(p.paused_until, clock() + @d::interval)
			from `+pgx.Identifier{table}.Sanitize()+` before
			where p.id = @id and before.id = p.id
			returning p.organization_id, before.paused_reason is not null`,
			pgx.NamedArgs{"id": id, "why": why, "d": d}).Scan(&organizationID, &again)
		if err != nil {
			return fmt.Errorf("pause %s %s: %w", table, id, err)
		}
		if again {
			return nil
		}
		s.log.WarnContext(ctx, "WhatsApp refuses messages", "paused", table, "id", id, "reason", why)
		return account.Record(ctx, tx, account.System(organizationID), table+".paused", account.Object{Type: table, ID: id},
			map[string]any{"reason": why, "minutes": cmp.Or(int(d/time.Minute), 1)})
	})
}

// resume ends the pauses that a message would have run into and did not: it was
// taken after their time was over.
func (s *Service) resume(ctx context.Context, m sendable) {
	on := []struct {
		table string
		id    uuid.UUID
	}{{"messaging_number", m.numberID}, {"messaging_connection", m.connectionID}}
	if m.templateID != nil {
		on = append(on, struct {
			table string
			id    uuid.UUID
		}{"messaging_template", *m.templateID})
	}
	for _, p := range on {
		err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
			var organizationID uuid.UUID
			err := tx.QueryRow(ctx, `
				update `+pgx.Identifier{p.table}.Sanitize()+` set paused_reason = null, paused_until = null
				where id = @id and paused_until <= clock()
				returning organization_id`, pgx.NamedArgs{"id": p.id}).Scan(&organizationID)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("resume %s %s: %w", p.table, p.id, err)
			}
			return account.Record(ctx, tx, account.System(organizationID), p.table+".resumed", account.Object{Type: p.table, ID: p.id}, nil)
		})
		if err != nil {
			s.log.ErrorContext(ctx, "a pause that is over could not be ended", "paused", p.table, "id", p.id, "error", err)
		}
	}
}
