package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/dialwright/dialwright/internal/account"
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
	db, err := openDatabase(ctx, p, true)
	if err != nil {
		return err
	}
	defer db.close()
	out := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(out, "TABLE\tCOLUMN\tFIRST KEY\tRE-ENCRYPTED\tOLDER KEYS\tUNREADABLE")
	older, closed := 0, 0
	for _, column := range sealed() {
		r, err := db.vault.Reseal(ctx, db.pool, column, p.DryRun)
		if err != nil {
			return errors.Join(out.Flush(), err)
		}
		left := r.Older
		if !p.DryRun { // a server without the new key may have sealed more
			again, err := db.vault.Reseal(ctx, db.pool, column, true)
			if err != nil {
				return errors.Join(out.Flush(), err)
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
