package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/cell"
	"github.com/dialwright/dialwright/internal/erasure"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/suppression/subscribed"
	"github.com/dialwright/dialwright/internal/tool"
	"github.com/dialwright/dialwright/internal/upload"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/web/frame"
)

// sealed returns every column that a master key seals. A test compares the columns with the schema.
func sealed() []seal.Column {
	return slices.Concat(suppression.Sealed, project.Sealed, connection.Sealed, webhook.Sealed, account.Sealed,
		predial.Sealed, modelconn.Sealed, tool.Sealed, upload.Sealed, erasure.Sealed, frame.Sealed,
		subscribed.Sealed)
}

// closedShown limits how many unreadable rows of a column are listed.
const closedShown = 100

// keyRotateMaster seals all secrets with the first master key. With --dry-run it only counts what the other keys still
// seal. It succeeds if the other keys can be removed.
func keyRotateMaster(ctx context.Context, p *process) error {
	dbs, err := openDatabases(ctx, p)
	if err != nil {
		return err
	}
	defer dbs.close()
	if dbs.away != nil { // its secrets would be lost with the older keys
		return dbs.away
	}
	for _, db := range dbs.open { // the secrets of rows on their way are in no table
		switch moving, err := cell.AllMoving(ctx, db.pool, 0); {
		case err != nil:
			return err
		case len(moving) > 0:
			return fmt.Errorf("an organization of cell %d is being moved. Finish 'dialwright organization move' first",
				db.cell.Number)
		}
	}
	out := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(out, "TABLE\tCOLUMN\tFIRST KEY\tRE-ENCRYPTED\tOLDER KEYS\tUNREADABLE")
	var older, closed int
	for _, db := range dbs.open {
		if db.cell.Number != 0 {
			fmt.Fprintf(out, "cell %d\t\t\t\t\t\n", db.cell.Number)
		}
		o, c, err := p.reseal(ctx, out, db.vault, db.pool, sealed())
		if err != nil {
			return errors.Join(out.Flush(), err)
		}
		older, closed = older+o, closed+c
	}
	if p.DirectoryURL != "" {
		fmt.Fprint(out, "directory\t\t\t\t\t\n")
		if err := withDirectory(ctx, p, func(directory *cell.Directory, vault *seal.Vault) error {
			o, c, err := p.reseal(ctx, out, vault, directory.Pool(), cell.Sealed)
			older, closed = older+o, closed+c
			return err
		}); err != nil {
			return errors.Join(out.Flush(), err)
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	switch {
	case closed > 0:
		return fmt.Errorf(
			"%d secrets cannot be decrypted with any of the master keys. Add the key that encrypted them, or enter "+
				"them again",
			closed,
		)
	case older > 0 && p.DryRun:
		return fmt.Errorf(
			"%d secrets are encrypted with an older master key or in an older form. Keep the key and run dialwright "+
				"key rotate-master",
			older,
		)
	case older > 0:
		return fmt.Errorf(
			"%d secrets were encrypted with an older master key while this command ran. Give every server the new "+
				"key first, then run it again",
			older,
		)
	}
	fmt.Fprintln(p.stdout, "Every secret is encrypted with the first master key. You can remove the others.")
	return nil
}

// reseal seals the secrets of a database with the first master key, and prints a row for each column. It returns how
// many other keys still seal, and how many no key opens.
func (p *process) reseal(
	ctx context.Context, out io.Writer, vault *seal.Vault, pool *pgxpool.Pool, columns []seal.Column,
) (older, closed int, err error) {
	for _, column := range columns {
		r, err := vault.Reseal(ctx, pool, column, p.DryRun)
		if err != nil {
			return older, closed, err
		}
		left := r.Older
		if !p.DryRun { // a server without the new key may have sealed more
			again, err := vault.Reseal(ctx, pool, column, true)
			if err != nil {
				return older, closed, err
			}
			left = again.Older
		}
		fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%d\t%d\n", column.Table, column.Column, r.Current, r.Done, left,
			len(r.Closed))
		for i, row := range r.Closed {
			if i == closedShown {
				fmt.Fprintf(p.stderr, "%s.%s: %d more rows cannot be decrypted\n", column.Table, column.Column,
					len(r.Closed)-i)
				break
			}
			fmt.Fprintf(p.stderr, "%s.%s: row %s cannot be decrypted with any of the keys\n", column.Table,
				column.Column, row)
		}
		older, closed = older+left, closed+len(r.Closed)
	}
	return older, closed, nil
}
