package messaging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// Update is what became known about a message.
type Update string

const (
	UpdateAdmitted  Update = "admitted"  // the gate admits it
	UpdateDeferred  Update = "deferred"  // the gate or the operator defers it
	UpdateOverdue   Update = "overdue"   // its lease is over without a result
	UpdateLost      Update = "lost"      // its request failed: it may have been sent
	UpdateAccepted  Update = "accepted"  // the operator accepted it
	UpdateDelivered Update = "delivered" // to a device of the recipient
	UpdateRead      Update = "read"      // implies delivered
	UpdateFailed    Update = "failed"    // it was not delivered and will not be
	UpdateWithdrawn Update = "withdrawn" // canceled by a person or a key
)

// Move is an update of one message. Fields that the update does not need are zero.
type Move struct {
	ID         uuid.UUID
	Update     Update
	OperatorID string         // of accepted, delivered, read, failed
	Due        time.Time      // of deferred: when the gate may admit it,
	Pause      time.Duration  // or the time from now until then
	Lease      time.Duration  // of admitted
	Wait       WaitReason     // of deferred
	Class      cloud.Class    // of deferred by the operator: the kind of refusal, which counts
	Code       int            // the operator's, of deferred and failed
	Why        string         // for people, of deferred and failed
	by         *account.Actor // of withdrawn
	OptOut     bool           // of failed: the recipient has opted out of the organization's messages
}

// state is the part of a message that changes.
type state struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	NumberID       uuid.UUID
	ScopeID        uuid.UUID
	PhoneNumber    string
	Status         Status
	DueAt          *time.Time
	WaitReason     *WaitReason
	Attempts       int
	RefusedClass   *cloud.Class
	RefusedTimes   int
	AdmittedAt     *time.Time
	LeaseUntil     *time.Time
	AskedAt        *time.Time
	UnknownSince   *time.Time
	OperatorID     *string
	CountedAt      *time.Time
	ErrorCode      *int
	Error          *string
	SentAt         *time.Time
	DeliveredAt    *time.Time
	ReadAt         *time.Time
	EndedAt        *time.Time
}

const stateColumns = `id, organization_id, number_id, scope_id, phone_number, status, due_at, wait_reason,
	attempts, refused_class, refused_times,
	admitted_at, lease_until, asked_at, unknown_since, operator_id, counted_at, error_code, error, sent_at,
	delivered_at, read_at, ended_at`

// apply is the state machine. Updates come more than once and in any order. Older updates
// change nothing, delivered and read beat failed, and read implies delivered. apply
// reports whether anything changed, and the events of the change.
//
// The time as of which a message counts moves only forward, to the latest of admission,
// acceptance and first delivery. It is removed when the message was certainly not sent.
// During a request the message counts as of the end of the lease, which is the latest
// moment at which the operator can accept it.
func (s *state) apply(m Move, now time.Time) (changed bool, events []webhook.Type) {
	switch m.Update {
	case UpdateAdmitted:
		if s.Status != Queued {
			return false, nil
		}
		s.leave(Sending)
		s.Attempts++
		s.AdmittedAt, s.LeaseUntil, s.AskedAt = &now, new(now.Add(m.Lease)), nil
		s.CountedAt = s.LeaseUntil
	case UpdateDeferred:
		if s.Status != Queued && s.Status != Sending {
			return false, nil
		}
		due := m.Due
		if due.IsZero() {
			due = now.Add(m.Pause)
		}
		s.queue(due, m.Wait)
		if m.Class != "" {
			s.RefusedTimes = Refusals(s.RefusedClass, s.RefusedTimes, m.Class)
			s.RefusedClass = &m.Class
		}
		s.ErrorCode, s.Error = postgres.OrNull(m.Code), postgres.OrNull(m.Why)
	case UpdateOverdue:
		switch {
		case s.Status != Sending || s.UnknownSince != nil || s.LeaseUntil.After(now):
			return false, nil
		case s.AskedAt == nil: // the holder of the lease can no longer make the request
			s.queue(now, "")
		default:
			s.UnknownSince = &now
		}
	case UpdateLost:
		if s.Status != Sending || s.UnknownSince != nil {
			return false, nil
		}
		s.UnknownSince = &now
	case UpdateAccepted:
		if s.Status != Queued && s.Status != Sending {
			return s.named(m), nil
		}
		s.leave(Sent)
		s.named(m)
		s.SentAt, s.CountedAt = &now, counted(now)
		return true, []webhook.Type{webhook.MessageSent}
	case UpdateDelivered, UpdateRead:
		return s.arrive(m, now)
	case UpdateFailed:
		if s.Status != Queued && s.Status != Sending && s.Status != Sent {
			return s.named(m), nil
		}
		s.leave(Failed)
		s.named(m)
		s.EndedAt, s.CountedAt = &now, nil
		s.ErrorCode, s.Error = postgres.OrNull(m.Code), postgres.OrNull(m.Why)
		return true, []webhook.Type{webhook.MessageFailed}
	case UpdateWithdrawn:
		if s.Status != Queued {
			return false, nil
		}
		s.leave(Canceled)
		s.EndedAt = &now
	}
	return true, nil
}

// Refusals returns how many times in a row a message was refused in the same way,
// including a new refusal.
func Refusals(before *cloud.Class, times int, class cloud.Class) int {
	if before == nil || *before != class {
		return 1
	}
	return times + 1
}

// arrive applies a delivery or a read.
func (s *state) arrive(m Move, now time.Time) (changed bool, events []webhook.Type) {
	if s.DeliveredAt != nil && (m.Update == UpdateDelivered || s.ReadAt != nil) {
		return s.named(m), nil
	}
	if s.SentAt == nil {
		s.SentAt = &now
		events = append(events, webhook.MessageSent)
	}
	if s.DeliveredAt == nil {
		s.DeliveredAt, s.CountedAt = &now, counted(now)
		events = append(events, webhook.MessageDelivered)
	}
	to := Delivered
	if m.Update == UpdateRead {
		s.ReadAt, to = &now, Read
		events = append(events, webhook.MessageRead)
	}
	s.leave(to)
	s.named(m)
	return true, events
}

// counted returns the time as of which something counts that has just happened. The clock
// is cut to milliseconds, so it may have happened within the next one.
func counted(now time.Time) *time.Time { return new(now.Add(time.Millisecond)) }

// leave changes the state to one other than Queued and clears what belonged to the state
// before.
func (s *state) leave(to Status) {
	s.Status = to
	s.DueAt, s.WaitReason, s.LeaseUntil, s.UnknownSince = nil, nil, nil, nil
	s.ErrorCode, s.Error, s.EndedAt = nil, nil, nil
}

// queue puts the message back into the queue. It was certainly not sent.
func (s *state) queue(due time.Time, wait WaitReason) {
	s.leave(Queued)
	s.DueAt, s.WaitReason = &due, postgres.OrNull(wait)
	s.AskedAt, s.CountedAt = nil, nil
}

// named stores the operator's ID of the message, if the update has it and the message has
// none. It reports whether it did.
func (s *state) named(m Move) bool {
	if s.OperatorID != nil || m.OperatorID == "" || erased(s.PhoneNumber) { // the operator's ID contains the number
		return false
	}
	s.OperatorID = &m.OperatorID
	return true
}

// ErrMoved reports that a message has changed its scope. The work must be done again
// under the lock of the new scope.
var ErrMoved = errors.New("a message has changed its scope")

// Transition is the one way in which messages change their state. The work must hold the
// locks of their scopes. It makes the moves of a message in their order, leaves out
// messages that do not exist, and returns those that changed.
func (w *ScopeTx) Transition(ctx context.Context, moves []Move, asked *time.Time) (moved []state, err error) {
	if len(moves) == 0 {
		return nil, nil
	}
	ids := make([]uuid.UUID, len(moves))
	for i, m := range moves {
		ids[i] = m.ID
	}
	states, err := postgres.Collect(ctx, w.Tx, pgx.RowToStructByName[state], `select `+stateColumns+
		` from message where id = any(@ids) order by id for no key update`,
		pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, fmt.Errorf("lock %d messages: %w", len(ids), err)
	}

	changes := changes{known: map[*state]struct{}{}, scopes: map[uuid.UUID]map[string]struct{}{}}
	for _, m := range moves {
		i, found := slices.BinarySearchFunc(states, m.ID, func(s state, id uuid.UUID) int {
			return bytes.Compare(s.ID[:], id[:])
		})
		if !found {
			continue
		}
		sc := w.Scopes[states[i].ScopeID]
		if sc == nil {
			return nil, ErrMoved
		}
		changes.apply(&states[i], m, sc.Now)
		if m.OptOut && !erased(states[i].PhoneNumber) {
			if err := suppress(ctx, w.Tx, states[i].OrganizationID, phone.Number(states[i].PhoneNumber)); err != nil {
				return nil, err
			}
		}
	}
	if err := w.write(ctx, changes.states); err != nil {
		return nil, err
	}
	for id, recipients := range changes.scopes {
		if err := w.Recount(ctx, w.Scopes[id], recipients, asked); err != nil {
			return nil, err
		}
	}
	if err := w.record(ctx, changes.log); err != nil {
		return nil, err
	}
	for _, s := range changes.states {
		moved = append(moved, *s)
	}
	return moved, nil
}

// changes are the results of the moves of one transition.
type changes struct {
	states []*state // changed states, each once
	known  map[*state]struct{}
	scopes map[uuid.UUID]map[string]struct{} // of each scope, the recipients who may count differently
	log    []change
}

func (c *changes) apply(s *state, m Move, now time.Time) {
	before := s.CountedAt
	changed, events := s.apply(m, now)
	if !changed {
		return
	}
	if _, known := c.known[s]; !known {
		c.known[s] = struct{}{}
		c.states = append(c.states, s)
	}
	if !equal(before, s.CountedAt) {
		if c.scopes[s.ScopeID] == nil {
			c.scopes[s.ScopeID] = map[string]struct{}{}
		}
		c.scopes[s.ScopeID][s.PhoneNumber] = struct{}{}
	}
	for _, kind := range events {
		c.log = append(c.log, change{organizationID: s.OrganizationID, messageID: s.ID, event: kind})
	}
	if m.by != nil {
		c.log = append(c.log, change{organizationID: s.OrganizationID, messageID: s.ID, action: "canceled", by: *m.by})
	}
}

func equal(a, b *time.Time) bool { return a == nil && b == nil || a != nil && b != nil && a.Equal(*b) }

// stateTable is the states of messages as the table c.
var stateTable = postgres.NewColumns("c",
	postgres.Column("id", "uuid", func(s *state) uuid.UUID { return s.ID }),
	postgres.Column("status", "text", func(s *state) Status { return s.Status }),
	postgres.Column("due_at", "timestamptz", func(s *state) *time.Time { return s.DueAt }),
	postgres.Column("wait_reason", "text", func(s *state) *WaitReason { return s.WaitReason }),
	postgres.Column("attempts", "int", func(s *state) int { return s.Attempts }),
	postgres.Column("refused_class", "text", func(s *state) *cloud.Class { return s.RefusedClass }),
	postgres.Column("refused_times", "int", func(s *state) int { return s.RefusedTimes }),
	postgres.Column("admitted_at", "timestamptz", func(s *state) *time.Time { return s.AdmittedAt }),
	postgres.Column("lease_until", "timestamptz", func(s *state) *time.Time { return s.LeaseUntil }),
	postgres.Column("asked_at", "timestamptz", func(s *state) *time.Time { return s.AskedAt }),
	postgres.Column("unknown_since", "timestamptz", func(s *state) *time.Time { return s.UnknownSince }),
	postgres.Column("operator_id", "text", func(s *state) *string { return s.OperatorID }),
	postgres.Column("counted_at", "timestamptz", func(s *state) *time.Time { return s.CountedAt }),
	postgres.Column("error_code", "int", func(s *state) *int { return s.ErrorCode }),
	postgres.Column("error", "text", func(s *state) *string { return s.Error }),
	postgres.Column("sent_at", "timestamptz", func(s *state) *time.Time { return s.SentAt }),
	postgres.Column("delivered_at", "timestamptz", func(s *state) *time.Time { return s.DeliveredAt }),
	postgres.Column("read_at", "timestamptz", func(s *state) *time.Time { return s.ReadAt }),
	postgres.Column("ended_at", "timestamptz", func(s *state) *time.Time { return s.EndedAt }),
)

func (w *ScopeTx) write(ctx context.Context, states []*state) error {
	if len(states) == 0 {
		return nil
	}
	args := stateTable.ArgsOf(states)
	args["window"] = serviceWindow
	_, err := w.Tx.Exec(ctx, `
		update message m set
			status = c.status, due_at = c.due_at, wait_reason = c.wait_reason, attempts = c.attempts,
			refused_class = c.refused_class, refused_times = c.refused_times, admitted_at = c.admitted_at,
			lease_until = c.lease_until, asked_at = c.asked_at, unknown_since = c.unknown_since,
				operator_id = c.operator_id,
			counted_at = c.counted_at, error_code = c.error_code, error = c.error, sent_at = c.sent_at,
			delivered_at = c.delivered_at, read_at = c.read_at, ended_at = c.ended_at,
			in_service_window = case when c.status = 'sending' and m.status = 'queued' then exists (
				select from messaging_window w
				where w.number_id = m.number_id and w.phone_number = m.phone_number
					and w.opened_at > c.admitted_at - @window::interval
			) else m.in_service_window end
		from `+stateTable.Table()+`
		where m.id = c.id`, args)
	if err != nil {
		return fmt.Errorf("update %d messages: %w", len(states), err)
	}
	return nil
}
