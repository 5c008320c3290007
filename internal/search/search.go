// Package search finds the objects of an organization by name or ID.
package search

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Kind is a kind of object.
type Kind string

const (
	Campaign    Kind = "campaign"
	Agent       Kind = "agent"
	Project     Kind = "project"
	PhoneNumber Kind = "phone_number"
	Destination Kind = "destination"
	Webhook     Kind = "webhook"
	Call        Kind = "call"
	Message     Kind = "message"
	Delivery    Kind = "delivery"
	FollowUp    Kind = "follow_up"
)

// Named are the kinds that have names, in the order of results.
var Named = []Kind{Campaign, Agent, Project, PhoneNumber, Destination, Webhook}

// Result is an object that was found.
type Result struct {
	Kind     Kind
	ID       uuid.UUID
	Name     string
	ParentID *uuid.UUID // of a delivery: its webhook
}

// Service searches. Make it with New. It is safe for concurrent use.
type Service struct{ pool *pgxpool.Pool }

// New makes the service.
func New(pool *pgxpool.Pool) *Service { return &Service{pool} }

// sqlNamed is the condition that a name matches the pattern @like, whichever apostrophes they have.
const sqlNamed = `straight_apostrophes(name) ilike straight_apostrophes(@like)`

// sqlNames reads the objects of each kind with a name, of which an organization has few.
const sqlNames = `
	(select 'campaign' as kind, id, name, null::uuid as parent_id from campaign
	where organization_id = @organization_id and kind = 'campaign' and ` + sqlNamed + `
	order by created_at desc, id desc limit @most)
	union all
	(select 'agent', id, name, null from agent
	where organization_id = @organization_id and deactivated_at is null and ` + sqlNamed + `
	order by created_at desc, id desc limit @most)
	union all
	(select 'project', id, name, null from project
	where organization_id = @organization_id and deactivated_at is null and ` + sqlNamed + `
	order by created_at desc, id desc limit @most)
	union all
	(select 'phone_number', id, concat_ws(' ', nullif(name, ''), phone_number), null from phone_number
	where organization_id = @organization_id and deactivated_at is null
	  and (` + sqlNamed + ` or @digits <> '' and phone_number like '%' || @digits || '%')
	order by created_at desc, id desc limit @most)
	union all
	(select 'destination', id, name, null from destination
	where organization_id = @organization_id and deactivated_at is null and ` + sqlNamed + `
	order by created_at desc, id desc limit @most)
	union all
	(select 'webhook', id, concat_ws(' ', nullif(name, ''), url), null from webhook
	where organization_id = @organization_id and deleted_at is null and (` + sqlNamed + ` or url ilike @like)
	order by created_at desc, id desc limit @most)`

// ByName finds objects by a part of their name, at most most of each kind, the newest first. digits are those of the
// text, if it may be a part of a phone number.
func (s *Service) ByName(
	ctx context.Context, organizationID uuid.UUID, text, digits string, most int,
) ([]Result, error) {
	like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(check.Searchable(text)) + "%"
	found, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Result], sqlNames, pgx.NamedArgs{
		"organization_id": organizationID, "like": like, "digits": digits, "most": most,
	})
	if err != nil {
		return nil, fmt.Errorf("search by name: %w", err)
	}
	return found, nil
}

// ByID finds the object with an ID. A call that waits for its time has no row of its own, so it is not found here.
func (s *Service) ByID(ctx context.Context, organizationID, id uuid.UUID) ([]Result, error) {
	found, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Result], `
		select 'campaign' as kind, id, name, null::uuid as parent_id from campaign
		where organization_id = $1 and id = $2 and kind = 'campaign'
		union all select 'agent', id, name, null from agent
		where organization_id = $1 and id = $2 and deactivated_at is null
		union all select 'project', id, name, null from project
		where organization_id = $1 and id = $2 and deactivated_at is null
		union all select 'phone_number', id, concat_ws(' ', nullif(name, ''), phone_number), null from phone_number
		where organization_id = $1 and id = $2 and deactivated_at is null
		union all select 'destination', id, name, null from destination
		where organization_id = $1 and id = $2 and deactivated_at is null
		union all select 'webhook', id, concat_ws(' ', nullif(name, ''), url), null from webhook
		where organization_id = $1 and id = $2 and deleted_at is null
		union all select 'call', id, recipient_name, null from call where organization_id = $1 and id = $2
		union all select 'message', id, template_name, null from message where organization_id = $1 and id = $2
		union all select 'delivery', id, '', webhook_id from delivery where organization_id = $1 and id = $2
		union all select 'follow_up', id, '', null from follow_up where organization_id = $1 and id = $2`,
		organizationID, id)
	if err != nil {
		return nil, fmt.Errorf("search by ID: %w", err)
	}
	return found, nil
}
