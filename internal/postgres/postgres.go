// Package postgres owns the way to the database: the pool, transactions, the
// names of violated constraints, migrations, wake-ups between processes,
// advisory locks, and the embedded server that runs when no DATABASE_URL is
// given. It knows no table but schema_migrations; the SQL of a noun lives
// beside the noun.
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

// DB is what SQL can be run on: *pgxpool.Pool or pgx.Tx.
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
	// defaultMaxConns is the size of a pool nobody sized: enough to keep a
	// handful of cores busy, small enough for several processes on a server
	// with PostgreSQL's default of 100 connections.
	defaultMaxConns = 20

	// spareConns is what a process uses beside its pool: the hub's two
	// connections, periodic tasks under their locks, a migration.
	spareConns = 6

	connectTimeout = 5 * time.Second

	// abandonedAfter is how long a transaction may stand still before the server
	// ends it: what it has locked is not held by a process that was stopped, or
	// by a machine that is gone without a word.
	abandonedAfter = 30 * time.Second
)

// Options of Open.
type Options struct {
	URL      string // postgres://… or key=value form, as libpq reads it
	MaxConns int32  // upper bound of the pool; 0 means 20, or less where the server allows less
	Name     string // application_name, "dialwright" when empty

	// Prepare is done with each new connection before it is used. May be nil.
	Prepare func(context.Context, *pgx.Conn) error

	// Broken is called when the server can't load a library of its own, which
	// happens when its programs were replaced while it runs. May be nil.
	Broken func()
}

// Open makes a pool and checks that the server answers and has room for it.
// Times come back in UTC. Every statement has a deadline: the caller's, or that of
// WithStatementTime, or a minute.
func Open(ctx context.Context, o Options) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		// pgx leaves the password out of this error.
		return nil, fmt.Errorf("read the database URL: %w", err)
	}
	prepare(cfg.ConnConfig, o.Name)
	cfg.MaxConnIdleTime = 5 * time.Minute
	cfg.MaxConnLifetime = time.Hour
	cfg.MaxConnLifetimeJitter = 6 * time.Minute
	cfg.PingTimeout = connectTimeout
	limits := &deadlines{broken: o.Broken}
	cfg.ConnConfig.Tracer = limits
	cfg.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		ctx = WithStatementTime(ctx, connectTimeout)
		scanInUTC(c.TypeMap())
		registerUUID(c.TypeMap())
		// Every statement of ours finds its rows by an index, where there is one.
		// Tables that fill and empty within minutes look tiny to a planner that
		// comes at the wrong moment, and its plan is kept: reading call_line from
		// end to end for each event of each call.
		//
		// Not parameters of the connection: poolers in between refuse those they don't know.
		_, err := c.Exec(ctx, fmt.Sprintf(`set idle_in_transaction_session_timeout = %d; set enable_seqscan = off`,
			abandonedAfter.Milliseconds()))
		if err != nil || o.Prepare == nil {
			return err
		}
		return o.Prepare(ctx, c)
	}

	room, err := serverRoom(ctx, cfg.ConnConfig)
	if err != nil {
		return nil, err
	}
	switch {
	case o.MaxConns == 0:
		cfg.MaxConns = min(defaultMaxConns, room)
	case o.MaxConns > room:
		return nil, fmt.Errorf("the pool may have at most %[2]d connections, because of the server's "+
			"max_connections, and %[1]d were requested",
			o.MaxConns, room)
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

// prepare sets what every connection of ours has in common. What the URL says
// itself wins for the timeout only: the product's clock is UTC.
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

// scanInUTC makes timestamptz come back in UTC instead of the machine's zone.
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

// registerUUID makes ids travel as 16 bytes instead of by their text.
func registerUUID(m *pgtype.Map) {
	pgxuuid.Register(m)
	// It does not know pointers, which pgx then writes as text, fails to encode,
	// puts into an error, reads back and encodes: ten times the work.
	wrap := func(value any) (pgtype.WrappedEncodePlanNextSetter, any, bool) {
		if _, ok := value.(*uuid.UUID); !ok {
			return nil, nil, false
		}
		return &pointedUUID{}, uuid.UUID{}, true
	}
	m.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrap}, m.TryWrapEncodePlanFuncs...)
}

// pointedUUID encodes what a *uuid.UUID points to; pgx has met nil before.
type pointedUUID struct{ next pgtype.EncodePlan }

func (p *pointedUUID) SetNext(next pgtype.EncodePlan) { p.next = next }

func (p *pointedUUID) Encode(value any, buf []byte) ([]byte, error) {
	return p.next.Encode(*value.(*uuid.UUID), buf)
}

// serverRoom is how many connections one pool may take without starving what
// a process holds beside it.
func serverRoom(ctx context.Context, c *pgx.ConnConfig) (int32, error) {
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return 0, fmt.Errorf("connect to the database: %w", err)
	}
	defer closeConn(conn)
	var room int32
	err = conn.QueryRow(ctx, `
		select current_setting('max_connections')::int
		     - current_setting('superuser_reserved_connections')::int`).Scan(&room)
	if err != nil {
		return 0, fmt.Errorf("read the server's max_connections: %w", err)
	}
	return max(room-spareConns, 1), nil
}

// connect opens a connection beside the pool, to the same server.
func connect(ctx context.Context, pool *pgxpool.Pool) (*pgx.Conn, error) {
	return pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
}

// Ready checks that a new session can be opened, that it can run functions, and
// that it finds the schema of this program. Sessions that are open go on working
// when the server's programs were replaced, and new ones do not.
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

// closeConn says goodbye to the server, but does not wait long for it.
func closeConn(c *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.Close(ctx) // nothing is lost with a connection that can't be closed cleanly
}

// InTx runs fn in a transaction and commits it when fn returns nil. When db is
// itself a transaction, fn runs in a savepoint: its failure undoes fn's work
// and leaves the outer transaction usable.
//
// An error of fn comes back as it is, so faults pass through. An error of the
// commit means that the outcome is unknown when the connection broke.
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
		// Also after a panic, and when ctx is over: else the connection would
		// have to be thrown away.
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

// Constraint is the name of the constraint (or unique index) that err reports
// as violated, "" when err is something else. Domain packages turn the names
// they know into faults.
func Constraint(err error) string {
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || len(e.Code) != 5 || e.Code[:2] != "23" { // class 23: integrity constraint violation
		return ""
	}
	return e.ConstraintName
}
