package suppression

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// MaxRemoved is how many entries RemoveAll takes off the list at once.
const MaxRemoved = 10_000

// requested are the sources of entries that the person asked for.
var requested = []Source{ByCall, ByMessage}

// Chosen are entries of the list: those with the IDs, or all that a filter selects.
type Chosen struct {
	IDs    []uuid.UUID
	Filter *Filter // nil: the IDs; its Page has no effect
}

// RemovalCount is what RemoveAll would do with the chosen entries.
type RemovalCount struct {
	Removed   int // entries that it would remove
	Requested int // of these, the person asked for
	Erased    int // entries of erased people. It leaves them, because their removal could not be undone
}

// RemovalRequest is the removal of many entries.
type RemovalRequest struct {
	Chosen
	Reason    string // required; at most 500 characters
	Expected  int    // the RemovalCount.Removed that the person agreed to
	Requested bool   // the person confirms that those who asked for their entries have changed their minds
}

// CountRemovals counts what RemoveAll would remove. Errors: Invalid for more than MaxRemoved.
func (s *Service) CountRemovals(ctx context.Context, organizationID uuid.UUID, c Chosen) (RemovalCount, error) {
	_, n, err := s.chosen(ctx, s.pool, organizationID, c)
	return n, err
}

// chosen reads the IDs of the chosen entries that can be removed, and counts all of them.
func (s *Service) chosen(
	ctx context.Context, db postgres.DB, organizationID uuid.UUID, c Chosen,
) (ids []uuid.UUID, n RemovalCount, err error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "ids": c.IDs, "most": MaxRemoved + 1}
	from, where := `do_not_call`, `id = any(@ids)`
	if f := c.Filter; f != nil {
		args["number"], args["hash"] = f.PhoneNumber, HashOf(organizationID, f.PhoneNumber)
		if from, where, err = s.narrow(ctx, *f, args); err != nil {
			return nil, n, err
		}
		where += `(cardinality(@channels::text[]) = 0 or channel = any(@channels::text[]))
			and (cardinality(@sources::text[]) = 0 or source = any(@sources::text[]))`
		if ofList := f.list(args); ofList != nil {
			where += ` and (` + strings.Join(ofList, ` or `) + `)`
		}
		args["channels"], args["sources"] = texts(f.Channels), texts(f.Sources)
	}
	type entry struct {
		ID        uuid.UUID
		Erased    bool
		Requested bool
	}
	args["requested"] = texts(requested)
	found, err := postgres.Collect(ctx, db, pgx.RowToStructByName[entry], `
		select id, phone_number is null as erased, source = any(@requested::text[]) as requested from `+from+`
		where organization_id = @organization_id and `+where+` limit @most`, args)
	if err != nil {
		return nil, n, fmt.Errorf("read entries of the do-not-call list to remove: %w", err)
	}
	if len(found) > MaxRemoved || len(c.IDs) > MaxRemoved {
		return nil, n, fault.Invalidf("", "At most %d entries can be removed at once. Narrow the filter", MaxRemoved)
	}
	for _, e := range found {
		if e.Erased {
			n.Erased++
			continue
		}
		ids = append(ids, e.ID)
		if e.Requested {
			n.Requested++
		}
	}
	n.Removed = len(ids)
	return ids, n, nil
}

func texts[T ~string](values []T) []string {
	all := make([]string, len(values)) // never null
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}

// RemoveAll takes the chosen entries off the list, all or none, except those of erased people. Each entry stays as a
// Removal, from which Restore brings the batch back. Errors: Invalid, also if people asked for entries and Requested
// is not set; Conflict if the chosen entries are not as many as Expected any more.
func (s *Service) RemoveAll(ctx context.Context, actor account.Actor, r RemovalRequest) (batch uuid.UUID, err error) {
	var p fault.Problems
	check.RequiredText(&p, "reason", &r.Reason, maxNote)
	batch = uuid.Must(uuid.NewV7())
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lockBatches(ctx, tx, actor.OrganizationID); err != nil {
			return err
		}
		ids, n, err := s.chosen(ctx, tx, actor.OrganizationID, r.Chosen)
		if err != nil {
			return err
		}
		if n.Requested > 0 && !r.Requested {
			p.Addf("requested", "confirm that these people have changed their minds, or remove the others only")
		}
		if err := p.Err(); err != nil {
			return err
		}
		// Whoever locks several entries locks them by ID. Another removal may have been faster.
		removed, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			with chosen as materialized (
				select id from do_not_call
				where organization_id = @organization_id and id = any(@ids) and phone_number is not null
				order by id for update
			), removed as (
				delete from do_not_call d using chosen where d.id = chosen.id returning d.*
			)
			insert into do_not_call_removal (id, organization_id, channel, phone_number, source, note, call_id,
				created_by, created_at, list_id, also_in, removed_by, reason, batch_id)
			select id, organization_id, channel, phone_number, source, note, call_id, created_by, created_at, list_id,
				also_in, @removed_by, @reason, @batch_id
			from removed
			returning id`, pgx.NamedArgs{
			"organization_id": actor.OrganizationID, "ids": ids, "removed_by": actor.Name, "reason": r.Reason,
			"batch_id": batch,
		})
		if err != nil {
			return fmt.Errorf("remove %d entries of the do-not-call list: %w", len(ids), err)
		}
		if len(removed) != r.Expected {
			return fault.Conflictf("The list has changed, and %d entries match now. Check them and remove them again",
				len(removed))
		}
		if len(removed) == 0 {
			return nil
		}
		slices.SortFunc(removed, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
		return account.RecordEach(ctx, tx, actor, "do_not_call.removed", "do_not_call", removed,
			map[string]any{"reason": masked(r.Reason), "entries": len(removed)})
	})
	return batch, err
}

// Restored is the result of Restore.
type Restored struct {
	Restored int
	Existing int // numbers that were added again in the meantime: these entries stay
}

// Restore puts the entries of a RemoveAll or a Remove back on the list as they were, with their IDs, sources, notes and
// times. An erasure in the meantime has deleted what it could restore. Restoring a batch twice changes nothing.
func (s *Service) Restore(ctx context.Context, actor account.Actor, batch uuid.UUID) (r Restored, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lockBatches(ctx, tx, actor.OrganizationID); err != nil {
			return err
		}
		args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "batch_id": batch}
		// The lock keeps a second request from restoring the same entries. Rows are written in the order of AddAll.
		restored, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			with gone as materialized (
				select * from do_not_call_removal
				where organization_id = @organization_id and batch_id = @batch_id
				order by id for update
			)
			insert into do_not_call (id, organization_id, channel, phone_number, source, note, call_id, created_by,
				created_at, list_id, also_in)
			select id, organization_id, channel, phone_number, source, note, call_id, created_by, created_at,
				(select l.id from subscribed_list l where l.id = gone.list_id) as list_id,
				array(select l.id from subscribed_list l where l.id = any(gone.also_in)) as also_in
			from gone
			order by phone_number, channel, id
			on conflict on constraint do_not_call_unique do nothing
			returning id`, args)
		if err != nil {
			return fmt.Errorf("restore entries of the do-not-call list: %w", err)
		}
		args["ids"] = restored
		if r.Restored = len(restored); r.Restored > 0 {
			if _, err := tx.Exec(ctx, `
				delete from do_not_call_removal where organization_id = @organization_id and id = any(@ids)`,
				args); err != nil {
				return fmt.Errorf("delete the removals of restored entries: %w", err)
			}
		}
		err = tx.QueryRow(ctx, `
			select count(*) from do_not_call_removal
			where organization_id = @organization_id and batch_id = @batch_id`, args).Scan(&r.Existing)
		if err != nil {
			return fmt.Errorf("count the entries that were not restored: %w", err)
		}
		if r.Restored == 0 {
			return nil
		}
		return account.RecordEach(ctx, tx, actor, "do_not_call.restored", "do_not_call", restored,
			map[string]any{"entries": r.Restored})
	})
	if err == nil && r.Restored > 0 {
		s.hub.Wake(Topic)
	}
	return r, err
}
