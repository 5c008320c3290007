package campaign

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// endAttemptsMost bounds the recipients in memory while they get their last status.
const endAttemptsMost = 5000

// attempted is a recipient who has had all attempts, with the last call that was placed to them.
type attempted struct {
	ID        uuid.UUID
	Status    RecipientStatus // the last one
	Outcome   *string
	Voicemail bool
	Announced bool // a message before the call was queued
	Unheard   bool // the message that follows calls without an answer is due
	Asked     bool // they asked to be called back, and still are
}

var attemptedTable = postgres.NewColumns("ended",
	postgres.Column("id", "uuid", func(r *attempted) uuid.UUID { return r.ID }),
	postgres.Column("status", "text", func(r *attempted) string { return string(r.Status) }),
	postgres.Column("outcome", "text", func(r *attempted) *string { return r.Outcome }),
)

// lockSender keeps the WhatsApp number of a campaign from being removed. It comes before the lock of the campaign, as
// the removal locks them.
func lockSender(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		select from messaging_number where id = (
			select messaging_number_id from campaign where organization_id = $1 and id = $2)
		for key share`, organizationID, id)
	if err != nil {
		return fmt.Errorf("lock the WhatsApp number of campaign %s: %w", id, err)
	}
	return nil
}

// endAttempts gives recipients who wait for another attempt their last status if they have had at least most attempts,
// as if their last call that was placed had been the last one. Recipients who asked to be called back still are. It
// returns how many recipients that are. The caller holds the campaign's row lock, and completes a campaign without
// recipients left.
func endAttempts(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, c *Locked, most int,
) (n int, err error) {
	out, err := webhook.Open(ctx, tx, organizationID)
	if err != nil {
		return 0, err
	}
	counts, voicemail := map[RecipientStatus]int{}, 0
	for after := uuid.Nil; ; {
		batch, err := outOfAttempts(ctx, tx, c.ID, most, after)
		if err != nil {
			return 0, err
		}
		found := len(batch)
		if found > 0 {
			after = batch[found-1].ID
		}
		batch = slices.DeleteFunc(batch, func(r *attempted) bool { return r.Asked })
		if err := writeAttempted(ctx, tx, out, organizationID, batch); err != nil {
			return 0, err
		}
		for _, r := range batch {
			counts[r.Status]++
			if r.Voicemail {
				voicemail++
			}
		}
		if n += len(batch); found < endAttemptsMost {
			break
		}
	}
	if n == 0 {
		return 0, nil
	}
	c.Unfinished -= n
	var reached []Reached
	counted := &pgx.Batch{}
	counted.Queue(`
		update campaign set
			completed = completed + @completed, completed_by_voicemail = completed_by_voicemail + @voicemail,
			failed = failed + @failed, canceled = canceled + @canceled
		where id = @id`, pgx.NamedArgs{
		"id": c.ID, "completed": counts[RecipientCompleted], "voicemail": voicemail,
		"failed": counts[RecipientFailed], "canceled": counts[RecipientCanceled],
	})
	QueueProgress(counted, []uuid.UUID{c.ID}, &reached)
	if err := tx.SendBatch(ctx, counted).Close(); err != nil {
		return 0, fmt.Errorf("count the recipients of campaign %s without attempts left: %w", c.ID, err)
	}
	if err := EmitProgress(ctx, tx, out, reached); err != nil {
		return 0, err
	}
	return n, out.Write(ctx, tx)
}

// outOfAttempts finds recipients who wait for another attempt, after an ID, who have had at least most attempts. Their
// last status is that of a call that is not repeated. A call that was not placed says nothing about them.
func outOfAttempts(
	ctx context.Context, tx pgx.Tx, id uuid.UUID, most int, after uuid.UUID,
) ([]*attempted, error) {
	batch, err := postgres.Collect(ctx, tx, pgx.RowToAddrOfStructByName[attempted], `
		with waiting as materialized (
			select id, outcome, messaged_at, wait_reason from recipient
			where campaign_id = @id and status = 'pending' and attempts >= @most and id > @after
			order by id
			limit @limit
			for no key update
		), ended as (
			select r.id, coalesce(k.outcome, r.outcome) as outcome, r.messaged_at, k.ended_reason, k.answered_at,
			       r.wait_reason = 'call_back' or k.intent = 'call_back' as asked,
			       case
				when k.outcome = 'completed' or k.ended_reason = 'voicemail_message' then 'completed'
				when k.outcome = 'canceled' then 'canceled'
				else 'failed' end as status
			from waiting r
			left join lateral (
				select outcome, ended_reason, answered_at, intent from call
				where recipient_id = r.id and direction = 'outbound' and ended_reason <> all(@not_placed)
				order by created_at desc, id desc limit 1) k on true
		)
		select id, status, outcome, status = 'completed' and outcome is not distinct from 'voicemail' as voicemail,
		       messaged_at is not null as announced,
		       status = 'failed' and (answered_at is null or outcome = 'voicemail')
			and ended_reason is distinct from 'carrier_lost'
			and (select messaging_trigger = 'no_answer' from campaign where id = @id) is true as unheard,
		       asked is true as asked
		from ended order by id`, pgx.NamedArgs{
		"id": id, "most": most, "after": after, "not_placed": call.NotPlacedReasons, "limit": endAttemptsMost,
	})
	if err != nil {
		return nil, fmt.Errorf("find the recipients of campaign %s without attempts left: %w", id, err)
	}
	return batch, nil
}

// writeAttempted writes the last status of recipients, with their messages and their events.
func writeAttempted(
	ctx context.Context, tx pgx.Tx, out *webhook.Outbox, organizationID uuid.UUID, batch []*attempted,
) error {
	if len(batch) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, `
		update recipient r set status = ended.status, outcome = ended.outcome, due_at = null, wait_reason = null
		from `+attemptedTable.Table()+`
		where r.id = ended.id`, attemptedTable.ArgsOf(batch)); err != nil {
		return fmt.Errorf("end %d recipients without attempts left: %w", len(batch), err)
	}
	announced, unheard := map[RecipientStatus][]uuid.UUID{}, []uuid.UUID(nil)
	var told []uuid.UUID
	for _, r := range batch {
		if r.Announced {
			announced[r.Status] = append(announced[r.Status], r.ID)
		}
		if r.Unheard {
			unheard = append(unheard, r.ID)
		}
		if t, last := RecipientEvent(r.Status); last && out.Wants(organizationID, t) {
			told = append(told, r.ID)
		}
	}
	for status, ids := range announced {
		if err := Withdraw(ctx, tx, ids, status); err != nil {
			return err
		}
	}
	if len(unheard) > 0 {
		if err := PlanMessages(ctx, tx, out, unheard); err != nil {
			return err
		}
	}
	for len(told) > 0 {
		some := told[:min(len(told), emitMost)]
		if err := EmitRecipients(ctx, tx, out, some); err != nil {
			return err
		}
		if err := out.Write(ctx, tx); err != nil {
			return err
		}
		told = told[len(some):]
	}
	return out.Write(ctx, tx)
}
