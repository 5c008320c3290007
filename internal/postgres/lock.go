package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// TryLock runs fn if no process holds the advisory lock of this name, and
// keeps the lock while fn runs. ran is false, without an error, when somebody
// else is at it. For periodic tasks, of which one at a time is enough.
//
// The lock lives on a connection of its own, so that fn may use the whole
// pool. When that connection is lost, so is the lock: fn's context ends, and
// fn must stop.
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
			// Nothing is listened to, so this returns only when the
			// connection is lost or the watch is over.
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
		// Said aloud rather than left to the closing of the connection, so
		// that the lock is free when TryLock returns.
		uctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_, _ = conn.Exec(uctx, `select pg_advisory_unlock($1)`, key) // a lost connection has freed it
	}()

	return true, fn(fctx)
}

// lockKey spreads names over PostgreSQL's 64-bit lock numbers.
func lockKey(name string) int64 {
	sum := sha256.Sum256([]byte("dialwright task " + name))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}
