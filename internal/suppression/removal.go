package suppression

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
)

// Removal is an entry that was taken off the list. It is kept as evidence until the person is erased.
type Removal struct {
	Entry
	RemovedBy string // the name of the user or key that removed it
	RemovedAt time.Time
}

// Removals returns the entries of a number that were taken off the list, by the time they were added, newest first.
// Errors: Invalid.
func (s *Service) Removals(
	ctx context.Context, organizationID uuid.UUID, number phone.Number, r page.Request,
) (page.List[Removal], error) {
	return page.Read(ctx, s.pool, r, "list removed entries of the do-not-call list", `
		select id, channel, phone_number, false as erased, source, note, call_id, created_by, created_at, removed_by,
		       removed_at
		from do_not_call_removal
		where organization_id = @organization_id and phone_number = @number and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID, "number": number},
		func(e Removal) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID })
}
