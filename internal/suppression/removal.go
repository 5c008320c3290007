package suppression

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Removal is an entry that was taken off the list. It is kept as evidence until the person is erased.
type Removal struct {
	Entry
	RemovedBy string // the name of the user or key that removed it
	RemovedAt time.Time
	Reason    string // empty: none was given
}

// Remove takes an entry off the list. The number may be reached again. The entry stays as a Removal, unless the
// person was erased, and Restore brings it back: it is a batch of its own, with the ID of the entry. A user must give a
// reason of at most 500 characters. About an erased person, none is kept, because another erasure would not find it.
// Errors: Invalid, NotFound.
func (s *Service) Remove(ctx context.Context, actor account.Actor, id uuid.UUID, reason string) error {
	var p fault.Problems
	check.Text(&p, "reason", &reason, maxNote)
	if err := p.Err(); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		e, err := one(ctx, tx, `
			with removed as (
				delete from do_not_call
				where organization_id = @organization_id and id = @id
				returning *
			), kept as (
				insert into do_not_call_removal (id, organization_id, channel, phone_number, source, note, call_id,
					created_by, created_at, list_id, also_in, removed_by, reason, batch_id)
				select id, organization_id, channel, phone_number, source, note, call_id, created_by, created_at,
					list_id, also_in, @removed_by, @reason, id
				from removed where phone_number is not null)
			select `+entryColumns+` from removed`, pgx.NamedArgs{
			"organization_id": actor.OrganizationID, "id": id, "removed_by": actor.Name, "reason": reason,
		})
		switch {
		case err != nil:
			return err
		case e.Erased:
			reason = ""
		case reason == "" && actor.Kind == account.ByUser:
			return fault.Invalidf("reason", "required")
		}
		return account.Record(ctx, tx, actor, "do_not_call.removed", account.Object{
			Type: "do_not_call", ID: id,
		}, map[string]any{
			"channel": e.Channel, "ends_in": LastDigits(e.PhoneNumber), "source": e.Source, "created_at": e.CreatedAt,
			"reason": masked(reason),
		})
	})
}

// written finds what may be a phone number in a text, in any notation.
var written = regexp.MustCompile(`\+?\d(?:[ ()./-]*\d){6,}`)

// masked shortens the phone numbers in a text to their last two digits, for the audit log.
func masked(text string) string { return written.ReplaceAllStringFunc(text, lastTwo) }

// Removals returns the entries of a number that were taken off the list, by the time they were added, newest first.
// Errors: Invalid.
func (s *Service) Removals(
	ctx context.Context, organizationID uuid.UUID, number phone.Number, r page.Request,
) (page.List[Removal], error) {
	return page.Read(ctx, s.pool, r, "list removed entries of the do-not-call list", `
		select id, channel, phone_number, false as erased, source, note, call_id, list_id,
		       coalesce((select l.name from subscribed_list l where l.id = list_id), '') as list_name,
		       '{}'::text[] as also_in, created_by, created_at, removed_by, removed_at, reason
		from do_not_call_removal
		where organization_id = @organization_id and phone_number = @number and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID, "number": number},
		func(e Removal) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID })
}

// ForgetCalls deletes the entries of deleted calls, without a Removal. calls and numbers are those calls and the
// numbers of the people on them.
func ForgetCalls(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, calls []uuid.UUID, numbers []phone.Number,
) error {
	_, err := tx.Exec(ctx, `
		delete from do_not_call
		where organization_id = $1 and channel = any($2) and phone_number = any($3) and call_id = any($4)`,
		organizationID, []Channel{Voice, Message}, numbers, calls)
	if err != nil {
		return fmt.Errorf("forget the do-not-call entries of calls: %w", err)
	}
	return nil
}
