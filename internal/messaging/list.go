package messaging

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/person"
	"github.com/dialwright/dialwright/internal/postgres"
)

var byID = postgres.NewByID[Message]("Message", messageSelect+`
	where m.organization_id = @organization_id and m.id = @id`)

// Get returns a message of an organization. Errors: NotFound.
func (s *Service) Get(ctx context.Context, organizationID, id uuid.UUID) (Message, error) {
	return s.reader.Read(ctx, organizationID, id)
}

// Filter selects messages. The zero value selects all of them.
type Filter struct {
	Page       page.Request
	CampaignID *uuid.UUID
	NumberID   *uuid.UUID
	Template   string      // its name; empty: all
	Statuses   []Status    // any of them; empty: all
	To         string      // E.164; empty: all
	NumberPart person.Part // of the number that it is to; not with To
	SentAfter  time.Time   // zero: all, also those that are not sent
	SentBefore time.Time   // likewise
}

// List returns an organization's messages, newest first. Errors: Invalid.
func (s *Service) List(ctx context.Context, organizationID uuid.UUID, f Filter) (page.List[Message], error) {
	args := pgx.NamedArgs{
		"organization_id": organizationID, "campaign_id": f.CampaignID, "number_id": f.NumberID,
		"template": check.Searchable(f.Template), "to": f.To,
	}
	query := `select id, created_at from message where organization_id = @organization_id and ` + page.Where
	if f.CampaignID != nil {
		query += ` and campaign_id = @campaign_id`
	}
	if f.NumberID != nil {
		query += ` and number_id = @number_id`
	}
	if f.Template != "" {
		query += ` and template_name = @template`
	}
	if f.To != "" {
		query += ` and phone_number = @to`
	} else if len(f.NumberPart) > 0 {
		query += ` and person_keys(organization_id, '', phone_number) @@ @keys::tsquery
			and phone_number like any(@likes)`
		args["keys"], args["likes"] = f.NumberPart.Keys(organizationID), f.NumberPart.Likes()
	}
	query += page.Within(args, "sent_at", f.SentAfter, f.SentBefore)
	return page.Read(ctx, s.pool, f.Page, "list messages", messageSelect+` where m.id in (
			select id from (`+page.Merge(query, page.Order, page.Equal(args, "status", f.Statuses))+`) listed)
		order by m.created_at desc, m.id desc`, args,
		func(m Message) (time.Time, uuid.UUID) { return m.CreatedAt, m.ID })
}
