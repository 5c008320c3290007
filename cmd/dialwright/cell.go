package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"text/tabwriter"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/cell"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/seal"
)

// errNoDirectory refuses a command about cells.
var errNoDirectory = usageError{errors.New("DIALWRIGHT_DIRECTORY_URL is required: the database that lists the cells")}

// errNoCell ends what needs a database.
var errNoCell = errors.New("the directory lists no cell: add one with `dialwright cell add`")

// withDirectory runs fn on the directory of cells.
func withDirectory(ctx context.Context, p *process, fn func(*cell.Directory, *seal.Vault) error) error {
	if p.DirectoryURL == "" {
		return errNoDirectory
	}
	vault, err := openVault(p)
	if err != nil {
		return err
	}
	directory, err := cell.OpenDirectory(ctx, p.DirectoryURL, vault, true)
	if err != nil {
		return err
	}
	defer directory.Close()
	return fn(directory, vault)
}

// databases are the database of a server that may be running, or those of all cells.
type databases struct {
	open []*database
	away error // why cells could not be reached; nil if all could be
}

func openDatabases(ctx context.Context, p *process) (*databases, error) {
	if p.DirectoryURL == "" {
		db, err := openDatabase(ctx, p, true)
		if err != nil {
			return nil, err
		}
		return &databases{open: []*database{db}}, nil
	}
	dbs := &databases{}
	err := withDirectory(ctx, p, func(directory *cell.Directory, vault *seal.Vault) error {
		cells, err := directory.Cells(ctx)
		if err == nil && len(cells) == 0 {
			err = errNoCell
		}
		for _, c := range cells {
			db, err := openCell(ctx, p, directory, vault, c)
			if err != nil {
				dbs.away = errors.Join(dbs.away, err)
				continue
			}
			dbs.open = append(dbs.open, db)
		}
		return err
	})
	if err != nil {
		dbs.close()
		return nil, err
	}
	return dbs, nil
}

func (dbs *databases) close() {
	for _, db := range dbs.open {
		db.close()
	}
}

// accounts returns the accounts of a database.
func (db *database) accounts() *account.Service {
	return account.New(account.Options{
		Pool: db.pool, Vault: db.vault, Begin: project.CreateFirst,
		Cell: db.cell.Number,
	})
}

// everywhere runs fn on the accounts of each database, because a person may have some in several cells. It returns
// NotFound if every fn does.
func (dbs *databases) everywhere(fn func(*account.Service) error) error {
	var missing error
	done := false
	for _, db := range dbs.open {
		switch err := fn(db.accounts()); {
		case err == nil:
			done = true
		case fault.KindOf(err) == fault.NotFound:
			missing = err
		default:
			return err
		}
	}
	if done || dbs.away != nil {
		return dbs.away
	}
	return missing
}

// organization finds the organization of --org and its accounts. The flag is optional if there is only one
// organization. Errors: NotFound.
func (dbs *databases) organization(
	ctx context.Context, nameOrID string,
) (accounts *account.Service, o account.Organization, err error) {
	found := 0
	missing := fault.NotFoundf("Organization")
	for _, db := range dbs.open {
		in := db.accounts()
		var here []account.Organization
		if nameOrID == "" {
			if here, err = in.Organizations(ctx); err != nil {
				return nil, o, err
			}
		} else if one, err := in.FindOrganization(ctx, nameOrID); err == nil {
			here = []account.Organization{one}
		} else if fault.KindOf(err) != fault.NotFound {
			return nil, o, err
		}
		if found += len(here); len(here) > 0 {
			accounts, o = in, here[0]
		}
	}
	switch {
	case found == 1 && (dbs.away == nil || nameOrID != ""):
		return accounts, o, nil
	case dbs.away != nil:
		return nil, o, dbs.away
	case nameOrID == "" && found == 0:
		return nil, o, usageError{errors.New("--org is required, because there is no organization yet")}
	case nameOrID == "":
		return nil, o, usageError{fmt.Errorf("--org is required, because there are %d organizations", found)}
	case found > 1:
		return nil, o, fault.Conflictf("%d organizations are called %q. Give --org the ID", found, nameOrID)
	}
	return nil, o, missing
}

// newcomers returns the accounts where a new organization belongs: in the cell that was asked for, or in the open cell
// with the fewest organizations.
func (dbs *databases) newcomers(ctx context.Context, number int) (*account.Service, error) {
	var chosen *database
	fewest := 0
	for _, db := range dbs.open {
		if number != 0 && number != db.cell.Number || number == 0 && db.cell.State == cell.Draining {
			continue
		}
		var n int
		if err := db.pool.QueryRow(ctx, `select count(*) from organization`).Scan(&n); err != nil {
			return nil, fmt.Errorf("count the organizations of cell %d: %w", db.cell.Number, err)
		}
		if chosen == nil || n < fewest {
			chosen, fewest = db, n
		}
	}
	switch {
	case chosen != nil:
		return chosen.accounts(), nil
	case dbs.away != nil:
		return nil, dbs.away
	case number != 0:
		return nil, fault.NotFoundf(fmt.Sprintf("Cell %d", number))
	}
	return nil, errors.New("no cell takes a new organization: open one with `dialwright cell open`")
}

func cellAdd(ctx context.Context, p *process) error {
	if p.CellURL == "" {
		return usageError{errors.New("DIALWRIGHT_CELL_URL is required: the database of the cell")}
	}
	return withDirectory(ctx, p, func(directory *cell.Directory, _ *seal.Vault) error {
		added, err := directory.Add(ctx, p.CellURL)
		switch {
		case err != nil:
			return err
		case added.Known:
			fmt.Fprintf(p.stdout, "Cell %d is now at %s.\n", added.Number, added.Where())
		default:
			fmt.Fprintf(p.stdout, "Cell %d was added: %s. Servers that run open it within %.0f seconds.\n",
				added.Number, added.Where(), directoryLook.Seconds())
		}
		return nil
	})
}

func cellList(ctx context.Context, p *process) error {
	return withDirectory(ctx, p, func(directory *cell.Directory, vault *seal.Vault) error {
		cells, err := directory.Cells(ctx)
		if err != nil {
			return err
		}
		out := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(out, "CELL\tSTATE\tORGANIZATIONS\tLIVE CALLS\tDATABASE")
		for _, c := range cells {
			organizations, live := "-", "-"
			state := string(c.State)
			if o, l, err := countCell(ctx, p, directory, vault, c); err != nil {
				state = "unreachable"
				fmt.Fprintln(p.stderr, "dialwright:", err)
			} else {
				organizations, live = strconv.Itoa(o), strconv.Itoa(l)
			}
			fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%s\n", c.Number, state, organizations, live, c.Where())
		}
		return out.Flush()
	})
}

func countCell(
	ctx context.Context, p *process, directory *cell.Directory, vault *seal.Vault, c cell.Cell,
) (organizations, live int, err error) {
	still := *p
	still.Migrate = false // a list changes nothing
	db, err := openCell(ctx, &still, directory, vault, c)
	if err != nil {
		return 0, 0, err
	}
	defer db.close()
	err = db.pool.QueryRow(ctx, `
		select (select count(*) from organization), (select count(*) from call where ended_at is null)`).
		Scan(&organizations, &live)
	if err != nil {
		return 0, 0, fmt.Errorf("count cell %d: %w", c.Number, err)
	}
	return organizations, live, nil
}

func cellDrain(ctx context.Context, p *process) error {
	return setCell(ctx, p, cell.Draining, "Cell %d takes no new organizations. Those that it has stay.\n")
}

func cellOpen(ctx context.Context, p *process) error {
	return setCell(ctx, p, cell.Open, "Cell %d takes new organizations.\n")
}

func setCell(ctx context.Context, p *process, state cell.State, said string) error {
	number, err := strconv.Atoi(p.Args[0])
	if err != nil {
		return usageError{
			fmt.Errorf("CELL: %q is not a number. Run 'dialwright cell list' to see the cells", p.Args[0]),
		}
	}
	return withDirectory(ctx, p, func(directory *cell.Directory, _ *seal.Vault) error {
		if err := directory.SetState(ctx, number, state); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, said, number)
		return nil
	})
}
