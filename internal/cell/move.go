package cell

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/postgres"
)

// End is one of the two cells of a move.
type End struct {
	Number int
	Pool   *pgxpool.Pool
}

// Move moves organizations from one cell to another, while the other organizations of both work on. All of its
// organizations move together.
//
//  1. stopping: no new calls of the organizations start. Calls and leases end.
//  2. closed: keys, sessions and callbacks are told to come again.
//  3. outgoing: one transaction moves all rows to a schema beside the cell's, where no loop finds them.
//  4. They are copied to a schema beside the other cell's. One transaction there moves them into the tables.
//  5. The schema of step 3 is dropped.
//
// Each step is a transaction that is made once. A move that was interrupted continues when it is run again. Until step
// 4 has committed, Return undoes it. Of several commands that move an organization, the one that was run last goes on.
// Each transaction of the others finds that, changes nothing, and ends its command.
type Move struct {
	Directory     *Directory
	From, To      End
	Organizations []uuid.UUID
	Wait          time.Duration                 // for calls and leases
	Say           func(format string, a ...any) // progress for a person; nil: nobody reads it
	After         func(step string) error       // is called after each step; an error ends the move at once. May be nil

	holder uuid.UUID // of this run, in the row of the move
}

const (
	pollGap    = 100 * time.Millisecond
	sayGap     = 10 * time.Second
	quietTime  = 20 * time.Second // for leases of loops, after the last call has ended
	othersTime = 90 * time.Second // for running transactions; statements of the product end within a minute
	moveTime   = 12 * time.Hour   // limit of each statement: a large organization takes a while

	takeOverTime = 10 * time.Second // for a transaction of another command
)

func sleep(ctx context.Context, d time.Duration) error {
	if !loop.Sleep(ctx, d) {
		return ctx.Err()
	}
	return nil
}

// Run moves the organizations, or continues their move. Errors: NotFound; Conflict for a move that is not possible.
// Whenever it fails before the rows left, the organizations call again in their cell.
func (m Move) Run(ctx context.Context) error {
	ctx = postgres.WithStatementTime(ctx, moveTime)
	m = m.complete()
	tables, err := m.check(ctx)
	if err != nil {
		return err
	}
	s, err := m.begin(ctx)
	if fault.KindOf(err) == fault.NotFound {
		// A command that was killed may have ended the move just now.
		if arrived, again := m.arrived(ctx, m.To.Pool); again == nil && arrived {
			return nil
		}
	}
	if err != nil {
		return err
	}
	if s.Stage != outgoing {
		if s, err = m.leave(ctx, s, tables); err != nil {
			return err
		}
	}
	if tables, err = tablesIn(ctx, m.From.Pool, s.schema("outgoing"), tables); err != nil {
		return err
	}
	switch err := m.bring(ctx, s, tables); {
	case errors.Is(err, errElsewhere):
		return errElsewhere
	case err != nil && !errors.Is(err, errArrived):
		return fmt.Errorf("%w. The rows of %s are safe in the schema %s of cell %d. Run the command again to "+
			"continue, or with --back to return to cell %[4]d", err, s.Names, s.schema("outgoing"), m.From.Number)
	}
	return m.finish(ctx, s)
}

func (m Move) complete() Move {
	m.Organizations = slices.Clone(m.Organizations)
	slices.SortFunc(m.Organizations, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	m.Organizations = slices.Compact(m.Organizations)
	m.holder = uuid.New()
	if m.Say == nil {
		m.Say = func(string, ...any) {}
	}
	after := m.After
	m.After = func(step string) error {
		if after == nil {
			return nil
		}
		if err := after(step); err != nil {
			return fmt.Errorf("%w after %s: %w", errHalt, step, err)
		}
		return nil
	}
	return m
}

// errHalt marks an error of After, which ends a move as the end of its process would.
var errHalt = errors.New("halted")
