// Package postgres provides access to the database: the pool, transactions, the names of violated constraints,
// migrations, wake-ups between processes, leases of tasks, and the embedded server that runs if DATABASE_URL is empty.
// It knows no table except schema_migrations, schema_support and task_lease. Each domain package contains its own SQL.
//
// No statement depends on what an earlier one left in its session, so a connection pooler in transaction mode may stand
// between this process and the server.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"
)

// DB runs SQL: *pgxpool.Pool or pgx.Tx.
type DB interface {
	Begin(ctx context.Context) (pgx.Tx, error)
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, src pgx.CopyFromSource) (int64, error)
}

var (
	_ DB = (*pgxpool.Pool)(nil)
	_ DB = (pgx.Tx)(nil)
)

const (
	// defaultMaxConns is the size of a pool without a configured size. It is enough to keep a few cores busy, and
	// small enough for several processes on a server with PostgreSQL's default of 100 connections.
	defaultMaxConns = 20

	// spareConns is the number of connections that a process uses beside its pool: the hub's two connections, a
	// migration, and the checks of readiness.
	spareConns = 6

	connectTimeout = 5 * time.Second

	// abandonedAfter is how long a transaction may be idle before the server ends it. It frees the locks of a process
	// that was suspended, or of a machine that silently disappeared.
	abandonedAfter = 30 * time.Second
)

// Options are the options of Open.
type Options struct {
	URL      string // postgres://… or key=value form, as in libpq
	MaxConns int32  // upper limit of the pool; 0 means 20, or fewer if the server allows fewer
	Name     string // application_name; "" means "dialwright"

	// Prepare runs on each new connection before its first use. May be nil.
	Prepare func(context.Context, *pgx.Conn) error

	// Broken is called when the server can't load its own library, which happens when its programs were replaced while
	// it runs. May be nil.
	Broken func()
}

// Open makes a pool and checks that the server answers and has enough connections. It returns times in UTC. Every
// statement has a deadline: the caller's, the limit of WithStatementTime, or one minute.
func Open(ctx context.Context, o Options) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		// The error from pgx does not contain the password.
		return nil, fmt.Errorf("read the database URL: %w", err)
	}
	prepare(cfg.ConnConfig, o.Name)
	cfg.MaxConnIdleTime = 5 * time.Minute
	cfg.MaxConnLifetime = time.Hour
	cfg.MaxConnLifetimeJitter = 6 * time.Minute
	cfg.PingTimeout = connectTimeout
	server, err := inspect(ctx, cfg.ConnConfig)
	if err != nil {
		return nil, err
	}
	if server.pooled && !namesExecMode(o.URL) {
		// Statements that one session prepared are unknown in the next one.
		cfg.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	limits := &deadlines{broken: o.Broken, pooled: server.pooled}
	cfg.ConnConfig.Tracer = limits
	cfg.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		ctx = WithStatementTime(ctx, connectTimeout)
		scanInUTC(c.TypeMap())
		registerUUID(c.TypeMap())
		if o.Prepare == nil {
			return nil
		}
		return o.Prepare(ctx, c)
	}

	switch {
	case o.MaxConns == 0:
		cfg.MaxConns = min(defaultMaxConns, server.room)
	case o.MaxConns > server.room:
		return nil, fmt.Errorf("the pool may have at most %[2]d connections, because of the server's "+
			"max_connections, and %[1]d were requested",
			o.MaxConns, server.room)
	default:
		cfg.MaxConns = o.MaxConns
	}

	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open the database pool: %w", err)
	}
	limits.pool.Store(pool)
	return pool, nil
}

// prepare sets the common options of every connection. The URL can override only the timeout, because the product's
// clock is UTC.
func prepare(c *pgx.ConnConfig, name string) {
	if name == "" {
		name = "dialwright"
	}
	c.RuntimeParams["application_name"] = name
	c.RuntimeParams["timezone"] = "UTC"
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectTimeout
	}
	c.DialFunc = dialer(c.ConnectTimeout).DialContext
}

// scanInUTC makes timestamptz values scan in UTC instead of the machine's zone.
func scanInUTC(m *pgtype.Map) {
	t := &pgtype.Type{
		Name:  "timestamptz",
		OID:   pgtype.TimestamptzOID,
		Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	}
	m.RegisterType(t)
	m.RegisterType(&pgtype.Type{
		Name:  "_timestamptz",
		OID:   pgtype.TimestamptzArrayOID,
		Codec: &pgtype.ArrayCodec{ElementType: t},
	})
}

// registerUUID sends ids as 16 bytes instead of text.
func registerUUID(m *pgtype.Map) {
	pgxuuid.Register(m)
	// pgxuuid does not handle pointers. For a pointer, pgx writes text, fails to encode it, puts it into an error,
	// reads it back and encodes it, which is ten times the work.
	wrap := func(value any) (pgtype.WrappedEncodePlanNextSetter, any, bool) {
		if _, ok := value.(*uuid.UUID); !ok {
			return nil, nil, false
		}
		return &pointedUUID{}, uuid.UUID{}, true
	}
	m.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrap}, m.TryWrapEncodePlanFuncs...)
}

// pointedUUID encodes the UUID behind a *uuid.UUID. pgx has handled nil before.
type pointedUUID struct{ next pgtype.EncodePlan }

func (p *pointedUUID) SetNext(next pgtype.EncodePlan) { p.next = next }

func (p *pointedUUID) Encode(value any, buf []byte) ([]byte, error) {
	return p.next.Encode(*value.(*uuid.UUID), buf)
}

// connect opens a connection beside the pool, to the same server.
func connect(ctx context.Context, pool *pgxpool.Pool) (*pgx.Conn, error) {
	return pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
}

// Ready checks that a new session opens, can run functions, and finds this program's schema. It needs a new session:
// after the server's programs were replaced, open sessions still work, but new sessions fail.
func Ready(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := connect(ctx, pool)
	if err != nil {
		return fmt.Errorf("open a session: %w", err)
	}
	defer closeConn(conn)
	if _, err := conn.Exec(ctx, `do $$ begin perform clock(); end $$`); err != nil {
		return fmt.Errorf("call a function: %w", err)
	}
	return CheckSchema(ctx, conn)
}

// closeConn closes a connection cleanly, but waits at most a second for the server.
func closeConn(c *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.Close(ctx) // an unclean close loses nothing
}

// InTx runs fn in a transaction and commits it when fn returns nil. If db is a transaction, fn runs in a savepoint: a
// failure of fn undoes fn's work and leaves the outer transaction usable.
//
// InTx returns an error of fn unchanged, so the caller can match faults. After an error of the commit, the outcome is
// unknown if the connection broke.
func InTx(ctx context.Context, db DB, fn func(pgx.Tx) error) error {
	tx, err := db.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin a transaction: %w", err)
	}
	done := false
	defer func() {
		if done {
			return
		}
		// Roll back even after a panic or when ctx has ended. Otherwise the pool would have to drop the connection.
		rctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = tx.Rollback(rctx) // the pool drops a connection that can't roll back
	}()

	if err := fn(tx); err != nil {
		return err
	}
	done = true
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Code returns the SQLSTATE of an error of the server, or "" for any other error.
func Code(err error) string {
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return ""
	}
	return e.Code
}

// Constraint returns the name of the constraint (or unique index) that err reports as violated, or "" for any other
// error. Domain packages map the names that they know to faults.
func Constraint(err error) string {
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || len(e.Code) != 5 || e.Code[:2] != "23" { // class 23: integrity constraint violation
		return ""
	}
	return e.ConstraintName
}
