package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// batchLifetime is how long a batch can be undone.
const batchLifetime = 24 * time.Hour

// Batch is a change of many objects at once, which can be undone.
type Batch struct {
	ID      uuid.UUID   // names it in TakeBatch; zero if nothing was changed
	Objects []uuid.UUID // that were changed
	Before  []uuid.UUID // what each object gets back by an undo, zero for nothing; nil if it is the same for all
}

// RecordBatch is RecordTogether for a change that can be undone: it gives the batch an ID, by which TakeBatch returns
// it.
func RecordBatch(
	ctx context.Context, tx pgx.Tx, actor Actor, action, objectType string, b Batch, data map[string]any,
) (Batch, error) {
	if len(b.Objects) == 0 {
		return Batch{}, nil
	}
	if err := RecordTogether(ctx, tx, actor, action, objectType, b.Objects, data); err != nil {
		return Batch{}, err
	}
	b.ID = uuid.Must(uuid.NewV7())
	_, err := tx.Exec(ctx, `
		insert into change_batch (id, organization_id, object_type, object_ids, before) values ($1, $2, $3, $4, $5)`,
		b.ID, actor.OrganizationID, objectType, b.Objects, b.Before)
	if err != nil {
		return Batch{}, fmt.Errorf("keep what %s changed: %w", action, err)
	}
	return b, nil
}

// TakeBatch returns a batch to the transaction that undoes it. A batch can be undone once, and for a day: afterwards it
// has no objects, as an unknown one.
func TakeBatch(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, objectType string, id uuid.UUID,
) (b Batch, err error) {
	err = tx.QueryRow(ctx, `
		delete from change_batch where organization_id = $1 and object_type = $2 and id = $3
		returning id, object_ids, before`, organizationID, objectType, id).Scan(&b.ID, &b.Objects, &b.Before)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return Batch{}, fmt.Errorf("read batch %s to undo it: %w", id, err)
	}
	return b, nil
}
