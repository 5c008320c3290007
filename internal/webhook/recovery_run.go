package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	maxRecoverBatch = 500 // events per transaction
	recoverPoll     = 2 * time.Second

	// recoverWait is how long a recovery waits for transactions that were open when
	// it was requested.
	recoverWait = time.Minute
)

// recoveryRun is a recovery that an engine works on.
type recoveryRun struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	WebhookID      uuid.UUID
	At             time.Time
	AfterID        uuid.UUID
	Until          time.Time
	Filters                 // the webhook's
	Events         []string // the webhook's subscriptions
	CreatedAt      time.Time
	Deleted        bool // the webhook is deleted
	Early          bool // an open transaction may still write events from before Until
}

// keepRecovering works on recoveries, one batch of each in turn. Each batch is committed
// with the recovery's progress, so another process continues if this one is killed.
func (s *run) keepRecovering(ctx context.Context) {
	var last uuid.UUID
	failed := false // a recovery failed in this round
	s.keep(ctx, "recover deliveries", recoverPoll, func(ctx context.Context) (time.Duration, error) {
		var queued bool
		r, err := s.recoverBatch(ctx, last, &queued)
		if r != nil {
			last = r.WebhookID // also after an error, so that the other recoveries get their turn
		}
		switch {
		case err != nil:
			failed = true
			return 0, err
		case r != nil:
			if queued {
				s.wake()
			}
			if r.Early {
				return recoverPoll / 10, nil
			}
			return 0, nil
		case last != uuid.Nil && !failed: // start again with the first recovery
			last = uuid.Nil
			return 0, nil
		}
		last, failed = uuid.Nil, false
		return recoverPoll, nil
	})
}

// recoverBatch works on one batch of the next recovery after a webhook. It returns nil if
// no recovery follows. A row lock keeps other processes away from the recovery. With an
// error, r is the affected recovery, if known.
func (s *run) recoverBatch(ctx context.Context, after uuid.UUID, queued *bool) (r *recoveryRun, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		found, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[recoveryRun], `
			select r.id, r.organization_id, r.webhook_id, greatest(r.at, coalesce(w.created_at, r.at)) as at, r.until,
			       coalesce(r.after_id, '00000000-0000-0000-0000-000000000000') as after_id,
			       coalesce(w.events, '{}') as events, coalesce(w.project_ids, '{}') as project_ids,
			       coalesce(w.campaign_ids, '{}') as campaign_ids, coalesce(w.agent_ids, '{}') as agent_ids,
			       coalesce(w.created_at, r.at) as created_at,
				w.id is null as deleted,
			       -- A transaction that saw the webhook inactive may be writing an event without a delivery for it.
			       r.after_id is null and k.t < r.until + make_interval(secs => @wait) and exists (
			           select from pg_stat_activity a
			           where a.datname = current_database() and a.backend_type = 'client backend'
				and a.pid <> pg_backend_pid()
			             and a.xact_start + (k.t - clock_timestamp()) <= r.until) as early
			from webhook_recovery r left
				join webhook w on w.id = r.webhook_id and w.deleted_at is null, (select clock() as t) k
			where r.finished_at is null and r.webhook_id > @after
			order by r.webhook_id limit 1
			for no key update of r skip locked`, pgx.NamedArgs{"after": after, "wait": recoverWait.Seconds()})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		r = &found
		if r.Early {
			return nil
		}
		return r.batch(ctx, tx, queued)
	})
	if err != nil {
		return r, fmt.Errorf("recover deliveries: %w", err)
	}
	return r, nil
}

// batch queues the failed and the missing deliveries of the next events.
func (r *recoveryRun) batch(ctx context.Context, tx pgx.Tx, queued *bool) error {
	args := pgx.NamedArgs{
		"organization_id": r.OrganizationID, "webhook_id": r.WebhookID, "at": r.At, "after": r.AfterID,
		"until": r.Until, "most": maxRecoverBatch,
	}
	rows, err := tx.Query(ctx, `
		select e.id, e.type, e.is_test, e.created_at, e.project_id, e.campaign_id, e.agent_id, d.id,
			coalesce(d.status, ''), clock()
		from (
			select id, type, is_test, created_at, project_id, campaign_id, agent_id from event
			where organization_id = @organization_id and (created_at, id) > (@at, @after) and created_at <= @until
			order by created_at, id limit @most
		) e left join delivery d on d.webhook_id = @webhook_id and d.event_id = e.id
		order by e.created_at, e.id`, args)
	if err != nil {
		return err
	}
	var (
		missed  deliveries
		failed  []uuid.UUID
		n       int
		eventID uuid.UUID
		kind    Type
		about   About
		isTest  bool
		at, now time.Time
		id      *uuid.UUID
		state   Status
	)
	_, err = pgx.ForEachRow(rows, []any{
		&eventID, &kind, &isTest, &at, &about.ProjectID, &about.CampaignID, &about.AgentID, &id, &state, &now,
	}, func() error {
		n++
		switch {
		case kind == WebhookTest || isTest || r.Deleted: // a test is never sent again
		case state == Failed:
			failed = append(failed, *id)
		case id == nil && listener{events: r.Events, filters: r.Filters}.takes(kind, about):
			missed.add(r.OrganizationID, r.WebhookID, eventID, kind)
		}
		id, about = nil, About{}
		return nil
	})
	if err != nil {
		return err
	}

	batch := &pgx.Batch{}
	missed.queue(batch, now)
	if len(failed) > 0 {
		batch.Queue(`
			with again as (
				update delivery set status = 'pending', next_attempt_at = @now
					where id = any(@failed) and status = 'failed'
				returning id, webhook_id
			)
			insert into delivery_due (delivery_id, webhook_id, due_at) select id, webhook_id, @now from again
			on conflict do nothing`, pgx.NamedArgs{"failed": failed, "now": now})
	}
	done := n < maxRecoverBatch || r.Deleted
	if n == 0 {
		eventID, at = r.AfterID, r.At
	}
	if done {
		at = r.Until
	}
	batch.Queue(`
		update webhook_recovery set at = @at, after_id = @after, retried = retried + @retried, added = added + @added,
		       finished_at = case when @done then clock() end
		where id = @id`,
		pgx.NamedArgs{
			"id": r.ID, "at": at, "after": eventID, "retried": len(failed), "added": len(missed), "done": done,
		})
	*queued = len(failed)+len(missed) > 0
	return tx.SendBatch(ctx, batch).Close()
}
