package connection

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
)

// table names what an audit entry is about, and where its row is.
type table string

const (
	tableConnection table = "messaging_connection"
	tableNumber     table = "messaging_number"
	tableTemplate   table = "messaging_template"
)

// record writes the audit entry of a change. Every change that a person made or should
// know of is logged here, in the transaction of the change.
func record(
	ctx context.Context, tx pgx.Tx, by account.Actor, in table, id uuid.UUID, action string, details map[string]any,
) error {
	return account.Record(ctx, tx, by, string(in)+"."+action, account.Object{Type: string(in), ID: id}, details)
}
