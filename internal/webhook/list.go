package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

var byID = postgres.NewByID[Webhook]("Webhook", `
	select `+columns+` from webhook
	where organization_id = @organization_id and id = @id and deleted_at is null`)

// Get reads a webhook. An unknown, deleted or foreign id is NotFound.
func (s *Service) Get(ctx context.Context, organizationID, id uuid.UUID) (Webhook, error) {
	return s.reader.Read(ctx, organizationID, id)
}

func read(ctx context.Context, db postgres.DB, organizationID, id uuid.UUID) (Webhook, error) {
	return byID.Read(ctx, db, organizationID, id)
}

// lock reads a webhook and locks its row for a change.
func lock(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) (Webhook, error) {
	return one(ctx, tx, `
		select `+columns+` from webhook
		where organization_id = @organization_id and id = @id and deleted_at is null
		for no key update`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id})
}

// one runs a statement that returns a webhook. Errors: NotFound.
func one(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Webhook, error) {
	w, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Webhook], sql, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return Webhook{}, fault.NotFoundf("Webhook")
	}
	if err != nil {
		return Webhook{}, fmt.Errorf("query a webhook: %w", err)
	}
	return w, nil
}

// List reads a page of an organization's webhooks, newest first. Errors:
// Invalid.
func (s *Service) List(ctx context.Context, organizationID uuid.UUID, p page.Request) (page.List[Webhook], error) {
	args := pgx.NamedArgs{"organization_id": organizationID}
	return page.Read(ctx, s.pool, p, "list webhooks", `
		select `+columns+` from webhook
		where organization_id = @organization_id and deleted_at is null and `+page.Where+`
		`+page.Order, args,
		func(w Webhook) (time.Time, uuid.UUID) { return w.CreatedAt, w.ID })
}
