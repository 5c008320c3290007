package connection

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
)

// table is the table of a row that an audit entry is about.
type table string

const (
	tableConnection table = "messaging_connection"
	tableNumber     table = "messaging_number"
	tableTemplate   table = "messaging_template"
)

// record writes the audit entry of a change, in the transaction of the change. Every
// change by a person, and every pause, is logged here.
func record(
	ctx context.Context, tx pgx.Tx, by account.Actor, in table, id uuid.UUID, action string, details map[string]any,
) error {
	return account.Record(ctx, tx, by, string(in)+"."+action, account.Object{Type: string(in), ID: id}, details)
}
