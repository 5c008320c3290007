package cell

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// stage is how far a move is.
type stage string

const (
	stopping  stage = "stopping"
	closed    stage = "closed"
	outgoing  stage = "outgoing"
	returning stage = "returning"
)

// state is a row of organization_move.
type state struct {
	ID            uuid.UUID
	Organizations []uuid.UUID
	Names         string
	Target        int
	Stage         stage
	Resumes       []uuid.UUID
}

// stateColumns are the columns of a state, in its order.
const stateColumns = `id, organization_ids, names, target, stage, resumes`

// schema is where the rows of a move are on their way. The names differ because two cells may share a database.
func (s state) schema(kind string) string { return kind + "_" + hex.EncodeToString(s.ID[:]) }

// Moving returns the organizations of the move that an organization of a cell is on, by its name or ID, and the cell
// that they go to. It returns nil without such a move.
func Moving(ctx context.Context, pool *pgxpool.Pool, nameOrID string) (ids []uuid.UUID, target int, err error) {
	err = pool.QueryRow(ctx, `
		select organization_ids, target from organization_move
		where $1 = any(organization_ids::text[]) or lower(names) = lower($1)`, nameOrID).Scan(&ids, &target)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, 0, fmt.Errorf("look for a move: %w", err)
	}
	return ids, target, nil
}

// AllMoving returns the organizations of the moves that a cell has begun and not ended, a list for each move.
func AllMoving(ctx context.Context, pool *pgxpool.Pool, target int) ([][]uuid.UUID, error) {
	all, err := postgres.Collect(ctx, pool, pgx.RowTo[[]uuid.UUID], `
		select organization_ids from organization_move where target = $1 or $1 = 0 order by id`, target)
	if err != nil {
		return nil, fmt.Errorf("read the moves of a cell: %w", err)
	}
	return all, nil
}

// lockNotAvailable is the code of a lock that did not come in time.
const lockNotAvailable = "55P03"

func readState(ctx context.Context, db postgres.DB, organizationID uuid.UUID) (*state, error) {
	s, err := postgres.CollectOne(ctx, db, pgx.RowToStructByPos[state], `
		select `+stateColumns+` from organization_move where $1 = any(organization_ids)`, organizationID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // no move is a valid answer
	}
	if err != nil {
		return nil, fmt.Errorf("read the move of an organization: %w", err)
	}
	return &s, nil
}

// begin records the move and stops new calls. A move that is on already is taken over as it is.
func (m Move) begin(ctx context.Context) (s *state, err error) {
	err = postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if s, err = m.takeOver(ctx, tx); err != nil {
			return err
		}
		if s != nil {
			return m.fits(s)
		}
		if err := m.Directory.accepts(ctx, m.To.Number); err != nil {
			return err
		}
		s = &state{ID: m.Organizations[0], Organizations: m.Organizations, Target: m.To.Number, Stage: stopping}
		var found int
		if err := tx.QueryRow(ctx, `
			select count(*), coalesce(string_agg(name, ', ' order by name), ''),
				coalesce(array_agg(id) filter (where calling_stopped_at is null), '{}')
			from (select * from organization where id = any($1) order by id for no key update) o`,
			m.Organizations).Scan(&found, &s.Names, &s.Resumes); err != nil {
			return fmt.Errorf("lock the organizations: %w", err)
		}
		if found != len(m.Organizations) {
			return fault.NotFoundf("Organization")
		}
		// Another command may have begun a move before the rows were locked.
		tag, err := tx.Exec(ctx, `
			insert into organization_move (id, organization_ids, names, target, stage, resumes, began_at, holder)
			select $1, $2, $3, $4, 'stopping', $5, clock(), $6
			where not exists (select from organization_move where organization_ids && $2)
			on conflict do nothing`, s.ID, s.Organizations, s.Names, s.Target, s.Resumes, m.holder)
		if err != nil {
			return fmt.Errorf("record the move: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return errElsewhere
		}
		return stopCalls(ctx, tx, s)
	})
	if err != nil {
		return nil, err
	}
	return s, m.After(string(stopping))
}

// takeOver makes this command the one that moves the organizations, if they are on a move. It waits for the transaction
// in which an earlier command is, also if that command was killed.
func (m Move) takeOver(ctx context.Context, tx pgx.Tx) (*state, error) {
	if _, err := tx.Exec(ctx, `select set_config('lock_timeout', $1, true)`, takeOverTime.String()); err != nil {
		return nil, fmt.Errorf("prepare a transaction: %w", err)
	}
	s, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByPos[state], `
		update organization_move set holder = $2 where organization_ids && $1
		returning `+stateColumns, m.Organizations, m.holder)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil //nolint:nilnil // no move is a valid answer
	case postgres.Code(err) == lockNotAvailable:
		return nil, errElsewhere
	case err != nil:
		return nil, fmt.Errorf("take over the move of an organization: %w", err)
	}
	return &s, nil
}

// fits refuses to go on with a move that is not this one.
func (m Move) fits(s *state) error {
	switch {
	case !slices.Equal(s.Organizations, m.Organizations):
		return fault.Conflictf("%s move together. Name all of them", s.Names)
	case s.Target != m.To.Number:
		return fault.Conflictf("%s is on its way to cell %d. Finish that move, or run the command with --back",
			s.Names, s.Target)
	case s.Stage == returning:
		return fault.Conflictf("%s is on its way back. Run the command with --back", s.Names)
	}
	return nil
}

// advance moves a move from one stage to another, unless another command has it.
func (m Move) advance(ctx context.Context, tx pgx.Tx, s *state, from, to stage) error {
	tag, err := tx.Exec(ctx, `update organization_move set stage = $3 where id = $1 and stage = $2 and holder = $4`,
		s.ID, from, to, m.holder)
	if err != nil {
		return fmt.Errorf("record the stage of a move: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return errElsewhere
	}
	return nil
}

var errElsewhere = fault.Conflictf("Another command moves this organization at the moment. If it was killed, the " +
	"database still ends its last statement, so try again in a minute")

// hold makes a transaction depend on this command having the move, and on its stage. While the transaction is open, no
// other command takes the move over.
func (m Move) hold(ctx context.Context, tx pgx.Tx, s *state) error {
	err := tx.QueryRow(ctx, `
		select id from organization_move where id = $1 and stage = $2 and holder = $3 for share`,
		s.ID, s.Stage, m.holder).Scan(new(uuid.UUID))
	if errors.Is(err, pgx.ErrNoRows) {
		return errElsewhere
	}
	if err != nil {
		return fmt.Errorf("lock the move of %s: %w", s.Names, err)
	}
	return nil
}

// end forgets the move, unless another command has it.
func (m Move) end(ctx context.Context, tx pgx.Tx, s *state) error {
	tag, err := tx.Exec(ctx, `delete from organization_move where id = $1 and stage = $2 and holder = $3`,
		s.ID, s.Stage, m.holder)
	if err != nil {
		return fmt.Errorf("end the move of %s: %w", s.Names, err)
	}
	if tag.RowsAffected() == 0 {
		return errElsewhere
	}
	return nil
}
