package messaging

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// MaxBatch is how many messages one request may queue.
const MaxBatch = 1000

// batched is a message of a batch on its way into the queue.
type batched struct {
	NewMessage
	id     uuid.UUID
	to     phone.Number
	number usableNumber
	filling
}

// templateKey identifies a template of a connection.
type templateKey struct {
	connectionID   uuid.UUID
	name, language string
}

// found is a number or a template of a batch, which many messages share, or what is wrong with it.
type found[T any] struct {
	value T
	err   error
}

// CreateBatch queues many messages like Create, all of them or none, and returns them in their order. Errors: those of
// Create, which name the index of the message, as in messages[3].to_number.
func (s *Service) CreateBatch(
	ctx context.Context, db postgres.DB, actor account.Actor, all []NewMessage,
) (made []Message, err error) {
	if !s.On() {
		return nil, ErrOff
	}
	var p fault.Problems
	switch {
	case len(all) == 0:
		p.Addf("messages", "at least one is required")
	case len(all) > MaxBatch:
		p.Addf("messages", "must have at most %d elements", MaxBatch)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	err = postgres.InTx(ctx, db, func(tx pgx.Tx) error {
		batch, err := prepareBatch(ctx, tx, actor.OrganizationID, all)
		if err != nil {
			return err
		}
		if err := refuseListed(ctx, tx, actor.OrganizationID, batch); err != nil {
			return err
		}
		if err := queueBatch(ctx, tx, actor, batch); err != nil {
			return err
		}
		ids := make([]uuid.UUID, len(batch))
		for i, m := range batch {
			ids[i] = m.id
		}
		made, err = postgres.Collect(ctx, tx, pgx.RowToStructByName[Message], messageSelect+`
			where m.organization_id = @organization_id and m.id = any(@ids)
			order by array_position(@ids::uuid[], m.id)`,
			pgx.NamedArgs{"organization_id": actor.OrganizationID, "ids": ids})
		if err != nil {
			return fmt.Errorf("read %d queued messages: %w", len(ids), err)
		}
		return recordBatch(ctx, tx, actor, batch)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// prepareBatch checks the messages. It reads and locks each number and each template once, the numbers in a fixed
// order. Errors: Invalid.
func prepareBatch(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, all []NewMessage) ([]batched, error) {
	numbers := map[string]found[usableNumber]{}
	for _, m := range all {
		numbers[m.ExternalID] = found[usableNumber]{}
	}
	externalIDs := make([]string, 0, len(numbers))
	for id := range numbers {
		externalIDs = append(externalIDs, id)
	}
	slices.Sort(externalIDs)
	for _, id := range externalIDs {
		n, err := lockNumber(ctx, tx, organizationID, id)
		if err != nil && fault.KindOf(err) != fault.Invalid {
			return nil, err
		}
		numbers[id] = found[usableNumber]{n, err}
	}
	templates := map[templateKey]found[cloud.Template]{}
	batch := make([]batched, len(all))
	var p fault.Problems
	for i, n := range all {
		var own fault.Problems
		to, err := phone.Parse(strings.TrimSpace(n.To))
		if err != nil {
			own.Addf("to_number", "%s", err)
		}
		number := numbers[n.ExternalID]
		own.Also(number.err)
		m := batched{NewMessage: n, id: uuid.Must(uuid.NewV7()), to: to, number: number.value}
		if number.err == nil {
			key := templateKey{number.value.connectionID, n.Template.Name, n.Template.Language}
			t, known := templates[key]
			if !known {
				t.value, t.err = usableTemplate(ctx, tx, key.connectionID, key.name, key.language)
				if t.err != nil && fault.KindOf(t.err) != fault.Invalid {
					return nil, t.err
				}
				templates[key] = t
			}
			if err = t.err; err == nil {
				m.filling, err = bind(t.value, n.Template)
			}
			if err != nil && fault.KindOf(err) != fault.Invalid {
				return nil, err
			}
			own.Also(err)
		}
		batch[i] = m
		p.MergeAt(fmt.Sprintf("messages[%d].", i), &own)
	}
	return batch, p.Err()
}

// refuseListed refuses recipients on the do-not-call list for messages. Error: Unprocessable.
func refuseListed(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, batch []batched) error {
	numbers := make([]phone.Number, len(batch))
	for i, m := range batch {
		numbers[i] = m.to
	}
	listed, err := suppression.Listed(ctx, tx, organizationID, suppression.Message, numbers)
	if err != nil {
		return err
	}
	var p fault.Problems
	for i, m := range batch {
		if _, ok := listed[m.to]; ok {
			p.Addf(fmt.Sprintf("messages[%d].to_number", i), "the recipient is on the do-not-call list for messages")
		}
	}
	refused := fault.As(p.Err())
	if refused == nil {
		return nil
	}
	refused.Kind = fault.Unprocessable
	return refused
}

func queueBatch(ctx context.Context, tx pgx.Tx, actor account.Actor, batch []batched) error {
	queue := &pgx.Batch{}
	for _, m := range batch {
		queue.Queue(sqlQueue, m.args(actor))
	}
	if err := tx.SendBatch(ctx, queue).Close(); err != nil {
		return fmt.Errorf("queue %d messages: %w", len(batch), err)
	}
	return nil
}

// sqlQueue queues a message of its own.
const sqlQueue = `
	insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name,
		template_language, variables, components, due_at, created_by)
	values (@id, @organization_id, @number, @scope, @organization_id, @to, @template, @language,
		@variables, @components, clock(), @created_by)`

func (m batched) args(actor account.Actor) pgx.NamedArgs {
	return pgx.NamedArgs{
		"id": m.id, "organization_id": actor.OrganizationID, "number": m.number.id, "scope": m.number.scopeID,
		"to": m.to, "template": m.Template.Name, "language": m.Template.Language, "variables": m.variables,
		"components": m.components, "created_by": actor.Name,
	}
}

// recordBatch writes the audit entries of the messages, in one statement for those with the same template.
func recordBatch(ctx context.Context, tx pgx.Tx, actor account.Actor, batch []batched) error {
	type group struct{ externalID, name, language string }
	ids := map[group][]uuid.UUID{}
	var groups []group
	for _, m := range batch {
		g := group{m.ExternalID, m.Template.Name, m.Template.Language}
		if ids[g] == nil {
			groups = append(groups, g)
		}
		ids[g] = append(ids[g], m.id)
	}
	for _, g := range groups {
		err := account.RecordEach(ctx, tx, actor, "message.created", "message", ids[g], map[string]any{
			"template": g.name, "language": g.language, "external_id": g.externalID,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
