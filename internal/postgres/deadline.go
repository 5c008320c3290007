package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// statementTime limits each statement, and each wait for a connection, unless the context sets another limit. A frozen
// server, or a machine that lost power, never answers and never closes the connection.
const statementTime = time.Minute

// resetGap is the minimum time between two resets of a pool.
const resetGap = time.Second

type statementTimeKey struct{}

// WithStatementTime sets how long each statement under ctx may take.
func WithStatementTime(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, statementTimeKey{}, d)
}

// deadlines gives every statement on a pool's connections a deadline. It resets the pool when a statement shows that
// the server has gone away, because the other connections lead to the same server. pgx calls it as a tracer, and each
// statement runs under the context that the tracer returns.
type deadlines struct {
	pool    atomic.Pointer[pgxpool.Pool] // nil until the pool is open
	resetAt atomic.Int64                 // Unix nanoseconds
	broken  func()                       // called when a new session can't load the server's own library; may be nil
	pooled  bool                         // a pooler stands between the pool and the server
}

type limitKey struct{}

// limit is the deadline of one statement.
type limit struct {
	at     time.Time
	cancel context.CancelFunc
}

func (d *deadlines) begin(ctx context.Context) context.Context {
	most, ok := ctx.Value(statementTimeKey{}).(time.Duration)
	if !ok {
		most = statementTime
	}
	l := limit{at: time.Now().Add(most)}
	ctx, l.cancel = context.WithDeadline(ctx, l.at)
	return context.WithValue(ctx, limitKey{}, l)
}

func (d *deadlines) end(ctx context.Context, err error) {
	l, ok := ctx.Value(limitKey{}).(limit)
	if !ok {
		return
	}
	l.cancel()
	if err != nil {
		d.judge(err, !time.Now().Before(l.at))
	}
}

// judge acts on what an error reveals about the server. late means that the statement exceeded its limit, and not a
// shorter deadline of its caller.
func (d *deadlines) judge(err error, late bool) {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if ok && pg.Code == codeUndefinedFile && d.broken != nil {
		d.broken()
	}
	if !late && !(ok && slices.Contains(codesOfAnotherServer, pg.Code)) {
		return
	}
	pool, now, last := d.pool.Load(), time.Now().UnixNano(), d.resetAt.Load()
	if pool != nil && now-last >= int64(resetGap) && d.resetAt.CompareAndSwap(last, now) {
		pool.Reset()
	}
}

func (d *deadlines) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return d.begin(ctx)
}

func (d *deadlines) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	d.end(ctx, data.Err)
}

func (d *deadlines) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return d.begin(ctx)
}

func (d *deadlines) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (d *deadlines) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	d.end(ctx, data.Err)
}

func (d *deadlines) TraceCopyFromStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceCopyFromStartData) context.Context {
	return d.begin(ctx)
}

func (d *deadlines) TraceCopyFromEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceCopyFromEndData) {
	d.end(ctx, data.Err)
}

func (d *deadlines) TraceAcquireStart(
	ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData,
) context.Context {
	return d.begin(ctx)
}

func (d *deadlines) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireEndData) {
	d.end(ctx, nil) // a failed acquire says nothing about the other connections
}

const codeUndefinedFile = "58P01"

var (
	// codesOfAnotherServer end a session or show that the session's server was replaced: read_only_sql_transaction,
	// admin_shutdown, crash_shutdown.
	codesOfAnotherServer = []string{"25006", "57P01", "57P02"}

	// codesOfNoServer show that the server can't be used yet: cannot_connect_now, too_many_connections, and programs
	// that were replaced while the server runs.
	codesOfNoServer = []string{"57P03", "53300", codeUndefinedFile}
)

// Away reports whether err means that the database is unavailable at the moment. Then the statement itself is not at
// fault, and the caller may retry it.
func Away(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return strings.HasPrefix(pg.Code, "08") || // connection_exception
			slices.Contains(codesOfAnotherServer, pg.Code) || slices.Contains(codesOfNoServer, pg.Code)
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return pgconn.Timeout(err) || pgconn.SafeToRetry(err) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}
