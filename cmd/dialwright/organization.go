package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/cell"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/seal"
)

// errNoTarget refuses a move without a destination.
var errNoTarget = usageError{errors.New("--to is required: the number of the cell that gets the organization")}

// withCells runs fn on the directory and on all cells. It changes no schema, because servers of another version may
// run.
func withCells(ctx context.Context, p *process, fn func(*cell.Directory, *databases) error) error {
	still := *p
	still.Migrate = false
	return withDirectory(ctx, p, func(directory *cell.Directory, _ *seal.Vault) error {
		dbs, err := openDatabases(ctx, &still)
		if err != nil {
			return err
		}
		defer dbs.close()
		return fn(directory, dbs)
	})
}

// cellOf returns the database of a cell.
func (dbs *databases) cellOf(number int) (*database, error) {
	i := slices.IndexFunc(dbs.open, func(db *database) bool { return db.cell.Number == number })
	switch {
	case i >= 0:
		return dbs.open[i], nil
	case dbs.away != nil:
		return nil, dbs.away
	}
	return nil, fault.NotFoundf(fmt.Sprintf("Cell %d", number))
}

// move returns the move of organizations from one cell to another.
func (p *process) move(directory *cell.Directory, from, to *database, ids []uuid.UUID) cell.Move {
	return cell.Move{
		Directory:     directory,
		From:          cell.End{Number: from.cell.Number, Pool: from.pool},
		To:            cell.End{Number: to.cell.Number, Pool: to.pool},
		Organizations: ids,
		Wait:          p.Wait,
		Say:           func(format string, a ...any) { fmt.Fprintf(p.stdout, format+"\n", a...) },
		After:         p.afterStep,
	}
}

// organizationMove moves the organizations of the argument, or takes them back.
func organizationMove(ctx context.Context, p *process) error {
	if p.To == 0 && !p.Back {
		return errNoTarget
	}
	return withCells(ctx, p, func(directory *cell.Directory, dbs *databases) error {
		from, ids, target, err := dbs.moving(ctx, p.Args[0])
		if err != nil {
			return err
		}
		if p.Back && target == 0 {
			return fault.Conflictf("The organization is in cell %d, and no move of it is unfinished", from.cell.Number)
		}
		if !p.Back {
			target = p.To
		}
		to, err := dbs.cellOf(target)
		if err != nil {
			return err
		}
		m := p.move(directory, from, to, ids)
		if p.Back {
			if err := m.Return(ctx); err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "Moved back: the organization works in cell %d.\n", from.cell.Number)
			return nil
		}
		if err := m.Run(ctx); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "Moved: the organization works in cell %d.\n", to.cell.Number)
		return nil
	})
}

// moving finds organizations by name or ID, separated by commas, and their cell. If they are on their way already, it
// returns all that move together, and the cell that they go to.
func (dbs *databases) moving(ctx context.Context, which string) (in *database, ids []uuid.UUID, target int, err error) {
	names := []string{which}
	if parts := strings.Split(which, ","); len(parts) > 1 && uuid.Validate(strings.TrimSpace(parts[0])) == nil {
		names = parts
	}
	for _, name := range names {
		db, id, err := dbs.find(ctx, strings.TrimSpace(name))
		if err != nil {
			return nil, nil, 0, err
		}
		if in != nil && in != db {
			return nil, nil, 0, fault.Conflictf(
				"The organizations are in cells %d and %d. Move those of one cell together",
				in.cell.Number, db.cell.Number)
		}
		in = db
		if on, to, err := cell.Moving(ctx, db.pool, id.String()); err != nil {
			return nil, nil, 0, err
		} else if on != nil {
			return db, on, to, nil
		}
		ids = append(ids, id)
	}
	return in, ids, 0, nil
}

// find finds an organization and its cell. One that is on its way is found in the cell that it leaves.
func (dbs *databases) find(ctx context.Context, nameOrID string) (*database, uuid.UUID, error) {
	if nameOrID == "" {
		return nil, uuid.Nil, usageError{errors.New("ORGANIZATION is required: a name or an ID")}
	}
	for _, db := range dbs.open {
		on, _, err := cell.Moving(ctx, db.pool, nameOrID)
		if err != nil {
			return nil, uuid.Nil, err
		}
		if on != nil {
			return db, on[0], nil
		}
	}
	_, o, err := dbs.organization(ctx, nameOrID)
	if err != nil {
		return nil, uuid.Nil, err
	}
	for _, db := range dbs.open {
		if _, err := db.accounts().Organization(ctx, o.ID); err == nil {
			return db, o.ID, nil
		}
	}
	return nil, uuid.Nil, fault.NotFoundf("Organization")
}

// cellMove moves all organizations of a cell, one after another. Organizations that share a limit of WhatsApp move
// together.
func cellMove(ctx context.Context, p *process) error {
	if p.To == 0 {
		return errNoTarget
	}
	number, err := strconv.Atoi(p.Args[0])
	if err != nil {
		return usageError{
			fmt.Errorf("CELL: %q is not a number. Run 'dialwright cell list' to see the cells", p.Args[0]),
		}
	}
	return withCells(ctx, p, func(directory *cell.Directory, dbs *databases) error {
		from, err := dbs.cellOf(number)
		if err != nil {
			return err
		}
		to, err := dbs.cellOf(p.To)
		if err != nil {
			return err
		}
		groups, err := cell.AllMoving(ctx, from.pool, p.To) // those that a command before has begun
		if err != nil {
			return err
		}
		rest, err := cell.Groups(ctx, from.pool)
		if err != nil {
			return err
		}
		for _, ids := range rest {
			if !slices.ContainsFunc(groups, func(g []uuid.UUID) bool { return slices.Contains(g, ids[0]) }) {
				groups = append(groups, ids)
			}
		}
		for _, ids := range groups {
			if err := p.move(directory, from, to, ids).Run(ctx); err != nil {
				return err
			}
		}
		fmt.Fprintf(p.stdout, "Moved: cell %d has no organizations. It gets new ones unless you run 'dialwright cell "+
			"drain %[1]d'.\n", number)
		return nil
	})
}
