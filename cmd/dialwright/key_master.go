package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/erasure"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/upload"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/web"
)

// sealed is every column that a master key seals. A test compares it with the
// schema.
func sealed() []account.SealedColumn {
	return slices.Concat(suppression.Sealed, project.Sealed, messaging.Sealed, webhook.Sealed, account.Sealed, upload.Sealed, erasure.Sealed, web.Sealed)
}

// closedShown bounds the rows of one column that are named because they do not open.
const closedShown = 100

// keyRotateMaster seals everything by the first master key. With --dry-run it only
// tells what the others still seal. It succeeds when they can be removed.
func keyRotateMaster(ctx context.Context, p *process) error {
	db, err := openDatabase(ctx, p, true)
	if err != nil {
		return err
	}
	defer db.close()
	out := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(out, "TABLE\tCOLUMN\tFIRST KEY\tRE-SEALED\tOLDER KEYS\tDO NOT OPEN")
	older, closed := 0, 0
	for _, column := range sealed() {
		r, err := db.vault.Reseal(ctx, db.pool, column, p.DryRun)
		if err != nil {
			return errors.Join(out.Flush(), err)
		}
		left := r.Older
		if !p.DryRun { // a server that does not know the new key yet may have sealed more
			again, err := db.vault.Reseal(ctx, db.pool, column, true)
			if err != nil {
				return errors.Join(out.Flush(), err)
			}
			left = again.Older
		}
		fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%d\t%d\n", column.Table, column.Column, r.Current, r.Done, left, len(r.Closed))
		for i, row := range r.Closed {
			if i == closedShown {
				fmt.Fprintf(p.stderr, "%s.%s: %d more rows do not open\n", column.Table, column.Column, len(r.Closed)-i)
				break
			}
			fmt.Fprintf(p.stderr, "%s.%s: row %s does not open with any of the keys\n", column.Table, column.Column, row)
		}
		older, closed = older+left, closed+len(r.Closed)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	switch {
	case closed > 0:
		return fmt.Errorf("%d secrets do not open with any of the master keys: add the key that sealed them, or set them anew", closed)
	case older > 0 && p.DryRun:
		return fmt.Errorf("%d secrets are sealed by an older master key: keep it, and run dialwright key rotate-master", older)
	case older > 0:
		return fmt.Errorf("%d secrets were sealed by an older master key meanwhile: give every server the new key first, and run this again", older)
	}
	fmt.Fprintln(p.stdout, "Everything is sealed by the first master key. The others can be removed.")
	return nil
}
