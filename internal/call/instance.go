package call

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	renewEvery = 2 * time.Second // how often a process renews its row
	aliveTime  = 5 * time.Second // how long after its last renewal a process is considered dead
)

// KeepAlive renews the row of this process until ctx ends, and releases the calls of dead
// processes. Every process that claims calls or opens lines runs it.
func (s *Service) KeepAlive(ctx context.Context) error {
	// A call that was requested just before its process died is looked up at the carrier some
	// seconds later, so the reconciler is woken more than once.
	until := s.now().Add(decidedAfter + renewEvery)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		gone, wait, err := s.renew(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		if gone > 0 {
			s.log.InfoContext(ctx, "other processes have died; asking the carriers about their calls", "processes",
				gone)
			until = s.now().Add(decidedAfter + renewEvery)
		}
		if s.now().Before(until) {
			s.wake(TopicReconciler)
		}
		timer.Reset(wait)
	}
}

// Join inserts the row of this process before it claims anything. With alone set, no other
// process can use the database, so all other processes are dead.
func (s *Service) Join(ctx context.Context, alone bool) error {
	if alone {
		if _, err := s.pool.Exec(ctx, `update instance set seen_at = '-infinity'`); err != nil {
			return fmt.Errorf("take over from earlier processes: %w", err)
		}
	}
	_, _, err := s.renew(ctx)
	return err
}

// renew renews the row of this process and releases the calls of the processes that did not renew
// theirs. It returns the number of these processes, and when to renew again.
//
// A living process may be considered dead, because it was suspended or the database was
// unavailable. That costs little: its calls are looked up once more, and it may not request the
// calls that it has claimed and not requested yet.
func (s *Service) renew(ctx context.Context) (gone int, wait time.Duration, err error) {
	wait = renewEvery
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(`
			insert into instance (id, seen_at) values ($1, clock())
			on conflict (id) do update set seen_at = excluded.seen_at`, s.instance)
		batch.Queue(`
			delete from instance where id <> $1 and seen_at < (select clock()) - make_interval(secs => $2)
			returning id`, s.instance, aliveTime.Seconds())
		batch.Queue(`
			select extract(epoch from min(seen_at) + make_interval(secs => $2) - clock())::float8
			from instance where id <> $1 and isfinite(seen_at)`, s.instance, aliveTime.Seconds())
		results := tx.SendBatch(ctx, batch)
		defer results.Close() //nolint:errcheck // closed below; this is for the earlier returns
		if _, err := results.Exec(); err != nil {
			return err
		}
		rows, err := results.Query()
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return err
		}
		var lapse *float64 // seconds until the next process may be considered dead
		if err := results.QueryRow().Scan(&lapse); err != nil {
			return err
		}
		if err := results.Close(); err != nil {
			return err
		}
		if gone = len(ids); gone > 0 {
			return release(ctx, tx, ids)
		}
		if lapse != nil {
			wait = min(wait, max(time.Duration(*lapse*float64(time.Second)), 0)+time.Millisecond)
		}
		return nil
	})
	if err != nil {
		return 0, 0, fmt.Errorf("renew this process's lease: %w", err)
	}
	return gone, wait, nil
}

// release releases the calls of dead processes. The lease of a call that was not requested
// from the carrier ends, and the row refuses a later request. All other calls are looked up
// at once, however recently the carrier reported on them.
func release(ctx context.Context, tx pgx.Tx, instances []uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		update call c set
			lease_until = case when c.asked_at is null then k.t else c.lease_until end,
			heard_at = case when c.asked_at is null then c.heard_at else '-infinity' end
		from (select clock() as t) k
		where c.ended_at is null and (c.instance_id = any($1) or exists (
			select from call_line l where l.call_id = c.id and l.instance_id = any($1)))`, instances)
	if err != nil {
		return fmt.Errorf("release the calls of %d processes: %w", len(instances), err)
	}
	return nil
}
