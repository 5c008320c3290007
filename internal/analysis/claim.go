package analysis

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
)

// job is a claimed analysis.
type job struct {
	AnalysisID     uuid.UUID
	OrganizationID uuid.UUID
	CallID         uuid.UUID
	ConnectionID   uuid.UUID
	Claims         int // of this claim; only the last one may write
	Failures       int // tries before
}

const (
	claimed = `
		update call_analysis_due d set
			claims = d.claims + 1, due_at = k.t + @lease::interval, leased_until = k.t + @lease::interval
		from (select clock() as t) k, call_analysis y, `

	returningJob = `
		returning d.analysis_id, d.organization_id, y.call_id, d.connection_id, d.claims, d.failures`

	// inUse counts the streams of connection n that calls and analyses use. A call has its stream for all of its time.
	inUse = `(select count(*) from call where model_connection_id = n.id and ended_at is null)
		+ (select count(*) from call_analysis_due u where u.connection_id = n.id and u.leased_until > k.t)`
)

// claim claims at most most analyses. An analysis only gets a stream of its connection that no call uses. A connection
// that fails gets one now and then, to find out whether it works again.
func (s *Service) claim(ctx context.Context, most int) (jobs []job, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// A connection that another process has locked is left to that process. The streams are counted in a later
		// statement, which sees the claims of the process that had the lock before.
		ids, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			select n.id from model_connection n, (select clock() as t) k
			where exists (select from call_analysis_due d where d.connection_id = n.id and d.due_at <= k.t)
			order by n.id
			for no key update of n skip locked`)
		if err != nil || len(ids) == 0 {
			return err
		}
		jobs, err = postgres.Collect(ctx, tx, pgx.RowToStructByName[job], claimed+`(
				select next.analysis_id
				from (select clock() as t) k, model_connection n
				cross join lateral (
					select case
						when n.deactivated_at is not null then @most
						when n.failures < @most_failures then n.streams - (`+inUse+`)
						when n.last_error_at < k.t - @probe_gap::interval then 1
						else 0 end as streams
				) free
				cross join lateral (
					select d.analysis_id from call_analysis_due d
					where d.connection_id = n.id and d.due_at <= k.t
					order by d.due_at
					limit greatest(least(free.streams, @share::bigint), 0)
					for update of d skip locked
				) next
				where n.id = any(@connections)
				limit @most
			) due
			where d.analysis_id = due.analysis_id and y.id = d.analysis_id`+returningJob, pgx.NamedArgs{
			"connections": ids, "most": most, "share": max(most/len(ids), 1), "lease": lease, "probe_gap": probeGap,
			"most_failures": connection.MostFailures,
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("claim analyses: %w", err)
	}
	return jobs, nil
}

// overdue claims analyses that waited for too long.
func (s *Service) overdue(ctx context.Context, most int) ([]job, error) {
	jobs, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[job], claimed+`(
			select d.analysis_id from call_analysis_due d, (select clock() as t) k
			where d.created_at < k.t - @give_up::interval and (d.leased_until is null or d.leased_until < k.t)
			order by d.created_at limit @most
			for update of d skip locked
		) due
		where d.analysis_id = due.analysis_id and y.id = d.analysis_id`+returningJob,
		pgx.NamedArgs{"give_up": giveUp, "most": most, "lease": lease})
	if err != nil {
		return nil, fmt.Errorf("claim overdue analyses: %w", err)
	}
	return jobs, nil
}

// excess returns by how many streams each of some connections is over its limit.
func (s *Service) excess(ctx context.Context, connections []uuid.UUID) (map[uuid.UUID]int, error) {
	type over struct {
		ID      uuid.UUID
		Streams int
	}
	rows, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[over], `
		select n.id, (`+inUse+`) - n.streams as streams
		from model_connection n, (select clock() as t) k
		where n.id = any($1) and (`+inUse+`) > n.streams`, connections)
	if err != nil {
		return nil, fmt.Errorf("count the streams of %d connections: %w", len(connections), err)
	}
	all := map[uuid.UUID]int{}
	for _, r := range rows {
		all[r.ID] = r.Streams
	}
	return all, nil
}

// postpone gives up the claim. The analysis is due again after a pause.
func (s *Service) postpone(ctx context.Context, j job, pause time.Duration, failures int) error {
	_, err := s.pool.Exec(ctx, `
		update call_analysis_due set leased_until = null, due_at = clock() + $3::interval, failures = $4
		where analysis_id = $1 and claims = $2`, j.AnalysisID, j.Claims, pause, failures)
	if err != nil {
		return fmt.Errorf("postpone analysis %s: %w", j.AnalysisID, err)
	}
	return nil
}
