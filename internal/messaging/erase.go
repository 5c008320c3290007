package messaging

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/webhook"
)

// eraseMost bounds the messages that one transaction erases.
const eraseMost = 200

// erasedFields are the personal fields of a message's resource. The operator's ID of a
// message contains the recipient's number.
var erasedFields = webhook.Blank{
	"to_number": "", "template": webhook.Blank{"variables": struct{}{}}, "message_id": nil, "error": nil,
}

const sqlErase = `variables = '{}', components = '[]', operator_id = null, error = null`

// erasedMark begins the hash that replaces an erased number. The messages to it go on
// counting against the operator's limit as one recipient.
const erasedMark = "#"

func erased(phoneNumber string) bool { return strings.HasPrefix(phoneNumber, erasedMark) }

// Erase removes a person from the messages to a number. Queued messages are canceled. A
// message with a request in flight is left for a later Erase, and left is true. Erase
// calls count in each of its transactions with the numbers of changed messages and
// events.
func (s *Service) Erase(ctx context.Context, organizationID uuid.UUID, number phone.Number,
	count func(tx pgx.Tx, messages, events int) error,
) (left bool, err error) {
	hash, err := suppression.Hash(ctx, s.pool, organizationID, number)
	if err != nil {
		return false, err
	}
	e := erasure{
		organizationID: organizationID, number: number.String(), mark: erasedMark + hex.EncodeToString(hash),
		count: count,
	}
	if left, err = s.erase(ctx, e); errors.Is(err, webhook.ErrDelivering) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("erase a person from messages: %w", err)
	}
	return left, nil
}

type erasure struct {
	organizationID uuid.UUID
	number, mark   string
	count          func(tx pgx.Tx, messages, events int) error
}

func (e erasure) args() pgx.NamedArgs {
	return pgx.NamedArgs{"organization_id": e.organizationID, "number": e.number, "mark": e.mark, "most": eraseMost,
		"why": "The recipient was erased", "window": Window}
}

func (s *Service) erase(ctx context.Context, e erasure) (left bool, err error) {
	batch := &pgx.Batch{}
	batch.Queue(`
		update message set status = 'canceled', due_at = null, wait_reason = null, error_code = null, error = @why,
			ended_at = clock()
		where id in (select id from message
			where organization_id = @organization_id and phone_number = @number and status = 'queued'
				order by id for no key update)`, e.args())
	batch.Queue(`
		delete from messaging_window
		where phone_number = @number and number_id in (select id from messaging_number
			where organization_id = @organization_id)`, e.args())
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return false, err
	}
	// Messages that count are erased together with the ledger, one scope at a time.
	rows, err := s.pool.Query(ctx, `
		select distinct scope_id from message
		where organization_id = @organization_id and phone_number = @number
			and counted_at > (select clock()) - @window::interval
		order by scope_id`, e.args())
	if err != nil {
		return false, err
	}
	scopes, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return false, err
	}
	for _, id := range scopes {
		err := s.InScopes(ctx, []uuid.UUID{id}, func(w *ScopeTx) error {
			if _, err := e.batch(ctx, w.Tx, `scope_id = @scope and counted_at is not null`, 1<<30, id); err != nil {
				return err
			}
			return w.Recount(ctx, w.Scopes[id], map[string]struct{}{e.number: {}, e.mark: {}}, nil)
		})
		if err != nil {
			return false, err
		}
	}
	for n := eraseMost; n == eraseMost; {
		err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
			n, err = e.batch(ctx, tx, `(counted_at is null or counted_at <= clock() - @window::interval)`, eraseMost,
				uuid.Nil)
			return err
		})
		if err != nil {
			return false, err
		}
	}
	err = s.pool.QueryRow(ctx, `
		select exists (select from message where organization_id = @organization_id and phone_number = @number)`,
		e.args()).Scan(&left)
	return left, err
}

// batch erases messages, except those with a request in flight.
func (e erasure) batch(ctx context.Context, tx pgx.Tx, which string, most int, scope uuid.UUID) (n int, err error) {
	args := e.args()
	args["most"], args["scope"] = most, scope
	rows, err := tx.Query(ctx, `
		select id from message
		where organization_id = @organization_id and phone_number = @number and (status <> 'sending'
			or unknown_since is not null) and `+which+`
		order by id limit @most for no key update`, args)
	if err != nil {
		return 0, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	events, err := webhook.Redact(ctx, tx, e.organizationID, ids, erasedFields)
	if err != nil {
		return 0, err
	}
	args["ids"] = ids
	if _, err := tx.Exec(
		ctx, `update message set phone_number = @mark, `+sqlErase+` where id = any(@ids)`, args,
	); err != nil {
		return 0, err
	}
	return len(ids), e.count(tx, len(ids), events)
}
