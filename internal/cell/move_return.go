package cell

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// resumeCalls lets organizations call again that the move has stopped, and has their campaigns looked at.
func resumeCalls(ctx context.Context, tx pgx.Tx, s *state) error {
	batch := &pgx.Batch{}
	batch.Queue(`
		update organization set calling_stopped_at = null, calling_stopped_by = '' where id = any($1)`, s.Resumes)
	batch.Queue(`
		update campaign set dial_at = least(dial_at, (select clock()))
		where organization_id = any($1) and status = 'running'`, s.Organizations)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("let %s call again: %w", s.Names, err)
	}
	return nil
}

// stay ends a move whose rows have not left: the organizations call again.
func (m Move) stay(ctx context.Context, s *state) error {
	return postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if err := beginLong(ctx, tx); err != nil {
			return err
		}
		if err := m.end(ctx, tx, s); err != nil {
			return err
		}
		if s.Stage == closed {
			schema := s.schema("outgoing")
			tables, err := outgoingTables(ctx, tx, schema)
			if err != nil {
				return err
			}
			for _, t := range keysOf(tables) {
				_, err := tx.Exec(ctx, fmt.Sprintf(`insert into %s (%s) select %[2]s from %s.%[1]s`,
					t.name, t.list(), schema))
				if err != nil {
					return fmt.Errorf("return the keys of %s: %w", s.Names, err)
				}
			}
			if _, err := tx.Exec(ctx, `drop schema `+schema+` cascade`); err != nil {
				return fmt.Errorf("drop the schema of outgoing rows: %w", err)
			}
		}
		return resumeCalls(ctx, tx, s)
	})
}

// Return takes organizations back whose move has begun and has not arrived. Errors: NotFound without such a move,
// Conflict if they have arrived: then they can move back as they came.
func (m Move) Return(ctx context.Context) error {
	ctx = postgres.WithStatementTime(ctx, moveTime)
	m = m.complete()
	var s *state
	err := postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) (err error) {
		s, err = m.takeOver(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	if s == nil {
		return fault.NotFoundf("Move of this organization")
	}
	if s.Stage == stopping || s.Stage == closed {
		return m.stay(ctx, s)
	}
	if err := m.recall(ctx, s); err != nil {
		return err
	}
	if err := m.After(string(returning)); err != nil {
		return err
	}
	arrived, err := m.arrived(ctx, m.To.Pool)
	if err != nil {
		return err
	}
	if arrived {
		if err := m.finish(ctx, s); err != nil {
			return err
		}
		return fault.Conflictf("%s had arrived in cell %d already. Move it to cell %d to have it back", s.Names,
			m.To.Number, m.From.Number)
	}
	if err := m.claims(ctx, s, m.From.Number); err != nil {
		return err
	}
	tables, err := outgoingTables(ctx, m.From.Pool, s.schema("outgoing"))
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if err := beginLong(ctx, tx); err != nil {
			return err
		}
		if err := m.end(ctx, tx, s); err != nil {
			return err
		}
		if err := bringIn(ctx, tx, s.schema("outgoing"), tables); err != nil {
			return err
		}
		return resumeCalls(ctx, tx, s)
	})
}

// recall makes sure that the rows can't arrive any more: no copy begins, and the one that there is is dropped. If they
// are arriving at this moment, it waits for the end of that.
func (m Move) recall(ctx context.Context, s *state) error {
	if s.Stage == outgoing {
		err := postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
			return m.advance(ctx, tx, s, outgoing, returning)
		})
		if err != nil {
			return err
		}
		s.Stage = returning
	}
	if _, err := m.To.Pool.Exec(ctx, `drop schema if exists `+s.schema("incoming")+` cascade`); err != nil {
		return fmt.Errorf("drop the copy in cell %d: %w", m.To.Number, err)
	}
	return nil
}
