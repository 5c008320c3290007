package call

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// eraseMost is the maximum number of calls that one transaction of an erasure or of Forget changes.
const eraseMost = 100

// erasedFields are the fields of a call's resource with personal data.
func erasedFields(d Direction) webhook.Blank {
	person := "to_number"
	if d == Inbound {
		person = "from_number"
	}
	return webhook.Blank{
		person: nil, "missing_number": NumberErased,
		"variables": struct{}{}, "metadata": struct{}{}, "transcript": []any{}, "transcript_text": "",
		"analysis": nil, "intent": nil, "call_back_at": nil, "recording_url": nil, "carrier_call_id": nil,
		"consent": nil, "pre_dial_check": nil, "calling_hours_decision": nil, "recipient": nil,
	}
}

// Erase removes a person from the calls to a number: the number itself, the transcripts, the
// variables and the metadata. The times and outcomes of the calls stay. Live calls are ended.
// Calls that are not settled are left for a later Erase, and left is true. Recordings are
// deleted at the carrier in the background, for this erasure. Each transaction calls count
// with the number of calls and events that it has changed.
func (s *Service) Erase(ctx context.Context, organizationID uuid.UUID, number phone.Number, erasure uuid.UUID,
	count func(tx pgx.Tx, calls, events int) error,
) (left bool, err error) {
	if err := s.endAll(ctx, organizationID, number); err != nil {
		return false, err
	}
	_, err = s.pool.Exec(ctx, `delete from inbound_pace where organization_id = $1 and caller = $2`,
		organizationID, number)
	if err != nil {
		return false, fmt.Errorf("erase the pace of a caller: %w", err)
	}
	for n := eraseMost; n == eraseMost; {
		err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
			rows, err := tx.Query(ctx, `
				select id, direction from call where organization_id = @organization_id and person_number = @number
					and settled_at is not null
				order by id limit @most for no key update`,
				pgx.NamedArgs{"organization_id": organizationID, "number": number, "most": eraseMost})
			if err != nil {
				return err
			}
			var ids []uuid.UUID
			by := map[Direction][]uuid.UUID{}
			var id uuid.UUID
			var direction Direction
			_, err = pgx.ForEachRow(rows, []any{&id, &direction}, func() error {
				ids, by[direction] = append(ids, id), append(by[direction], id)
				return nil
			})
			if n = len(ids); err != nil || n == 0 {
				return err
			}
			events := 0
			for _, d := range Directions {
				redacted, err := webhook.Redact(ctx, tx, organizationID, by[d], erasedFields(d))
				if err != nil {
					return err
				}
				events += redacted
			}
			told, err := followup.Erase(ctx, tx, organizationID, ids)
			if err != nil {
				return err
			}
			events += told
			batch := &pgx.Batch{}
			queueDeletion(batch, ids, &erasure) // before the calls lose their recording IDs
			batch.Queue(`
				update call set person_number = '', recipient_name = '', variables = '{}', metadata = '{}', detail = '',
					carrier_call_id = null, received_id = null, consent_basis = null, consent_at = null,
					consent_source = null, consent_expires_at = null, analysis = null, pre_dial_check = null,
					calling_hours_decision = null, external_id = null,
					reception = case when reception is not null
						then jsonb_strip_nulls(jsonb_build_object(
							'action', reception -> 'action', 'forward_to', reception -> 'forward_to',
							'forwarded', reception -> 'forwarded')) end,
					transcript_text = '', transcript_removed_at = clock()
				where id = any($1)`, ids)
			queueForgetAnalyses(batch, ids)
			queueUncountAnswers(batch, ids)
			batch.Queue(forgetBriefings, ids)
			batch.Queue(`update call_transfer set carrier_call_id = null where call_id = any($1)`, ids)
			batch.Queue(`delete from call_turn where call_id = any($1)`, ids)
			batch.Queue(`delete from call_line where call_id = any($1)`, ids)
			batch.Queue(`delete from call_note where call_id = any($1)`, ids)
			batch.Queue(`delete from call_review where call_id = any($1)`, ids)
			if err := tx.SendBatch(ctx, batch).Close(); err != nil {
				return err
			}
			return count(tx, n, events)
		})
		if errors.Is(err, webhook.ErrDelivering) {
			return true, nil
		}
		if err != nil {
			return false, fmt.Errorf("erase a person from calls: %w", err)
		}
	}
	err = s.pool.QueryRow(ctx, `select exists (select from call where organization_id = $1 and person_number = $2)`,
		organizationID, number).Scan(&left)
	if err != nil {
		return false, fmt.Errorf("check for calls to a person: %w", err)
	}
	return left, nil
}

// endAll ends the live calls to a number.
func (s *Service) endAll(ctx context.Context, organizationID uuid.UUID, number phone.Number) error {
	ids, err := postgres.Collect(ctx, s.pool, pgx.RowTo[uuid.UUID], `
		select id from call
		where organization_id = $1 and person_number = $2 and status in ('queued', 'ringing', 'in_progress')
			and hang_up_at is null`,
		organizationID, number)
	if err != nil {
		return fmt.Errorf("find the calls of a person: %w", err)
	}
	for _, id := range ids {
		if err := s.End(ctx, account.System(organizationID), id); err != nil && fault.KindOf(err) != fault.Conflict {
			return err
		}
	}
	return nil
}
