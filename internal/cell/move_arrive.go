package cell

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// arrived reports whether the other cell has the organizations.
func (m Move) arrived(ctx context.Context, there postgres.DB) (yes bool, err error) {
	err = there.QueryRow(ctx, `select exists (select from organization where id = any($1))`, m.Organizations).
		Scan(&yes)
	if err != nil {
		return false, fmt.Errorf("ask cell %d for the organization: %w", m.To.Number, err)
	}
	return yes, nil
}

// errArrived ends a copy because the other cell has the rows.
var errArrived = errors.New("the organization has arrived")

// bring copies the rows to the other cell and makes them its own. It returns errArrived if it has them already.
func (m Move) bring(ctx context.Context, s *state, tables []*table) error {
	if arrived, err := m.arrived(ctx, m.To.Pool); err != nil {
		return err
	} else if arrived {
		return errArrived
	}
	if err := m.sweep(ctx, s, tables); err != nil {
		return err
	}
	if err := m.claims(ctx, s, m.To.Number); err != nil {
		return err
	}
	if err := m.After("claimed"); err != nil {
		return err
	}
	if err := m.copyOver(ctx, s, tables); err != nil {
		return err
	}
	if err := m.After("copied"); err != nil {
		return err
	}
	if err := m.settle(ctx, s, tables); err != nil {
		return err
	}
	m.Say("%s has arrived in cell %d.", s.Names, m.To.Number)
	return m.After("arrived")
}

// settle makes the copy in the other cell the organizations' rows, and lets them call.
func (m Move) settle(ctx context.Context, s *state, tables []*table) error {
	return m.beside(ctx, s, func(_, tx pgx.Tx) error {
		if err := bringIn(ctx, tx, s.schema("incoming"), tables); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		// Callbacks go to the address of the cell, which carriers and the messaging operator learn anew.
		batch.Queue(`update connection set check_due_at = (select clock())
			where organization_id = any($1) and deactivated_at is null`, s.Organizations)
		batch.Queue(`update messaging_connection set subscribed_at = null, read_at = null
			where organization_id = any($1) and disconnected_at is null`, s.Organizations)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("prepare the connections of %s: %w", s.Names, err)
		}
		return resumeCalls(ctx, tx, s)
	})
}

// sweep moves out what transactions wrote that ran when the rows left. The organizations are away meanwhile whether the
// command waits for these transactions or gives up, so it waits as long as it may.
func (m Move) sweep(ctx context.Context, s *state, tables []*table) error {
	err := awaitOthers(ctx, m.From.Pool, sayGap)
	if errors.Is(err, errBusy) {
		m.Say("%s can't arrive yet: %v.", s.Names, err)
		err = awaitOthers(ctx, m.From.Pool, max(othersTime, m.Wait))
	}
	if err != nil {
		return err
	}
	err = postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if err := beginLong(ctx, tx); err != nil {
			return err
		}
		if err := m.hold(ctx, tx, s); err != nil {
			return err
		}
		_, err := takeOut(ctx, tx, s.schema("outgoing"), tables, s.Organizations)
		return err
	})
	if err != nil {
		return err
	}
	return m.After("swept")
}

// beside runs fn in a transaction of each cell. That of the cell that the organizations leave commits last: until then,
// no other command moves them on or back.
func (m Move) beside(ctx context.Context, s *state, fn func(from, to pgx.Tx) error) error {
	return postgres.InTx(ctx, m.From.Pool, func(from pgx.Tx) error {
		if err := beginLong(ctx, from); err != nil {
			return err
		}
		// Moves of other organizations do not wait for this transaction, which writes nothing.
		_, err := from.Exec(ctx, `
			select set_config('application_name', $1, true),
				set_config('idle_in_transaction_session_timeout', $2, true)`,
			holderName, strconv.FormatInt(moveTime.Milliseconds(), 10))
		if err != nil {
			return fmt.Errorf("prepare a transaction: %w", err)
		}
		if err := m.hold(ctx, from, s); err != nil {
			return err
		}
		return postgres.InTx(ctx, m.To.Pool, func(to pgx.Tx) error {
			if err := beginLong(ctx, to); err != nil {
				return err
			}
			return fn(from, to)
		})
	})
}

// copyOver copies the rows to a schema beside the other cell's. Whoever takes the rows back later drops it first.
func (m Move) copyOver(ctx context.Context, s *state, tables []*table) error {
	schema := s.schema("incoming")
	var rows int64
	err := m.beside(ctx, s, func(from, to pgx.Tx) error {
		if _, err := to.Exec(ctx, `drop schema if exists `+schema+` cascade`); err != nil {
			return fmt.Errorf("drop an earlier copy: %w", err)
		}
		// The last statement of a command that was killed may have made the earlier copy the cell's own meanwhile.
		arrived, err := m.arrived(ctx, to)
		if err != nil {
			return err
		}
		if arrived {
			return errArrived
		}
		if err := makeTables(ctx, to, schema, tables); err != nil {
			return err
		}
		rows, err = copyRows(ctx, from, to, s.schema("outgoing"), schema, tables)
		return err
	})
	if err != nil {
		return err
	}
	m.Say("%d rows of %s were copied to cell %d.", rows, s.Names, m.To.Number)
	return nil
}

// claims gives a cell the portfolios and the numbers of the messaging operator that the organizations on their way send
// from.
func (m Move) claims(ctx context.Context, s *state, cell int) error {
	var portfolios, numbers []string
	schema := s.schema("outgoing")
	err := m.From.Pool.QueryRow(ctx, `
		select coalesce((select array_agg(distinct portfolio) from `+schema+`.messaging_connection
			where disconnected_at is null and portfolio <> ''), '{}'),
			coalesce((select array_agg(distinct external_id) from `+schema+`.messaging_number
			where disconnected_at is null), '{}')`).Scan(&portfolios, &numbers)
	if err != nil {
		return fmt.Errorf("read the WhatsApp numbers of %s: %w", s.Names, err)
	}
	if len(portfolios)+len(numbers) == 0 {
		return nil
	}
	_, err = m.Directory.pool.Exec(ctx, `
		update claim set cell = $3
		where kind = 'portfolio' and external_id = any($1) or kind = 'number' and external_id = any($2)`,
		portfolios, numbers, cell)
	if err != nil {
		return fmt.Errorf("write which cell sends from the WhatsApp numbers of %s: %w", s.Names, err)
	}
	return nil
}

// finish drops the rows that the other cell has now.
func (m Move) finish(ctx context.Context, s *state) error {
	err := postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if err := m.end(ctx, tx, s); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `drop schema if exists `+s.schema("outgoing")+` cascade`); err != nil {
			return fmt.Errorf("drop the schema of outgoing rows: %w", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return m.After("finished")
}
