package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// serverFacts are what Open must know about the server before it makes a pool.
type serverFacts struct {
	room   int32 // connections that a pool may open and still leave enough for the process's other ones
	pooled bool  // a connection pooler stands in between, so a session may change between transactions
}

// inspect reads the facts, and sets the defaults of the product's sessions.
func inspect(ctx context.Context, c *pgx.ConnConfig) (facts serverFacts, err error) {
	plain := c.Copy()
	plain.DefaultQueryExecMode = pgx.QueryExecModeExec // prepares nothing
	conn, err := pgx.ConnectConfig(ctx, plain)
	if err != nil {
		return facts, fmt.Errorf("connect to the database: %w", err)
	}
	defer closeConn(conn)
	var backend int64
	var settled bool
	err = conn.QueryRow(ctx, `
		select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - $1,
		       pg_backend_pid(),
		       current_setting('enable_seqscan') = 'off' and (
			select setting::bigint = $2 from pg_settings where name = 'idle_in_transaction_session_timeout')`,
		spareConns, abandonedAfter.Milliseconds()).Scan(&facts.room, &backend, &settled)
	if err != nil {
		return facts, fmt.Errorf("read the server's settings: %w", err)
	}
	facts.room = max(facts.room, 1)
	// A pooler gives its clients numbers of its own, by which it finds what they want to cancel.
	facts.pooled = int64(conn.PgConn().PID()) != backend
	if settled {
		return facts, nil
	}
	return facts, settle(ctx, conn)
}

// settle sets the defaults of the sessions of this process's role in this database. They are not set in each session,
// because a pooler gives its sessions to other clients, and they are not connection parameters, because a pooler
// refuses parameters that it does not know.
//
// Every product statement uses an index if there is one. Some tables fill and empty within minutes. If the planner runs
// while a table is empty, it keeps a plan for a tiny table, and then reads all of call_line for each event of each
// call.
func settle(ctx context.Context, conn *pgx.Conn) error {
	err := InTx(ctx, conn, func(tx pgx.Tx) error {
		// PostgreSQL fails processes that change a role at the same time.
		if _, err := tx.Exec(ctx, `select pg_advisory_xact_lock($1)`, migrationLock); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, fmt.Sprintf(`do $$ begin
			execute format('alter role %%I in database %%I set enable_seqscan = off',
				session_user, current_database());
			execute format('alter role %%I in database %%I set idle_in_transaction_session_timeout = %d',
				session_user, current_database());
		end $$`, abandonedAfter.Milliseconds()))
		return err
	})
	if err != nil {
		return fmt.Errorf("set the defaults of the role's sessions: %w", err)
	}
	return nil
}

// namesExecMode reports whether a URL itself says how statements are sent.
func namesExecMode(url string) bool { return strings.Contains(url, "default_query_exec_mode") }

// pooled reports whether a pooler stands between a pool and the server.
func pooled(pool *pgxpool.Pool) bool {
	limits, ok := pool.Config().ConnConfig.Tracer.(*deadlines)
	return ok && limits.pooled
}
