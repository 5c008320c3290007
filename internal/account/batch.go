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
}

// RecordBatch is RecordEach for a change that can be undone: TakeBatch returns its objects.
func RecordBatch(
	ctx context.Context, tx pgx.Tx, actor Actor, action, objectType string, objects []uuid.UUID, data map[string]any,
) (Batch, error) {
	if len(objects) == 0 {
		return Batch{}, nil
	}
	if err := RecordEach(ctx, tx, actor, action, objectType, objects, data); err != nil {
		return Batch{}, err
	}
	b := Batch{ID: uuid.Must(uuid.NewV7()), Objects: objects}
	_, err := tx.Exec(ctx, `
		insert into change_batch (id, organization_id, object_type, object_ids) values ($1, $2, $3, $4)`,
		b.ID, actor.OrganizationID, objectType, objects)
	if err != nil {
		return Batch{}, fmt.Errorf("keep what %s changed: %w", action, err)
	}
	return b, nil
}

// TakeBatch returns the objects of a batch to the transaction that undoes it. A batch can be undone once, and for a
// day: afterwards it has no objects, as an unknown one.
func TakeBatch(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, objectType string, id uuid.UUID,
) (objects []uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `
		delete from change_batch where organization_id = $1 and object_type = $2 and id = $3 returning object_ids`,
		organizationID, objectType, id).Scan(&objects)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("read batch %s to undo it: %w", id, err)
	}
	return objects, nil
}
