package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Blank maps fields of an object to the values that replace them. A nested Blank applies
// to the object in that field.
type Blank map[string]any

// ErrDelivering says that an event to be redacted is being delivered right now, so its
// answer may still be recorded.
var ErrDelivering = errors.New("an event is being delivered")

// Redact replaces the fields of blank in the data of all events about some subjects, and
// deletes the endpoints' answers to them, in the caller's transaction. Pending deliveries
// send the redacted data. It returns the number of events. Errors: ErrDelivering; try
// again later.
func Redact(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, subjects []uuid.UUID, blank Blank) (int, error) {
	rows, err := tx.Query(ctx, `
		select id, payload from event where organization_id = @organization_id and subject_id = any(@subjects)
			order by id`,
		pgx.NamedArgs{"organization_id": organizationID, "subjects": subjects})
	if err != nil {
		return 0, fmt.Errorf("find the events of %d subjects: %w", len(subjects), err)
	}
	var ids []uuid.UUID
	var payloads []string
	var id uuid.UUID
	var payload string
	_, err = pgx.ForEachRow(rows, []any{&id, &payload}, func() error {
		redacted, err := redact([]byte(payload), blank)
		if err != nil {
			return fmt.Errorf("redact event %s: %w", id, err)
		}
		ids, payloads = append(ids, id), append(payloads, string(redacted))
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("read the events of %d subjects: %w", len(subjects), err)
	}
	if len(ids) == 0 {
		return 0, nil
	}
	// The lock keeps engines from claiming an attempt. An attempt that is claimed already
	// may be answered at any moment.
	var leased int
	err = tx.QueryRow(ctx, `
		with due as (
			select q.state from delivery d join delivery_due q on q.delivery_id = d.id
			where d.event_id = any(@ids)
			order by q.delivery_id
			for update of q)
		select count(*) from due where state = 'leased'`, pgx.NamedArgs{"ids": ids}).Scan(&leased)
	if err != nil {
		return 0, fmt.Errorf("hold the deliveries of %d events: %w", len(ids), err)
	}
	if leased > 0 {
		return 0, ErrDelivering
	}
	batch := &pgx.Batch{}
	batch.Queue(`
		update event e set payload = u.payload from unnest(@ids::uuid[], @payloads::text[]) u (id, payload)
			where e.id = u.id`,
		pgx.NamedArgs{"ids": ids, "payloads": payloads})
	batch.Queue(`
		update delivery_attempt a set response_body = null, response_headers = null
		from delivery d
		where d.event_id = any(@ids) and a.delivery_id = d.id
			and (a.response_body is not null or a.response_headers is not null)`,
		pgx.NamedArgs{"ids": ids})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return 0, fmt.Errorf("redact %d events: %w", len(ids), err)
	}
	return len(ids), nil
}

// redact replaces the fields of blank that a payload's data has.
func redact(payload []byte, blank Blank) ([]byte, error) {
	var envelope map[string]any
	if err := json.Unmarshal(payload, &envelope); err != nil {
		return nil, err
	}
	if data, ok := envelope["data"].(map[string]any); ok {
		blank.apply(data)
	}
	return json.Marshal(envelope)
}

func (b Blank) apply(object map[string]any) {
	for field, value := range b {
		old, there := object[field]
		if !there {
			continue
		}
		within, deeper := value.(Blank)
		if !deeper {
			object[field] = value
		} else if inner, ok := old.(map[string]any); ok {
			within.apply(inner)
		}
	}
}
