package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/loop"
)

const (
	leaseTime = 30 * time.Second
	renewGap  = leaseTime / 3
)

// TryLease runs fn if no process has the lease of this name, and keeps the lease while fn runs. If another process has
// the lease, TryLease returns false and no error. It is for periodic tasks that only one process should run at a time.
//
// The lease is a row, and not a lock of a session, so that it works through connection poolers too. It is free at most
// 30 s after the end of a process that was killed. If it can't be renewed for as long, it is lost: fn's context ends,
// and fn must stop.
func TryLease(
	ctx context.Context, pool *pgxpool.Pool, name string, fn func(context.Context) error,
) (ran bool, err error) {
	return tryLease(ctx, pool, name, renewGap, fn)
}

func tryLease(
	ctx context.Context, pool *pgxpool.Pool, name string, gap time.Duration, fn func(context.Context) error,
) (ran bool, err error) {
	l := lease{pool: pool, args: pgx.NamedArgs{"name": name, "holder": uuid.New(), "time": leaseTime}}
	l.until = time.Now().Add(leaseTime)
	err = pool.QueryRow(ctx, `
		insert into task_lease (name, holder, until, renewed_at)
		select @name, @holder::uuid, k.t + @time::interval, k.t from (select clock() as t) k
		on conflict (name) do update
			set holder = excluded.holder, until = excluded.until, renewed_at = excluded.renewed_at
			where task_lease.until <= excluded.renewed_at
		returning holder`, l.args).Scan(new(uuid.UUID))
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("try the lease %q: %w", name, err)
	}

	fctx, lost := context.WithCancelCause(ctx)
	renewing, stop := context.WithCancel(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		if err := l.keep(renewing, gap); err != nil {
			lost(fmt.Errorf("the lease %q was lost: %w", name, err))
		}
	}()
	defer func() {
		stop()
		<-stopped
		lost(nil)
		rctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		// A lease that can't be returned ends by itself.
		_, _ = pool.Exec(rctx, `delete from task_lease where name = @name and holder = @holder`, l.args)
	}()
	return true, fn(fctx)
}

// lease is a lease that this process has.
type lease struct {
	pool  *pgxpool.Pool
	args  pgx.NamedArgs
	until time.Time // its end, or earlier
}

// keep renews the lease until ctx ends. It returns an error when the lease is lost.
func (l *lease) keep(ctx context.Context, gap time.Duration) error {
	ctx = WithStatementTime(ctx, connectTimeout)
	for {
		loop.Sleep(ctx, gap)
		if ctx.Err() != nil {
			return nil
		}
		asked := time.Now()
		tag, err := l.pool.Exec(ctx, `
			update task_lease set until = k.t + @time::interval, renewed_at = k.t
			from (select clock() as t) k
			where name = @name and holder = @holder`, l.args)
		switch {
		case err == nil && tag.RowsAffected() == 1:
			l.until = asked.Add(leaseTime)
		case err == nil:
			return errors.New("another process has it")
		case ctx.Err() == nil && time.Until(l.until) < gap+connectTimeout:
			return err
		}
	}
}
