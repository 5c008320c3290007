package messaging

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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

// NewMessage is a template to send to one recipient.
type NewMessage struct {
	// ID is of version 7. Requests with the same ID make one message. Zero: Create makes it.
	ID         uuid.UUID     `json:"-"`
	ExternalID string        `json:"external_id"` // of the number that sends, at the operator
	To         string        `json:"to_number"`   // E.164
	Template   TemplateInput `json:"template"`
}

// TemplateInput is a template and the values of its variables.
type TemplateInput struct {
	Name      string          `json:"name"`
	Language  string          `json:"language"`  // "en_US"
	Variables json.RawMessage `json:"variables"` // an object of strings; nil is {}
}

// Create queues a message. Errors: Invalid, which names each wrong field, including an
// unknown number or template and variables that do not fit the template; Unprocessable
// when the recipient is on the do-not-call list for messages; Conflict when a message
// with this ID exists; Unavailable when the channel is off. If db is a transaction, call
// Wake after its commit.
func (s *Service) Create(ctx context.Context, db postgres.DB, actor account.Actor, n NewMessage) (Message, error) {
	if !s.On() {
		return Message{}, ErrOff
	}
	var p fault.Problems
	to, err := phone.Parse(strings.TrimSpace(n.To))
	if err != nil {
		p.Addf("to_number", "%s", err)
	}
	var m Message
	err = postgres.InTx(ctx, db, func(tx pgx.Tx) error {
		number, err := lockNumber(ctx, tx, actor.OrganizationID, n.ExternalID)
		if err != nil && fault.KindOf(err) != fault.Invalid {
			return err
		}
		p.Also(err)
		var filled filling
		if err == nil {
			filled, err = fill(ctx, tx, number.connectionID, n)
			if err != nil && fault.KindOf(err) != fault.Invalid {
				return err
			}
			p.Also(err)
		}
		if err := p.Err(); err != nil {
			return err
		}
		listed, err := suppression.Listed(ctx, tx, actor.OrganizationID, suppression.Message, []phone.Number{to})
		if err != nil {
			return err
		}
		if _, ok := listed[to]; ok {
			return fault.New(fault.Unprocessable, "The recipient is on the do-not-call list for messages")
		}
		id := n.ID
		if id == uuid.Nil {
			id = uuid.Must(uuid.NewV7())
		}
		_, err = tx.Exec(ctx, sqlQueue,
			batched{NewMessage: n, id: id, to: to, number: number, filling: filled}.args(actor))
		if postgres.Constraint(err) == "message_pkey" {
			return fault.Conflictf("This message has already been created")
		}
		if err != nil {
			return fmt.Errorf("queue a message: %w", err)
		}
		m, err = byID.Read(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		return record(ctx, tx, nil, change{
			organizationID: actor.OrganizationID,
			messageID:      id,
			action:         "created",
			by:             actor,
			details: map[string]any{
				"template": n.Template.Name, "language": n.Template.Language, "external_id": n.ExternalID,
			},
		})
	})
	if err != nil {
		return Message{}, err
	}
	return m, nil
}

// usableNumber is a connected number.
type usableNumber struct {
	id, connectionID, scopeID uuid.UUID
}

// lockNumber finds a connected number and keeps it connected and in its scope until the
// transaction ends. The lock does not block passes of the gate: a number that many
// callers use would never get its turn. Error: Invalid, the same for unknown, foreign and
// disconnected numbers.
func lockNumber(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, externalID string) (usableNumber, error) {
	var n usableNumber
	err := tx.QueryRow(ctx, `
		select id, connection_id, scope_id from messaging_number
		where organization_id = @organization_id and external_id = @external_id and disconnected_at is null
		for key share`, pgx.NamedArgs{
		"organization_id": organizationID, "external_id": externalID,
	}).Scan(&n.id, &n.connectionID, &n.scopeID)
	if errors.Is(err, pgx.ErrNoRows) {
		return usableNumber{}, fault.Invalidf("external_id", "no WhatsApp number with this external_id")
	}
	if err != nil {
		return usableNumber{}, fmt.Errorf("find a messaging number: %w", err)
	}
	return n, nil
}

// filling is the content of a message.
type filling struct {
	variables, components json.RawMessage
}

// listedTemplate finds a template that the operator lists. Error: Invalid.
func listedTemplate(
	ctx context.Context, db postgres.DB, connectionID uuid.UUID, name, language string,
) (cloud.Template, error) {
	var t cloud.Template
	err := db.QueryRow(ctx, `
		select content from messaging_template
		where connection_id = @connection and name = @name and language = @language and removed_at is null`,
		pgx.NamedArgs{"connection": connectionID, "name": name, "language": language}).Scan(&t)
	if errors.Is(err, pgx.ErrNoRows) {
		return cloud.Template{}, fault.Invalidf("template", "no template with this name and language")
	}
	if err != nil {
		return cloud.Template{}, fmt.Errorf("read a template: %w", err)
	}
	return t, nil
}

// usableTemplate is listedTemplate for a template that can be sent. Error: Invalid.
func usableTemplate(
	ctx context.Context, db postgres.DB, connectionID uuid.UUID, name, language string,
) (cloud.Template, error) {
	t, err := listedTemplate(ctx, db, connectionID, name, language)
	if err != nil {
		return cloud.Template{}, err
	}
	if why := t.Obstacle(); why != "" {
		return cloud.Template{}, fault.Invalidf("template", "%s", why)
	}
	return t, nil
}

// fill finds the template and fills in its variables. Error: Invalid.
func fill(ctx context.Context, tx pgx.Tx, connectionID uuid.UUID, n NewMessage) (filling, error) {
	t, err := usableTemplate(ctx, tx, connectionID, n.Template.Name, n.Template.Language)
	if err != nil {
		return filling{}, err
	}
	return bind(t, n.Template)
}

// bind fills in the variables of a template. Error: Invalid.
func bind(t cloud.Template, in TemplateInput) (filling, error) {
	values, err := readVariables(in.Variables)
	if err != nil {
		return filling{}, err
	}
	components, err := t.Bind(values)
	if f := fault.As(err); f != nil {
		var p fault.Problems
		for _, field := range f.Fields {
			p.Addf("template."+field.Path, "%s", field.Message)
		}
		return filling{}, p.Err()
	}
	if err != nil {
		return filling{}, err
	}
	return encode(values, components)
}

func encode(variables map[string]string, components []cloud.Component) (f filling, err error) {
	if components == nil {
		components = []cloud.Component{}
	}
	if variables == nil {
		variables = map[string]string{}
	}
	if f.components, err = json.Marshal(components); err != nil {
		return filling{}, fmt.Errorf("encode a template's components: %w", err)
	}
	if f.variables, err = json.Marshal(variables); err != nil {
		return filling{}, fmt.Errorf("encode a template's variables: %w", err)
	}
	return f, nil
}

// readVariables reads an object of strings and checks that PostgreSQL can store them.
// Error: Invalid.
func readVariables(raw json.RawMessage) (map[string]string, error) {
	values := map[string]string{}
	if len(raw) == 0 || string(raw) == "null" {
		return values, nil
	}
	var given map[string]any
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, fault.Invalidf("template.variables", "must be an object")
	}
	var p fault.Problems
	for _, key := range slices.Sorted(maps.Keys(given)) {
		value, isText := given[key].(string)
		switch {
		case !isText:
			p.Addf("template.variables."+key, "must be a string")
		case strings.ContainsRune(key+value, 0):
			p.Addf("template.variables", "must not contain control characters")
		default:
			values[key] = value
		}
	}
	return values, p.Err()
}

// Cancel cancels a queued message. Errors: NotFound, and Conflict for a message that is
// no longer queued.
func (s *Service) Cancel(ctx context.Context, actor account.Actor, id uuid.UUID) (Message, error) {
	if _, err := s.Get(ctx, actor.OrganizationID, id); err != nil {
		return Message{}, err
	}
	moved, err := s.Move(ctx, Move{ID: id, Update: UpdateWithdrawn, by: &actor})
	if err != nil {
		return Message{}, err
	}
	m, err := s.Get(ctx, actor.OrganizationID, id)
	if err != nil {
		return Message{}, err
	}
	if len(moved) == 0 {
		return Message{}, fault.Conflictf("This message is %s and cannot be canceled", m.Status)
	}
	return m, nil
}
