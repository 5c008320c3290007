package call

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/wire"
)

// A transfer is a row that is written before the recipient hears of it. The carrier holds both phones, and asks at
// each step what comes next. The answer depends on the row alone, so any process can give it, again and again. A key
// of the person at the destination counts once, because it changes the row in one transaction under the lock of the
// call.

// TransferState is the state of a transfer: requested → ringing → whisper → taken → ended, or one of the states
// in which it failed. Only a warm transfer has a whisper.
type TransferState string

const (
	TransferRequested TransferState = "requested" // the recipient is being told
	TransferRinging   TransferState = "ringing"   // the destination is dialed
	TransferWhisper   TransferState = "whisper"   // the person there hears who is calling
	TransferTaken     TransferState = "taken"     // the two talk
	TransferEnded     TransferState = "ended"     // they have talked

	// States of transfers that failed.
	TransferDeclined TransferState = "declined" // by key, or the person hung up without taking the call
	TransferBusy     TransferState = "busy"
	TransferNoAnswer TransferState = "no_answer" // or nobody pressed a key
	TransferFailed   TransferState = "failed"    // the network could not reach the destination
	TransferCanceled TransferState = "canceled"  // the recipient hung up first
)

// TransferStates are all states, in the order of a transfer's life.
var TransferStates = []TransferState{
	TransferRequested, TransferRinging, TransferWhisper, TransferTaken, TransferEnded, TransferDeclined, TransferBusy,
	TransferNoAnswer, TransferFailed, TransferCanceled,
}

// Connected reports whether the recipient and the person talked.
func (t TransferState) Connected() bool { return t == TransferTaken || t == TransferEnded }

// Transfer is the last transfer of a call.
type Transfer struct {
	DestinationID uuid.UUID     `json:"destination_id"`
	Destination   string        `json:"destination"` // its name, as the recipient heard it
	Mode          string        `json:"mode"`        // cold or warm
	State         TransferState `json:"state"`
	Recorded      bool          `json:"recorded"` // whether the conversation after the transfer is recorded
	RequestedAt   wire.Time     `json:"requested_at"`
	TakenAt       *wire.Time    `json:"taken_at"`
	EndedAt       *wire.Time    `json:"ended_at"`
}

// sqlTransfer is the last transfer of a call as JSON: a take-over from the moment it is requested, which is before the
// agent knows of it. The call is the table call.
const sqlTransfer = `coalesce(case when ended_at is null then (
	select jsonb_build_object('destination_id', d.id, 'destination', d.name, 'mode', d.mode, 'state', 'requested',
		'recorded', d.record, 'requested_at', n.created_at, 'taken_at', null, 'ended_at', null)
	from call_note n join destination d on d.organization_id = n.organization_id and d.id = n.destination_id
	where n.call_id = call.id and n.given_at is null
	  and not exists (select from call_transfer t where t.call_id = call.id and t.ended_at is null)
	order by n.number desc limit 1) end,
	(select jsonb_build_object('destination_id', t.destination_id, 'destination', t.destination,
		'mode', t.mode, 'state', t.state, 'recorded', t.recorded, 'requested_at', t.requested_at,
		'taken_at', t.taken_at, 'ended_at', t.ended_at)
	from call_transfer t where t.call_id = call.id order by t.number desc limit 1))`

// sqlTransferred is true for a call c whose recipient was connected with a person.
const sqlTransferred = `exists (
	select from call_transfer t where t.call_id = c.id and t.state in ('taken', 'ended'))`

// hungUpBefore and tookTheCall surround the name of a destination in the transcript.
const (
	hungUpBefore = "The recipient hung up before "
	tookTheCall  = " took the call"
)

// sqlCloseTransfers ends the transfers that were open when calls ended. The transcript tells of those that were
// canceled: the carrier's news of the end of their dial may come later or never, and then adds nothing.
const sqlCloseTransfers = `
	with closed as (
		update call_transfer set state = case when state = 'taken' then 'ended' else 'canceled' end, ended_at = clock()
		where call_id = any($1) and ended_at is null
		returning call_id, state, '` + hungUpBefore + `' || destination || '` + tookTheCall + `' as text
	), line as (
		update call_line l set turns = l.turns + 1 from closed
		where closed.state = 'canceled' and l.call_id = closed.call_id
		returning l.call_id, l.organization_id, l.turns - 1 as index, closed.text
	), said as (
		insert into call_turn (call_id, index, organization_id, role, text)
		select call_id, index, organization_id, 'system', text from line
	)
	update call c set transcript_text = concat_ws(E'\n', nullif(c.transcript_text, ''), line.text)
	from line where c.id = line.call_id`

const (
	// dialTime is the longest time between the dial of a destination and the decision of whoever answers.
	dialTime = 4 * time.Minute
	// maxWhispers is how often a person hears who is calling.
	maxWhispers = 3
)

// NewTransfer is a transfer that the recipient is about to be told of.
type NewTransfer struct {
	Number        int // of the transfer in the call, from 1
	DestinationID uuid.UUID
	Destination   string
	Mode          string // cold or warm
	Recorded      bool
	Language      string // BCP 47; of Briefing
	Briefing      string // what the person at the destination hears
}

// QueueTransfer adds to a batch the insertion of a transfer by the holder of a line. It may be repeated.
func QueueTransfer(batch *pgx.Batch, id uuid.UUID, epoch int, t NewTransfer) {
	batch.Queue(`
		insert into call_transfer (call_id, number, organization_id, destination_id, destination, mode, recorded,
			language, briefing)
		select c.id, @number, c.organization_id, d.id, @destination, @mode, @recorded, @language, @briefing
		from call c join destination d on d.organization_id = c.organization_id and d.id = @destination_id
		where c.id = @id and c.ended_at is null
		  and exists (select from call_line l where l.call_id = c.id and l.epoch = @epoch)
		  and not exists (select from call_transfer t where t.call_id = c.id and t.ended_at is null)
		on conflict do nothing`, pgx.NamedArgs{
		"id": id, "epoch": epoch, "number": t.Number, "destination_id": t.DestinationID, "destination": t.Destination,
		"mode": t.Mode, "recorded": t.Recorded, "language": t.Language, "briefing": t.Briefing,
	})
}

// transferring is a call with one of its transfers, both locked.
type transferring struct {
	OrganizationID uuid.UUID
	Live           bool // and nobody has asked for its end
	Record         bool // the carrier records the call
	CallerID       string
	Left           float64 // seconds until the call reaches its maximum duration

	Number      int
	Destination string
	Mode        string
	Recorded    bool
	Language    string
	Briefing    string
	State       TransferState
	Address     string
	RingSeconds int
	Removed     bool // the destination

	CarrierCallID string // of the call to the destination; empty: nobody has answered
}

// lockTransfer locks a call and reads one of its transfers, or the open one for number 0. Without a transfer, Number is
// 0. Errors: carrier.ErrUnknownCall.
func lockTransfer(
	ctx context.Context, tx pgx.Tx, connectionID, callID uuid.UUID, number int,
) (t transferring, err error) {
	args := pgx.NamedArgs{"id": callID, "connection_id": connectionID, "number": number}
	err = tx.QueryRow(ctx, `
		select c.organization_id, `+sqlLive+` and c.hang_up_at is null, c.record, c.own_number,
		       coalesce(c.max_duration_seconds - extract(epoch from clock() - c.answered_at),
		         c.max_duration_seconds)::float8
		from call c where c.id = @id and c.connection_id = @connection_id for no key update`, args).
		Scan(&t.OrganizationID, &t.Live, &t.Record, &t.CallerID, &t.Left)
	if errors.Is(err, pgx.ErrNoRows) {
		return t, carrier.ErrUnknownCall
	}
	if err != nil {
		return t, fmt.Errorf("lock call %s: %w", callID, err)
	}
	// A later statement, which sees what was committed before the lock.
	err = tx.QueryRow(ctx, `
		select t.number, t.destination, t.mode, t.recorded, t.language, t.briefing, t.state,
		       coalesce(d.phone_number, d.sip_address), d.ring_timeout_seconds, d.deactivated_at is not null,
		       coalesce(t.carrier_call_id, '')
		from call_transfer t join destination d on d.id = t.destination_id
		where t.call_id = @id and case when @number = 0 then t.ended_at is null else t.number = @number end`, args).
		Scan(&t.Number, &t.Destination, &t.Mode, &t.Recorded, &t.Language, &t.Briefing, &t.State,
			&t.Address, &t.RingSeconds, &t.Removed, &t.CarrierCallID)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return t, fmt.Errorf("read the transfer of call %s: %w", callID, err)
	}
	return t, nil
}

// move changes the state of a locked transfer, and the signs of life of its call.
func (t *transferring) move(ctx context.Context, tx pgx.Tx, callID uuid.UUID, to TransferState, detail string) error {
	// Only a call that is taken has the recording that began with its dial. Until then, the carrier may ask again what
	// to dial, and a dial that nobody took has recorded nothing that is kept.
	_, err := tx.Exec(ctx, `
		with alive as (
			update call set heard_at = clock(), changed_at = clock(), record = record or @to = 'taken' and @recorded
			where id = @id
		)
		update call_transfer set state = @to, detail = @detail,
			dialed_at = coalesce(dialed_at, case when @to = 'ringing' then clock() end),
			answered_at = coalesce(answered_at, case when @to in ('whisper', 'taken') then clock() end),
			taken_at = coalesce(taken_at, case when @to = 'taken' then clock() end),
			ended_at = case when @to not in ('requested', 'ringing', 'whisper', 'taken') then clock() end
		where call_id = @id and number = @number`,
		pgx.NamedArgs{
			"id": callID, "number": t.Number, "to": to, "detail": detail, "recorded": t.Recorded,
		})
	if err != nil {
		return fmt.Errorf("change the transfer of call %s to %s: %w", callID, to, err)
	}
	t.State = to
	if words := t.turn(detail); words != "" {
		return addSystemTurn(ctx, tx, callID, words)
	}
	return nil
}

// turn is what the transcript says of a state. Whoever declined by key has no detail.
func (t *transferring) turn(detail string) string {
	switch t.State {
	case TransferTaken:
		return t.Destination + tookTheCall
	case TransferDeclined:
		if detail != "" {
			return t.Destination + " hung up without taking the call"
		}
		return t.Destination + " declined the call"
	case TransferBusy:
		return t.Destination + " was busy"
	case TransferNoAnswer:
		return t.Destination + " did not answer"
	case TransferFailed:
		return t.Destination + " could not be reached"
	case TransferCanceled:
		return hungUpBefore + t.Destination + tookTheCall
	}
	return ""
}

// addSystemTurn adds a turn to the transcript of a call without a line. The caller has locked the call.
func addSystemTurn(ctx context.Context, tx pgx.Tx, callID uuid.UUID, text string) error {
	_, err := tx.Exec(ctx, `
		with line as (
			update call_line set turns = turns + 1 where call_id = $1 returning organization_id, turns - 1 as index
		), said as (
			insert into call_turn (call_id, index, organization_id, role, text)
			select $1, index, organization_id, 'system', $2 from line
		)
		update call set transcript_text = case when transcript_text = '' then $2 else transcript_text || E'\n' || $2 end
		where id = $1 and ended_at is not null and settled_at is null`, callID, text)
	if err != nil {
		return fmt.Errorf("write a turn of call %s: %w", callID, err)
	}
	return nil
}

// Proceed returns what comes next on a call whose line ended for a transfer. It implements carrier.Host.
func (s *Service) Proceed(ctx context.Context, connectionID, callID uuid.UUID) (next carrier.Next, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		t, err := lockTransfer(ctx, tx, connectionID, callID, 0)
		switch {
		case err != nil:
			return err
		case !t.Live:
			return carrier.ErrNotAdmitted
		case t.Number == 0:
			return nil
		case t.Removed && t.State == TransferRequested:
			return t.move(ctx, tx, callID, TransferFailed, "the destination was removed")
		case t.State == TransferRequested:
			if err := t.move(ctx, tx, callID, TransferRinging, ""); err != nil {
				return err
			}
		}
		next.Dial = &carrier.Dial{
			Transfer:    t.Number,
			To:          t.Address,
			From:        t.CallerID,
			RingTimeout: time.Duration(t.RingSeconds) * time.Second,
			MaxDuration: time.Duration(max(t.Left, 1) * float64(time.Second)),
			Record:      t.Recorded && !t.Record,
			Pause:       t.Record && !t.Recorded,
		}
		return nil
	})
	if err != nil || next.Dial != nil {
		return next, notAdmitted(err)
	}
	next.Manner, err = s.Admit(ctx, connectionID, callID)
	return next, err
}

// notAdmitted turns the error for an unknown call into that for a call that must not continue.
func notAdmitted(err error) error {
	if errors.Is(err, carrier.ErrUnknownCall) {
		return carrier.ErrNotAdmitted
	}
	return err
}

// Whisper returns what the person at a destination hears. It implements carrier.Host. Errors: carrier.ErrUnknownCall.
func (s *Service) Whisper(
	ctx context.Context, connectionID, callID uuid.UUID, p carrier.Pressed,
) (w carrier.Whisper, err error) {
	taken := false
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		t, err := lockTransfer(ctx, tx, connectionID, callID, p.Transfer)
		if err != nil {
			return err
		}
		if t.Number == 0 {
			return carrier.ErrUnknownCall
		}
		if err := t.reached(ctx, tx, callID, p.CarrierCallID); err != nil {
			return err
		}
		before := t.State
		if w, err = t.whisper(ctx, tx, callID, p); err != nil {
			return err
		}
		if taken = t.State == TransferTaken && before != TransferTaken; !taken {
			return nil
		}
		return s.emitTransferred(ctx, tx, t.OrganizationID, callID)
	})
	if err != nil {
		return carrier.Whisper{}, err
	}
	if taken {
		s.wake(webhook.Topic)
	}
	return w, nil
}

// reached stores the carrier's ID of the call to a destination where somebody answered, also after the end of the
// recipient's call, because the carrier bills it.
func (t *transferring) reached(ctx context.Context, tx pgx.Tx, callID uuid.UUID, carrierCallID string) error {
	if carrierCallID == "" || t.CarrierCallID != "" {
		return nil
	}
	_, err := tx.Exec(ctx, `
		update call_transfer set carrier_call_id = $3 where call_id = $1 and number = $2`,
		callID, t.Number, carrierCallID)
	if err != nil {
		return fmt.Errorf("store the other phone of call %s: %w", callID, err)
	}
	return nil
}

// whisper applies what the person did to a locked transfer. What decides is the state that is stored, so a key that is
// reported twice, or to two processes, has one effect.
func (t *transferring) whisper(
	ctx context.Context, tx pgx.Tx, callID uuid.UUID, p carrier.Pressed,
) (carrier.Whisper, error) {
	lines := conversation.HandoverLines(t.Language)
	hangUp := carrier.Whisper{Language: t.Language, Then: carrier.HangUpOn}
	prompt := carrier.Whisper{Language: t.Language, Text: t.Briefing + " " + lines.Keys, Then: carrier.WaitFor}
	switch {
	case !t.Live, t.State == TransferCanceled: // nothing is wrong on the person's side
		hangUp.Text = lines.CallerGone
		return hangUp, nil
	case t.State == TransferTaken:
		return carrier.Whisper{Then: carrier.Connect}, nil
	case t.State != TransferRinging && t.State != TransferWhisper:
		return hangUp, nil
	case t.Mode == "cold":
		return carrier.Whisper{Then: carrier.Connect}, t.move(ctx, tx, callID, TransferTaken, "")
	case t.State == TransferRinging:
		return prompt, t.move(ctx, tx, callID, TransferWhisper, "")
	case p.Key == "1":
		return carrier.Whisper{Then: carrier.Connect}, t.move(ctx, tx, callID, TransferTaken, "")
	case p.Key == "2":
		return hangUp, t.move(ctx, tx, callID, TransferDeclined, "")
	case p.Turn >= maxWhispers:
		return hangUp, t.move(ctx, tx, callID, TransferNoAnswer, "nobody pressed a key")
	}
	return prompt, nil
}

// Returned applies the end of a dial, and returns what comes next on the call. It implements carrier.Host.
func (s *Service) Returned(
	ctx context.Context, connectionID, callID uuid.UUID, e carrier.DialEnd,
) (next carrier.Next, err error) {
	over := false
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		t, err := lockTransfer(ctx, tx, connectionID, callID, e.Transfer)
		if err != nil {
			return err
		}
		over = e.Over || !t.Live
		if t.Number == 0 {
			return nil
		}
		if to, detail := t.after(e, over); to != t.State {
			if err := t.move(ctx, tx, callID, to, detail); err != nil {
				return err
			}
		}
		next.Resume = t.Record && !t.Recorded
		if t.State != TransferEnded || over {
			return nil
		}
		// The person hung up, so the call is over. The carrier hangs up now. If that is lost, the reconciler does.
		over = true
		_, err = tx.Exec(ctx, `
			update call set hang_up_at = coalesce(hang_up_at, clock()),
				ended_by = case when ended_reason is null then 'agent' else ended_by end,
				ended_reason = coalesce(ended_reason, 'transferred')
			where id = $1 and ended_at is null`, callID)
		if err != nil {
			return fmt.Errorf("end transferred call %s: %w", callID, err)
		}
		return nil
	})
	switch {
	case err != nil:
		return carrier.Next{}, notAdmitted(err)
	case over:
		return carrier.Next{}, carrier.ErrNotAdmitted
	}
	next.Manner, err = s.Admit(ctx, connectionID, callID)
	return next, err
}

// after is the state of a transfer after its dial has ended. The stored state comes first, because the carrier's status
// does not tell whether somebody who answered was connected.
func (t *transferring) after(e carrier.DialEnd, over bool) (to TransferState, detail string) {
	switch t.State {
	case TransferTaken:
		if e.Apart && !over { // the person hung up at the moment of the connection
			return TransferFailed, "the two were not connected"
		}
		return TransferEnded, ""
	case TransferRequested, TransferRinging, TransferWhisper:
	default:
		return t.State, ""
	}
	switch {
	case over:
		return TransferCanceled, ""
	case t.State == TransferWhisper:
		return TransferDeclined, "the person hung up without taking the call"
	case e.Outcome == carrier.Busy:
		return TransferBusy, ""
	case e.Outcome == carrier.NoAnswer, e.Outcome == carrier.Canceled:
		return TransferNoAnswer, ""
	}
	return TransferFailed, "the network could not reach the destination"
}

// emitTransferred emits that somebody took a call.
func (s *Service) emitTransferred(ctx context.Context, tx pgx.Tx, organizationID, callID uuid.UUID) error {
	out, err := webhook.Open(ctx, tx, organizationID)
	if err != nil || !out.Wants(organizationID, webhook.CallTransferred) {
		return err
	}
	err = s.emit(ctx, tx, out, []uuid.UUID{callID}, func(Call) []webhook.Type {
		return []webhook.Type{webhook.CallTransferred}
	})
	if err != nil {
		return err
	}
	return out.Write(ctx, tx)
}

// OpenedAfterTransfer returns how the last transfer of a call ended, for the holder of a line that was opened after
// it. A transfer that is still open and was dialed has failed, because the call is back on a line. The number is 0
// without a transfer.
func OpenedAfterTransfer(
	ctx context.Context, db postgres.DB, callID uuid.UUID,
) (number int, state TransferState, err error) {
	err = postgres.InTx(ctx, db, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `select from call where id = $1 for no key update`, callID); err != nil {
			return err
		}
		var destination string
		err := tx.QueryRow(ctx, `
			select number, state, destination from call_transfer where call_id = $1
			order by number desc limit 1`, callID).
			Scan(&number, &state, &destination)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if state == TransferRinging || state == TransferWhisper || state == TransferTaken {
			t := transferring{Number: number, Destination: destination}
			state = TransferFailed
			return t.move(ctx, tx, callID, TransferFailed, "the call returned without a report")
		}
		return nil
	})
	if err != nil {
		return 0, "", fmt.Errorf("read the last transfer of call %s: %w", callID, err)
	}
	return number, state, nil
}
