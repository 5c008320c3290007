package connection

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
)

// What the operator reports of its reviews of an account. A webhook may come more than once
// and in any order, so each is applied only if nothing newer is stored. Changed categories
// and qualities of templates are not here: they are read with the templates.

const (
	alertAge  = 30 * 24 * time.Hour // how long an alert is shown and kept
	alertText = 1000                // characters of an alert's description that are kept
)

// AnnounceCategory stores that the operator is going to change the category of a template.
func (s *Service) AnnounceCategory(ctx context.Context, organizationID uuid.UUID, e cloud.CategoryUpdate) error {
	s.log.InfoContext(ctx, "WhatsApp changes the category of a template", "account", e.AccountID, "template", e.Name,
		"language", e.Language, "previous", e.Previous, "category", e.Category, "next", e.Next)
	if e.Next == "" {
		return nil
	}
	_, err := s.pool.Exec(ctx, `
		update messaging_template t set next_category = @next, next_category_at = @next_at
		from messaging_connection c
		where c.organization_id = @organization_id and c.account = @account and c.disconnected_at is null
		  and t.connection_id = c.id and t.name = @name and t.language = @language and t.category <> @next`,
		pgx.NamedArgs{
			"organization_id": organizationID, "account": e.AccountID, "name": e.Name, "language": e.Language,
			"next": e.Next, "next_at": postgres.OrNull(e.NextAt),
		})
	if err != nil {
		return fmt.Errorf("store the coming category of a template: %w", err)
	}
	return nil
}

// ReviewName stores what the operator decided about the display name of a number.
func (s *Service) ReviewName(ctx context.Context, organizationID uuid.UUID, e cloud.NameUpdate) error {
	s.log.InfoContext(ctx, "WhatsApp reviewed the name of a number", "account", e.AccountID, "decision", e.Decision,
		"reason", e.Reason)
	_, err := s.pool.Exec(ctx, `
		update messaging_number n set name_requested = @name, name_decision = @decision, name_reason = @reason,
			name_decided_at = coalesce(@at, clock())
		from messaging_connection c
		where c.organization_id = @organization_id and c.account = @account and c.disconnected_at is null
		  and n.connection_id = c.id and n.phone_number = @phone_number and n.disconnected_at is null
		  and (n.name_decided_at is null or n.name_decided_at <= coalesce(@at, clock()))`,
		pgx.NamedArgs{
			"organization_id": organizationID, "account": e.AccountID, "phone_number": e.PhoneNumber, "name": e.Name,
			"decision": e.Decision, "reason": e.Reason, "at": postgres.OrNull(e.At),
		})
	if err != nil {
		return fmt.Errorf("store the decision about a name: %w", err)
	}
	return nil
}

// Alert is something that the operator reports of an account. Only the last one of each kind
// and entity is kept.
type Alert struct {
	Kind        string // in the operator's words, like Severity, Status and EntityType
	Severity    string
	Status      string
	EntityType  string
	EntityID    string
	Description string
	At          time.Time
}

// RecordAlert stores an alert.
func (s *Service) RecordAlert(ctx context.Context, organizationID uuid.UUID, e cloud.AccountAlert) error {
	s.log.WarnContext(ctx, "WhatsApp alerts an account", "account", e.AccountID, "kind", e.Kind, "severity", e.Severity,
		"status", e.Status, "entity", e.EntityType)
	batch := &pgx.Batch{}
	batch.Queue(`
		insert into messaging_alert as a (organization_id, connection_id, kind, entity_type, entity_id, severity,
			status, description, at)
		select organization_id, id, @kind, @entity_type, @entity_id, @severity, @status,
			left(@description, @text), coalesce(@at, clock())
		from messaging_connection
		where organization_id = @organization_id and account = @account and disconnected_at is null
		on conflict on constraint messaging_alert_pkey do update
		set severity = excluded.severity, status = excluded.status, description = excluded.description, at = excluded.at
		where a.at <= excluded.at`,
		pgx.NamedArgs{
			"organization_id": organizationID, "account": e.AccountID, "kind": e.Kind, "entity_type": e.EntityType,
			"entity_id": e.EntityID, "severity": e.Severity, "status": e.Status, "description": e.Description,
			"text": alertText, "at": postgres.OrNull(e.At),
		})
	batch.Queue(`
		delete from messaging_alert where organization_id = @organization_id and at < clock() - @age::interval`,
		pgx.NamedArgs{"organization_id": organizationID, "age": alertAge})
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("store an alert of an account: %w", err)
	}
	return nil
}

// Alerts lists the alerts of a connection in the last 30 days, newest first and at most 20.
func (s *Service) Alerts(ctx context.Context, organizationID, connectionID uuid.UUID) ([]Alert, error) {
	alerts, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Alert], `
		select kind, severity, status, entity_type, entity_id, description, at from messaging_alert
		where organization_id = @organization_id and connection_id = @connection and at >= clock() - @age::interval
		order by at desc, kind, entity_id limit 20`,
		pgx.NamedArgs{"organization_id": organizationID, "connection": connectionID, "age": alertAge})
	if err != nil {
		return nil, fmt.Errorf("list alerts: %w", err)
	}
	return alerts, nil
}
