package suppression

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/phone"
)

// Erase replaces a number by its hash and removes the notes of its entries, and its removals. It adds an
// entry on each channel without one, so that an erased person is not reached again. It
// may be repeated.
func Erase(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, number phone.Number, createdBy string) error {
	args := pgx.NamedArgs{
		"organization_id": organizationID, "number": number, "hash": HashOf(organizationID, number),
		"created_by": createdBy, "channels": Channels,
		"ids": []uuid.UUID{uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())},
	}
	batch := &pgx.Batch{}
	// A restored entry was removed before, for a reason that may name the person.
	batch.Queue(`
		update audit_entry a set data = a.data - 'reason' from do_not_call d
		where d.organization_id = @organization_id and d.phone_number = @number and d.channel = any(@channels)
			and a.organization_id = @organization_id and a.object_id = d.id and a.action = 'do_not_call.removed'`, args)
	batch.Queue(`
		update do_not_call d set phone_number = null, number_hash = @hash::bytea, note = '', list_id = null,
			also_in = '{}'
		where organization_id = @organization_id and phone_number = @number and channel = any(@channels)
			and not exists (
			select from do_not_call e
			where e.organization_id = @organization_id and e.channel = d.channel
				and e.number_hash = @hash)`, args)
	batch.Queue(`
		delete from do_not_call
		where organization_id = @organization_id and phone_number = @number and channel = any(@channels)`, args)
	// The reasons in the audit log may name the person, but have no number by which it would be searched.
	batch.Queue(`
		with gone as (
			delete from do_not_call_removal
			where organization_id = @organization_id and phone_number = @number
			returning id)
		update audit_entry a set data = a.data - 'reason' from gone
		where a.organization_id = @organization_id and a.object_id = gone.id and a.action = 'do_not_call.removed'`,
		args)
	batch.Queue(`
		insert into do_not_call (id, organization_id, channel, number_hash, source, created_by)
		select e.id, @organization_id, e.channel, @hash::bytea, 'erasure', @created_by
		from unnest(@ids::uuid[], @channels::text[]) e (id, channel)
		order by e.channel
		on conflict on constraint do_not_call_hash_unique do nothing`, args)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("hash a number's entries of the do-not-call list: %w", err)
	}
	return nil
}
