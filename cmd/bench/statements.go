package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// keepStatements restarts the database with pg_stat_statements, the profile of
// what PostgreSQL does, where it is installed.
func (l *lab) keepStatements(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, l.cluster.URL())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	var there bool
	err = conn.QueryRow(ctx, `select exists (select from pg_available_extensions where name = 'pg_stat_statements')`).Scan(&there)
	if err == nil && there {
		_, err = conn.Exec(ctx, `alter system set shared_preload_libraries = 'pg_stat_statements'`)
	}
	if err != nil {
		return fmt.Errorf("keep statements: %w", err)
	}
	if err := conn.Close(ctx); err != nil || !there {
		return err
	}
	if err := l.cluster.Stop(ctx); err != nil {
		return err
	}
	if l.cluster, err = postgres.StartEmbedded(ctx, postgres.EmbeddedOptions{Dir: l.data}); err != nil {
		return err
	}
	for _, sql := range []string{
		`create extension if not exists pg_stat_statements`,
		`alter system set pg_stat_statements.track_planning = on`,
		`select pg_reload_conf()`,
	} {
		if err := l.admin(ctx, sql); err != nil {
			return fmt.Errorf("keep statements: %w", err)
		}
	}
	return nil
}

// writeStatements writes what the database spent its time on since the last
// reset, the most costly statements first.
func (l *lab) writeStatements(ctx context.Context, path string) error {
	conn, err := pgx.Connect(ctx, l.cluster.URL())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, `
		select calls, total_exec_time + total_plan_time, total_plan_time, shared_blks_hit + shared_blks_read, wal_bytes::bigint, query
		from pg_stat_statements
		order by 2 desc
		limit 60`)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%10s %12s %12s %12s %12s  statement\n", "calls", "ms", "ms planning", "blocks", "WAL bytes")
	var calls, blocks, wal int64
	var total, planning float64
	var query string
	_, err = pgx.ForEachRow(rows, []any{&calls, &total, &planning, &blocks, &wal, &query}, func() error {
		fmt.Fprintf(&b, "%10d %12.1f %12.1f %12d %12d  %.200s\n", calls, total, planning, blocks, wal, strings.Join(strings.Fields(query), " "))
		return nil
	})
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
