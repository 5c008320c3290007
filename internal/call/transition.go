package call

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	// detectionGrace is how long after its end a call waits for the result of
	// machine detection before it is settled.
	detectionGrace = 5 * time.Second
	// lineGrace is how long after its end a call waits for the last turns of a line that may have
	// unwritten turns. A living holder writes them within this time: the database is available,
	// because the end was written, and a holder tries several times a second. If the holder has
	// died, the call is settled after this time.
	lineGrace = 30 * time.Second
)

// move is new information about a call. A zero field has no meaning.
type move struct {
	ID           uuid.UUID
	ConnectionID uuid.UUID // when set, the call must belong to this connection
	Unasked      bool      // applies only to a call that was not requested from the carrier and will not be
	LikelyKnown  bool      // the row probably has this information already: read it before writing

	To            Status // the state that the call has reached; empty: unchanged
	Accepted      bool   // the carrier has the call
	CarrierCallID string
	AnsweredBy    AnsweredBy
	Attestation   carrier.Attestation
	At            time.Time // by the carrier's clock; used only for a late move

	// For a terminal To:
	Reason Reason
	By     Party
	Code   string // the carrier's, if it gives one
	Detail string
	Talked time.Duration   // as the carrier reports it; used when the carrier never reported the answer
	Check  *predial.Answer // of a call that was checked and not requested from the carrier
}

// moved is a call after a move.
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
	SettleNow      bool // the call can be settled at once
	Emitted        bool // events were written
}

// Parts of the statements below. Each statement reads the clock once, as k.t, so that the
// times of one move agree.
const (
	// A decided result of machine detection overrides an undecided one, and "machine"
	// overrides every other result, in whatever order they arrive.
	sqlAnsweredBy = `case
		when @answered_by::text is not null
			and (c.answered_by is null or c.answered_by = any(@weaker::text[])) then @answered_by
		else c.answered_by end`

	sqlStartedAt = `coalesce(c.started_at, case when @accepted::boolean then least(k.t, c.ringing_at,
		c.answered_at, c.ended_at) end)`

	// A machine answered, and the recipient did nothing that shows a person.
	sqlMachine = `(` + sqlAnsweredBy + `) = 'machine' and not exists (
		select from call_line l where l.call_id = c.id and l.human)`

	// Time between the end and the settlement of an answered call. It uses the answered_by that
	// results from the move.
	sqlGrace = `case
		when ` + sqlUnwritten + ` or ` + sqlForwarding + ` and c.ended_reason is null
			then make_interval(secs => @line_grace)
		when (` + sqlAnsweredBy + `) is null and c.detection <> 'off' then make_interval(secs => @detection_grace)
		else interval '0' end`

	// The call rings at another number or was connected with it. The end of that dial is told after this, in any order
	// with the end of the call.
	sqlForwarding = `coalesce(c.reception ->> 'action' = 'forward', false)`

	// The holder of the line, or a former holder, may have turns to write.
	sqlUnwritten = `exists (select from call_line l where l.call_id = c.id and l.closed_at is null)
		or exists (select from call_line_former f where f.call_id = c.id)`

	// Transcript as text: one line per turn, with its speaker.
	sqlTranscript = `coalesce((
		select string_agg(case t.role when 'agent' then 'Agent: '
			when 'recipient' then 'Recipient: ' else '' end || t.text,
		                  E'\n' order by t.index)
		from call_turn t where t.call_id = c.id), '')`

	sqlWhere = ` c.id = @id and (@connection_id::uuid is null or c.connection_id = @connection_id)
		and (not @unasked::boolean or c.asked_at is null)
		-- A callback about another call of the carrier is not for this call.
		and (c.carrier_call_id is null or @carrier_call_id::text is null or c.carrier_call_id = @carrier_call_id)`

	// Selects a call that has not ended and that is found by its id. With "ended_at is null",
	// PostgreSQL might scan the index of all live calls instead, if its statistics say that there
	// are few live calls.
	sqlLive = `c.status in ('queued', 'ringing', 'in_progress')`

	sqlMoved = `c.organization_id, c.status, c.started_at, c.answered_at, c.ended_at, c.hang_up_at,
		c.carrier_call_id, coalesce(c.answered_by, '')`

	sqlReturning = `
		returning ` + sqlMoved + `, c.ended_at is not null and c.settled_at is null and c.settle_after <= k.t`
)

// sqlAnalysis is the analysis of a call that answeredBy has answered. The current holder
// does not know of an opt-out that a former holder wrote, and may not know that a machine
// answered: what a machine said is no answer.
func sqlAnalysis(answeredBy string) string {
	return `(
		select l.analysis || case
			when c.ended_reason = 'opted_out' then '{"opt_out": true}'::jsonb
			when starts_with(l.analysis ->> 'summary', '` + conversation.ToBeConnected + `') and ` + sqlTransferred + `
				then jsonb_build_object('summary', replace(l.analysis ->> 'summary',
					'` + conversation.ToBeConnected + `', '` + conversation.Connected + `'))
			when (` + answeredBy + `) = 'machine' and not l.human
				and (c.ended_reason in ('voicemail_message_left', 'screened', 'menu')) is not true
				then '` + voicemailAnalysis + `'::jsonb
			else '{}'::jsonb end
		from call_line l where l.call_id = c.id)`
}

// voicemailAnalysis is the analysis of a call to a voicemail without a message, as JSON.
var voicemailAnalysis = func() string {
	text, err := json.Marshal(conversation.Analyze(conversation.State{Ending: conversation.Voicemail}))
	if err != nil {
		panic(err) // it has no value that JSON does not know
	}
	return string(text)
}()

// sqlUpdate sets the times and the state that a move adds to a call that continues.
const sqlUpdate = `
	update call c set
		status = case when c.status = any(@from::text[]) then @to else c.status end,
		carrier_call_id = coalesce(c.carrier_call_id, @carrier_call_id),
		stir_attestation = coalesce(c.stir_attestation, @attestation),
		started_at = ` + sqlStartedAt + `,
		ringing_at = case
			when c.ringing_at is not null or not @rings::boolean then c.ringing_at
			when c.answered_at is null and c.ended_at is null then k.t
			else greatest(coalesce(c.started_at, c.created_at), least(@at::timestamptz, c.answered_at, c.ended_at)) end,
		answered_at = case
			when c.answered_at is null and @answers::boolean and c.ended_at is null then greatest(k.t, c.ringing_at)
			else c.answered_at end,
		heard_at = case when c.ended_at is null then greatest(c.heard_at, k.t) else c.heard_at end`

// sqlAdvance makes a move that does not end the call, and does not wait for the disk. A crash of
// the database may undo the move, because the information comes again: every later state implies
// it, every callback carries the carrier's id, and the reconciler looks up a silent call. The
// writes that must not be lost do wait for the disk: asked_at, turns and the end of the call, and
// all writes before them.
//
// A move with events waits for the disk too: otherwise a crash could undo an event that was already
// delivered, and the event would be delivered again.
var sqlAdvance = sqlUpdate + `
	from (select clock() as t, set_config('synchronous_commit',
	          case when @telling::boolean then current_setting('synchronous_commit') else 'off' end, true)) k
	where` + sqlWhere + withoutEvents(sqlUpdateFirst) + sqlReturning

// sqlKnown returns a live call if sqlAdvance would change only heard_at, which is recent. Repeated
// information is as common as new information, and reading costs much less than writing.
const sqlKnown = `
	select ` + sqlMoved + `, false
	from call c
	where` + sqlWhere + ` and ` + sqlLive + `
	  and not c.status = any(@from::text[])
	  and (@carrier_call_id is null or c.carrier_call_id is not null)
  and (@attestation::text is null or c.stir_attestation is not null)
	  and (not @accepted::boolean or c.started_at is not null)
	  and (not @rings::boolean or c.ringing_at is not null)
	  and (not @answers::boolean or c.answered_at is not null)
	  and c.heard_at > (select clock()) - interval '5 seconds'`

// sqlDetect makes a move with a result of machine detection, which the carrier reports only
// once. The result may come after the end. Until the call is settled, it can still change
// the outcome to voicemail, which voids the answers.
var sqlDetect = sqlUpdate + `,
		answered_by = ` + sqlAnsweredBy + `,
		outcome = case when ` + sqlBelated + ` then 'voicemail' else c.outcome end,
		ended_by = case when ` + sqlBelated +
	` and c.ended_reason = 'recipient_hung_up' then 'recipient' else c.ended_by end,
		ended_reason = case when ` + sqlBelated +
	` and (c.ended_reason = 'recipient_hung_up' or c.ended_by = 'agent') then 'voicemail' else c.ended_reason end,
		analysis = case when ` + sqlBelated + ` then ` + sqlAnalysis(`'machine'`) + ` else c.analysis end,
		settle_after = case
			when c.status = 'completed' and c.settled_at is null and @answered_by::text is not null
			then c.ended_at + ` + sqlGrace + `
			else c.settle_after end
	from (select clock() as t) k
	where` + sqlWhere + withoutEvents(sqlUpdateFirst) + sqlReturning

// sqlUpdateFirst is true if the move sets started_at or answered_at.
const sqlUpdateFirst = `@accepted::boolean and c.started_at is null or @answers::boolean and c.answered_at is null
	and c.ended_at is null`

// sqlBelated is true if detection reports a machine after the end and before the settlement.
const sqlBelated = `c.outcome = 'completed' and c.settled_at is null and @answered_by::text = 'machine' and ` +
	sqlMachine

// sqlFinish ends a live call. If this product was about to end the call, its reason is the reason
// of the end, unless the carrier reports a different kind of end.
var sqlFinish = `
	update call c set
		status = @to,
		carrier_call_id = coalesce(c.carrier_call_id, @carrier_call_id),
		stir_attestation = coalesce(c.stir_attestation, @attestation),
		started_at = ` + sqlStartedAt + `,
		answered_at = case when @to = 'completed'
			then coalesce(c.answered_at, greatest(
				coalesce(c.ringing_at, c.started_at, c.created_at), k.t - make_interval(secs => @talked)))
			else c.answered_at end,
		answered_by = ` + sqlAnsweredBy + `,
		outcome = case
			when @to = 'completed' and (c.ended_reason is null and ` + sqlNoLine + `
				or c.ended_reason = 'line_failed' and ` + sqlNothingSaid + `
				or c.ended_reason = 'model_failed') then 'failed'
			when @to = 'completed' and ` + sqlMachine + ` then 'voicemail'
			-- It was canceled because it rang for too long.
			when @to = 'canceled' and c.ended_reason = 'no_answer' then 'no_answer'
			else @to end,
		ended_reason = case
			when @to in ('completed', 'canceled') and c.ended_reason is not null then c.ended_reason
			when @to = 'completed' and ` + sqlTransferred + ` then 'transferred'
			when @to = 'completed' and ` + sqlNoLine + ` then 'line_failed'
			when @to = 'completed' and ` + sqlMachine + ` then 'voicemail'
			when ` + sqlNotReached + ` then 'unreachable'
			else @reason end,
		ended_by = case
			when @to in ('completed', 'canceled') and c.ended_reason is not null then c.ended_by
			when ` + sqlNotReached + ` then 'carrier'
			when @to = 'completed' and ` + sqlNoLine + ` then 'system'
			when ` + sqlCallerGone + ` then 'recipient'
			else @ended_by end,
		detail = coalesce(nullif(c.detail, ''), case when ` + sqlNotReached + ` then '` + notReached +
	`' else nullif(@detail, '') end, case
			when @to = 'completed' and (c.ended_reason = 'line_failed' or c.ended_reason is null and ` + sqlNoLine + `)
				and not exists (select from call_line l where l.call_id = c.id) then '` + noLine + `'
			else '' end),
		carrier_code = coalesce(c.carrier_code, @code),
		pre_dial_check = coalesce(c.pre_dial_check, @check::jsonb),
		ended_at = k.t,
		heard_at = k.t,
		settle_after = k.t + case when @to = 'completed' then ` + sqlGrace + ` else interval '0' end,
		transcript_text = ` + sqlTranscript + `,
		analysis = ` + sqlAnalysis(sqlAnsweredBy) + `
	from (select clock() as t) k
	where` + sqlWhere + ` and ` + sqlLive +
	withoutEvents(`@accepted::boolean and c.started_at is null or @to = 'completed' and c.answered_at is null`) +
	sqlReturning

// sqlCallerGone is true for an inbound call that ends without having been answered, and not by this product: only the
// caller can end it then.
const sqlCallerGone = `c.direction = 'inbound' and c.hang_up_at is null and @to in ('no_answer', 'canceled')`

// sqlNotReached is true for an inbound call that fails with what the carrier says of a number: nothing is wrong with
// the caller's.
const sqlNotReached = `c.direction = 'inbound' and @to = 'failed'
	and @reason::text in ('invalid_number', 'rejected', 'unreachable')`

const notReached = "the phone network did not get the answer of this server"

// sqlLock locks a call before sqlFinish, in a separate statement. So sqlFinish gathers all turns
// that were committed before the lock, and a line that is closed later sees the end of the call.
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

// transition is the only function that changes the state of a call. Moves may come twice and in any
// order: a call never returns to an earlier state, and a call that has ended only gains details.
// Each statement is one round trip and, on a pool, one transaction. If a webhook listens to the
// start or the answer, a second transaction makes the move and writes the events.
func (s *Service) transition(ctx context.Context, db postgres.DB, m move) (moved, error) {
	args := pgx.NamedArgs{
		"id": m.ID, "connection_id": postgres.OrNull(m.ConnectionID),
		"carrier_call_id": postgres.OrNull(m.CarrierCallID),
		"attestation":     postgres.OrNull(m.Attestation),
		"unasked":         m.Unasked, "to": string(m.To), "accepted": m.Accepted,
		"answered_by": postgres.OrNull(m.AnsweredBy), "weaker": weaker[m.AnsweredBy],
		"detection_grace": detectionGrace.Seconds(), "line_grace": lineGrace.Seconds(),
		"quick_hangup": quickHangup.Seconds(),
	}
	if m.ends() {
		args["reason"], args["ended_by"], args["talked"] = m.Reason, m.By, m.Talked.Seconds()
		args["detail"], args["code"], args["check"] = m.Detail, postgres.OrNull(m.Code), m.Check
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
	return s.updateAndEmit(ctx, db, m, args) // or the call does not exist
}

func (m move) ends() bool { return m.To != "" && m.To.Terminal() }

// statement returns the statement that makes the move. Without @telling, it changes nothing that
// needs an event.
func (m move) statement() postgres.Statement {
	switch {
	case m.ends():
		return finish
	case m.AnsweredBy != "":
		return detect
	}
	return advance
}

// lockAndUpdate locks a call and makes a move. If nothing changes, after equals before.
func (s *Service) lockAndUpdate(
	ctx context.Context, db postgres.DB, m move, args pgx.NamedArgs,
) (before, after moved, err error) {
	batch := &pgx.Batch{}
	batch.Queue(lock.SQL, lock.Args(args)...)
	batch.Queue(m.statement().SQL, m.statement().Args(args)...)
	results := db.SendBatch(ctx, batch)
	defer results.Close() //nolint:errcheck // closed below; this is for the earlier returns
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

// read reads the row that a statement of a transition returns. Without a row, Found is
// false.
func (s *Service) read(row pgx.Row, m move) (after moved, err error) {
	err = row.Scan(&after.OrganizationID, &after.Status, &after.StartedAt, &after.AnsweredAt, &after.EndedAt,
		&after.HangUpAt,
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

// before lists the states from which each state may be reached.
var before = map[Status][]Status{
	"":         {},
	Queued:     {},
	Ringing:    {Queued},
	InProgress: {Queued, Ringing},
}

// weaker lists the results of machine detection that each result overrides.
var weaker = map[AnsweredBy][]AnsweredBy{
	"":      {},
	Unknown: {},
	Human:   {Unknown},
	Machine: {Unknown, Human},
}

// wakeAfter wakes the loops that a move concerns. Call it after the commit.
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
