package messaging

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// maxClosed bounds the service windows that are deleted at a time.
const maxClosed = 500

// CheckCounts compares the number of recipients of each scope with its ledger and
// corrects it. No known fault makes them differ. But the gate trusts the number, and an
// error in it would stay forever.
func (s *Service) CheckCounts(ctx context.Context) error {
	scopes, err := postgres.Collect(ctx, s.pool, pgx.RowTo[uuid.UUID], `
		select id from messaging_scope s
		where recipients <> (select count(*) from messaging_ledger l where l.scope_id = s.id)`)
	if err != nil {
		return fmt.Errorf("compare scopes with their ledgers: %w", err)
	}
	for _, id := range scopes {
		err := s.InScopes(ctx, []uuid.UUID{id}, func(w *ScopeTx) error {
			sc, said := w.Scopes[id], w.Scopes[id].Recipients
			err := w.Tx.QueryRow(ctx, `select count(*) from messaging_ledger where scope_id = @id`,
				pgx.NamedArgs{"id": id}).Scan(&sc.Recipients)
			if err != nil {
				return fmt.Errorf("count the ledger of messaging scope %s: %w", id, err)
			}
			if said != sc.Recipients {
				s.log.ErrorContext(ctx, "a messaging scope had another number of recipients than its ledger",
					"scope", id, "recipients", said, "ledger", sc.Recipients)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ClearLedgers deletes the entries of every ledger that have left the window.
func (s *Service) ClearLedgers(ctx context.Context) error {
	scopes, err := postgres.Collect(ctx, s.pool, pgx.RowTo[uuid.UUID], `
		select s.id from messaging_scope s
		where s.recipients > 0 and exists (
			select from messaging_ledger l
				where l.scope_id = s.id and l.counted_at <= (select clock()) - @window::interval)`,
		pgx.NamedArgs{"window": Window})
	if err != nil {
		return fmt.Errorf("find ledgers to clear: %w", err)
	}
	for _, id := range scopes {
		err := s.TryScope(ctx, id, func(*ScopeTx) error { return nil })
		if err != nil && !errors.Is(err, ErrBusy) {
			return err
		}
	}
	return nil
}

// CloseWindows deletes service windows that are over.
func (s *Service) CloseWindows(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `
		delete from messaging_window where (number_id, phone_number) in (
			select number_id, phone_number from messaging_window
			where opened_at <= (select clock()) - @window::interval
			order by opened_at limit @most
			for update skip locked)`, pgx.NamedArgs{"window": serviceWindow, "most": maxClosed})
	if err != nil {
		return fmt.Errorf("forget service windows: %w", err)
	}
	return nil
}
