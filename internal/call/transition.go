package call

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	// detectionGrace is how long after its end a call waits for the result of
	// machine detection before it is settled.
	detectionGrace = 5 * time.Second
	// lineGrace is how long it waits for the last words of a line that may have
	// some. Whoever holds them and lives writes them by then: the end could be
	// written, so the database is there, and what can't be written is tried again
	// several times a second. When the holder has died, the call is settled after it.
	lineGrace = 30 * time.Second
)

// move is what is newly known about a call. Its zero fields say nothing.
type move struct {
	ID           uuid.UUID
	ConnectionID uuid.UUID // when set, the call must belong to it
	Unasked      bool      // only a call that the carrier was not and will not be asked for
	LikelyKnown  bool      // the row is likely to say all this already: look before it is written again

	To            Status // the state the call is known to have reached; empty: no news
	Accepted      bool   // the carrier has the call
	CarrierCallID string
	AnsweredBy    AnsweredBy
	At            time.Time // when it happened, by the carrier's clock; only used for what is learned too late to be timed by ours

	// Of a terminal To:
	Reason Reason
	By     Party
	Detail string
	Talked time.Duration // by the carrier's account; used when it never told of the answer
}

// moved is what the call is after a move.
type moved struct {
	Found          bool
	Ended          bool // by this move
	OrganizationID uuid.UUID
	Status         Status
	StartedAt      *time.Time
	AnsweredAt     *time.Time
	EndedAt        *time.Time
	HangUpAt       *time.Time
	CarrierCallID  *string
	AnsweredBy     AnsweredBy
	SettleNow      bool // it can be settled without waiting
	Emitted        bool // there may be events to deliver
}

// The parts that both statements share. The clock is read once, so that the
// times of one move agree.
const (
	// A decisive result of machine detection overrides an undecided one, and
	// "machine" overrides all, whatever order they come in.
	sqlAnsweredBy = `case
		when @answered_by::text is not null and (c.answered_by is null or c.answered_by = any(@weaker::text[])) then @answered_by
		else c.answered_by end`

	sqlStartedAt = `coalesce(c.started_at, case when @accepted::boolean then least(k.t, c.ringing_at, c.answered_at, c.ended_at) end)`

	// A machine took the call, and nobody gave an answer that no machine gives.
	sqlMachine = `(` + sqlAnsweredBy + `) = 'machine' and not exists (
		select from call_line l where l.call_id = c.id and l.human)`

	// How long after its end an answered call is kept from settlement; reads
	// answered_by as the move leaves it.
	sqlGrace = `case
		when ` + sqlUnwritten + ` then make_interval(secs => @line_grace)
		when (` + sqlAnsweredBy + `) is null then make_interval(secs => @detection_grace)
		else interval '0' end`

	// Somebody who holds the line, or has held it, may have words to write.
	sqlUnwritten = `exists (select from call_line l where l.call_id = c.id and l.closed_at is null)
		or exists (select from call_line_former f where f.call_id = c.id)`

	// The transcript as text: who said what, a line each.
	sqlTranscript = `coalesce((
		select string_agg(case t.role when 'agent' then 'Agent: ' when 'recipient' then 'Recipient: ' else '' end || t.text,
		                  E'\n' order by t.index)
		from call_turn t where t.call_id = c.id), '')`

	// An opt-out that was written by a former holder is unknown to the newest one.
	sqlAnalysis = `(
		select case when c.ended_reason = 'opted_out' then l.analysis || '{"opt_out": true}' else l.analysis end
		from call_line l where l.call_id = c.id)`

	sqlWhere = ` c.id = @id and (@connection_id::uuid is null or c.connection_id = @connection_id)
		and (not @unasked::boolean or c.asked_at is null)
		-- Another call of the carrier is not ours, whatever its callback says.
		and (c.carrier_call_id is null or @carrier_call_id::text is null or c.carrier_call_id = @carrier_call_id)`

	// A call that has not ended, found by its id. Said by its state: with
	// "ended_at is null" PostgreSQL may think of an index of all live calls, few
	// when it last counted them, and look through those.
	sqlLive = `c.status in ('queued', 'ringing', 'in_progress')`

	sqlMoved = `c.organization_id, c.status, c.started_at, c.answered_at, c.ended_at, c.hang_up_at, c.carrier_call_id, coalesce(c.answered_by, '')`

	sqlReturning = `
		returning ` + sqlMoved + `, c.ended_at is not null and c.settled_at is null and c.settle_after <= k.t`
)

// sqlUpdate is what news that do not end a call change: times and states that are
// missing.
const sqlUpdate = `
	update call c set
		status = case when c.status = any(@from::text[]) then @to else c.status end,
		carrier_call_id = coalesce(c.carrier_call_id, @carrier_call_id),
		started_at = ` + sqlStartedAt + `,
		ringing_at = case
			when c.ringing_at is not null or not @rings::boolean then c.ringing_at
			when c.answered_at is null and c.ended_at is null then k.t
			else greatest(coalesce(c.started_at, c.created_at), least(@at::timestamptz, c.answered_at, c.ended_at)) end,
		answered_at = case
			when c.answered_at is null and @answers::boolean and c.ended_at is null then k.t
			else c.answered_at end,
		heard_at = case when c.ended_at is null then greatest(c.heard_at, k.t) else c.heard_at end`

// sqlAdvance applies them and does not wait for the disk: it is a transaction of
// its own, and what a crash of the database takes back with it is said again. A
// state is implied by each one that follows, the carrier's id comes with every
// callback, and a call of which nothing more is heard is looked up by the
// reconciler, as when the process died before it wrote. What must not be lost
// waits: asked_at before it, turns and the end after it, and with them what was
// written before them.
//
// Events that go with it do wait: they must not be told, lost, and told again.
var sqlAdvance = sqlUpdate + `
	from (select clock() as t, set_config('synchronous_commit',
	          case when @telling::boolean then current_setting('synchronous_commit') else 'off' end, true)) k
	where` + sqlWhere + withoutEvents(sqlUpdateFirst) + sqlReturning

// sqlKnown returns a live call that sqlAdvance would leave as it is, but for a
// heard_at of just now. News that come twice are as common as those that come
// once, and reading costs much less than writing.
const sqlKnown = `
	select ` + sqlMoved + `, false
	from call c
	where` + sqlWhere + ` and ` + sqlLive + `
	  and not c.status = any(@from::text[])
	  and (@carrier_call_id is null or c.carrier_call_id is not null)
	  and (not @accepted::boolean or c.started_at is not null)
	  and (not @rings::boolean or c.ringing_at is not null)
	  and (not @answers::boolean or c.answered_at is not null)
	  and c.heard_at > (select clock()) - interval '5 seconds'`

// sqlDetect applies news with a result of machine detection, which is told only
// once. After the end, too, it may still turn a talk into a voicemail as long as
// the call is not settled.
var sqlDetect = sqlUpdate + `,
		answered_by = ` + sqlAnsweredBy + `,
		outcome = case when ` + sqlBelated + ` then 'voicemail' else c.outcome end,
		ended_by = case when ` + sqlBelated + ` and c.ended_reason = 'recipient_hung_up' then 'recipient' else c.ended_by end,
		ended_reason = case when ` + sqlBelated + ` and c.ended_reason = 'recipient_hung_up' then 'voicemail' else c.ended_reason end,
		settle_after = case
			when c.status = 'completed' and c.settled_at is null and @answered_by::text is not null
			then c.ended_at + ` + sqlGrace + `
			else c.settle_after end
	from (select clock() as t) k
	where` + sqlWhere + withoutEvents(sqlUpdateFirst) + sqlReturning

// sqlUpdateFirst: started_at or answered_at is set by them.
const sqlUpdateFirst = `@accepted::boolean and c.started_at is null or @answers::boolean and c.answered_at is null and c.ended_at is null`

// sqlBelated: detection says "machine" after the end, but before settlement.
const sqlBelated = `c.outcome = 'completed' and c.settled_at is null and @answered_by::text = 'machine' and ` + sqlMachine

// sqlFinish ends a call that has not ended. What we were about to end it for is
// why it ended, if it went the way we wanted.
var sqlFinish = `
	update call c set
		status = @to,
		carrier_call_id = coalesce(c.carrier_call_id, @carrier_call_id),
		started_at = ` + sqlStartedAt + `,
		answered_at = case when @to = 'completed'
			then coalesce(c.answered_at, greatest(coalesce(c.ringing_at, c.started_at, c.created_at), k.t - make_interval(secs => @talked)))
			else c.answered_at end,
		answered_by = ` + sqlAnsweredBy + `,
		outcome = case
			when @to = 'completed' and ` + sqlMachine + ` then 'voicemail'
			when @to = 'canceled' and c.ended_reason = 'no_answer' then 'no_answer' -- it was withdrawn because it rang too long
			else @to end,
		ended_reason = case
			when @to in ('completed', 'canceled') and c.ended_reason is not null then c.ended_reason
			when @to = 'completed' and ` + sqlMachine + ` then 'voicemail'
			else @reason end,
		ended_by = case
			when @to in ('completed', 'canceled') and c.ended_reason is not null then c.ended_by
			else @ended_by end,
		detail = @detail,
		ended_at = k.t,
		heard_at = k.t,
		settle_after = k.t + case when @to = 'completed' then ` + sqlGrace + ` else interval '0' end,
		transcript_text = ` + sqlTranscript + `,
		analysis = ` + sqlAnalysis + `
	from (select clock() as t) k
	where` + sqlWhere + ` and ` + sqlLive +
	withoutEvents(`@accepted::boolean and c.started_at is null or @to = 'completed' and c.answered_at is null`) + sqlReturning

// sqlLock comes before sqlFinish, in a statement of its own: so that the turns
// it gathers are those committed up to the moment the row is ours, and a line
// that is closed later knows that the call has ended.
const sqlLock = `
	select ` + sqlMoved + `, false
	from call c
	where` + sqlWhere + `
	for no key update`

var (
	advance = postgres.Compile(sqlAdvance)
	known   = postgres.Compile(sqlKnown)
	detect  = postgres.Compile(sqlDetect)
	lock    = postgres.Compile(sqlLock)
	finish  = postgres.Compile(sqlFinish)
)

// transition is the one way a call changes its state. News may come twice and
// in any order: a state is never left for an earlier one, and one that has
// ended is only enriched. Every statement of it is a round trip; on a pool it is
// its own transaction. Where somebody is to be told that the call has started or
// was answered, it is made in a second one, with the events.
func (s *Service) transition(ctx context.Context, db postgres.DB, m move) (moved, error) {
	args := pgx.NamedArgs{
		"id": m.ID, "connection_id": orNull(m.ConnectionID), "carrier_call_id": orNull(m.CarrierCallID),
		"unasked": m.Unasked, "to": string(m.To), "accepted": m.Accepted, "answered_by": orNull(m.AnsweredBy), "weaker": weaker[m.AnsweredBy],
		"detection_grace": detectionGrace.Seconds(), "line_grace": lineGrace.Seconds(),
	}
	if m.ends() {
		args["reason"], args["ended_by"], args["detail"], args["talked"] = m.Reason, m.By, m.Detail, m.Talked.Seconds()
	} else {
		args["from"], args["at"] = before[m.To], m.At
		args["rings"], args["answers"] = m.To == Ringing, m.To == InProgress
	}
	if m.LikelyKnown && m.AnsweredBy == "" {
		after, err := s.read(db.QueryRow(ctx, known.SQL, known.Args(args)...), m)
		if err != nil || after.Found {
			return after, err
		}
	}
	args["telling"] = false
	if m.ends() {
		_, after, err := s.lockAndUpdate(ctx, db, m, args)
		if err != nil || after.EndedAt != nil {
			return after, err
		}
	} else {
		after, err := s.read(db.QueryRow(ctx, m.statement().SQL, m.statement().Args(args)...), m)
		if err != nil || after.Found {
			return after, err
		}
	}
	return s.updateAndEmit(ctx, db, m, args) // or there is no such call
}

func (m move) ends() bool { return m.To != "" && m.To.Terminal() }

// statement makes the move; it leaves alone what somebody is to be told of,
// unless @telling.
func (m move) statement() postgres.Statement {
	switch {
	case m.ends():
		return finish
	case m.AnsweredBy != "":
		return detect
	}
	return advance
}

// lockAndUpdate makes a move of a call that is locked before. What is not
// changed is after as it was before.
func (s *Service) lockAndUpdate(ctx context.Context, db postgres.DB, m move, args pgx.NamedArgs) (before, after moved, err error) {
	batch := &pgx.Batch{}
	batch.Queue(lock.SQL, lock.Args(args)...)
	batch.Queue(m.statement().SQL, m.statement().Args(args)...)
	results := db.SendBatch(ctx, batch)
	defer results.Close() //nolint:errcheck // closed below; this is for the ways out before
	if before, err = s.read(results.QueryRow(), m); err != nil {
		return moved{}, moved{}, err
	}
	if after, err = s.read(results.QueryRow(), m); err != nil {
		return moved{}, moved{}, err
	}
	if after.Found {
		after.Ended = m.ends()
	} else {
		after = before
	}
	if err := results.Close(); err != nil {
		return moved{}, moved{}, fmt.Errorf("change call %s to %q: %w", m.ID, m.To, err)
	}
	return before, after, nil
}

// read scans what a statement of a transition returns; none is not Found.
func (s *Service) read(row pgx.Row, m move) (after moved, err error) {
	err = row.Scan(&after.OrganizationID, &after.Status, &after.StartedAt, &after.AnsweredAt, &after.EndedAt, &after.HangUpAt,
		&after.CarrierCallID, &after.AnsweredBy, &after.SettleNow)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return moved{}, nil
	case err != nil:
		return moved{}, fmt.Errorf("change call %s to %q: %w", m.ID, m.To, err)
	}
	after.Found = true
	return after, nil
}

// before lists the states that each state may be reached from.
var before = map[Status][]Status{
	"":         {},
	Queued:     {},
	Ringing:    {Queued},
	InProgress: {Queued, Ringing},
}

// weaker lists the results of machine detection that each one overrides.
var weaker = map[AnsweredBy][]AnsweredBy{
	"":      {},
	Unknown: {},
	Human:   {Unknown},
	Machine: {Unknown, Human},
}

// orNull is nil for the zero value.
func orNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// wakeAfter wakes those who wait for what a move has done. Call it after the
// commit.
func (s *Service) wakeAfter(m moved) {
	if m.Ended {
		s.wake(TopicDialer)
	}
	if m.SettleNow {
		s.wake(TopicSettlement)
	}
	if m.Emitted {
		s.wake(webhook.Topic)
	}
}
