package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// measure runs fn and returns the CPU time that the server, PostgreSQL and the other processes used for it. With
// -profiles, it also takes a CPU profile of the server for lasts, the minimum duration of fn.
func (l *lab) measure(
	ctx context.Context, name string, lasts time.Duration, fn func(), server *process, others ...*process,
) []time.Duration {
	stop := func() {}
	if l.profiles != "" && server.own != "" {
		stop = l.profile(ctx, server, name, lasts)
	}
	before := l.cpu(server, others...)
	fn()
	used := l.cpu(server, others...)
	stop()
	for i := range used {
		used[i] -= before[i]
	}
	return used
}

// cpu returns the CPU time that the server, PostgreSQL and the other processes have used.
func (l *lab) cpu(server *process, others ...*process) []time.Duration {
	used := []time.Duration{must(usageOf(server.pid())).own, familyUsage(l.cluster.PID())}
	for _, p := range others {
		used = append(used, must(usageOf(p.pid())).own)
	}
	return used
}

// profile takes a CPU profile of a process. wait waits for the profile and then lists the statements of the database.
func (l *lab) profile(ctx context.Context, p *process, name string, lasts time.Duration) (wait func()) {
	taken := make(chan error, 1)
	go func() {
		a, err := request{url: fmt.Sprintf("%s/debug/pprof/profile?seconds=%d", p.own, int(lasts.Seconds()))}.send(ctx)
		if err == nil {
			err = os.WriteFile(filepath.Join(l.profiles, name+".pprof"), a.text, 0o644)
		}
		taken <- err
	}()
	return func() {
		if err := <-taken; err != nil {
			progress("no profile of %s: %v", name, err)
		}
		err := attempt(func() { l.writeStatements(ctx, filepath.Join(l.profiles, name+".statements.txt")) })
		if err != nil {
			progress("no statements of %s: %v", name, err)
		}
	}
}

// keepStatements restarts the database with pg_stat_statements, if it is installed.
func (l *lab) keepStatements(ctx context.Context) {
	var there bool
	l.admin(ctx, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `
			select exists (select from pg_available_extensions where name = 'pg_stat_statements')`).Scan(&there)
	})
	if !there {
		return
	}
	l.exec(ctx, `alter system set shared_preload_libraries = 'pg_stat_statements'`)
	check(l.cluster.Stop(ctx))
	l.cluster = must(postgres.StartEmbedded(ctx, postgres.EmbeddedOptions{Dir: l.data}))
	l.exec(ctx, `create extension if not exists pg_stat_statements`,
		`alter system set pg_stat_statements.track_planning = on`, `select pg_reload_conf()`)
}

// writeStatements writes the statements that have used the most time of the database since its start.
func (l *lab) writeStatements(ctx context.Context, path string) {
	text := "     calls           ms  ms planning       blocks    WAL bytes  statement\n"
	l.admin(ctx, func(conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, `
			select format('%10s %12s %12s %12s %12s  %s', calls, round((total_exec_time + total_plan_time)::numeric, 1),
			              round(total_plan_time::numeric, 1), shared_blks_hit + shared_blks_read, wal_bytes,
			              left(regexp_replace(query, '\s+', ' ', 'g'), 200))
			from pg_stat_statements order by total_exec_time + total_plan_time desc limit 60`)
		if err != nil {
			return err
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		text += strings.Join(lines, "\n") + "\n"
		return err
	})
	check(os.WriteFile(path, []byte(text), 0o644))
}
