package campaign

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// emitMost limits the recipients in memory while their events are written.
const emitMost = 500

// eventsOf returns the events of a change of status. A campaign that is resumed before
// its first start is both resumed and started.
func eventsOf(from, to Status, started bool) []webhook.Type {
	switch to {
	case Scheduled:
		return []webhook.Type{webhook.CampaignScheduled}
	case Running:
		var types []webhook.Type
		if from == Paused {
			types = append(types, webhook.CampaignResumed)
		}
		if !started {
			types = append(types, webhook.CampaignStarted)
		}
		return types
	case Paused:
		return []webhook.Type{webhook.CampaignPaused}
	case Completed:
		return []webhook.Type{webhook.CampaignCompleted}
	case Canceled:
		return []webhook.Type{webhook.CampaignCanceled}
	case Failed:
		return []webhook.Type{webhook.CampaignFailed}
	}
	return nil
}

// emit writes events that show the campaign as it is in the transaction. Call emit
// after all other writes of the change, and wake webhook.Topic after the commit.
func emit(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID, types ...webhook.Type) error {
	if len(types) == 0 {
		return nil
	}
	out, err := webhook.Open(ctx, tx, organizationID)
	if err != nil || !out.Wants(organizationID, types...) {
		return err
	}
	c, err := read(ctx, tx, organizationID, id)
	if err != nil {
		return err
	}
	if err := addEvents(out, c, types...); err != nil {
		return err
	}
	return out.Write(ctx, tx)
}

// addEvents adds events of a campaign to out.
func addEvents(out *webhook.Outbox, c Campaign, types ...webhook.Type) error {
	for _, t := range types {
		err := out.Add(webhook.Event{
			OrganizationID: c.OrganizationID,
			About:          webhook.About{ProjectID: &c.ProjectID, CampaignID: &c.ID, AgentID: &c.AgentID},
			Type:           t,
			SubjectID:      c.ID,
			Data:           c.Resource(),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// emitSkipped writes the events of the skipped recipients of an added list, a few at
// a time, because all recipients of a long list may be skipped.
func emitSkipped(ctx context.Context, tx pgx.Tx, organizationID, campaignID uuid.UUID, list addedList) error {
	out, err := webhook.Open(ctx, tx, organizationID)
	if err != nil || !out.Wants(organizationID, webhook.RecipientSkipped) {
		return err
	}
	for {
		recipients, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[changedRecipient], `
			select `+changedRecipientColumns+`
			from recipient
			where campaign_id = @campaign_id and status = 'skipped' and id > @after and created_at = @at::timestamptz(3)
			order by id
			limit @most`, pgx.NamedArgs{
			"campaign_id": campaignID, "after": list.after, "at": list.at, "most": emitMost,
		})
		if err != nil {
			return fmt.Errorf("read who is skipped in campaign %s: %w", campaignID, err)
		}
		if err := addRecipients(out, recipients); err != nil {
			return err
		}
		if err := out.Write(ctx, tx); err != nil {
			return err
		}
		if len(recipients) < emitMost {
			return nil
		}
		list.after = recipients[len(recipients)-1].ID
	}
}

// EmitRecipients adds the events of recipients that have reached their last status
// to out.
func EmitRecipients(ctx context.Context, tx pgx.Tx, out *webhook.Outbox, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	recipients, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[changedRecipient],
		`select `+changedRecipientColumns+` from recipient where id = any(@ids) order by id`, pgx.NamedArgs{"ids": ids})
	if err != nil {
		return fmt.Errorf("read %d recipients to tell of: %w", len(ids), err)
	}
	return addRecipients(out, recipients)
}

// emitRecipients writes the events of recipients who have the same last status.
func emitRecipients(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, status RecipientStatus, ids []uuid.UUID,
) error {
	t, ok := RecipientEvent(status)
	if !ok || len(ids) == 0 {
		return nil
	}
	out, err := webhook.Open(ctx, tx, organizationID)
	if err != nil || !out.Wants(organizationID, t) {
		return err
	}
	if err := EmitRecipients(ctx, tx, out, ids); err != nil {
		return err
	}
	return out.Write(ctx, tx)
}

// RecipientEvent returns the event of a recipient's last status. ok is false for a
// status without an event.
func RecipientEvent(status RecipientStatus) (t webhook.Type, ok bool) {
	t, ok = recipientEvents[status]
	return t, ok
}

var recipientEvents = map[RecipientStatus]webhook.Type{
	RecipientCompleted: webhook.RecipientCompleted,
	RecipientFailed:    webhook.RecipientFailed,
	RecipientSkipped:   webhook.RecipientSkipped,
	RecipientCanceled:  webhook.RecipientCanceled,
}

// changedRecipient is a recipient and what its event belongs to.
type changedRecipient struct {
	Recipient
	ProjectID uuid.UUID // of the campaign
	AgentID   uuid.UUID // likewise
}

const changedRecipientColumns = recipientColumns + `,
	(select c.project_id from campaign c where c.id = recipient.campaign_id) as project_id,
	(select c.agent_id from campaign c where c.id = recipient.campaign_id) as agent_id`

func addRecipients(out *webhook.Outbox, recipients []changedRecipient) error {
	for _, r := range recipients {
		t, ok := recipientEvents[r.Status]
		if !ok {
			continue
		}
		err := out.Add(webhook.Event{
			OrganizationID: r.OrganizationID, Type: t, SubjectID: r.ID, Data: r.Resource(),
			About: webhook.About{ProjectID: &r.ProjectID, CampaignID: &r.CampaignID, AgentID: &r.AgentID},
		})
		if err != nil {
			return err
		}
	}
	return nil
}
