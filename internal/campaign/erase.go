package campaign

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// eraseMost limits the recipients that one transaction erases.
const eraseMost = 200

// erasedFields are the fields of a recipient's resource that contain personal data.
var erasedFields = webhook.Blank{
	"phone_number": "", "name": nil, "external_id": nil, "timezone": nil, "consent": nil, "intent": nil,
	"skip_detail": nil,
	"variables":   struct{}{}, "metadata": struct{}{},
}

// sqlErase removes the personal data from a recipient. The row stays in the campaign's
// counters.
const sqlErase = `phone_number = '', name = '', external_id = null, timezone = null, consent_basis = null,
	consent_at = null, consent_source = null, consent_expires_at = null, skip_detail = null,
	variables = '{}', metadata = '{}'`

// Erase removes a person from all lists. Recipients who wait are skipped, and their personal data is erased. Recipients
// in a call remain until a later Erase, and left is true. So it is if scheduled calls ended, because they are now rows
// with the number. Each transaction calls count with the number of recipients and events that it changed.
func (s *Service) Erase(ctx context.Context, organizationID uuid.UUID, number phone.Number,
	count func(tx pgx.Tx, recipients, events int) error,
) (left bool, err error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "number": number, "most": eraseMost}
	ended := false
	for {
		var campaignID uuid.UUID
		err := s.db.QueryRow(ctx, `
			select campaign_id from recipient
			where organization_id = @organization_id and phone_number = @number and status = 'pending' limit 1`, args).
			Scan(&campaignID)
		if errors.Is(err, pgx.ErrNoRows) {
			break
		}
		calls := false
		if err == nil {
			calls, err = s.skipErased(ctx, organizationID, campaignID, number, count)
		}
		if err != nil {
			return false, fmt.Errorf("skip a person who is erased: %w", err)
		}
		ended = ended || calls
	}
	s.Wake()
	s.hub.Wake(call.TopicSettlement) // scheduled calls have ended
	for n := eraseMost; n == eraseMost; {
		err := postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
			rows, err := tx.Query(ctx, `
				select id from recipient
				where organization_id = @organization_id and phone_number = @number and status not in ('pending',
					'dialing', 'in_progress')
				order by id limit @most for no key update`, args)
			if err != nil {
				return err
			}
			ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			if n = len(ids); err != nil || n == 0 {
				return err
			}
			events, err := webhook.Redact(ctx, tx, organizationID, ids, erasedFields)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `update recipient set `+sqlErase+` where id = any($1)`, ids); err != nil {
				return err
			}
			return count(tx, n, events)
		})
		if errors.Is(err, webhook.ErrDelivering) {
			return true, nil
		}
		if err != nil {
			return false, fmt.Errorf("erase a person from lists: %w", err)
		}
	}
	err = s.db.QueryRow(ctx, `
		select exists (select from recipient where organization_id = @organization_id and phone_number = @number)`,
		args).Scan(&left)
	if err != nil {
		return false, fmt.Errorf("look for a person in lists: %w", err)
	}
	return left || ended, nil
}

// skipErased skips and erases the pending recipients of one campaign that have the
// number. It reports whether they were scheduled calls, which have ended.
func (s *Service) skipErased(ctx context.Context, organizationID, campaignID uuid.UUID, number phone.Number,
	count func(tx pgx.Tx, recipients, events int) error,
) (ended bool, err error) {
	err = postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		c, err := Lock(ctx, tx, organizationID, campaignID)
		if err != nil {
			return err
		}
		if c.Standing {
			ended = true
			return eraseOwn(ctx, tx, organizationID, campaignID, number, count)
		}
		rows, err := tx.Query(ctx, `
			update recipient set status = 'skipped', skip_reason = @reason, due_at = null, wait_reason = null, `+
			sqlErase+`
			where organization_id = @organization_id and phone_number = @number and campaign_id = @campaign_id
				and status = 'pending'
			returning id`, pgx.NamedArgs{
			"organization_id": organizationID, "number": number, "campaign_id": campaignID, "reason": SkipDoNotCall,
		})
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := Withdraw(ctx, tx, ids, RecipientSkipped); err != nil {
			return err
		}
		if _, err := tx.Exec(
			ctx, `update campaign set skipped = skipped + $2 where id = $1`, campaignID, len(ids),
		); err != nil {
			return err
		}
		c.Unfinished -= len(ids)
		out, err := webhook.Open(ctx, tx, organizationID)
		if err != nil {
			return err
		}
		if out.Wants(organizationID, webhook.RecipientSkipped) {
			if err := EmitRecipients(ctx, tx, out, ids); err != nil {
				return err
			}
			if err := out.Write(ctx, tx); err != nil {
				return err
			}
		}
		if _, err := Complete(ctx, tx, organizationID, &c); err != nil {
			return err
		}
		return count(tx, len(ids), 0)
	})
	return ended, err
}

// eraseOwn ends the scheduled calls to a number, and erases their recipients. The calls are erased like others once
// they are settled.
func eraseOwn(ctx context.Context, tx pgx.Tx, organizationID, standing uuid.UUID, number phone.Number,
	count func(tx pgx.Tx, recipients, events int) error,
) error {
	ids, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
		select id from recipient
		where organization_id = $1 and phone_number = $2 and campaign_id = $3 and status = 'pending'`,
		organizationID, number, standing)
	if err != nil {
		return err
	}
	if err := CloseCalls(ctx, tx, ids, ClosedBy(call.ReasonDoNotCall, "")); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `update recipient set `+sqlErase+` where id = any($1)`, ids); err != nil {
		return err
	}
	return count(tx, len(ids), 0)
}
