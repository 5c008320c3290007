package suppression

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Bounds of one AddAll call and of one of its statements.
const (
	MaxBatch  = 200_000 // a file of 100,000 numbers, on both channels
	writeMost = 5_000
)

// Added is the result of AddAll.
type Added struct {
	Added    int `json:"added"`
	Existing int `json:"existing"` // already on the list, or given twice
	Numbers  int `json:"-"`        // with an added entry, on whatever channel
}

// AddAll puts many numbers on the list, all or none, at most MaxBatch. Existing entries
// stay unchanged, except that those of subscribed lists become new entries of the actor. The audit log gets one entry
// for all. Errors: Invalid, which names entries[i] and its field.
func (s *Service) AddAll(ctx context.Context, actor account.Actor, entries []NewEntry) (Added, error) {
	var p fault.Problems
	if len(entries) == 0 || len(entries) > MaxBatch {
		p.Addf("entries", "must have 1 to %d entries", MaxBatch)
		return Added{}, p.Err()
	}
	sorted := slices.Clone(entries) // check fills in defaults and must not change the caller's slice
	for i := range sorted {
		if err := sorted[i].Check(); err != nil {
			for _, f := range fault.As(err).Fields {
				p.Addf(fmt.Sprintf("entries[%d].%s", i, f.Path), "%s", f.Message)
			}
		}
	}
	if err := p.Err(); err != nil {
		return Added{}, err
	}
	// Every batch writes in the same order, across statements, so no two batches ever
	// wait for each other. Of two equal entries the first is kept.
	slices.SortStableFunc(sorted, func(a, b NewEntry) int {
		return cmp.Or(cmp.Compare(a.PhoneNumber, b.PhoneNumber), cmp.Compare(a.Channel, b.Channel))
	})
	var sum Added
	numbers := map[string]struct{}{}
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		sum = Added{Existing: len(entries)}
		clear(numbers)
		if err := lockBatches(ctx, tx, actor.OrganizationID); err != nil {
			return err
		}
		var erased, subscribed bool
		err := tx.QueryRow(ctx, `
			select `+HasErased("$1")+`, exists (select from subscribed_list where organization_id = $1)`,
			actor.OrganizationID).Scan(&erased, &subscribed)
		if err != nil {
			return fmt.Errorf("look for erased numbers and subscribed lists: %w", err)
		}
		for rest := sorted; len(rest) > 0; {
			n := min(len(rest), writeMost)
			fresh := rest[:n]
			if erased {
				if fresh, err = withoutErased(ctx, tx, actor.OrganizationID, fresh); err != nil {
					return err
				}
			}
			added, err := insert(ctx, tx, actor, nil, fresh)
			if err != nil {
				return err
			}
			if subscribed {
				taken, err := takeOver(ctx, tx, actor, fresh)
				if err != nil {
					return err
				}
				added = append(added, taken...)
			}
			for _, number := range added {
				numbers[number] = struct{}{}
			}
			sum.Added, sum.Existing = sum.Added+len(added), sum.Existing-len(added)
			rest = rest[n:]
		}
		if sum.Numbers = len(numbers); sum.Added == 0 {
			return nil
		}
		return account.Record(ctx, tx, actor, "do_not_call.imported", account.Object{Type: "do_not_call"},
			map[string]any{"source": entries[0].Source, "added": sum.Added, "existing": sum.Existing})
	})
	if err != nil {
		return Added{}, err
	}
	if sum.Added > 0 {
		s.hub.Wake(Topic)
	}
	return sum, nil
}

// withoutErased leaves out entries of erased numbers. An erasure that commits meanwhile removes them itself.
func withoutErased(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, entries []NewEntry,
) (fresh []NewEntry, err error) {
	hashes := map[Channel][]Hashed{}
	for _, e := range entries {
		hashes[e.Channel] = append(hashes[e.Channel], HashOf(organizationID, e.PhoneNumber))
	}
	erased := map[Channel]map[Hashed]bool{}
	for channel, numbers := range hashes {
		if erased[channel], err = erasedOf(ctx, tx, channel, numbers); err != nil {
			return nil, err
		}
	}
	for _, e := range entries {
		if !erased[e.Channel][HashOf(organizationID, e.PhoneNumber)] {
			fresh = append(fresh, e)
		}
	}
	return fresh, nil
}

// newEntryTable passes new entries to a statement as the table e.
var newEntryTable = postgres.NewColumns("e",
	postgres.Column("id", "uuid", func(*NewEntry) uuid.UUID { return uuid.Must(uuid.NewV7()) }),
	postgres.Column("channel", "text", func(e *NewEntry) Channel { return e.Channel }),
	postgres.Column("number", "text", func(e *NewEntry) string { return e.PhoneNumber.String() }),
	postgres.Column("source", "text", func(e *NewEntry) Source { return e.Source }),
	postgres.Column("note", "text", func(e *NewEntry) string { return e.Note }),
)

// insert writes entries of a list, or of none, and returns the numbers of those that were new.
func insert(
	ctx context.Context, tx pgx.Tx, actor account.Actor, listID *uuid.UUID, entries []NewEntry,
) ([]string, error) {
	args := newEntryTable.Args(entries)
	args["organization_id"], args["created_by"], args["list_id"] = actor.OrganizationID, actor.Name, listID
	rows, err := tx.Query(ctx, `
		insert into do_not_call (id, organization_id, channel, phone_number, source, note, created_by, list_id)
		select e.id, @organization_id, e.channel, e.number, e.source, e.note, @created_by, @list_id::uuid
		from `+newEntryTable.Table()+`
		order by e.number, e.channel, e.id
		on conflict on constraint do_not_call_unique do nothing
		returning phone_number`, args)
	if err != nil {
		return nil, fmt.Errorf("add %d numbers to the do-not-call list: %w", len(entries), err)
	}
	added, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("add %d numbers to the do-not-call list: %w", len(entries), err)
	}
	return added, nil
}
