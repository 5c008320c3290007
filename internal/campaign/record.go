package campaign

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/webhook"
)

// change is a change of a campaign for three logs: the organization's audit log, the
// campaign's own log, and the webhook events.
type change struct {
	id      uuid.UUID
	action  string         // of the audit entry: campaign.paused
	data    map[string]any // of the audit entry
	log     LogType
	details LogDetails
	events  []webhook.Type // of the campaign
	added   *addedList     // the list whose skipped recipients get events; nil: the change adds no recipients
}

// addedList is a list of recipients that a change adds.
type addedList struct {
	after uuid.UUID // less than the IDs of its recipients
	at    time.Time // when the recipients were added
}

// record writes a change to all three logs. Call record after all other writes of the
// change, because events show the campaign as it is in the transaction. The caller
// wakes webhook.Topic after the commit.
func record(ctx context.Context, tx pgx.Tx, actor account.Actor, c change) error {
	if err := account.Record(ctx, tx, actor, c.action, account.Object{Type: "campaign", ID: c.id}, c.data); err != nil {
		return err
	}
	if err := WriteLog(ctx, tx, actor, c.id, c.log, c.details); err != nil {
		return err
	}
	if err := emit(ctx, tx, actor.OrganizationID, c.id, c.events...); err != nil {
		return err
	}
	if c.added == nil {
		return nil
	}
	return emitSkipped(ctx, tx, actor.OrganizationID, c.id, *c.added)
}

// RecordSkipped writes a log entry and webhook events for recipients who were skipped
// right before their call, and for the share of recipients that is reached by that. d counts the
// reasons. Call it after the counters are written. The caller wakes webhook.Topic after the commit.
func RecordSkipped(
	ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID, skipped []uuid.UUID, d LogDetails,
) error {
	if err := CountLog(ctx, tx, organizationID, id, LogRecipientsSkipped, d, false); err != nil {
		return err
	}
	var reached []Reached
	batch := &pgx.Batch{}
	QueueProgress(batch, []uuid.UUID{id}, &reached)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("find the progress of campaign %s: %w", id, err)
	}
	out, err := webhook.Open(ctx, tx, organizationID)
	if err != nil || !out.Wants(organizationID, webhook.RecipientSkipped, webhook.CampaignProgress) {
		return err
	}
	if out.Wants(organizationID, webhook.RecipientSkipped) {
		if err := EmitRecipients(ctx, tx, out, skipped); err != nil {
			return err
		}
	}
	if err := EmitProgress(ctx, tx, out, reached); err != nil {
		return err
	}
	return out.Write(ctx, tx)
}
