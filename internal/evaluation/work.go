package evaluation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	pollTime    = 5 * time.Second  // an attempt may wait for a connection or for a lease to end
	atOnce      = 4                // attempts that one process runs at the same time
	leaseTime   = 45 * time.Second // after a process died, another one runs its attempts again
	renewTime   = 5 * time.Second
	attemptTime = 10 * time.Minute
	maxTries    = 3 // of processes that die during an attempt
	storeTime   = 5 * time.Second
)

// job is a claimed attempt.
type job struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	Organization   string
	RunID          uuid.UUID
	Lease          uuid.UUID
	Tries          int
	Agent          string
	Script         conversation.Script
	Content        Content
}

// Work runs attempts until ctx ends. It is a background loop. Any number of processes may run it.
func (s *Service) Work(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for range atOnce {
		group.Go(func() error {
			woken, stop := s.hub.Subscribe(Topic)
			defer stop()
			for ctx.Err() == nil {
				j, err := s.claim(ctx)
				switch {
				case err != nil:
					return err
				case j == nil:
					loop.Await(ctx, woken, loop.Jitter(pollTime))
				default:
					if err := s.run(ctx, *j); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// claim takes an attempt, or nil if none can start. A connection to a model has streams for half as many attempts as
// calls leave free, so calls come first.
func (s *Service) claim(ctx context.Context) (claimed *job, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `select pg_advisory_xact_lock(hashtextextended('claim an attempt', 0))`); err != nil {
			return fmt.Errorf("lock the claims of attempts: %w", err)
		}
		j, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[job], `
			with open as (
				select a.id from agent_test_attempt a
				where (a.status = 'queued' or a.status = 'running' and a.lease_until < clock())
				  and not exists (
				    select from unnest(a.connection_ids) needed (id)
				    join model_connection m on m.id = needed.id
				    where (select count(*) from agent_test_attempt b
				           where b.status = 'running' and b.lease_until >= clock() and b.connection_ids @> array[m.id])
				      >= (m.streams + 1 - (select count(*) from call
				                           where model_connection_id = m.id and ended_at is null)) / 2)
				order by a.id limit 1 for no key update skip locked),
			taken as (
				update agent_test_attempt a
				set status = 'running', tries = tries + 1, lease = @lease, lease_until = clock() + @time::interval,
				    started_at = clock()
				from open where a.id = open.id
				returning a.*)
			select t.id, t.organization_id, o.name as organization, t.run_id, t.lease, t.tries, r.agent_name as agent,
				r.script, r.cases -> t.case_index -> 'content' as content
			from taken t
			join agent_test_run r on r.id = t.run_id
			join organization o on o.id = t.organization_id`,
			pgx.NamedArgs{"lease": uuid.New(), "time": leaseTime})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("claim an attempt: %w", err)
		}
		claimed = &j
		return nil
	})
	return claimed, err
}

// run performs an attempt while its lease is ours, and stores the result.
func (s *Service) run(ctx context.Context, j job) error {
	if j.Tries > maxTries {
		return s.finish(ctx, j, nil, nil, "The process stopped during this attempt, several times")
	}
	if j.Script.Model != nil || len(j.Content.connections()) > 0 {
		switch err := connection.CheckDay(ctx, s.pool, j.OrganizationID); {
		case fault.KindOf(err) == fault.Conflict: // since the run began
			return s.finish(ctx, j, nil, nil, err.Error())
		case err != nil && ctx.Err() != nil:
			return s.release(ctx, j)
		case err != nil:
			return err
		}
	}
	during, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	go s.renew(during, cancel, j)
	result, err := s.stage(j.OrganizationID).perform(during, j.Agent, j.Organization, j.Script, j.Content)
	switch {
	case err == nil:
		return s.finish(ctx, j, &result, result.used, "")
	case ctx.Err() != nil: // this process stops, and another one takes over
		return s.release(ctx, j)
	case errors.Is(during.Err(), context.DeadlineExceeded):
		return s.finish(ctx, j, nil, result.used, "The conversation took longer than 10 minutes")
	case during.Err() != nil: // canceled, or another process has it
		return nil
	}
	s.log.WarnContext(ctx, "an attempt of a test has no result", "attempt", j.ID, "error", err)
	return s.finish(ctx, j, nil, result.used, conversation.Clean(err.Error()))
}

// renew keeps the lease until ctx ends. Without the lease, it stops the attempt.
func (s *Service) renew(ctx context.Context, stop func(), j job) {
	for loop.Sleep(ctx, renewTime) {
		tag, err := s.pool.Exec(ctx, `
			update agent_test_attempt set lease_until = clock() + $3::interval where id = $1 and lease = $2`,
			j.ID, j.Lease, leaseTime)
		if err == nil && tag.RowsAffected() == 0 {
			stop()
			return
		}
	}
}

// release gives an attempt back to the queue.
func (s *Service) release(ctx context.Context, j job) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	_, err := s.pool.Exec(ctx, `
		update agent_test_attempt
		set status = 'queued', tries = tries - 1, lease = null, lease_until = null, started_at = null
		where id = $1 and lease = $2`, j.ID, j.Lease)
	if err != nil {
		return fmt.Errorf("give attempt %s back: %w", j.ID, err)
	}
	s.hub.Wake(Topic)
	return nil
}

// finish stores how an attempt ended, unless it was canceled or another process has it. The last attempt ends the run.
func (s *Service) finish(
	ctx context.Context, j job, result *Result, used []conversation.Used, failure string,
) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	tokens, err := s.priced(ctx, j.OrganizationID, used)
	if err != nil {
		return err
	}
	status := Failed
	if result != nil && result.Passed() {
		status = Passed
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// The run is locked first, as Cancel does, and so that one of the last two attempts sees the other.
		_, err := tx.Exec(ctx, `select from agent_test_run where id = $1 for no key update`, j.RunID)
		if err != nil {
			return fmt.Errorf("lock test run %s: %w", j.RunID, err)
		}
		_, err = tx.Exec(ctx, `
			update agent_test_attempt
			set status = $3, result = $4, error = nullif($5, ''), lease = null, lease_until = null,
			    finished_at = clock()
			where id = $1 and lease = $2`, j.ID, j.Lease, status, result, failure)
		if err != nil {
			return fmt.Errorf("store the result of attempt %s: %w", j.ID, err)
		}
		_, err = tx.Exec(ctx, `
			update agent_test_run r
			set finished_at = clock(), status = case
			      when exists (select from agent_test_attempt a where a.run_id = r.id and a.status <> 'passed')
			      then 'failed' else 'passed' end
			where id = $1 and status = 'running'
			  and not exists (
			    select from agent_test_attempt a where a.run_id = r.id and a.status in ('queued', 'running'))`, j.RunID)
		if err != nil {
			return fmt.Errorf("end test run %s: %w", j.RunID, err)
		}
		return spend(ctx, tx, j.OrganizationID, tokens)
	})
	if err == nil {
		s.hub.Wake(RunTopic(j.RunID))
	}
	return err
}
