package call

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// kept is a part of a call that a project keeps for a number of days.
type kept struct {
	days    string // column of project
	expired string // condition of the indexes call_transcript_kept and call_recording_kept
	forget  func(batch *pgx.Batch, calls []uuid.UUID)
	blank   webhook.Blank
	words   bool // what was said is forgotten, so that follow-ups must not repeat it
}

// retained lists the parts that are kept for a limited time. The facts of a call stay: its numbers,
// its times, its end and its outcome. Variables and metadata stay too, because they are the
// client's data.
var retained = []kept{
	{
		days: "transcript_days",
		// An unanswered call has no transcript, and may have notes for its agent.
		expired: `c.settled_at is not null
			and (c.transcript_text <> '' or c.notes > 0 and c.transcript_removed_at is null)`,
		forget: func(batch *pgx.Batch, calls []uuid.UUID) {
			batch.Queue(`
				update call set transcript_text = '', transcript_removed_at = clock(),
					reception = reception #- '{caller,answers}', -- those of the call before, of a caller
					analysis = case when jsonb_typeof(analysis) = 'object' then (analysis - 'needs') ||
						'{"summary": "", "answers": {}, "skipped": [], "fields": {}, "variables": {}}' else analysis end
				where id = any($1)`, calls)
			queueForgetAnalyses(batch, calls)
			batch.Queue(forgetAnswers, calls)
			batch.Queue(forgetBriefings, calls)
			batch.Queue(`delete from call_turn where call_id = any($1)`, calls)
			batch.Queue(`update call_note set text = '' where call_id = any($1)`, calls)
			batch.Queue(`update call_review set note = '' where call_id = any($1)`, calls)
		},
		blank: webhook.Blank{
			"transcript": []any{}, "transcript_text": "",
			"analysis": webhook.Blank{
				"summary": "", "answers": struct{}{}, "skipped": []string{}, "fields": struct{}{},
				"variables": struct{}{},
			},
		},
		words: true,
	},
	{
		days:    "recording_days",
		expired: "c.recording_id is not null and c.settled_at is not null",
		forget:  func(batch *pgx.Batch, calls []uuid.UUID) { queueDeletion(batch, calls, nil) },
		blank:   webhook.Blank{"recording_url": nil},
	},
}

// forgetBriefings removes what persons at destinations were told of calls.
const forgetBriefings = `update call_transfer set briefing = '' where call_id = any($1) and briefing <> ''`

// Forget removes transcripts and recordings whose retention period in the project has passed. It
// works in small batches, and may be stopped between them. It is a periodic task.
func (s *Service) Forget(ctx context.Context) error {
	for _, k := range retained {
		rows, err := s.pool.Query(ctx, `select id, organization_id from project where `+k.days+
			` is not null order by id`)
		if err != nil {
			return fmt.Errorf("find projects with %s: %w", k.days, err)
		}
		type owned struct{ ID, OrganizationID uuid.UUID }
		projects, err := pgx.CollectRows(rows, pgx.RowToStructByPos[owned])
		if err != nil {
			return fmt.Errorf("find projects with %s: %w", k.days, err)
		}
		for _, p := range projects {
			if err := s.forget(ctx, k, p.OrganizationID, p.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) forget(ctx context.Context, k kept, organizationID, projectID uuid.UUID) error {
	for n := eraseMost; n == eraseMost; {
		err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
			// Calls that another transaction has locked are left for the next run.
			rows, err := tx.Query(ctx, `
				select c.id from call c
				where c.project_id = @project_id and c.ended_at < (
						select clock() - make_interval(days => p.`+k.days+`) from project p where p.id = @project_id)
				  and `+k.expired+`
				order by c.ended_at limit @most
				for no key update skip locked`, pgx.NamedArgs{"project_id": projectID, "most": eraseMost})
			if err != nil {
				return err
			}
			ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			if n = len(ids); err != nil || n == 0 {
				return err
			}
			if _, err := webhook.Redact(ctx, tx, organizationID, ids, k.blank); err != nil {
				return err
			}
			if k.words {
				if err := followup.Forget(ctx, tx, organizationID, ids); err != nil {
					return err
				}
			}
			batch := &pgx.Batch{}
			k.forget(batch, ids)
			return tx.SendBatch(ctx, batch).Close()
		})
		if errors.Is(err, webhook.ErrDelivering) {
			return nil // the next run tries again
		}
		if err != nil {
			return fmt.Errorf("clear old calls of project %s: %w", projectID, err)
		}
	}
	return nil
}
