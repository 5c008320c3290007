package webhook

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	// sweepMost bounds the rows that one statement deletes, each with its attempts.
	sweepMost = 500

	// keepDays is how long a webhook's daily counts are stored.
	keepDays = 30
)

// Sweep deletes old log rows: everything older than 30 days, and all rows of deleted
// webhooks. It works in short batches and may be interrupted between any two.
func (e *Engine) Sweep(ctx context.Context) error {
	for _, sweep := range []func(context.Context) error{e.sweepDeleted, e.sweepDeliveries, e.sweepEvents, e.sweepRest} {
		if err := sweep(ctx); err != nil {
			return err
		}
	}
	return nil
}

// removeDeliveries deletes the deliveries that a query finds, with their attempts and
// queue rows, and returns how many.
const removeDeliveries = `
	with gone as materialized (
		select id from delivery where %s limit @most for update skip locked
	), due as (
		delete from delivery_due q using gone where q.delivery_id = gone.id
	), attempts as (
		delete from delivery_attempt a using gone where a.delivery_id = gone.id
	)
	delete from delivery d using gone where d.id = gone.id`

func (e *Engine) removeDeliveries(ctx context.Context, where string, args pgx.NamedArgs) error {
	args["most"] = sweepMost
	for {
		tag, err := e.o.Pool.Exec(ctx, fmt.Sprintf(removeDeliveries, where), args)
		if err != nil {
			return fmt.Errorf("clear deliveries away: %w", err)
		}
		if tag.RowsAffected() < sweepMost {
			return nil
		}
	}
}

// sweepDeleted deletes the log rows of deleted webhooks, then the webhooks.
func (e *Engine) sweepDeleted(ctx context.Context) error {
	ids, err := postgres.Collect(ctx, e.o.Pool, pgx.RowTo[uuid.UUID],
		`select id from webhook where deleted_at is not null order by deleted_at`)
	if err != nil {
		return fmt.Errorf("find deleted webhooks: %w", err)
	}
	for _, id := range ids {
		args := pgx.NamedArgs{"id": id}
		if err := e.removeDeliveries(ctx, "webhook_id = @id", args); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		batch.Queue(`delete from webhook_recovery where webhook_id = @id`, args)
		batch.Queue(
			`delete from webhook w where w.id = @id and not exists (select from delivery d where d.webhook_id = w.id)`,
			args,
		)
		if err := e.o.Pool.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("clear webhook %s away: %w", id, err)
		}
	}
	return nil
}

// sweepDeliveries deletes old deliveries. Ids of version 7 are ordered by time, so the
// primary key finds the oldest.
func (e *Engine) sweepDeliveries(ctx context.Context) error {
	oldest, err := e.oldest(ctx)
	if err != nil {
		return err
	}
	return e.removeDeliveries(ctx, "id < @oldest order by id", pgx.NamedArgs{"oldest": oldest})
}

// sweepEvents deletes old events without a delivery. A recovery may have made a delivery
// of an old event.
func (e *Engine) sweepEvents(ctx context.Context) error {
	oldest, err := e.oldest(ctx)
	if err != nil {
		return err
	}
	after, n := &uuid.UUID{}, 0
	for after != nil {
		err := e.o.Pool.QueryRow(ctx, `
			with old as materialized (
				select id from event where id > @after and id < @oldest order by id limit @most
			), gone as (
				delete from event e using old
					where e.id = old.id and not exists (select from delivery d where d.event_id = e.id)
			)
			select count(*), (select id from old order by id desc limit 1) from old`,
			pgx.NamedArgs{"after": *after, "oldest": oldest, "most": sweepMost}).Scan(&n, &after)
		if err != nil {
			return fmt.Errorf("clear events away: %w", err)
		}
	}
	return nil
}

func (e *Engine) sweepRest(ctx context.Context) error {
	batch := &pgx.Batch{}
	batch.Queue(`delete from webhook_recovery where finished_at < (select clock()) - make_interval(days => $1)`,
		keepDays)
	batch.Queue(`delete from event_reader where read_at < (select clock()) - make_interval(days => $1)`, keepDays)
	batch.Queue(`delete from webhook_day where day < (select clock())::date - $1::int`, keepDays)
	if err := e.o.Pool.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("clear the days of webhooks away: %w", err)
	}
	return nil
}

// oldest returns the first id of the time that the log covers.
func (e *Engine) oldest(ctx context.Context) (id uuid.UUID, err error) {
	var now time.Time
	if err := e.o.Pool.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
		return id, fmt.Errorf("read the clock: %w", err)
	}
	return firstID(now.Add(-recoverable)), nil
}

// firstID returns the lowest id of version 7 of a moment. Ids of version 7 start with the
// Unix time in milliseconds, in 48 bits.
func firstID(at time.Time) (id uuid.UUID) {
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(id[:6], ms[2:])
	return id
}
