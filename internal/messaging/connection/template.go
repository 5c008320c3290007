package connection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Template is a template that the operator lists for a connected account.
type Template struct {
	ID           uuid.UUID
	ConnectionID uuid.UUID
	Connection   string // its name
	Content      cloud.Template
	ExternalIDs  []string // of the numbers that can send it
	PausedReason *string  // why it is not sent
	PausedUntil  *time.Time
	CreatedAt    time.Time

	PreviousCategory  *string // before the last change; nil: it has not changed since the first read
	CategoryChangedAt *time.Time
	NextCategory      *string // that the operator has announced
	NextCategoryAt    *time.Time
}

// marketing is the operator's category of advertising. Its messages may cost more, and need
// the recipient's consent to marketing.
const marketing = "MARKETING"

// BecameMarketing reports whether the operator moved the template to marketing, from another
// category.
func (t Template) BecameMarketing() bool {
	return t.Content.Category == marketing && t.PreviousCategory != nil && t.CategoryChangedAt != nil
}

// BecomesMarketing reports whether the operator has announced to move the template to marketing.
func (t Template) BecomesMarketing() bool {
	return t.NextCategory != nil && *t.NextCategory == marketing
}

const templateSelect = `
	select t.id, t.connection_id, c.name as connection, t.content,
		array(select n.external_id from messaging_number n
		      where n.connection_id = t.connection_id and n.disconnected_at is null
		      order by n.created_at, n.id) as external_ids,
		t.paused_reason, t.paused_until, t.created_at,
		t.previous_category, t.category_changed_at, t.next_category, t.next_category_at
	from messaging_template t join messaging_connection c on c.id = t.connection_id
	where t.organization_id = @organization_id and t.removed_at is null and c.disconnected_at is null`

// Templates lists an organization's templates, the last found first. Errors: Invalid.
func (s *Service) Templates(
	ctx context.Context, organizationID uuid.UUID, r page.Request,
) (page.List[Template], error) {
	args := pgx.NamedArgs{"organization_id": organizationID}
	return page.Read(ctx, s.pool, r, "list templates",
		`select * from (`+templateSelect+`) listed where `+page.Where+` `+page.Order, args,
		func(t Template) (time.Time, uuid.UUID) { return t.CreatedAt, t.ID })
}

var templateByID = postgres.NewByID[Template]("Template", templateSelect+` and t.id = @id`)

// Template returns a template of an organization. Errors: NotFound, also for a template
// that is no longer listed or whose connection is disconnected.
func (s *Service) Template(ctx context.Context, organizationID, id uuid.UUID) (Template, error) {
	return s.templateReader.Read(ctx, organizationID, id)
}

// TemplatesNamed returns the templates of a name and a language, one for each account that has it.
func (s *Service) TemplatesNamed(
	ctx context.Context, organizationID uuid.UUID, name, language string,
) ([]Template, error) {
	templates, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Template],
		templateSelect+` and t.name = @name and t.language = @language`,
		pgx.NamedArgs{"organization_id": organizationID, "name": name, "language": language})
	if err != nil {
		return nil, fmt.Errorf("read templates by name: %w", err)
	}
	return templates, nil
}

// OfCall returns templates as an agent may send them during a call: those that can be sent, from the WhatsApp number of
// the call's phone number, or else from the account's first one.
func (s *Service) OfCall(
	ctx context.Context, organizationID uuid.UUID, ids []uuid.UUID, phoneNumber *uuid.UUID,
) ([]conversation.MessageTemplate, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	type row struct {
		ID      uuid.UUID
		Content cloud.Template
		Number  string
	}
	rows, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[row], `
		select t.id, t.content, n.external_id as number
		from messaging_template t
		cross join lateral (
			select n.external_id from messaging_number n
			left join phone_number p on p.organization_id = $1 and p.id = $3
			where n.connection_id = t.connection_id and n.disconnected_at is null
			order by n.external_id = p.messaging_external_id desc nulls last, n.created_at, n.id
			limit 1
		) n
		where t.organization_id = $1 and t.id = any($2) and t.removed_at is null
		order by array_position($2, t.id)`, organizationID, ids, phoneNumber)
	if err != nil {
		return nil, fmt.Errorf("read the templates of an agent: %w", err)
	}
	var all []conversation.MessageTemplate
	for _, r := range rows {
		if r.Content.Obstacle() != "" {
			continue
		}
		t := conversation.MessageTemplate{
			ID: r.ID, Key: r.Content.Name, Name: r.Content.Name, Language: r.Content.Language, Number: r.Number,
			Text: r.Content.Body,
		}
		taken := func(o conversation.MessageTemplate) bool { return o.Key == t.Key }
		if slices.ContainsFunc(all, taken) {
			t.Key += "_" + t.Language
		}
		if slices.ContainsFunc(all, taken) { // of another account
			continue
		}
		for _, v := range r.Content.Variables() {
			t.Variables = append(t.Variables, v.Key)
		}
		all = append(all, t)
	}
	return all, nil
}

// TemplateOf returns the template of a message. Errors: NotFound, also if the operator no
// longer lists it.
func (s *Service) TemplateOf(ctx context.Context, organizationID, messageID uuid.UUID) (Template, error) {
	var id uuid.UUID
	err := s.pool.QueryRow(ctx, `
		select t.id
		from message m
		join messaging_number n on n.id = m.number_id
		join messaging_template t
		  on t.connection_id = n.connection_id and t.name = m.template_name and t.language = m.template_language
		where m.organization_id = @organization_id and m.id = @id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": messageID}).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return Template{}, fault.NotFoundf("Template")
	}
	if err != nil {
		return Template{}, fmt.Errorf("find the template of message %s: %w", messageID, err)
	}
	return s.Template(ctx, organizationID, id)
}
