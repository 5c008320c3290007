package messaging

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// change is one entry for the logs about a message: an event, an audit entry, or both.
type change struct {
	organizationID uuid.UUID
	messageID      uuid.UUID

	event webhook.Type // "": no event

	action  string // of the audit entry: "created"; "": no entry
	by      account.Actor
	details map[string]any
}

// record writes the audit entries of changes and adds their events to out. The messages
// must already be written. Every change of a message is logged here.
func record(ctx context.Context, tx pgx.Tx, out *webhook.Outbox, changes ...change) error {
	var events []change
	for _, c := range changes {
		if c.action != "" {
			object := account.Object{Type: "message", ID: c.messageID}
			if err := account.Record(ctx, tx, c.by, "message."+c.action, object, c.details); err != nil {
				return err
			}
		}
		if c.event != "" && out.Wants(c.organizationID, c.event) {
			events = append(events, c)
		}
	}
	if len(events) == 0 {
		return nil
	}
	messages, err := readChanged(ctx, tx, events)
	if err != nil {
		return err
	}
	for _, c := range events {
		m := messages[c.messageID]
		err := out.Add(webhook.Event{
			OrganizationID: c.organizationID,
			About:          webhook.About{ProjectID: m.ProjectID, CampaignID: m.CampaignID, AgentID: m.AgentID},
			Type:           c.event,
			SubjectID:      c.messageID,
			Data:           m.Resource(),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// record opens an outbox for the organizations of the events, which is written with
// the work.
func (w *ScopeTx) record(ctx context.Context, changes []change) error {
	var organizations []uuid.UUID
	for _, c := range changes {
		if c.event != "" && !slices.Contains(organizations, c.organizationID) {
			organizations = append(organizations, c.organizationID)
		}
	}
	var out *webhook.Outbox
	if len(organizations) > 0 {
		var err error
		if out, err = w.open(ctx, organizations); err != nil {
			return err
		}
	}
	return record(ctx, w.Tx, out, changes...)
}

// changedMessage is a message and what its event belongs to.
type changedMessage struct {
	Message
	ProjectID *uuid.UUID // of the campaign; nil: the message was sent for no campaign
	AgentID   *uuid.UUID // likewise
}

// readChanged reads the messages of changes.
func readChanged(ctx context.Context, tx pgx.Tx, changes []change) (map[uuid.UUID]changedMessage, error) {
	ids := make([]uuid.UUID, len(changes))
	for i, c := range changes {
		ids[i] = c.messageID
	}
	messages, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[changedMessage], `
		select s.*, c.project_id, c.agent_id
		from (`+messageSelect+` where m.id = any(@ids)) s left join campaign c on c.id = s.campaign_id`,
		pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, fmt.Errorf("read %d messages: %w", len(ids), err)
	}
	byID := make(map[uuid.UUID]changedMessage, len(messages))
	for _, m := range messages {
		byID[m.ID] = m
	}
	return byID, nil
}
