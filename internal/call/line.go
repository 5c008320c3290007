package call

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Package line runs the lines of calls and writes their turns. This file has the reads and changes
// of a call's row that package line needs.

// LineTopic wakes the holder of a call's line, in any process, after a change of the
// call's row that the holder must see at once.
func LineTopic(id uuid.UUID) string { return "line " + id.String() }

// Instance returns the ID of this process, as other processes see it.
func (s *Service) Instance() uuid.UUID { return s.instance }

// Admit returns the language and speech settings of an answered call: those of the conversation so far, if it has
// begun. It implements carrier.Host. Errors:
// carrier.ErrNotAdmitted for a call that is unknown, belongs to another connection, has ended, or
// is about to be hung up.
func (s *Service) Admit(ctx context.Context, connectionID, callID uuid.UUID) (carrier.Manner, error) {
	return s.admit(ctx, s.pool, connectionID, callID)
}

func (s *Service) admit(
	ctx context.Context, db postgres.DB, connectionID, callID uuid.UUID,
) (carrier.Manner, error) {
	var (
		m         carrier.Manner
		script    conversation.Script // its languages only
		wanted    string
		languages *[]conversation.Translation
	)
	err := db.QueryRow(ctx, `
		select coalesce(c.sample ->> 'language', c.reception ->> 'language', v.language, a.language),
		       coalesce(c.sample -> 'speech', c.reception -> 'speech', v.speech, a.speech),
		       case when c.sample is null then coalesce(v.script, a.script) -> 'languages' end,
		       coalesce((select l.state ->> 'language' from call_line l where l.call_id = c.id),
		         c.variables ->> 'language', '')
		from call c
		left join agent a on a.id = c.agent_id
		left join agent_version v on v.id = c.agent_version_id
		where c.id = $1 and c.connection_id = $2 and c.hang_up_at is null and `+sqlLive,
		callID, connectionID).Scan(&m.Language, &m.Speech, &languages, &wanted)
	if errors.Is(err, pgx.ErrNoRows) {
		return m, carrier.ErrNotAdmitted
	}
	if err != nil {
		return m, fmt.Errorf("admit call %s: %w", callID, err)
	}
	if languages != nil {
		script.Language, script.Languages = m.Language, *languages
		m = mannerIn(script.Choose(wanted), m, script.Languages)
	}
	m.Trouble = conversation.Trouble(m.Language)
	return m, nil
}

// mannerIn returns the manner of an agent with further languages in one of them.
func mannerIn(tag string, main carrier.Manner, further []conversation.Translation) carrier.Manner {
	m := carrier.Manner{Language: tag, Speech: main.Speech}
	for _, l := range further {
		if l.Language == tag {
			m.Speech = main.Speech.With(l.Speech)
			m.Others = append(m.Others, carrier.Voice{Language: main.Language, Engines: main.Speech.Engines()})
		} else {
			m.Others = append(m.Others, carrier.Voice{Language: l.Language, Engines: l.Speech})
		}
	}
	return m
}

// LineOpened records that a call was answered. Its open line proves the answer. LineOpened reports
// whether the call has ended already. Errors: carrier.ErrNotAdmitted for a call that is unknown,
// belongs to another connection, or is about to be hung up.
func (s *Service) LineOpened(
	ctx context.Context, connectionID, callID uuid.UUID, carrierCallID string,
) (ended bool, err error) {
	after, err := s.transition(ctx, s.pool, move{
		ID: callID, ConnectionID: connectionID, To: InProgress, Accepted: true, CarrierCallID: carrierCallID,
		LikelyKnown: true, // the callback of the answer usually comes first
	})
	if err != nil {
		return false, err
	}
	s.wakeAfter(after)
	ended = after.EndedAt != nil
	if !after.Found || after.HangUpAt != nil && !ended {
		return ended, carrier.ErrNotAdmitted
	}
	return ended, nil
}

// QueueLock adds a lock of a call's row to a batch. Every transaction that needs the
// call's row and its line's row locks the call first.
func QueueLock(batch *pgx.Batch, id uuid.UUID) {
	batch.Queue(`select from call where id = $1 for no key update`, id)
}

// sqlHeldBy is true while the holder with @epoch has the line of call c.
const sqlHeldBy = `exists (select from call_line l where l.call_id = c.id and l.epoch = @epoch)`

var (
	writeReason = postgres.Compile(`
		update call c set
			ended_reason = @reason,
			ended_by = @ended_by,
			answered_by = case when @by_machine::boolean then 'machine' else c.answered_by end,
			outcome = case when @by_machine and c.outcome = 'completed' then 'voicemail' else c.outcome end
		where c.id = @id
		  and (c.ended_reason is null
			or c.settled_at is null and (c.ended_reason = 'recipient_hung_up'
				-- The last words were spoken to a machine.
				or @by_machine and c.ended_by = 'agent' and c.ended_reason <> 'opted_out'))
		  and ` + sqlHeldBy)

	cutShort = postgres.Compile(`
		update call c set ended_reason = 'recipient_hung_up', ended_by = 'recipient'
		where c.id = @id and c.ended_reason in ('completed', 'said_goodbye', 'silence', 'turn_limit')
			and c.settled_at is null
		  and ` + sqlHeldBy)

	addLastWords = postgres.Compile(`
		update call c set
			transcript_text = ` + sqlTranscript + `,
			analysis = ` + sqlAnalysis(`c.answered_by`) + `,
			settle_after = case
				when c.status = 'completed' and not (` + sqlUnwritten + `)
				then c.ended_at + case
					when c.answered_by is null and c.detection <> 'off' then make_interval(secs => @detection_grace)
					else interval '0' end
				else c.settle_after end
		where c.id = @id and c.ended_at is not null and c.settled_at is null
		  and ` + sqlHeldBy + `
		returning c.settle_after <= (select clock())`)
)

// QueueReason adds to a batch the update that stores why the holder of a line is about to end the
// call. The update also applies if the recipient hung up first, because the conversation was over
// for this reason. If the line recognized a machine, the machine answered the call, whatever
// detection reports.
func QueueReason(batch *pgx.Batch, id uuid.UUID, epoch int, reason Reason, by Party) {
	batch.Queue(writeReason.SQL, writeReason.Args(pgx.NamedArgs{
		"id": id, "epoch": epoch, "reason": reason, "ended_by": by, "by_machine": reason.ByMachine(),
	})...)
}

// QueueCutShort adds to a batch the update that stores a hang-up of the recipient during the
// agent's last words.
func QueueCutShort(batch *pgx.Batch, id uuid.UUID, epoch int) {
	batch.Queue(cutShort.SQL, cutShort.Args(pgx.NamedArgs{"id": id, "epoch": epoch})...)
}

// QueueLateOptOut adds to a batch the update for an opt-out that a former holder of the line heard.
// The current holder hangs up when it reads the update.
func QueueLateOptOut(batch *pgx.Batch, id uuid.UUID) {
	batch.Queue(`
		update call set
			hang_up_at = case when ended_at is null then coalesce(hang_up_at, clock()) else hang_up_at end,
			ended_reason = 'opted_out',
			ended_by = 'agent'
		where id = $1 and settled_at is null
		  and (ended_reason is null or ended_reason in ('recipient_hung_up', 'line_failed'))`, id)
}

// QueueLastWords adds to a batch the update that completes the transcript of a call that ended
// before its last words were written. The call can be settled when no holder has more words. settle
// is set to whether the call can be settled now.
func QueueLastWords(batch *pgx.Batch, id uuid.UUID, epoch int, settle *bool) {
	args := pgx.NamedArgs{"id": id, "epoch": epoch, "detection_grace": detectionGrace.Seconds()}
	batch.Queue(addLastWords.SQL, addLastWords.Args(args)...).QueryRow(func(row pgx.Row) error {
		if err := row.Scan(settle); !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return nil
	})
}
