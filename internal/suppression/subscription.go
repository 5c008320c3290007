package suppression

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// lockBatches lets one transaction at a time change many entries of an organization. Such transactions lock rows in
// different orders, and would otherwise end in a deadlock.
func lockBatches(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID) error {
	_, err := tx.Exec(ctx, `select pg_advisory_xact_lock(hashtextextended('do_not_call ' || $1::uuid, 0))`,
		organizationID)
	if err != nil {
		return fmt.Errorf("lock the do-not-call list: %w", err)
	}
	return nil
}

// takeOver makes entries of subscribed lists the actor's own, and returns their numbers. The lists still have them.
func takeOver(ctx context.Context, tx pgx.Tx, actor account.Actor, entries []NewEntry) ([]string, error) {
	args := newEntryTable.Args(entries)
	args["organization_id"], args["created_by"] = actor.OrganizationID, actor.Name
	// Of two equal entries the first is kept, as by insert.
	taken, err := postgres.Collect(ctx, tx, pgx.RowTo[string], `
		with given as (
			select distinct on (e.number, e.channel) e.* from `+newEntryTable.Table()+`
			order by e.number, e.channel, e.id
		), listed as materialized (
			select d.id as was, given.* from do_not_call d
			join given on d.channel = given.channel and d.phone_number = given.number
			where d.organization_id = @organization_id and d.list_id is not null
			order by d.phone_number collate "C", d.channel for update of d
		)
		update do_not_call d
		set id = listed.id, source = listed.source, note = listed.note, call_id = null, created_by = @created_by,
			created_at = clock(), list_id = null, also_in = array_append(d.also_in, d.list_id)
		from listed where d.id = listed.was
		returning d.phone_number`, args)
	if err != nil {
		return nil, fmt.Errorf("take over entries of subscribed lists: %w", err)
	}
	return taken, nil
}

// Synced is the result of SyncList. A number that is added or removed on one channel only counts, too.
type Synced struct {
	Added   int // numbers
	Removed int
}

// SyncList makes the numbers of a subscribed list those of a file on some channels, in the caller's transaction.
// Numbers that are on the do-not-call list for another reason keep their entries, and so do numbers of other lists.
// Both are marked as being in this list, too. Erased numbers keep their entries. Wake Topic after the commit if entries
// were added.
func SyncList(
	ctx context.Context, tx pgx.Tx, organizationID, listID uuid.UUID, file *Import, channels []Channel,
) (r Synced, err error) {
	if err := lockBatches(ctx, tx, organizationID); err != nil {
		return r, err
	}
	numbers := make([]phone.Number, len(file.Numbers))
	for i, n := range file.Numbers {
		numbers[i] = n.PhoneNumber
	}
	args := pgx.NamedArgs{
		"organization_id": organizationID, "list_id": listID, "numbers": numbers, "channels": texts(channels),
	}
	if r.Removed, err = leave(ctx, tx, `not (channel = any(@channels::text[])
		and exists (select from unnest(@numbers::text[]) n where n = d.phone_number))`, args); err != nil {
		return r, err
	}
	var erased bool
	if err := tx.QueryRow(ctx, `select `+HasErased("$1"), organizationID).Scan(&erased); err != nil {
		return r, fmt.Errorf("look for erased numbers: %w", err)
	}
	entries := file.Entries(channels...)
	slices.SortFunc(entries, func(a, b NewEntry) int {
		return cmp.Or(cmp.Compare(a.PhoneNumber, b.PhoneNumber), cmp.Compare(a.Channel, b.Channel))
	})
	added := map[string]struct{}{}
	for chunk := range slices.Chunk(entries, writeMost) {
		if erased {
			if chunk, err = withoutErased(ctx, tx, organizationID, chunk); err != nil {
				return r, err
			}
		}
		numbers, err := insert(ctx, tx, account.System(organizationID), &listID, chunk)
		if err != nil {
			return r, err
		}
		for _, number := range numbers {
			added[number] = struct{}{}
		}
	}
	r.Added = len(added)
	_, err = tx.Exec(ctx, `
		update do_not_call d set also_in = also_in || @list_id::uuid
		from unnest(@numbers::text[]) n
		where d.organization_id = @organization_id and d.phone_number = n and d.channel = any(@channels::text[])
		  and d.list_id is distinct from @list_id and not d.also_in @> array[@list_id::uuid]`, args)
	if err != nil {
		return r, fmt.Errorf("mark the entries that others have: %w", err)
	}
	return r, nil
}

// listed is a condition on the table d: the entry's number is in a subscribed list.
const listed = `(d.list_id = @list_id or d.also_in <> '{}' and d.also_in @> array[@list_id::uuid])`

// leave takes the numbers of a subscribed list for which a condition on the table d is true off the list. Entries that
// nobody else has are removed, and their numbers counted.
func leave(ctx context.Context, tx pgx.Tx, condition string, args pgx.NamedArgs) (removed int, err error) {
	err = tx.QueryRow(ctx, `
		with gone as materialized (
			select id from do_not_call d
			where organization_id = @organization_id and `+listed+` and `+condition+`
			order by phone_number collate "C", channel for update
		), other as (
			update do_not_call d set
				list_id = case when d.list_id = @list_id then d.also_in[1] else d.list_id end,
				also_in = case when d.list_id = @list_id then d.also_in[2:] else array_remove(d.also_in, @list_id) end
			from gone where d.id = gone.id and (d.list_id is distinct from @list_id or d.also_in <> '{}')
		), removed as (
			delete from do_not_call d using gone
			where d.id = gone.id and d.list_id = @list_id and d.also_in = '{}'
			returning d.phone_number
		)
		select count(distinct phone_number) from removed`, args).Scan(&removed)
	if err != nil {
		return 0, fmt.Errorf("remove entries of a subscribed list: %w", err)
	}
	return removed, nil
}

// DropList removes the entries of a subscribed list that nobody else has, in the caller's transaction, and counts their
// numbers.
func DropList(ctx context.Context, tx pgx.Tx, organizationID, listID uuid.UUID) (removed int, err error) {
	if err := lockBatches(ctx, tx, organizationID); err != nil {
		return 0, err
	}
	return leave(ctx, tx, "true", pgx.NamedArgs{"organization_id": organizationID, "list_id": listID})
}

// NumbersOfList are the numbers of a subscribed list that are on the do-not-call list, by what happens to them without
// the list. A number may have an entry for each channel.
type NumbersOfList struct {
	Leaving int // leave the do-not-call list, some on one channel only
	Shared  int // stay, because another subscribed list has them
	Own     int // stay, because they were also added in another way
}

// CountNumbersOfList counts the numbers of a subscribed list.
func CountNumbersOfList(
	ctx context.Context, db postgres.DB, organizationID, listID uuid.UUID,
) (NumbersOfList, error) {
	n, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[NumbersOfList], `
		select count(*) filter (where leaves) as leaving, count(*) filter (where not leaves and not own) as shared,
		       count(*) filter (where not leaves and own) as own
		from (
			select bool_or(d.list_id is not distinct from @list_id and d.also_in = '{}') as leaves,
			       bool_or(d.list_id is null) as own
			from do_not_call d
			where organization_id = @organization_id and `+listed+`
			group by phone_number
		) number`, pgx.NamedArgs{"organization_id": organizationID, "list_id": listID})
	if err != nil {
		return n, fmt.Errorf("count the numbers of a subscribed list: %w", err)
	}
	return n, nil
}
