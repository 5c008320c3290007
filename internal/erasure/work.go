package erasure

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/loop"
	people "github.com/dialwright/dialwright/internal/person"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

const (
	// workGap is the pause before the next try of an incomplete erasure, for example while a call is live.
	workGap = 2 * time.Second

	// idleGap is the time between polls for requests whose wake-up was lost.
	idleGap = 30 * time.Second

	// drainMost limits the wait for transactions that were open at the request. The product's transactions are much
	// shorter, but a person may be making a copy of the database.
	drainMost = 15 * time.Minute
)

// Run performs erasures until ctx ends. Any number of processes may run it. One process works at a time, and another
// process resumes its work if it is killed.
func (s *Service) Run(ctx context.Context) error {
	woken, stop := s.o.Hub.Subscribe(Topic)
	defer stop()
	for ctx.Err() == nil {
		waiting, err := s.waiting(ctx)
		if err != nil {
			return err
		}
		gap := idleGap
		if waiting {
			gap = workGap
			if _, err := postgres.TryLease(ctx, s.o.Pool, "erasure", s.Work); err != nil {
				return err
			}
			if waiting, err = s.waiting(ctx); err != nil {
				return err
			}
			if !waiting {
				gap = idleGap
			}
		}
		loop.Await(ctx, woken, gap)
	}
	return nil
}

func (s *Service) waiting(ctx context.Context) (waiting bool, err error) {
	err = s.o.Pool.QueryRow(ctx, `select exists (select from erasure where completed_at is null)`).Scan(&waiting)
	if err != nil {
		return false, fmt.Errorf("look for erasures: %w", err)
	}
	return waiting, nil
}

// job is an incomplete erasure.
type job struct {
	id, organizationID uuid.UUID
	sealed             []byte
	number             phone.Number
	seenAt             time.Time // changes when the erasure is requested again
	drained            bool      // transactions from before the listing of the number have ended
}

// Work makes one pass over all incomplete erasures and completes those without remaining data. It may be interrupted
// at any point.
func (s *Service) Work(ctx context.Context) error {
	jobs, err := s.begin(ctx)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if err := s.erase(ctx, j); err != nil {
			if ctx.Err() != nil {
				return err
			}
			s.o.Log.ErrorContext(ctx, "a person could not be erased, trying again", "erasure", j.id, "organization",
				j.organizationID, "error", err)
		}
	}
	return nil
}

// begin returns the incomplete erasures.
func (s *Service) begin(ctx context.Context) ([]job, error) {
	if _, err := s.o.Pool.Exec(
		ctx, `update erasure set seen_at = clock_timestamp() where completed_at is null and seen_at is null`,
	); err != nil {
		return nil, fmt.Errorf("begin erasures: %w", err)
	}
	// A transaction that began before the number was on the list may not have found the number there, and may still
	// write data. Such transactions must end before the last pass, so that the pass finds their data. Transactions of
	// other database users do not show their start.
	rows, err := s.o.Pool.Query(ctx, `
		select id, organization_id, number, seen_at,
		       seen_at < clock_timestamp() - @drain_most::interval or not exists (
			select from pg_stat_activity a
			where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()
				and a.xact_start <= seen_at)
		from erasure where completed_at is null and seen_at is not null order by created_at`, pgx.NamedArgs{
		"drain_most": drainMost,
	})
	if err != nil {
		return nil, fmt.Errorf("read erasures: %w", err)
	}
	jobs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (j job, err error) {
		err = row.Scan(&j.id, &j.organizationID, &j.sealed, &j.seenAt, &j.drained)
		return j, err
	})
	if err != nil {
		return nil, fmt.Errorf("read erasures: %w", err)
	}
	return jobs, nil
}

func (s *Service) erase(ctx context.Context, j job) error {
	number, err := s.o.Vault.Open(j.sealed, numberCell(j.organizationID, j.id))
	if err != nil {
		return fmt.Errorf("open the number of erasure %s: %w", j.id, err)
	}
	j.number = phone.Number(number)
	// An old transaction may have put the number on the list again in clear text.
	err = postgres.InTx(ctx, s.o.Pool, func(tx pgx.Tx) error {
		if err := people.Erase(ctx, tx, j.organizationID, j.number); err != nil {
			return err
		}
		return suppression.Erase(ctx, tx, j.organizationID, j.number, "")
	})
	if err != nil {
		return err
	}
	left := !j.drained
	// Calls come first, because they end recipients, and ended recipients may get messages. They come again after
	// recipients, because a scheduled call becomes a row when it is canceled, perhaps by somebody else meanwhile.
	for _, noun := range []struct {
		column string
		erase  func(context.Context, uuid.UUID, phone.Number, func(pgx.Tx, int, int) error) (bool, error)
	}{
		{"calls", s.eraseCalls(j.id)}, {"recipients", s.o.Campaigns.Erase}, {"calls", s.eraseCalls(j.id)},
		{"messages", s.o.Messaging.Erase},
	} {
		more, err := noun.erase(ctx, j.organizationID, j.number, s.count(ctx, j, noun.column))
		if err != nil {
			return err
		}
		left = left || more
	}
	if left {
		return nil
	}
	// This step is last and runs once, because it reads the whole audit log.
	if err := s.o.Accounts.Erase(ctx, j.organizationID, j.number.String()); err != nil {
		return err
	}
	return s.complete(ctx, j)
}

func (s *Service) eraseCalls(
	id uuid.UUID,
) func(context.Context, uuid.UUID, phone.Number, func(pgx.Tx, int, int) error) (bool, error) {
	return func(
		ctx context.Context, organizationID uuid.UUID, number phone.Number, count func(pgx.Tx, int, int) error,
	) (bool, error) {
		return s.o.Calls.Erase(ctx, organizationID, number, id, count)
	}
}

// count adds the number of erased rows, in the transaction that erased them.
func (s *Service) count(ctx context.Context, j job, column string) func(tx pgx.Tx, n, events int) error {
	return func(tx pgx.Tx, n, events int) error {
		_, err := tx.Exec(ctx, `update erasure set `+column+` = `+column+
			` + @n, events = events + @events where id = @id`,
			pgx.NamedArgs{"id": j.id, "n": n, "events": events})
		if err != nil {
			return fmt.Errorf("count what was erased: %w", err)
		}
		return nil
	}
}

func (s *Service) complete(ctx context.Context, j job) error {
	return postgres.InTx(ctx, s.o.Pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(
			ctx,
			`update erasure set completed_at = clock(), number = null
				where id = $1 and completed_at is null and seen_at = $2`,
			j.id, j.seenAt,
		)
		if err != nil {
			return fmt.Errorf("complete erasure %s: %w", j.id, err)
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		return account.Record(ctx, tx, account.System(j.organizationID), "erasure.completed", account.Object{
			Type: "erasure", ID: j.id,
		}, nil)
	})
}
