package gate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/suppression"
)

const (
	// leaseTime is how long an admission allows its process to ask the operator.
	leaseTime = 30 * time.Second

	// pairGap is the least time between two messages to one recipient. The
	// operator allows a burst now and then, and takes it off what comes later.
	pairGap = 6 * time.Second

	// farthest is how many windows ahead is foreseen: of a limit of nobody, say.
	maxWindowsAhead = 365

	// deferMost bounds the messages that one look puts off because there is no
	// room: it holds the lock that everybody waits for.
	maxDeferred = 500
)

// sendable is a message that the gate has let through: this process may send
// it, once, while its lease lasts.
type sendable struct {
	id           uuid.UUID
	attempt      int          // from 1
	refusedClass *cloud.Class // before this attempt, and how often
	refusedTimes int
	route        connection.Route
	scopeID      uuid.UUID
	message      cloud.Message
	probes       bool // what it is sent with was paused, and is tried again

	since time.Time // before the lease began, by this process's own clocks
}

// pass is one round over a scope: which messages wait, and which may go.
type pass struct {
	*messaging.ScopeTx
	scope   *messaging.Scope
	numbers map[uuid.UUID]*sendingNumber
	quota   int // recipients that may still be added

	moves []messaging.Move
	sends map[uuid.UUID]sendable
	full  bool       // more may be due than was looked at
	next  *time.Time // when a number that was held back by its rate may send again
}

// sendingNumber is a number that may send now.
type sendingNumber struct {
	id           uuid.UUID
	externalID   string
	connectionID uuid.UUID
	pace         pace
	budget       int
	paused       bool // it was, and is tried again
}

// candidate is a message at the gate.
type candidate struct {
	id            uuid.UUID
	numberID      uuid.UUID
	lane          uuid.UUID
	wait          *messaging.WaitReason
	attempts      int
	refusedClass  *cloud.Class
	refusedTimes  int
	phoneNumber   string
	templateName  string
	language      string
	components    []cloud.Component
	templateID    *uuid.UUID
	templateUntil *time.Time // paused until then
	templateWhy   *string
	suppressed    bool       // on the do-not-call list
	counted       bool       // the recipient is in the window
	askedAt       *time.Time // when this recipient was last written to
}

// admit lets messages of a scope through the gate, at most most of them, and
// commits that. The rest waits, and says for what. Error: ErrBusy.
func (s *Service) admit(ctx context.Context, scopeID uuid.UUID, most int) (*pass, error) {
	since := s.now()
	p := &pass{numbers: map[uuid.UUID]*sendingNumber{}, sends: map[uuid.UUID]sendable{}}
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

// loadNumbers reads the numbers that may send now, and how many messages each. None
// may of an account whose limit was not read for a minute.
func (p *pass) loadNumbers(ctx context.Context) error {
	rows, err := p.Tx.Query(ctx, `
		select n.id, n.external_id, n.connection_id, n.rate, n.pace_at, n.paused_reason is not null or c.paused_reason is not null
		from messaging_number n
		join messaging_connection c on c.id = n.connection_id
		where n.scope_id = @scope and n.disconnected_at is null and c.read_at > @now::timestamptz - @limit_age::interval
		  and (n.paused_until is null or n.paused_until <= @now) and (c.paused_until is null or c.paused_until <= @now)`,
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

// sqlPick finds who is next. Lanes, which are campaigns and what an organization
// sends one by one, take turns: the first of each, the second of each, and so
// on, however long one lane is. Within a lane, those who wait for a slot of the
// scope come first, in the order they came; they are looked at only while there
// is one.
const sqlPick = `
	with recursive due as (
		select n.id as number_id, n.budget, (
			select m.lane from message m
			where m.number_id = n.id and m.status = 'queued' and m.wait_reason is distinct from 'quota'
			order by m.lane limit 1) as lane
		from unnest(@numbers::uuid[], @budgets::int[]) n (id, budget)
		union all
		select d.number_id, d.budget, (
			select m.lane from message m
			where m.number_id = d.number_id and m.status = 'queued' and m.wait_reason is distinct from 'quota' and m.lane > d.lane
			order by m.lane limit 1)
		from due d where d.lane is not null
	), held as (
		select n.id as number_id, n.budget, (
			select m.lane from message m
			where m.number_id = n.id and m.status = 'queued' and m.wait_reason = 'quota'
			order by m.lane limit 1) as lane
		from unnest(@numbers::uuid[], @budgets::int[]) n (id, budget)
		where @free > 0
		union all
		select h.number_id, h.budget, (
			select m.lane from message m
			where m.number_id = h.number_id and m.status = 'queued' and m.wait_reason = 'quota' and m.lane > h.lane
			order by m.lane limit 1)
		from held h where h.lane is not null
	)
	select p.id
	from (
		select c.id, row_number() over (partition by c.number_id, c.lane order by c.held desc, c.place) as turn, c.place
		from (
			select m.id, d.number_id, d.lane, false as held, m.place
			from due d cross join lateral (
				select m.id, row_number() over (order by m.due_at, m.id) as place
				from (
					select m.id, m.due_at from message m
					where m.number_id = d.number_id and m.lane = d.lane and m.status = 'queued'
					  and m.wait_reason is distinct from 'quota' and m.due_at <= @now
					order by m.due_at, m.id limit greatest(d.budget, @more)) m) m
			where d.lane is not null
			union all
			select m.id, h.number_id, h.lane, true, m.place
			from held h cross join lateral (
				select m.id, row_number() over (order by m.id) as place
				from (
					select m.id from message m
					where m.number_id = h.number_id and m.lane = h.lane and m.status = 'queued' and m.wait_reason = 'quota'
					order by m.id limit least(h.budget, @free)) m) m
			where h.lane is not null
		) c
	) p
	order by p.turn, p.place, p.id
	limit @most`

// sqlListed says that somebody is on the do-not-call list by now.
var sqlSuppressed = suppression.Blocks(suppression.Message, "m.organization_id", "m.phone_number")

// sqlWaiting locks those picked, but who is just being changed, and reads what
// decides about each.
var sqlCandidates = `
	select m.id, m.number_id, m.lane, m.wait_reason, m.attempts, m.refused_class, m.refused_times, m.phone_number, m.template_name, m.template_language, m.components,
	       t.id, t.paused_until, t.paused_reason,
	       ` + sqlSuppressed + `,
	       l.asked_at is not null, l.asked_at
	from message m
	left join messaging_number n on n.id = m.number_id
	left join messaging_template t on t.connection_id = n.connection_id and t.name = m.template_name and t.language = m.template_language
	left join messaging_ledger l on l.scope_id = @scope and l.phone_number = m.phone_number
	where m.id = any(@ids) and m.status = 'queued' and m.scope_id = @scope
	order by array_position(@ids, m.id)
	for no key update of m skip locked`

// decide looks at who is next, and says of each whether they go, wait or fail.
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
	if p.quota == 0 { // few will go, and the others are to be told
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
	written := map[string]bool{} // in this look
	var put []candidate          // off, because there is no room
	for rows.Next() {
		var m candidate
		if err := rows.Scan(&m.id, &m.numberID, &m.lane, &m.wait, &m.attempts, &m.refusedClass, &m.refusedTimes, &m.phoneNumber, &m.templateName, &m.language,
			&m.components, &m.templateID, &m.templateUntil, &m.templateWhy, &m.suppressed, &m.counted, &m.askedAt); err != nil {
			rows.Close()
			return fmt.Errorf("read %d queued messages: %w", len(ids), err)
		}
		if !p.decideOne(m, written) {
			put = append(put, m)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read %d queued messages: %w", len(ids), err)
	}
	return p.deferForQuota(ctx, put)
}

func (p *pass) pick(ctx context.Context, numbers []uuid.UUID, budgets []int, more, most int) ([]uuid.UUID, error) {
	rows, err := p.Tx.Query(ctx, sqlPick, pgx.NamedArgs{
		"numbers": numbers, "budgets": budgets, "free": p.quota, "more": more, "most": most, "now": p.scope.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("find queued messages of messaging scope %s: %w", p.scope.ID, err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, fmt.Errorf("find queued messages of messaging scope %s: %w", p.scope.ID, err)
	}
	return ids, nil
}

// decideOne decides about one message. It returns false when only the quota is missing.
func (p *pass) decideOne(m candidate, written map[string]bool) bool {
	n := p.numbers[m.numberID]
	switch {
	case m.suppressed:
		p.moves = append(p.moves, messaging.Move{ID: m.id, Update: messaging.UpdateFailed, Why: "The recipient is on the do-not-call list for messages"})
		return true
	case m.templateUntil != nil && m.templateUntil.After(p.scope.Now):
		p.moves = append(p.moves, messaging.Move{ID: m.id, Update: messaging.UpdateDeferred, Due: *m.templateUntil, Wait: messaging.WaitTemplate, Why: *m.templateWhy})
		return true
	case written[m.phoneNumber], m.askedAt != nil && m.askedAt.Add(pairGap).After(p.scope.Now):
		at := p.scope.Now
		if !written[m.phoneNumber] {
			at = *m.askedAt
		}
		p.moves = append(p.moves, messaging.Move{ID: m.id, Update: messaging.UpdateDeferred, Due: at.Add(pairGap), Wait: messaging.WaitPairRate})
		return true
	case !m.counted && p.quota == 0:
		return false
	case n.budget == 0:
		return true // it stays due
	}
	if !m.counted {
		p.quota--
	}
	written[m.phoneNumber] = true
	n.budget--
	n.pace.take()
	p.moves = append(p.moves, messaging.Move{ID: m.id, Update: messaging.UpdateAdmitted, Lease: leaseTime})
	p.sends[m.id] = sendable{
		id: m.id, attempt: m.attempts + 1, refusedClass: m.refusedClass, refusedTimes: m.refusedTimes, route: connection.Route{NumberID: n.id, ConnectionID: n.connectionID, TemplateID: m.templateID}, scopeID: p.scope.ID,
		message: cloud.Message{
			NumberID: n.externalID, To: m.phoneNumber, Template: m.templateName, Language: m.language,
			Reference: m.id.String(), Components: m.components,
		},
		probes: n.paused || m.templateUntil != nil,
	}
	return true
}

// deferForQuota tells those for whom there is no room when, as far as is known, there
// will be. They need not be told again: the gate looks at them in the order they
// came as soon as a slot is free, be it sooner or later.
func (p *pass) deferForQuota(ctx context.Context, put []candidate) error {
	places := map[uuid.UUID]int{} // in each lane
	var news []candidate
	for _, m := range put {
		if m.wait == nil || *m.wait != messaging.WaitQuota {
			news = append(news, m)
			places[m.lane] = 0
		}
	}
	if len(news) == 0 {
		return nil
	}
	lanes := make([]uuid.UUID, 0, len(places))
	for lane := range places {
		lanes = append(lanes, lane)
	}
	rows, err := p.Tx.Query(ctx, `
		select w.lane, count(*) from (
			select a.lane from unnest(@lanes::uuid[]) a (lane)
			join messaging_number n on n.scope_id = @scope and n.disconnected_at is null
			join message m on m.number_id = n.id and m.lane = a.lane and m.status = 'queued' and m.wait_reason = 'quota') w
		group by w.lane`, pgx.NamedArgs{"lanes": lanes, "scope": p.scope.ID})
	if err != nil {
		return fmt.Errorf("count who waits for messaging scope %s: %w", p.scope.ID, err)
	}
	var lane uuid.UUID
	var ahead int
	if _, err := pgx.ForEachRow(rows, []any{&lane, &ahead}, func() error { places[lane] = ahead; return nil }); err != nil {
		return fmt.Errorf("count who waits for messaging scope %s: %w", p.scope.ID, err)
	}
	turns := make([]int, len(news))
	for i, m := range news {
		turns[i] = places[m.lane] * len(lanes)
		places[m.lane]++
	}
	times, err := p.quotaTimes(ctx, turns)
	if err != nil {
		return err
	}
	for i, m := range news {
		p.moves = append(p.moves, messaging.Move{ID: m.id, Update: messaging.UpdateDeferred, Due: times[i], Wait: messaging.WaitQuota})
	}
	return nil
}

// releaseCounted lets go who waits for a slot for a recipient that this look has put
// into the window: they need none any more.
func (p *pass) releaseCounted(ctx context.Context) error {
	if len(p.sends) == 0 {
		return nil
	}
	known := make([]uuid.UUID, len(p.moves))
	for i, m := range p.moves {
		known[i] = m.ID
	}
	var recipients []string
	for _, m := range p.sends {
		recipients = append(recipients, m.message.To)
	}
	rows, err := p.Tx.Query(ctx, `
		select m.id from message m
		where m.organization_id in (select n.organization_id from messaging_number n where n.scope_id = @scope and n.disconnected_at is null)
		  and m.phone_number = any(@recipients::text[]) and m.scope_id = @scope and m.status = 'queued' and m.wait_reason = 'quota'
		  and not m.id = any(@known::uuid[])
		limit @most
		for no key update of m skip locked`,
		pgx.NamedArgs{"scope": p.scope.ID, "recipients": recipients, "known": known, "most": maxDeferred})
	if err != nil {
		return fmt.Errorf("find who needs no slot of messaging scope %s: %w", p.scope.ID, err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("find who needs no slot of messaging scope %s: %w", p.scope.ID, err)
	}
	for _, id := range ids {
		p.moves = append(p.moves, messaging.Move{ID: id, Update: messaging.UpdateDeferred, Due: p.scope.Now.Add(pairGap), Wait: messaging.WaitPairRate})
	}
	return nil
}

// commit writes down who goes and who waits, and how far the numbers' rates are
// used up.
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
			p.wakeBy(n.pace.ready()) // there may be more that it has to send
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

// quotaTimes tells when the scope will have room for another recipient the first
// time, the second, and so on, by the turns asked for (from 0): when enough of
// those in the window, with those this look adds, have left it.
func (p *pass) quotaTimes(ctx context.Context, turns []int) ([]time.Time, error) {
	stored := p.scope.Recipients
	inside := stored + p.scope.Free() - p.quota
	over := max(inside-p.scope.Limit, 0) // they leave without making room
	wanted := map[int]struct{}{}
	last := 0
	for _, turn := range turns {
		if place := (over + turn) % max(inside, 1); place < stored {
			wanted[place] = struct{}{}
			last = max(last, place)
		}
	}
	rows, err := p.Tx.Query(ctx, `
		select o.place, o.counted_at from (
			select row_number() over (order by counted_at) - 1 as place, counted_at from (
				select counted_at from messaging_ledger where scope_id = @scope order by counted_at limit @last + 1) r) o
		where o.place = any(@wanted::bigint[])`,
		pgx.NamedArgs{"scope": p.scope.ID, "last": last, "wanted": slices.Collect(maps.Keys(wanted))})
	if err != nil {
		return nil, fmt.Errorf("read when messaging scope %s has room: %w", p.scope.ID, err)
	}
	leaves := map[int]time.Time{}
	var place int
	var at time.Time
	if _, err := pgx.ForEachRow(rows, []any{&place, &at}, func() error { leaves[place] = at.Add(messaging.Window); return nil }); err != nil {
		return nil, fmt.Errorf("read when messaging scope %s has room: %w", p.scope.ID, err)
	}
	times := make([]time.Time, len(turns))
	for i, turn := range turns {
		place := (over + turn) % max(inside, 1)
		at, known := leaves[place]
		if !known { // one of those that this look adds
			at = p.scope.Now.Add(messaging.Window)
		}
		// Who comes after everybody who is inside waits for those who will have
		// come in by then: a window for every full round.
		times[i] = at.Add(time.Duration(min((over+turn)/max(inside, 1), maxWindowsAhead)) * messaging.Window)
	}
	return times, nil
}
