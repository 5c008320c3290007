package gate

import (
	"context"
	"fmt"
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
	// leaseTime is how long a process may make the request after the admission.
	leaseTime = 30 * time.Second

	// pairGap is the shortest time between two messages to one recipient. The operator
	// allows an occasional burst and subtracts it from what it allows later.
	pairGap = 6 * time.Second

	// maxWindowsAhead bounds the estimate of a due time, for example for a limit of 0 recipients.
	maxWindowsAhead = 365

	// maxDeferred bounds the messages that one pass defers for lack of quota, because the pass has
	// the lock that every process waits for.
	maxDeferred = 500
)

// sendable is an admitted message. This process may send it once, while the lease lasts.
type sendable struct {
	id             uuid.UUID
	organizationID uuid.UUID
	attempt        int          // from 1
	refusedClass   *cloud.Class // the kind of the last refusals, which were refusedTimes in a row
	refusedTimes   int
	route          connection.Route
	scopeID        uuid.UUID
	message        cloud.Message
	probes         bool // the number, connection or template was paused, and this message tests it

	since time.Time // a moment before the lease began, by this process's clock
}

// pass is one round over a scope. It decides which messages go and which wait.
type pass struct {
	*messaging.ScopeTx
	scope   *messaging.Scope
	numbers map[uuid.UUID]*sendingNumber
	quota   int // recipients that may still be added

	simulated bool // messages reach no real phones

	moves []messaging.Move
	sends map[uuid.UUID]sendable
	full  bool       // more messages may be due
	next  *time.Time // when a number that used up its rate may send again
}

// sendingNumber is a number that may send now.
type sendingNumber struct {
	id           uuid.UUID
	externalID   string
	connectionID uuid.UUID
	pace         pace
	budget       int
	paused       bool // it was paused, and the pause has ended
}

// candidate is a due message that a pass decides about.
type candidate struct {
	id             uuid.UUID
	organizationID uuid.UUID
	numberID       uuid.UUID
	lane           uuid.UUID
	wait           *messaging.WaitReason
	attempts       int
	refusedClass   *cloud.Class
	refusedTimes   int
	phoneNumber    string
	templateName   string
	language       string
	components     []cloud.Component
	templateID     *uuid.UUID
	templateUntil  *time.Time // end of the pause of the template
	templateWhy    *string
	suppressed     bool       // on the do-not-call list
	hasErased      bool       // the list of the organization has erased numbers
	counted        bool       // the recipient is in the window
	askedAt        *time.Time // when the last message to this recipient was requested
	ofSandbox      bool       // of a campaign whose calls are simulated
}

func (m candidate) hash() suppression.Hashed {
	return suppression.HashOf(m.organizationID, phone.Number(m.phoneNumber))
}

// admit admits messages of a scope, at most the number in most, and commits the admissions. The
// other due messages get a reason to wait. Errors: ErrBusy.
func (s *Service) admit(ctx context.Context, scopeID uuid.UUID, most int) (*pass, error) {
	since := s.now()
	p := &pass{
		numbers: map[uuid.UUID]*sendingNumber{}, sends: map[uuid.UUID]sendable{}, simulated: s.messages.Simulated(),
	}
	err := s.messages.TryScope(ctx, scopeID, func(w *messaging.ScopeTx) error {
		p.ScopeTx, p.scope = w, w.Scopes[scopeID]
		p.quota = p.scope.Free()
		if err := p.loadNumbers(ctx); err != nil {
			return err
		}
		if err := p.decide(ctx, most); err != nil {
			return err
		}
		return p.commit(ctx)
	})
	if err != nil {
		return nil, err
	}
	for _, m := range p.moves {
		decisions.WithLabelValues(string(m.Update)).Inc()
	}
	for id, m := range p.sends {
		m.since = since
		p.sends[id] = m
	}
	return p, nil
}

// loadNumbers reads the numbers that may send now, with their budgets. A number may not
// send when its account was not read within LimitAge.
func (p *pass) loadNumbers(ctx context.Context) error {
	rows, err := p.Tx.Query(ctx, `
		select n.id, n.external_id, n.connection_id, n.rate, n.pace_at, n.paused_reason is not null
			or c.paused_reason is not null
		from messaging_number n
		join messaging_connection c on c.id = n.connection_id
		where n.scope_id = @scope and n.disconnected_at is null and c.read_at > @now::timestamptz - @limit_age::interval
		  and (n.paused_until is null or n.paused_until <= @now)
			and (c.paused_until is null or c.paused_until <= @now)`,
		pgx.NamedArgs{"scope": p.scope.ID, "now": p.scope.Now, "limit_age": messaging.LimitAge})
	if err != nil {
		return fmt.Errorf("read the numbers of messaging scope %s: %w", p.scope.ID, err)
	}
	var n sendingNumber
	var rate int
	var at *time.Time
	_, err = pgx.ForEachRow(rows, []any{&n.id, &n.externalID, &n.connectionID, &rate, &at, &n.paused}, func() error {
		number := n
		number.pace = paceOf(rate, at, p.scope.Now)
		number.budget = number.pace.budget()
		if number.budget > 0 {
			p.numbers[n.id] = &number
		} else {
			p.wakeBy(number.pace.ready())
		}
		at = nil
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the numbers of messaging scope %s: %w", p.scope.ID, err)
	}
	return nil
}

func (p *pass) wakeBy(until time.Time) {
	if p.next == nil || until.Before(*p.next) {
		p.next = &until
	}
}

// decide picks the next messages and admits, defers or fails each of them.
func (p *pass) decide(ctx context.Context, most int) error {
	if len(p.numbers) == 0 || most <= 0 {
		return nil
	}
	var numbers []uuid.UUID
	var budgets []int
	for id, n := range p.numbers {
		numbers, budgets = append(numbers, id), append(budgets, n.budget)
	}
	more := 0
	if p.quota == 0 { // few messages will be admitted, and the others need a due time
		more, most = maxDeferred, maxDeferred
	}
	ids, err := p.pick(ctx, numbers, budgets, more, most)
	if err != nil || len(ids) == 0 {
		return err
	}
	p.full = len(ids) == most
	rows, err := p.Tx.Query(ctx, sqlCandidates, pgx.NamedArgs{"scope": p.scope.ID, "ids": ids})
	if err != nil {
		return fmt.Errorf("read %d queued messages: %w", len(ids), err)
	}
	var candidates []candidate
	for rows.Next() {
		var m candidate
		if err := rows.Scan(&m.id, &m.numberID, &m.lane, &m.wait, &m.attempts, &m.refusedClass, &m.refusedTimes,
			&m.phoneNumber, &m.templateName, &m.language, &m.components, &m.templateID, &m.templateUntil,
			&m.templateWhy, &m.suppressed, &m.hasErased, &m.organizationID, &m.counted, &m.askedAt, &m.ofSandbox,
		); err != nil {
			rows.Close()
			return fmt.Errorf("read %d queued messages: %w", len(ids), err)
		}
		candidates = append(candidates, m)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read %d queued messages: %w", len(ids), err)
	}
	if err := suppression.MarkErased(ctx, p.Tx, suppression.Message, candidates,
		func(m candidate) (suppression.Hashed, bool) { return m.hash(), m.hasErased && !m.suppressed },
		func(i int) { candidates[i].suppressed = true },
	); err != nil {
		return err
	}
	written := map[string]bool{} // recipients admitted in this pass
	var put []candidate          // deferred for lack of quota
	for _, m := range candidates {
		if !p.decideOne(m, written) {
			put = append(put, m)
		}
	}
	return p.deferForQuota(ctx, put)
}

// decideOne decides about one message. It returns false if the message lacks only quota.
func (p *pass) decideOne(m candidate, written map[string]bool) bool {
	n := p.numbers[m.numberID]
	switch {
	case m.suppressed:
		p.moves = append(p.moves, messaging.Move{
			ID: m.id, Update: messaging.UpdateFailed, Why: "The recipient is on the do-not-call list for messages",
		})
		return true
	case m.ofSandbox && !p.simulated:
		p.moves = append(p.moves, messaging.Move{
			ID: m.id, Update: messaging.UpdateFailed, Why: messaging.SandboxCall,
		})
		return true
	case m.templateUntil != nil && m.templateUntil.After(p.scope.Now):
		p.moves = append(p.moves, messaging.Move{
			ID: m.id, Update: messaging.UpdateDeferred, Due: *m.templateUntil, Wait: messaging.WaitTemplate,
			Why: *m.templateWhy,
		})
		return true
	case written[m.phoneNumber], m.askedAt != nil && m.askedAt.Add(pairGap).After(p.scope.Now):
		at := p.scope.Now
		if !written[m.phoneNumber] {
			at = *m.askedAt
		}
		p.moves = append(p.moves, messaging.Move{
			ID: m.id, Update: messaging.UpdateDeferred, Due: at.Add(pairGap), Wait: messaging.WaitPairRate,
		})
		return true
	case !m.counted && p.quota == 0:
		return false
	case n.budget == 0:
		return true // the number used up its rate: the message stays due
	}
	if !m.counted {
		p.quota--
	}
	written[m.phoneNumber] = true
	n.budget--
	n.pace.take()
	p.moves = append(p.moves, messaging.Move{ID: m.id, Update: messaging.UpdateAdmitted, Lease: leaseTime})
	p.sends[m.id] = sendable{
		id: m.id, organizationID: m.organizationID, attempt: m.attempts + 1,
		refusedClass: m.refusedClass, refusedTimes: m.refusedTimes,
		route:   connection.Route{NumberID: n.id, ConnectionID: n.connectionID, TemplateID: m.templateID},
		scopeID: p.scope.ID,
		message: cloud.Message{
			NumberID: n.externalID, To: m.phoneNumber, Template: m.templateName, Language: m.language,
			Reference: m.id.String(), Components: m.components,
		},
		probes: n.paused || m.templateUntil != nil,
	}
	return true
}

// commit writes the decisions and the paces of the numbers.
func (p *pass) commit(ctx context.Context) error {
	now := p.scope.Now
	if err := p.releaseCounted(ctx); err != nil {
		return err
	}
	moved, err := p.Transition(ctx, p.moves, &now)
	if err != nil {
		return err
	}
	if len(moved) != len(p.moves) {
		return fmt.Errorf("messages of scope %s changed under their locks", p.scope.ID)
	}
	var numbers []uuid.UUID
	var times []time.Time
	for id, n := range p.numbers {
		if n.budget == 0 {
			p.wakeBy(n.pace.ready()) // the number may have more to send
		}
		if n.pace.taken {
			numbers, times = append(numbers, id), append(times, n.pace.at)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	_, err = p.Tx.Exec(ctx, `
		update messaging_number n set pace_at = greatest(n.pace_at, p.at)
		from unnest(@numbers::uuid[], @times::timestamptz[]) p (id, at) where n.id = p.id`,
		pgx.NamedArgs{"numbers": numbers, "times": times})
	if err != nil {
		return fmt.Errorf("pace the numbers of messaging scope %s: %w", p.scope.ID, err)
	}
	return nil
}
