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

// receive takes a message from a user: it opens the service window of the number
// that was written to, and when it says "stop", in English or the language of
// what was last sent to them, nothing more is sent to them. The window opened when it was written,
// which is days ago when the webhook was held up.
func (s *Service) Receive(ctx context.Context, organizationID uuid.UUID, in cloud.Inbound) error {
	from, err := phone.Parse("+" + in.WaID)
	if err != nil {
		return nil // the sender's number is withheld: there is nobody to write to
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{"organization_id": organizationID, "external_id": in.NumberID, "from": from, "at": postgres.OrNull(in.At)}
		var language *string
		err := tx.QueryRow(ctx, `
			insert into messaging_window (number_id, phone_number, opened_at)
			select n.id, @from, least(clock(), @at::timestamptz) from messaging_number n
			where n.organization_id = @organization_id and n.external_id = @external_id and n.disconnected_at is null
			on conflict (number_id, phone_number) do update set opened_at = greatest(messaging_window.opened_at, excluded.opened_at)
			returning (
				select m.template_language from message m
				where m.organization_id = @organization_id and m.phone_number = @from
				order by m.created_at desc, m.id desc limit 1)`, args).Scan(&language)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // not a number of the organization
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

// applyPreference takes a user's choice, made in WhatsApp itself, about what a business
// may send. Only the wish to get less is acted upon: the list has entries from
// elsewhere, too, which a person takes off it.
func (s *Service) ApplyPreference(ctx context.Context, organizationID uuid.UUID, p cloud.Preference) error {
	from, err := phone.Parse("+" + p.WaID)
	if err != nil || p.Value != "stop" {
		return nil
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error { return suppress(ctx, tx, organizationID, from) })
}

// suppress puts somebody on the organization's do-not-call list for messages, in
// the transaction in which their wish became known.
func suppress(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, number phone.Number) error {
	_, _, err := suppression.Add(ctx, tx, account.System(organizationID), suppression.NewEntry{
		Channel: suppression.Message, PhoneNumber: number, Source: suppression.ByMessage, Note: "Stopped messages in WhatsApp",
	})
	return err
}
