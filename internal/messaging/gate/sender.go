package gate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

const (
	pollGap      = time.Second           // the longest time between two rounds
	roundGap     = 5 * time.Millisecond  // the shortest time between two rounds
	busyGap      = 20 * time.Millisecond // pause before a retry of a scope that another process has locked
	admitWorkers = 4                     // scopes whose messages are admitted at the same time
	inFlight     = 256                   // messages that one process sends at the same time
	askTogether  = 16                    // requests announced in one commit
	maxOverdue   = 500                   // overdue messages moved at a time
	overdueGap   = 5 * time.Second       // the time between two searches for overdue messages
	checkGap     = 15 * time.Minute      // the time between two comparisons of scopes with their ledgers

	// forgetTime is the age at which a message of unknown outcome counts as failed. Its
	// recipient has left the window by then.
	forgetTime = 25 * time.Hour
)

// Sender admits queued messages and sends them. Any number of senders, in any number of
// processes, work on the same queue.
type Sender struct {
	svc *Service
	log *slog.Logger

	sending sync.WaitGroup
	checked time.Time // when scopes were last compared with their ledgers
	mu      sync.Mutex
	free    int // messages that may still be sent at once
}

// NewSender makes a sender that is not running yet.
func (s *Service) NewSender() *Sender { return &Sender{svc: s, log: s.log, free: inFlight} }

// Run sends until ctx ends. Then it admits no more messages and returns when the results of all
// requests are written, after about 10 s at most. If the channel is switched off, Run does nothing.
func (d *Sender) Run(ctx context.Context) error {
	if !d.svc.messages.On() {
		<-ctx.Done()
		return nil
	}
	defer d.sending.Wait()
	work, stop := d.svc.hub.Subscribe(messaging.Topic)
	defer stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	var cleaned time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-work:
		}
		if time.Since(cleaned) > overdueGap {
			if err := d.clean(ctx); err != nil && ctx.Err() == nil {
				return err
			}
			cleaned = time.Now()
		}
		wait, err := d.round(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		timer.Reset(max(wait, roundGap))
	}
}

// round admits and sends messages for every scope with messages to send. It returns the time until
// the next round.
func (d *Sender) round(ctx context.Context) (time.Duration, error) {
	scopes, err := d.svc.ready(ctx)
	if err != nil {
		return 0, err
	}
	var mu sync.Mutex
	wait := pollGap
	var group errgroup.Group
	group.SetLimit(admitWorkers)
	for _, id := range scopes {
		group.Go(func() error {
			again := d.admitAndSend(ctx, id)
			mu.Lock()
			wait = min(wait, again)
			mu.Unlock()
			return nil
		})
	}
	_ = group.Wait() // admitAndSend logs its errors
	return wait, nil
}

// sqlReady finds scopes with a message that may be sent: a message that is due, or a message that
// waits for quota while there is quota. It reads only the first message of each lane.
const sqlReady = `
	with recursive k as materialized (select clock() as t),
	number as materialized (
		select n.id, n.scope_id, s.recipients < s.tier_limit or exists (
			select from messaging_ledger l where l.scope_id = s.id and l.counted_at <= k.t - @window::interval) as room
		from messaging_number n
		join messaging_scope s on s.id = n.scope_id
		join messaging_connection c on c.id = n.connection_id, k
		where n.disconnected_at is null and c.read_at > k.t - @limit_age::interval
		  and (n.paused_until is null or n.paused_until <= k.t) and (c.paused_until is null or c.paused_until <= k.t)
	), lane as (
		select n.id, n.scope_id, (
			select m.lane from message m
			where m.number_id = n.id and m.status = 'queued' and m.wait_reason is distinct from 'quota'
			order by m.lane limit 1) as lane
		from number n
		union all
		select a.id, a.scope_id, (
			select m.lane from message m
			where m.number_id = a.id and m.status = 'queued' and m.wait_reason is distinct from 'quota'
				and m.lane > a.lane
			order by m.lane limit 1)
		from lane a where a.lane is not null
	)
	select a.scope_id from lane a, k
	where a.lane is not null and exists (
		select from message m
		where m.number_id = a.id and m.lane = a.lane and m.status = 'queued' and m.wait_reason is distinct from 'quota'
			and m.due_at <= k.t)
	union
	select n.scope_id from number n
	where n.room and exists (
		select from message m where m.number_id = n.id and m.status = 'queued' and m.wait_reason = 'quota')`

func (s *Service) ready(ctx context.Context) ([]uuid.UUID, error) {
	scopes, err := postgres.Collect(ctx, s.pool, pgx.RowTo[uuid.UUID],
		sqlReady, pgx.NamedArgs{"window": messaging.Window, "limit_age": messaging.LimitAge})
	if err != nil {
		return nil, fmt.Errorf("find scopes with something to send: %w", err)
	}
	return scopes, nil
}

// admitAndSend admits messages of one scope and starts sending them. It returns the time
// until the next try.
func (d *Sender) admitAndSend(ctx context.Context, scopeID uuid.UUID) time.Duration {
	most := d.reserve()
	defer func() { d.release(most) }()
	if most == 0 {
		return busyGap
	}
	l, err := d.tryAdmit(ctx, scopeID, most)
	switch {
	case errors.Is(err, messaging.ErrBusy):
		return busyGap
	case err != nil:
		if ctx.Err() == nil {
			d.log.Error("messages could not be admitted, trying again", "scope", scopeID, "error", err)
		}
		return pollGap
	}
	most -= len(l.sends)
	var group []sendable
	for _, m := range l.sends {
		if group = append(group, m); len(group) == askTogether {
			d.dispatch(ctx, group)
			group = nil
		}
	}
	d.dispatch(ctx, group)
	switch {
	case l.full:
		return 0
	case l.next != nil:
		return l.next.Sub(l.scope.Now)
	}
	return pollGap
}

// tryAdmit calls admit and returns a panic as an error, so that one scope cannot stop the others.
func (d *Sender) tryAdmit(ctx context.Context, scopeID uuid.UUID, most int) (l *pass, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("admit messages of scope %s: panic: %v\n%s", scopeID, r, debug.Stack())
		}
	}()
	return d.svc.admit(ctx, scopeID, most)
}

// dispatch sends messages in the background.
func (d *Sender) dispatch(ctx context.Context, messages []sendable) {
	if len(messages) == 0 {
		return
	}
	d.sending.Go(func() {
		defer d.release(len(messages))
		defer func() {
			if r := recover(); r != nil { // clean moves the messages when they are overdue
				d.log.Error("sending messages panicked", "panic", r, "stack", string(debug.Stack()))
			}
		}()
		d.svc.send(ctx, messages)
	})
}

// reserve takes a part of the free capacity for one pass.
func (d *Sender) reserve() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := (d.free + 1) / 2 // the other half is for other scopes
	d.free -= n
	return n
}

func (d *Sender) release(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.free += n
}

// clean moves messages that a killed process left behind, after the end of their lease. Messages
// without an announced request go back into the queue. The other messages may have been sent and
// are not sent again. clean also fails messages whose outcome was never reported and messages of
// disconnected numbers. It clears ledgers that no pass reads, so that reading them stays cheap.
func (d *Sender) clean(ctx context.Context) error {
	s := d.svc
	if time.Since(d.checked) > checkGap {
		if err := s.messages.CheckCounts(ctx); err != nil {
			return err
		}
		d.checked = time.Now()
	}
	if err := s.messages.CloseWindows(ctx); err != nil {
		return err
	}
	for _, sweep := range []struct {
		sql    string
		update messaging.Update
		why    string
	}{
		{`select id from message
			where status = 'sending' and unknown_since is null and lease_until <= (select clock()) limit @most`,
			messaging.UpdateOverdue, ""},
		{`select id from message
			where status = 'sending' and unknown_since <= (select clock()) - @forget::interval limit @most`,
			messaging.UpdateFailed, "WhatsApp never reported whether it accepted the message"},
		{`select m.id from messaging_number n cross join lateral (
			select id from message where number_id = n.id and status = 'queued' and wait_reason is distinct from 'quota'
			union all
			select id from message where number_id = n.id and status = 'queued' and wait_reason = 'quota') m
		  where n.disconnected_at is not null limit @most`,
			messaging.UpdateFailed, "The number was disconnected"},
	} {
		ids, err := postgres.Collect(ctx, s.pool, pgx.RowTo[uuid.UUID],
			sweep.sql, pgx.NamedArgs{"most": maxOverdue, "forget": forgetTime})
		if err != nil {
			return fmt.Errorf("find overdue messages: %w", err)
		}
		moves := make([]messaging.Move, len(ids))
		for i, id := range ids {
			moves[i] = messaging.Move{ID: id, Update: sweep.update, Why: sweep.why}
		}
		if len(moves) == 0 {
			continue
		}
		if _, err := s.messages.Move(ctx, moves...); err != nil {
			return err
		}
	}
	return s.messages.ClearLedgers(ctx)
}
