package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// TryLock runs fn if no process has the advisory lock of this name, and keeps the lock while fn runs. If another
// process has the lock, TryLock returns false and no error. It is for periodic tasks that only one process should run
// at a time.
//
// The lock has its own connection, so that fn may use the whole pool. If that connection breaks, the lock is lost.
// Then fn's context ends, and fn must stop.
func TryLock(
	ctx context.Context, pool *pgxpool.Pool, name string, fn func(context.Context) error,
) (ran bool, err error) {
	conn, err := connect(ctx, pool)
	if err != nil {
		return false, fmt.Errorf("connect for the lock %q: %w", name, err)
	}
	defer closeConn(conn)

	key := lockKey(name)
	var got bool
	if err := conn.QueryRow(ctx, `select pg_try_advisory_lock($1)`, key).Scan(&got); err != nil {
		return false, fmt.Errorf("try the lock %q: %w", name, err)
	}
	if !got {
		return false, nil
	}

	fctx, lost := context.WithCancelCause(ctx)
	wctx, unwatch := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for wctx.Err() == nil {
			// The connection listens to no channel, so this call returns only when the connection breaks or the watch
			// ends.
			if _, err := conn.WaitForNotification(wctx); err != nil && wctx.Err() == nil {
				lost(fmt.Errorf("the lock %q was lost: %w", name, err))
				return
			}
		}
	}()
	defer func() {
		unwatch()
		<-watched
		lost(nil)
		// An explicit unlock makes sure that the lock is free when TryLock returns. Closing the connection frees it
		// only later.
		uctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_, _ = conn.Exec(uctx, `select pg_advisory_unlock($1)`, key) // a broken connection has already freed the lock
	}()

	return true, fn(fctx)
}

// lockKey hashes a name to one of PostgreSQL's 64-bit lock numbers.
func lockKey(name string) int64 {
	sum := sha256.Sum256([]byte("dialwright task " + name))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}
