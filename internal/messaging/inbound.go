package messaging

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// Receive applies a message from a user. It opens the service window of the number that
// the user wrote to. If the message says "stop", in English or in the language of the
// last message to the user, it stops all messages to them. The window opens at the time
// of writing: a webhook may come days later.
func (s *Service) Receive(ctx context.Context, organizationID uuid.UUID, in cloud.Inbound) error {
	from, err := phone.Parse("+" + in.WaID)
	if err != nil {
		return nil // the sender's number is withheld: no number can be listed
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{
			"organization_id": organizationID, "external_id": in.NumberID, "from": from, "at": postgres.OrNull(in.At),
		}
		var language *string
		err := tx.QueryRow(ctx, `
			insert into messaging_window (number_id, phone_number, opened_at)
			select n.id, @from, least(clock(), @at::timestamptz) from messaging_number n
			where n.organization_id = @organization_id and n.external_id = @external_id and n.disconnected_at is null
			on conflict (number_id, phone_number) do update
				set opened_at = greatest(messaging_window.opened_at, excluded.opened_at)
			returning (
				select m.template_language from message m
				where m.organization_id = @organization_id and m.phone_number = @from
				order by m.created_at desc, m.id desc limit 1)`, args).Scan(&language)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // the number is not the organization's
		}
		if err != nil {
			return fmt.Errorf("open a service window: %w", err)
		}
		said := "en"
		if language != nil {
			said = *language
		}
		if !conversation.OptsOut(in.Text, said) {
			return nil
		}
		return suppress(ctx, tx, organizationID, from)
	})
}

// ApplyPreference applies what a user chose in WhatsApp about a business's messages. Only
// a stop is applied. A resume is not: the list also has entries from elsewhere, which a
// person removes.
func (s *Service) ApplyPreference(ctx context.Context, organizationID uuid.UUID, p cloud.Preference) error {
	from, err := phone.Parse("+" + p.WaID)
	if err != nil || p.Value != "stop" {
		return nil
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error { return suppress(ctx, tx, organizationID, from) })
}

// suppress puts a number on the organization's do-not-call list for messages, in the
// transaction that learns of the wish.
func suppress(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, number phone.Number) error {
	_, _, err := suppression.Add(ctx, tx, account.System(organizationID), suppression.NewEntry{
		Channel: suppression.Message, PhoneNumber: number, Source: suppression.ByMessage,
		Note: "Stopped messages in WhatsApp",
	})
	return err
}
